//! Access control: checks host, origin and token of every request, and adds security headers to every response.
//!
//! Accepted are requests with the access token or, in the local network, from paired devices. Other web pages cannot read
//! recordings, even if the browser that shows them has the token.

use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use super::connection::Peer;
use super::cookie::Cookie;
use super::hosts::ServerHosts;
use super::pairing::{Pairing, is_pair_request};
use super::token::{self, AccessToken, QueryToken, bearer_token};
use crate::http_error::HttpError;

/// Added to every response.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // After a restart, the same URL is another recording.
    (header::CACHE_CONTROL, "no-store"),
];

/// Browsers set it to the relation between the page that sends a request and this server.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

#[derive(Clone, Debug)]
pub(super) struct Guard {
    hosts: Arc<ServerHosts>,
    /// `None` if no token is required.
    token: Option<AccessToken>,
    /// `None` unless the server is for the local network.
    pairing: Option<Arc<Pairing>>,
}

/// How a request has shown that it is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Credential {
    NotRequired,
    /// Browsers send cookies with the requests of every page.
    Cookie,
    Header,
    Query,
}

/// Wraps a router so that every request passes the guard.
pub(super) fn protect(router: Router, guard: Guard) -> Router {
    Router::new().fallback_service(router).layer(middleware::from_fn_with_state(guard, guard_middleware))
}

async fn guard_middleware(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let query = QueryToken::split(request.uri().query().unwrap_or_default());
    let mut response = match guard.check_source(&request, &query) {
        Ok(host) => guard.authorize(&host, &query, request, next).await,
        Err(error) => error.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

impl Guard {
    pub(super) fn new(hosts: Arc<ServerHosts>, token: Option<AccessToken>) -> Self {
        Self { hosts, token, pairing: None }
    }

    pub(super) fn with_pairing(self, pairing: Arc<Pairing>) -> Self {
        Self { pairing: Some(pairing), ..self }
    }

    async fn authorize(&self, host: &str, query: &QueryToken, request: Request, next: Next) -> Response {
        let cookie = Cookie::for_host(host, self.hosts.is_secure());
        let credential = self.credential(&request, &cookie, query);
        if let Err(error) = self.check_change(&request, host, credential) {
            return error.into_response();
        }
        let Some(credential) = credential else {
            return self.refuse(request, &cookie, query.token.is_some()).await;
        };
        if let Some(peer) = peer_of(&request) {
            peer.connection.mark_authenticated();
        }
        if credential == Credential::Query && is_navigation(&request) {
            return self.redirect_without_token(host, &request, &query.rest, &cookie);
        }
        // A device that is paired already may submit another code.
        let is_repeated_pairing = self.pairing.is_some() && is_pair_request(&request);
        if is_repeated_pairing { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await }
    }

    fn credential(&self, request: &Request, cookie: &Cookie, query: &QueryToken) -> Option<Credential> {
        let Some(token) = &self.token else { return Some(Credential::NotRequired) };
        let headers = request.headers();
        if bearer_token(headers).is_some_and(|sent| token.matches(sent)) {
            return Some(Credential::Header);
        }
        if query.matches(token) {
            return Some(Credential::Query);
        }
        let is_paired =
            |pairing: &Arc<Pairing>| pairing.is_paired(cookie, headers, peer_of(request).map(|peer| &peer.connection));
        let has_cookie =
            cookie.values_in(headers).any(|sent| token.matches(sent)) || self.pairing.as_ref().is_some_and(is_paired);
        has_cookie.then_some(Credential::Cookie)
    }

    async fn refuse(&self, request: Request, cookie: &Cookie, has_token: bool) -> Response {
        match (&self.pairing, peer_of(&request).cloned()) {
            (Some(pairing), Some(peer)) => pairing.respond_unpaired(request, cookie, &peer).await,
            _ if is_navigation(&request) => token::token_page(has_token),
            _ => token::unauthorized().into_response(),
        }
    }

    /// Sets the cookie and removes the token from the address bar.
    fn redirect_without_token(&self, host: &str, request: &Request, query: &str, cookie: &Cookie) -> Response {
        let separator = if query.is_empty() { "" } else { "?" };
        let location = format!("{}{}{separator}{query}", self.hosts.origin_of(host), request.uri().path());
        let token = self.token.as_ref().map_or("", AccessToken::as_str);
        let set_cookie = (header::SET_COOKIE, cookie.set_for_session(token));
        if is_cross_site(request) {
            return ([set_cookie], token::redirect_page(&location)).into_response();
        }
        (StatusCode::SEE_OTHER, [(header::LOCATION, location), set_cookie]).into_response()
    }

    /// Returns the host of a request that does not come from a page of another site.
    fn check_source(&self, request: &Request, query: &QueryToken) -> Result<String, HttpError> {
        let headers = request.headers();
        let host = self.host_of(request)?;
        let own = self.hosts.origin_of(&host);
        let origin = single_header(headers, &header::ORIGIN)?;
        // Fails if the header is repeated: the checks below read the first one.
        single_header(headers, &FETCH_SITE)?;
        if origin.is_some_and(|origin| !origin.eq_ignore_ascii_case(&own)) {
            return Err(HttpError::forbidden("request from another page rejected"));
        }
        if is_cross_site(request) && !self.is_link_with_token(request, query) {
            let message = format!("request from another page rejected: enter {own}/ in the address bar");
            return Err(HttpError::forbidden(message));
        }
        Ok(host)
    }

    /// A link on another page, in a mail or in a terminal in the browser, to the address that holotape prints.
    fn is_link_with_token(&self, request: &Request, query: &QueryToken) -> bool {
        let is_right = self.token.as_ref().is_some_and(|token| query.matches(token));
        is_right && is_navigation(request) && !request.headers().contains_key(header::ORIGIN)
    }

    /// Current browsers send the origin of every request that changes data; old ones may not. A program that sends the token
    /// itself needs none.
    fn check_change(&self, request: &Request, host: &str, credential: Option<Credential>) -> Result<(), HttpError> {
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
        let is_program = matches!(credential, Some(Credential::Header | Credential::Query));
        let headers = request.headers();
        let is_own_page =
            headers.contains_key(header::ORIGIN) || single_header(headers, &FETCH_SITE)? == Some("same-origin");
        if changes && !is_program && !is_own_page {
            let message = format!("missing origin: send the header `Origin: {}`", self.hosts.origin_of(host));
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

/// Whether a browser sends the request for a page of another site.
fn is_cross_site(request: &Request) -> bool {
    let site = request.headers().get(&FETCH_SITE);
    site.is_some_and(|site| site != "same-origin" && site != "none")
}

/// Whether a browser would display the response as a page.
pub(super) fn is_navigation(request: &Request) -> bool {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let is_page = match header("sec-fetch-mode") {
        Some(mode) => mode == "navigate",
        None => header(header::ACCEPT.as_str()).is_some_and(|types| types.contains("text/html")),
    };
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    is_read && (is_page || request.uri().path() == "/")
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
