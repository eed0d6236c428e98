//! A client that calls the router directly, without a network.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use holotape::Recording;
use holotape::demo::DemoOptions;
use holotape_viewer::{AccessToken, Viewer, ViewerOptions};
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

/// Sends the same headers as the page.
#[derive(Clone)]
pub struct Client {
    router: Router,
}

#[derive(Debug)]
pub struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Client {
    pub fn new(viewer: &Viewer) -> Self {
        Self { router: viewer.router(PORT, None) }
    }

    /// A client of a server that requires a token.
    pub fn with_token(viewer: &Viewer, token: &AccessToken) -> Self {
        Self { router: viewer.router(PORT, Some(token.clone())) }
    }

    /// A client with permission to edit `recording`, which has id 1.
    pub fn editing(recording: &Recording) -> Self {
        let viewer = Viewer::new(ViewerOptions::new().with_edit(true));
        viewer.add("demo.bin", recording.clone()).expect("shown");
        Self::new(&viewer)
    }

    pub async fn send(&self, request: Request<Body>) -> Response {
        let response = self.router.clone().oneshot(request).await.expect("an response");
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.expect("all of it");
        Response { status: parts.status, headers: parts.headers, body }
    }

    pub async fn get(&self, path: &str) -> Response {
        self.send(request(Method::GET, path).body(Body::empty()).unwrap()).await
    }

    pub async fn delete(&self, path: &str) -> Response {
        self.send(request(Method::DELETE, path).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, path: &str, json: Value) -> Response {
        let request = request(Method::POST, path).header("content-type", "application/json");
        self.send(request.body(json.to_string().into()).unwrap()).await
    }

    pub async fn upload(&self, name: &str, bytes: impl Into<Body>) -> Response {
        self.send(request(Method::POST, &format!("/api/recordings?name={name}")).body(bytes.into()).unwrap()).await
    }

    /// Edits the recording with id 1.
    pub async fn edit(&self, edit: Value) -> Response {
        self.post("/api/recordings/1/edit", edit).await
    }

    /// Downloads a recording.
    pub async fn bin(&self, id: u64) -> Vec<u8> {
        self.get(&format!("/api/recordings/{id}/download?format=bin")).await.ok().body.to_vec()
    }

    pub async fn state(&self) -> Value {
        self.get("/api/state").await.ok().json()
    }

    pub async fn recording(&self, id: u64) -> Value {
        let state = self.state().await;
        let recordings = state["recordings"].as_array().expect("recordings");
        recordings.iter().find(|recording| recording["id"] == id).cloned().unwrap_or(Value::Null)
    }
}

pub fn request(method: Method, path: &str) -> axum::http::request::Builder {
    let request = Request::builder().uri(path).header("host", HOST).header("sec-fetch-site", "same-origin");
    let request = if method == Method::GET { request } else { request.header("origin", ORIGIN) };
    request.method(method)
}

impl Response {
    #[track_caller]
    pub fn ok(self) -> Self {
        assert!(self.status.is_success(), "{self:?}");
        self
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// Asserts the status and a part of the message.
    #[track_caller]
    pub fn assert_error(&self, status: u16, message: &str) {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        let error = self.json()["message"].as_str().expect("a message").to_owned();
        assert!(error.contains(message), "{message:?} is not in {error:?}");
    }
}

pub fn trim(from: f64, to: f64) -> Value {
    json!({ "op": "trim", "from": from, "to": to })
}

pub fn add_marker(time: f64, name: &str) -> Value {
    json!({ "op": "add-marker", "time": time, "name": name })
}

/// Sends raw bytes to a server and returns the complete response.
pub fn ask_raw(port: u16, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a server");
    // The server may close the connection before it has read everything.
    stream.write_all(request).ok();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).ok();
    String::from_utf8_lossy(&response).into_owned()
}

/// All routes, read from the sources, so that new routes are tested as well.
pub fn routes() -> Vec<String> {
    let mut routes = Vec::new();
    collect_routes(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut routes);
    routes.sort();
    routes.dedup();
    assert!(routes.len() >= 11 && routes.iter().any(|route| route == "/api/recordings/{id}/curves"), "{routes:?}");
    let filled = |route: String| {
        let parts = route.split('/').map(|part| if part.starts_with('{') { "1" } else { part });
        parts.collect::<Vec<_>>().join("/")
    };
    routes.into_iter().map(filled).collect()
}

fn collect_routes(folder: &Path, routes: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path()) {
        if entry.is_dir() {
            collect_routes(&entry, routes);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&entry).expect("text");
            let calls = source.split(".route(").skip(1);
            routes.extend(
                calls.filter_map(|call| Some(call.trim_start().strip_prefix('"')?.split('"').next()?.to_owned())),
            );
        }
    }
}
