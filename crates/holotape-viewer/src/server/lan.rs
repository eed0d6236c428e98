//! The server for other devices in the local network: over TLS, with pairing.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Instant;

use holotape::{Error, Result};

use super::connection::HttpServer;
use super::guard::{self, Guard};
use super::hosts::ServerHosts;
use super::listener::listen;
use super::pairing::{Clock, LanEvent, PairedDevices, Pairing};
use super::state_dir::StateDir;
use super::tls::{TlsHandshaker, TlsIdentity};
use super::token::AccessToken;
use super::{Viewer, routes, run};

/// A fixed port, because users type it.
const DEFAULT_LAN_PORT: u16 = 8443;

/// Options of a [`LanServer`].
///
/// ```
/// use holotape_viewer::LanOptions;
///
/// let options = LanOptions::new().with_port(9443);
/// # drop(options);
/// ```
#[derive(Clone)]
pub struct LanOptions {
    port: Option<u16>,
    state_dir: Option<PathBuf>,
    certificate_files: Option<(PathBuf, PathBuf)>,
    clock: Clock,
}

impl LanOptions {
    /// Port 8443, or any free port if it is in use.
    #[must_use]
    pub fn new() -> Self {
        Self { port: None, state_dir: None, certificate_files: None, clock: Arc::new(Instant::now) }
    }

    /// Uses exactly this port; 0 selects a free port.
    #[must_use]
    pub fn with_port(self, port: u16) -> Self {
        Self { port: Some(port), ..self }
    }

    /// Sets the directory in which the certificate and the paired devices are kept. By default, `holotape` in the user's state
    /// directory: `$XDG_STATE_HOME` or `~/.local/state`, `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows.
    #[must_use]
    pub fn with_state_dir(self, state_dir: impl Into<PathBuf>) -> Self {
        Self { state_dir: Some(state_dir.into()), ..self }
    }

    /// Uses a certificate chain and its private key from PEM files instead of a self-signed certificate.
    #[must_use]
    pub fn with_certificate(self, certificate: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        Self { certificate_files: Some((certificate.into(), key.into())), ..self }
    }

    /// Sets the clock for the expiry of codes and for rate limits. Tests use it to advance time.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let start = Instant::now();
    /// let fast = holotape_viewer::LanOptions::new().with_clock(move || start + 100 * start.elapsed());
    /// # drop(fast);
    /// ```
    #[must_use]
    pub fn with_clock(self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        Self { clock: Arc::new(clock), ..self }
    }
}

impl Default for LanOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for LanOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LanOptions").field("port", &self.port).finish_non_exhaustive()
    }
}

impl Viewer {
    /// Listens on all interfaces, over TLS. The certificate is self-signed unless the options name one. Clients must pair with the
    /// [code](LanServer::code) once, or send the [token](LanServer::local_url).
    ///
    /// # Errors
    /// Fails if the port is in use, if there is no valid certificate, or if the state directory cannot be written.
    pub fn bind_lan(self, options: LanOptions) -> Result<LanServer> {
        let failed = |port: u16| move |error: io::Error| Error::from(error).with_path(format!("0.0.0.0:{port}"));
        let (port, listeners) = match options.port {
            Some(port) => listen(port).map_err(failed(port))?,
            None => listen(DEFAULT_LAN_PORT).or_else(|_| listen(0)).map_err(failed(DEFAULT_LAN_PORT))?,
        };
        let hosts = ServerHosts::lan(port);
        let state = options.state_dir.or_else(StateDir::default_path).map(StateDir::open).transpose()?;
        let identity = match &options.certificate_files {
            Some((certificate, key)) => TlsIdentity::from_files(certificate, key)?,
            None => TlsIdentity::load_or_generate(&hosts, state.as_ref())?,
        };
        let body_timeout = self.app.options.client_timeout;
        let pairing = Arc::new(Pairing::new(options.clock, PairedDevices::load(state)?, body_timeout)?);
        let token = match self.resolve_token()? {
            Some(token) => token,
            None => AccessToken::random()?,
        };
        Ok(LanServer { viewer: self, listeners, hosts: Arc::new(hosts), identity, pairing, token })
    }
}

/// A [`Viewer`] that listens in the local network.
///
/// ```
/// use holotape_viewer::{LanOptions, Viewer, ViewerOptions};
///
/// # let folder = tempfile::tempdir()?;
/// let options = LanOptions::new().with_port(0);
/// # let options = options.with_state_dir(folder.path());
/// let server = Viewer::new(ViewerOptions::new()).bind_lan(options)?;
/// println!("open {} and type {}", server.urls()[0], server.code());
/// # let shutdown = std::future::ready(());
/// let unsaved = server.serve_until(shutdown, |event| println!("{event:?}"))?;
/// # assert!(unsaved.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct LanServer {
    viewer: Viewer,
    listeners: Vec<TcpListener>,
    hosts: Arc<ServerHosts>,
    identity: TlsIdentity,
    pairing: Arc<Pairing>,
    token: AccessToken,
}

impl LanServer {
    /// URLs of the page, most likely reachable first. Contains at least one: without a network, that of `localhost`.
    #[must_use]
    pub fn urls(&self) -> Vec<String> {
        let urls = self.hosts.urls();
        if urls.is_empty() { vec![self.hosts.url_of("localhost")] } else { urls }
    }

    /// The port that the server listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.hosts.port()
    }

    /// The current pairing code in groups of digits. It pairs one device and expires after 10 minutes.
    #[must_use]
    pub fn code(&self) -> String {
        self.pairing.code()
    }

    /// The SHA-256 fingerprint of the certificate, as browsers display it: `AB:CD:…`.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.identity.fingerprint()
    }

    /// The secret URL of the page on this machine, which contains the access token. It needs no code.
    #[must_use]
    pub fn local_url(&self) -> String {
        format!("{}?token={}", self.hosts.url_of("localhost"), self.token.as_str())
    }

    /// Serves on this thread until `shutdown` resolves, like [`LocalServer::serve_until`](super::LocalServer::serve_until). Calls
    /// `on_event` on a separate thread, where it may block.
    ///
    /// # Errors
    /// Fails if the runtime or a listener fails.
    pub fn serve_until(
        self,
        shutdown: impl Future<Output = ()> + Send + 'static,
        mut on_event: impl FnMut(LanEvent) + Send + 'static,
    ) -> Result<Vec<String>> {
        let (sender, events) = mpsc::channel();
        self.pairing.set_event_sender(sender);
        thread::Builder::new()
            .name("lan-events".to_owned())
            .spawn(move || events.into_iter().for_each(&mut on_event))?;
        run(self.viewer.app.clone(), self.serve(shutdown))
    }

    async fn serve(self, shutdown: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let app = self.viewer.app;
        let client_timeout = app.options.client_timeout;
        let guard = Guard::new(self.hosts.clone(), Some(self.token)).with_pairing(self.pairing.clone());
        let router = guard::protect(routes::router(app), guard);
        let tls = TlsHandshaker::new(&self.identity, self.hosts);
        let server = HttpServer::new(router, Some(tls), client_timeout);
        tokio::select! {
            served = server.serve_until(self.listeners, shutdown) => served,
            () = self.pairing.replace_expired() => Ok(()),
            () = self.pairing.watch_devices() => Ok(()),
        }
    }
}
