//! Who is let in: the page that this server sent, and programs; from elsewhere, only those who have paired. No other page gets to a
//! recording, and what is sent can do nothing but what the page needs.

use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use super::hosts::ServerHosts;
use super::listener::Peer;
use super::pairing::{Pairing, is_pair_request};
use crate::http_error::HttpError;

/// On every answer.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // The same address is another recording when holotape is started anew.
    (header::CACHE_CONTROL, "no-store"),
];

/// Who may come in.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    names: Arc<ServerHosts>,
    /// What it takes to come in, if not everybody may who has found the way.
    pairing: Option<Arc<Pairing>>,
}

/// A router behind the guard: whatever it has, or will have, nobody comes to it by another way.
pub(super) fn protect(router: Router, guard: Guard) -> Router {
    Router::new().fallback_service(router).layer(middleware::from_fn_with_state(guard, guard_middleware))
}

/// Lets a request in or refuses it.
async fn guard_middleware(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut answer = match guard.check(&request) {
        Ok(()) => guard.authorize(request, next).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        answer.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    answer
}

impl Guard {
    /// One who lets in everybody who means this server.
    pub(super) fn new(names: Arc<ServerHosts>) -> Self {
        Self { names, pairing: None }
    }

    /// Lets in only those who have paired.
    pub(super) fn with_pairing(self, pairing: Arc<Pairing>) -> Self {
        Self { pairing: Some(pairing), ..self }
    }

    async fn authorize(&self, request: Request, next: Next) -> Response {
        let Some(pairing) = &self.pairing else {
            return next.run(request).await;
        };
        let Some(peer) = peer_of(&request).cloned() else {
            return HttpError::forbidden("nobody knows where this comes from").into_response();
        };
        if !pairing.knows(request.headers()) {
            return pairing.respond_unpaired(request, &peer).await;
        }
        peer.standing.mark_authenticated();
        // Somebody who is in and types another code was not told in time.
        if is_pair_request(&request) { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await }
    }

    fn check(&self, request: &Request) -> Result<(), HttpError> {
        let headers = request.headers();
        let own = self.names.origin_of(&self.host_of(request)?);
        let origin = single_header(headers, &header::ORIGIN)?;
        let site = single_header(headers, &HeaderName::from_static("sec-fetch-site"))?;
        if origin.is_some_and(|origin| !origin.eq_ignore_ascii_case(&own)) {
            return Err(HttpError::forbidden("another page may not ask for this"));
        }
        if site.is_some_and(|site| site != "same-origin" && site != "none") {
            let message = format!("another page led here: copy {own}/ into the address bar of the browser");
            return Err(HttpError::forbidden(message));
        }
        // Browsers say where a request comes from that changes something. One that does not say may be an old browser.
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
        if changes && origin.is_none() && site != Some("same-origin") {
            let message = format!("say where this comes from: a program may send the header Origin: {own}");
            return Err(HttpError::forbidden(message));
        }
        Ok(())
    }

    /// The name that the server was called by. A page elsewhere can have its own name lead here, but not another one.
    fn host_of(&self, request: &Request) -> Result<String, HttpError> {
        let host = single_header(request.headers(), &header::HOST)?.unwrap_or_default().to_ascii_lowercase();
        let authority = request.uri().authority().map(|authority| authority.as_str().to_ascii_lowercase());
        let is_known = self.names.matches_host(&host, peer_of(request).and_then(|peer| peer.reached));
        let message = match authority.filter(|authority| *authority != host) {
            None if is_known => return Ok(host),
            Some(authority) if is_known => format!("asked for {authority:?}, but the header Host says {host:?}"),
            _ => format!("this is not {host:?}: holotape answers to {} only", self.names.preferred_url()),
        };
        Err(HttpError::new(StatusCode::MISDIRECTED_REQUEST, message))
    }
}

fn peer_of(request: &Request) -> Option<&Peer> {
    request.extensions().get::<ConnectInfo<Peer>>().map(|ConnectInfo(peer)| peer)
}

/// The value of a header that is there once, or not at all.
fn single_header<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, HttpError> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(HeaderValue::to_str), values.next()) {
        (None, _) => Ok(None),
        (Some(Ok(value)), None) => Ok(Some(value)),
        _ => Err(HttpError::new(StatusCode::BAD_REQUEST, format!("the header {name} makes no sense"))),
    }
}
