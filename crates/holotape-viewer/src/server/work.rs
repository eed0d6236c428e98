//! Work on recordings on blocking threads.

use axum::http::StatusCode;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use crate::http_error::HttpError;
use crate::slots::Slot;

/// Runs `work` on a blocking thread and holds the slot until it ends. A panic becomes an error response.
pub(super) async fn run_blocking<T: Send + 'static>(
    slot: Slot,
    work: impl FnOnce() -> Result<T, HttpError> + Send + 'static,
) -> Result<T, HttpError> {
    run_with_head(slot, |sender| _ = sender.send_head(work().map(|done| (done, ())))).await
}

/// Runs `make` on a blocking thread, then `keep` unless the client has disconnected.
pub(super) async fn run_limited<M, T: Send + 'static>(
    slot: Slot,
    make: impl FnOnce() -> Result<M, HttpError> + Send + 'static,
    keep: impl FnOnce(M) -> Result<T, HttpError> + Send + 'static,
) -> Result<T, HttpError> {
    run_with_head(slot, move |sender| {
        let made = make();
        if sender.is_awaited() {
            sender.send_head(made.and_then(keep).map(|kept| (kept, ())));
        }
    })
    .await
}

/// Runs `work` on a blocking thread and returns when it has sent the head of its result. `work` may continue after that. The
/// slot is held until it ends, even if the client disconnects earlier.
pub(super) async fn run_with_head<T: Send + 'static>(
    slot: Slot,
    work: impl FnOnce(HeadSender<T>) + Send + 'static,
) -> Result<T, HttpError> {
    let (sender, receiver) = oneshot::channel();
    spawn_blocking(move || {
        let _slot = slot;
        work(HeadSender(sender));
    });
    receiver.await.unwrap_or_else(|_| {
        let message = "internal error: please report it, if possible with the recording";
        Err(HttpError::new(StatusCode::INTERNAL_SERVER_ERROR, message))
    })
}

pub(super) struct HeadSender<T>(oneshot::Sender<Result<T, HttpError>>);

impl<T> HeadSender<T> {
    fn is_awaited(&self) -> bool {
        !self.0.is_closed()
    }

    /// Sends the first half of a result and returns the second, or sends the error and returns `None`.
    pub(super) fn send_head<R>(self, result: Result<(T, R), HttpError>) -> Option<R> {
        let (head, rest) = match result {
            Ok((head, rest)) => (Ok(head), Some(rest)),
            Err(error) => (Err(error), None),
        };
        // Fails if the client has disconnected.
        self.0.send(head).ok();
        rest
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::slots::{ClientAddress, Slots};

    #[tokio::test]
    async fn panic_becomes_an_error() {
        let slots = Slots::new("jobs", 1);
        let panicking = || -> Result<(), HttpError> { panic!("a bug in a parser") };
        let slot = slots.try_acquire(ClientAddress::LOCAL, 1).unwrap();
        let error = run_blocking(slot, panicking).await.unwrap_err();
        assert_eq!(error.status(), StatusCode::INTERNAL_SERVER_ERROR);
        // The panic releases the slot, a little later than it sends the error.
        let slot = slots.acquire(ClientAddress::LOCAL, Duration::MAX).await.unwrap();
        assert_eq!(run_blocking(slot, || Ok(7)).await, Ok(7));
    }
}
