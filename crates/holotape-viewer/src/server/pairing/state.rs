//! The pairing logic, without network and clock.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::NewCodeReason;
use super::code::PairingCode;
use super::device_connections::DeviceConnections;
use super::devices::PairedDevices;
use super::rate_limit::FailureLimiter;
use crate::server::connection::ConnectionState;
use crate::server::state_dir::DamagedFile;
use crate::server::token::random_hex;

/// Lifetime of codes.
pub(super) const CODE_LIFETIME: Duration = Duration::from_secs(10 * 60);

/// A short code is replaced after this many failed attempts.
const ATTEMPTS_PER_CODE: u32 = 5;

/// After this many failed attempts from all addresses, codes are long until a device pairs.
const SHORT_CODE_ATTEMPTS: u32 = 10;

#[derive(Debug)]
pub(super) enum PairingOutcome {
    /// The device authenticates with this token from now on.
    Paired(String),
    /// Wrong code. The next attempt is checked after this time.
    Rejected(Duration),
    /// Not checked; try again after this time.
    RateLimited(Duration),
}

/// A device that tries to pair.
pub(super) struct PairingClient<'a> {
    pub(super) address: IpAddr,
    pub(super) user_agent: &'a str,
}

pub(super) struct PairingState {
    /// The current code; `None` if the random number generator failed.
    code: Option<PairingCode>,
    code_made: Instant,
    /// Failed attempts at this code.
    code_failures: u32,
    /// Failed attempts since the last pairing.
    failures: u32,
    limiter: FailureLimiter,
    devices: PairedDevices,
    connections: DeviceConnections,
}

impl PairingState {
    pub(super) fn new(now: Instant, devices: PairedDevices) -> io::Result<Self> {
        let code = Some(PairingCode::random(false)?);
        Ok(Self {
            code,
            code_made: now,
            code_failures: 0,
            failures: 0,
            limiter: FailureLimiter::default(),
            devices,
            connections: DeviceConnections::default(),
        })
    }

    pub(super) fn code(&self) -> Option<&PairingCode> {
        self.code.as_ref()
    }

    pub(super) fn code_remaining(&self, now: Instant) -> Duration {
        (self.code_made + CODE_LIFETIME).saturating_duration_since(now)
    }

    pub(super) fn replace_if_expired(&mut self, now: Instant) -> Option<NewCodeReason> {
        self.code_remaining(now).is_zero().then(|| self.replace_code(now, NewCodeReason::Expired))
    }

    fn replace_code(&mut self, now: Instant, reason: NewCodeReason) -> NewCodeReason {
        // Invalidates the previous code even if this fails.
        self.code = PairingCode::random(self.failures >= SHORT_CODE_ATTEMPTS).ok();
        (self.code_made, self.code_failures) = (now, 0);
        reason
    }

    /// Also returns why the code was replaced, if it was.
    pub(super) fn try_code(
        &mut self,
        now: Instant,
        client: &PairingClient<'_>,
        typed: &str,
    ) -> (PairingOutcome, Option<NewCodeReason>) {
        let address = client.address;
        let expired = self.replace_if_expired(now);
        let is_right = self.code.as_ref().is_some_and(|code| code.matches(typed));
        let is_long = self.code.as_ref().is_some_and(PairingCode::is_long);
        let wait = self.limiter.retry_after(now, address);
        // A long code cannot be guessed, so it is accepted despite failures from the same address.
        if !(wait.is_zero() || is_right && is_long) {
            return (PairingOutcome::RateLimited(wait), expired);
        }
        if !is_right {
            return (self.reject(now, address), self.replace_after_failures(now).or(expired));
        }
        match self.pair(client) {
            Ok(outcome) => {
                self.failures = 0;
                self.limiter.reset(address);
                (outcome, Some(self.replace_code(now, NewCodeReason::Used)))
            }
            Err(_) => (PairingOutcome::Rejected(Duration::ZERO), expired),
        }
    }

    fn reject(&mut self, now: Instant, address: IpAddr) -> PairingOutcome {
        self.limiter.record_failure(now, address);
        self.failures = self.failures.saturating_add(1);
        self.code_failures = self.code_failures.saturating_add(1);
        PairingOutcome::Rejected(self.limiter.retry_after(now, address))
    }

    /// Keeps long codes: otherwise an attacker could replace them faster than the owner types.
    fn replace_after_failures(&mut self, now: Instant) -> Option<NewCodeReason> {
        let is_long = self.code.as_ref().is_some_and(PairingCode::is_long);
        let is_exhausted = !is_long && self.code_failures >= ATTEMPTS_PER_CODE;
        is_exhausted.then(|| self.replace_code(now, NewCodeReason::Guessed))
    }

    fn pair(&mut self, client: &PairingClient<'_>) -> holotape::Result<PairingOutcome> {
        let token = random_hex()?;
        self.devices.add(&token, client.address, client.user_agent)?;
        Ok(PairingOutcome::Paired(token))
    }

