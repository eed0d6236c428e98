//! WebSockets over TLS, for paired devices only.

use std::io::{Read, Write};

use holotape_viewer::PairedDevices;

use crate::lan::{DEVICE, LOCAL, Lan, Response};

const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

#[test]
fn live_list_requires_a_device_that_stays_paired() {
    let lan = Lan::start();
    let cookie = lan.pair(DEVICE, &lan.first_code);
    let open = |cookie: &str| {
        let mut stream = lan.connect_tls(DEVICE, LOCAL);
        let (host, origin) = (format!("Host: {LOCAL}:{}\r\n", lan.port), lan.origin());
        write!(stream, "GET /api/live HTTP/1.1\r\n{host}{origin}{UPGRADE}{cookie}\r\n").expect("sent");
        let response = Response::read(&mut stream, false);
        (response, stream)
    };
    assert_eq!(open("").0.status, 401);
    let (response, mut stream) = open(&cookie);
    assert_eq!(response.status, 101, "{response:?}");
    let mut head = [0; 2];
    stream.read_exact(&mut head).expect("a frame");
    assert_eq!(head[0], 0x81, "one text message");
    let mut text = vec![0; usize::from(head[1])];
    stream.read_exact(&mut text).expect("all of it");
    assert!(text.starts_with(b"{\"type\":\"live\""), "{}", text.escape_ascii());
    PairedDevices::open(Some(lan.state_dir().into())).expect("readable").revoke_all().expect("written");
    wait_until_closed(&mut stream);
    assert_eq!(open(&cookie).0.status, 401);
    lan.stop();
}

/// Answers pings, so that the server closes the connection only for another reason.
fn wait_until_closed(stream: &mut (impl Read + Write)) {
    const PING: u8 = 0x89;
    const MASKED_PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];
    const MAX_MESSAGES: usize = 20;
    for _ in 0..MAX_MESSAGES {
        let mut head = [0; 2];
        if stream.read_exact(&mut head).is_err() {
            return;
        }
        stream.read_exact(&mut vec![0; usize::from(head[1])]).expect("all of it");
        if head[0] == PING {
            stream.write_all(&MASKED_PONG).expect("sent");
        }
    }
    panic!("the connection stays open");
}
