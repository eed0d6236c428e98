//! [`LiveTakes`]: all takes that are being recorded, and the outcomes of recent ones.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use holotape::stream::{
    ConnectionId, ErrorCode, Hello, ProtocolError, SavedTake, ServerMessage, TakeId, TakeInput, TakeOutcome,
};
use tokio::sync::{broadcast, watch};
use tokio::time::timeout;

use super::save::SavedRecording;
use super::take::{LiveTake, LiveTakeInfo};
use crate::http_error::HttpError;
use crate::library::Library;
use crate::slots::{ClientAddress, Slot, Slots};

/// Takes that may be recorded at once.
const MAX_TAKES: usize = 8;

/// Outcomes that are kept for clients that reconnect after the end.
const MAX_OUTCOMES: usize = 64;

/// Connections that may be open at once. A take has one; others may wait to take over.
const MAX_RECORDERS: usize = 4 * MAX_TAKES;
const MAX_WATCHERS: usize = 512;

const SAVED_CHANNEL_CAPACITY: usize = 64;

/// On shutdown, connections have this long to receive their last messages.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

type Listener = Box<dyn Fn(&SavedRecording) + Send + Sync>;

/// The timeouts of every take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TakeTimeouts {
    /// How long a take waits for its recorder to reconnect.
    pub(crate) reconnect: Duration,
    /// How long a connection may take to answer a ping before another one replaces it.
    pub(crate) probe: Duration,
}

/// A handle to the takes that are being recorded.
#[derive(Clone)]
pub(crate) struct LiveTakes(Arc<Inner>);

struct Inner {
    folder: PathBuf,
    timeouts: TakeTimeouts,
    library: Arc<Library>,
    state: Mutex<State>,
    /// Whether the server stops; sent again whenever the list of takes changes.
    changed: watch::Sender<bool>,
    saved: broadcast::Sender<SavedTake>,
    recorders: Slots,
    watchers: Slots,
    listener: OnceLock<Listener>,
    connection_count: AtomicU64,
}

#[derive(Default)]
struct State {
    takes: BTreeMap<TakeId, LiveTake>,
    outcomes: VecDeque<TakeOutcome>,
}

/// The take of a `hello`.
pub(super) enum TakeLookup {
    Active(LiveTake),
    Ended(Box<TakeOutcome>),
}

impl LiveTakes {
    /// Saves takes in a folder and opens them in the library.
    pub(crate) fn new(folder: PathBuf, timeouts: TakeTimeouts, library: Arc<Library>) -> Self {
        Self(Arc::new(Inner {
            folder,
            timeouts,
            library,
            state: Mutex::default(),
            changed: watch::Sender::new(false),
            saved: broadcast::Sender::new(SAVED_CHANNEL_CAPACITY),
            recorders: Slots::new("recording clients", MAX_RECORDERS),
            watchers: Slots::new("watchers", MAX_WATCHERS),
            listener: OnceLock::new(),
            connection_count: AtomicU64::new(0),
        }))
    }

    /// Sets the function to call for every take that is saved or could not be. Only the first call has an effect.
    pub(crate) fn on_saved(&self, listener: impl Fn(&SavedRecording) + Send + Sync + 'static) {
        self.0.listener.set(Box::new(listener)).ok();
    }

    pub(crate) fn folder(&self) -> &PathBuf {
        &self.0.folder
    }

    pub(super) fn timeouts(&self) -> TakeTimeouts {
        self.0.timeouts
    }

    pub(super) fn next_connection_id(&self) -> ConnectionId {
        ConnectionId(self.0.connection_count.fetch_add(1, Ordering::Relaxed))
    }

    pub(super) fn library(&self) -> &Library {
        &self.0.library
    }

    /// A slot for one more recording connection.
    pub(super) fn acquire_recorder(&self, client: ClientAddress) -> Result<Slot, HttpError> {
        self.0.recorders.try_acquire(client, 1)
    }

    /// A slot for one more watcher.
    pub(super) fn acquire_watcher(&self, client: ClientAddress) -> Result<Slot, HttpError> {
        self.0.watchers.try_acquire(client, 1)
    }

    /// Finds the take of a `hello`, or starts it if it is new.
    pub(super) fn find_or_begin(&self, client: ClientAddress, hello: &Hello) -> Result<TakeLookup, ProtocolError> {
        let mut state = self.lock();
        if let Some(take) = state.takes.get(&hello.take_id) {
            return Ok(TakeLookup::Active(take.clone()));
        }
        if let Some(outcome) = state.outcomes.iter().find(|outcome| outcome.take_id == hello.take_id) {
            return Ok(TakeLookup::Ended(Box::new(outcome.clone())));
        }
        if hello.acked_records > 0 {
            return Err(ProtocolError::unknown_take());
        }
        if *self.0.changed.borrow() {
            return Err(ProtocolError::new(ErrorCode::Busy, "the server is stopping"));
        }
        if state.takes.len() >= MAX_TAKES {
            let message = format!("{MAX_TAKES} takes are being recorded; stop one first");
            return Err(ProtocolError::new(ErrorCode::Busy, message));
        }
        let own_count = state.takes.values().filter(|take| take.client() == client).count();
        if own_count >= client.share_of(MAX_TAKES) {
            let message = format!("{own_count} takes are being recorded from your address; stop one first");
            return Err(ProtocolError::new(ErrorCode::Busy, message));
        }
        let take = LiveTake::begin(self.clone(), client, hello.clone())?;
        state.takes.insert(hello.take_id.clone(), take.clone());
        Ok(TakeLookup::Active(take))
    }

