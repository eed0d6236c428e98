//! Which web pages may connect. Any page in a browser on this machine can try to, and a recording is personal: of pages, only
//! those from this machine get it or make one, and those that are named.

use tungstenite::handshake::server::{ErrorResponse, Request};
use tungstenite::http::StatusCode;

use crate::output;

/// Lets in who comes without an origin, which is no page but a program, and pages of this machine and of these origins.
pub struct OriginPolicy<'a>(pub &'a [String]);

impl OriginPolicy<'_> {
    /// What a page from elsewhere is answered.
    pub fn reject_response(&self, request: &Request) -> Option<ErrorResponse> {
        let mut origins = request.headers().get_all("origin").iter();
        let foreign = origins.find(|origin| !origin.to_str().is_ok_and(|origin| self.allows(origin)))?;
        let foreign = String::from_utf8_lossy(foreign.as_bytes()).into_owned();
        let message = format!("refused a page of {foreign}; --allow-origin {foreign} lets it in");
        output::print_labelled("note", &message);
        let mut refusal = ErrorResponse::new(Some(message));
        *refusal.status_mut() = StatusCode::FORBIDDEN;
        Some(refusal)
    }

    fn allows(&self, origin: &str) -> bool {
        let is_named = |allowed: &String| allowed.trim_end_matches('/').eq_ignore_ascii_case(origin);
        is_loopback(origin) || self.0.iter().any(is_named)
    }
}

fn is_loopback(origin: &str) -> bool {
    let Some((_, place)) = origin.split_once("://") else { return false };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let host = match place.rsplit_once(':') {
        Some((host, port)) if is_port(port) => host,
        _ => place,
    };
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|loopback| host.eq_ignore_ascii_case(loopback))
}

#[cfg(test)]
mod tests {
    use super::OriginPolicy;

    #[test]
    fn pages_of_this_machine_are_let_in_and_others_are_not() {
        let rule = OriginPolicy(&[]);
        for origin in ["http://localhost", "http://localhost:3000", "https://LOCALHOST:1", "http://127.0.0.1:8080"] {
            assert!(rule.allows(origin), "{origin}");
        }
        assert!(rule.allows("http://[::1]:5173") && rule.allows("http://[::1]"));
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
            assert!(!rule.allows(origin), "{origin}");
        }
    }

    #[test]
    fn named_origins_are_let_in() {
        let named = ["https://Example.org/".to_owned(), "null".to_owned()];
        let rule = OriginPolicy(&named);
        assert!(rule.allows("https://example.org") && rule.allows("null"));
        assert!(!rule.allows("https://example.org:8443") && !rule.allows("http://example.org"));
    }
}
