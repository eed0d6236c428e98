//! Connections from the local network: nothing without pairing, everything with it.

use holotape_viewer::PairedDevices;

use crate::client::routes;
use crate::lan::{DEVICE, LOCAL, Lan, Response, SECRET};

const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// All routes, and unknown paths.
fn paths() -> Vec<String> {
    let unknown =
        ["/nothing", "/index.html", "/pair", "/pair/", "//", "/api", "/api/recordings/1/curves/", "/PAIR", "/%70air"];
    let queries = ["/api/recordings/1/download?format=bin", "/api/recordings/1/curves?revision=0", "/?a=/pair"];
    routes().into_iter().chain(unknown.map(str::to_owned)).chain(queries.map(str::to_owned)).collect()
}

#[track_caller]
fn assert_unauthorized(response: &Response, what: &str) {
    assert_eq!(response.status, 401, "{what}: {response:?}");
    let all = format!("{}{}", response.head, response.body);
    for secret in [SECRET, "demo", env!("CARGO_PKG_VERSION"), "viewer.js", "etag", "set-cookie", "holotape-losses"] {
        assert!(!all.contains(secret), "{what} reveals {secret:?}: {all}");
    }
    for (name, value) in
        [("cache-control", "no-store"), ("x-frame-options", "DENY"), ("referrer-policy", "no-referrer")]
    {
        assert_eq!(response.header(name), Some(value), "{what}");
    }
    assert!(response.header("content-security-policy").is_some_and(|policy| policy.starts_with("default-src 'none'")));
    assert_eq!(response.header("access-control-allow-origin"), None);
}

#[test]
fn unpaired_device_gets_nothing() {
    let lan = Lan::start();
    let mut refused = Vec::new();
    for path in paths() {
        for method in METHODS.into_iter().filter(|method| (*method, path.as_str()) != ("POST", "/pair")) {
            let response = lan.ask(DEVICE, &format!("{method} {path}"), &lan.origin(), b"");
            assert_unauthorized(&response, &format!("{method} {path}"));
            if method != "HEAD" && !response.is_pairing_page() {
                refused.push(response.body);
            }
        }
        let upgrade = lan.ask(DEVICE, &format!("GET {path}"), &format!("{}{UPGRADE}", lan.origin()), b"");
        assert_unauthorized(&upgrade, &format!("WebSocket {path}"));
    }
    // Responses do not reveal which paths exist.
    refused.sort();
    refused.dedup();
    assert_eq!(refused.len(), 1, "{refused:?}");
    lan.stop();
}

#[test]
fn every_address_must_pair() {
    let lan = Lan::start();
    let cookie = lan.pair(DEVICE, &lan.first_code);
    // Clients on this machine must pair as well.
    assert_unauthorized(&lan.ask(LOCAL, "GET /api/state", "", b""), "this machine");
    assert_unauthorized(&lan.ask(DEVICE, "GET /api/state", "", b""), "the machine that paired, without its cookie");
    for own in if_addrs::get_if_addrs().unwrap_or_default().iter().filter(|own| own.ip().is_ipv4()) {
        let address = own.ip().to_string();
        let headers = format!("Host: {address}:{}\r\n", lan.port);
        assert_unauthorized(&lan.ask_at(&address, &address, "GET /api/state", &headers, b""), &address);
        let response = lan.ask_at(&address, &address, "GET /api/state", &format!("{headers}{cookie}"), b"");
        assert_eq!(response.status, 200, "{address}: {response:?}");
    }
    lan.stop();
}

