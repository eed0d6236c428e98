//! Sends the same messages to all listeners, over local WebSockets. Each listener has its own thread, so that a slow one does
//! not delay the others.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use holotape::stream::protocol::{CLOSE_TIMEOUT, SEND_TIMEOUT};
use holotape::stream::{CloseReason, MessageEncoding, SendQueue, encode_event, encode_frame, encode_marker};
use holotape::{Event, EventKind, Frame};
use tungstenite::Message;

use super::listener::Listener;
use super::sink::PlaybackSink;
use crate::failure::Failure;
use crate::socket::{self, Limits};

const LIMITS: Limits = Limits { connections: 64, message_bytes: 1 << 16, send_timeout: SEND_TIMEOUT };

pub struct Broadcast {
    url: String,
    listeners: Arc<Listeners>,
}

impl Broadcast {
    /// Starts to accept listeners.
    pub fn open(port: u16, allowed_origins: &[String]) -> Result<Self, Failure> {
        Self::open_with_limits(port, allowed_origins, LIMITS)
    }

    fn open_with_limits(port: u16, allowed_origins: &[String], limits: Limits) -> Result<Self, Failure> {
        let listeners = Arc::new(Listeners::default());
        let accepted = listeners.clone();
        let url = socket::serve(port, allowed_origins, limits, move |socket, encoding| {
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

#[cfg(test)]
mod tests {
    use std::net::TcpStream;
    use std::thread;
    use std::time::Duration;

    use tungstenite::WebSocket;
    use tungstenite::protocol::frame::coding::CloseCode;
    use tungstenite::stream::MaybeTlsStream;

    use super::*;

    type Client = WebSocket<MaybeTlsStream<TcpStream>>;

    /// Together larger than any socket buffer and the queue of a listener.
    const FRAME_COUNT: usize = 1000;
    const FRAME_BYTES: usize = 60_000;

    fn wait_for_listeners(broadcast: &Broadcast, count: usize) {
        let listeners = broadcast.listeners.lock();
        drop(broadcast.listeners.changed.wait_while(listeners, |listeners| listeners.len() != count));
    }

    fn connect(broadcast: &Broadcast) -> Client {
        let count = broadcast.listeners.lock().len();
        let client = tungstenite::connect(broadcast.url()).expect("connects").0;
        wait_for_listeners(broadcast, count + 1);
        client
    }

    /// Sends a message that starts with a number or name.
    fn send(broadcast: &Broadcast, name: &str, push: fn(&mut SendQueue<Message>, Message)) {
        let message = Message::from(format!("{name:FRAME_BYTES$}"));
        broadcast.send_to_all(|_| Ok(message.clone()), push).expect("sent");
    }

    /// The next message that starts with a number or name, and whether a pong came before.
    fn next_name(client: &mut Client) -> (String, bool) {
        let mut has_pong = false;
        loop {
            match client.read().expect("a message") {
                Message::Text(text) => return (text.trim().to_owned(), has_pong),
                message => has_pong |= message == Message::Pong("still there?".into()),
            }
        }
    }

    /// All messages until the server closes the connection, and its close code.
    fn names(client: &mut Client) -> (Vec<String>, Option<CloseCode>) {
        let mut names = Vec::new();
        loop {
            match client.read().expect("a message") {
                Message::Close(frame) => {
                    // Answers it, unless the server has closed the connection.
                    client.flush().ok();
                    return (names, frame.map(|frame| frame.code));
                }
                message => names.push(message.to_string().trim().to_owned()),
            }
        }
    }

    #[test]
    fn slow_listener_misses_frames_but_no_events_and_does_not_delay_others() {
        // The slow one is not disconnected, however long the test takes.
        let limits = Limits { send_timeout: Duration::from_secs(3600), ..LIMITS };
        let broadcast = Broadcast::open_with_limits(0, &[], limits).expect("a free port");
        let [mut slow, mut quick, gone] = [(); 3].map(|()| connect(&broadcast));
        drop(gone);
        wait_for_listeners(&broadcast, 2);
        quick.send(Message::Ping("still there?".into())).expect("sent");
        send(&broadcast, "start", SendQueue::push_event);
        let (start, mut has_pong) = next_name(&mut quick);
        assert_eq!(start, "start");
        let frames: Vec<_> = (0..FRAME_COUNT).map(|n| n.to_string()).collect();
        let (before, after) = frames.split_at(FRAME_COUNT - 100);
        let mut late = None;
        for part in [before, after] {
            for frame in part {
                send(&broadcast, frame, SendQueue::push_frame);
                let (received, pong) = next_name(&mut quick);
                assert_eq!(received, *frame);
                has_pong |= pong;
            }
            late.get_or_insert_with(|| connect(&broadcast));
        }
        assert!(has_pong);
        send(&broadcast, "end", SendQueue::push_event);
        let closing = thread::spawn(|| broadcast.close());
        let normal = Some(CloseCode::Normal);
        assert_eq!(names(&mut quick), (vec!["end".to_owned()], normal));
        let expected = after.iter().cloned().chain(["end".to_owned()]).collect();
        assert_eq!(names(&mut late.expect("connected")), (expected, normal));
        let (received, code) = names(&mut slow);
        assert_eq!(code, normal);
        let [start, received @ .., last, end] = &received[..] else { panic!("{received:?}") };
        assert_eq!([start, last, end], ["start", &frames[FRAME_COUNT - 1], "end"]);
        assert!(received.len() < FRAME_COUNT - 1, "{}", received.len());
        assert!(received.is_sorted_by_key(|frame| frame.parse::<usize>().expect("a number")));
        closing.join().expect("no panic");
    }
}
