//! Tokens of paired devices, and the cookie that carries them.

use std::io;

use axum::http::header::{COOKIE, HeaderMap};
use sha2::{Digest, Sha256};

/// A further device replaces the least recently used one.
const MAX_DEVICES: usize = 32;

/// Without a maximum age, a headset drops the cookie when its browser is closed. Tokens are valid until the server stops.
const COOKIE_MAX_AGE_SECS: u32 = 7 * 24 * 60 * 60;

/// 256 random bits, in hexadecimal digits.
pub(super) fn random_token() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The stored form of a token. Comparing digests reveals nothing about the token, so it need not take constant time.
pub(super) fn digest_of(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// Valid tokens, least recently used first.
#[derive(Debug, Default)]
pub(super) struct PairedTokens(Vec<[u8; 32]>);

impl PairedTokens {
    pub(super) fn add(&mut self, token: &str) {
        if self.0.len() >= MAX_DEVICES {
            self.0.remove(0);
        }
        self.0.push(digest_of(token));
    }

    /// Returns whether the token is valid, and marks it as recently used.
    pub(super) fn check_and_touch(&mut self, token: &str) -> bool {
        let digest = digest_of(token);
        let index = self.0.iter().position(|known| *known == digest);
        if let Some(index) = index {
            self.0[index..].rotate_left(1);
        }
        index.is_some()
    }
}

/// The token cookie. Its name contains the port, because browsers share cookies among all ports of a host.
#[derive(Debug)]
pub(super) struct Cookie(String);

impl Cookie {
    pub(super) fn for_port(port: u16) -> Self {
        Self(format!("__Host-holotape-{port}"))
    }

    /// The value of the `Set-Cookie` header.
    pub(super) fn set_header(&self, token: &str) -> String {
        format!("{}={token}; Path=/; Max-Age={COOKIE_MAX_AGE_SECS}; Secure; HttpOnly; SameSite=Strict", self.0)
    }

    /// The tokens of a request.
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
    fn least_recently_used_token_is_replaced() {
        let mut paired = PairedTokens::default();
        let tokens: Vec<_> = (0..MAX_DEVICES).map(|_| random_token().unwrap()).collect();
        tokens.iter().for_each(|token| paired.add(token));
        assert!(paired.check_and_touch(&tokens[0]));
        paired.add("one more");
        assert_eq!(paired.0.len(), MAX_DEVICES);
        let valid: Vec<_> = tokens.iter().map(|token| paired.check_and_touch(token)).collect();
        assert_eq!(valid.iter().position(|valid| !valid), Some(1));
        assert_eq!(valid.iter().filter(|valid| !**valid).count(), 1);
        assert!(!paired.check_and_touch(""));
    }

    #[test]
    fn cookie_is_found_among_others() {
        let cookie = Cookie::for_port(8443);
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "a=b; __Host-holotape-8443=one;c".parse().unwrap());
        headers.append(COOKIE, "__Host-holotape-8444=two; x__Host-holotape-8443=three".parse().unwrap());
        headers.append(COOKIE, "__Host-holotape-8443=four=4".parse().unwrap());
        assert_eq!(cookie.values_in(&headers).collect::<Vec<_>>(), ["one", "four=4"]);
    }
}
