//! Who is let in and who is not: all that pairing decides, without a network and a clock.

use std::io;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use super::NewCodeReason;
use super::code::PairingCode;
use super::rate_limit::FailureLimiter;
use super::tokens::{PairedTokens, digest_of, random_token};

/// How long a code or a ticket is good.
pub(super) const CODE_LIFETIME: Duration = Duration::from_secs(10 * 60);

/// A short code is replaced after so many wrong tries.
const TRIES_PER_CODE: u32 = 5;

/// After so many, whoever made them, codes are long until somebody pairs.
const SHORT_TRIES: u32 = 10;

/// What comes of a try.
#[derive(Debug)]
pub(super) enum PairingOutcome {
    /// Somebody who brings this token is let in from now on.
    Paired(String),
    /// Wrong, for whatever reason; the next try is looked at after a while.
    Rejected(Duration),
    /// Not looked at.
    RateLimited(Duration),
}

/// Codes, tickets, and those who are in.
pub(super) struct PairingState {
    /// The code that counts; none if the system has no random numbers to make one of.
    code: Option<PairingCode>,
    code_made: Instant,
    /// Wrong tries at this code.
    wrong_at_code: u32,
    /// Wrong tries since somebody paired.
    wrong: u32,
    ticket: Option<([u8; 32], Instant)>,
    waits: FailureLimiter,
    sessions: PairedTokens,
}

impl PairingState {
    pub(super) fn new(now: Instant) -> io::Result<Self> {
        let code = Some(PairingCode::random(false)?);
        let (waits, sessions) = (FailureLimiter::default(), PairedTokens::default());
        Ok(Self { code, code_made: now, wrong_at_code: 0, wrong: 0, ticket: None, waits, sessions })
    }

    /// The code that counts.
    pub(super) fn code(&self) -> Option<&PairingCode> {
        self.code.as_ref()
    }

    /// How long it counts.
    pub(super) fn code_remaining(&self, now: Instant) -> Duration {
        (self.code_made + CODE_LIFETIME).saturating_duration_since(now)
    }

    /// Makes another code if this one is too old.
    pub(super) fn replace_if_expired(&mut self, now: Instant) -> Option<NewCodeReason> {
        self.code_remaining(now).is_zero().then(|| self.replace_code(now, NewCodeReason::Expired))
    }

    fn replace_code(&mut self, now: Instant, reason: NewCodeReason) -> NewCodeReason {
        // Whatever happens, the one before is no longer good.
        self.code = PairingCode::random(self.wrong >= SHORT_TRIES).ok();
        (self.code_made, self.wrong_at_code) = (now, 0);
        reason
    }

    /// Somebody has typed a code.
    pub(super) fn try_code(
        &mut self,
        now: Instant,
        address: IpAddr,
        typed: &str,
    ) -> (PairingOutcome, Option<NewCodeReason>) {
        let expired = self.replace_if_expired(now);
        let is_right = self.code.as_ref().is_some_and(|code| code.matches(typed));
        let is_long = self.code.as_ref().is_some_and(PairingCode::is_long);
        let wait = self.waits.retry_after(now, address);
        // A long code cannot be guessed. Who has it need not wait for what others did from the same address.
        let is_beyond_guessing = is_right && is_long;
        if !wait.is_zero() && !is_beyond_guessing {
            return (PairingOutcome::RateLimited(wait), expired);
        }
        if !is_right {
            return (self.reject(now, address), self.replace_after_failures(now).or(expired));
        }
        match self.issue_token() {
            Ok(verdict) => {
                self.wrong = 0;
                self.waits.reset(address);
                (verdict, Some(self.replace_code(now, NewCodeReason::Used)))
            }
            Err(_) => (PairingOutcome::Rejected(Duration::ZERO), expired),
        }
    }

    fn reject(&mut self, now: Instant, address: IpAddr) -> PairingOutcome {
        self.waits.record_failure(now, address);
        self.wrong = self.wrong.saturating_add(1);
        self.wrong_at_code = self.wrong_at_code.saturating_add(1);
        PairingOutcome::Rejected(self.waits.retry_after(now, address))
    }

    /// A long code stays: otherwise somebody could replace it faster than anybody types.
    fn replace_after_failures(&mut self, now: Instant) -> Option<NewCodeReason> {
        let is_long = self.code.as_ref().is_some_and(PairingCode::is_long);
        let is_worn = !is_long && self.wrong_at_code >= TRIES_PER_CODE;
        is_worn.then(|| self.replace_code(now, NewCodeReason::Guessed))
    }

    fn issue_token(&mut self) -> io::Result<PairingOutcome> {
        let token = random_token()?;
        self.sessions.add(&token);
        Ok(PairingOutcome::Paired(token))
    }

    /// Makes something that lets in a browser on this machine once, in place of a code. The one before is no longer good.
    pub(super) fn issue_one_time_token(&mut self, now: Instant) -> io::Result<String> {
        let ticket = random_token()?;
        self.ticket = Some((digest_of(&ticket), now));
        Ok(ticket)
    }

    /// Somebody brings a ticket. It has 256 bits: nobody needs to wait.
    pub(super) fn try_one_time_token(&mut self, now: Instant, address: IpAddr, brought: &str) -> PairingOutcome {
        let is_good = |(digest, made): &([u8; 32], Instant)| {
            *digest == digest_of(brought) && now.saturating_duration_since(*made) < CODE_LIFETIME
        };
        let refused = PairingOutcome::Rejected(Duration::ZERO);
        if !address.to_canonical().is_loopback() || self.ticket.take_if(|ticket| is_good(ticket)).is_none() {
            return refused;
        }
        self.issue_token().unwrap_or(refused)
    }

