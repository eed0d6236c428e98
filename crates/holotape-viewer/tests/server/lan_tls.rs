//! Certificates, handshakes, and plain HTTP requests.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use holotape_viewer::{LanOptions, Viewer, ViewerOptions};
use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::ServerCertVerifier;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{ServerName, UnixTime};
use tokio_rustls::rustls::{ClientConnection, StreamOwned};

use crate::lan::{DEVICE, LOCAL, Lan, Pinned, Response};

#[test]
fn certificate_covers_all_hosts_and_a_valid_period() {
    let lan = Lan::start();
    let pinned = Arc::new(Pinned::new(&lan.fingerprint));
    let name = ServerName::try_from("localhost").unwrap();
    let connection = ClientConnection::new(pinned.clone().config(), name.clone()).unwrap();
    let mut stream = StreamOwned::new(connection, lan.connect(DEVICE, LOCAL));
    stream.flush().unwrap();
    assert_eq!(stream.conn.alpn_protocol(), None);
    let certificate = pinned.seen.lock().unwrap().clone().expect("a certificate");

    let mut roots = RootCertStore::empty();
    roots.add(certificate.clone()).unwrap();
    let provider = Arc::new(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
    let now = UnixTime::now().as_secs();
    let is_good = |name: &str, secs: u64| {
        let name = ServerName::try_from(name.to_owned()).unwrap();
        verifier.verify_server_cert(
            &certificate,
            &[],
            &name,
            &[],
            UnixTime::since_unix_epoch(Duration::from_secs(secs)),
        )
    };
    let hosts = lan.urls.iter().map(|url| {
        let host = url.strip_prefix("https://").unwrap().rsplit_once(':').unwrap().0;
        host.trim_matches(['[', ']']).to_owned()
    });
    let known = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    for host in hosts.chain(known) {
        assert!(is_good(&host, now).is_ok(), "{host}: {:?}", is_good(&host, now));
    }
    assert!(is_good("example.org", now).is_err() && is_good("127.0.0.9", now).is_err());
    let days = |days: u64| days * 24 * 60 * 60;
    assert!(is_good("localhost", now - days(1) + 60).is_ok() && is_good("localhost", now + days(30)).is_ok());
    assert!(is_good("localhost", now - days(2)).is_err() && is_good("localhost", now + days(396)).is_err());
    lan.stop();
}

#[test]
fn each_user_has_a_certificate() {
    let (one, other) = (Lan::start(), Lan::start());
    assert_ne!(one.fingerprint, other.fingerprint);
    assert_eq!(one.fingerprint.len(), 32 * 3 - 1);
    let mut stream = other.connect_tls(DEVICE, LOCAL);
    assert!(stream.write_all(b"GET / HTTP/1.1\r\n\r\n").and_then(|()| stream.flush()).is_ok());
    let pinned = Arc::new(Pinned::new(&one.fingerprint)).config();
    let connection = ClientConnection::new(pinned, ServerName::try_from("localhost").unwrap()).unwrap();
    let mut stream = StreamOwned::new(connection, other.connect(DEVICE, LOCAL));
    assert!(stream.flush().and_then(|()| stream.write_all(b"GET")).is_err(), "a fingerprint that is not its own");
    one.stop();
    other.stop();
}

/// Much shorter than the timeout of clients in these tests.
const SOON: Duration = Duration::from_secs(120);

#[test]
fn silent_connections_do_not_block_others() {
    let lan = Lan::start();
    let mut silent: Vec<_> = (0..300).map(|_| lan.connect("127.0.0.3", LOCAL)).collect();
    // The start of a TLS handshake.
    let mut slow: Vec<_> = (0..60).map(|_| lan.connect("127.0.0.4", LOCAL)).collect();
    slow.iter_mut().for_each(|stream| stream.write_all(&[0x16, 3, 1, 2, 0, 1]).unwrap());
    assert!(lan.ask(DEVICE, "GET /", "", b"").is_pairing_page());
    lan.pair(DEVICE, &lan.first_code);
    // The oldest connections were evicted.
    for stream in &mut silent[..200] {
        stream.set_read_timeout(Some(SOON)).unwrap();
        let result = stream.read(&mut [0]).map_err(|error| error.kind());
        assert!(!matches!(result, Ok(1) | Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "{result:?}");
    }
    let newest = silent.last_mut().expect("one");
    newest.set_nonblocking(true).unwrap();
    assert_eq!(newest.read(&mut [0]).unwrap_err().kind(), ErrorKind::WouldBlock);
    lan.stop();
}

/// A connection is unauthenticated until its first request with a valid token.
#[test]
fn address_evicts_only_its_own_unauthenticated_connections() {
    let lan = Lan::start();
    let cookie = lan.pair(DEVICE, &lan.first_code);
    let request = |cookie: &str| format!("GET /api/state HTTP/1.1\r\nHost: {LOCAL}:{}\r\n{cookie}\r\n", lan.port);
    let mut paired = lan.connect_tls(DEVICE, LOCAL);
    let mut unpaired = lan.connect_tls(DEVICE, LOCAL);
    for (stream, cookie, status) in [(&mut paired, cookie.as_str(), 200), (&mut unpaired, "", 401)] {
        stream.write_all(request(cookie).as_bytes()).unwrap();
        assert_eq!(Response::read(stream, false).status, status);
    }
    let mut others: Vec<_> = (0..200)
        .map(|_| {
            let mut stream = lan.connect_tls("127.0.0.5", LOCAL);
            stream.flush().ok();
            stream
        })
        .collect();
    others[0].sock.set_read_timeout(Some(SOON)).unwrap();
    let rest = others[0].read(&mut [0]).map_err(|error| error.kind());
    assert!(!matches!(rest, Ok(1) | Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "{rest:?}");
    for (stream, cookie, status) in [(&mut paired, cookie.as_str(), 200), (&mut unpaired, "", 401)] {
        stream.write_all(request(cookie).as_bytes()).unwrap();
        assert_eq!(Response::read(stream, false).status, status);
    }
    lan.stop();
}

fn send_plain(lan: &Lan, to: &str, bytes: &[u8]) -> String {
    let mut stream = lan.connect(DEVICE, to);
    stream.write_all(bytes).ok();
    stream.shutdown(std::net::Shutdown::Write).ok();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).ok();
    String::from_utf8_lossy(&response).into_owned()
}

#[test]
fn plain_http_is_redirected() {
    let lan = Lan::start();
    let port = lan.port;
    for host in [format!("127.0.0.1:{port}"), format!("LOCALHOST:{port}")] {
        let response = send_plain(
            &lan,
            LOCAL,
            format!("GET /api/state?x=1 HTTP/1.1\r\nhost:  {host} \r\nA: b\r\n\r\n").as_bytes(),
        );
        let location = format!("\r\nLocation: https://{}/\r\n", host.to_lowercase());
        assert!(response.starts_with("HTTP/1.1 307 ") && response.contains(&location), "{response}");
    }
    let reached = send_plain(&lan, "127.0.0.7", format!("GET / HTTP/1.1\r\nHost: 127.0.0.7:{port}\r\n\r\n").as_bytes());
    assert!(reached.contains(&format!("Location: https://127.0.0.7:{port}/\r\n")), "{reached}");
    for other in [
        "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: example.org\r\nX: \r\n Location: https://example.org\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET /",
        "POST /pair HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n12345",
        "SSH-2.0-OpenSSH_9.2\r\n",
        "\0\0\0\0",
        &"x".repeat(20_000),
    ] {
        let response = send_plain(&lan, LOCAL, other.as_bytes());
        assert!(response.starts_with("HTTP/1.1 400 ") && !response.contains("example.org"), "{other:?}: {response}");
        let (head, message) = response.split_once("\r\n\r\n").expect("a message");
        assert!(message.starts_with("This server requires HTTPS: open https://"), "{message}");
        assert!(head.contains(&format!("Content-Length: {}\r\n", message.len())), "{head}");
    }
    // Malformed handshakes do not affect the server.
    for nonsense in [&[0x16][..], &[0x16; 5000], &[0x16, 3, 1, 0xff, 0xff], b""] {
        send_plain(&lan, LOCAL, nonsense);
    }
    assert!(lan.ask(DEVICE, "GET /", "", b"").is_pairing_page());
    lan.stop();
}

#[test]
fn certificate_files_replace_the_self_signed_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let (cert, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    let made = std::process::Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=desk.example", "-addext", "subjectAltName=DNS:desk.example"])
        .args(
            [&cert, &key]
                .into_iter()
                .zip(["-out", "-keyout"])
                .flat_map(|(path, option)| [option.as_ref(), path.as_os_str()]),
        )
        .output()
        .expect("openssl is installed");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let options = || LanOptions::new().with_port(0).with_state_dir(folder.path().join("state"));
    let bind = |options| Viewer::new(ViewerOptions::new()).bind_lan(options);
    let server = bind(options().with_certificate(&cert, &key)).unwrap();
    let listed = std::process::Command::new("openssl")
        .args(["x509", "-noout", "-fingerprint", "-sha256", "-in"])
        .arg(&cert)
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&listed.stdout).contains(&server.fingerprint()));
    for (cert, key) in [(&key, &key), (&cert, &cert), (&folder.path().join("none.pem"), &key)] {
        let error = bind(options().with_certificate(cert, key)).err().expect("an error").to_string();
        assert!(error.contains(".pem: "), "{error}");
    }
}

