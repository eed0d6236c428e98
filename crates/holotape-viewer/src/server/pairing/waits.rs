//! How long an address has to wait that has guessed wrong.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::{Duration, Instant};

/// Anybody mistypes a code now and then.
const FREE_TRIES: u32 = 3;

/// The longest wait: a person stays for it.
const LONGEST: Duration = Duration::from_secs(60);

/// Who has been quiet for so long starts anew.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(60 * 60);

/// So many addresses are remembered. Whoever has more is not held up by this, but by the length of codes.
const MOST_ADDRESSES: usize = 1024;

/// Wrong tries by address.
#[derive(Debug, Default)]
pub(super) struct Waits(HashMap<IpAddr, Tries>);

#[derive(Clone, Copy, Debug)]
struct Tries {
    wrong: u32,
    last: Instant,
}

impl Tries {
    /// Two seconds after the third, and twice as long after each that follows.
    fn wait(self) -> Duration {
        match self.wrong.checked_sub(FREE_TRIES) {
            Some(more) => LONGEST.min(Duration::from_secs(2_u64.saturating_pow(more.saturating_add(1)))),
            None => Duration::ZERO,
        }
    }
}

impl Waits {
    /// How long it is until this address may try again.
    pub(super) fn left(&self, now: Instant, address: IpAddr) -> Duration {
        let tries = self.0.get(&home_of(address));
        tries.map_or(Duration::ZERO, |tries| (tries.last + tries.wait()).saturating_duration_since(now))
    }

    /// One more try that was wrong.
    pub(super) fn note(&mut self, now: Instant, address: IpAddr) {
        self.0.retain(|_, tries| now.saturating_duration_since(tries.last) < FORGOTTEN_AFTER);
        let home = home_of(address);
        if self.0.len() >= MOST_ADDRESSES && !self.0.contains_key(&home) {
            let oldest = self.0.iter().min_by_key(|(_, tries)| tries.last).map(|(home, _)| *home);
            oldest.and_then(|oldest| self.0.remove(&oldest));
        }
        let tries = self.0.entry(home).or_insert(Tries { wrong: 0, last: now });
        *tries = Tries { wrong: tries.wrong.saturating_add(1), last: now };
    }

    /// An address that was right in the end.
    pub(super) fn forgive(&mut self, address: IpAddr) {
        self.0.remove(&home_of(address));
    }
}

/// What counts as one address. A machine with IPv6 has as many as it likes of the lower 64 bits.
fn home_of(address: IpAddr) -> IpAddr {
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
        let (mut waits, start) = (Waits::default(), Instant::now());
        let headset = address("192.168.1.31");
        let secs: Vec<_> = (0..12)
            .map(|_| {
                waits.note(start, headset);
                waits.left(start, headset).as_secs()
            })
            .collect();
        assert_eq!(secs, [0, 0, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]);
        assert_eq!(waits.left(start + Duration::from_secs(59), headset), Duration::from_secs(1));
        assert_eq!(waits.left(start + LONGEST, headset), Duration::ZERO);
        assert_eq!(waits.left(start, address("192.168.1.32")), Duration::ZERO);
        waits.note(start + FORGOTTEN_AFTER, headset);
        assert_eq!(waits.left(start + FORGOTTEN_AFTER, headset), Duration::ZERO);
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let (mut waits, now) = (Waits::default(), Instant::now());
        for last in 1..=4 {
            waits.note(now, address(&format!("2001:db8::{last}")));
        }
        assert_eq!(waits.left(now, address("2001:db8::ffff")).as_secs(), 4);
        assert_eq!(waits.left(now, address("2001:db8:0:1::1")).as_secs(), 0);
        for _ in 0..4 {
            waits.note(now, address("::ffff:10.0.0.1"));
        }
        assert_eq!(waits.left(now, address("10.0.0.1")).as_secs(), 4);
    }

    #[test]
    fn memory_is_bounded() {
        let (mut waits, start) = (Waits::default(), Instant::now());
        for n in 0..3 * MOST_ADDRESSES as u32 {
            waits.note(start + Duration::from_millis(n.into()), IpAddr::from(n.to_be_bytes()));
        }
        assert_eq!(waits.0.len(), MOST_ADDRESSES);
        let newest = IpAddr::from((3 * MOST_ADDRESSES as u32 - 1).to_be_bytes());
        assert!(waits.0.contains_key(&newest));
    }
}
