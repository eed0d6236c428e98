//! Who is let in, and what every answer carries.

use axum::body::Body;
use axum::http::{Method, Request};
use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::json;

use crate::client::{Answer, Client, HOST, ORIGIN, demo, request};

fn client() -> Client {
    Client::editing(&demo(1.0))
}

async fn ask(method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = Request::builder().method(method).uri(path);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    client().send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn names_of_this_machine_are_answered() {
    for host in [HOST, "localhost:8000", "LOCALHOST:8000", "[::1]:8000"] {
        ask(Method::GET, "/api/session", &[("host", host)]).await.ok();
    }
    let usual = Client::of(&Viewer::new(ViewerOptions::new()));
    let request = || Request::builder().uri("/").header("host", "localhost").body(Body::empty()).unwrap();
    assert_eq!(usual.send(request()).await.status, 421);
    let router = Viewer::new(ViewerOptions::new()).router(80);
    let answer = tower::ServiceExt::oneshot(router, request()).await.unwrap();
    assert_eq!(answer.status(), 200);
}

#[tokio::test]
async fn other_names_are_not() {
    for host in [
        "example.org",
        "example.org:8000",
        "127.0.0.1",
        "127.0.0.1:8001",
        "localhost",
        "localhost.example.org:8000",
        "127.0.0.1.example.org:8000",
        "127.0.0.1:8000.example.org",
        "user@127.0.0.1:8000",
        "127.1:8000",
        "0.0.0.0:8000",
        "",
    ] {
        for path in ["/", "/viewer.js", "/api/session", "/api/takes/1/tape", "/nothing"] {
            ask(Method::GET, path, &[("host", host)]).await.refused(421, "holotape answers to http://127.0.0.1:8000");
        }
    }
    ask(Method::GET, "/", &[]).await.refused(421, "");
    ask(Method::GET, "/", &[("host", HOST), ("host", "example.org")]).await.refused(400, "host");
    // The line of the request names another than the header.
    ask(Method::GET, "http://example.org/api/session", &[("host", HOST)])
        .await
        .refused(421, "asked for \"example.org\", but the header Host says \"127.0.0.1:8000\"");
    ask(Method::GET, &format!("{ORIGIN}/api/session"), &[("host", HOST)]).await.ok();
}

#[tokio::test]
async fn pages_of_others_are_refused() {
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
            ask(method, "/api/session", &[("host", HOST), ("origin", origin)]).await.refused(403, "another page");
        }
    }
    ask(Method::GET, "/", &[("host", HOST), ("origin", ORIGIN), ("origin", "https://example.org")])
        .await
        .refused(400, "origin");
}

#[tokio::test]
async fn what_browsers_say_about_other_sites_is_believed() {
    for site in ["cross-site", "same-site", "", "SAME-ORIGIN, cross-site"] {
        for path in ["/", "/viewer.js", "/api/session", "/api/takes/1/download?as=csv"] {
            ask(Method::GET, path, &[("host", HOST), ("sec-fetch-site", site)]).await.refused(403, "another page");
        }
        let headers = [("host", HOST), ("origin", ORIGIN), ("sec-fetch-site", site)];
        ask(Method::DELETE, "/api/takes/1", &headers).await.refused(403, "another page");
    }
    for site in ["same-origin", "none"] {
        ask(Method::GET, "/", &[("host", HOST), ("sec-fetch-site", site)]).await.ok();
    }
}

