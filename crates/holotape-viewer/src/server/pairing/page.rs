//! The page that prompts for the pairing code: a single response, because devices that are not paired can load nothing else.

use std::sync::LazyLock;

use axum::http::StatusCode;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::{Html, IntoResponse, Response};

use crate::page::hash;

const BODY: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

struct Page {
    html: String,
    policy: String,
}

static PAGE: LazyLock<Page> = LazyLock::new(|| Page {
    html: BODY.replace("/*style*/", STYLE).replace("/*script*/", SCRIPT),
    policy: format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
        hash(SCRIPT),
        hash(STYLE)
    ),
});

pub(super) fn code_prompt_page() -> Response {
    let policy = [(CONTENT_SECURITY_POLICY, PAGE.policy.as_str())];
    (StatusCode::UNAUTHORIZED, policy, Html(PAGE.html.as_str())).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policy_contains_the_hashes_of_script_and_style() {
        let between = |start: &str, end: &str| {
            let (_, rest) = PAGE.html.split_once(start).expect("a start");
            rest.split_once(end).expect("an end").0
        };
        assert!(PAGE.policy.contains(&hash(between("<style>", "</style>"))));
        assert!(PAGE.policy.contains(&hash(between("<script type=\"module\">", "</script>"))));
    }

    #[test]
    fn page_reveals_neither_version_nor_routes() {
        assert!(!PAGE.html.contains(env!("CARGO_PKG_VERSION")));
        assert!(!PAGE.html.contains("/api/"));
    }
}
