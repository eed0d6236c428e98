//! Files that are dropped on the page.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, HttpBody};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use holotape_convert::OpenOptions;
use serde::Deserialize;
use tokio::time::timeout;

use super::AppState;
use super::work::run_limited;
use crate::api::Origin;
use crate::http_error::HttpError;
use crate::library::{Document, Source};

/// How long nothing may come of a file before it is given up.
const UPLOAD_IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest name that is shown.
const MAX_CHARS: usize = 120;

#[derive(Debug, Deserialize)]
pub(super) struct UploadQuery {
    #[serde(default)]
    name: String,
}

pub(super) async fn upload(
    State(shared): State<Arc<AppState>>,
    asked: Result<Query<UploadQuery>, QueryRejection>,
    body: Body,
) -> Result<Response, HttpError> {
    let Query(UploadQuery { name }) = asked?;
    shared.library.check_capacity()?;
    // So that no more is held in memory at once than a few files.
    let turn = shared.turns.acquire_upload().await?;
    let bytes = read(body, shared.options.upload_limit_bytes).await?;
    let source = Source { name: display_name(&name), origin: Origin::Upload, folder: shared.folder.clone() };
    let most_bytes = shared.options.upload_limit_bytes;
    run_limited(turn, move || open(source, bytes, most_bytes), move |document| add_to_library(&shared, document)).await
}

/// A file that is compressed becomes no larger than one that is not may be.
fn open(source: Source, bytes: Vec<u8>, most_bytes: u64) -> Result<Document, HttpError> {
    let opened = OpenOptions::new().with_max_recording_bytes(most_bytes).from_slice(&bytes)?;
    drop(bytes);
    Ok(Document::opened(source, opened)?)
}

fn add_to_library(shared: &AppState, document: Document) -> Result<Response, HttpError> {
    let recording = shared.library.add_closable(document)?;
    let info = Json(recording.snapshot().info()).into_response();
    Ok((StatusCode::CREATED, info).into_response())
}

/// All of a body, if it is no longer than it may be: by what it says itself, and by what comes.
async fn read(mut body: Body, limit_bytes: u64) -> Result<Vec<u8>, HttpError> {
    let too_large = || {
        let message = format!("larger than the {} MB that can be opened by dropping", limit_bytes / 1_000_000);
        HttpError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    if body.size_hint().lower() > limit_bytes {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    loop {
        let next = timeout(UPLOAD_IDLE_TIMEOUT, poll_fn(|context| Pin::new(&mut body).poll_frame(context))).await;
        let next = next.map_err(|_| HttpError::new(StatusCode::REQUEST_TIMEOUT, "nothing has come for too long"))?;
        let Some(frame) = next else { return Ok(bytes) };
        let frame = frame.map_err(|error| HttpError::new(StatusCode::BAD_REQUEST, error.to_string()))?;
        // What is no data is of no use to anybody here.
        let Ok(chunk) = frame.into_data() else { continue };
        if bytes.len() as u64 + chunk.len() as u64 > limit_bytes {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
}

/// A name to show, and never to use: without folders, without what no screen shows.
fn display_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let chars = last.chars().filter(|letter| !letter.is_control()).take(MAX_CHARS).collect::<String>();
    let name = chars.trim();
    if name.is_empty() { "recording".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_without_folders() {
        for (name, shown) in [
            ("take.bin", "take.bin"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\a\\take.bin", "take.bin"),
            ("a\u{1b}[31m\n.bin", "a[31m.bin"),
            ("", "recording"),
            ("/", "recording"),
        ] {
            assert_eq!(display_name(name), shown, "{name:?}");
        }
        assert_eq!(display_name(&"x".repeat(5000)).len(), MAX_CHARS);
    }
}
