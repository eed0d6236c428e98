//! What can be asked for, and what answers.

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, Query, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::json;

use super::AppState;
use super::dataset;
use super::download::download;
use super::upload::upload;
use super::work::{run_blocking, run_limited};
use crate::api::ViewerState;
use crate::edit::{EditRequest, PreviewRequest, SaveRequest};
use crate::http_error::HttpError;
use crate::library::{Document, OpenRecording, Snapshot};
use crate::live;
use crate::page;

/// More than anything has to say that is no recording.
const MAX_JSON_BYTES: usize = 1 << 16;

/// All of it; who may ask is for the guard to say, who stands before.
pub(super) fn router(shared: Arc<AppState>) -> Router {
    Router::new()
        .route("/", get(|| async { Html(page::HTML) }))
        .route("/viewer.js", get(|| gzipped_asset("text/javascript; charset=utf-8", &page::GZIPPED_SCRIPT)))
        .route("/viewer.css", get(|| gzipped_asset("text/css; charset=utf-8", &page::GZIPPED_STYLE)))
        .route("/api/session", get(session))
        .route("/api/takes", post(upload))
        .route("/api/takes/{id}", delete(close))
        .route("/api/takes/{id}/tape", get(curves))
        .route("/api/takes/{id}/download", get(download))
        .route("/api/takes/{id}/edit", post(edit))
        .route("/api/takes/{id}/preview", post(preview))
        .route("/api/takes/{id}/save", post(save))
        .route("/api/live", get(live::list))
        .route("/api/live/record", get(live::record))
        .route("/api/live/{take}", get(live::watch))
        .merge(dataset::routes())
        .fallback(unknown_route)
        .method_not_allowed_fallback(unknown_method)
        .layer(DefaultBodyLimit::max(MAX_JSON_BYTES))
        .with_state(shared)
}

async fn gzipped_asset(media_type: &'static str, bytes: &'static [u8]) -> impl IntoResponse {
    ([(CONTENT_TYPE, media_type), (CONTENT_ENCODING, "gzip")], bytes)
}

#[derive(Deserialize)]
struct StateQuery {
    take: Option<String>,
}

/// All takes that are open, or the one of the corpus that is named.
async fn session(
    State(shared): State<Arc<AppState>>,
    named: Result<Query<StateQuery>, QueryRejection>,
) -> Result<Response, HttpError> {
    let named = match named?.0.take {
        Some(name) => Some(dataset::open_recording(shared.clone(), name).await?),
        None => None,
    };
    run_blocking(move || {
        let (recordings, failures) =
            named.map_or_else(|| shared.library.all(), |recording| (vec![recording], Vec::new()));
        // One after the other: a take that somebody works on keeps nobody from the rest.
        let snapshots: Vec<_> = recordings.iter().map(OpenRecording::snapshot).collect();
        let session = ViewerState {
            edit: shared.options.edit,
            live: true,
            takes_folder: Some(shared.live.folder().display().to_string()),
            upload_limit_bytes: shared.options.upload_limit_bytes,
            takes: snapshots.iter().map(Snapshot::info).collect(),
            failures: &failures,
            ..ViewerState::default()
        };
        Ok(Json(session).into_response())
    })
    .await
}

#[derive(Deserialize)]
struct CurvesQuery {
    revision: Option<u64>,
}

async fn curves(
    recording: OpenRecording,
    wanted: Result<Query<CurvesQuery>, QueryRejection>,
) -> Result<Response, HttpError> {
    let Query(CurvesQuery { revision }) = wanted?;
    let bytes = run_blocking(move || recording.lock().curve_pack(revision)).await?;
    let headers = [(CONTENT_TYPE, "application/octet-stream"), (CONTENT_ENCODING, "gzip")];
    Ok((headers, bytes).into_response())
}

async fn close(State(shared): State<Arc<AppState>>, recording: OpenRecording) -> Result<StatusCode, HttpError> {
    shared.library.close(recording.id)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn edit(
    _: EditPermission,
    State(shared): State<Arc<AppState>>,
    recording: OpenRecording,
    edit: Result<Json<EditRequest>, JsonRejection>,
) -> Result<Response, HttpError> {
    let Json(edit) = edit?;
    run_blocking(move || {
        edit.apply(&shared.library, &recording)?;
        Ok(Json(recording.snapshot().info()).into_response())
    })
    .await
}

async fn preview(
    _: EditPermission,
    State(shared): State<Arc<AppState>>,
    recording: OpenRecording,
    request: Result<Json<PreviewRequest>, JsonRejection>,
) -> Result<Response, HttpError> {
    let Json(request) = request?;
    shared.library.check_capacity()?;
    let turn = shared.turns.acquire_preview().await?;
    let keep = move |(document, report): (Document, Vec<String>)| {
        let preview = shared.library.add_closable(document)?;
        Ok(Json(json!({ "take": preview.snapshot().info(), "report": report })).into_response())
    };
    run_limited(turn, move || request.make(&recording), keep).await
}

async fn save(
    _: EditPermission,
    recording: OpenRecording,
    request: Result<Json<SaveRequest>, JsonRejection>,
) -> Result<Response, HttpError> {
    let Json(request) = request?;
    run_blocking(move || Ok(Json(request.save(&recording)?).into_response())).await
}

async fn unknown_route(uri: Uri) -> HttpError {
    HttpError::not_found(format!("there is nothing at {}", uri.path()))
}

async fn unknown_method(method: Method, uri: Uri) -> HttpError {
    HttpError::new(StatusCode::METHOD_NOT_ALLOWED, format!("{} does not take {method}", uri.path()))
}

/// The take that a path names.
impl FromRequestParts<Arc<AppState>> for OpenRecording {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<AppState>) -> Result<Self, HttpError> {
        let id = Path::<u64>::from_request_parts(parts, shared).await;
        let id = id.map_err(|rejection| HttpError::not_found(rejection.body_text()))?;
        shared.library.find(id.0)
    }
}

/// Whoever has this may change recordings, and files.
struct EditPermission;

impl FromRequestParts<Arc<AppState>> for EditPermission {
    type Rejection = HttpError;

    async fn from_request_parts(_: &mut Parts, shared: &Arc<AppState>) -> Result<Self, HttpError> {
        if shared.options.edit {
            return Ok(Self);
        }
        Err(HttpError::forbidden("recordings are only shown: start `holotape view --edit` to change and save them"))
    }
}