#[test]
fn paired_device_can_use_all_routes() {
    let lan = Lan::start();
    let cookie = lan.pair(DEVICE, &lan.first_code);
    let headers = format!("{}{cookie}", lan.origin());
    let ask = |line: &str| lan.ask(DEVICE, line, &headers, b"");
    assert_eq!(ask("GET /api/state").json()["recordings"][0]["name"], SECRET);
    assert!(ask("GET /").body.contains("viewer.js"));
    for path in ["/viewer.js", "/viewer.css", "/api/recordings/1/curves", "/api/recordings/1/download?format=bin"] {
        assert_eq!(ask(&format!("GET {path}")).status, 200, "{path}");
    }
    for path in paths() {
        assert_ne!(ask(&format!("OPTIONS {path}")).status, 401, "{path}");
    }
    assert_eq!(ask("GET /nothing").status, 404);
    assert_eq!(ask("DELETE /api/state").status, 405);
    let edit = br#"{"op":"add-marker","time":0.5,"name":"from the headset"}"#;
    let json = format!("{headers}Content-Type: application/json\r\n");
    assert_eq!(lan.ask(DEVICE, "POST /api/recordings/1/edit", &json, edit).status, 200);
    // A paired device may send any code.
    assert_eq!(lan.ask(DEVICE, "POST /pair", &headers, b"{}").status, 204);
    lan.stop();
}

#[test]
fn navigation_gets_the_pairing_page() {
    let lan = Lan::start();
    let get = |path: &str, headers: &str| lan.ask(DEVICE, &format!("GET {path}"), headers, b"");
    let (typed, fetched) = ("Accept: text/html,*/*\r\n", "Accept: */*\r\n");
    assert!(get("/", fetched).is_pairing_page());
    for path in ["/api/recordings/1/download?format=bin", "/anything", "/viewer.js", "/pair"] {
        assert!(get(path, typed).is_pairing_page(), "{path}");
        assert!(get(path, "Sec-Fetch-Mode: navigate\r\nAccept: */*\r\n").is_pairing_page(), "{path}");
        for other in [fetched, "", "Sec-Fetch-Mode: cors\r\nAccept: text/html\r\n"] {
            let response = get(path, other);
            assert_eq!((response.status, response.is_pairing_page()), (401, false), "{path}");
            assert!(response.json()["message"].as_str().expect("a message").contains("code"), "{response:?}");
        }
    }
    assert!(!lan.ask(DEVICE, "POST /", &format!("{}{typed}", lan.origin()), b"").is_pairing_page());
    lan.stop();
}

#[test]
fn device_tokens_are_secret() {
    let lan = Lan::start();
    let response = lan.type_code(DEVICE, &lan.first_code);
    let cookie = response.header("set-cookie").expect("a cookie");
    let mut parts = cookie.split("; ");
    let (name, token) = parts.next().and_then(|pair| pair.split_once('=')).expect("a pair");
    assert_eq!(name, format!("__Host-holotape-{}", lan.port));
    assert!(token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
    let attributes: Vec<_> = parts.collect();
    assert_eq!(attributes, ["Path=/", "Secure", "HttpOnly", "SameSite=Strict", "Max-Age=31536000"]);
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
            assert_unauthorized(&lan.ask(DEVICE, "GET /api/state", &forged, b""), &forged);
        }
    }
    assert_eq!(lan.ask(DEVICE, "GET /api/state", &response.cookie(), b"").status, 200);
    lan.stop();
}

#[test]
fn device_stays_paired_until_it_is_revoked() {
    let first = Lan::start();
    let (port, cookie, fingerprint) = (first.port, first.pair(DEVICE, &first.first_code), first.fingerprint.clone());
    let state_dir = first.stop();
    let second = Lan::start_in(state_dir, port);
    assert_eq!(second.fingerprint, fingerprint, "the headset trusts the certificate already");
    assert_eq!(second.ask(DEVICE, "GET /api/state", &cookie, b"").status, 200);
    let mut devices = PairedDevices::open(Some(second.state_dir().to_owned())).unwrap();
    let [device] = devices.list() else { panic!("{devices:?}") };
    assert_eq!(device.address.to_string(), DEVICE);
    let id = device.id.clone();
    devices.revoke(&id).unwrap();
    assert_unauthorized(&second.ask(DEVICE, "GET /api/state", &cookie, b""), "a revoked device");
    second.stop();
    let other = Lan::start_on(port);
    assert_ne!(other.fingerprint, fingerprint);
    assert_unauthorized(&other.ask(DEVICE, "GET /api/state", &cookie, b""), "the server of another user");
    other.stop();
}

