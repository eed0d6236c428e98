//! Those who have paired.

use std::io;

use axum::http::header::{COOKIE, HeaderMap};
use sha2::{Digest, Sha256};

/// How many devices may be in at once. One more takes the place of the one that has not asked for longest.
const MAX_SESSIONS: usize = 32;

/// How long browsers keep a cookie, in seconds: a headset forgets the others as soon as its browser is closed. It is worth
/// nothing from the moment that the program ends.
const COOKIE_MAX_AGE_SECS: u32 = 7 * 24 * 60 * 60;

/// 256 random bits, in hexadecimal digits.
pub(super) fn random_token() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What is kept of a token. To compare these tells nobody anything that they could use, however long it takes.
pub(super) fn digest_of(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// The tokens that are good, the one last used at the end.
#[derive(Debug, Default)]
pub(super) struct PairedTokens(Vec<[u8; 32]>);

impl PairedTokens {
    /// Lets somebody in who brings this.
    pub(super) fn add(&mut self, token: &str) {
        if self.0.len() >= MAX_SESSIONS {
            self.0.remove(0);
        }
        self.0.push(digest_of(token));
    }

    /// Whether this is good.
    pub(super) fn check_and_touch(&mut self, token: &str) -> bool {
        let digest = digest_of(token);
        let place = self.0.iter().position(|known| *known == digest);
        if let Some(place) = place {
            self.0[place..].rotate_left(1);
        }
        place.is_some()
    }
}

/// The cookie of a server. Cookies do not know ports, so its name does: there may be two servers on a machine.
#[derive(Debug)]
pub(super) struct Cookie(String);

impl Cookie {
    pub(super) fn for_port(port: u16) -> Self {
        Self(format!("__Host-holotape-{port}"))
    }

    /// What sets it.
    pub(super) fn with(&self, token: &str) -> String {
        format!("{}={token}; Path=/; Max-Age={COOKIE_MAX_AGE_SECS}; Secure; HttpOnly; SameSite=Strict", self.0)
    }

    /// What a request brings under its name.
    pub(super) fn values_in<'a>(&'a self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(|(name, _)| *name == self.0).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_that_has_not_asked_for_longest_makes_room() {
        let mut sessions = PairedTokens::default();
        let tokens: Vec<_> = (0..MAX_SESSIONS).map(|_| random_token().unwrap()).collect();
        tokens.iter().for_each(|token| sessions.add(token));
        assert!(sessions.check_and_touch(&tokens[0]));
        sessions.add("one more");
        assert_eq!(sessions.0.len(), MAX_SESSIONS);
        let included: Vec<_> = tokens.iter().map(|token| sessions.check_and_touch(token)).collect();
        assert_eq!(included.iter().position(|is| !is), Some(1));
        assert_eq!(included.iter().filter(|is| !**is).count(), 1);
        assert!(!sessions.check_and_touch(""));
    }

    #[test]
    fn cookies_are_found_among_others() {
        let cookie = Cookie::for_port(8443);
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "a=b; __Host-holotape-8443=one;c".parse().unwrap());
        headers.append(COOKIE, "__Host-holotape-8444=two; x__Host-holotape-8443=three".parse().unwrap());
        headers.append(COOKIE, "__Host-holotape-8443=four=4".parse().unwrap());
        assert_eq!(cookie.values_in(&headers).collect::<Vec<_>>(), ["one", "four=4"]);
    }
}
