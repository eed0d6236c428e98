//! Uploads: files that the user drops on the page or selects.

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
use tokio::time::{Instant, timeout_at};

use super::limits::{MIN_BYTES_PER_SEC, UploadBudget};
use super::work::run_limited;
use super::{AppState, ViewerOptions};
use crate::api::Origin;
use crate::http_error::HttpError;
use crate::library::{Document, Source};
use crate::slots::ClientAddress;

/// Maximum length of a displayed name.
const MAX_NAME_CHARS: usize = 120;

#[derive(Debug, Deserialize)]
pub(super) struct UploadQuery {
    #[serde(default)]
    name: String,
}

pub(super) async fn upload(
    State(app): State<Arc<AppState>>,
    client: ClientAddress,
    query: Result<Query<UploadQuery>, QueryRejection>,
    body: Body,
) -> Result<Response, HttpError> {
    let Query(UploadQuery { name }) = query?;
    app.library.check_capacity()?;
    let budget = app.limits.start_upload(client)?;
    let (bytes, budget) = read(body, &app.options, budget).await?;
    let slot = app.limits.acquire_parse(client).await?;
    let source = Source { name: display_name(&name), origin: Origin::Upload, folder: app.folder.clone() };
    let max_bytes = app.options.upload_limit_bytes;
    let make = move || {
        let opened = open(source, bytes, max_bytes);
        drop(budget);
        opened
    };
    run_limited(slot, make, move |document| add_to_library(&app, document)).await
}

/// Parses a file. The limit applies to the decompressed size as well.
fn open(source: Source, bytes: Vec<u8>, max_bytes: u64) -> Result<Document, HttpError> {
    let imported = OpenOptions::new().with_max_recording_bytes(max_bytes).from_named_slice(&bytes, &source.name)?;
    drop(bytes);
    Ok(Document::from_import(source, imported)?)
}

fn add_to_library(app: &AppState, document: Document) -> Result<Response, HttpError> {
    let info = app.library.add_closable(document)?.info();
    Ok((StatusCode::CREATED, Json(info)).into_response())
}

/// Reads a body. Checks both the declared and the actual length against the limit.
async fn read(
    mut body: Body,
    options: &ViewerOptions,
    mut budget: UploadBudget,
) -> Result<(Vec<u8>, UploadBudget), HttpError> {
    let limit_bytes = options.upload_limit_bytes;
    let too_large = || {
        let message = format!("file too large: uploads are limited to {} MB", limit_bytes / 1_000_000);
        HttpError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    if body.size_hint().lower() > limit_bytes {
        return Err(too_large());
    }
    let start = Instant::now();
    let mut bytes = Vec::new();
    loop {
        let next = poll_fn(|context| Pin::new(&mut body).poll_frame(context));
        let deadline = start + options.client_timeout + Duration::from_secs(bytes.len() as u64 / MIN_BYTES_PER_SEC);
        let Some(frame) = timeout_at(deadline, next).await.map_err(|_| too_slow())? else {
            return Ok((bytes, budget));
        };
        let frame = frame.map_err(|error| HttpError::new(StatusCode::BAD_REQUEST, error.to_string()))?;
        // Trailers are ignored.
        let Ok(chunk) = frame.into_data() else { continue };
        if bytes.len() as u64 + chunk.len() as u64 > limit_bytes {
            return Err(too_large());
        }
        budget.add(chunk.len() as u64)?;
        bytes.extend_from_slice(&chunk);
    }
}

fn too_slow() -> HttpError {
    let message = format!("upload timed out: slower than {} KiB per second", MIN_BYTES_PER_SEC >> 10);
    HttpError::new(StatusCode::REQUEST_TIMEOUT, message)
}

/// The name without directories and control characters, for display only.
fn display_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let chars = last.chars().filter(|char| !char.is_control()).take(MAX_NAME_CHARS).collect::<String>();
    let name = chars.trim();
    if name.is_empty() { "recording".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_name_strips_directories_and_control_characters() {
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
        assert_eq!(display_name(&"x".repeat(5000)).len(), MAX_NAME_CHARS);
    }
}
