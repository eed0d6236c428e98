//! Accepts TCP connections from the local network and performs TLS handshakes.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::hosts::ServerHosts;
use super::https_redirect;
use super::unauthenticated::{AuthState, DeadlineStream, UnauthenticatedConnections};

/// A handshake takes 1 to 2 s in a poor wireless network.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// First byte of a TLS connection.
const TLS_HANDSHAKE: u8 = 0x16;

/// Attempts to find a port that is free in IPv4 and IPv6.
const MAX_PORT_ATTEMPTS: u32 = 8;

/// Maximum number of connections that wait to be accepted.
const BACKLOG: i32 = 128;

/// Listens on all interfaces, with IPv4 and, if available, IPv6; port 0 selects a free port.
pub(super) fn listen(port: u16) -> io::Result<(u16, Vec<TcpListener>)> {
    // A port that is free in IPv4 may be in use in IPv6: try another.
    let attempts = if port == 0 { MAX_PORT_ATTEMPTS } else { 0 };
    (0..attempts).find_map(|_| listen_on(port).ok()).map_or_else(|| listen_on(port), Ok)
}

fn listen_on(port: u16) -> io::Result<(u16, Vec<TcpListener>)> {
    let four = bind((Ipv4Addr::UNSPECIFIED, port).into())?;
    let port = four.local_addr()?.port();
    match bind((Ipv6Addr::UNSPECIFIED, port).into()) {
        Ok(six) => Ok((port, vec![four, six])),
        // IPv6 clients would reach another program.
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(error),
        Err(_) => Ok((port, vec![four])),
    }
}

/// One socket per protocol: systems differ in whether an IPv6 socket also accepts IPv4.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    // Allows a port that was in use recently. On Windows, the option would share the port with other programs.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

/// Yields connections after their TLS handshake. Handshakes run concurrently.
pub(super) struct TlsListener {
    ready: Receiver<(TlsStream<DeadlineStream>, SocketAddr)>,
    address: SocketAddr,
}

impl TlsListener {
    /// Must be called within a runtime.
    pub(super) fn start(
        listeners: Vec<TcpListener>,
        acceptor: &TlsAcceptor,
        hosts: &Arc<ServerHosts>,
    ) -> io::Result<Self> {
        let (sender, ready) = mpsc::channel(1);
        let handshaker = TlsHandshaker {
            acceptor: acceptor.clone(),
            hosts: hosts.clone(),
            unauthenticated: Arc::default(),
            ready: sender,
        };
        let mut address = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
        for listener in listeners {
            address = listener.local_addr()?;
            tokio::spawn(handshaker.clone().accept_all(tokio::net::TcpListener::from_std(listener)?));
        }
        Ok(Self { ready, address })
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<DeadlineStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            None => std::future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

#[derive(Clone)]
struct TlsHandshaker {
    acceptor: TlsAcceptor,
    hosts: Arc<ServerHosts>,
    unauthenticated: Arc<Mutex<UnauthenticatedConnections>>,
    ready: Sender<(TlsStream<DeadlineStream>, SocketAddr)>,
}

impl TlsHandshaker {
    async fn accept_all(self, listener: tokio::net::TcpListener) {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = self.ready.closed() => return,
            };
            match accepted {
                Ok((stream, address)) => {
                    let auth = self.unauthenticated.lock().unwrap_or_else(PoisonError::into_inner).admit();
                    tokio::spawn(self.clone().handshake_with_timeout(stream, address, auth));
                }
                // The client has disconnected, or the system is out of file descriptors: wait before the next attempt.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    async fn handshake_with_timeout(self, stream: TcpStream, address: SocketAddr, auth: Arc<AuthState>) {
        let result = tokio::select! {
            result = timeout(HANDSHAKE_TIMEOUT, self.handshake(stream, auth.clone())) => result,
            () = auth.evicted() => return,
        };
        if let Ok(Ok(Some(stream))) = result {
            // Fails during shutdown only.
            self.ready.send((stream, address)).await.ok();
        }
    }

    /// `None` if the client does not use TLS.
    async fn handshake(
        &self,
        stream: TcpStream,
        auth: Arc<AuthState>,
    ) -> io::Result<Option<TlsStream<DeadlineStream>>> {
        // Frames of a live take are small and must not be delayed.
        stream.set_nodelay(true)?;
        let mut first = [0];
        if stream.peek(&mut first).await? == 1 && first[0] != TLS_HANDSHAKE {
            https_redirect::redirect_to_https(stream, &self.hosts).await?;
            return Ok(None);
        }
        self.acceptor.accept(DeadlineStream::new(stream, auth)).await.map(Some)
    }
}

/// The client of a connection.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) address: IpAddr,
    /// The local address that the client connected to.
    pub(super) reached: Option<IpAddr>,
    pub(super) auth: Arc<AuthState>,
}

impl Connected<IncomingStream<'_, TlsListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, TlsListener>) -> Self {
        let (tcp, _) = stream.io().get_ref();
        let reached = tcp.stream().local_addr().ok().map(|address| address.ip());
        Self { address: stream.remote_addr().ip(), reached, auth: tcp.auth().clone() }
    }
}
