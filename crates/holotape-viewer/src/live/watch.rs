//! Whoever watches a take while it is recorded.

use std::sync::Arc;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocketUpgrade, close_code};
use axum::extract::{Path, State};
use axum::response::Response;
use holotape::stream::protocol::SUBPROTOCOL_BINARY;
use holotape::stream::{Record, TakeId};

use super::connection::{Connection, upgrade};
use super::registry::LiveTakes;
use super::take::OwnedWireMessage;
use super::watcher_queue::{QueueEnd, WatcherQueue};
use crate::http_error::HttpError;

/// `/api/live/{take}`
pub(crate) async fn watch(
    State(live): State<LiveTakes>,
    Path(take): Path<String>,
    asked: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpError> {
    let missing = || HttpError::not_found("there is no such take: it may have ended, or holotape was started anew");
    let take = TakeId::try_from(take).ok().and_then(|id| live.find(&id)).ok_or_else(missing)?;
    let (upgrade, permit) = upgrade(asked, live.acquire_watcher())?;
    Ok(upgrade.on_upgrade(async move |socket| {
        let _permit = permit;
        let is_binary = socket.protocol().is_some_and(|protocol| protocol == SUBPROTOCOL_BINARY);
        let watcher = Watcher { queue: Arc::default(), is_binary };
        let queue = watcher.queue.clone();
        take.watch(watcher);
        if take.is_ended() {
            queue.close();
        }
        serve(Connection::new(socket, live.timing()), &queue, &live).await;
        queue.close();
    }))
}

async fn serve(mut connection: Connection, queue: &WatcherQueue, live: &LiveTakes) {
    let (mut changes, _) = live.changes();
    loop {
        tokio::select! {
            next = queue.next() => {
                let (code, reason) = match next {
                    Ok(message) => match connection.send(message).await {
                        Ok(()) => continue,
                        Err(_) => return,
                    },
                    Err(QueueEnd::Ended) => (close_code::NORMAL, "the take has ended"),
                    Err(QueueEnd::TooSlow) => (close_code::POLICY, "too slow"),
                };
                return connection.close(code, reason).await;
            }
            // Nothing that it says matters, as long as it says something when asked.
            message = connection.next() => if message.is_err() { return },
            Ok(true) = async { changes.changed().await.map(|()| *changes.borrow_and_update()) } => {
                return connection.close(close_code::AWAY, "holotape ends").await;
            }
        }
    }
}

/// Somebody who watches, as the take sees it.
pub(super) struct Watcher {
    queue: Arc<WatcherQueue>,
    is_binary: bool,
}

impl Watcher {
    pub(super) fn is_active(&self) -> bool {
        !self.queue.is_closed()
    }

    pub(super) fn end(&self) {
        self.queue.close();
    }

    /// Shows a record to all of them: as it came to those who want it so, and made into the other form once for the rest.
    pub(super) fn broadcast(watchers: &[Self], record: &Record, spoken: &OwnedWireMessage) {
        let (mut binary, mut text) = (None, None);
        for Self { queue, is_binary } in watchers {
            let message: &mut Option<Message> = if *is_binary { &mut binary } else { &mut text };
            let message = message.get_or_insert_with(|| match (spoken, is_binary) {
                (OwnedWireMessage::Binary(bytes), true) => Message::Binary(bytes.clone()),
                (OwnedWireMessage::Text(text), false) => Message::Text(text.clone()),
                (_, true) => Message::Binary(record.encode().into()),
                (_, false) => Message::Text(record.to_json().into()),
            });
            match record {
                Record::Frame(_) => queue.push_frame(message.clone()),
                Record::Marker { .. } => queue.push_marker(message.clone()),
                Record::Event { .. } => {}
            }
        }
    }
}
