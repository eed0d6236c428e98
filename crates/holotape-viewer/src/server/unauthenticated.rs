//! Limits on the number and duration of connections from devices that are not paired.

use std::collections::VecDeque;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::sleep;

/// A further connection evicts the oldest one, so that idle connections cannot block new ones. Browsers reconnect automatically.
const MAX_UNAUTHENTICATED: usize = 128;

const UNAUTHENTICATED_TIMEOUT: Duration = Duration::from_secs(30);

/// Whether the client of a connection is authenticated.
#[derive(Debug, Default)]
pub(super) struct AuthState {
    is_authenticated: AtomicBool,
    eviction: Notify,
}

impl AuthState {
    /// Removes the time limit of the connection.
    pub(super) fn mark_authenticated(&self) {
        self.is_authenticated.store(true, Ordering::Relaxed);
    }

    fn is_authenticated(&self) -> bool {
        self.is_authenticated.load(Ordering::Relaxed)
    }

    /// Resolves when the connection is evicted.
    pub(super) async fn evicted(&self) {
        self.eviction.notified().await;
    }
}

/// Unauthenticated connections, oldest first.
#[derive(Debug, Default)]
pub(super) struct UnauthenticatedConnections(VecDeque<Weak<AuthState>>);

impl UnauthenticatedConnections {
    /// Adds a connection. If there are too many, evicts the oldest.
    pub(super) fn admit(&mut self) -> Arc<AuthState> {
        self.0.retain(|auth| auth.upgrade().is_some_and(|auth| !auth.is_authenticated()));
        if self.0.len() >= MAX_UNAUTHENTICATED
            && let Some(oldest) = self.0.pop_front().and_then(|oldest| oldest.upgrade())
        {
            oldest.eviction.notify_one();
        }
        let auth = Arc::new(AuthState::default());
        self.0.push_back(Arc::downgrade(&auth));
        auth
    }
}

/// A connection that fails after [`UNAUTHENTICATED_TIMEOUT`] unless the client has been authenticated.
pub(super) struct DeadlineStream {
    stream: TcpStream,
    auth: Arc<AuthState>,
    deadline: Deadline,
}

enum Deadline {
    Pending(Pin<Box<dyn Future<Output = ()> + Send>>),
    Removed,
    Expired,
}

impl DeadlineStream {
    pub(super) fn new(stream: TcpStream, auth: Arc<AuthState>) -> Self {
        let evicted = auth.clone();
        let deadline = async move {
            tokio::select! {
                () = sleep(UNAUTHENTICATED_TIMEOUT) => {}
                () = evicted.evicted() => {}
            }
        };
        Self { stream, auth, deadline: Deadline::Pending(Box::pin(deadline)) }
    }

    pub(super) fn auth(&self) -> &Arc<AuthState> {
        &self.auth
    }

    pub(super) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// The stream; fails after the deadline.
    fn poll_deadline(&mut self, context: &mut Context<'_>) -> io::Result<Pin<&mut TcpStream>> {
        if let Deadline::Pending(deadline) = &mut self.deadline {
            if self.auth.is_authenticated() {
                self.deadline = Deadline::Removed;
            } else if deadline.as_mut().poll(context).is_ready() {
                self.deadline = Deadline::Expired;
            }
        }
        match self.deadline {
            Deadline::Expired => Err(io::ErrorKind::TimedOut.into()),
            _ => Ok(Pin::new(&mut self.stream)),
        }
    }
}

impl AsyncRead for DeadlineStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.poll_deadline(context)?.poll_read(context, buffer)
    }
}

impl AsyncWrite for DeadlineStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_deadline(context)?.poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_deadline(context)?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_evicted(auth: &AuthState) -> bool {
        let mut evicted = Box::pin(auth.evicted());
        evicted.as_mut().poll(&mut Context::from_waker(std::task::Waker::noop())).is_ready()
    }

    #[test]
    fn connection_over_the_limit_evicts_the_oldest() {
        let mut connections = UnauthenticatedConnections::default();
        let all: Vec<_> = (0..MAX_UNAUTHENTICATED).map(|_| connections.admit()).collect();
        assert!(!all.iter().any(|auth| is_evicted(auth)));
        let next = connections.admit();
        let evicted: Vec<_> = all.iter().map(|auth| is_evicted(auth)).collect();
        assert_eq!(evicted.iter().position(|evicted| *evicted), Some(0));
        assert_eq!(evicted.iter().filter(|evicted| **evicted).count(), 1);
        assert!(!is_evicted(&next));
    }

    #[test]
    fn authenticated_and_closed_connections_do_not_count() {
        let mut connections = UnauthenticatedConnections::default();
        let mut all: Vec<_> = (0..MAX_UNAUTHENTICATED).map(|_| connections.admit()).collect();
        all[0].mark_authenticated();
        drop(all.pop());
        let more = [connections.admit(), connections.admit()];
        assert!(!all.iter().chain(&more).any(|auth| is_evicted(auth)));
        connections.admit();
        assert!(!is_evicted(&all[0]) && is_evicted(&all[1]));
    }
}
