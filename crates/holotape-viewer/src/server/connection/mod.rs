//! Accepts connections and serves HTTP on them, within limits that hold for clients that do not behave.

mod registry;
mod stream;
mod write_limit;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

pub(super) use self::registry::{ConnectionState, network_of};

use self::registry::Connections;
use self::stream::LimitedStream;
use super::tls::TlsHandshaker;
use crate::slots::ClientAddress;

/// Open requests may take this long after shutdown has started.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum size of a request without its body.
const MAX_HEAD_BYTES: usize = 1 << 16;

/// The client of a connection.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) address: IpAddr,
    /// The local address that the client connected to.
    pub(super) reached: Option<IpAddr>,
    pub(super) connection: Arc<ConnectionState>,
}

#[cfg(test)]
impl Peer {
    pub(super) fn at(address: IpAddr) -> Self {
        Self { address, reached: None, connection: Connections::default().admit(address) }
    }
}

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<Peer>>();
        // Another program's server may run the router, on this machine only.
        Ok(peer.map_or(Self::LOCAL, |ConnectInfo(peer)| Self::new(peer.address)))
    }
}

/// Serves a router on TCP connections.
pub(super) struct HttpServer {
    router: Router,
    /// `None` for plain HTTP.
    tls: Option<TlsHandshaker>,
    client_timeout: Duration,
    connections: Connections,
    http: http1::Builder,
}

impl HttpServer {
    pub(super) fn new(router: Router, tls: Option<TlsHandshaker>, client_timeout: Duration) -> Self {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(client_timeout).max_buf_size(MAX_HEAD_BYTES);
        Self { router, tls, client_timeout, connections: Connections::default(), http }
    }

    /// Serves until `shutdown` resolves, then waits at most [`SHUTDOWN_TIMEOUT`] for open requests.
    pub(super) async fn serve_until(
        self,
        listeners: Vec<TcpListener>,
        shutdown: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let (stop, is_stopping) = watch::channel(false);
        let server = Arc::new(self);
        let mut accepting = JoinSet::new();
        for listener in listeners {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            accepting.spawn(server.clone().accept_all(listener, is_stopping.clone()));
        }
        drop(is_stopping);
        shutdown.await;
        drop(accepting);
        stop.send(true).ok();
        timeout(SHUTDOWN_TIMEOUT, stop.closed()).await.ok();
        Ok(())
    }

    async fn accept_all(self: Arc<Self>, listener: tokio::net::TcpListener, is_stopping: watch::Receiver<bool>) {
        loop {
            match listener.accept().await {
                Ok((stream, address)) => {
                    tokio::spawn(self.clone().serve_stream(stream, address, is_stopping.clone()));
                }
                // The client has disconnected, or the system is out of file descriptors: wait before the next attempt.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    async fn serve_stream(self: Arc<Self>, stream: TcpStream, address: SocketAddr, is_stopping: watch::Receiver<bool>) {
        let connection = self.connections.admit(address.ip());
        let reached = stream.local_addr().ok().map(|address| address.ip());
        let peer = Peer { address: address.ip(), reached, connection: connection.clone() };
        // Frames of a live take are small and must not be delayed.
        stream.set_nodelay(true).ok();
        let Some(tls) = &self.tls else {
            let stream = LimitedStream::new(stream, connection, self.client_timeout);
            return self.serve_http(stream, peer, is_stopping).await;
        };
        let handshake =
            tls.accept(stream, |stream| LimitedStream::new(stream, connection.clone(), self.client_timeout));
        let accepted = tokio::select! {
            accepted = timeout(self.client_timeout, handshake) => accepted,
            () = connection.evicted() => return,
        };
        if let Ok(Ok(Some(stream))) = accepted {
            self.serve_http(stream, peer, is_stopping).await;
        }
    }

    async fn serve_http(
        &self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: Peer,
        mut is_stopping: watch::Receiver<bool>,
    ) {
        let router = self.router.clone();
        let service = service_fn(move |request| respond(router.clone(), peer.clone(), request));
        let mut connection = pin!(self.http.serve_connection(TokioIo::new(stream), service).with_upgrades());
        let stopping = async { drop(is_stopping.wait_for(|is_stopping| *is_stopping).await) };
        // Errors concern the client, which has disconnected or exceeded a limit.
        tokio::select! {
            _ = connection.as_mut() => return,
            () = stopping => connection.as_mut().graceful_shutdown(),
        }
        connection.await.ok();
    }
}

async fn respond(router: Router, peer: Peer, mut request: hyper::Request<Incoming>) -> Result<Response, Infallible> {
    let connection = peer.connection.clone();
    request.extensions_mut().insert(ConnectInfo(peer));
    let response = router.oneshot(request.map(Body::new)).await?;
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        connection.mark_websocket();
    }
    Ok(response)
}
