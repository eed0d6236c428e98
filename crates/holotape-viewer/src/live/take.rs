//! [`LiveTake`]: a handle to a take. Each take has its own thread, so that a slow disk blocks only that take.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use holotape::stream::protocol::TICK_INTERVAL;
use holotape::stream::{ErrorCode, Hello, ProtocolError, TakeId, TakeInput};
use serde::Serialize;
use tokio::sync::mpsc;

use super::connection::delayed_interval;
use super::registry::LiveTakes;
use super::watch::Watcher;
use super::worker;
use crate::slots::ClientAddress;

/// The maximum number of queued inputs of a take; above it, its client waits.
const INPUT_QUEUE_CAPACITY: usize = 16;

/// A take in the list of live takes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LiveTakeInfo {
    pub(super) take_id: TakeId,
    /// Empty until the take has started.
    pub(super) name: String,
    pub(super) frame_count: u64,
    pub(super) duration_secs: f64,
    pub(super) is_connected: bool,
}

/// A handle to a take that is being recorded.
#[derive(Clone)]
pub(super) struct LiveTake(Arc<Shared>);

struct Shared {
    /// The client that has started the take.
    client: ClientAddress,
    inputs: mpsc::Sender<TakeInput>,
    info: Mutex<LiveTakeInfo>,
    watchers: Mutex<Vec<Watcher>>,
}

impl LiveTake {
    /// Starts the thread of a take. If the take cannot be recorded, the answer to `hello` is an error.
    pub(super) fn begin(live: LiveTakes, client: ClientAddress, hello: Hello) -> Result<Self, ProtocolError> {
        let (sender, inputs) = mpsc::channel(INPUT_QUEUE_CAPACITY);
        let ticks = sender.clone();
        let info = LiveTakeInfo {
            take_id: hello.take_id.clone(),
            name: String::new(),
            frame_count: 0,
            duration_secs: 0.0,
            is_connected: false,
        };
        let info = Mutex::new(info);
        let take = Self(Arc::new(Shared { client, inputs: sender, info, watchers: Mutex::default() }));
        let handle = take.clone();
        let thread = thread::Builder::new().name("take".to_owned());
        thread.spawn(move || worker::run(live, handle, hello, inputs)).map_err(|error| {
            ProtocolError::new(ErrorCode::SaveFailed, format!("cannot start a thread for the take: {error}"))
        })?;
        tokio::spawn(async move {
            let mut interval = delayed_interval(TICK_INTERVAL);
            while ticks.send(TakeInput::Tick).await.is_ok() {
                interval.tick().await;
            }
        });
        Ok(take)
    }

    /// The client that has started the take.
    pub(super) fn client(&self) -> ClientAddress {
        self.0.client
    }

    /// Queues an input. An error if the take has ended.
    pub(super) async fn send(&self, input: TakeInput) -> Result<(), ()> {
        self.0.inputs.send(input).await.map_err(drop)
    }

    /// Waits until the take has ended.
    pub(super) async fn ended(&self) {
        self.0.inputs.closed().await;
    }

    pub(super) fn is_ended(&self) -> bool {
        self.0.inputs.is_closed()
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(super) fn lock_info(&self) -> MutexGuard<'_, LiveTakeInfo> {
        self.0.info.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn lock_watchers(&self) -> MutexGuard<'_, Vec<Watcher>> {
        self.0.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