/// A program may look without saying who it is. To change something, it has to know the address that it asks.
#[tokio::test]
async fn changes_have_to_say_where_they_come_from() {
    ask(Method::GET, "/api/session", &[("host", HOST)]).await.ok();
    for path in ["/api/takes?name=a", "/api/takes/1/edit", "/api/takes/1/preview", "/api/takes/1/save"] {
        ask(Method::POST, path, &[("host", HOST)]).await.refused(403, "Origin: http://127.0.0.1:8000");
        ask(Method::POST, path, &[("host", HOST), ("sec-fetch-site", "none")]).await.refused(403, "Origin");
    }
    ask(Method::DELETE, "/api/takes/1", &[("host", HOST)]).await.refused(403, "Origin");
    let named = [("host", HOST), ("origin", ORIGIN)];
    ask(Method::DELETE, "/api/takes/1", &named).await.refused(403, "cannot be closed");
    let said = [("host", HOST), ("sec-fetch-site", "same-origin")];
    ask(Method::DELETE, "/api/takes/1", &said).await.refused(403, "cannot be closed");
    let at_localhost = [("host", "localhost:8000"), ("origin", "http://localhost:8000")];
    ask(Method::DELETE, "/api/takes/1", &at_localhost).await.refused(403, "cannot be closed");
}

#[tokio::test]
async fn every_answer_is_held_to_a_strict_policy() {
    let answers = [
        client().get("/").await,
        client().get("/viewer.js").await,
        client().get("/api/session").await,
        client().get("/api/takes/1/tape").await,
        client().get("/api/takes/1/download?as=bin").await,
        client().get("/nothing").await,
        client().delete("/api/takes/1").await,
        ask(Method::GET, "/", &[("host", "example.org")]).await,
    ];
    for Answer { headers, .. } in answers {
        let header = |name: &str| headers.get(name).expect(name).to_str().unwrap().to_owned();
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
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
async fn what_is_not_there_is_told_as_json() {
    for path in [
        "/nothing",
        "/index.html",
        "/api",
        "/api/",
        "/api/session/",
        "/api/takes/2/tape",
        "/api/takes/-1/tape",
        "/api/takes/one/tape",
        "/api/takes/18446744073709551616/tape",
        "/api/takes/1/",
        "/api/takes//tape",
    ] {
        client().get(path).await.refused(404, "");
    }
    client().get("/api/takes/1/download?as=exe").await.refused(400, "exe");
    client().get("/api/takes/1/download").await.refused(400, "as");
    client().get("/api/takes/1/tape?revision=x").await.refused(400, "revision");
}

#[tokio::test]
async fn methods_are_those_of_the_route() {
    for (method, path) in [
        (Method::POST, "/"),
        (Method::PUT, "/viewer.js"),
        (Method::DELETE, "/api/session"),
        (Method::OPTIONS, "/api/session"),
        (Method::GET, "/api/takes"),
        (Method::PUT, "/api/takes"),
        (Method::GET, "/api/takes/1"),
        (Method::PATCH, "/api/takes/1"),
        (Method::POST, "/api/takes/1/tape"),
        (Method::GET, "/api/takes/1/edit"),
        (Method::TRACE, "/api/takes/1/save"),
    ] {
        let answer = client().send(request(method.clone(), path).body(Body::empty()).unwrap()).await;
        answer.refused(405, method.as_str());
        assert!(answer.headers.contains_key("allow"), "{method} {path}");
    }
}

#[tokio::test]
async fn bodies_are_json_and_short() {
    let client = client();
    let post = |kind: &'static str, body: String| {
        client.send(request(Method::POST, "/api/takes/1/edit").header("content-type", kind).body(body.into()).unwrap())
    };
    post("text/plain", json!({ "op": "undo" }).to_string()).await.refused(415, "application/json");
    post("application/json", "{".to_owned()).await.refused(400, "JSON");
    post("application/json", json!({ "op": "explode" }).to_string()).await.refused(422, "explode");
    post("application/json", json!({ "op": "moveMarker", "index": -1, "time": 0 }).to_string()).await.refused(422, "");
    post("application/json", "{\"op\":\"addMarker\",\"time\":1e999,\"name\":\"\"}".to_owned()).await.refused(400, "");
    let long = json!({ "op": "addMarker", "time": 0, "name": "x".repeat(1 << 16) });
    post("application/json", long.to_string()).await.refused(413, "");
    assert_eq!(client.session().await["takes"][0]["revision"], 0);
}
