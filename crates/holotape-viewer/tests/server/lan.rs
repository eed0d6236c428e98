//! A TLS client with any address of this machine.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use holotape_viewer::{LanEvent, LanOptions, Viewer, ViewerOptions};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use socket2::{Domain, Socket, Type};
use tempfile::{TempDir, tempdir};
use tokio::sync::oneshot;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{ring, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme, StreamOwned,
};

use crate::client::demo;

/// Name of the recording, which unpaired devices must not see.
pub const SECRET: &str = "what-lena-did.bin";

/// The server treats every address of 127.0.0.0/8 as another device.
pub const LOCAL: &str = "127.0.0.1";
pub const DEVICE: &str = "127.0.0.2";

/// A server in the local network, with a clock that the test advances.
pub struct Lan {
    pub port: u16,
    pub urls: Vec<String>,
    pub first_code: String,
    pub token: String,
    pub fingerprint: String,
    pub events: Receiver<LanEvent>,
    state_dir: TempDir,
    elapsed_secs: Arc<AtomicU64>,
    end: oneshot::Sender<()>,
    thread: JoinHandle<holotape::Result<Vec<String>>>,
}

impl Lan {
    pub fn start() -> Self {
        Self::start_on(0)
    }

    pub fn start_on(port: u16) -> Self {
        Self::start_in(tempdir().expect("a folder"), port)
    }

    pub fn start_in(state_dir: TempDir, port: u16) -> Self {
        // Connections end because they are evicted, never because the machine is slow.
        let options = ViewerOptions::new().with_edit(true).with_client_timeout(Duration::from_secs(3600));
        let viewer = Viewer::new(options);
        viewer.add(SECRET, demo(1.0)).expect("shown");
        let (start, elapsed_secs) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        let elapsed = elapsed_secs.clone();
        let clock = move || start + Duration::from_secs(elapsed.load(Ordering::SeqCst));
        let options = LanOptions::new().with_port(port).with_clock(clock).with_state_dir(state_dir.path());
        let bound = viewer.bind_lan(options).expect("a free port");
        let (urls, first_code, fingerprint) = (bound.urls(), bound.code(), bound.fingerprint());
        let token = bound.local_url().split_once("?token=").expect("in the address").1.to_owned();
        let port = bound.port();
        let (end, ended) = oneshot::channel();
        let (sender, events) = mpsc::channel();
        let on_event = move |event| sender.send(event).unwrap_or_default();
        let thread = thread::spawn(|| bound.serve_until(async { drop(ended.await) }, on_event));
        Self { port, urls, first_code, token, fingerprint, events, state_dir, elapsed_secs, end, thread }
    }

    /// Returns the state directory, for another server.
    pub fn stop(self) -> TempDir {
        self.end.send(()).expect("it runs");
        self.thread.join().expect("no panic").expect("no failure");
        self.state_dir
    }

    pub fn state_dir(&self) -> &Path {
        self.state_dir.path()
    }

    /// Advances the clock.
    pub fn pass_secs(&self, secs: u64) {
        self.elapsed_secs.fetch_add(secs, Ordering::SeqCst);
    }

    /// Waits for the next code.
    pub fn next_code(&self) -> String {
        loop {
            match self.events.recv_timeout(Duration::from_secs(120)).expect("an event") {
                LanEvent::NewCode { code, .. } => return code,
                _ => continue,
            }
        }
    }

    /// A connection from one address of this machine to another.
    pub fn connect(&self, from: &str, to: &str) -> TcpStream {
        let address = |text: &str| text.parse::<IpAddr>().expect("an address");
        let to = SocketAddr::from((address(to), self.port));
        let socket = Socket::new(Domain::for_address(to), Type::STREAM, None).expect("a socket");
        socket.bind(&SocketAddr::from((address(from), 0)).into()).expect("an address of this machine");
        socket.connect(&to.into()).expect("a server");
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        stream
    }

