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

use super::Shared;
use super::corpus;
use super::download::download;
use super::upload::upload;
use super::work::{make_in_turn, work};
use crate::describe::SessionInfo;
use crate::edit::{EditRequest, PreviewRequest, SaveRequest};
use crate::library::{Document, Snapshot, Take};
use crate::live;
use crate::page;
use crate::refusal::Refusal;

/// More than anything has to say that is no recording.
const MOST_JSON_BYTES: usize = 1 << 16;

/// All of it; who may ask is for the guard to say, who stands before.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(|| async { Html(page::HTML) }))
        .route("/viewer.js", get(|| zipped("text/javascript; charset=utf-8", &page::ZIPPED_SCRIPT)))
        .route("/viewer.css", get(|| zipped("text/css; charset=utf-8", &page::ZIPPED_STYLE)))
        .route("/api/session", get(session))
        .route("/api/takes", post(upload))
        .route("/api/takes/{id}", delete(close))
        .route("/api/takes/{id}/tape", get(tape))
        .route("/api/takes/{id}/download", get(download))
        .route("/api/takes/{id}/edit", post(edit))
        .route("/api/takes/{id}/preview", post(preview))
        .route("/api/takes/{id}/save", post(save))
        .route("/api/live", get(live::list))
        .route("/api/live/record", get(live::record))
        .route("/api/live/{take}", get(live::watch))
        .merge(corpus::routes())
        .fallback(unknown_route)
        .method_not_allowed_fallback(unknown_method)
        .layer(DefaultBodyLimit::max(MOST_JSON_BYTES))
        .with_state(shared)
}

async fn zipped(media_type: &'static str, bytes: &'static [u8]) -> impl IntoResponse {
    ([(CONTENT_TYPE, media_type), (CONTENT_ENCODING, "gzip")], bytes)
}

#[derive(Deserialize)]
struct Named {
    take: Option<String>,
}

/// All takes that are open, or the one of the corpus that is named.
async fn session(
    State(shared): State<Arc<Shared>>,
    named: Result<Query<Named>, QueryRejection>,
) -> Result<Response, Refusal> {
    let named = match named?.0.take {
        Some(name) => Some(corpus::open(shared.clone(), name).await?),
        None => None,
    };
    work(move || {
        let (takes, failures) = named.map_or_else(|| shared.library.all(), |take| (vec![take], Vec::new()));
        // One after the other: a take that somebody works on keeps nobody from the rest.
        let snapshots: Vec<_> = takes.iter().map(Take::snapshot).collect();
        let session = SessionInfo {
            edit: shared.options.edit,
            live: true,
            takes_folder: Some(shared.live.folder().display().to_string()),
            upload_limit_bytes: shared.options.upload_limit_bytes,
            takes: snapshots.iter().map(Snapshot::info).collect(),
            failures: &failures,
            ..SessionInfo::default()
        };
        Ok(Json(session).into_response())
    })
    .await
}

#[derive(Deserialize)]
struct Wanted {
    revision: Option<u64>,
}

async fn tape(take: Take, wanted: Result<Query<Wanted>, QueryRejection>) -> Result<Response, Refusal> {
    let Query(Wanted { revision }) = wanted?;
    let bytes = work(move || take.lock().tape(revision)).await?;
    let headers = [(CONTENT_TYPE, "application/octet-stream"), (CONTENT_ENCODING, "gzip")];
    Ok((headers, bytes).into_response())
}

async fn close(State(shared): State<Arc<Shared>>, take: Take) -> Result<StatusCode, Refusal> {
    shared.library.close(take.id)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn edit(
    _: MayEdit,
    State(shared): State<Arc<Shared>>,
    take: Take,
    edit: Result<Json<EditRequest>, JsonRejection>,
) -> Result<Response, Refusal> {
    let Json(edit) = edit?;
    work(move || {
        edit.apply(&shared.library, &take)?;
        Ok(Json(take.snapshot().info()).into_response())
    })
    .await
}

async fn preview(
    _: MayEdit,
    State(shared): State<Arc<Shared>>,
    take: Take,
    request: Result<Json<PreviewRequest>, JsonRejection>,
) -> Result<Response, Refusal> {
    let Json(request) = request?;
    shared.library.expect_guest()?;
    let turn = shared.turns.to_preview().await?;
    let keep = move |(document, report): (Document, Vec<String>)| {
        let preview = shared.library.add_guest(document)?;
        Ok(Json(json!({ "take": preview.snapshot().info(), "report": report })).into_response())
    };
    make_in_turn(turn, move || request.make(&take), keep).await
}

async fn save(_: MayEdit, take: Take, request: Result<Json<SaveRequest>, JsonRejection>) -> Result<Response, Refusal> {
    let Json(request) = request?;
    work(move || Ok(Json(request.save(&take)?).into_response())).await
}

async fn unknown_route(uri: Uri) -> Refusal {
    Refusal::missing(format!("there is nothing at {}", uri.path()))
}

async fn unknown_method(method: Method, uri: Uri) -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, format!("{} does not take {method}", uri.path()))
}

/// The take that a path names.
impl FromRequestParts<Arc<Shared>> for Take {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Refusal> {
        let id = Path::<u64>::from_request_parts(parts, shared).await;
        let id = id.map_err(|rejection| Refusal::missing(rejection.body_text()))?;
        shared.library.find(id.0)
    }
}

/// Whoever has this may change recordings, and files.
struct MayEdit;

impl FromRequestParts<Arc<Shared>> for MayEdit {
    type Rejection = Refusal;

    async fn from_request_parts(_: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Refusal> {
        if shared.options.edit {
            return Ok(Self);
        }
        Err(Refusal::forbidden("recordings are only shown: start `holotape view --edit` to change and save them"))
    }
}
