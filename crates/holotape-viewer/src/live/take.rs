//! One take that is being recorded, on a thread of its own: a disk that is busy keeps nobody waiting but this take.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use holotape::stream::{ConnectionId, ErrorCode, Hello, ProtocolError, ServerMessage};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Duration, timeout};

use super::registry::LiveTakes;
use super::watch::Watcher;
use super::worker;

/// How many messages may wait for the disk. Then whoever sends them has to.
const COMMAND_QUEUE_CAPACITY: usize = 16;

/// What a take is told to do, in order.
pub(super) enum TakeCommand {
    Hello {
        hello: Hello,
        replies: Replies,
        answer: oneshot::Sender<Result<(ConnectionId, ServerMessage), ProtocolError>>,
    },
    Message {
        voice: ConnectionId,
        spoken: OwnedWireMessage,
    },
    /// Tell the client what was received.
    Reply,
    /// A connection was lost.
    Lost(ConnectionId),
    /// Nobody came back in its place.
    Expire(ConnectionId),
    /// The server ends.
    End,
}

/// A message as it came.
pub(super) enum OwnedWireMessage {
    Text(Utf8Bytes),
    Binary(Bytes),
}

/// Where replies go. They come once in a while, so nothing piles up before whoever does not take them is given up.
pub(super) type Replies = mpsc::UnboundedSender<ServerMessage>;

/// Asks a connection for a sign of life.
pub(super) type Probe = mpsc::Sender<oneshot::Sender<()>>;

/// How a take is getting on.
#[derive(Clone, Debug, Default)]
pub(super) struct TakeStatus {
    pub(super) name: String,
    pub(super) frames: u64,
    pub(super) duration_secs: f64,
    pub(super) is_connected: bool,
}

/// What everybody has of a take.
#[derive(Clone)]
pub(super) struct LiveTake(Arc<Shared>);

struct Shared {
    orders: mpsc::Sender<TakeCommand>,
    status: Mutex<TakeStatus>,
    watchers: Mutex<Vec<Watcher>>,
    active_connection: Mutex<Option<Probe>>,
}

impl LiveTake {
    /// Begins a take. Whether that worked out is told in answer to the hello.
    pub(super) fn begin(live: LiveTakes, hello: Hello) -> Result<Self, ProtocolError> {
        let (sender, orders) = mpsc::channel(COMMAND_QUEUE_CAPACITY);
        let take = Self(Arc::new(Shared {
            orders: sender,
            status: Mutex::default(),
            watchers: Mutex::default(),
            active_connection: Mutex::default(),
        }));
        let its = take.clone();
        let spawned =
            thread::Builder::new().name("take".to_owned()).spawn(move || worker::run(live, its, hello, orders));
        spawned.map_err(|error| {
            ProtocolError::new(ErrorCode::SaveFailed, format!("the system has no thread to spare: {error}"))
        })?;
        Ok(take)
    }

    /// Says hello over a connection; nothing if the take has ended meanwhile.
    pub(super) async fn hello(
        &self,
        hello: &Hello,
        replies: Replies,
    ) -> Option<Result<(ConnectionId, ServerMessage), ProtocolError>> {
        let (answer, answered) = oneshot::channel();
        self.send_command(TakeCommand::Hello { hello: hello.clone(), replies, answer }).await.ok()?;
        answered.await.ok()
    }

    /// Does something when it is the take's turn. An error if the take has ended.
    pub(super) async fn send_command(&self, order: TakeCommand) -> Result<(), ()> {
        self.0.orders.send(order).await.map_err(drop)
    }

    /// Has the take saved.
    pub(super) async fn end(&self) {
        // It may have ended by itself.
        self.send_command(TakeCommand::End).await.ok();
    }

    /// Waits until it is over.
    pub(super) async fn ended(&self) {
        self.0.orders.closed().await;
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(super) fn is_ended(&self) -> bool {
        self.0.orders.is_closed()
    }

    /// Notes which connection records it.
    pub(super) fn set_active_connection(&self, probe: Probe) {
        *lock(&self.0.active_connection) = Some(probe);
    }

    /// Fails if a connection records it that gives a sign of life.
    pub(super) async fn check_inactive(&self, patience: Duration) -> Result<(), ProtocolError> {
        let Some(probe) = lock(&self.0.active_connection).clone() else { return Ok(()) };
        let (alive, sign) = oneshot::channel();
        let is_alive = async { probe.send(alive).await.is_ok() && sign.await.is_ok() };
        match timeout(patience, is_alive).await {
            Ok(true) => Err(ProtocolError::new(ErrorCode::Busy, "this take is being recorded over another connection")),
            Ok(false) | Err(_) => Ok(()),
        }
    }

    pub(super) fn status(&self) -> TakeStatus {
        self.lock_status().clone()
    }

    pub(super) fn lock_status(&self) -> MutexGuard<'_, TakeStatus> {
        lock(&self.0.status)
    }

    pub(super) fn watch(&self, watcher: Watcher) {
        self.lock_watchers().push(watcher);
    }

    pub(super) fn lock_watchers(&self) -> MutexGuard<'_, Vec<Watcher>> {
        lock(&self.0.watchers)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