#[test]
fn access_token_needs_no_pairing() {
    let lan = Lan::start();
    let bearer = format!("Authorization: Bearer {}\r\n", lan.token);
    assert_eq!(lan.ask(DEVICE, "GET /api/state", &bearer, b"").status, 200);
    assert_eq!(lan.ask(DEVICE, &format!("GET /api/state?token={}", lan.token), "", b"").status, 200);
    let opened = lan.ask(LOCAL, &format!("GET /?token={}", lan.token), "Sec-Fetch-Mode: navigate\r\n", b"");
    assert_eq!(opened.status, 303, "{opened:?}");
    assert_eq!(opened.header("location"), Some(format!("https://{LOCAL}:{}/", lan.port).as_str()));
    assert_eq!(lan.ask(LOCAL, "GET /api/state", &opened.cookie(), b"").status, 200);
    // The code is still valid.
    lan.pair(DEVICE, &lan.first_code);
    lan.stop();
}

#[test]
fn foreign_hosts_and_origins_are_rejected() {
    let lan = Lan::start();
    let cookie = lan.pair(DEVICE, &lan.first_code);
    let port = lan.port;
    for with in ["", cookie.as_str()] {
        let ask = |line: &str, headers: &str| lan.ask_at(DEVICE, LOCAL, line, &format!("{headers}{with}"), b"").status;
        let open = if with.is_empty() { 401 } else { 200 };
        for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")] {
            assert_eq!(ask("GET /api/state", &format!("Host: {host}\r\n")), open, "{host}");
        }
        for url in &lan.urls {
            let host = url.strip_prefix("https://").and_then(|url| url.strip_suffix('/')).expect("an address");
            assert_eq!(ask("GET /api/state", &format!("Host: {host}\r\n")), open, "{host}");
        }
        // A tunnel has another port.
        assert_eq!(ask("GET /api/state", "Host: localhost:9000\r\n"), 401, "no cookie for this port");
        for host in ["example.org", "example.org:443", "127.0.0.9", "0.0.0.0", ""] {
            let named = if host.contains(':') { host.to_owned() } else { format!("{host}:{port}") };
            assert_eq!(ask("GET /api/state", &format!("Host: {named}\r\n")), 421, "{named}");
        }
        let host = format!("Host: 127.0.0.1:{port}\r\n");
        for origin in [
            format!("http://127.0.0.1:{port}"),
            format!("https://localhost:{port}"),
            "https://127.0.0.1".to_owned(),
            "https://example.org".to_owned(),
            "null".to_owned(),
        ] {
            for line in ["GET /api/state", "POST /pair", "POST /api/recordings/1/edit"] {
                assert_eq!(ask(line, &format!("{host}Origin: {origin}\r\n")), 403, "{line} from {origin}");
            }
            assert_eq!(ask("GET /api/state", &format!("{host}Origin: {origin}\r\n{UPGRADE}")), 403, "{origin}");
        }
        assert_eq!(ask("GET /", &format!("{host}Sec-Fetch-Site: cross-site\r\n")), 403);
        assert_eq!(ask("POST /api/recordings/1/edit", &host), 403, "no origin");
        assert_eq!(ask("POST /pair", &host), 403, "no origin");
    }
    // The address that the client connected to is accepted as a host.
    let reached = format!("Host: 127.0.0.2:{port}\r\n{cookie}");
    assert_eq!(lan.ask_at(LOCAL, DEVICE, "GET /api/state", &reached, b"").status, 200);
    lan.stop();
}
