//! Which takes are being recorded, for pages that want to know.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{WebSocketUpgrade, close_code};
use axum::response::Response;
use holotape::stream::{ServerMessage, TakeId};
use serde::Serialize;
use tokio::time::sleep;

use super::connection::{Connection, Disconnected, upgrade};
use super::registry::LiveTakes;
use super::take::TakeStatus;
use crate::http_error::HttpError;

/// How often takes are told of that are being recorded.
const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum LiveMessage<'a> {
    Live { takes: Vec<LiveTakeInfo> },
    Saved { take_id: &'a TakeId, name: &'a str, recording_id: Option<u64> },
}

#[derive(Serialize)]
struct LiveTakeInfo {
    take_id: TakeId,
    name: String,
    frame_count: u64,
    duration_secs: f64,
    is_connected: bool,
}

impl From<(TakeId, TakeStatus)> for LiveTakeInfo {
    fn from((take_id, status): (TakeId, TakeStatus)) -> Self {
        let TakeStatus { name, frames: frame_count, duration_secs, is_connected } = status;
        Self { take_id, name, frame_count, duration_secs, is_connected }
    }
}

/// `/api/live`
pub(crate) async fn list(
    State(live): State<LiveTakes>,
    asked: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpError> {
    let (upgrade, permit) = upgrade(asked, live.acquire_watcher())?;
    Ok(upgrade.on_upgrade(async move |socket| {
        let _permit = permit;
        // Who has gone need not know.
        serve(Connection::new(socket, live.timing()), &live).await.ok();
    }))
}

async fn serve(mut connection: Connection, live: &LiveTakes) -> Result<(), Disconnected> {
    let (mut changes, mut saved) = live.changes();
    loop {
        let is_ending = *changes.borrow_and_update();
        let takes: Vec<_> = live.statuses().into_iter().map(LiveTakeInfo::from).collect();
        let is_idle = takes.is_empty();
        // First of all: who watched a take that is not among the others any more is to know what became of it.
        while let Ok(message) = saved.try_recv() {
            if let ServerMessage::Saved(saved) = &message {
                connection
                    .send_json(&LiveMessage::Saved {
                        take_id: &saved.take_id,
                        name: &saved.name,
                        recording_id: saved.recording_id,
                    })
                    .await?;
            }
        }
        connection.send_json(&LiveMessage::Live { takes }).await?;
        if is_ending && is_idle {
            connection.close(close_code::AWAY, "holotape ends").await;
            return Ok(());
        }
        loop {
            tokio::select! {
                _ = changes.changed() => break,
                () = sleep(UPDATE_INTERVAL), if !is_idle => break,
                // Nothing that it says matters, as long as it says something when asked.
                message = connection.next() => drop(message?),
            }
        }
    }
}
