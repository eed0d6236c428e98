//! Routes of the page and of the HTTP API.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Query, Request, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::AppState;
use super::dataset;
use super::download::download;
use super::upload::upload;
use super::work::{run_blocking, run_limited};
use crate::api::{Preview, ViewerState};
use crate::curve_pack::{self, KeySelection};
use crate::edit::{EditRequest, PreviewRequest, SaveRequest};
use crate::http_error::HttpError;
use crate::library::{Document, OpenRecording};
use crate::live;
use crate::page;
use crate::slots::ClientAddress;

/// Maximum size of a JSON request.
const MAX_JSON_BYTES: usize = 1 << 16;

/// All routes, without access control: see `guard`.
pub(super) fn router(app: Arc<AppState>) -> Router {
    Router::new()
        .route("/", get(|| async { Html(page::HTML) }))
        .route("/viewer.js", get(|| gzipped_asset("text/javascript; charset=utf-8", &page::GZIPPED_SCRIPT)))
        .route("/viewer.css", get(|| gzipped_asset("text/css; charset=utf-8", &page::GZIPPED_STYLE)))
        .route("/api/state", get(viewer_state))
        .route("/api/recordings", post(upload))
        .route("/api/recordings/{id}", delete(close))
        .route("/api/recordings/{id}/curves", get(curves))
        .route("/api/recordings/{id}/curves/overview", get(overview))
        .route("/api/recordings/{id}/download", get(download))
        .route("/api/recordings/{id}/edit", post(edit))
        .route("/api/recordings/{id}/preview", post(preview))
        .route("/api/recordings/{id}/save", post(save))
        .route("/api/live", get(live::list))
        .route("/api/live/record", get(live::record))
        .route("/api/live/{take}", get(live::watch))
        .merge(dataset::routes())
        .fallback(unknown_route)
        .method_not_allowed_fallback(unknown_method)
        .layer(DefaultBodyLimit::max(MAX_JSON_BYTES))
        .with_state(app)
}

async fn gzipped_asset(media_type: &'static str, bytes: &'static [u8]) -> impl IntoResponse {
    ([(CONTENT_TYPE, media_type), (CONTENT_ENCODING, "gzip")], bytes)
}

#[derive(Deserialize)]
struct StateQuery {
    recording: Option<String>,
}

/// All open recordings, or only the requested one of the dataset.
async fn viewer_state(
    State(app): State<Arc<AppState>>,
    client: ClientAddress,
    query: Result<Query<StateQuery>, QueryRejection>,
) -> Result<Response, HttpError> {
    let requested = match query?.0.recording {
        Some(name) => Some(dataset::open_recording(app.clone(), client, name).await?),
        None => None,
    };
    run_blocking(app.limits.acquire_request(client).await?, move || {
        let (recordings, failures) =
            requested.map_or_else(|| app.library.all(), |recording| (vec![recording], Vec::new()));
        let state = ViewerState {
            can_edit: app.options.edit,
            can_record: true,
            record_dir: Some(app.live.folder().display().to_string()),
            upload_limit_bytes: app.options.upload_limit_bytes,
            recordings: recordings.iter().map(OpenRecording::info).collect(),
            failures,
            ..ViewerState::default()
        };
        Ok(Json(state).into_response())
    })
    .await
}

#[derive(Deserialize)]
struct CurvesQuery {
    revision: Option<u64>,
}

async fn curves(
    State(app): State<Arc<AppState>>,
    client: ClientAddress,
    recording: OpenRecording,
    query: Result<Query<CurvesQuery>, QueryRejection>,
) -> Result<Response, HttpError> {
    curve_pack(&app, client, recording, query?.0.revision, KeySelection::All).await
}

async fn overview(
    State(app): State<Arc<AppState>>,
    client: ClientAddress,
    recording: OpenRecording,
    query: Result<Query<CurvesQuery>, QueryRejection>,
) -> Result<Response, HttpError> {
    curve_pack(&app, client, recording, query?.0.revision, KeySelection::Overview).await
}

async fn curve_pack(
    app: &AppState,
    client: ClientAddress,
    recording: OpenRecording,
    revision: Option<u64>,
    keys: KeySelection,
) -> Result<Response, HttpError> {
    let slot = app.limits.acquire_request(client).await?;
    let make = move || {
        let curves = recording.lock().curves(revision)?;
        curves.pack(keys)
    };
    let bytes = run_blocking(slot, make).await?;
    let headers = [(CONTENT_TYPE, "application/octet-stream"), (CONTENT_ENCODING, "gzip")];
    // For the progress: browsers count decompressed bytes, and `Content-Length` compressed ones.
    let size = [("holotape-decompressed-bytes", curve_pack::decompressed_bytes(&bytes).to_string())];
    Ok((headers, size, bytes).into_response())
}

