//! Clients that send too slowly, or do not read.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use holotape_viewer::Viewer;
use tempfile::tempdir;

use crate::client::{ask_raw, bytes_of, demo};
use crate::live_client::{Server, options};

/// Short, so that the tests do not wait long. They pass with any value: on a busy machine, a connection can be closed before its
/// request has arrived, and [`response_in_time`] sends it again.
const CLIENT_TIMEOUT: Duration = Duration::from_millis(500);

/// Longer than any test.
const NO_TIMEOUT: Duration = Duration::from_secs(3600);

/// Long enough for a busy machine.
const READ_TIMEOUT: Duration = Duration::from_secs(120);

fn server(record_dir: &Path, client_timeout: Duration) -> Server {
    let viewer = Viewer::new(options(record_dir).with_edit(true).with_client_timeout(client_timeout));
    viewer.add("demo.bin", demo(60.0)).expect("shown");
    Server::with(viewer)
}

fn send(server: &Server, head: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a server");
    stream.set_read_timeout(Some(READ_TIMEOUT)).expect("a limit");
    // Fails if the server has closed the connection; then, reading fails as well.
    stream.write_all(head.as_bytes()).ok();
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

/// The response to a request, and the end of the connection. Sends the request again while a connection ends without a response.
fn response_in_time(server: &Server, head: &str, mut stream: TcpStream) -> String {
    let start = Instant::now();
    loop {
        let mut response = String::new();
        match stream.read_to_string(&mut response) {
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                panic!("the connection is still open: {error}; {response}")
            }
            _ if !response.is_empty() => return response,
            _ => assert!(start.elapsed() < READ_TIMEOUT, "no response"),
        }
        stream = send(server, head);
    }
}

fn assert_page_works(server: &Server) {
    assert_eq!(status(&ask_raw(server.port, get(server, "/api/state").as_bytes())), "200");
}

/// The first bytes of a response, if they have arrived.
fn peek_status(stream: &TcpStream) -> Option<[u8; 12]> {
    stream.set_nonblocking(true).expect("a socket");
    let mut start = [0; 12];
    let received = stream.peek(&mut start);
    stream.set_nonblocking(false).expect("a socket");
    (received.ok()? == start.len()).then_some(start)
}

#[test]
fn downloads_over_the_limit_are_refused_and_do_not_block_others() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), NO_TIMEOUT);
    let csv = get(&server, "/api/recordings/1/download?format=csv");
    let stalled: Vec<_> = (0..100).map(|_| send(&server, &csv)).collect();
    assert_page_works(&server);
    // 4 downloads run and 64 wait.
    let refused = || stalled.iter().filter_map(peek_status).filter(|start| start.ends_with(b"503")).count();
    let start = Instant::now();
    while refused() < 100 - 4 - 64 {
        assert!(start.elapsed() < READ_TIMEOUT, "{} refused", refused());
        thread::sleep(Duration::from_millis(10));
    }
    assert_page_works(&server);
    assert_eq!(refused(), 100 - 4 - 64);
    drop(stalled);
    server.stop();
}

#[test]
fn downloads_that_are_not_read_are_disconnected() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), CLIENT_TIMEOUT);
    let csv = get(&server, "/api/recordings/1/download?format=csv");
    let mut stalled: Vec<_> = (0..100).map(|_| send(&server, &csv)).collect();
    // A download succeeds once those that do not read are disconnected.
    while status(&ask_raw(server.port, csv.as_bytes())) != "200" {
        thread::sleep(Duration::from_millis(50));
    }
    stalled.iter_mut().for_each(assert_closed);
    server.stop();
}

fn upload_head(server: &Server, bytes: usize) -> String {
    format!(
        "POST /api/recordings?name=a HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\nOrigin: http://127.0.0.1:{0}\r\n\
         Connection: close\r\nContent-Length: {bytes}\r\n\r\n",
        server.port
    )
}

#[test]
fn uploads_that_stall_do_not_block_others() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), NO_TIMEOUT);
    let file = bytes_of(&demo(1.0));
    let head = upload_head(&server, file.len());
    let stalled: Vec<_> = (0..4).map(|_| send(&server, &head)).collect();
    let whole = ask_raw(server.port, &[head.as_bytes(), &file].concat());
    assert_eq!(status(&whole), "201", "{whole}");
    drop(stalled);
    server.stop();
}

#[test]
fn uploads_that_stall_time_out() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), CLIENT_TIMEOUT);
    let head = upload_head(&server, 1000);
    let stalled: Vec<_> = (0..4).map(|_| send(&server, &head)).collect();
    for stream in stalled {
        let response = response_in_time(&server, &head, stream);
        assert_eq!(status(&response), "408", "{response}");
    }
    server.stop();
}

#[test]
fn json_requests_that_stall_time_out() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), CLIENT_TIMEOUT);
    let stalled = ["edit", "preview", "save"].map(|action| {
        let head = format!(
            "POST /api/recordings/1/{action} HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\nOrigin: http://127.0.0.1:{0}\r\n\
             Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
            server.port
        );
        let stream = send(&server, &head);
        (head, stream)
    });
    for (head, stream) in stalled {
        let response = response_in_time(&server, &head, stream);
        assert_eq!(status(&response), "408", "{response}");
    }
    server.stop();
}

#[test]
fn idle_connections_are_closed_after_a_response() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), CLIENT_TIMEOUT);
    let head = format!("GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port);
    let response = response_in_time(&server, &head, send(&server, &head));
    assert_eq!(status(&response), "200", "{response}");
    server.stop();
}

#[test]
fn endless_headers_are_rejected() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), NO_TIMEOUT);
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

/// A masked ping with the maximum of 125 bytes.
const PING: [u8; 131] = {
    let mut ping = [0; 131];
    (ping[0], ping[1]) = (0x89, 0x80 | 125);
    ping
};

/// More than socket buffers hold in both directions.
const MAX_PINGS: usize = (1 << 30) / PING.len();

/// The server waits until a client has read the answer to a ping, at most 10 s, before it reads the next one.
#[test]
fn websocket_that_sends_pings_and_does_not_read_is_disconnected() {
    let folder = tempdir().unwrap();
    let server = server(folder.path(), NO_TIMEOUT);
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let head = format!("GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{upgrade}\r\n", server.port);
    let mut stream = send(&server, &head);
    let pings = thread::spawn(move || (0..MAX_PINGS).take_while(|_| stream.write_all(&PING).is_ok()).count());
    while !pings.is_finished() {
        assert_page_works(&server);
        thread::sleep(Duration::from_millis(100));
    }
    assert!(pings.join().expect("no panic") < MAX_PINGS);
    server.stop();
}
