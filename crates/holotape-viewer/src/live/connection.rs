//! A WebSocket with keep-alive pings and timeouts.

use std::time::{Duration, Instant};

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use holotape::stream::protocol::{
    CLOSE_TIMEOUT, IDLE_TIMEOUT, MAX_MESSAGE_BYTES, PING_INTERVAL, SEND_TIMEOUT, SUBPROTOCOL_BINARY, SUBPROTOCOL_NDJSON,
};
use holotape::stream::{CloseReason, Outgoing, WireMessage};
use serde::Serialize;
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use crate::http_error::HttpError;
use crate::slots::Slot;

const READ_BUFFER_BYTES: usize = 16 << 10;

const WRITE_BUFFER_BYTES: usize = 16 << 10;

/// Space for the largest message: a record as a watcher receives it. A connection that needs more is closed.
const MAX_WRITE_BUFFER_BYTES: usize = WRITE_BUFFER_BYTES + 2 * MAX_MESSAGE_BYTES;

/// Checks and configures a WebSocket upgrade.
pub(super) fn upgrade(
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    slot: Result<Slot, HttpError>,
) -> Result<(WebSocketUpgrade, Slot), HttpError> {
    let upgrade = upgrade.map_err(|rejection| {
        let message = format!("this path serves WebSockets only: {}", rejection.body_text());
        HttpError::new(StatusCode::UPGRADE_REQUIRED, message)
    })?;
    let upgrade = upgrade
        .protocols([SUBPROTOCOL_BINARY, SUBPROTOCOL_NDJSON])
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_write_buffer_size(MAX_WRITE_BUFFER_BYTES)
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES);
    Ok((upgrade, slot?))
}

pub(super) struct Connection {
    socket: WebSocket,
    last_received: Instant,
    pings: Interval,
}

/// The connection is closed or lost.
#[derive(Debug)]
pub(super) struct Disconnected;

impl Connection {
    pub(super) fn new(socket: WebSocket) -> Self {
        Self { socket, last_received: Instant::now(), pings: delayed_interval(PING_INTERVAL) }
    }

    /// Waits for the next message of any kind. Answers pings, and sends pings while waiting.
    pub(super) async fn next(&mut self) -> Result<Message, Disconnected> {
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    self.last_received = Instant::now();
                    let message = match message {
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Disconnected),
                        Some(Ok(message)) => message,
                    };
                    if let Message::Ping(data) = &message {
                        // Replaces the automatic pong, which the socket would queue without waiting for the client to read.
                        self.send(Message::Pong(data.clone())).await?;
                    }
                    return Ok(message);
                }
                _ = self.pings.tick() => {
                    if self.last_received.elapsed() > IDLE_TIMEOUT {
                        return Err(Disconnected);
                    }
                    self.ping().await?;
                }
            }
        }
    }

    /// Waits for the next text or binary message.
    pub(super) async fn next_message(&mut self) -> Result<WireMessage, Disconnected> {
        loop {
            if let Some(message) = wire_message(self.next().await?) {
                return Ok(message);
            }
        }
    }

    pub(super) async fn ping(&mut self) -> Result<(), Disconnected> {
        self.send(Message::Ping(Default::default())).await
    }

    pub(super) async fn send_json(&mut self, message: &impl Serialize) -> Result<(), Disconnected> {
        // Serializing these messages cannot fail.
        let json = serde_json::to_string(message).map_err(|_| Disconnected)?;
        self.send(json.into()).await
    }

    pub(super) async fn send(&mut self, message: Message) -> Result<(), Disconnected> {
        match timeout(SEND_TIMEOUT, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Disconnected),
        }
    }

    /// Sends the last message and closes the connection.
    pub(super) async fn finish(mut self, last: Outgoing) {
        let reason = match last {
            Outgoing::Send(message) => match self.send_json(&message).await {
                Ok(()) => message.close_reason(),
                Err(Disconnected) => None,
            },
            Outgoing::Close(reason) => Some(reason),
            Outgoing::Ping => None,
        };
        if let Some(reason) = reason {
            self.close(reason).await;
        }
    }

    /// Sends a close frame and waits for the client's: closing the socket earlier could lose the last messages.
    pub(super) async fn close(mut self, CloseReason { code, reason }: CloseReason) {
        let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
        if self.send(Message::Close(Some(frame))).await.is_ok() {
            let drain = async { while let Some(Ok(_)) = self.socket.recv().await {} };
            timeout(CLOSE_TIMEOUT, drain).await.ok();
        }
    }
}

/// The text or bytes of a message; `None` for pings and pongs.
pub(super) fn wire_message(message: Message) -> Option<WireMessage> {
    match message {
        Message::Text(text) => Some(WireMessage::Text(text.as_str().to_owned())),
        Message::Binary(bytes) => Some(WireMessage::Binary(bytes.into())),
        _ => None,
    }
}

/// Ticks that are at least `period` apart.
pub(super) fn delayed_interval(period: Duration) -> Interval {
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
