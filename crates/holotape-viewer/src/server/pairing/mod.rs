//! Pairing: a device gets a token for the code on the terminal. Other devices get only the page that prompts for the code.

mod code;
mod device_connections;
mod devices;
mod page;
mod rate_limit;
mod state;

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::time::{Duration, Instant};

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::header::{HeaderMap, HeaderValue, RETRY_AFTER, SET_COOKIE, USER_AGENT};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::time::timeout;

pub use self::devices::{PairedDevice, PairedDevices};

use self::state::{PairingClient, PairingOutcome, PairingState};
use super::connection::{ConnectionState, Peer};
use super::cookie::Cookie;
use super::guard::is_navigation;
use super::state_dir::DamagedFile;
use crate::http_error::HttpError;

/// Receives codes.
const PATH: &str = "/pair";

const MAX_REQUEST_BYTES: usize = 1 << 10;

/// How often the list of devices is checked for changes.
const REVOCATION_INTERVAL: Duration = Duration::from_secs(1);

/// An event of a [`LanServer`](crate::LanServer).
///
/// ```
/// use holotape_viewer::{LanEvent, NewCodeReason};
///
/// let event = LanEvent::NewCode { code: "482 913".to_owned(), reason: NewCodeReason::Expired };
/// assert!(matches!(event, LanEvent::NewCode { code, .. } if code == "482 913"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LanEvent {
    /// A device was paired.
    Paired {
        /// Address of the device.
        address: IpAddr,
    },
    /// A new code replaced the previous one.
    NewCode {
        /// The code in groups of digits.
        code: String,
        /// Why the previous code was replaced.
        reason: NewCodeReason,
    },
    /// The list of paired devices could not be read, so all devices must pair again.
    DevicesDamaged(DamagedFile),
}

/// Why a pairing code was replaced.
///
/// ```
/// assert_ne!(holotape_viewer::NewCodeReason::Used, holotape_viewer::NewCodeReason::Guessed);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewCodeReason {
    /// A device was paired with it.
    Used,
    /// It was 10 minutes old.
    Expired,
    /// Too many failed attempts.
    Guessed,
}

pub(super) type Clock = Arc<dyn Fn() -> Instant + Send + Sync>;

pub(super) struct Pairing {
    state: Mutex<PairingState>,
    clock: Clock,
    body_timeout: Duration,
    events: OnceLock<mpsc::Sender<LanEvent>>,
}

/// Body of `POST /pair`.
#[derive(Default, Deserialize)]
#[serde(default)]
struct PairRequest {
    code: String,
}

impl Pairing {
    pub(super) fn new(clock: Clock, devices: PairedDevices, body_timeout: Duration) -> io::Result<Self> {
        let state = Mutex::new(PairingState::new(clock(), devices)?);
        Ok(Self { state, clock, body_timeout, events: OnceLock::new() })
    }

    fn state(&self) -> MutexGuard<'_, PairingState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The current code in groups of digits.
    pub(super) fn code(&self) -> String {
        self.state().code().map(code::PairingCode::grouped).unwrap_or_default()
    }

    /// Has no effect after the first call.
    pub(super) fn set_event_sender(&self, events: mpsc::Sender<LanEvent>) {
        self.events.set(events).ok();
    }

    /// Replaces expired codes. Never returns.
    pub(super) async fn replace_expired(&self) {
        loop {
            let remaining = self.state().code_remaining((self.clock)());
            tokio::time::sleep(remaining).await;
            let replaced = self.state().replace_if_expired((self.clock)());
            self.announce_code(replaced);
        }
    }

    /// Closes the connections of devices that another process revokes. Never returns.
    pub(super) async fn watch_devices(&self) {
        loop {
            let damaged = self.state().apply_revocations();
            if let Some(damaged) = damaged {
                self.send_event(LanEvent::DevicesDamaged(damaged));
            }
            tokio::time::sleep(REVOCATION_INTERVAL).await;
        }
    }

