//! The same for everybody who listens, over WebSockets on this machine. Each listener has a thread of its own, so
//! that a slow one keeps nobody waiting.

use std::mem;
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use holotape::stream::{encode_event, encode_frame, encode_marker};
use holotape::{Event, EventKind, Frame};
use tungstenite::Message;

use super::client::{self, ClientHandle};
use super::sink::PlaybackSink;
use crate::failure::Failure;
use crate::socket::{self, MessageEncoding};

/// More than that are no audience but a mistake.
const MAX_CLIENTS: usize = 64;

pub struct Broadcast {
    url: String,
    clients: Arc<Clients>,
}

impl Broadcast {
    /// Lets listeners come from now on.
    pub fn open(port: u16, allowed_origins: &[String]) -> Result<Self, Failure> {
        let (listener, url) = socket::listen(port)?;
        let clients = Arc::new(Clients::default());
        let door = ClientAcceptor { clients: clients.clone(), allowed_origins: allowed_origins.to_vec() };
        thread::spawn(move || Arc::new(door).accept_loop(&listener));
        Ok(Self { url, clients })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn wait_for_client(&self) {
        let list = self.clients.lock();
        drop(self.clients.client_joined.wait_while(list, |list| list.is_empty()));
    }

    /// Tells everybody that this was all, and waits until they know.
    pub fn close(self) {
        let list = mem::take(&mut *self.clients.lock());
        let farewells: Vec<_> = list.into_iter().map(|client| thread::spawn(|| client.finish())).collect();
        farewells.into_iter().for_each(|farewell| drop(farewell.join()));
    }

    /// Says something to everybody, made once for each form that anybody wants, and forgets who has gone.
    fn send_to_all(
        &mut self,
        make: impl Fn(MessageEncoding) -> Result<Message, Failure>,
        say: fn(&mut ClientHandle, Message) -> bool,
    ) -> Result<(), Failure> {
        let (mut line, mut record) = (None, None);
        let mut clients = self.clients.lock();
        for client in clients.iter() {
            let made = match client.form() {
                MessageEncoding::Ndjson => &mut line,
                MessageEncoding::Binary => &mut record,
            };
            if made.is_none() {
                *made = Some(make(client.form())?);
            }
        }
        clients.retain_mut(|client| {
            let made = match client.form() {
                MessageEncoding::Ndjson => &line,
                MessageEncoding::Binary => &record,
            };
            made.as_ref().is_none_or(|message| say(client, message.clone()))
        });
        Ok(())
    }
}

impl PlaybackSink for Broadcast {
    fn frame(&mut self, frame: &Frame) -> Result<(), Failure> {
        let make = |form| match form {
            MessageEncoding::Ndjson => Ok(serde_json::to_string(frame)?.into()),
            MessageEncoding::Binary => Ok(encode_frame(frame).into()),
        };
        self.send_to_all(make, ClientHandle::try_send_frame)
    }

    fn event(&mut self, event: &Event) -> Result<(), Failure> {
        let make = |form| match (form, &event.kind) {
            (MessageEncoding::Ndjson, _) => Ok(serde_json::to_string(event)?.into()),
            (MessageEncoding::Binary, EventKind::MarkerPassed { name, .. }) => {
                Ok(encode_marker(event.time_secs, name).into())
            }
            (MessageEncoding::Binary, _) => Ok(encode_event(event.time_secs, &serde_json::to_string(event)?).into()),
        };
        self.send_to_all(make, ClientHandle::send_event)
    }
}

/// Those who listen.
#[derive(Default)]
struct Clients {
    list: Mutex<Vec<ClientHandle>>,
    client_joined: Condvar,
}

impl Clients {
    fn lock(&self) -> MutexGuard<'_, Vec<ClientHandle>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where listeners come in.
struct ClientAcceptor {
    clients: Arc<Clients>,
    allowed_origins: Vec<String>,
}

impl ClientAcceptor {
    fn accept_loop(self: Arc<Self>, listener: &TcpListener) {
        // One that hung up before it was let in is no reason to close.
        for stream in listener.incoming().flatten() {
            // Everybody inside has hold of the door.
            if Arc::strong_count(&self) <= MAX_CLIENTS {
                let door = self.clone();
                thread::spawn(move || door.accept_client(stream));
            }
        }
    }

    fn accept_client(&self, stream: TcpStream) {
        let Some((client, connection)) = client::accept(stream, &self.allowed_origins) else { return };
        self.clients.lock().push(client);
        self.clients.client_joined.notify_all();
        connection.serve();
    }
}
