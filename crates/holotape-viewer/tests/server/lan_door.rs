//! Without the code, there is nothing for anybody on the network; with it, there is all of it.

use std::fs;
use std::path::Path;

use crate::lan::{Answer, Lan, ME, SECRET, SOMEBODY};

const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// Every route there is, from the sources: one that is added is tried as well.
fn routes() -> Vec<String> {
    let mut routes = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut routes);
    routes.sort();
    routes.dedup();
    assert!(routes.len() >= 11 && routes.iter().any(|route| route == "/api/takes/{id}/tape"), "{routes:?}");
    routes
}

fn collect(folder: &Path, routes: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path()) {
        if entry.is_dir() {
            collect(&entry, routes);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&entry).expect("text");
            let calls = source.split(".route(").skip(1);
            routes.extend(
                calls.filter_map(|call| Some(call.trim_start().strip_prefix('"')?.split('"').next()?.to_owned())),
            );
        }
    }
}

/// What there is to ask for: all routes, and what is none.
fn paths() -> Vec<String> {
    let filled = |route: String| {
        let parts = route.split('/').map(|part| if part.starts_with('{') { "1" } else { part });
        parts.collect::<Vec<_>>().join("/")
    };
    let none = ["/nothing", "/index.html", "/pair", "/pair/", "//", "/api", "/api/takes/1/tape/", "/PAIR", "/%70air"];
    let queries = ["/api/takes/1/download?as=bin", "/api/takes/1/tape?revision=0", "/?a=/pair"];
    routes().into_iter().map(filled).chain(none.map(str::to_owned)).chain(queries.map(str::to_owned)).collect()
}

