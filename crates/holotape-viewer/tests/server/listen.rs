//! The local server over TCP.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use holotape_viewer::{Viewer, ViewerOptions};
use tokio::sync::oneshot;

use crate::client::{ask_raw, bytes_of, demo};

struct Running {
    port: u16,
    end: oneshot::Sender<()>,
    thread: JoinHandle<holotape::Result<Vec<String>>>,
}

impl Running {
    fn start(viewer: Viewer) -> Self {
        let bound = viewer.bind(0).expect("a free port");
        let port = bound.port();
        let (end, ended) = oneshot::channel();
        let thread = thread::spawn(|| bound.serve_until(async { drop(ended.await) }));
        Self { port, end, thread }
    }

    fn stop(self) {
        self.end.send(()).expect("it runs");
        self.thread.join().expect("no panic").expect("no failure");
    }

    fn ask(&self, line: &str, headers: &str, body: &[u8]) -> String {
        let head = format!("{line} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n{headers}\r\n", self.port);
        ask_raw(self.port, &[head.as_bytes(), body].concat())
    }

    fn post(&self, path: &str, headers: &str, body: &[u8]) -> String {
        let origin = format!("Origin: http://127.0.0.1:{}\r\n{headers}", self.port);
        self.ask(&format!("POST {path}"), &origin, body)
    }
}

fn viewer() -> Viewer {
    let options = ViewerOptions::new().with_edit(true).with_upload_limit_bytes(1 << 20).without_token();
    // No request times out on a busy machine.
    let viewer = Viewer::new(options.with_client_timeout(Duration::from_secs(3600)));
    viewer.add("demo.bin", demo(2.0)).unwrap();
    viewer
}

#[test]
fn local_server_is_not_reachable_from_other_addresses() {
    let server = Running::start(viewer());
    assert!(server.ask("GET /api/state", "", b"").starts_with("HTTP/1.1 200"));
    // A server on all interfaces would accept this address of this machine.
    #[cfg(target_os = "linux")]
    assert!(TcpStream::connect(("127.0.0.2", server.port)).is_err());
    server.stop();
}

#[test]
fn port_in_use_is_an_error() {
    let bound = viewer().bind(0).unwrap();
    let error = viewer().bind(bound.port()).err().expect("taken");
    assert!(error.to_string().starts_with(&format!("127.0.0.1:{}: ", bound.port())), "{error}");
}

#[test]
fn foreign_hosts_and_path_traversal_are_rejected() {
    let server = Running::start(viewer());
    let refused = ask_raw(server.port, b"GET /api/state HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n");
    assert!(refused.starts_with("HTTP/1.1 421") && refused.contains("content-security-policy"), "{refused}");
    let refused = ask_raw(server.port, b"GET /api/state HTTP/1.0\r\n\r\n");
    assert!(refused.starts_with("HTTP/1.0 421"), "{refused}");
    for path in [
        "/../Cargo.toml",
        "/../../../../../../etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%5c..%5cetc%5cpasswd",
        "//etc/passwd",
        "/etc/passwd",
        "/./viewer.js/../../Cargo.toml",
        "/viewer.js%00",
        "/viewer.js/..",
        "/api/recordings/../../etc/passwd",
        "/api/recordings/1%2f..%2f1/curves",
        "/api/recordings/..%2f..%2fetc%2fpasswd/curves",
        "/api/recordings/%2e%2e/curves",
        "/file:///etc/passwd",
        "/demo.bin",
    ] {
        let response = server.ask(&format!("GET {path}"), "", b"");
        assert!(response.starts_with("HTTP/1.1 404") && response.contains("{\"message\":"), "{path}: {response}");
        assert!(!response.contains("root:") && !response.contains("[package]"), "{path}: {response}");
    }
    server.stop();
}

#[test]
fn upload_limit_applies_to_declared_and_actual_length() {
    let server = Running::start(viewer());
    // No body follows: the declared length must be rejected.
    let long = server.post("/api/recordings?name=a", "Content-Length: 99999999999\r\n", b"");
    assert!(long.starts_with("HTTP/1.1 413"), "{long}");
    let chunk = [&b"10000\r\n"[..], &[0; 0x10000], b"\r\n"].concat();
    let chunked = [chunk.repeat(17), b"0\r\n\r\n".to_vec()].concat();
    let endless = server.post("/api/recordings?name=a", "Transfer-Encoding: chunked\r\n", &chunked);
    assert!(endless.starts_with("HTTP/1.1 413"), "{endless}");
    let file = bytes_of(&demo(1.0));
    let chunked = [format!("{:x}\r\n", file.len()).as_bytes(), &file, b"\r\n0\r\n\r\n"].concat();
    let whole = server.post("/api/recordings?name=a", "Transfer-Encoding: chunked\r\n", &chunked);
    assert!(whole.starts_with("HTTP/1.1 201"), "{whole}");
    server.stop();
}

#[test]
fn concurrent_clients_are_served() {
    let server = Running::start(viewer());
    let first = server.ask("GET /api/recordings/1/download?format=csv", "", b"");
    let (_, first) = first.split_once("\r\n\r\n").unwrap();
    thread::scope(|scope| {
        for n in 0..20 {
            let server = &server;
            scope.spawn(move || {
                let marker = format!("{{\"op\":\"add-marker\",\"time\":{n},\"name\":\"of client {n}\"}}");
                let headers = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", marker.len());
                let edited = server.post("/api/recordings/1/edit", &headers, marker.as_bytes());
                assert!(edited.starts_with("HTTP/1.1 200"), "{edited}");
                let table = server.ask("GET /api/recordings/1/download?format=csv", "", b"");
                assert!(table.ends_with(first));
                assert!(server.ask("GET /api/recordings/1/curves", "", b"").starts_with("HTTP/1.1 200"));
            });
        }
    });
    let state = server.ask("GET /api/state", "", b"");
    let state: serde_json::Value = serde_json::from_str(state.split_once("\r\n\r\n").unwrap().1).unwrap();
    let recording = &state["recordings"][0];
    assert_eq!(recording["revision"], 20);
    assert_eq!(recording["markers"].as_array().unwrap().len(), demo(2.0).markers.len() + 20);
    server.stop();
}

/// Clients that do not read, do not finish their request, or stay connected do not delay the shutdown.
#[test]
fn shutdown_does_not_wait_for_clients() {
    let server = Running::start(viewer());
    let connect = || TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    let host = format!("Host: 127.0.0.1:{}\r\n", server.port);
    let mut stalled = connect();
    write!(stalled, "GET /api/recordings/1/download?format=csv HTTP/1.1\r\n{host}\r\n").unwrap();
    let mut slow = connect();
    write!(slow, "POST /api/recordings HTTP/1.1\r\n{host}Sec-Fetch-Site: same-origin\r\nContent-Length: 9\r\n\r\nx")
        .unwrap();
    let mut idle = connect();
    write!(idle, "GET /viewer.css HTTP/1.1\r\n{host}\r\n").unwrap();
    idle.read_exact(&mut [0; 8]).unwrap();
    server.stop();
}
