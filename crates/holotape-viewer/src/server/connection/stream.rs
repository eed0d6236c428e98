//! A TCP connection with time limits.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::sleep;

use super::registry::ConnectionState;
use super::write_limit::WriteLimit;

type Timer = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Fails if the client sends no valid token in time, if it reads too slowly what it is sent, or if the connection is evicted.
pub(in super::super) struct LimitedStream {
    stream: TcpStream,
    state: Arc<ConnectionState>,
    evicted: Timer,
    /// `None` once the client is authenticated.
    token_deadline: Option<Timer>,
    write_limit: WriteLimit,
    is_expired: bool,
}

impl LimitedStream {
    pub(super) fn new(stream: TcpStream, state: Arc<ConnectionState>, timeout: Duration) -> Self {
        let evicted = state.clone();
        Self {
            stream,
            evicted: Box::pin(async move { evicted.evicted().await }),
            token_deadline: Some(Box::pin(sleep(timeout))),
            write_limit: WriteLimit::new(timeout),
            is_expired: false,
            state,
        }
    }

    fn check_limits(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.state.is_authenticated() {
            self.token_deadline = None;
        }
        let is_late = |timer: &mut Timer, context: &mut Context<'_>| timer.as_mut().poll(context).is_ready();
        // A timer must not be polled after it has resolved.
        self.is_expired = self.is_expired
            || is_late(&mut self.evicted, context)
            || self.token_deadline.as_mut().is_some_and(|deadline| is_late(deadline, context));
        if self.is_expired { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    /// Limits the time of a write.
    fn limit_write(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        // Messages of a WebSocket have a timeout each, and slow watchers miss frames.
        if self.state.is_websocket() {
            self.write_limit.restore_budget();
        }
        if self.write_limit.is_exceeded(context, Instant::now(), &written) {
            self.is_expired = true;
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        if written.is_ready() {
            self.state.mark_active();
        }
        written
    }
}

impl AsyncRead for LimitedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_limits(context)?;
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        if polled.is_ready() {
            self.state.mark_active();
        }
        polled
    }
}

impl AsyncWrite for LimitedStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.check_limits(context)?;
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limit_write(context, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check_limits(context)?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
