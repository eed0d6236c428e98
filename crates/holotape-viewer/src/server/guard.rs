//! Who is let in: the page that this server sent, and programs. No other page gets to a recording, and what is sent can do
//! nothing but what the page needs.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;

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

/// What the server is called by those who mean it.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    hosts: [String; 3],
    port: u16,
}

/// Lets a request in or refuses it.
pub(super) async fn keep(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut answer = match guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = HEADERS.map(|(name, value)| (name, HeaderValue::from_static(value)));
    answer.headers_mut().extend(headers);
    answer
}

impl Guard {
    pub(super) fn new(port: u16) -> Self {
        Self { hosts: ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}")), port }
    }

    fn check(&self, request: &Request) -> Result<(), Refusal> {
        let headers = request.headers();
        let host = self.host_of(request)?;
        let origin = only(headers, &header::ORIGIN)?;
        let site = only(headers, &HeaderName::from_static("sec-fetch-site"))?;
        if origin.is_some_and(|origin| !is_origin_of(origin, &host)) {
            return Err(Refusal::forbidden("another page may not ask for this"));
        }
        if site.is_some_and(|site| site != "same-origin" && site != "none") {
            let words = format!("another page led here: copy http://{host}/ into the address bar of the browser");
            return Err(Refusal::forbidden(words));
        }
        // Browsers say where a request comes from that changes something. One that does not say may be an old browser.
        let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
        if changes && origin.is_none() && site != Some("same-origin") {
            let words = format!("say where this comes from: a program may send the header Origin: http://{host}");
            return Err(Refusal::forbidden(words));
        }
        Ok(())
    }

    /// The name that the server was called by. A page elsewhere can have its own name lead here, but not another one.
    fn host_of(&self, request: &Request) -> Result<String, Refusal> {
        let host = only(request.headers(), &header::HOST)?.unwrap_or_default().to_ascii_lowercase();
        let authority = request.uri().authority().map(|authority| authority.as_str().to_ascii_lowercase());
        // Browsers leave out the port that is usual.
        let named = if self.port == 80 && !host.ends_with(":80") { format!("{host}:80") } else { host.clone() };
        let is_known = self.hosts.contains(&named);
        let words = match authority.filter(|authority| *authority != host) {
            None if is_known => return Ok(host),
            Some(authority) if is_known => format!("asked for {authority:?}, but the header Host says {host:?}"),
            _ => format!("this is not {host:?}: holotape answers to http://{} only", self.hosts[0]),
        };
        Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, words))
    }
}

fn is_origin_of(origin: &str, host: &str) -> bool {
    origin.strip_prefix("http://").is_some_and(|named| named.eq_ignore_ascii_case(host))
}

/// The value of a header that is there once, or not at all.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(HeaderValue::to_str), values.next()) {
        (None, _) => Ok(None),
        (Some(Ok(value)), None) => Ok(Some(value)),
        _ => Err(Refusal::new(StatusCode::BAD_REQUEST, format!("the header {name} makes no sense"))),
    }
}
