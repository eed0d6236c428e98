//! What waits to be sent to somebody who watches.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Message;
use tokio::sync::Notify;

/// How many frames may wait. Then the oldest is left out: who is behind wants to see what is now.
const MOST_FRAMES: usize = 64;

/// How many markers may wait before whoever does not take them is given up.
const MOST_MARKERS: usize = 1024;

/// A queue that keeps nobody waiting who fills it.
#[derive(Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Notify,
}

#[derive(Default)]
struct Waiting {
    items: VecDeque<Item>,
    frames: usize,
    end: Option<End>,
}

enum Item {
    Frame(Message),
    Marker(Message),
}

/// Why nothing follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The take has ended.
    Ended,
    /// Whoever watches is hopelessly behind.
    TooSlow,
}

impl Queue {
    /// Adds a frame, in the place of the oldest if there are too many.
    pub(super) fn frame(&self, message: Message) {
        let mut waiting = self.lock();
        if waiting.frames == MOST_FRAMES {
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
    pub(super) fn marker(&self, message: Message) {
        let mut waiting = self.lock();
        if waiting.items.len() - waiting.frames < MOST_MARKERS {
            waiting.items.push_back(Item::Marker(message));
        } else {
            waiting.items.clear();
            waiting.frames = 0;
            waiting.end = Some(End::TooSlow);
        }
        drop(waiting);
        self.changed.notify_one();
    }

    /// Nothing follows.
    pub(super) fn end(&self) {
        self.lock().end.get_or_insert(End::Ended);
        self.changed.notify_one();
    }

    /// Whether it is of no use to add anything.
    pub(super) fn is_over(&self) -> bool {
        self.lock().end.is_some()
    }

    /// Waits for the next message, or for the end.
    pub(super) async fn next(&self) -> Result<Message, End> {
        loop {
            if let Some(next) = self.lock().next() {
                return next;
            }
            self.changed.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn next(&mut self) -> Option<Result<Message, End>> {
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

    fn all(queue: &Queue) -> Vec<Message> {
        std::iter::from_fn(|| queue.lock().next()).map_while(Result::ok).collect()
    }

    #[test]
    fn who_is_behind_misses_the_oldest_frames_and_no_marker() {
        let queue = Queue::default();
        queue.frame("first".into());
        queue.marker("marker".into());
        (0..MOST_FRAMES).for_each(|n| queue.frame(n.to_string().into()));
        let expected: Vec<Message> =
            ["marker".into()].into_iter().chain((0..MOST_FRAMES).map(|n| n.to_string().into())).collect();
        assert_eq!(all(&queue), expected);
        queue.frame("next".into());
        assert_eq!(all(&queue), ["next".into()]);
    }

    #[test]
    fn who_takes_no_markers_is_given_up() {
        let queue = Queue::default();
        (0..MOST_MARKERS).for_each(|_| queue.marker("marker".into()));
        assert!(!queue.is_over());
        queue.marker("one too many".into());
        assert!(queue.is_over() && all(&queue).is_empty());
    }

    #[tokio::test]
    async fn what_waits_comes_before_the_end() {
        let queue = Queue::default();
        queue.frame("last".into());
        queue.end();
        assert_eq!(queue.next().await, Ok("last".into()));
        assert_eq!(queue.next().await, Err(End::Ended));
    }
}