    /// Whether a request over a connection comes from a paired device.
    pub(super) fn is_paired(
        &self,
        cookie: &Cookie,
        headers: &HeaderMap,
        connection: Option<&Arc<ConnectionState>>,
    ) -> bool {
        let mut state = self.state();
        cookie.values_in(headers).any(|token| state.is_paired(token, connection))
    }

    /// The response to a device that is not paired.
    pub(super) async fn respond_unpaired(&self, request: Request, cookie: &Cookie, peer: &Peer) -> Response {
        if is_pair_request(&request) {
            return self.handle_pair_request(request, cookie, peer.address).await;
        }
        if is_navigation(&request) { page::code_prompt_page() } else { unauthorized().into_response() }
    }

    async fn handle_pair_request(&self, request: Request, cookie: &Cookie, address: IpAddr) -> Response {
        let (head, body) = request.into_parts();
        let user_agent = head.headers.get(USER_AGENT).and_then(|name| name.to_str().ok()).unwrap_or_default();
        // Needed on connections that have sent a valid token before: these have no other time limit.
        let Ok(bytes) = timeout(self.body_timeout, to_bytes(body, MAX_REQUEST_BYTES)).await else {
            return HttpError::body_timeout().into_response();
        };
        // A malformed request counts as a wrong code.
        let bytes = bytes.unwrap_or_default();
        let PairRequest { code } = serde_json::from_slice(&bytes).unwrap_or_default();
        let client = PairingClient { address, user_agent };
        let (outcome, replaced) = self.state().try_code((self.clock)(), &client, &code);
        if matches!(outcome, PairingOutcome::Paired(_)) {
            self.send_event(LanEvent::Paired { address });
        }
        self.announce_code(replaced);
        to_response(outcome, cookie)
    }

    fn announce_code(&self, replaced: Option<NewCodeReason>) {
        if let Some(reason) = replaced {
            self.send_event(LanEvent::NewCode { code: self.code(), reason });
        }
    }

    fn send_event(&self, event: LanEvent) {
        // Events without a receiver are dropped.
        self.events.get().map(|sender| sender.send(event));
    }
}

impl fmt::Debug for Pairing {
    /// Omits secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pairing").finish_non_exhaustive()
    }
}

pub(super) fn is_pair_request(request: &Request) -> bool {
    request.method() == Method::POST && request.uri().path() == PATH
}

fn to_response(outcome: PairingOutcome, cookie: &Cookie) -> Response {
    match outcome {
        PairingOutcome::Paired(token) => {
            (StatusCode::NO_CONTENT, [(SET_COOKIE, cookie.set_for_device(&token))]).into_response()
        }
        PairingOutcome::Rejected(wait) => with_retry_after(unauthorized(), wait),
        PairingOutcome::RateLimited(wait) => {
            let message = format!("too many wrong codes: wait {} s", whole_secs(wait));
            with_retry_after(HttpError::new(StatusCode::TOO_MANY_REQUESTS, message), wait)
        }
    }
}

/// The same for every reason, so that an attacker learns nothing.
fn unauthorized() -> HttpError {
    HttpError::new(StatusCode::UNAUTHORIZED, "not paired: enter the code that holotape prints on its terminal")
}

fn with_retry_after(error: HttpError, wait: Duration) -> Response {
    let mut response = error.into_response();
    if !wait.is_zero() {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(whole_secs(wait)));
    }
    response
}

/// Rounds up, so that the client does not retry too early.
fn whole_secs(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use super::super::stream::pipe;
    use super::*;

    #[tokio::test]
    async fn pairing_request_that_stalls_times_out() {
        let devices = PairedDevices::load(None).unwrap();
        let pairing = Pairing::new(Arc::new(Instant::now), devices, Duration::ZERO).unwrap();
        // A body whose sender sends nothing.
        let (_sender, body) = pipe();
        let request = Request::post(PATH).body(body.into_body(1)).unwrap();
        let peer = Peer::at([192, 168, 1, 2].into());
        let response = pairing.respond_unpaired(request, &Cookie::for_host("localhost:8443", true), &peer).await;
        assert_eq!(response.status(), StatusCode::REQUEST_TIMEOUT);
    }
}
