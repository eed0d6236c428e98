//! Local WebSocket servers, for `play --ws` and `record --ws`.

mod origin;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use holotape::Error;
use holotape::stream::protocol::{CLOSE_TIMEOUT, SEND_TIMEOUT};
use holotape::stream::{CloseReason, MessageEncoding};
use tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response};
use tungstenite::http::HeaderValue;
use tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tungstenite::{Utf8Bytes, WebSocket};

use self::origin::OriginPolicy;
use crate::failure::Failure;

/// The first requested subprotocol that is supported.
fn negotiate(request: &Request) -> Option<MessageEncoding> {
    let headers = request.headers().get_all("sec-websocket-protocol").iter();
    let mut names = headers.filter_map(|header| header.to_str().ok()).flat_map(|names| names.split(','));
    names.find_map(|name| MessageEncoding::from_subprotocol(name.trim()))
}

const WRITE_BUFFER_BYTES: usize = 16 << 10;

/// Space for the largest message: more than WebSocket libraries accept by default. A connection that needs more is closed.
const MAX_WRITE_BUFFER_BYTES: usize = WRITE_BUFFER_BYTES + (17 << 20);

/// Limits of a server.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Further connections are closed at once.
    pub connections: usize,
    pub message_bytes: usize,
    /// A client that does not read for this long is disconnected.
    pub send_timeout: Duration,
}

/// Accepts connections on a loopback port (0: any free port) and runs `handle` for each on its own thread. Returns the URL.
pub fn serve(
    port: u16,
    allowed_origins: &[String],
    limits: Limits,
    handle: impl Fn(WebSocket<TcpStream>, MessageEncoding) + Send + Sync + 'static,
) -> Result<String, Failure> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let failed = |error: io::Error| Error::from(error).with_path(address.to_string());
    let listener = TcpListener::bind(address).map_err(failed)?;
    let url = format!("ws://{}/", listener.local_addr().map_err(failed)?);
    let allowed_origins = allowed_origins.to_vec();
    let handle = Arc::new(move |stream| {
        if let Some((socket, encoding)) = accept(stream, &allowed_origins, limits) {
            handle(socket, encoding);
        }
    });
    thread::spawn(move || {
        // A client that disconnects before it is accepted gives an error, which is skipped.
        for stream in listener.incoming().flatten() {
            // Each connection's thread holds a reference.
            if Arc::strong_count(&handle) <= limits.connections {
                let handle = handle.clone();
                thread::spawn(move || handle(stream));
            }
        }
    });
    Ok(url)
}

/// Performs the handshake; `None` if it fails or the page's origin is not allowed.
fn accept(
    stream: TcpStream,
    allowed_origins: &[String],
    limits: Limits,
) -> Option<(WebSocket<TcpStream>, MessageEncoding)> {
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(SEND_TIMEOUT)).ok()?;
    stream.set_write_timeout(Some(limits.send_timeout)).ok()?;
    let config = WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_write_buffer_size(MAX_WRITE_BUFFER_BYTES)
        .max_message_size(Some(limits.message_bytes))
        .max_frame_size(Some(limits.message_bytes));
    let mut encoding = MessageEncoding::default();
    let handshake = Handshake { origins: OriginPolicy(allowed_origins), encoding: &mut encoding };
    let socket = tungstenite::accept_hdr_with_config(stream, handshake, Some(config)).ok()?;
    Some((socket, encoding))
}

struct Handshake<'a> {
    origins: OriginPolicy<'a>,
    encoding: &'a mut MessageEncoding,
}

impl Callback for Handshake<'_> {
    fn on_request(self, request: &Request, mut response: Response) -> Result<Response, ErrorResponse> {
        if let Some(rejection) = self.origins.reject_response(request) {
            return Err(rejection);
        }
        if let Some(encoding) = negotiate(request) {
            let name = HeaderValue::from_static(encoding.subprotocol());
            response.headers_mut().insert("sec-websocket-protocol", name);
            *self.encoding = encoding;
        }
        Ok(response)
    }
}

/// Sends a close frame and waits for the client's: closing the socket earlier could lose the last messages.
pub fn close(socket: &mut WebSocket<TcpStream>, CloseReason { code, reason }: CloseReason) {
    let started = Instant::now();
    let frame = CloseFrame { code: code.into(), reason: Utf8Bytes::from_static(reason) };
    let mut closing = socket.close(Some(frame));
    while closing.as_ref().err().is_none_or(is_timeout) && started.elapsed() < CLOSE_TIMEOUT {
        closing = socket.read().map(drop);
    }
}

/// Whether a read ended without a message because of its timeout.
pub fn is_timeout(error: &tungstenite::Error) -> bool {
    let tungstenite::Error::Io(error) = error else { return false };
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