    /// Whether a token is of somebody who is in.
    pub(super) fn is_paired(&mut self, token: &str) -> bool {
        self.sessions.check_and_touch(token)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::server::pairing::code::{LONG_DIGITS, SHORT_DIGITS};

    const NONE: &str = "not a code";

    fn address(n: u32) -> IpAddr {
        IpAddr::from(0x0a00_0000_u32.wrapping_add(n).to_be_bytes())
    }

    fn digits(desk: &PairingState) -> u32 {
        desk.code().expect("a code").grouped().replace(' ', "").len() as u32
    }

    /// Guesses for a day, each address as often as it is let, and gives how many were looked at, and how likely one of them was
    /// right.
    fn guess_for_a_day(addresses: u32) -> (u64, f64) {
        let start = Instant::now();
        let mut desk = PairingState::new(start).unwrap();
        let (mut looked_at, mut hit) = (0, 0.0);
        for second in 0..24 * 60 * 60 {
            let now = start + Duration::from_secs(second);
            for n in 0..addresses {
                desk.replace_if_expired(now);
                let chance = 0.1_f64.powi(digits(&desk) as i32);
                match desk.try_code(now, address(n), NONE).0 {
                    PairingOutcome::Rejected(_) => (looked_at, hit) = (looked_at + 1, hit + chance),
                    PairingOutcome::RateLimited(_) => {}
                    PairingOutcome::Paired(_) => panic!("{NONE:?} was let in"),
                }
            }
        }
        (looked_at, hit)
    }

    #[test]
    fn a_day_of_guesses_is_next_to_nothing() {
        let (looked_at, hit) = guess_for_a_day(1);
        assert!((1000..1500).contains(&looked_at), "{looked_at}");
        assert!(hit < 1.1e-5, "{hit}");
        let (looked_at, hit) = guess_for_a_day(20);
        assert!((20_000..30_000).contains(&looked_at), "{looked_at}");
        assert!(hit < 1.1e-5, "more addresses are no better off: {hit}");
        // Nor is somebody with as many addresses as they like, who never waits.
        let most_a_day = 1e5 * 24.0 * 60.0 * 60.0;
        let all =
            f64::from(SHORT_TRIES) / 10_f64.powi(SHORT_DIGITS as i32) + most_a_day / 10_f64.powi(LONG_DIGITS as i32);
        assert!(all < 1.1e-5, "{all}");
    }

    /// The short codes that a day of guessing could ever have seen are those of ten tries.
    #[test]
    fn ten_wrong_tries_are_all_there_are_at_short_codes() {
        let now = Instant::now();
        let mut desk = PairingState::new(now).unwrap();
        let mut codes = HashSet::new();
        let mut short_tries = 0;
        for n in 0..1000 {
            if digits(&desk) == SHORT_DIGITS {
                short_tries += 1;
                codes.insert(desk.code().unwrap().grouped());
            }
            let (verdict, renewed) = desk.try_code(now, address(n), NONE);
            assert!(matches!(verdict, PairingOutcome::Rejected(_)));
            assert_eq!(renewed, ([4, 9].contains(&n)).then_some(NewCodeReason::Guessed), "{n}");
        }
        assert_eq!((short_tries, codes.len()), (SHORT_TRIES, 2));
    }

    #[test]
    fn nobody_locks_the_owner_out() {
        let start = Instant::now();
        let mut desk = PairingState::new(start).unwrap();
        let owner = address(0);
        // From the owner's own address, and all others, all the time.
        for second in 0..500 {
            let now = start + Duration::from_secs(second);
            (0..50).for_each(|n| drop(desk.try_code(now, address(n), NONE)));
        }
        let code = desk.code().unwrap().grouped();
        let now = start + Duration::from_secs(500);
        assert!(matches!(desk.try_code(now, owner, NONE).0, PairingOutcome::RateLimited(_)));
        assert_eq!(desk.code().unwrap().grouped(), code, "it stays while it is typed");
        let (verdict, renewed) = desk.try_code(now, owner, &code);
        assert!(matches!(verdict, PairingOutcome::Paired(_)) && renewed == Some(NewCodeReason::Used));
        assert_eq!(digits(&desk), SHORT_DIGITS);
    }

    #[test]
    fn tickets_are_for_this_machine() {
        let now = Instant::now();
        let mut desk = PairingState::new(now).unwrap();
        let ticket = desk.issue_one_time_token(now).unwrap();
        let is_in = |verdict| matches!(verdict, PairingOutcome::Paired(_));
        for elsewhere in ["192.168.1.31", "2001:db8::1", "::ffff:192.168.1.31", "0.0.0.0"] {
            assert!(!is_in(desk.try_one_time_token(now, elsewhere.parse().unwrap(), &ticket)), "{elsewhere}");
        }
        assert!(!is_in(desk.try_one_time_token(now, "::1".parse().unwrap(), "")));
        assert!(is_in(desk.try_one_time_token(now, "::1".parse().unwrap(), &ticket)));
        assert!(!is_in(desk.try_one_time_token(now, "::1".parse().unwrap(), &ticket)));
        let before = desk.issue_one_time_token(now).unwrap();
        desk.issue_one_time_token(now).unwrap();
        assert!(!is_in(desk.try_one_time_token(now, "127.0.0.1".parse().unwrap(), &before)));
    }
}
