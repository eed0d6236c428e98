//! WebSockets on this machine, for those who play and those who record.

mod origin;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use holotape::Error;
use holotape::stream::protocol::{SUBPROTOCOL_BINARY, SUBPROTOCOL_NDJSON};
use tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response};
use tungstenite::http::HeaderValue;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tungstenite::{Utf8Bytes, WebSocket};

use self::origin::OriginPolicy;
use crate::failure::Failure;

/// How long the other end may take to shake hands, and to accept what is sent to it.
pub const IO_TIMEOUT: Duration = Duration::from_secs(5);

/// What a listener wants to hear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageEncoding {
    /// A line of JSON a message, also for who does not say what they want.
    #[default]
    Ndjson,
    /// A record a message.
    Binary,
}

impl MessageEncoding {
    const NAMES: [(&str, Self); 2] = [(SUBPROTOCOL_BINARY, Self::Binary), (SUBPROTOCOL_NDJSON, Self::Ndjson)];

    /// The first of the subprotocols that somebody would like, of those that are known here.
    fn negotiate(request: &Request) -> Option<(&'static str, Self)> {
        let headers = request.headers().get_all("sec-websocket-protocol").iter();
        let mut names = headers.filter_map(|header| header.to_str().ok()).flat_map(|names| names.split(','));
        names.find_map(|name| Self::NAMES.into_iter().find(|(known, _)| *known == name.trim()))
    }
}

/// Listens on a port of this machine; on any that is free if it is 0.
pub fn listen(port: u16) -> Result<(TcpListener, String), Failure> {
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listen = || {
        let listener = TcpListener::bind(wanted)?;
        let url = format!("ws://{}/", listener.local_addr()?);
        Ok((listener, url))
    };
    let failed = |error: io::Error| Error::from(error).with_path(wanted.to_string());
    Ok(listen().map_err(failed)?)
}

/// Shakes hands with whoever is at the other end, unless it is a page from elsewhere. Messages may be so long.
pub fn accept(
    stream: TcpStream,
    allowed_origins: &[String],
    most_bytes: usize,
) -> Option<(WebSocket<TcpStream>, MessageEncoding)> {
    stream.set_nodelay(true).ok()?;
    stream.set_read_timeout(Some(IO_TIMEOUT)).ok()?;
    stream.set_write_timeout(Some(IO_TIMEOUT)).ok()?;
    let config = WebSocketConfig::default()
        .read_buffer_size(4096)
        .max_message_size(Some(most_bytes))
        .max_frame_size(Some(most_bytes));
    let mut form = MessageEncoding::default();
    let handshake = Handshake { rule: OriginPolicy(allowed_origins), form: &mut form };
    let socket = tungstenite::accept_hdr_with_config(stream, handshake, Some(config)).ok()?;
    Some((socket, form))
}

struct Handshake<'a> {
    rule: OriginPolicy<'a>,
    form: &'a mut MessageEncoding,
}

impl Callback for Handshake<'_> {
    fn on_request(self, request: &Request, mut response: Response) -> Result<Response, ErrorResponse> {
        if let Some(refusal) = self.rule.reject_response(request) {
            return Err(refusal);
        }
        if let Some((name, form)) = MessageEncoding::negotiate(request) {
            response.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static(name));
            *self.form = form;
        }
        Ok(response)
    }
}

pub fn close_frame(code: CloseCode, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: Utf8Bytes::from_static(reason) }
}
