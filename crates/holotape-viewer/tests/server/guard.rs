//! Access control, and the headers of every response.

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::json;

use crate::client::{Client, HOST, ORIGIN, Response, demo, request};

fn client() -> Client {
    Client::editing(&demo(1.0))
}

async fn ask(method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
    let request = Request::builder().method(method).uri(path);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    client().send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn local_host_names_are_accepted() {
    for host in [HOST, "localhost:8000", "LOCALHOST:8000", "[::1]:8000"] {
        ask(Method::GET, "/api/state", &[("host", host)]).await.ok();
    }
    // Forwarded ports, as with `ssh -L 9000:127.0.0.1:8000`, and the default port, which browsers omit.
    for host in ["127.0.0.1:9000", "localhost:1", "localhost", "127.0.0.1", "[::1]"] {
        ask(Method::GET, "/api/state", &[("host", host)]).await.ok();
    }
}

#[tokio::test]
async fn other_host_names_are_rejected() {
    for host in [
        "example.org",
        "example.org:8000",
        "localhost.example.org:8000",
        "localhost:99999",
        "localhost:",
        "127.0.0.1.example.org:8000",
        "127.0.0.1:8000.example.org",
        "user@127.0.0.1:8000",
        "127.1:8000",
        "0.0.0.0:8000",
        "",
    ] {
        for path in ["/", "/viewer.js", "/api/state", "/api/recordings/1/curves", "/nothing"] {
            ask(Method::GET, path, &[("host", host)]).await.assert_error(421, "use http://127.0.0.1:8000");
        }
    }
    ask(Method::GET, "/", &[]).await.assert_error(421, "");
    ask(Method::GET, "/", &[("host", HOST), ("host", "example.org")]).await.assert_error(400, "host");
    // The request line contains another host than the header.
    ask(Method::GET, "http://example.org/api/state", &[("host", HOST)])
        .await
        .assert_error(421, "request for \"example.org\" with the header `Host: 127.0.0.1:8000`");
    ask(Method::GET, &format!("{ORIGIN}/api/state"), &[("host", HOST)]).await.ok();
}

#[tokio::test]
async fn foreign_origins_are_rejected() {
    for origin in [
        "https://example.org",
        "http://example.org:8000",
        "http://127.0.0.1:8001",
        "https://127.0.0.1:8000",
        "http://localhost:8000",
        "http://127.0.0.1:8000.example.org",
        "http://127.0.0.1:8000@example.org",
        "null",
        "",
        "file://",
    ] {
        for method in [Method::GET, Method::POST, Method::DELETE, Method::OPTIONS] {
            ask(method, "/api/state", &[("host", HOST), ("origin", origin)]).await.assert_error(403, "another page");
        }
    }
    ask(Method::GET, "/", &[("host", HOST), ("origin", ORIGIN), ("origin", "https://example.org")])
        .await
        .assert_error(400, "origin");
}

#[tokio::test]
async fn cross_site_requests_are_rejected() {
    for site in ["cross-site", "same-site", "", "SAME-ORIGIN, cross-site"] {
        for path in ["/", "/viewer.js", "/api/state", "/api/recordings/1/download?format=csv"] {
            ask(Method::GET, path, &[("host", HOST), ("sec-fetch-site", site)]).await.assert_error(403, "another page");
        }
        let headers = [("host", HOST), ("origin", ORIGIN), ("sec-fetch-site", site)];
        ask(Method::DELETE, "/api/recordings/1", &headers).await.assert_error(403, "another page");
    }
    for site in ["same-origin", "none"] {
        ask(Method::GET, "/", &[("host", HOST), ("sec-fetch-site", site)]).await.ok();
    }
}

/// Clients other than browsers may read without an origin.
#[tokio::test]
async fn changes_require_an_origin() {
    ask(Method::GET, "/api/state", &[("host", HOST)]).await.ok();
    for path in
        ["/api/recordings?name=a", "/api/recordings/1/edit", "/api/recordings/1/preview", "/api/recordings/1/save"]
    {
        ask(Method::POST, path, &[("host", HOST)]).await.assert_error(403, "Origin: http://127.0.0.1:8000");
        ask(Method::POST, path, &[("host", HOST), ("sec-fetch-site", "none")]).await.assert_error(403, "Origin");
    }
    ask(Method::DELETE, "/api/recordings/1", &[("host", HOST)]).await.assert_error(403, "Origin");
    let named = [("host", HOST), ("origin", ORIGIN)];
    ask(Method::DELETE, "/api/recordings/1", &named).await.assert_error(403, "cannot be closed");
    let same_origin = [("host", HOST), ("sec-fetch-site", "same-origin")];
    ask(Method::DELETE, "/api/recordings/1", &same_origin).await.assert_error(403, "cannot be closed");
    let at_localhost = [("host", "localhost:8000"), ("origin", "http://localhost:8000")];
    ask(Method::DELETE, "/api/recordings/1", &at_localhost).await.assert_error(403, "cannot be closed");
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let responses = [
        client().get("/").await,
        client().get("/viewer.js").await,
        client().get("/api/state").await,
        client().get("/api/recordings/1/curves").await,
        client().get("/api/recordings/1/download?format=bin").await,
        client().get("/nothing").await,
        client().delete("/api/recordings/1").await,
        ask(Method::GET, "/", &[("host", "example.org")]).await,
    ];
    for Response { headers, .. } in responses {
        let header = |name: &str| headers.get(name).expect(name).to_str().unwrap().to_owned();
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("; worker-src blob:; "), "{policy}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("referrer-policy"), "no-referrer");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(header("x-frame-options"), "DENY");
        assert_eq!(header("cache-control"), "no-store");
        assert!(!headers.contains_key("access-control-allow-origin"));
    }
}

#[tokio::test]
async fn unknown_resources_get_json_errors() {
    for path in [
        "/nothing",
        "/index.html",
        "/api",
        "/api/",
        "/api/state/",
        "/api/recordings/2/curves",
        "/api/recordings/-1/curves",
        "/api/recordings/one/curves",
        "/api/recordings/18446744073709551616/curves",
        "/api/recordings/1/",
        "/api/recordings//curves",
    ] {
        client().get(path).await.assert_error(404, "");
    }
    client().get("/api/recordings/1/download?format=exe").await.assert_error(400, "exe");
    client().get("/api/recordings/1/download").await.assert_error(400, "format");
    client().get("/api/recordings/1/curves?revision=x").await.assert_error(400, "revision");
}

#[tokio::test]
async fn other_methods_are_not_allowed() {
    for (method, path) in [
        (Method::POST, "/"),
        (Method::PUT, "/viewer.js"),
        (Method::DELETE, "/api/state"),
        (Method::OPTIONS, "/api/state"),
        (Method::GET, "/api/recordings"),
        (Method::PUT, "/api/recordings"),
        (Method::GET, "/api/recordings/1"),
        (Method::PATCH, "/api/recordings/1"),
        (Method::POST, "/api/recordings/1/curves"),
        (Method::GET, "/api/recordings/1/edit"),
        (Method::TRACE, "/api/recordings/1/save"),
    ] {
        let response = client().send(request(method.clone(), path).body(Body::empty()).unwrap()).await;
        response.assert_error(405, method.as_str());
        assert!(response.headers.contains_key("allow"), "{method} {path}");
    }
}

#[tokio::test]
async fn invalid_and_long_bodies_are_rejected() {
    let client = client();
    let post = |kind: &'static str, body: String| {
        client.send(
            request(Method::POST, "/api/recordings/1/edit").header("content-type", kind).body(body.into()).unwrap(),
        )
    };
    post("text/plain", json!({ "op": "undo" }).to_string()).await.assert_error(415, "application/json");
    post("application/json", "{".to_owned()).await.assert_error(400, "JSON");
    post("application/json", json!({ "op": "explode" }).to_string()).await.assert_error(422, "explode");
    post("application/json", json!({ "op": "move-marker", "index": -1, "time": 0 }).to_string())
        .await
        .assert_error(422, "");
    post("application/json", "{\"op\":\"add-marker\",\"time\":1e999,\"name\":\"\"}".to_owned())
        .await
        .assert_error(400, "");
    let long = json!({ "op": "add-marker", "time": 0, "name": "x".repeat(1 << 16) });
    post("application/json", long.to_string()).await.assert_error(413, "");
    assert_eq!(client.state().await["recordings"][0]["revision"], 0);
}
