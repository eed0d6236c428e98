//! `/api/live/{take_id}`: connections of watchers, which receive the records of a take live.

use std::sync::Arc;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use holotape::stream::{CloseReason, MessageEncoding, Record, TakeId, WireMessage};

use super::connection::{Connection, upgrade};
use super::registry::LiveTakes;
use super::watcher_queue::WatcherQueue;
use crate::http_error::HttpError;
use crate::slots::ClientAddress;

/// `/api/live/{take_id}`
pub(crate) async fn watch(
    State(live): State<LiveTakes>,
    client: ClientAddress,
    Path(take_id): Path<String>,
    request: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpError> {
    let missing = || HttpError::not_found("unknown take: it has ended, or the server was restarted");
    let take = TakeId::try_from(take_id).ok().and_then(|id| live.find(&id)).ok_or_else(missing)?;
    let (upgrade, slot) = upgrade(request, live.acquire_watcher(client))?;
    Ok(upgrade.on_upgrade(async move |socket| {
        let _slot = slot;
        let protocol = socket.protocol().and_then(|protocol| protocol.to_str().ok());
        let encoding = protocol.and_then(MessageEncoding::from_subprotocol).unwrap_or_default();
        let queue = Arc::new(WatcherQueue::new());
        take.lock_watchers().push(Watcher { queue: queue.clone(), encoding });
        if take.is_ended() {
            queue.close();
        }
        serve(Connection::new(socket), &queue, &live).await;
        queue.close();
    }))
}

async fn serve(mut connection: Connection, queue: &WatcherQueue, live: &LiveTakes) {
    let (mut changes, _) = live.changes();
    loop {
        tokio::select! {
            next = queue.next() => match next {
                Ok(message) => if connection.send(message).await.is_err() { return },
                Err(reason) => return connection.close(reason).await,
            },
            // Watchers have nothing to send but pongs.
            message = connection.next() => if message.is_err() { return },
            Ok(true) = async { changes.changed().await.map(|()| *changes.borrow_and_update()) } => {
                return connection.close(CloseReason::SERVER_STOPPED).await;
            }
        }
    }
}

/// A watcher, as its take sees it.
pub(super) struct Watcher {
    queue: Arc<WatcherQueue>,
    encoding: MessageEncoding,
}

impl Watcher {
    pub(super) fn is_active(&self) -> bool {
        !self.queue.is_closed()
    }

    pub(super) fn end(&self) {
        self.queue.close();
    }

    /// Queues a record for all watchers: as it was received, and converted once if any watcher uses the other encoding.
    pub(super) fn broadcast(watchers: &[Self], record: &Record, received: WireMessage) {
        let (mut json, mut binary) = match received {
            WireMessage::Text(text) => (Some(Message::Text(text.into())), None),
            WireMessage::Binary(bytes) => (None, Some(Message::Binary(bytes.into()))),
        };
        for Self { queue, encoding } in watchers {
            let message = match encoding {
                MessageEncoding::Ndjson => json.get_or_insert_with(|| Message::Text(record.to_json().into())),
                MessageEncoding::Binary => binary.get_or_insert_with(|| Message::Binary(record.encode().into())),
            };
            match record {
                Record::Frame(_) => queue.push_frame(message.clone()),
                Record::Marker { .. } => queue.push_marker(message.clone()),
                Record::Event { .. } => {}
            }
        }
    }
}
