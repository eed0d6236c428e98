//! The cookie that carries the token of a browser.

use axum::http::header::{COOKIE, HeaderMap};

/// Without a maximum age, a headset drops the cookie when its browser is closed.
const PAIRED_MAX_AGE_SECS: u32 = 365 * 24 * 60 * 60;

/// Browsers share cookies among all ports of a host, so its name contains the port of the address bar.
#[derive(Debug)]
pub(super) struct Cookie {
    name: String,
    is_secure: bool,
}

impl Cookie {
    /// For requests with this `Host` header. Cookies of HTTPS servers are never sent over HTTP.
    pub(super) fn for_host(host: &str, is_secure: bool) -> Self {
        let port = host.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
        let (prefix, default_port) = if is_secure { ("__Host-", 443) } else { ("", 80) };
        Self { name: format!("{prefix}holotape-{}", port.unwrap_or(default_port)), is_secure }
    }

    /// The value of `Set-Cookie` for a token that ends with the session of the browser.
    pub(super) fn set_for_session(&self, token: &str) -> String {
        let secure = if self.is_secure { "; Secure" } else { "" };
        format!("{}={token}; Path=/{secure}; HttpOnly; SameSite=Strict", self.name)
    }

    /// The value of `Set-Cookie` for the token of a paired device.
    pub(super) fn set_for_device(&self, token: &str) -> String {
        format!("{}; Max-Age={PAIRED_MAX_AGE_SECS}", self.set_for_session(token))
    }

    /// The tokens of a request.
    pub(super) fn values_in<'a>(&'a self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(|(name, _)| *name == self.name).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookie_is_found_among_others() {
        let cookie = Cookie::for_host("desk.local:8443", true);
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "a=b; __Host-holotape-8443=one;c".parse().unwrap());
        headers.append(COOKIE, "__Host-holotape-8444=two; x__Host-holotape-8443=three".parse().unwrap());
        headers.append(COOKIE, "__Host-holotape-8443=four=4".parse().unwrap());
        assert_eq!(cookie.values_in(&headers).collect::<Vec<_>>(), ["one", "four=4"]);
    }

    #[test]
    fn name_contains_the_port_of_the_address_bar() {
        let name = |host: &str, is_secure| Cookie::for_host(host, is_secure).name;
        assert_eq!(name("127.0.0.1:9000", false), "holotape-9000");
        assert_eq!(name("[::1]:9000", false), "holotape-9000");
        assert_eq!(name("[::1]", false), "holotape-80");
        assert_eq!(name("desk.local", true), "__Host-holotape-443");
    }
}