#[test]
fn shutdown_does_not_wait_for_clients() {
    let lan = Lan::start();
    let cookie = lan.pair(DEVICE, &lan.first_code);
    let mut silent = lan.connect(DEVICE, LOCAL);
    let mut idle = lan.connect_tls(DEVICE, LOCAL);
    write!(idle, "GET / HTTP/1.1\r\nHost: {LOCAL}:{}\r\n{cookie}\r\n", lan.port).unwrap();
    idle.read_exact(&mut [0; 8]).unwrap();
    lan.stop();
    // Not a new connection: another server may have the port by now.
    let is_closed = |read: io::Result<usize>| match read {
        Ok(count) => count == 0,
        Err(error) => matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted),
    };
    assert!(is_closed(silent.read(&mut [0; 1])));
}

#[test]
fn lan_server_prefers_port_8443() {
    let viewer = || Viewer::new(ViewerOptions::new());
    let folder = tempfile::tempdir().unwrap();
    let options = || LanOptions::new().with_state_dir(folder.path());
    // Another program may use 8443, and release it at any time.
    let first = || {
        let one = viewer().bind_lan(options()).unwrap();
        (one.port() == 8443 || TcpStream::connect((LOCAL, 8443)).is_ok()).then_some(one)
    };
    let one = (0..100).find_map(|_| first()).expect("8443 is preferred if it is free");
    let other = viewer().bind_lan(options()).unwrap();
    assert_ne!(one.port(), other.port());
    let taken = viewer().bind_lan(options().with_port(one.port())).err().expect("taken");
    assert!(taken.to_string().starts_with(&format!("0.0.0.0:{}: ", one.port())), "{taken}");
    assert!(TcpStream::connect(("127.0.0.2", one.port())).is_ok(), "by another address of this machine");
    let best = one.urls().remove(0);
    let host = best.strip_prefix("https://").and_then(|url| url.strip_suffix(&format!(":{}/", one.port())));
    let host = host.unwrap_or_else(|| panic!("{best} is not a URL"));
    let networks: Vec<_> = if_addrs::get_if_addrs().unwrap_or_default();
    if networks.iter().any(|network| network.ip().is_ipv4() && !network.is_loopback()) {
        assert!(host.parse::<IpAddr>().is_ok_and(|address| address.is_ipv4() && !address.is_loopback()), "{host}");
    }
}
