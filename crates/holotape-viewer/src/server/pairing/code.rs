//! The pairing code on the terminal.
//!
//! Probability that an attacker guesses a code:
//!
//! - A short code has 6 digits. Until a device pairs, there are at most 10 failed attempts at short codes from all addresses
//!   together. Codes are independent, so the probability is 10 in 10⁶.
//! - After that, codes have 16 digits until a device pairs. An attacker with any number of addresses and 10⁵ attempts per second,
//!   more than this server can handle, makes 8.64 × 10⁹ attempts per day: less than 1 in 10⁶ per day.
//!
//! Codes become longer instead of blocking attempts, so that an attacker cannot lock the owner out: the long code is accepted at
//! any time, and failed attempts do not replace it. The owner only has to type ten more digits.

use std::io;

use subtle::ConstantTimeEq;

/// Digits of a code before failed attempts.
pub(super) const SHORT_DIGITS: u32 = 6;

/// Digits of a code after too many failed attempts.
pub(super) const LONG_DIGITS: u32 = 16;

/// Uniformly distributed digits.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct PairingCode(String);

impl PairingCode {
    pub(super) fn random(is_long: bool) -> io::Result<Self> {
        let digits = if is_long { LONG_DIGITS } else { SHORT_DIGITS };
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        // The bias of the remainder is less than 1 in 10²².
        let number = u128::from_le_bytes(bytes) % 10_u128.pow(digits);
        Ok(Self(format!("{number:0width$}", width = digits as usize)))
    }

    pub(super) fn is_long(&self) -> bool {
        self.0.len() > SHORT_DIGITS as usize
    }

    /// Compares with user input, ignoring spaces and dashes, in constant time.
    pub(super) fn matches(&self, typed: &str) -> bool {
        let typed: Vec<_> = typed.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'-').collect();
        typed.ct_eq(self.0.as_bytes()).into()
    }

    /// The digits in groups: `482 913`.
    pub(super) fn grouped(&self) -> String {
        let group = if self.is_long() { 4 } else { 3 };
        let digits = self.0.as_bytes().chunks(group);
        digits.map(|digits| String::from_utf8_lossy(digits)).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_ignores_spaces_and_dashes() {
        let code = PairingCode("482913".to_owned());
        for right in ["482913", "482 913", " 482-913\n", "4 8 2 9 1 3"] {
            assert!(code.matches(right), "{right:?}");
        }
        let wrong = ["", " ", "482912", "582913", "48291", "4829130", "482913482913", "０82913", "482913\0", "482.913"];
        for wrong in wrong {
            assert!(!code.matches(wrong), "{wrong:?}");
        }
        assert_eq!(code.grouped(), "482 913");
        assert_eq!(PairingCode("0123456789012345".to_owned()).grouped(), "0123 4567 8901 2345");
    }

    #[test]
    fn random_codes_use_all_digits() {
        let mut seen = [[false; 10]; SHORT_DIGITS as usize];
        for _ in 0..1000 {
            let code = PairingCode::random(false).unwrap();
            assert_eq!(code.0.len(), seen.len());
            for (position, digit) in seen.iter_mut().zip(code.0.bytes()) {
                position[usize::from(digit - b'0')] = true;
            }
        }
        assert_eq!(seen, [[true; 10]; SHORT_DIGITS as usize]);
        assert_eq!(PairingCode::random(true).unwrap().0.len(), LONG_DIGITS as usize);
    }
}
