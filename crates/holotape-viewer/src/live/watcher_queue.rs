//! What waits to be sent to somebody who watches.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Message;
use tokio::sync::Notify;

/// How many frames may wait. Then the oldest is left out: who is behind wants to see what is now.
const MAX_QUEUED_FRAMES: usize = 64;

/// How many markers may wait before whoever does not take them is given up.
const MAX_MARKERS: usize = 1024;

/// A queue that keeps nobody waiting who fills it.
#[derive(Default)]
pub(super) struct WatcherQueue {
    waiting: Mutex<QueueState>,
    changed: Notify,
}

#[derive(Default)]
struct QueueState {
    items: VecDeque<Item>,
    frames: usize,
    end: Option<QueueEnd>,
}

enum Item {
    Frame(Message),
    Marker(Message),
}

/// Why nothing follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueueEnd {
    /// The take has ended.
    Ended,
    /// Whoever watches is hopelessly behind.
    TooSlow,
}

impl WatcherQueue {
    /// Adds a frame, in the place of the oldest if there are too many.
    pub(super) fn push_frame(&self, message: Message) {
        let mut waiting = self.lock();
        if waiting.frames == MAX_QUEUED_FRAMES {
            let oldest = waiting.items.iter().position(|item| matches!(item, Item::Frame(_)));
            oldest.map(|oldest| waiting.items.remove(oldest));
        } else {
            waiting.frames += 1;
        }
        waiting.items.push_back(Item::Frame(message));
        drop(waiting);
        self.changed.notify_one();
    }

    /// Adds a marker. None is left out.
    pub(super) fn push_marker(&self, message: Message) {
        let mut waiting = self.lock();
        if waiting.items.len() - waiting.frames < MAX_MARKERS {
            waiting.items.push_back(Item::Marker(message));
        } else {
            waiting.items.clear();
            waiting.frames = 0;
            waiting.end = Some(QueueEnd::TooSlow);
        }
        drop(waiting);
        self.changed.notify_one();
    }

    /// Nothing follows.
    pub(super) fn close(&self) {
        self.lock().end.get_or_insert(QueueEnd::Ended);
        self.changed.notify_one();
    }

    /// Whether it is of no use to add anything.
    pub(super) fn is_closed(&self) -> bool {
        self.lock().end.is_some()
    }

    /// Waits for the next message, or for the end.
    pub(super) async fn next(&self) -> Result<Message, QueueEnd> {
        loop {
            if let Some(next) = self.lock().next() {
                return next;
            }
            self.changed.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueState {
    fn next(&mut self) -> Option<Result<Message, QueueEnd>> {
        match self.items.pop_front() {
            Some(Item::Frame(message)) => {
                self.frames -= 1;
                Some(Ok(message))
            }
            Some(Item::Marker(message)) => Some(Ok(message)),
            None => self.end.map(Err),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(queue: &WatcherQueue) -> Vec<Message> {
        std::iter::from_fn(|| queue.lock().next()).map_while(Result::ok).collect()
    }

    #[test]
    fn who_is_behind_misses_the_oldest_frames_and_no_marker() {
        let queue = WatcherQueue::default();
        queue.push_frame("first".into());
        queue.push_marker("marker".into());
        (0..MAX_QUEUED_FRAMES).for_each(|n| queue.push_frame(n.to_string().into()));
        let expected: Vec<Message> =
            ["marker".into()].into_iter().chain((0..MAX_QUEUED_FRAMES).map(|n| n.to_string().into())).collect();
        assert_eq!(all(&queue), expected);
        queue.push_frame("next".into());
        assert_eq!(all(&queue), ["next".into()]);
    }

    #[test]
    fn who_takes_no_markers_is_given_up() {
        let queue = WatcherQueue::default();
        (0..MAX_MARKERS).for_each(|_| queue.push_marker("marker".into()));
        assert!(!queue.is_closed());
        queue.push_marker("one too many".into());
        assert!(queue.is_closed() && all(&queue).is_empty());
    }

    #[tokio::test]
    async fn what_waits_comes_before_the_end() {
        let queue = WatcherQueue::default();
        queue.push_frame("last".into());
        queue.close();
        assert_eq!(queue.next().await, Ok("last".into()));
        assert_eq!(queue.next().await, Err(QueueEnd::Ended));
    }
}
