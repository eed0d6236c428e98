//! The access token: every route with and without it.

use axum::body::Body;
use axum::http::{Method, Request};
use holotape_viewer::{AccessToken, Viewer, ViewerOptions};

use crate::client::{Client, HOST, ORIGIN, Response, demo, routes};

const TOKEN: &str = "a-token-for-the-tests";

const METHODS: [Method; 5] = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE];

fn client() -> Client {
    let viewer = Viewer::new(ViewerOptions::new().with_edit(true));
    viewer.add("demo.bin", demo(1.0)).expect("shown");
    Client::with_token(&viewer, &AccessToken::new(TOKEN).expect("valid"))
}

async fn ask(client: &Client, method: &Method, path: &str, headers: &[(&str, &str)]) -> Response {
    let mut all = vec![("host", HOST), ("origin", ORIGIN)];
    all.retain(|(name, _)| headers.iter().all(|(other, _)| other != name));
    all.extend(headers);
    let request = Request::builder().method(method).uri(path);
    let request = all.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    client.send(request.body(Body::empty()).expect("a request")).await
}

/// Every route × (no token, wrong token, foreign origin, foreign host, right token).
#[tokio::test]
async fn every_route_requires_the_token() {
    let client = client();
    let bearer = format!("Bearer {TOKEN}");
    let upgrade = [("connection", "upgrade"), ("upgrade", "websocket"), ("sec-websocket-version", "13")];
    let mut count = 0;
    for path in routes().iter().map(String::as_str).chain(["/nothing", "/api"]) {
        for (method, extra) in METHODS.iter().map(|method| (method, &[][..])).chain([(&Method::GET, &upgrade[..])]) {
            let cases: [(&[(&str, &str)], u16); 9] = [
                (&[], 401),
                (&[("authorization", "Bearer a-token-for-the-tests-")], 401),
                (&[("authorization", "Basic a-token-for-the-tests")], 401),
                (&[("cookie", "holotape-8000=a-token-for-the-test")], 401),
                (&[("cookie", "holotape-8001=a-token-for-the-tests")], 401),
                (&[("authorization", &bearer), ("origin", "https://example.org")], 403),
                (&[("authorization", &bearer), ("sec-fetch-site", "cross-site")], 403),
                (&[("authorization", &bearer), ("host", "example.org")], 421),
                (&[("origin", "https://example.org"), ("host", "example.org")], 421),
            ];
            for (headers, status) in cases {
                let headers = [headers, extra].concat();
                let response = ask(&client, method, path, &headers).await;
                assert_eq!(response.status, status, "{method} {path} {headers:?}");
                assert!(!response.headers.contains_key("set-cookie"), "{method} {path} {headers:?}");
                count += 1;
            }
            for headers in [[("authorization", bearer.as_str())], [("cookie", "holotape-8000=a-token-for-the-tests")]] {
                let response = ask(&client, method, path, &[&headers, extra].concat()).await;
                assert!(
                    ![401, 403, 421].contains(&response.status.as_u16()) || path == "/api/recordings/1",
                    "{method} {path}"
                );
                count += 1;
            }
        }
        let wrong = ask(&client, &Method::GET, &format!("{path}?token=wrong"), &[]).await;
        assert_eq!(wrong.status, 401, "{path}");
    }
    assert!(count > 900, "{count} requests");
}

#[tokio::test]
async fn browser_exchanges_the_token_for_a_cookie() {
    let client = client();
    let navigate = [("sec-fetch-mode", "navigate"), ("sec-fetch-site", "none")];
    let opened = ask(&client, &Method::GET, &format!("/?recording=a%20b&token={TOKEN}"), &navigate).await;
    assert_eq!(opened.status, 303);
    assert_eq!(opened.headers["location"], format!("{ORIGIN}/?recording=a%20b"));
    assert_eq!(opened.headers["set-cookie"], format!("holotape-8000={TOKEN}; Path=/; HttpOnly; SameSite=Strict"));
    // A tunnel with another port has its own cookie.
    let tunnel = [("host", "localhost:9000"), ("origin", "http://localhost:9000"), ("sec-fetch-mode", "navigate")];
    let opened = ask(&client, &Method::GET, &format!("/report?token={TOKEN}"), &tunnel).await;
    assert_eq!(opened.headers["location"], "http://localhost:9000/report");
    assert!(opened.headers["set-cookie"].to_str().unwrap().starts_with("holotape-9000="));
    // The path is never another host.
    let other = ask(&client, &Method::GET, &format!("//example.org/?token={TOKEN}"), &navigate).await;
    assert_eq!(other.headers["location"], format!("{ORIGIN}//example.org/"));
}

/// A browser sends no `SameSite=Strict` cookie after a redirect from a link on another site.
#[tokio::test]
async fn link_on_another_page_with_the_token_is_followed() {
    let client = client();
    let link = |path: String, extra: Option<(&'static str, &'static str)>| {
        let request = Request::builder().uri(path).header("host", HOST).header("sec-fetch-site", "cross-site");
        let request = request.header("sec-fetch-mode", "navigate");
        let request = extra.into_iter().fold(request, |request, (name, value)| request.header(name, value));
        client.send(request.body(Body::empty()).expect("a request"))
    };
    let opened = link(format!("/?a=%22%3E&token={TOKEN}"), None).await;
    assert_eq!(opened.status, 200);
    assert!(opened.headers["set-cookie"].to_str().unwrap().starts_with("holotape-8000="));
    let html = String::from_utf8_lossy(&opened.body);
    assert!(html.contains(&format!("content=\"0;url={ORIGIN}/?a=%22%3E\"")), "{html}");
    assert_eq!(link("/?token=wrong".to_owned(), None).await.status, 403);
    assert_eq!(link(format!("/?token={TOKEN}"), Some(("origin", "https://example.org"))).await.status, 403);
}

#[tokio::test]
async fn browser_without_the_token_gets_a_page_that_asks_for_it() {
    let client = client();
    for path in ["/", "/?token=wrong", "/report", "/api/state"] {
        let page = ask(&client, &Method::GET, path, &[("sec-fetch-mode", "navigate")]).await;
        assert_eq!(page.status, 401, "{path}");
        let html = String::from_utf8_lossy(&page.body);
        assert!(html.contains("This server requires a token") && !html.contains("demo"), "{html}");
        assert_eq!(html.contains("This token is wrong."), path.contains("wrong"), "{path}");
        let policy = page.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    }
    ask(&client, &Method::GET, "/api/state", &[]).await.assert_error(401, "missing or wrong token");
}

#[tokio::test]
async fn program_with_the_token_needs_no_origin() {
    let client = client();
    let request = |path: &str, header: (&str, &str)| {
        let request = Request::builder().method(Method::DELETE).uri(path).header("host", HOST);
        client.send(request.header(header.0, header.1).body(Body::empty()).expect("a request"))
    };
    let bearer = format!("Bearer {TOKEN}");
    request("/api/recordings/1", ("authorization", &bearer)).await.assert_error(403, "cannot be closed");
    let query = format!("/api/recordings/1?token={TOKEN}");
    request(&query, ("accept", "*/*")).await.assert_error(403, "cannot be closed");
    // Browsers send cookies with the requests of every page.
    let cookie = format!("holotape-8000={TOKEN}");
    request("/api/recordings/1", ("cookie", &cookie)).await.assert_error(403, "missing origin");
}
