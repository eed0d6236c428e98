//! Connections from other machines, up to the point where they speak HTTP over TLS.

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

/// How long it may take to agree on keys. On a wireless network at its worst it takes a second or two.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// What a TLS connection begins with.
const HANDSHAKE: u8 = 0x16;

/// How many ports are tried where any will do.
const MAX_PORT_ATTEMPTS: u32 = 8;

/// As many as may wait to be accepted, for the system to hold.
const BACKLOG: i32 = 128;

/// Listens on a port for everybody, over IPv4 and, where there is such a thing, IPv6; on any port that is free if it is 0.
pub(super) fn listen(port: u16) -> io::Result<(u16, Vec<TcpListener>)> {
    // A port that is free in one protocol may be taken in the other. If any will do, another one does.
    let others = if port == 0 { MAX_PORT_ATTEMPTS } else { 0 };
    (0..others).find_map(|_| listen_on(port).ok()).map_or_else(|| listen_on(port), Ok)
}

fn listen_on(port: u16) -> io::Result<(u16, Vec<TcpListener>)> {
    let four = bind((Ipv4Addr::UNSPECIFIED, port).into())?;
    let port = four.local_addr()?.port();
    match bind((Ipv6Addr::UNSPECIFIED, port).into()) {
        Ok(six) => Ok((port, vec![four, six])),
        // Somebody else would be taken for this server there.
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(error),
        Err(_) => Ok((port, vec![four])),
    }
}

/// Each protocol has a socket of its own, since systems differ in whether one of IPv6 listens to IPv4 as well.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    // Elsewhere it would share the port with others. Here it takes one that was in use a moment ago.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

/// Accepts whoever comes, and hands over those that have agreed on keys. Nobody waits for anybody else's handshake.
pub(super) struct TlsListener {
    ready: Receiver<(TlsStream<DeadlineStream>, SocketAddr)>,
    address: SocketAddr,
}

impl TlsListener {
    /// To be called within a runtime.
    pub(super) fn start(
        listeners: Vec<TcpListener>,
        acceptor: &TlsAcceptor,
        names: &Arc<ServerHosts>,
    ) -> io::Result<Self> {
        let (sender, ready) = mpsc::channel(1);
        let desk = TlsHandshaker {
            acceptor: acceptor.clone(),
            names: names.clone(),
            strangers: Arc::default(),
            ready: sender,
        };
        let mut address = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
        for listener in listeners {
            address = listener.local_addr()?;
            tokio::spawn(desk.clone().accept_all(tokio::net::TcpListener::from_std(listener)?));
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
    names: Arc<ServerHosts>,
    strangers: Arc<Mutex<UnauthenticatedConnections>>,
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
                    let standing = self.strangers.lock().unwrap_or_else(PoisonError::into_inner).admit();
                    tokio::spawn(self.clone().handshake_with_timeout(stream, address, standing));
                }
                // One that has gone again concerns nobody. If it is the system that has no more, that needs a moment.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    async fn handshake_with_timeout(self, stream: TcpStream, address: SocketAddr, standing: Arc<AuthState>) {
        let greeted = tokio::select! {
            greeted = timeout(HANDSHAKE_TIMEOUT, self.handshake(stream, standing.clone())) => greeted,
            () = standing.evicted() => return,
        };
        if let Ok(Ok(Some(stream))) = greeted {
            // If nobody accepts any more, the server is about to end.
            self.ready.send((stream, address)).await.ok();
        }
    }

    /// Nothing if it is no TLS that is spoken.
    async fn handshake(
        &self,
        stream: TcpStream,
        standing: Arc<AuthState>,
    ) -> io::Result<Option<TlsStream<DeadlineStream>>> {
        // Frames of a live take are small, and wait for nothing.
        stream.set_nodelay(true)?;
        let mut first = [0];
        if stream.peek(&mut first).await? == 1 && first[0] != HANDSHAKE {
            https_redirect::redirect_to_https(stream, &self.names).await?;
            return Ok(None);
        }
        self.acceptor.accept(DeadlineStream::new(stream, standing)).await.map(Some)
    }
}

/// Whoever is at the other end of a connection.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) address: IpAddr,
    /// The address of this machine that they have reached.
    pub(super) reached: Option<IpAddr>,
    pub(super) standing: Arc<AuthState>,
}

impl Connected<IncomingStream<'_, TlsListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, TlsListener>) -> Self {
        let (watched, _) = stream.io().get_ref();
        let reached = watched.stream().local_addr().ok().map(|address| address.ip());
        Self { address: stream.remote_addr().ip(), reached, standing: watched.standing().clone() }
    }
}
