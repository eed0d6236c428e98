//! The way to the server: certificates, handshakes, and those who speak without one.

use std::io::{ErrorKind, Read, Write};
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

use crate::lan::{Answer, Lan, ME, Pinned, SOMEBODY};

#[test]
fn the_certificate_is_for_all_names_of_the_server_and_for_as_long_as_browsers_allow() {
    let lan = Lan::start();
    let pinned = Arc::new(Pinned::new(&lan.fingerprint));
    let name = ServerName::try_from("localhost").unwrap();
    let connection = ClientConnection::new(pinned.clone().config(), name.clone()).unwrap();
    let mut stream = StreamOwned::new(connection, lan.connect(SOMEBODY, ME));
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
fn another_server_has_another_certificate() {
    let (one, other) = (Lan::start(), Lan::start());
    assert_ne!(one.fingerprint, other.fingerprint);
    assert_eq!(one.fingerprint.len(), 32 * 3 - 1);
    let mut stream = other.connect_tls(SOMEBODY, ME);
    assert!(stream.write_all(b"GET / HTTP/1.1\r\n\r\n").and_then(|()| stream.flush()).is_ok());
    let pinned = Arc::new(Pinned::new(&one.fingerprint)).config();
    let connection = ClientConnection::new(pinned, ServerName::try_from("localhost").unwrap()).unwrap();
    let mut stream = StreamOwned::new(connection, other.connect(SOMEBODY, ME));
    assert!(stream.flush().and_then(|()| stream.write_all(b"GET")).is_err(), "a fingerprint that is not its own");
    one.stop();
    other.stop();
}

/// Less than anybody has who is not sent away before.
const SOON: Duration = Duration::from_secs(8);

/// They hold on to nothing that others need.
#[test]
fn those_who_say_nothing_keep_nobody_waiting() {
    let lan = Lan::start();
    let mut silent: Vec<_> = (0..300).map(|_| lan.connect("127.0.0.3", ME)).collect();
    // Half of what a handshake begins with.
    let mut slow: Vec<_> = (0..60).map(|_| lan.connect("127.0.0.4", ME)).collect();
    slow.iter_mut().for_each(|stream| stream.write_all(&[0x16, 3, 1, 2, 0, 1]).unwrap());
    assert!(lan.ask(SOMEBODY, "GET /", "", b"").is_pairing_page());
    lan.pair(SOMEBODY, &lan.first_code);
    // The oldest had to go.
    for stream in &mut silent[..200] {
        stream.set_read_timeout(Some(SOON)).unwrap();
        let heard = stream.read(&mut [0]).map_err(|error| error.kind());
        assert!(!matches!(heard, Ok(1) | Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "{heard:?}");
    }
    let newest = silent.last_mut().expect("one");
    newest.set_nonblocking(true).unwrap();
    assert_eq!(newest.read(&mut [0]).unwrap_err().kind(), ErrorKind::WouldBlock);
    lan.stop();
}

/// Who has agreed on keys and says nothing more is a stranger as well, until they have shown that they may come in.
#[test]
fn strangers_hold_on_to_nothing_but_those_who_paired_do() {
    let lan = Lan::start();
    let cookie = lan.pair(SOMEBODY, &lan.first_code);
    let request = |cookie: &str| format!("GET /api/session HTTP/1.1\r\nHost: {ME}:{}\r\n{cookie}\r\n", lan.port);
    let mut paired = lan.connect_tls(SOMEBODY, ME);
    let mut stranger = lan.connect_tls(SOMEBODY, ME);
    for (stream, cookie, status) in [(&mut paired, cookie.as_str(), 200), (&mut stranger, "", 401)] {
        stream.write_all(request(cookie).as_bytes()).unwrap();
        assert_eq!(Answer::read(stream, false).status, status);
    }
    let crowd: Vec<_> = (0..200)
        .map(|_| {
            let mut stream = lan.connect_tls("127.0.0.5", ME);
            stream.flush().ok();
            stream
        })
        .collect();
    stranger.sock.set_read_timeout(Some(SOON)).unwrap();
    let rest = stranger.read(&mut [0]).map_err(|error| error.kind());
    assert!(!matches!(rest, Ok(1) | Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "{rest:?}");
    paired.write_all(request(&cookie).as_bytes()).unwrap();
    assert_eq!(Answer::read(&mut paired, false).status, 200);
    drop(crowd);
    lan.stop();
}

fn say(lan: &Lan, to: &str, words: &[u8]) -> String {
    let mut stream = lan.connect(SOMEBODY, to);
    stream.write_all(words).ok();
    stream.shutdown(std::net::Shutdown::Write).ok();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn who_forgets_the_s_is_told() {
    let lan = Lan::start();
    let port = lan.port;
    for host in [format!("127.0.0.1:{port}"), format!("LOCALHOST:{port}")] {
        let answer =
            say(&lan, ME, format!("GET /api/session?x=1 HTTP/1.1\r\nhost:  {host} \r\nA: b\r\n\r\n").as_bytes());
        let place = format!("\r\nLocation: https://{}/\r\n", host.to_lowercase());
        assert!(answer.starts_with("HTTP/1.1 307 ") && answer.contains(&place), "{answer}");
    }
    let reached = say(&lan, "127.0.0.7", format!("GET / HTTP/1.1\r\nHost: 127.0.0.7:{port}\r\n\r\n").as_bytes());
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
        let answer = say(&lan, ME, other.as_bytes());
        assert!(answer.starts_with("HTTP/1.1 400 ") && !answer.contains("example.org"), "{other:?}: {answer}");
        let (head, message) = answer.split_once("\r\n\r\n").expect("words");
        assert!(message.starts_with("This is encrypted: open https://"), "{message}");
        assert!(head.contains(&format!("Content-Length: {}\r\n", message.len())), "{head}");
    }
    // Nobody is harmed by what is neither.
    for nonsense in [&[0x16][..], &[0x16; 5000], &[0x16, 3, 1, 0xff, 0xff], b""] {
        say(&lan, ME, nonsense);
    }
    assert!(lan.ask(SOMEBODY, "GET /", "", b"").is_pairing_page());
    lan.stop();
}

#[test]
fn it_ends_when_told_to_whoever_is_there() {
    let lan = Lan::start();
    let cookie = lan.pair(SOMEBODY, &lan.first_code);
    let _silent = lan.connect(SOMEBODY, ME);
    let mut idle = lan.connect_tls(SOMEBODY, ME);
    write!(idle, "GET / HTTP/1.1\r\nHost: {ME}:{}\r\n{cookie}\r\n", lan.port).unwrap();
    idle.read_exact(&mut [0; 8]).unwrap();
    let port = lan.port;
    lan.stop();
    assert!(TcpStream::connect((ME, port)).is_err());
}

#[test]
fn it_listens_to_other_machines_on_a_port_that_people_can_type() {
    let viewer = || Viewer::new(ViewerOptions::new());
    let one = viewer().bind_lan(LanOptions::new()).unwrap();
    let other = viewer().bind_lan(LanOptions::new()).unwrap();
    // Somebody else may have 8443.
    assert_ne!(one.port(), other.port());
    assert!(one.port() == 8443 || TcpStream::connect((ME, 8443)).is_ok());
    let taken = viewer().bind_lan(LanOptions::new().with_port(one.port())).err().expect("taken");
    assert!(taken.to_string().starts_with(&format!("0.0.0.0:{}: ", one.port())), "{taken}");
    assert!(TcpStream::connect(("127.0.0.2", one.port())).is_ok(), "by another address of this machine");
    let best = one.urls().remove(0);
    let host = best.strip_prefix("https://").and_then(|url| url.strip_suffix(&format!(":{}/", one.port())));
    let host = host.unwrap_or_else(|| panic!("{best} is no address"));
    let networks: Vec<_> = if_addrs::get_if_addrs().unwrap_or_default();
    if networks.iter().any(|network| network.ip().is_ipv4() && !network.is_loopback()) {
        assert!(host.parse::<IpAddr>().is_ok_and(|address| address.is_ipv4() && !address.is_loopback()), "{host}");
    }
}