#[track_caller]
fn assert_kept_out(answer: &Answer, what: &str) {
    assert_eq!(answer.status, 401, "{what}: {answer:?}");
    let all = format!("{}{}", answer.head, answer.body);
    for secret in [SECRET, "demo", env!("CARGO_PKG_VERSION"), "viewer.js", "etag", "set-cookie", "holotape-losses"] {
        assert!(!all.contains(secret), "{what} tells {secret:?}: {all}");
    }
    for (name, value) in
        [("cache-control", "no-store"), ("x-frame-options", "DENY"), ("referrer-policy", "no-referrer")]
    {
        assert_eq!(answer.header(name), Some(value), "{what}");
    }
    assert!(answer.header("content-security-policy").is_some_and(|policy| policy.starts_with("default-src 'none'")));
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[test]
fn without_the_code_nothing_is_there() {
    let lan = Lan::start();
    let mut refused = Vec::new();
    for path in paths() {
        for method in METHODS.into_iter().filter(|method| (*method, path.as_str()) != ("POST", "/pair")) {
            let answer = lan.ask(SOMEBODY, &format!("{method} {path}"), &lan.origin(), b"");
            assert_kept_out(&answer, &format!("{method} {path}"));
            if method != "HEAD" && !answer.is_pairing_page() {
                refused.push(answer.body);
            }
        }
        let upgrade = lan.ask(SOMEBODY, &format!("GET {path}"), &format!("{}{UPGRADE}", lan.origin()), b"");
        assert_kept_out(&upgrade, &format!("WebSocket {path}"));
    }
    // Nobody learns what is there and what is not.
    refused.sort();
    refused.dedup();
    assert_eq!(refused.len(), 1, "{refused:?}");
    lan.stop();
}

#[test]
fn every_address_is_another_machine() {
    let lan = Lan::start();
    let cookie = lan.pair(SOMEBODY, &lan.first_code);
    // Those who share the machine have to show that they may come in as well.
    assert_kept_out(&lan.ask(ME, "GET /api/session", "", b""), "this machine");
    assert_kept_out(&lan.ask(SOMEBODY, "GET /api/session", "", b""), "the machine that paired, without its cookie");
    for own in if_addrs::get_if_addrs().unwrap_or_default().iter().filter(|own| own.ip().is_ipv4()) {
        let address = own.ip().to_string();
        let headers = format!("Host: {address}:{}\r\n", lan.port);
        assert_kept_out(&lan.ask_at(&address, &address, "GET /api/session", &headers, b""), &address);
        let answer = lan.ask_at(&address, &address, "GET /api/session", &format!("{headers}{cookie}"), b"");
        assert_eq!(answer.status, 200, "{address}: {answer:?}");
    }
    lan.stop();
}

#[test]
fn with_the_code_all_of_it_is_there() {
    let lan = Lan::start();
    let cookie = lan.pair(SOMEBODY, &lan.first_code);
    let headers = format!("{}{cookie}", lan.origin());
    let ask = |line: &str| lan.ask(SOMEBODY, line, &headers, b"");
    assert_eq!(ask("GET /api/session").json()["takes"][0]["name"], SECRET);
    assert!(ask("GET /").body.contains("viewer.js"));
    for path in ["/viewer.js", "/viewer.css", "/api/takes/1/tape", "/api/takes/1/download?as=bin"] {
        assert_eq!(ask(&format!("GET {path}")).status, 200, "{path}");
    }
    for path in paths() {
        assert_ne!(ask(&format!("OPTIONS {path}")).status, 401, "{path}");
    }
    assert_eq!(ask("GET /nothing").status, 404);
    assert_eq!(ask("DELETE /api/session").status, 405);
    let edit = br#"{"op":"addMarker","time":0.5,"name":"from the headset"}"#;
    let json = format!("{headers}Content-Type: application/json\r\n");
    assert_eq!(lan.ask(SOMEBODY, "POST /api/takes/1/edit", &json, edit).status, 200);
    // Who is in already need not be right.
    assert_eq!(lan.ask(SOMEBODY, "POST /pair", &headers, b"{}").status, 204);
    lan.stop();
}

#[test]
fn people_get_a_page_that_asks_for_the_code() {
    let lan = Lan::start();
    let get = |path: &str, headers: &str| lan.ask(SOMEBODY, &format!("GET {path}"), headers, b"");
    let (typed, fetched) = ("Accept: text/html,*/*\r\n", "Accept: */*\r\n");
    assert!(get("/", fetched).is_pairing_page());
    for path in ["/api/takes/1/download?as=bin", "/anything", "/viewer.js", "/pair"] {
        assert!(get(path, typed).is_pairing_page(), "{path}");
        assert!(get(path, "Sec-Fetch-Mode: navigate\r\nAccept: */*\r\n").is_pairing_page(), "{path}");
        for other in [fetched, "", "Sec-Fetch-Mode: cors\r\nAccept: text/html\r\n"] {
            let answer = get(path, other);
            assert_eq!((answer.status, answer.is_pairing_page()), (401, false), "{path}");
            assert!(answer.json()["error"].as_str().expect("words").contains("code"), "{answer:?}");
        }
    }
    assert!(!lan.ask(SOMEBODY, "POST /", &format!("{}{typed}", lan.origin()), b"").is_pairing_page());
    lan.stop();
}

#[test]
fn cookies_are_secret_and_end_with_the_server() {
    let lan = Lan::start();
    let answer = lan.type_code(SOMEBODY, &lan.first_code);
    let cookie = answer.header("set-cookie").expect("a cookie");
    let mut parts = cookie.split("; ");
    let (name, token) = parts.next().and_then(|pair| pair.split_once('=')).expect("a pair");
    assert_eq!(name, format!("__Host-holotape-{}", lan.port));
    assert!(token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
    let attributes: Vec<_> = parts.collect();
    assert_eq!(attributes, ["Path=/", "Max-Age=604800", "Secure", "HttpOnly", "SameSite=Strict"]);
    for forged in [
        format!("{name}="),
        format!("{name}={}", "0".repeat(64)),
        format!("{name}={}", token.to_uppercase()),
        format!("{name}={}", &token[1..]),
        format!("{name}={token}0"),
        format!("holotape={token}"),
        format!("{name}x={token}"),
        format!("__Host-holotape-{}={token}", lan.port ^ 1),
        token.to_owned(),
    ] {
        if forged != format!("{name}={token}") {
            let forged = format!("Cookie: {forged}\r\n");
            assert_kept_out(&lan.ask(SOMEBODY, "GET /api/session", &forged, b""), &forged);
        }
    }
    let (port, cookie) = (lan.port, answer.cookie());
    assert_eq!(lan.ask(SOMEBODY, "GET /api/session", &cookie, b"").status, 200);
    lan.stop();
    let again = Lan::start_on(port);
    assert_kept_out(&again.ask(SOMEBODY, "GET /api/session", &cookie, b""), "the next server");
    again.stop();
}

#[test]
fn other_names_and_other_pages_are_refused() {
    let lan = Lan::start();
    let cookie = lan.pair(SOMEBODY, &lan.first_code);
    let port = lan.port;
    for with in ["", cookie.as_str()] {
        let ask = |line: &str, headers: &str| lan.ask_at(SOMEBODY, ME, line, &format!("{headers}{with}"), b"").status;
        let open = if with.is_empty() { 401 } else { 200 };
        for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")] {
            assert_eq!(ask("GET /api/session", &format!("Host: {host}\r\n")), open, "{host}");
        }
        for url in &lan.urls {
            let host = url.strip_prefix("https://").and_then(|url| url.strip_suffix('/')).expect("an address");
            assert_eq!(ask("GET /api/session", &format!("Host: {host}\r\n")), open, "{host}");
        }
        for host in ["example.org", "example.org:443", "127.0.0.1", "127.0.0.1:1", "127.0.0.9", "0.0.0.0", ""] {
            let named = if host.contains(':') { host.to_owned() } else { format!("{host}:{port}") };
            let expected = if named == format!("127.0.0.1:{port}") { open } else { 421 };
            assert_eq!(ask("GET /api/session", &format!("Host: {named}\r\n")), expected, "{named}");
        }
        let host = format!("Host: 127.0.0.1:{port}\r\n");
        for origin in [
            format!("http://127.0.0.1:{port}"),
            format!("https://localhost:{port}"),
            "https://127.0.0.1".to_owned(),
            "https://example.org".to_owned(),
            "null".to_owned(),
        ] {
            for line in ["GET /api/session", "POST /pair", "POST /api/takes/1/edit"] {
                assert_eq!(ask(line, &format!("{host}Origin: {origin}\r\n")), 403, "{line} from {origin}");
            }
            assert_eq!(ask("GET /api/session", &format!("{host}Origin: {origin}\r\n{UPGRADE}")), 403, "{origin}");
        }
        assert_eq!(ask("GET /", &format!("{host}Sec-Fetch-Site: cross-site\r\n")), 403);
        assert_eq!(ask("POST /api/takes/1/edit", &host), 403, "it does not say where it comes from");
        assert_eq!(ask("POST /pair", &host), 403, "it does not say where it comes from");
    }
    // Whoever has reached an address may call the server by it.
    let reached = format!("Host: 127.0.0.2:{port}\r\n{cookie}");
    assert_eq!(lan.ask_at(ME, SOMEBODY, "GET /api/session", &reached, b"").status, 200);
    lan.stop();
}