    pub fn connect_tls(&self, from: &str, to: &str) -> StreamOwned<ClientConnection, TcpStream> {
        let name = ServerName::from(to.parse::<IpAddr>().expect("an address"));
        let pinned = Arc::new(Pinned::new(&self.fingerprint));
        StreamOwned::new(ClientConnection::new(pinned.config(), name).expect("a name"), self.connect(from, to))
    }

    /// Sends a request as a client without browser headers.
    pub fn ask(&self, from: &str, line: &str, headers: &str, body: &[u8]) -> Response {
        self.ask_at(from, LOCAL, line, &format!("Host: {LOCAL}:{}\r\n{headers}", self.port), body)
    }

    /// Sends a request to an address of this machine with the given headers.
    pub fn ask_at(&self, from: &str, to: &str, line: &str, headers: &str, body: &[u8]) -> Response {
        let mut stream = self.connect_tls(from, to);
        let head = format!("{line} HTTP/1.1\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
        // The server may close the connection before it has read everything.
        stream.write_all(&[head.as_bytes(), body].concat()).ok();
        Response::read(&mut stream, line.starts_with("HEAD "))
    }

    pub fn origin(&self) -> String {
        format!("Origin: https://{LOCAL}:{}\r\n", self.port)
    }

    /// Sends any body as a pairing request.
    pub fn request_pairing(&self, from: &str, body: &[u8]) -> Response {
        self.ask(from, "POST /pair", &self.origin(), body)
    }

    pub fn type_code(&self, from: &str, code: &str) -> Response {
        self.request_pairing(from, json!({ "code": code }).to_string().as_bytes())
    }

    /// Pairs with a valid code and returns the `Cookie` header.
    pub fn pair(&self, from: &str, code: &str) -> String {
        let response = self.type_code(from, code);
        assert_eq!(response.status, 204, "{response:?}");
        response.cookie()
    }
}

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Response {
    pub fn read(stream: &mut impl Read, is_head: bool) -> Self {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap_or_else(|error| panic!("{error}: {}", head.escape_ascii()));
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).expect("text");
        let status = head.split(' ').nth(1).expect("a status").parse().expect("a number");
        let mut response = Self { status, head, body: String::new() };
        let length = response.header("content-length").map_or(0, |length| length.parse().expect("a length"));
        let mut body = vec![0; if is_head { 0 } else { length }];
        stream.read_exact(&mut body).expect("all of it");
        response.body = String::from_utf8_lossy(&body).into_owned();
        response
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let headers = self.head.lines().filter_map(|line| line.split_once(": "));
        headers.into_iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// The header with the cookie that this sets.
    pub fn cookie(&self) -> String {
        let cookie = self.header("set-cookie").expect("a cookie").split(';').next().expect("a value");
        format!("Cookie: {cookie}\r\n")
    }

    pub fn is_pairing_page(&self) -> bool {
        self.status == 401 && self.body.starts_with("<!doctype html>") && self.body.contains("Enter the pairing code")
    }
}

/// Knows a certificate by its fingerprint, as a careful person does.
#[derive(Debug)]
pub struct Pinned {
    fingerprint: String,
    pub seen: Mutex<Option<CertificateDer<'static>>>,
}

impl Pinned {
    pub fn new(fingerprint: &str) -> Self {
        Self { fingerprint: fingerprint.to_owned(), seen: Mutex::default() }
    }

    pub fn config(self: Arc<Self>) -> Arc<ClientConfig> {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().expect("versions").dangerous();
        Arc::new(config.with_custom_certificate_verifier(self).with_no_client_auth())
    }
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let pairs: Vec<_> = Sha256::digest(certificate).iter().map(|byte| format!("{byte:02X}")).collect();
        *self.seen.lock().unwrap() = Some(certificate.clone().into_owned());
        match pairs.join(":") == self.fingerprint {
            true => Ok(ServerCertVerified::assertion()),
            false => Err(Error::General("another fingerprint".to_owned())),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(
            message,
            certificate,
            signed,
            &ring::default_provider().signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(
            message,
            certificate,
            signed,
            &ring::default_provider().signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        ring::default_provider().signature_verification_algorithms.supported_schemes()
    }
}
