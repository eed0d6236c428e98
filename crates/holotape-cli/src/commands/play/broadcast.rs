//! The same for everybody who listens, over WebSockets on this machine. Each listener has a thread of its own, so
//! that a slow one keeps nobody waiting.

use std::mem;
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use holotape::stream::{encode_event, encode_frame, encode_marker};
use holotape::{Event, EventKind, Frame};
use tungstenite::Message;

use super::client::{self, Client};
use super::sink::Sink;
use crate::failure::Failure;
use crate::socket::{self, Form};

/// More than that are no audience but a mistake.
const MOST_CLIENTS: usize = 64;

pub struct Broadcast {
    url: String,
    clients: Arc<Clients>,
}

impl Broadcast {
    /// Lets listeners come from now on.
    pub fn open(port: u16, allowed_origins: &[String]) -> Result<Self, Failure> {
        let (listener, url) = socket::listen(port)?;
        let clients = Arc::new(Clients::default());
        let door = Door { clients: clients.clone(), allowed_origins: allowed_origins.to_vec() };
        thread::spawn(move || Arc::new(door).keep(&listener));
        Ok(Self { url, clients })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn wait_for_client(&self) {
        let list = self.clients.lock();
        drop(self.clients.somebody_came.wait_while(list, |list| list.is_empty()));
    }

    /// Tells everybody that this was all, and waits until they know.
    pub fn close(self) {
        let list = mem::take(&mut *self.clients.lock());
        let farewells: Vec<_> = list.into_iter().map(|client| thread::spawn(|| client.finish())).collect();
        farewells.into_iter().for_each(|farewell| drop(farewell.join()));
    }

    /// Says something to everybody, made once for each form that anybody wants, and forgets who has gone.
    fn say(
        &mut self,
        make: impl Fn(Form) -> Result<Message, Failure>,
        say: fn(&mut Client, Message) -> bool,
    ) -> Result<(), Failure> {
        let (mut line, mut record) = (None, None);
        let mut clients = self.clients.lock();
        for client in clients.iter() {
            let made = match client.form() {
                Form::Ndjson => &mut line,
                Form::Binary => &mut record,
            };
            if made.is_none() {
                *made = Some(make(client.form())?);
            }
        }
        clients.retain_mut(|client| {
            let made = match client.form() {
                Form::Ndjson => &line,
                Form::Binary => &record,
            };
            made.as_ref().is_none_or(|message| say(client, message.clone()))
        });
        Ok(())
    }
}

impl Sink for Broadcast {
    fn frame(&mut self, frame: &Frame) -> Result<(), Failure> {
        let make = |form| match form {
            Form::Ndjson => Ok(serde_json::to_string(frame)?.into()),
            Form::Binary => Ok(encode_frame(frame).into()),
        };
        self.say(make, Client::offer_frame)
    }

    fn event(&mut self, event: &Event) -> Result<(), Failure> {
        let make = |form| match (form, &event.kind) {
            (Form::Ndjson, _) => Ok(serde_json::to_string(event)?.into()),
            (Form::Binary, EventKind::MarkerPassed { name, .. }) => Ok(encode_marker(event.time_secs, name).into()),
            (Form::Binary, _) => Ok(encode_event(event.time_secs, &serde_json::to_string(event)?).into()),
        };
        self.say(make, Client::send_event)
    }
}

/// Those who listen.
#[derive(Default)]
struct Clients {
    list: Mutex<Vec<Client>>,
    somebody_came: Condvar,
}

impl Clients {
    fn lock(&self) -> MutexGuard<'_, Vec<Client>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where listeners come in.
struct Door {
    clients: Arc<Clients>,
    allowed_origins: Vec<String>,
}

impl Door {
    fn keep(self: Arc<Self>, listener: &TcpListener) {
        // One that hung up before it was let in is no reason to close.
        for stream in listener.incoming().flatten() {
            // Everybody inside has hold of the door.
            if Arc::strong_count(&self) <= MOST_CLIENTS {
                let door = self.clone();
                thread::spawn(move || door.let_in(stream));
            }
        }
    }

    fn let_in(&self, stream: TcpStream) {
        let Some((client, connection)) = client::accept(stream, &self.allowed_origins) else { return };
        self.clients.lock().push(client);
        self.clients.somebody_came.notify_all();
        connection.serve();
    }
}