    /// Whether a token is that of a paired device. Its connection is closed when the device is revoked.
    pub(super) fn is_paired(&mut self, token: &str, connection: Option<&Arc<ConnectionState>>) -> bool {
        let Some(id) = self.devices.check_and_touch(token) else { return false };
        connection.iter().for_each(|connection| self.connections.add(&id, connection));
        true
    }

    /// Closes the connections of revoked devices. Returns the list of devices if it is damaged.
    pub(super) fn apply_revocations(&mut self) -> Option<DamagedFile> {
        self.devices.refresh();
        self.connections.close_unpaired(|id| self.devices.has_id(id));
        self.devices.take_damaged()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::server::pairing::code::{LONG_DIGITS, SHORT_DIGITS};

    const WRONG: &str = "not a code";

    fn client(n: u32) -> PairingClient<'static> {
        let address = IpAddr::from(0x0a00_0000_u32.wrapping_add(n).to_be_bytes());
        PairingClient { address, user_agent: "" }
    }

    fn digits(state: &PairingState) -> u32 {
        state.code().expect("a code").grouped().replace(' ', "").len() as u32
    }

    /// Simulates a day of guessing at the maximum rate. Returns how many attempts were checked, and the probability that one was
    /// right.
    fn guess_for_a_day(addresses: u32) -> (u64, f64) {
        let start = Instant::now();
        let mut state = PairingState::new(start, PairedDevices::default()).unwrap();
        let (mut checked, mut probability) = (0, 0.0);
        for second in 0..24 * 60 * 60 {
            let now = start + Duration::from_secs(second);
            for n in 0..addresses {
                state.replace_if_expired(now);
                let chance = 0.1_f64.powi(digits(&state) as i32);
                match state.try_code(now, &client(n), WRONG).0 {
                    PairingOutcome::Rejected(_) => (checked, probability) = (checked + 1, probability + chance),
                    PairingOutcome::RateLimited(_) => {}
                    PairingOutcome::Paired(_) => panic!("{WRONG:?} was accepted"),
                }
            }
        }
        (checked, probability)
    }

    #[test]
    fn guessing_for_a_day_succeeds_with_negligible_probability() {
        let (checked, probability) = guess_for_a_day(1);
        assert!((1000..1500).contains(&checked), "{checked}");
        assert!(probability < 1.1e-5, "{probability}");
        let (checked, probability) = guess_for_a_day(20);
        assert!((20_000..30_000).contains(&checked), "{checked}");
        assert!(probability < 1.1e-5, "more addresses do not help: {probability}");
        // An attacker with unlimited addresses never waits.
        let max_per_day = 1e5 * 24.0 * 60.0 * 60.0;
        let all = f64::from(SHORT_CODE_ATTEMPTS) / 10_f64.powi(SHORT_DIGITS as i32)
            + max_per_day / 10_f64.powi(LONG_DIGITS as i32);
        assert!(all < 1.1e-5, "{all}");
    }

    #[test]
    fn short_codes_allow_ten_failed_attempts() {
        let now = Instant::now();
        let mut state = PairingState::new(now, PairedDevices::default()).unwrap();
        let mut codes = HashSet::new();
        let mut short_attempts = 0;
        for n in 0..1000 {
            if digits(&state) == SHORT_DIGITS {
                short_attempts += 1;
                codes.insert(state.code().unwrap().grouped());
            }
            let (outcome, renewed) = state.try_code(now, &client(n), WRONG);
            assert!(matches!(outcome, PairingOutcome::Rejected(_)));
            assert_eq!(renewed, ([4, 9].contains(&n)).then_some(NewCodeReason::Guessed), "{n}");
        }
        assert_eq!((short_attempts, codes.len()), (SHORT_CODE_ATTEMPTS, 2));
    }

    #[test]
    fn failed_attempts_do_not_lock_the_owner_out() {
        let start = Instant::now();
        let mut state = PairingState::new(start, PairedDevices::default()).unwrap();
        let owner = client(0);
        // From the owner's address and others, continuously.
        for second in 0..500 {
            let now = start + Duration::from_secs(second);
            (0..50).for_each(|n| drop(state.try_code(now, &client(n), WRONG)));
        }
        let code = state.code().unwrap().grouped();
        let now = start + Duration::from_secs(500);
        assert!(matches!(state.try_code(now, &owner, WRONG).0, PairingOutcome::RateLimited(_)));
        assert_eq!(state.code().unwrap().grouped(), code, "a long code is not replaced");
        let (outcome, renewed) = state.try_code(now, &owner, &code);
        assert!(matches!(outcome, PairingOutcome::Paired(_)) && renewed == Some(NewCodeReason::Used));
        assert_eq!(digits(&state), SHORT_DIGITS);
    }
}
