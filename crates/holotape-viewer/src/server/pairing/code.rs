//! The code on the terminal: digits, which headsets type best.
//!
//! How likely it is that somebody guesses it:
//!
//! - A short code has 6 digits, and there are 10 wrong tries at short codes, whoever makes them, until somebody pairs. Each hits
//!   with 1 in 10⁶, since codes are independent of each other: 10 in 10⁶ altogether.
//! - After these, codes have 16 digits until somebody pairs. Somebody with any number of addresses and 10⁵ tries a second, more
//!   than this server can answer, makes 8.64 × 10⁹ tries a day: they hit with less than 1 in 10⁶ a day.
//!
//! That a code grows, where others would close the door for a while, is so that nobody can close it for the owner: the long code
//! is let in whenever it comes, and wrong tries do not replace it. All that somebody can do is to have the owner type ten digits
//! more.

use std::hint::black_box;
use std::io;

/// As many digits as a code has while nobody guesses.
pub(super) const SHORT_DIGITS: u32 = 6;

/// As many as it has when somebody does.
pub(super) const LONG_DIGITS: u32 = 16;

/// Digits, all equally likely.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct PairingCode(String);

impl PairingCode {
    pub(super) fn random(is_long: bool) -> io::Result<Self> {
        let digits = if is_long { LONG_DIGITS } else { SHORT_DIGITS };
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        // 2¹²⁸ is so much more that no code is likelier than another by more than 1 in 10²².
        let number = u128::from_le_bytes(bytes) % 10_u128.pow(digits);
        Ok(Self(format!("{number:0width$}", width = digits as usize)))
    }

    pub(super) fn is_long(&self) -> bool {
        self.0.len() > SHORT_DIGITS as usize
    }

    /// Whether this is what somebody typed, with any spaces. How long that takes depends on what they typed, not on the code.
    pub(super) fn matches(&self, typed: &str) -> bool {
        let typed = typed.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'-');
        let mut typed: Vec<_> = typed.take(self.0.len() + 1).collect();
        let is_as_long = typed.len() == self.0.len();
        typed.resize(self.0.len(), 0);
        let differences = typed.iter().zip(self.0.as_bytes()).fold(0, |all, (a, b)| black_box(all | (a ^ b)));
        is_as_long & (differences == 0)
    }

    /// In groups that the eye can hold: `482 913`.
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
    fn a_code_is_what_was_typed() {
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
    fn codes_are_digits_of_all_kinds() {
        let mut seen = [[false; 10]; SHORT_DIGITS as usize];
        for _ in 0..1000 {
            let code = PairingCode::random(false).unwrap();
            assert_eq!(code.0.len(), seen.len());
            for (place, digit) in seen.iter_mut().zip(code.0.bytes()) {
                place[usize::from(digit - b'0')] = true;
            }
        }
        assert_eq!(seen, [[true; 10]; SHORT_DIGITS as usize]);
        assert_eq!(PairingCode::random(true).unwrap().0.len(), LONG_DIGITS as usize);
    }
}
