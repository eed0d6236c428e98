//! Pairing: whoever can read the terminal lets a headset in. Without that, nobody gets anything but the page that asks for the code.

mod code;
mod page;
mod rate_limit;
mod state;
mod tokens;

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::time::{Duration, Instant};

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::header::{ACCEPT, HeaderMap, HeaderValue, RETRY_AFTER, SET_COOKIE};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use self::state::{PairingOutcome, PairingState};
use self::tokens::Cookie;
use super::listener::Peer;
use crate::http_error::HttpError;

/// Where a code or a ticket is brought.
const PATH: &str = "/pair";

/// More than a code and a ticket have to say.
const MAX_BYTES: usize = 1 << 10;

/// What happens while a server waits for headsets.
///
/// ```
/// use holotape_viewer::{NewCodeReason, LanEvent};
///
/// let news = LanEvent::NewCode { code: "482 913".to_owned(), reason: NewCodeReason::Expired };
/// assert!(matches!(news, LanEvent::NewCode { code, .. } if code == "482 913"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LanEvent {
    /// A device was let in.
    Paired {
        /// Where it is.
        address: IpAddr,
    },
    /// Another code counts now, and the one before does not.
    NewCode {
        /// As it is to be shown: in groups of digits.
        code: String,
        /// Why there is another.
        reason: NewCodeReason,
    },
}

/// Why there is another code.
///
/// ```
/// assert_ne!(holotape_viewer::NewCodeReason::Used, holotape_viewer::NewCodeReason::Guessed);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewCodeReason {
    /// The one before has let a device in.
    Used,
    /// The one before was ten minutes old.
    Expired,
    /// Somebody was wrong too often.
    Guessed,
}

/// Tells what time it is.
pub(super) type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

/// The pairing of a server.
pub(super) struct Pairing {
    desk: Mutex<PairingState>,
    clock: Clock,
    cookie: Cookie,
    news: OnceLock<mpsc::Sender<LanEvent>>,
}

/// What a device says to be let in.
#[derive(Default, Deserialize)]
#[serde(default)]
struct PairRequest {
    code: String,
    ticket: Option<String>,
}

impl Pairing {
    pub(super) fn new(port: u16, clock: Clock) -> io::Result<Self> {
        let desk = Mutex::new(PairingState::new(clock())?);
        Ok(Self { desk, clock, cookie: Cookie::for_port(port), news: OnceLock::new() })
    }

    fn desk(&self) -> MutexGuard<'_, PairingState> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The code that counts, in groups of digits.
    pub(super) fn code(&self) -> String {
        self.desk().code().map(code::PairingCode::grouped).unwrap_or_default()
    }

    pub(super) fn make_ticket(&self) -> io::Result<String> {
        self.desk().issue_one_time_token((self.clock)())
    }

    /// Whoever wants to hear of what happens. The first who asks is told.
    pub(super) fn set_event_sender(&self, news: mpsc::Sender<LanEvent>) {
        self.news.set(news).ok();
    }

    /// Replaces codes that nobody uses, for ever.
    pub(super) async fn replace_expired(&self) {
        loop {
            let left = self.desk().code_remaining((self.clock)());
            tokio::time::sleep(left).await;
            let renewed = self.desk().replace_if_expired((self.clock)());
            self.announce_code(renewed);
        }
    }

    /// Whether a request comes from somebody who is in.
    pub(super) fn knows(&self, headers: &HeaderMap) -> bool {
        let mut desk = self.desk();
        self.cookie.values_in(headers).any(|token| desk.is_paired(token))
    }

    /// What somebody gets who is not in.
    pub(super) async fn respond_unpaired(&self, request: Request, peer: &Peer) -> Response {
        if is_pair_request(&request) {
            return self.handle_pair_request(request, peer.address).await;
        }
        if is_navigation(&request) { page::code_prompt_page() } else { unauthorized().into_response() }
    }

    async fn handle_pair_request(&self, request: Request, address: IpAddr) -> Response {
        // What cannot be read is a wrong code like any other.
        let bytes = to_bytes(request.into_body(), MAX_BYTES).await.unwrap_or_default();
        let application: PairRequest = serde_json::from_slice(&bytes).unwrap_or_default();
        let now = (self.clock)();
        let (verdict, renewed) = match &application.ticket {
            Some(ticket) => (self.desk().try_one_time_token(now, address, ticket), None),
            None => self.desk().try_code(now, address, &application.code),
        };
        if matches!(verdict, PairingOutcome::Paired(_)) {
            self.send_event(LanEvent::Paired { address });
        }
        self.announce_code(renewed);
        self.to_response(verdict)
    }

    fn to_response(&self, verdict: PairingOutcome) -> Response {
        match verdict {
            PairingOutcome::Paired(token) => {
                (StatusCode::NO_CONTENT, [(SET_COOKIE, self.cookie.with(&token))]).into_response()
            }
            PairingOutcome::Rejected(wait) => with_retry_after(unauthorized(), wait),
            PairingOutcome::RateLimited(wait) => {
                let message = format!("too many wrong codes from here: wait {} s", whole_secs(wait));
                with_retry_after(HttpError::new(StatusCode::TOO_MANY_REQUESTS, message), wait)
            }
        }
    }

    fn announce_code(&self, renewed: Option<NewCodeReason>) {
        if let Some(reason) = renewed {
            self.send_event(LanEvent::NewCode { code: self.code(), reason });
        }
    }

    fn send_event(&self, news: LanEvent) {
        // If nobody listens, nobody wants to know.
        self.news.get().map(|listener| listener.send(news));
    }
}

impl fmt::Debug for Pairing {
    /// Without any secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pairing").finish_non_exhaustive()
    }
}

/// Whether somebody brings a code or a ticket.
pub(super) fn is_pair_request(request: &Request) -> bool {
    request.method() == Method::POST && request.uri().path() == PATH
}

/// Whether a person would see the answer as a page.
fn is_navigation(request: &Request) -> bool {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let is_asked_for = match header("sec-fetch-mode") {
        Some(mode) => mode == "navigate",
        None => header(ACCEPT.as_str()).is_some_and(|kinds| kinds.contains("text/html")),
    };
    let is_look = matches!(*request.method(), Method::GET | Method::HEAD);
    is_look && (is_asked_for || request.uri().path() == "/")
}

/// The same for every reason there is: who guesses learns nothing.
fn unauthorized() -> HttpError {
    HttpError::new(StatusCode::UNAUTHORIZED, "type the code that holotape shows on its terminal now")
}

fn with_retry_after(refusal: HttpError, wait: Duration) -> Response {
    let mut answer = refusal.into_response();
    if !wait.is_zero() {
        answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(whole_secs(wait)));
    }
    answer
}

/// Not a moment too early.
fn whole_secs(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}
