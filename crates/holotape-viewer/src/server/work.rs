//! Work on recordings, away from the thread that answers.

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::spawn_blocking;

use crate::http_error::HttpError;

/// Does something that takes its time. If it panics, whoever asked is told, and everybody else goes on.
pub(super) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, HttpError> + Send + 'static,
) -> Result<T, HttpError> {
    run_with_head(|begun| _ = begun.send_head(work().map(|done| (done, ())))).await
}

/// Makes something large, and keeps it if somebody still waits for it. The turn is over when it is made, not when nobody waits.
pub(super) async fn run_limited<M, T: Send + 'static>(
    try_acquire: OwnedSemaphorePermit,
    make: impl FnOnce() -> Result<M, HttpError> + Send + 'static,
    keep: impl FnOnce(M) -> Result<T, HttpError> + Send + 'static,
) -> Result<T, HttpError> {
    run_with_head(move |begun| {
        let _turn = try_acquire;
        let made = make();
        if begun.is_awaited() {
            begun.send_head(made.and_then(keep).map(|kept| (kept, ())));
        }
    })
    .await
}

/// Begins something that goes on after it has told what came first.
pub(super) async fn run_with_head<T: Send + 'static>(
    work: impl FnOnce(HeadSender<T>) + Send + 'static,
) -> Result<T, HttpError> {
    let (sender, receiver) = oneshot::channel();
    spawn_blocking(|| work(HeadSender(sender)));
    receiver.await.unwrap_or_else(|_| {
        let message =
            "holotape failed at this, which is a fault of its own: please report it, with the recording if you may";
        Err(HttpError::new(StatusCode::INTERNAL_SERVER_ERROR, message))
    })
}

/// Tells how it began.
pub(super) struct HeadSender<T>(oneshot::Sender<Result<T, HttpError>>);

impl<T> HeadSender<T> {
    fn is_awaited(&self) -> bool {
        !self.0.is_closed()
    }

    /// Tells one half, and gives back the other to go on with; nothing if it failed.
    pub(super) fn send_head<R>(self, result: Result<(T, R), HttpError>) -> Option<R> {
        let (told, rest) = match result {
            Ok((told, rest)) => (Ok(told), Some(rest)),
            Err(refusal) => (Err(refusal), None),
        };
        // Whoever has gone need not know.
        self.0.send(told).ok();
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_refusal() {
        let refusal =
            run_blocking(|| -> Result<(), HttpError> { panic!("a parser that nobody tested") }).await.unwrap_err();
        assert_eq!(refusal.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(run_blocking(|| Ok(7)).await, Ok(7));
    }
}