async fn close(State(app): State<Arc<AppState>>, recording: OpenRecording) -> Result<StatusCode, HttpError> {
    app.library.close(recording.id)?;
    Ok(StatusCode::NO_CONTENT)
}

async fn edit(
    _: EditPermission,
    State(app): State<Arc<AppState>>,
    client: ClientAddress,
    recording: OpenRecording,
    JsonBody(edit): JsonBody<EditRequest>,
) -> Result<Response, HttpError> {
    run_blocking(app.limits.acquire_request(client).await?, move || {
        edit.apply(&app.library, &recording)?;
        Ok(Json(recording.info()).into_response())
    })
    .await
}

async fn preview(
    _: EditPermission,
    State(app): State<Arc<AppState>>,
    client: ClientAddress,
    recording: OpenRecording,
    JsonBody(request): JsonBody<PreviewRequest>,
) -> Result<Response, HttpError> {
    app.library.check_capacity()?;
    let slot = app.limits.acquire_preview(client).await?;
    let keep = move |(document, report): (Document, Vec<String>)| {
        let recording = app.library.add_closable(document)?.info();
        Ok(Json(Preview { recording, report }).into_response())
    };
    run_limited(slot, move || request.create(&recording), keep).await
}

async fn save(
    _: EditPermission,
    State(app): State<Arc<AppState>>,
    client: ClientAddress,
    recording: OpenRecording,
    JsonBody(request): JsonBody<SaveRequest>,
) -> Result<Response, HttpError> {
    let slot = app.limits.acquire_request(client).await?;
    run_blocking(slot, move || Ok(Json(request.save(&recording)?).into_response())).await
}

async fn unknown_route(uri: Uri) -> HttpError {
    HttpError::not_found(format!("unknown path: {}", uri.path()))
}

async fn unknown_method(method: Method, uri: Uri) -> HttpError {
    HttpError::new(StatusCode::METHOD_NOT_ALLOWED, format!("method {method} not allowed for {}", uri.path()))
}

/// The recording of the `{id}` in the path.
impl FromRequestParts<Arc<AppState>> for OpenRecording {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> Result<Self, HttpError> {
        let id = Path::<u64>::from_request_parts(parts, app).await;
        let id = id.map_err(|rejection| HttpError::not_found(rejection.body_text()))?;
        app.library.find(id.0)
    }
}

/// A JSON body that arrives within the client timeout.
struct JsonBody<T>(T);

impl<T: DeserializeOwned> FromRequest<Arc<AppState>> for JsonBody<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, app: &Arc<AppState>) -> Result<Self, HttpError> {
        let body = timeout(app.options.client_timeout, Json::from_request(request, app)).await;
        let Json(body) = body.map_err(|_| HttpError::body_timeout())??;
        Ok(Self(body))
    }
}

/// Proof that recordings and files may be changed.
struct EditPermission;

impl FromRequestParts<Arc<AppState>> for EditPermission {
    type Rejection = HttpError;

    async fn from_request_parts(_: &mut Parts, app: &Arc<AppState>) -> Result<Self, HttpError> {
        if app.options.edit {
            return Ok(Self);
        }
        Err(HttpError::forbidden("editing is disabled: start the server with `holotape view --edit`"))
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};

    use axum::body::Body;
    use axum::extract::ConnectInfo;
    use tower::ServiceExt;

    use super::super::connection::Peer;
    use super::super::stream::pipe;
    use super::super::{Viewer, ViewerOptions};
    use super::*;

    #[tokio::test]
    async fn slots_are_counted_for_the_address_of_the_connection() {
        let router = router(Viewer::new(ViewerOptions::new()).app);
        let upload = |last: u8, body: Body| {
            let mut request = Request::post("/api/recordings").body(body).unwrap();
            request.extensions_mut().insert(ConnectInfo(Peer::at([192, 168, 1, last].into())));
            router.clone().oneshot(request)
        };
        // Bodies whose sender sends nothing.
        let (senders, bodies): (Vec<_>, Vec<_>) = (0..4).map(|_| pipe()).unzip();
        let mut stalled: Vec<_> = bodies.into_iter().map(|body| Box::pin(upload(2, body.into_body(1)))).collect();
        for upload in &mut stalled {
            assert!(upload.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        let status = async |last| upload(last, Body::empty()).await.unwrap().status();
        assert_eq!(status(2).await, StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(status(3).await, StatusCode::UNPROCESSABLE_ENTITY, "not a recording");
        drop(stalled);
        assert_eq!(status(2).await, StatusCode::UNPROCESSABLE_ENTITY, "not a recording");
        drop(senders);
    }
}
