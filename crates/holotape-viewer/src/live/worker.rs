//! The thread of a take: drives its [`TakeServer`], and saves the recording at the end.

use std::time::Instant;

use holotape::stream::{
    EndedTake, ErrorCode, Hello, Outgoing, ProtocolError, Record, TakeEnd, TakeEvent, TakeId, TakeInput, TakeOutcome,
    TakeServer, WireMessage,
};
use tokio::sync::mpsc::Receiver;

use super::registry::LiveTakes;
use super::save::SaveTarget;
use super::take::LiveTake;
use super::watch::Watcher;

/// Records a take to its end.
pub(super) fn run(live: LiveTakes, take: LiveTake, hello: Hello, mut inputs: Receiver<TakeInput>) {
    let guard = UnregisterGuard { live: live.clone(), id: hello.take_id.clone(), take: take.clone() };
    let (target, recorder) = match SaveTarget::begin(live.folder(), &hello) {
        Ok(started) => started,
        Err(error) => {
            // Unregister first, so that a client that retries starts a new take.
            drop(guard);
            return reject(&mut inputs, &ProtocolError::new(ErrorCode::SaveFailed, error.to_string()));
        }
    };
    take.lock_info().name = target.name();
    let server = TakeServer::new(hello.take_id, target.name(), recorder, Instant::now())
        .with_reconnect_timeout(live.timeouts().reconnect)
        .with_probe_timeout(live.timeouts().probe);
    let mut worker = Worker { live, take, target, server };
    let end = loop {
        let Some(input) = inputs.blocking_recv() else { break TakeEnd::Shutdown };
        if let Some(end) = worker.handle(input) {
            break end;
        }
    };
    worker.finish(end, inputs);
}

/// Unregisters the take when the thread ends, even by a panic.
struct UnregisterGuard {
    live: LiveTakes,
    id: TakeId,
    take: LiveTake,
}

impl Drop for UnregisterGuard {
    fn drop(&mut self) {
        self.live.unregister(&self.id, &self.take);
    }
}

fn reject(inputs: &mut Receiver<TakeInput>, error: &ProtocolError) {
    inputs.close();
    while let Some(input) = inputs.blocking_recv() {
        if let TakeInput::Hello { outbox, .. } = input {
            outbox(error.clone().into());
        }
    }
}

struct Worker {
    live: LiveTakes,
    take: LiveTake,
    target: SaveTarget,
    server: TakeServer,
}

impl Worker {
    fn handle(&mut self, input: TakeInput) -> Option<TakeEnd> {
        let event = self.server.handle(input, Instant::now());
        self.publish_connected();
        match event? {
            TakeEvent::Record { record, message } => self.publish_record(&record, message),
            // The client is notified.
            TakeEvent::Warning(_) | TakeEvent::Rejected(_) => {}
            TakeEvent::End(end) => return Some(end),
        }
        None
    }

    fn publish_record(&self, record: &Record, message: WireMessage) {
        let recorded = self.server.recorder().status();
        {
            let mut info = self.take.lock_info();
            info.frame_count = recorded.frame_count;
            info.duration_secs = recorded.duration_secs;
        }
        let mut watchers = self.take.lock_watchers();
        if !watchers.is_empty() {
            watchers.retain(Watcher::is_active);
            Watcher::broadcast(&watchers, record, message);
        }
    }

    fn publish_connected(&self) {
        let is_connected = self.server.is_connected();
        let was_connected = std::mem::replace(&mut self.take.lock_info().is_connected, is_connected);
        if is_connected != was_connected {
            self.live.notify_changed();
        }
    }

    fn finish(self, end: TakeEnd, mut inputs: Receiver<TakeInput>) {
        let Self { live, take, target, server } = self;
        let EndedTake { take_id, name, record_count, content, connection } = server.end(end);
        let (message, saved) = match content {
            Ok(stopped) => {
                let (message, saved) = target.save(&live, stopped);
                (message, Some(saved))
            }
            Err(message) => (message, None),
        };
        // Before the client is notified, so that it finds the outcome if it reconnects.
        let outcome = TakeOutcome { take_id, name, record_count, message: message.clone() };
        live.end_take(outcome, saved.as_ref());
        if let Some((_, outbox)) = connection {
            outbox(Outgoing::Send(message));
        }
        // In this order: a watcher that is added later sees that the take has ended.
        inputs.close();
        take.lock_watchers().drain(..).for_each(|watcher| watcher.end());
    }
}
