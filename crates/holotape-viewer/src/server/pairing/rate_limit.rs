//! How long an address has to wait that has guessed wrong.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::{Duration, Instant};

/// Anybody mistypes a code now and then.
const FREE_TRIES: u32 = 3;

/// The longest wait: a person stays for it.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// Who has been quiet for so long starts anew.
const RESET_AFTER: Duration = Duration::from_secs(60 * 60);

/// So many addresses are remembered. Whoever has more is not held up by this, but by the length of codes.
const MAX_ADDRESSES: usize = 1024;

/// Wrong tries by address.
#[derive(Debug, Default)]
pub(super) struct FailureLimiter(HashMap<IpAddr, FailedAttempts>);

#[derive(Clone, Copy, Debug)]
struct FailedAttempts {
    wrong: u32,
    last: Instant,
}

impl FailedAttempts {
    /// Two seconds after the third, and twice as long after each that follows.
    fn wait(self) -> Duration {
        match self.wrong.checked_sub(FREE_TRIES) {
            Some(more) => MAX_WAIT.min(Duration::from_secs(2_u64.saturating_pow(more.saturating_add(1)))),
            None => Duration::ZERO,
        }
    }
}

impl FailureLimiter {
    /// How long it is until this address may try again.
    pub(super) fn retry_after(&self, now: Instant, address: IpAddr) -> Duration {
        let tries = self.0.get(&limiter_key(address));
        tries.map_or(Duration::ZERO, |tries| (tries.last + tries.wait()).saturating_duration_since(now))
    }

    /// One more try that was wrong.
    pub(super) fn record_failure(&mut self, now: Instant, address: IpAddr) {
        self.0.retain(|_, tries| now.saturating_duration_since(tries.last) < RESET_AFTER);
        let home = limiter_key(address);
        if self.0.len() >= MAX_ADDRESSES && !self.0.contains_key(&home) {
            let oldest = self.0.iter().min_by_key(|(_, tries)| tries.last).map(|(home, _)| *home);
            oldest.and_then(|oldest| self.0.remove(&oldest));
        }
        let tries = self.0.entry(home).or_insert(FailedAttempts { wrong: 0, last: now });
        *tries = FailedAttempts { wrong: tries.wrong.saturating_add(1), last: now };
    }

    /// An address that was right in the end.
    pub(super) fn reset(&mut self, address: IpAddr) {
        self.0.remove(&limiter_key(address));
    }
}

/// What counts as one address. A machine with IPv6 has as many as it likes of the lower 64 bits.
fn limiter_key(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn waits_grow_and_end() {
        let (mut waits, start) = (FailureLimiter::default(), Instant::now());
        let headset = address("192.168.1.31");
        let secs: Vec<_> = (0..12)
            .map(|_| {
                waits.record_failure(start, headset);
                waits.retry_after(start, headset).as_secs()
            })
            .collect();
        assert_eq!(secs, [0, 0, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]);
        assert_eq!(waits.retry_after(start + Duration::from_secs(59), headset), Duration::from_secs(1));
        assert_eq!(waits.retry_after(start + MAX_WAIT, headset), Duration::ZERO);
        assert_eq!(waits.retry_after(start, address("192.168.1.32")), Duration::ZERO);
        waits.record_failure(start + RESET_AFTER, headset);
        assert_eq!(waits.retry_after(start + RESET_AFTER, headset), Duration::ZERO);
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let (mut waits, now) = (FailureLimiter::default(), Instant::now());
        for last in 1..=4 {
            waits.record_failure(now, address(&format!("2001:db8::{last}")));
        }
        assert_eq!(waits.retry_after(now, address("2001:db8::ffff")).as_secs(), 4);
        assert_eq!(waits.retry_after(now, address("2001:db8:0:1::1")).as_secs(), 0);
        for _ in 0..4 {
            waits.record_failure(now, address("::ffff:10.0.0.1"));
        }
        assert_eq!(waits.retry_after(now, address("10.0.0.1")).as_secs(), 4);
    }

    #[test]
    fn memory_is_bounded() {
        let (mut waits, start) = (FailureLimiter::default(), Instant::now());
        for n in 0..3 * MAX_ADDRESSES as u32 {
            waits.record_failure(start + Duration::from_millis(n.into()), IpAddr::from(n.to_be_bytes()));
        }
        assert_eq!(waits.0.len(), MAX_ADDRESSES);
        let newest = IpAddr::from((3 * MAX_ADDRESSES as u32 - 1).to_be_bytes());
        assert!(waits.0.contains_key(&newest));
    }
}
