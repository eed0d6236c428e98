//! Sends the same messages to all listeners, over local WebSockets. Each listener has its own thread, so that a slow one does
//! not delay the others.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use holotape::stream::protocol::CLOSE_TIMEOUT;
use holotape::stream::{CloseReason, MessageEncoding, SendQueue, encode_event, encode_frame, encode_marker};
use holotape::{Event, EventKind, Frame};
use tungstenite::Message;

use super::listener::Listener;
use super::sink::PlaybackSink;
use crate::failure::Failure;
use crate::socket::{self, Limits};

const LIMITS: Limits = Limits { connections: 64, message_bytes: 1 << 16 };

pub struct Broadcast {
    url: String,
    listeners: Arc<Listeners>,
}

impl Broadcast {
    /// Starts to accept listeners.
    pub fn open(port: u16, allowed_origins: &[String]) -> Result<Self, Failure> {
        let listeners = Arc::new(Listeners::default());
        let accepted = listeners.clone();
        let url = socket::serve(port, allowed_origins, LIMITS, move |socket, encoding| {
            let listener = Arc::new(Listener::new(encoding));
            accepted.lock().push(listener.clone());
            accepted.changed.notify_all();
            listener.serve(socket);
            accepted.lock().retain(|other| !Arc::ptr_eq(other, &listener));
            accepted.changed.notify_all();
        })?;
        Ok(Self { url, listeners })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn wait_for_client(&self) {
        let listeners = self.listeners.lock();
        drop(self.listeners.changed.wait_while(listeners, |listeners| listeners.is_empty()));
    }

    /// Closes all connections and waits for the listeners, at most twice [`CLOSE_TIMEOUT`].
    pub fn close(self) {
        let listeners = self.listeners.lock();
        listeners.iter().for_each(|listener| listener.update_queue(|queue| queue.close(CloseReason::PLAYBACK_ENDED)));
        drop(
            self.listeners.changed.wait_timeout_while(listeners, 2 * CLOSE_TIMEOUT, |listeners| !listeners.is_empty()),
        );
    }

    /// Queues a message for all listeners, encoded once per encoding in use.
    fn send_to_all(
        &self,
        encode: impl Fn(MessageEncoding) -> Result<Message, Failure>,
        push: fn(&mut SendQueue<Message>, Message),
    ) -> Result<(), Failure> {
        let listeners = self.listeners.lock();
        for encoding in MessageEncoding::ALL {
            let mut listeners = listeners.iter().filter(|listener| listener.encoding == encoding).peekable();
            if listeners.peek().is_some() {
                let message = encode(encoding)?;
                listeners.for_each(|listener| listener.update_queue(|queue| push(queue, message.clone())));
            }
        }
        Ok(())
    }
}

impl PlaybackSink for Broadcast {
    fn frame(&mut self, frame: &Frame) -> Result<(), Failure> {
        let encode = |encoding| match encoding {
            MessageEncoding::Ndjson => Ok(serde_json::to_string(frame)?.into()),
            MessageEncoding::Binary => Ok(encode_frame(frame).into()),
        };
        self.send_to_all(encode, SendQueue::push_frame)
    }

    fn event(&mut self, event: &Event) -> Result<(), Failure> {
        let encode = |encoding| match (encoding, &event.kind) {
            (MessageEncoding::Ndjson, _) => Ok(serde_json::to_string(event)?.into()),
            (MessageEncoding::Binary, EventKind::MarkerPassed { name, .. }) => {
                Ok(encode_marker(event.time_secs, name).into())
            }
            (MessageEncoding::Binary, _) => Ok(encode_event(event.time_secs, &serde_json::to_string(event)?).into()),
        };
        self.send_to_all(encode, SendQueue::push_event)
    }
}

#[derive(Default)]
struct Listeners {
    list: Mutex<Vec<Arc<Listener>>>,
    /// A listener has connected or disconnected.
    changed: Condvar,
}

impl Listeners {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Listener>>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
