//! Clients that send too slowly, or do not read.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::Duration;

use holotape_viewer::{Viewer, ViewerOptions};
use tempfile::tempdir;

use crate::client::{ask_raw, bytes_of, demo};
use crate::live_client::{Server, options};

/// Short, so that the tests do not wait long. They pass with any value.
const CLIENT_TIMEOUT: Duration = Duration::from_millis(500);

/// Long enough for a busy machine.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

fn server(record_dir: &Path, client_timeout: Duration) -> Server {
    let viewer = Viewer::new(ViewerOptions::with_client_timeout(options(record_dir), client_timeout));
    viewer.add("demo.bin", demo(60.0)).expect("shown");
    Server::with(viewer)
}

fn send(server: &Server, head: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a server");
    stream.set_read_timeout(Some(READ_TIMEOUT)).expect("a limit");
    stream.write_all(head.as_bytes()).expect("sent");
    stream
}

fn get(server: &Server, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", server.port)
}

fn status(response: &str) -> &str {
    response.split(' ').nth(1).unwrap_or_default()
}

/// Waits until the server closes a connection.
fn assert_closed(stream: &mut TcpStream) {
    match stream.read_to_end(&mut Vec::new()) {
        Ok(_) => {}
        Err(error) => assert!(
            !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
            "the connection is still open: {error}"
        ),
    }
}

#[test]
fn downloads_that_are_not_read_do_not_block_others() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), CLIENT_TIMEOUT);
    let csv = get(&server, "/api/recordings/1/download?format=csv");
    let mut stalled: Vec<_> = (0..100).map(|_| send(&server, &csv)).collect();
    // The page works meanwhile.
    assert_eq!(status(&ask_raw(server.port, get(&server, "/api/state").as_bytes())), "200");
    // Those over the limits are refused, at once or after a wait.
    let mut refused = 0;
    for stream in &mut stalled {
        let mut start = [0; 12];
        if stream.read_exact(&mut start).is_ok() && start.ends_with(b"503") {
            refused += 1;
        }
    }
    assert!((32..100).contains(&refused), "{refused}");
    // A download succeeds once those that do not read are disconnected.
    while status(&ask_raw(server.port, csv.as_bytes())) != "200" {
        thread::sleep(Duration::from_millis(50));
    }
    stalled.iter_mut().for_each(assert_closed);
    server.stop();
}

#[test]
fn uploads_that_stall_do_not_block_others() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), CLIENT_TIMEOUT);
    let file = bytes_of(&demo(1.0));
    let head = format!(
        "POST /api/recordings?name=a HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\nOrigin: http://127.0.0.1:{0}\r\n\
         Connection: close\r\nContent-Length: {1}\r\n\r\n",
        server.port,
        file.len()
    );
    let mut stalled: Vec<_> = (0..4).map(|_| send(&server, &head)).collect();
    let whole = ask_raw(server.port, &[head.as_bytes(), &file].concat());
    assert_eq!(status(&whole), "201", "{whole}");
    for stream in &mut stalled {
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("a response");
        assert_eq!(status(&response), "408", "{response}");
    }
    server.stop();
}

#[test]
fn endless_headers_are_rejected() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), READ_TIMEOUT);
    let mut stream = send(&server, "GET / HTTP/1.1\r\n");
    let header = format!("x: {}\r\n", "y".repeat(1000));
    // The server closes the connection long before this.
    let sent = (0..100_000).take_while(|_| stream.write_all(header.as_bytes()).is_ok()).count();
    assert!(sent < 100_000);
    assert_eq!(status(&ask_raw(server.port, get(&server, "/api/state").as_bytes())), "200");
    server.stop();
}

#[test]
fn connections_without_a_request_are_closed() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), CLIENT_TIMEOUT);
    for start in ["", "GET / HTTP", "GET / HTTP/1.1\r\nHost: x\r\nA: "] {
        assert_closed(&mut send(&server, start));
    }
    server.stop();
}
