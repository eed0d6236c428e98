//! [`Live`]: all takes that are being recorded, and those that were.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use holotape::stream::{ErrorCode, Hello, ProtocolError, ServerMessage, TakeId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, watch};
use tokio::time::timeout;

use super::save::SavedRecording;
use super::take::{LiveTake, TakeStatus};
use super::timeouts::Timeouts;
use crate::library::Library;

/// More than that are no takes but a mistake.
const MAX_TAKES: usize = 8;

/// How many takes that have ended are remembered, for those who did not hear of it.
const MAX_ENDED: usize = 64;

/// How many connections there may be at once: takes have one each, and there may be others that want them.
const MAX_RECORDERS: usize = 4 * MAX_TAKES;
const MAX_WATCHERS: usize = 64;

/// How much news may wait for one who hears it.
const SAVED_CHANNEL_CAPACITY: usize = 64;

type Listener = Box<dyn Fn(&SavedRecording) + Send + Sync>;

/// The takes that are being recorded.
#[derive(Clone)]
pub(crate) struct LiveTakes(Arc<Inner>);

struct Inner {
    folder: PathBuf,
    timing: Timeouts,
    library: Arc<Library>,
    state: Mutex<State>,
    /// Whether holotape is about to end; told anew whenever anything changes.
    changed: watch::Sender<bool>,
    saved: broadcast::Sender<ServerMessage>,
    recorders: Arc<Semaphore>,
    watchers: Arc<Semaphore>,
    listener: OnceLock<Listener>,
}

#[derive(Default)]
struct State {
    takes: BTreeMap<TakeId, LiveTake>,
    ended: VecDeque<EndedTake>,
}

/// A take that is over.
#[derive(Clone)]
pub(super) struct EndedTake {
    pub(super) take: TakeId,
    pub(super) name: String,
    pub(super) records: u64,
    /// How it ended.
    pub(super) last: ServerMessage,
}

/// What a hello leads to.
pub(super) enum TakeLookup {
    Take(LiveTake),
    Ended(Box<EndedTake>),
}

impl LiveTakes {
    /// Saves takes in a folder, and puts them into the library.
    pub(crate) fn new(folder: PathBuf, timing: Timeouts, library: Arc<Library>) -> Self {
        Self(Arc::new(Inner {
            folder,
            timing,
            library,
            state: Mutex::default(),
            changed: watch::Sender::new(false),
            saved: broadcast::Sender::new(SAVED_CHANNEL_CAPACITY),
            recorders: Arc::new(Semaphore::new(MAX_RECORDERS)),
            watchers: Arc::new(Semaphore::new(MAX_WATCHERS)),
            listener: OnceLock::new(),
        }))
    }

    /// Tells somebody of every take that is saved, or could not be. Only the first who asks.
    pub(crate) fn on_saved(&self, listener: impl Fn(&SavedRecording) + Send + Sync + 'static) {
        self.0.listener.set(Box::new(listener)).ok();
    }

    pub(crate) fn folder(&self) -> &PathBuf {
        &self.0.folder
    }

    pub(super) fn timing(&self) -> Timeouts {
        self.0.timing
    }

    pub(super) fn library(&self) -> &Library {
        &self.0.library
    }

    /// Leave to have one connection more that records; none if there are too many.
    pub(super) fn acquire_recorder(&self) -> Option<OwnedSemaphorePermit> {
        self.0.recorders.clone().try_acquire_owned().ok()
    }

    /// The same for one that watches.
    pub(super) fn acquire_watcher(&self) -> Option<OwnedSemaphorePermit> {
        self.0.watchers.clone().try_acquire_owned().ok()
    }

    /// The take of a hello, begun if it is a new one.
    pub(super) fn find_or_begin(&self, hello: &Hello) -> Result<TakeLookup, ProtocolError> {
        let mut state = self.lock();
        if let Some(take) = state.takes.get(&hello.take_id) {
            return Ok(TakeLookup::Take(take.clone()));
        }
        if let Some(ended) = state.ended.iter().find(|ended| ended.take == hello.take_id) {
            return Ok(TakeLookup::Ended(Box::new(ended.clone())));
        }
        if hello.acked_records > 0 {
            let message = "there is no such take: holotape was started anew. What it had is in a journal beside where the take \
                         would have been saved, and `holotape repair` gets it back";
            return Err(ProtocolError::new(ErrorCode::UnknownTake, message));
        }
        if *self.0.changed.borrow() {
            return Err(ProtocolError::new(ErrorCode::Busy, "holotape is about to end"));
        }
        if state.takes.len() >= MAX_TAKES {
            let message = format!("{MAX_TAKES} takes are being recorded: stop one first");
            return Err(ProtocolError::new(ErrorCode::Busy, message));
        }
        let take = LiveTake::begin(self.clone(), hello.clone())?;
        state.takes.insert(hello.take_id.clone(), take.clone());
        Ok(TakeLookup::Take(take))
    }

    /// A take that is being recorded.
    pub(super) fn find(&self, take: &TakeId) -> Option<LiveTake> {
        self.lock().takes.get(take).cloned()
    }

    /// How all takes are getting on.
    pub(super) fn statuses(&self) -> Vec<(TakeId, TakeStatus)> {
        // A take that has no name yet has not begun.
        let takes: Vec<_> = self.lock().takes.iter().map(|(id, take)| (id.clone(), take.status())).collect();
        takes.into_iter().filter(|(_, status)| !status.name.is_empty()).collect()
    }

    /// Tells those who want to know that something is not as it was.
    pub(super) fn notify_changed(&self) {
        self.0.changed.send_modify(|_| ());
    }

    pub(super) fn changes(&self) -> (watch::Receiver<bool>, broadcast::Receiver<ServerMessage>) {
        (self.0.changed.subscribe(), self.0.saved.subscribe())
    }

    /// Forgets a take that did not begin, or failed at what it should not have.
    pub(super) fn unregister(&self, id: &TakeId, take: &LiveTake) {
        let mut state = self.lock();
        // Another may have begun under the same id.
        if state.takes.get(id).is_some_and(|known| known.is(take)) {
            state.takes.remove(id);
            drop(state);
            self.notify_changed();
        }
    }

    /// Notes that a take is over, and how.
    pub(super) fn end_take(&self, ended: EndedTake, saved: Option<&SavedRecording>) {
        let last = ended.last.clone();
        {
            let mut state = self.lock();
            state.takes.remove(&ended.take);
            state.ended.push_back(ended);
            if state.ended.len() > MAX_ENDED {
                state.ended.pop_front();
            }
            if matches!(last, ServerMessage::Saved(_)) {
                // Before anybody can see that it is gone. There need not be anybody; those who are there look for it when something
                // changes.
                self.0.saved.send(last).ok();
            }
        }
        self.notify_changed();
        if let Some((listener, saved)) = self.0.listener.get().zip(saved) {
            listener(saved);
        }
    }

    /// Saves all takes, begins no other, and gives those who record time to hear of it.
    pub(crate) async fn shut_down(&self) {
        let takes: Vec<_> = {
            let state = self.lock();
            self.0.changed.send_replace(true);
            state.takes.values().cloned().collect()
        };
        for take in &takes {
            take.end().await;
        }
        for take in takes {
            take.ended().await;
        }
        let gone = async {
            self.0.recorders.acquire_many(MAX_RECORDERS as u32).await.ok();
            self.0.watchers.acquire_many(MAX_WATCHERS as u32).await.ok();
        };
        // Nobody is waited for who does not listen.
        timeout(self.0.timing.probe, gone).await.ok();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
