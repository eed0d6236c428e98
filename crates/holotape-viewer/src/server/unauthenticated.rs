//! Connections of those who have not shown yet that they may come in: few at once, and none for long.

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

/// How many connections strangers may have, all together. Whoever comes next takes the place of the one that is there longest:
/// so nobody can keep others out by holding on, and a browser connects again without a word.
const MAX_UNAUTHENTICATED: usize = 128;

/// How long a stranger's connection may last.
const UNAUTHENTICATED_TIMEOUT: Duration = Duration::from_secs(30);

/// Whether whoever is at the other end has shown that they may come in.
#[derive(Debug, Default)]
pub(super) struct AuthState {
    is_known: AtomicBool,
    is_sent_away: Notify,
}

impl AuthState {
    /// From now on, the connection lasts as long as it is wanted.
    pub(super) fn mark_authenticated(&self) {
        self.is_known.store(true, Ordering::Relaxed);
    }

    fn is_authenticated(&self) -> bool {
        self.is_known.load(Ordering::Relaxed)
    }

    /// Comes when another stranger takes the place of this one.
    pub(super) async fn evicted(&self) {
        self.is_sent_away.notified().await;
    }
}

/// The connections of strangers, the oldest first.
#[derive(Debug, Default)]
pub(super) struct UnauthenticatedConnections(VecDeque<Weak<AuthState>>);

impl UnauthenticatedConnections {
    /// One more, for whom the oldest may have to go.
    pub(super) fn admit(&mut self) -> Arc<AuthState> {
        self.0.retain(|stranger| stranger.upgrade().is_some_and(|standing| !standing.is_authenticated()));
        if self.0.len() >= MAX_UNAUTHENTICATED
            && let Some(oldest) = self.0.pop_front().and_then(|oldest| oldest.upgrade())
        {
            oldest.is_sent_away.notify_one();
        }
        let standing = Arc::new(AuthState::default());
        self.0.push_back(Arc::downgrade(&standing));
        standing
    }
}

/// A connection that ends when the patience with a stranger does.
pub(super) struct DeadlineStream {
    stream: TcpStream,
    standing: Arc<AuthState>,
    patience: Deadline,
}

enum Deadline {
    Left(Pin<Box<dyn Future<Output = ()> + Send>>),
    Endless,
    Over,
}

impl DeadlineStream {
    pub(super) fn new(stream: TcpStream, standing: Arc<AuthState>) -> Self {
        let stranger = standing.clone();
        let patience = async move {
            tokio::select! {
                () = sleep(UNAUTHENTICATED_TIMEOUT) => {}
                () = stranger.evicted() => {}
            }
        };
        Self { stream, standing, patience: Deadline::Left(Box::pin(patience)) }
    }

    pub(super) fn standing(&self) -> &Arc<AuthState> {
        &self.standing
    }

    pub(super) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// The stream, as long as there is patience.
    fn poll_deadline(&mut self, context: &mut Context<'_>) -> io::Result<Pin<&mut TcpStream>> {
        if let Deadline::Left(left) = &mut self.patience {
            if self.standing.is_authenticated() {
                self.patience = Deadline::Endless;
            } else if left.as_mut().poll(context).is_ready() {
                self.patience = Deadline::Over;
            }
        }
        match self.patience {
            Deadline::Over => Err(io::ErrorKind::TimedOut.into()),
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

    fn is_sent_away(standing: &AuthState) -> bool {
        let mut sent_away = Box::pin(standing.evicted());
        sent_away.as_mut().poll(&mut Context::from_waker(std::task::Waker::noop())).is_ready()
    }

    #[test]
    fn one_stranger_too_many_takes_the_place_of_the_oldest() {
        let mut strangers = UnauthenticatedConnections::default();
        let all: Vec<_> = (0..MAX_UNAUTHENTICATED).map(|_| strangers.admit()).collect();
        assert!(!all.iter().any(|standing| is_sent_away(standing)));
        let next = strangers.admit();
        let sent_away: Vec<_> = all.iter().map(|standing| is_sent_away(standing)).collect();
        assert_eq!(sent_away.iter().position(|gone| *gone), Some(0));
        assert_eq!(sent_away.iter().filter(|gone| **gone).count(), 1);
        assert!(!is_sent_away(&next));
    }

    #[test]
    fn who_is_known_or_gone_has_no_place_among_strangers() {
        let mut strangers = UnauthenticatedConnections::default();
        let mut all: Vec<_> = (0..MAX_UNAUTHENTICATED).map(|_| strangers.admit()).collect();
        all[0].mark_authenticated();
        drop(all.pop());
        let more = [strangers.admit(), strangers.admit()];
        assert!(!all.iter().chain(&more).any(|standing| is_sent_away(standing)));
        strangers.admit();
        assert!(!is_sent_away(&all[0]) && is_sent_away(&all[1]));
    }
}
