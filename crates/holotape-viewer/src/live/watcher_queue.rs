//! The queue of messages to one watcher.

use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Message;
use holotape::stream::{CloseReason, SendQueue};
use tokio::sync::Notify;

/// Few, so that a slow watcher sees the current motion.
const MAX_QUEUED_FRAMES: usize = 64;

/// A [`SendQueue`] to wait for. Adding a message never blocks.
pub(super) struct WatcherQueue {
    queue: Mutex<SendQueue<Message>>,
    changed: Notify,
}

impl WatcherQueue {
    pub(super) fn new() -> Self {
        Self { queue: Mutex::new(SendQueue::new(MAX_QUEUED_FRAMES)), changed: Notify::new() }
    }

    pub(super) fn push_frame(&self, message: Message) {
        self.lock().push_frame(message);
        self.changed.notify_one();
    }

    pub(super) fn push_marker(&self, message: Message) {
        self.lock().push_event(message);
        self.changed.notify_one();
    }

    /// Ends the queue after the messages in it.
    pub(super) fn close(&self) {
        self.lock().close(CloseReason::TAKE_ENDED);
        self.changed.notify_one();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().is_closed()
    }

    /// Waits for the next message; an error at the end.
    pub(super) async fn next(&self) -> Result<Message, CloseReason> {
        loop {
            if let Some(next) = self.lock().pop() {
                return next;
            }
            self.changed.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, SendQueue<Message>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