    pub(super) fn find(&self, take: &TakeId) -> Option<LiveTake> {
        self.lock().takes.get(take).cloned()
    }

    /// All takes that have started.
    pub(super) fn list(&self) -> Vec<LiveTakeInfo> {
        let takes: Vec<_> = self.lock().takes.values().map(|take| take.lock_info().clone()).collect();
        takes.into_iter().filter(|info| !info.name.is_empty()).collect()
    }

    /// Notifies clients that the list of takes has changed.
    pub(super) fn notify_changed(&self) {
        self.0.changed.send_modify(|_| ());
    }

    pub(super) fn changes(&self) -> (watch::Receiver<bool>, broadcast::Receiver<SavedTake>) {
        (self.0.changed.subscribe(), self.0.saved.subscribe())
    }

    /// Removes a take whose thread has failed.
    pub(super) fn unregister(&self, id: &TakeId, take: &LiveTake) {
        let mut state = self.lock();
        // Another take may have started under the same id.
        if state.takes.get(id).is_some_and(|known| known.is_same(take)) {
            state.takes.remove(id);
            drop(state);
            self.notify_changed();
        }
    }

    /// Replaces a take by its outcome.
    pub(super) fn end_take(&self, outcome: TakeOutcome, saved: Option<&SavedRecording>) {
        {
            let mut state = self.lock();
            state.takes.remove(&outcome.take_id);
            if let ServerMessage::Saved(saved) = &outcome.message {
                // Under the lock, so that clients receive it before the take disappears. Without clients, this is an error.
                self.0.saved.send(saved.clone()).ok();
            }
            state.outcomes.push_back(outcome);
            if state.outcomes.len() > MAX_OUTCOMES {
                state.outcomes.pop_front();
            }
        }
        self.notify_changed();
        if let Some((listener, saved)) = self.0.listener.get().zip(saved) {
            listener(saved);
        }
    }

    /// Saves all takes, rejects new ones, and waits until the clients are notified, at most [`SHUTDOWN_TIMEOUT`].
    pub(crate) async fn shut_down(&self) {
        let takes: Vec<_> = {
            let state = self.lock();
            self.0.changed.send_replace(true);
            state.takes.values().cloned().collect()
        };
        for take in &takes {
            // The take may have ended already.
            take.send(TakeInput::Shutdown).await.ok();
        }
        for take in takes {
            take.ended().await;
        }
        let closed = async {
            self.0.recorders.all_released().await;
            self.0.watchers.all_released().await;
        };
        timeout(SHUTDOWN_TIMEOUT, closed).await.ok();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use holotape::stream::WireMessage;

    use super::*;

    const NO_TIMEOUT: Duration = Duration::from_secs(3600);

    fn live_takes(folder: PathBuf) -> LiveTakes {
        let timeouts = TakeTimeouts { reconnect: NO_TIMEOUT, probe: NO_TIMEOUT };
        LiveTakes::new(folder, timeouts, Arc::new(Library::new(0)))
    }

    fn clients() -> [ClientAddress; 2] {
        [2, 3].map(|last| ClientAddress::new([192, 168, 1, last].into()))
    }

    #[test]
    fn one_address_cannot_hold_all_connections() {
        let live = live_takes(PathBuf::new());
        let [headset, other] = clients();
        let acquire_all = |acquire: &dyn Fn(ClientAddress) -> Result<Slot, HttpError>| {
            let mut held = Vec::new();
            let mut statuses = Vec::new();
            for client in [headset, other, ClientAddress::LOCAL] {
                let before = held.len();
                let refused = loop {
                    match acquire(client) {
                        Ok(slot) => held.push(slot),
                        Err(error) => break error.status().as_u16(),
                    }
                };
                statuses.push((held.len() - before, refused));
            }
            statuses
        };
        assert_eq!(acquire_all(&|client| live.acquire_recorder(client)), [(16, 429), (16, 429), (0, 503)]);
        assert_eq!(acquire_all(&|client| live.acquire_watcher(client)), [(256, 429), (256, 429), (0, 503)]);
    }

    #[tokio::test]
    async fn one_address_cannot_record_all_takes() {
        let folder = tempfile::tempdir().unwrap();
        let live = live_takes(folder.path().to_owned());
        let [headset, other] = clients();
        let begin = |client, n: u32| {
            let hello = format!(r#"{{"type":"hello","take_id":"take{n:016}","acked_records":0}}"#);
            let hello = Hello::from_message(&WireMessage::Text(hello)).unwrap();
            live.find_or_begin(client, &hello).map(drop).map_err(|error| error.to_string())
        };
        (0..4).for_each(|n| begin(headset, n).unwrap());
        let refused = begin(headset, 4).unwrap_err();
        assert!(refused.contains("4 takes are being recorded from your address"), "{refused}");
        begin(headset, 0).expect("its take is known");
        begin(other, 0).expect("a device that takes over");
        (4..8).for_each(|n| begin(ClientAddress::LOCAL, n).unwrap());
        let refused = begin(other, 8).unwrap_err();
        assert!(refused.contains("8 takes are being recorded;"), "{refused}");
        live.shut_down().await;
    }
}
