//! Rate limits for failed pairing attempts, per address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use crate::server::connection::network_of;

/// Failed attempts without a delay.
const FREE_ATTEMPTS: u32 = 3;

const MAX_WAIT: Duration = Duration::from_secs(60);

/// An address without attempts for this long has no failures.
const RESET_AFTER: Duration = Duration::from_secs(60 * 60);

/// An attacker with more addresses is limited by the length of the codes instead.
const MAX_ADDRESSES: usize = 1024;

#[derive(Debug, Default)]
pub(super) struct FailureLimiter(HashMap<IpAddr, FailedAttempts>);

#[derive(Clone, Copy, Debug)]
struct FailedAttempts {
    count: u32,
    last: Instant,
}

impl FailedAttempts {
    /// 2 s after the third failure, doubled with each further one.
    fn wait(self) -> Duration {
        match self.count.checked_sub(FREE_ATTEMPTS) {
            Some(more) => MAX_WAIT.min(Duration::from_secs(2_u64.saturating_pow(more.saturating_add(1)))),
            None => Duration::ZERO,
        }
    }
}

impl FailureLimiter {
    /// Time until this address may try again.
    pub(super) fn retry_after(&self, now: Instant, address: IpAddr) -> Duration {
        let attempts = self.0.get(&network_of(address));
        attempts.map_or(Duration::ZERO, |attempts| (attempts.last + attempts.wait()).saturating_duration_since(now))
    }

    pub(super) fn record_failure(&mut self, now: Instant, address: IpAddr) {
        self.0.retain(|_, attempts| now.saturating_duration_since(attempts.last) < RESET_AFTER);
        let key = network_of(address);
        if self.0.len() >= MAX_ADDRESSES && !self.0.contains_key(&key) {
            let oldest = self.0.iter().min_by_key(|(_, attempts)| attempts.last).map(|(key, _)| *key);
            oldest.and_then(|oldest| self.0.remove(&oldest));
        }
        let attempts = self.0.entry(key).or_insert(FailedAttempts { count: 0, last: now });
        *attempts = FailedAttempts { count: attempts.count.saturating_add(1), last: now };
    }

    pub(super) fn reset(&mut self, address: IpAddr) {
        self.0.remove(&network_of(address));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn waits_double_and_expire() {
        let (mut limiter, start) = (FailureLimiter::default(), Instant::now());
        let headset = address("192.168.1.31");
        let secs: Vec<_> = (0..12)
            .map(|_| {
                limiter.record_failure(start, headset);
                limiter.retry_after(start, headset).as_secs()
            })
            .collect();
        assert_eq!(secs, [0, 0, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]);
        assert_eq!(limiter.retry_after(start + Duration::from_secs(59), headset), Duration::from_secs(1));
        assert_eq!(limiter.retry_after(start + MAX_WAIT, headset), Duration::ZERO);
        assert_eq!(limiter.retry_after(start, address("192.168.1.32")), Duration::ZERO);
        limiter.record_failure(start + RESET_AFTER, headset);
        assert_eq!(limiter.retry_after(start + RESET_AFTER, headset), Duration::ZERO);
    }

    #[test]
    fn ipv6_network_counts_as_one_address() {
        let (mut limiter, now) = (FailureLimiter::default(), Instant::now());
        for last in 1..=4 {
            limiter.record_failure(now, address(&format!("2001:db8::{last}")));
        }
        assert_eq!(limiter.retry_after(now, address("2001:db8::ffff")).as_secs(), 4);
        assert_eq!(limiter.retry_after(now, address("2001:db8:0:1::1")).as_secs(), 0);
        for _ in 0..4 {
            limiter.record_failure(now, address("::ffff:10.0.0.1"));
        }
        assert_eq!(limiter.retry_after(now, address("10.0.0.1")).as_secs(), 4);
    }

    #[test]
    fn number_of_addresses_is_bounded() {
        let (mut limiter, start) = (FailureLimiter::default(), Instant::now());
        for n in 0..3 * MAX_ADDRESSES as u32 {
            limiter.record_failure(start + Duration::from_millis(n.into()), IpAddr::from(n.to_be_bytes()));
        }
        assert_eq!(limiter.0.len(), MAX_ADDRESSES);
        let newest = IpAddr::from((3 * MAX_ADDRESSES as u32 - 1).to_be_bytes());
        assert!(limiter.0.contains_key(&newest));
    }
}
