//! Who is let in and who is not: all that pairing decides, without a network and a clock.

use std::io;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use super::CodeReason;
use super::code::Code;
use super::sessions::{Sessions, digest_of, random_token};
use super::waits::Waits;

/// How long a code or a ticket is good.
pub(super) const LIFETIME: Duration = Duration::from_secs(10 * 60);

/// A short code is replaced after so many wrong tries.
const TRIES_PER_CODE: u32 = 5;

/// After so many, whoever made them, codes are long until somebody pairs.
const SHORT_TRIES: u32 = 10;

/// What comes of a try.
#[derive(Debug)]
pub(super) enum Verdict {
    /// Somebody who brings this token is let in from now on.
    In(String),
    /// Wrong, for whatever reason; the next try is looked at after a while.
    Refused(Duration),
    /// Not looked at.
    Waits(Duration),
}

/// Codes, tickets, and those who are in.
pub(super) struct Desk {
    /// The code that counts; none if the system has no random numbers to make one of.
    code: Option<Code>,
    code_made: Instant,
    /// Wrong tries at this code.
    wrong_at_code: u32,
    /// Wrong tries since somebody paired.
    wrong: u32,
    ticket: Option<([u8; 32], Instant)>,
    waits: Waits,
    sessions: Sessions,
}

impl Desk {
    pub(super) fn new(now: Instant) -> io::Result<Self> {
        let code = Some(Code::random(false)?);
        let (waits, sessions) = (Waits::default(), Sessions::default());
        Ok(Self { code, code_made: now, wrong_at_code: 0, wrong: 0, ticket: None, waits, sessions })
    }

    /// The code that counts.
    pub(super) fn code(&self) -> Option<&Code> {
        self.code.as_ref()
    }

    /// How long it counts.
    pub(super) fn code_left(&self, now: Instant) -> Duration {
        (self.code_made + LIFETIME).saturating_duration_since(now)
    }

    /// Makes another code if this one is too old.
    pub(super) fn tick(&mut self, now: Instant) -> Option<CodeReason> {
        self.code_left(now).is_zero().then(|| self.renew(now, CodeReason::Expired))
    }

    fn renew(&mut self, now: Instant, reason: CodeReason) -> CodeReason {
        // Whatever happens, the one before is no longer good.
        self.code = Code::random(self.wrong >= SHORT_TRIES).ok();
        (self.code_made, self.wrong_at_code) = (now, 0);
        reason
    }

    /// Somebody has typed a code.
    pub(super) fn try_code(&mut self, now: Instant, address: IpAddr, typed: &str) -> (Verdict, Option<CodeReason>) {
        let expired = self.tick(now);
        let is_right = self.code.as_ref().is_some_and(|code| code.is(typed));
        let is_long = self.code.as_ref().is_some_and(Code::is_long);
        let wait = self.waits.left(now, address);
        // A long code cannot be guessed. Who has it need not wait for what others did from the same address.
        if !wait.is_zero() && !(is_right && is_long) {
            return (Verdict::Waits(wait), expired);
        }
        if !is_right {
            return (self.refuse(now, address), self.replace_after_guesses(now).or(expired));
        }
        match self.let_in() {
            Ok(verdict) => {
                self.wrong = 0;
                self.waits.forgive(address);
                (verdict, Some(self.renew(now, CodeReason::Used)))
            }
            Err(_) => (Verdict::Refused(Duration::ZERO), expired),
        }
    }

    fn refuse(&mut self, now: Instant, address: IpAddr) -> Verdict {
        self.waits.note(now, address);
        self.wrong = self.wrong.saturating_add(1);
        self.wrong_at_code = self.wrong_at_code.saturating_add(1);
        Verdict::Refused(self.waits.left(now, address))
    }

    /// A long code stays: otherwise somebody could replace it faster than anybody types.
    fn replace_after_guesses(&mut self, now: Instant) -> Option<CodeReason> {
        let is_long = self.code.as_ref().is_some_and(Code::is_long);
        let is_worn = !is_long && self.wrong_at_code >= TRIES_PER_CODE;
        is_worn.then(|| self.renew(now, CodeReason::Guessed))
    }

    fn let_in(&mut self) -> io::Result<Verdict> {
        let token = random_token()?;
        self.sessions.add(&token);
        Ok(Verdict::In(token))
    }

    /// Makes something that lets in a browser on this machine once, in place of a code. The one before is no longer good.
    pub(super) fn make_ticket(&mut self, now: Instant) -> io::Result<String> {
        let ticket = random_token()?;
        self.ticket = Some((digest_of(&ticket), now));
        Ok(ticket)
    }

    /// Somebody brings a ticket. It has 256 bits: nobody needs to wait.
    pub(super) fn try_ticket(&mut self, now: Instant, address: IpAddr, brought: &str) -> Verdict {
        let is_good = |(digest, made): &([u8; 32], Instant)| {
            *digest == digest_of(brought) && now.saturating_duration_since(*made) < LIFETIME
        };
        let refused = Verdict::Refused(Duration::ZERO);
        if !address.to_canonical().is_loopback() || self.ticket.take_if(|ticket| is_good(ticket)).is_none() {
            return refused;
        }
        self.let_in().unwrap_or(refused)
    }

    /// Whether a token is of somebody who is in.
    pub(super) fn knows(&mut self, token: &str) -> bool {
        self.sessions.include(token)
    }
}
