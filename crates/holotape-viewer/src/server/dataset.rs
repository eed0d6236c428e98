//! A dataset's report, and its recordings by name.

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
use crate::slots::ClientAddress;

pub(super) fn routes() -> Router<Arc<AppState>> {
    Router::new().route("/report", get(page)).route("/report.js", get(script)).route("/report.css", get(style))
}

async fn page(State(app): State<Arc<AppState>>) -> Result<Response, HttpError> {
    Ok(Html(app.library.report_page()?).into_response())
}

async fn script(State(app): State<Arc<AppState>>) -> Result<Response, HttpError> {
    let script = app.library.dataset()?.script;
    Ok(([(CONTENT_TYPE, "text/javascript; charset=utf-8")], script).into_response())
}

async fn style(State(app): State<Arc<AppState>>) -> Result<Response, HttpError> {
    let style = app.library.dataset()?.style;
    Ok(([(CONTENT_TYPE, "text/css; charset=utf-8")], style).into_response())
}

/// Opens a recording of the dataset unless it is already open.
pub(super) async fn open_recording(
    app: Arc<AppState>,
    client: ClientAddress,
    name: String,
) -> Result<OpenRecording, HttpError> {
    if let Some(recording) = app.library.find_by_name(&name) {
        return Ok(recording);
    }
    app.library.dataset()?;
    let slot = app.limits.acquire_parse(client).await?;
    let max_bytes = app.options.upload_limit_bytes;
    let (reader, key) = (app.clone(), name.clone());
    let read = move || reader.library.read_by_name(&name, max_bytes);
    run_limited(slot, read, move |document| app.library.add_by_name(&key, document)).await
}
