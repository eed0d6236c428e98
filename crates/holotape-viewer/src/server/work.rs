//! Work on recordings, away from the thread that answers.

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::spawn_blocking;

use crate::refusal::Refusal;

/// Does something that takes its time. If it panics, whoever asked is told, and everybody else goes on.
pub(super) async fn work<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    begin(|begun| _ = begun.tell(work().map(|done| (done, ())))).await
}

/// Makes something large, and keeps it if somebody still waits for it. The turn is over when it is made, not when nobody waits.
pub(super) async fn make_in_turn<M, T: Send + 'static>(
    turn: OwnedSemaphorePermit,
    make: impl FnOnce() -> Result<M, Refusal> + Send + 'static,
    keep: impl FnOnce(M) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    begin(move |begun| {
        let _turn = turn;
        let made = make();
        if begun.is_awaited() {
            begun.tell(made.and_then(keep).map(|kept| (kept, ())));
        }
    })
    .await
}

/// Begins something that goes on after it has told what came first.
pub(super) async fn begin<T: Send + 'static>(work: impl FnOnce(Begun<T>) + Send + 'static) -> Result<T, Refusal> {
    let (sender, receiver) = oneshot::channel();
    spawn_blocking(|| work(Begun(sender)));
    receiver.await.unwrap_or_else(|_| {
        let words =
            "holotape failed at this, which is a fault of its own: please report it, with the recording if you may";
        Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, words))
    })
}

/// Tells how it began.
pub(super) struct Begun<T>(oneshot::Sender<Result<T, Refusal>>);

impl<T> Begun<T> {
    fn is_awaited(&self) -> bool {
        !self.0.is_closed()
    }

    /// Tells one half, and gives back the other to go on with; nothing if it failed.
    pub(super) fn tell<R>(self, result: Result<(T, R), Refusal>) -> Option<R> {
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
        let refusal = work(|| -> Result<(), Refusal> { panic!("a parser that nobody tested") }).await.unwrap_err();
        assert_eq!(refusal.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(work(|| Ok(7)).await, Ok(7));
    }
}
