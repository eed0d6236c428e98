//! The server for other devices in the local network: over TLS, with pairing.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::TcpListener;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Instant;

use axum::serve;
use holotape::{Error, Result};

use super::guard::{self, Guard};
use super::hosts::ServerHosts;
use super::listener::{Peer, TlsListener, listen};
use super::pairing::{Clock, LanEvent, Pairing};
use super::tls::TlsIdentity;
use super::{Viewer, routes, run, serve_with_shutdown};

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
    clock: Clock,
}

impl LanOptions {
    /// Port 8443, or any free port if it is in use.
    #[must_use]
    pub fn new() -> Self {
        Self { port: None, clock: Arc::new(Instant::now) }
    }

    /// Uses exactly this port; 0 selects a free port.
    #[must_use]
    pub fn with_port(self, port: u16) -> Self {
        Self { port: Some(port), ..self }
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
    /// Listens on all interfaces, over TLS with a new self-signed certificate. Clients must pair with the
    /// [code](LanServer::code).
    ///
    /// # Errors
    /// Fails if the port is in use, or if no certificate can be generated.
    pub fn bind_lan(self, options: LanOptions) -> Result<LanServer> {
        let failed = |port: u16| move |error: io::Error| Error::from(error).with_path(format!("0.0.0.0:{port}"));
        let (port, listeners) = match options.port {
            Some(port) => listen(port).map_err(failed(port))?,
            None => listen(DEFAULT_LAN_PORT).or_else(|_| listen(0)).map_err(failed(DEFAULT_LAN_PORT))?,
        };
        let hosts = ServerHosts::lan(port);
        let identity = TlsIdentity::generate(&hosts)?;
        let pairing = Arc::new(Pairing::new(port, options.clock)?);
        Ok(LanServer { viewer: self, listeners, hosts: Arc::new(hosts), identity, pairing })
    }
}

/// A [`Viewer`] that listens in the local network.
///
/// ```
/// use holotape_viewer::{LanOptions, Viewer, ViewerOptions};
///
/// let server = Viewer::new(ViewerOptions::new()).bind_lan(LanOptions::new().with_port(0))?;
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

    /// A secret URL that pairs one browser on this machine without a code, within 10 minutes. Invalidates the previous one.
    ///
    /// # Errors
    /// Fails if the system has no random number generator.
    pub fn one_time_url(&self) -> Result<String> {
        Ok(format!("{}#token={}", self.hosts.url_of("localhost"), self.pairing.issue_one_time_token()?))
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
        let listener = TlsListener::start(self.listeners, &self.identity.acceptor, &self.hosts)?;
        let guard = Guard::new(self.hosts).with_pairing(self.pairing.clone());
        let router = guard::protect(routes::router(self.viewer.app), guard);
        let service = router.into_make_service_with_connect_info::<Peer>();
        let served = serve_with_shutdown(shutdown, |signal| serve(listener, service).with_graceful_shutdown(signal));
        tokio::select! {
            served = served => served,
            () = self.pairing.replace_expired() => Ok(()),
        }
    }
}
