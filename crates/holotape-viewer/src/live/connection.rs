//! A WebSocket that says when nobody is at the other end any more.

use std::time::Instant;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use holotape::stream::ServerMessage;
use holotape::stream::protocol::{MAX_MESSAGE_BYTES, SUBPROTOCOL_BINARY, SUBPROTOCOL_NDJSON};
use serde::Serialize;
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use super::timeouts::Timeouts;
use crate::http_error::HttpError;

const READ_BUFFER_BYTES: usize = 16 << 10;

/// What somebody sends who wants a WebSocket; refused where it is something else, or there are too many.
pub(super) fn upgrade<T>(
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    permit: Option<T>,
) -> Result<(WebSocketUpgrade, T), HttpError> {
    let upgrade = upgrade.map_err(|rejection| {
        let message = format!("a WebSocket is here, and nothing else: {}", rejection.body_text());
        HttpError::new(StatusCode::UPGRADE_REQUIRED, message)
    })?;
    let full = || HttpError::new(StatusCode::SERVICE_UNAVAILABLE, "there are too many connections: close one first");
    let upgrade = upgrade
        .protocols([SUBPROTOCOL_BINARY, SUBPROTOCOL_NDJSON])
        .read_buffer_size(READ_BUFFER_BYTES)
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES);
    Ok((upgrade, permit.ok_or_else(full)?))
}

pub(super) struct Connection {
    socket: WebSocket,
    timing: Timeouts,
    last_received: Instant,
    pings: Interval,
}

/// The connection is lost.
#[derive(Debug)]
pub(super) struct Disconnected;

impl Connection {
    pub(super) fn new(socket: WebSocket, timing: Timeouts) -> Self {
        Self { socket, timing, last_received: Instant::now(), pings: delayed_interval(timing.ping_interval) }
    }

    /// The next message, of whatever kind. Asks for signs of life meanwhile.
    pub(super) async fn next(&mut self) -> Result<Message, Disconnected> {
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    self.last_received = Instant::now();
                    return match message {
                        Some(Ok(Message::Close(_)) | Err(_)) | None => Err(Disconnected),
                        Some(Ok(message)) => Ok(message),
                    };
                }
                _ = self.pings.tick() => {
                    if self.last_received.elapsed() > self.timing.idle {
                        return Err(Disconnected);
                    }
                    self.ping().await?;
                }
            }
        }
    }

    pub(super) async fn ping(&mut self) -> Result<(), Disconnected> {
        self.send(Message::Ping(Default::default())).await
    }

    pub(super) async fn send_json(&mut self, message: &impl Serialize) -> Result<(), Disconnected> {
        // Nothing that is said here could fail to be said in JSON.
        let json = serde_json::to_string(message).map_err(|_| Disconnected)?;
        self.send(json.into()).await
    }

    pub(super) async fn send(&mut self, message: Message) -> Result<(), Disconnected> {
        match timeout(self.timing.io, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Disconnected),
        }
    }

    /// Says the last of all, and goodbye.
    pub(super) async fn finish(mut self, last: ServerMessage) {
        let (code, reason) = match &last {
            ServerMessage::Error { code, .. } => (close_code::POLICY, code.as_str()),
            _ => (close_code::NORMAL, "the take has ended"),
        };
        if self.send_json(&last).await.is_ok() {
            self.close(code, reason).await;
        }
    }

    /// Says goodbye and waits for the other end to say it too: to hang up on what was not heard could lose what was said last.
    pub(super) async fn close(mut self, code: u16, reason: &'static str) {
        let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
        if self.send(Message::Close(Some(frame))).await.is_ok() {
            let heard = async { while let Some(Ok(_)) = self.socket.recv().await {} };
            timeout(self.timing.probe, heard).await.ok();
        }
    }
}

/// So often, counted from when it was last done.
pub(super) fn delayed_interval(period: std::time::Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
