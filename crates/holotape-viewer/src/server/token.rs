//! The access token of a server: programs send it as a header or in the query, browsers exchange it for a cookie.

use std::fmt;
use std::io;
use std::sync::LazyLock;

use axum::http::header::{AUTHORIZATION, CONTENT_SECURITY_POLICY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use holotape::{Error, ErrorKind, Result};
use percent_encoding::percent_decode_str;
use subtle::ConstantTimeEq;

use crate::http_error::HttpError;
use crate::page::hash;

/// Shorter tokens can be guessed.
const MIN_CHARS: usize = 16;

/// The secret that clients of a [`Viewer`](crate::Viewer) must send.
///
/// ```
/// use holotape_viewer::AccessToken;
///
/// let token = AccessToken::new("lab-7-recordings-2026")?;
/// assert_eq!(token.as_str(), "lab-7-recordings-2026");
/// assert!(AccessToken::new("secret").is_err());
/// assert_ne!(AccessToken::random()?, AccessToken::random()?);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// 256 random bits in hexadecimal digits.
    ///
    /// # Errors
    /// Fails if the system has no random number generator.
    pub fn random() -> Result<Self> {
        Ok(Self(random_hex()?))
    }

    /// A token chosen by the user: at least 16 letters, digits, `-`, `.`, `_` or `~`, so that it is the same in a URL.
    ///
    /// # Errors
    /// Fails if the text is shorter or has other characters.
    pub fn new(text: impl Into<String>) -> Result<Self> {
        let text = text.into();
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if text.len() >= MIN_CHARS && text.bytes().all(is_allowed) {
            return Ok(Self(text));
        }
        let message = format!("invalid token: use at least {MIN_CHARS} letters, digits, `-`, `.`, `_` or `~`");
        Err(Error::new(ErrorKind::InvalidArgument, message))
    }

    /// The token as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares in constant time.
    pub(super) fn matches(&self, text: &str) -> bool {
        text.as_bytes().ct_eq(self.0.as_bytes()).into()
    }
}

impl fmt::Debug for AccessToken {
    /// Omits the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(…)")
    }
}

/// 256 random bits in hexadecimal digits.
pub(super) fn random_hex() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The token of an `Authorization: Bearer` header.
pub(super) fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// A query, with `token=…` separated from the rest.
#[derive(Debug)]
pub(super) struct QueryToken {
    pub(super) token: Option<String>,
    pub(super) rest: String,
}

impl QueryToken {
    pub(super) fn split(query: &str) -> Self {
        let (tokens, rest): (Vec<_>, Vec<_>) = query.split('&').partition(|pair| pair.starts_with("token="));
        let token = tokens.first().and_then(|pair| pair.strip_prefix("token="));
        let token = token.map(|token| percent_decode_str(token).decode_utf8_lossy().into_owned());
        Self { token, rest: rest.join("&") }
    }

    pub(super) fn matches(&self, token: &AccessToken) -> bool {
        self.token.as_ref().is_some_and(|sent| token.matches(sent))
    }
}

const PAGE: &str = include_str!("token.html");
const STYLE: &str = include_str!("token.css");

/// The page that prompts for the token: a single response, because a browser without the token can load nothing else.
static TOKEN_PAGE: LazyLock<(String, String)> = LazyLock::new(|| {
    let policy = format!(
        "default-src 'none'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        hash(STYLE)
    );
    (PAGE.replace("/*style*/", STYLE), policy)
});

/// `is_wrong`: a token was sent.
pub(super) fn token_page(is_wrong: bool) -> Response {
    let (html, policy) = &*TOKEN_PAGE;
    let message = if is_wrong { "<p class=\"wrong\" role=\"alert\">This token is wrong.</p>" } else { "" };
    let html = html.replace("<!--message-->", message);
    (StatusCode::UNAUTHORIZED, [(CONTENT_SECURITY_POLICY, policy.as_str())], Html(html)).into_response()
}

/// A redirect that the browser follows as a request of this server's page: after a redirect by status, it would send no cookie
/// for a link on another site.
pub(super) fn redirect_page(location: &str) -> Html<String> {
    let escaped = location.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    Html(format!("<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={escaped}\"><title>holotape</title>"))
}

/// The response to other requests without a valid token.
pub(super) fn unauthorized() -> HttpError {
    HttpError::new(StatusCode::UNAUTHORIZED, "missing or wrong token: use the address that holotape prints")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_tokens_are_long_and_valid_in_urls() {
        for invalid in
            ["", "short", "fifteen-letters", "a token with spaces", "a+token+with+plus", "ein-Token-mit-ü-Umlaut"]
        {
            let error = AccessToken::new(invalid).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{invalid:?}");
        }
        let token = AccessToken::new("sixteen-letters-").unwrap();
        assert!(token.matches("sixteen-letters-"));
        for wrong in ["", "sixteen-letters", "sixteen-letters--", "Sixteen-letters-"] {
            assert!(!token.matches(wrong), "{wrong:?}");
        }
        assert!(!format!("{token:?}").contains("sixteen"));
    }

    #[test]
    fn query_token_is_separated_from_the_rest() {
        let split = |query: &str| {
            let QueryToken { token, rest } = QueryToken::split(query);
            (token, rest)
        };
        assert_eq!(split("token=abc"), (Some("abc".to_owned()), String::new()));
        assert_eq!(split("recording=a%20b&token=a%2Db&x"), (Some("a-b".to_owned()), "recording=a%20b&x".to_owned()));
        assert_eq!(split("mytoken=abc"), (None, "mytoken=abc".to_owned()));
        assert_eq!(split(""), (None, String::new()));
        // The first one counts, and none remains in the address.
        assert_eq!(split("token=a&token=b"), (Some("a".to_owned()), String::new()));
    }

    #[test]
    fn bearer_token_is_read_from_the_header() {
        let header = |value: &str| {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, value.parse().unwrap())]);
            bearer_token(&headers).map(str::to_owned)
        };
        assert_eq!(header("Bearer abc").as_deref(), Some("abc"));
        assert_eq!(header("bearer  abc ").as_deref(), Some("abc"));
        assert_eq!(header("Basic abc"), None);
        assert_eq!(header("abc"), None);
        assert_eq!(bearer_token(&HeaderMap::new()), None);
    }
}
