//! A server for headsets: over TLS, and for those who have the code.

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

/// The port unless another is asked for: the same each time, since somebody has to type it.
const DEFAULT_LAN_PORT: u16 = 8443;

/// How a [`Viewer`] is to be reached from other machines.
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
    /// On port 8443, or on any that is free if that is taken.
    #[must_use]
    pub fn new() -> Self {
        Self { port: None, clock: Arc::new(Instant::now) }
    }

    /// On this port and no other; on any that is free if it is 0.
    #[must_use]
    pub fn with_port(self, port: u16) -> Self {
        Self { port: Some(port), ..self }
    }

    /// By another clock, which says how old a code is, and how long somebody who guessed has waited.
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
    /// Listens to other machines, over TLS with a certificate made for this. Nobody is let in without [the
    /// code](LanBound::code).
    ///
    /// # Errors
    /// If the port is taken, or the system refuses what a certificate needs.
    pub fn bind_lan(self, options: LanOptions) -> Result<LanServer> {
        let failed = |port: u16| move |error: io::Error| Error::from(error).with_path(format!("0.0.0.0:{port}"));
        let (port, listeners) = match options.port {
            Some(port) => listen(port).map_err(failed(port))?,
            None => listen(DEFAULT_LAN_PORT).or_else(|_| listen(0)).map_err(failed(DEFAULT_LAN_PORT))?,
        };
        let names = ServerHosts::lan(port);
        let identity = TlsIdentity::make(&names)?;
        let pairing = Arc::new(Pairing::new(port, options.clock)?);
        Ok(LanServer { viewer: self, listeners, names: Arc::new(names), identity, pairing })
    }
}

/// A [`Viewer`] that other machines reach.
///
/// ```
/// use holotape_viewer::{LanOptions, Viewer, ViewerOptions};
///
/// let bound = Viewer::new(ViewerOptions::new()).bind_lan(LanOptions::new().with_port(0))?;
/// println!("open {} and type {}", bound.urls()[0], bound.code());
/// # let enough = std::future::ready(());
/// let unsaved = bound.serve_until(enough, |news| println!("{news:?}"))?;
/// # assert!(unsaved.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct LanServer {
    viewer: Viewer,
    listeners: Vec<TcpListener>,
    names: Arc<ServerHosts>,
    identity: TlsIdentity,
    pairing: Arc<Pairing>,
}

impl LanServer {
    /// The addresses of the page, the one first that a headset most likely reaches. There is always one, if only that of this
    /// machine to itself.
    #[must_use]
    pub fn urls(&self) -> Vec<String> {
        let urls = self.names.urls();
        if urls.is_empty() { vec![self.names.url_of("localhost")] } else { urls }
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.names.port()
    }

    /// The code that lets the next device in, in groups of digits. It is good for ten minutes.
    #[must_use]
    pub fn code(&self) -> String {
        self.pairing.code()
    }

    /// The SHA-256 fingerprint of the certificate, in the form that browsers show: `AB:CD:…`.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.identity.fingerprint()
    }

    /// An address that lets one browser in, on this machine and within ten minutes, without a code. It is a secret; the one that
    /// was made before is void.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn one_time_url(&self) -> Result<String> {
        Ok(format!("{}#ticket={}", self.names.url_of("localhost"), self.pairing.make_ticket()?))
    }

    /// Answers until something happens, on this thread, as [`Bound::serve_until`](super::Bound::serve_until) does. What happens
    /// meanwhile is told on another thread, which may take its time.
    ///
    /// # Errors
    /// If the system refuses what a server needs.
    pub fn serve_until(
        self,
        shutdown: impl Future<Output = ()> + Send + 'static,
        mut tell: impl FnMut(LanEvent) + Send + 'static,
    ) -> Result<Vec<String>> {
        let (sender, news) = mpsc::channel();
        self.pairing.set_event_sender(sender);
        thread::Builder::new().name("news".to_owned()).spawn(move || news.into_iter().for_each(&mut tell))?;
        run(self.viewer.shared.clone(), self.serve(shutdown))
    }

    async fn serve(self, shutdown: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let listener = TlsListener::start(self.listeners, &self.identity.acceptor, &self.names)?;
        let guard = Guard::new(self.names).with_pairing(self.pairing.clone());
        let router = guard::protect(routes::router(self.viewer.shared), guard);
        let service = router.into_make_service_with_connect_info::<Peer>();
        let served = serve_with_shutdown(shutdown, |told| serve(listener, service).with_graceful_shutdown(told));
        tokio::select! {
            served = served => served,
            () = self.pairing.replace_expired() => Ok(()),
        }
    }
}
