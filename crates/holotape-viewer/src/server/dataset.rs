//! A corpus: the page about it, and its takes by name.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

use super::AppState;
use super::work::run_limited;
use crate::http_error::HttpError;
use crate::library::OpenRecording;

pub(super) fn routes() -> Router<Arc<AppState>> {
    Router::new().route("/report", get(page)).route("/report.js", get(script)).route("/report.css", get(style))
}

async fn page(State(shared): State<Arc<AppState>>) -> Result<Response, HttpError> {
    Ok(Html(shared.library.corpus()?.page.clone()).into_response())
}

async fn script(State(shared): State<Arc<AppState>>) -> Result<Response, HttpError> {
    let script = shared.library.corpus()?.script;
    Ok(([(CONTENT_TYPE, "text/javascript; charset=utf-8")], script).into_response())
}

async fn style(State(shared): State<Arc<AppState>>) -> Result<Response, HttpError> {
    let style = shared.library.corpus()?.style;
    Ok(([(CONTENT_TYPE, "text/css; charset=utf-8")], style).into_response())
}

/// The take of a name, opened unless it is open.
pub(super) async fn open_recording(shared: Arc<AppState>, name: String) -> Result<OpenRecording, HttpError> {
    if let Some(recording) = shared.library.find_by_name(&name) {
        return Ok(recording);
    }
    shared.library.corpus()?;
    // So that no more is held in memory at once than a few files.
    let turn = shared.turns.acquire_upload().await?;
    let most_bytes = shared.options.upload_limit_bytes;
    let (reading, kept) = (shared.clone(), name.clone());
    let read = move || reading.library.read_by_name(&name, most_bytes);
    run_limited(turn, read, move |document| shared.library.add_by_name(&kept, document)).await
}
