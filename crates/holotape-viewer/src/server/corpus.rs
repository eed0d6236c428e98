//! A corpus: the page about it, and its takes by name.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;

use super::Shared;
use super::work::make_in_turn;
use crate::library::Take;
use crate::refusal::Refusal;

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/report", get(page)).route("/report.js", get(script)).route("/report.css", get(style))
}

async fn page(State(shared): State<Arc<Shared>>) -> Result<Response, Refusal> {
    Ok(Html(shared.library.corpus()?.page.clone()).into_response())
}

async fn script(State(shared): State<Arc<Shared>>) -> Result<Response, Refusal> {
    let script = shared.library.corpus()?.script;
    Ok(([(CONTENT_TYPE, "text/javascript; charset=utf-8")], script).into_response())
}

async fn style(State(shared): State<Arc<Shared>>) -> Result<Response, Refusal> {
    let style = shared.library.corpus()?.style;
    Ok(([(CONTENT_TYPE, "text/css; charset=utf-8")], style).into_response())
}

/// The take of a name, opened unless it is open.
pub(super) async fn open(shared: Arc<Shared>, name: String) -> Result<Take, Refusal> {
    if let Some(take) = shared.library.find_named(&name) {
        return Ok(take);
    }
    shared.library.corpus()?;
    // So that no more is held in memory at once than a few files.
    let turn = shared.turns.to_upload().await?;
    let most_bytes = shared.options.upload_limit_bytes;
    let (reading, kept) = (shared.clone(), name.clone());
    let read = move || reading.library.read_named(&name, most_bytes);
    make_in_turn(turn, read, move |document| shared.library.add_named(&kept, document)).await
}
