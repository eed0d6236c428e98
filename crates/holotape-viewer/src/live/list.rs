//! `/api/live`: the list of live takes.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::response::Response;
use holotape::stream::{CloseReason, SavedTake, TakeId};
use serde::Serialize;
use tokio::time::sleep;

use super::connection::{Connection, Disconnected, upgrade};
use super::registry::LiveTakes;
use super::take::LiveTakeInfo;
use crate::http_error::HttpError;
use crate::slots::ClientAddress;

/// The period of updates while takes are being recorded.
const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

/// A message to a page that lists live takes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum LiveMessage {
    Live { takes: Vec<LiveTakeInfo> },
    Saved { take_id: TakeId, name: String, recording_id: Option<u64> },
}

/// `/api/live`
pub(crate) async fn list(
    State(live): State<LiveTakes>,
    client: ClientAddress,
    request: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpError> {
    let (upgrade, slot) = upgrade(request, live.acquire_watcher(client))?;
    Ok(upgrade.on_upgrade(async move |socket| {
        let _slot = slot;
        // A client that has disconnected needs no further handling.
        serve(Connection::new(socket), &live).await.ok();
    }))
}

async fn serve(mut connection: Connection, live: &LiveTakes) -> Result<(), Disconnected> {
    let (mut changes, mut saved) = live.changes();
    loop {
        let is_ending = *changes.borrow_and_update();
        let takes = live.list();
        let is_idle = takes.is_empty();
        // Before the list, so that a watcher learns what happened to a take before it disappears.
        while let Ok(SavedTake { take_id, name, recording_id, .. }) = saved.try_recv() {
            connection.send_json(&LiveMessage::Saved { take_id, name, recording_id }).await?;
        }
        connection.send_json(&LiveMessage::Live { takes }).await?;
        if is_ending && is_idle {
            connection.close(CloseReason::SERVER_STOPPED).await;
            return Ok(());
        }
        loop {
            tokio::select! {
                _ = changes.changed() => break,
                () = sleep(UPDATE_INTERVAL), if !is_idle => break,
                // Clients have nothing to send but pongs.
                message = connection.next() => drop(message?),
            }
        }
    }
}
