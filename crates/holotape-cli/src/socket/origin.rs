//! Decides which web pages may connect. Any page in a local browser can try to, and recordings are personal data: only local
//! pages and allowed origins are accepted.

use tungstenite::handshake::server::{ErrorResponse, Request};
use tungstenite::http::StatusCode;

use crate::output;

/// Accepts requests without an origin (not from a browser), local pages, and pages from these origins.
pub struct OriginPolicy<'a>(pub &'a [String]);

impl OriginPolicy<'_> {
    /// The response to a page whose origin is not allowed; `None` if the request is accepted.
    pub fn reject_response(&self, request: &Request) -> Option<ErrorResponse> {
        let mut origins = request.headers().get_all("origin").iter();
        let foreign = origins.find(|origin| !origin.to_str().is_ok_and(|origin| self.allows(origin)))?;
        let foreign = String::from_utf8_lossy(foreign.as_bytes()).into_owned();
        let message = format!("rejected a page from {foreign}; to accept it, pass --allow-origin {foreign}");
        output::print_labelled("note", &message);
        let mut response = ErrorResponse::new(Some(message));
        *response.status_mut() = StatusCode::FORBIDDEN;
        Some(response)
    }

    fn allows(&self, origin: &str) -> bool {
        let is_named = |allowed: &String| allowed.trim_end_matches('/').eq_ignore_ascii_case(origin);
        is_loopback(origin) || self.0.iter().any(is_named)
    }
}

fn is_loopback(origin: &str) -> bool {
    let Some((_, authority)) = origin.split_once("://") else { return false };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if is_port(port) => host,
        _ => authority,
    };
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|loopback| host.eq_ignore_ascii_case(loopback))
}

#[cfg(test)]
mod tests {
    use super::OriginPolicy;

    #[test]
    fn allows_accepts_local_pages_only() {
        let policy = OriginPolicy(&[]);
        for origin in ["http://localhost", "http://localhost:3000", "https://LOCALHOST:1", "http://127.0.0.1:8080"] {
            assert!(policy.allows(origin), "{origin}");
        }
        assert!(policy.allows("http://[::1]:5173") && policy.allows("http://[::1]"));
        for origin in [
            "https://example.org",
            "http://localhost.example.org",
            "http://localhost.example.org:80",
            "http://localhost@example.org",
            "http://localhost:80@example.org",
            "http://example.org/localhost",
            "http://127.0.0.1.example.org",
            "localhost",
            "null",
            "",
            "://",
        ] {
            assert!(!policy.allows(origin), "{origin}");
        }
    }

    #[test]
    fn allows_accepts_listed_origins() {
        let named = ["https://Example.org/".to_owned(), "null".to_owned()];
        let policy = OriginPolicy(&named);
        assert!(policy.allows("https://example.org") && policy.allows("null"));
        assert!(!policy.allows("https://example.org:8443") && !policy.allows("http://example.org"));
    }
}
