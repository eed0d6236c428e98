//! Somebody who asks the server.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use holotape::Recording;
use holotape::demo::DemoOptions;
use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::{Value, json};
use tower::ServiceExt;

const PORT: u16 = 8000;
pub const HOST: &str = "127.0.0.1:8000";
pub const ORIGIN: &str = "http://127.0.0.1:8000";

pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

pub fn valid(name: &str) -> PathBuf {
    project("testdata/valid").join(name)
}

pub fn demo(seconds: f64) -> Recording {
    DemoOptions::new().with_seconds(seconds).generate().expect("a demo")
}

pub fn bytes_of(recording: &Recording) -> Vec<u8> {
    recording.to_vec().expect("bytes").0
}

/// Files and their bytes, by name.
pub fn files_in(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable"));
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file")))
        .collect();
    files.sort();
    files
}

/// The page, as far as the server can tell.
#[derive(Clone)]
pub struct Client {
    router: Router,
}

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Client {
    pub fn of(viewer: &Viewer) -> Self {
        Self { router: viewer.router(PORT) }
    }

    /// One who may change this recording, which is take 1.
    pub fn editing(recording: &Recording) -> Self {
        let viewer = Viewer::new(ViewerOptions::new().with_edit(true));
        viewer.add("demo.bin", recording.clone()).expect("shown");
        Self::of(&viewer)
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let answer = self.router.clone().oneshot(request).await.expect("an answer");
        let (parts, body) = answer.into_parts();
        let body = to_bytes(body, usize::MAX).await.expect("all of it");
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(request(Method::GET, path).body(Body::empty()).unwrap()).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(request(Method::DELETE, path).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, path: &str, json: Value) -> Answer {
        let request = request(Method::POST, path).header("content-type", "application/json");
        self.send(request.body(json.to_string().into()).unwrap()).await
    }

    pub async fn upload(&self, name: &str, bytes: impl Into<Body>) -> Answer {
        self.send(request(Method::POST, &format!("/api/takes?name={name}")).body(bytes.into()).unwrap()).await
    }

    /// Changes take 1.
    pub async fn edit(&self, edit: Value) -> Answer {
        self.post("/api/takes/1/edit", edit).await
    }

    /// A take as a file.
    pub async fn bin(&self, id: u64) -> Vec<u8> {
        self.get(&format!("/api/takes/{id}/download?as=bin")).await.ok().body.to_vec()
    }

    pub async fn session(&self) -> Value {
        self.get("/api/session").await.ok().json()
    }

    pub async fn take(&self, id: u64) -> Value {
        let session = self.session().await;
        let takes = session["takes"].as_array().expect("takes");
        takes.iter().find(|take| take["id"] == id).cloned().unwrap_or(Value::Null)
    }
}

/// A request of the page's own.
pub fn request(method: Method, path: &str) -> axum::http::request::Builder {
    let request = Request::builder().uri(path).header("host", HOST).header("sec-fetch-site", "same-origin");
    let request = if method == Method::GET { request } else { request.header("origin", ORIGIN) };
    request.method(method)
}

impl Answer {
    #[track_caller]
    pub fn ok(self) -> Self {
        assert!(self.status.is_success(), "{self:?}");
        self
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// Expects a status, and words that say why.
    #[track_caller]
    pub fn refused(&self, status: u16, message: &str) {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        let error = self.json()["error"].as_str().expect("words").to_owned();
        assert!(error.contains(message), "{message:?} is not in {error:?}");
    }
}

pub fn trim(from: f64, to: f64) -> Value {
    json!({ "op": "trim", "from": from, "to": to })
}

pub fn add_marker(time: f64, name: &str) -> Value {
    json!({ "op": "addMarker", "time": time, "name": name })
}

/// What a server says to these very bytes, to the end.
pub fn ask_raw(port: u16, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a server");
    // A server that has heard enough hangs up.
    stream.write_all(request).ok();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok();
    String::from_utf8_lossy(&answer).into_owned()
}
