//! [`SendQueue`]: the messages to one listener.

use std::collections::VecDeque;

use super::message::CloseReason;

/// Events that may be queued; a listener that is further behind is disconnected.
const MAX_QUEUED_EVENTS: usize = 1024;

/// A queue of messages to one listener, in order. A slow listener misses the oldest frames but no events.
///
/// ```
/// use holotape::stream::{CloseReason, SendQueue};
///
/// let mut queue = SendQueue::new(1);
/// queue.push_frame("frame 1");
/// queue.push_event("event");
/// queue.push_frame("frame 2");
/// queue.close(CloseReason::TAKE_ENDED);
/// assert_eq!(queue.pop(), Some(Ok("event")));
/// assert_eq!(queue.pop(), Some(Ok("frame 2")));
/// assert_eq!(queue.pop(), Some(Err(CloseReason::TAKE_ENDED)));
/// ```
#[derive(Clone, Debug)]
pub struct SendQueue<M> {
    items: VecDeque<Item<M>>,
    frame_count: usize,
    max_frames: usize,
    end: Option<CloseReason>,
}

#[derive(Clone, Debug)]
struct Item<M> {
    message: M,
    is_frame: bool,
}

impl<M> SendQueue<M> {
    /// An empty queue that holds up to `max_frames` frames.
    #[must_use]
    pub fn new(max_frames: usize) -> Self {
        Self { items: VecDeque::new(), frame_count: 0, max_frames, end: None }
    }

    /// Adds a frame; drops the oldest one if there are too many.
    pub fn push_frame(&mut self, message: M) {
        if self.end.is_some() {
            return;
        }
        self.items.push_back(Item { message, is_frame: true });
        if self.frame_count < self.max_frames {
            self.frame_count += 1;
        } else if let Some(oldest) = self.items.iter().position(|item| item.is_frame) {
            self.items.remove(oldest);
        }
    }

    /// Adds an event or marker; closes the queue if there are too many.
    pub fn push_event(&mut self, message: M) {
        if self.end.is_some() {
            return;
        }
        if self.items.len() - self.frame_count < MAX_QUEUED_EVENTS {
            self.items.push_back(Item { message, is_frame: false });
        } else {
            self.items.clear();
            self.end = Some(CloseReason::TOO_SLOW);
        }
    }

    /// Ends the queue after the messages in it.
    pub fn close(&mut self, reason: CloseReason) {
        self.end.get_or_insert(reason);
    }

    /// Whether the queue accepts no more messages.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.end.is_some()
    }

    /// The next message, or the reason to close the connection; `None` if there is nothing to send yet.
    pub fn pop(&mut self) -> Option<Result<M, CloseReason>> {
        match self.items.pop_front() {
            Some(Item { message, is_frame }) => {
                self.frame_count -= usize::from(is_frame);
                Some(Ok(message))
            }
            None => self.end.map(Err),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain<M>(queue: &mut SendQueue<M>) -> Vec<M> {
        std::iter::from_fn(|| queue.pop()).map_while(Result::ok).collect()
    }

    #[test]
    fn slow_listener_misses_the_oldest_frames_but_no_event() {
        let mut queue = SendQueue::new(2);
        queue.push_frame(0);
        queue.push_event(100);
        (1..5).for_each(|n| queue.push_frame(n));
        queue.push_event(101);
        assert_eq!(drain(&mut queue), [100, 3, 4, 101]);
        queue.push_frame(5);
        assert_eq!(drain(&mut queue), [5]);
    }

    #[test]
    fn listener_with_too_many_events_is_disconnected() {
        let mut queue = SendQueue::new(2);
        (0..MAX_QUEUED_EVENTS).for_each(|n| queue.push_event(n));
        assert!(!queue.is_closed());
        queue.push_event(0);
        assert!(queue.is_closed() && drain(&mut queue).is_empty());
        queue.push_frame(0);
        queue.close(CloseReason::TAKE_ENDED);
        assert_eq!(queue.pop(), Some(Err(CloseReason::TOO_SLOW)));
    }
}
