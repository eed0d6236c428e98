//! The same lines for everybody who listens, over WebSockets on this machine. Each listener has a thread of its own, so
//! that a slow one keeps nobody waiting.

use std::io;
use std::mem;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use holotape::{Error, Event, Frame};
use serde::Serialize;
use tungstenite::Utf8Bytes;

use super::client::{self, Client};
use super::origin::OriginRule;
use super::sink::Sink;
use crate::failure::Failure;

/// More than that are no audience but a mistake.
const MOST_CLIENTS: usize = 64;

pub struct Broadcast {
    address: SocketAddr,
    clients: Arc<Clients>,
}

impl Broadcast {
    /// Lets listeners come from now on.
    pub fn open(port: u16, allowed_origins: &[String]) -> Result<Self, Failure> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listen = || {
            let listener = TcpListener::bind(wanted)?;
            Ok((listener.local_addr()?, listener))
        };
        let failed = |error: io::Error| Error::from(error).with_path(wanted.to_string());
        let (address, listener) = listen().map_err(failed)?;
        let clients = Arc::new(Clients::default());
        let door = Door { clients: clients.clone(), allowed_origins: allowed_origins.to_vec() };
        thread::spawn(move || Arc::new(door).keep(&listener));
        Ok(Self { address, clients })
    }

    pub fn url(&self) -> String {
        format!("ws://{}/", self.address)
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

    /// Says something to everybody, and forgets who has gone.
    fn say(&mut self, object: &impl Serialize, say: fn(&mut Client, &Utf8Bytes) -> bool) -> Result<(), Failure> {
        let line = serde_json::to_string(object)?.into();
        self.clients.lock().retain_mut(|client| say(client, &line));
        Ok(())
    }
}

impl Sink for Broadcast {
    fn frame(&mut self, frame: &Frame) -> Result<(), Failure> {
        self.say(frame, Client::offer_frame)
    }

    fn event(&mut self, event: &Event) -> Result<(), Failure> {
        self.say(event, Client::send_event)
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
        let Some((client, connection)) = client::accept(stream, OriginRule(&self.allowed_origins)) else { return };
        self.clients.lock().push(client);
        self.clients.somebody_came.notify_all();
        connection.serve();
    }
}
