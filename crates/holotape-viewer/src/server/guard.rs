//! Access control: checks host, origin and pairing of every request, and adds security headers to every response.
//!
//! Accepted are requests of the page that this server sent and of non-browser clients; with pairing, only those of paired
//! devices. Other web pages cannot read recordings.

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

/// Added to every response.
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
    // After a restart, the same URL is another recording.
    (header::CACHE_CONTROL, "no-store"),
];

#[derive(Clone, Debug)]
pub(super) struct Guard {
    hosts: Arc<ServerHosts>,
    /// `None` if no pairing is required.
    pairing: Option<Arc<Pairing>>,
}

/// Wraps a router so that every request passes the guard.
pub(super) fn protect(router: Router, guard: Guard) -> Router {
    Router::new().fallback_service(router).layer(middleware::from_fn_with_state(guard, guard_middleware))
}

async fn guard_middleware(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.check(&request) {
        Ok(()) => guard.authorize(request, next).await,
        Err(error) => error.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

impl Guard {
    /// A guard that requires no pairing.
    pub(super) fn new(hosts: Arc<ServerHosts>) -> Self {
        Self { hosts, pairing: None }
    }

    pub(super) fn with_pairing(self, pairing: Arc<Pairing>) -> Self {
        Self { pairing: Some(pairing), ..self }
    }

    async fn authorize(&self, request: Request, next: Next) -> Response {
        let Some(pairing) = &self.pairing else {
            return next.run(request).await;
        };
        let Some(peer) = peer_of(&request).cloned() else {
            return HttpError::forbidden("unknown client address").into_response();
        };
        if !pairing.is_paired(request.headers()) {
            return pairing.respond_unpaired(request, &peer).await;
        }
        peer.auth.mark_authenticated();
        // A device that is paired already may submit another code.
        if is_pair_request(&request) { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await }
    }

    fn check(&self, request: &Request) -> Result<(), HttpError> {
        let headers = request.headers();
        let own = self.hosts.origin_of(&self.host_of(request)?);
        let origin = single_header(headers, &header::ORIGIN)?;
        let site = single_header(headers, &HeaderName::from_static("sec-fetch-site"))?;
        if origin.is_some_and(|origin| !origin.eq_ignore_ascii_case(&own)) {
            return Err(HttpError::forbidden("request from another page rejected"));
        }
        if site.is_some_and(|site| site != "same-origin" && site != "none") {
            let message = format!("request from another page rejected: enter {own}/ in the address bar");
            return Err(HttpError::forbidden(message));
        }
        // Current browsers send the origin of every request that changes data; old ones may not.
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
        if changes && origin.is_none() && site != Some("same-origin") {
            let message = format!("missing origin: send the header `Origin: {own}`");
            return Err(HttpError::forbidden(message));
        }
        Ok(())
    }

    /// The validated host of the request. Prevents DNS rebinding: a foreign page can resolve its own name to this machine, but not
    /// one of the server's hosts.
    fn host_of(&self, request: &Request) -> Result<String, HttpError> {
        let host = single_header(request.headers(), &header::HOST)?.unwrap_or_default().to_ascii_lowercase();
        let authority = request.uri().authority().map(|authority| authority.as_str().to_ascii_lowercase());
        let is_known = self.hosts.matches_host(&host, peer_of(request).and_then(|peer| peer.reached));
        let message = match authority.filter(|authority| *authority != host) {
            None if is_known => return Ok(host),
            Some(authority) if is_known => format!("request for {authority:?} with the header `Host: {host}`"),
            _ => format!("wrong host {host:?}: use {}", self.hosts.preferred_url()),
        };
        Err(HttpError::new(StatusCode::MISDIRECTED_REQUEST, message))
    }
}

fn peer_of(request: &Request) -> Option<&Peer> {
    request.extensions().get::<ConnectInfo<Peer>>().map(|ConnectInfo(peer)| peer)
}

/// The value of a header; fails if it occurs more than once.
fn single_header<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, HttpError> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(HeaderValue::to_str), values.next()) {
        (None, _) => Ok(None),
        (Some(Ok(value)), None) => Ok(Some(value)),
        _ => Err(HttpError::new(StatusCode::BAD_REQUEST, format!("invalid header {name}"))),
    }
}
