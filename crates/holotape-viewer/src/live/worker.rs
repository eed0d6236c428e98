//! The thread of a take: orders in, replies out.

use std::ops::ControlFlow;

use holotape::stream::protocol::MAX_TAKE_BYTES;
use holotape::stream::{
    ConnectionId, ErrorCode, Hello, ProtocolError, ReceiveOutcome, Record, ServerMessage, TakeId, TakeReceiver,
    WireMessage,
};
use tokio::sync::mpsc::Receiver;

use super::registry::{EndedTake, LiveTakes};
use super::save::{SaveTarget, SavedRecording};
use super::take::{LiveTake, OwnedWireMessage, Replies, TakeCommand};
use super::watch::Watcher;

/// Records a take until it ends.
pub(super) fn run(live: LiveTakes, take: LiveTake, hello: Hello, mut orders: Receiver<TakeCommand>) {
    let guard = UnregisterGuard { live: live.clone(), id: hello.take_id.clone(), take: take.clone() };
    let (target, intake) = match SaveTarget::begin(live.folder(), &hello) {
        Ok(begun) => begun,
        Err(error) => {
            // First of all, so that whoever tries again begins anew.
            drop(guard);
            return refuse(&mut orders, &ProtocolError::new(ErrorCode::SaveFailed, error.to_string()));
        }
    };
    take.lock_status().name = intake.name().to_owned();
    let mut worker = Worker { live, take, target, intake, replies: None };
    let end = loop {
        // Orders end when nobody has the take any more, which is not before it has ended.
        let Some(order) = orders.blocking_recv() else { break TakeEnd::Abandoned };
        if let ControlFlow::Break(end) = worker.handle(order) {
            break end;
        }
    };
    worker.finish(end, orders);
}

/// Whatever becomes of the thread, nobody looks for its take any more.
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

/// Tells those who wait that there is no take.
fn refuse(orders: &mut Receiver<TakeCommand>, refused: &ProtocolError) {
    orders.close();
    while let Some(order) = orders.blocking_recv() {
        if let TakeCommand::Hello { answer, .. } = order {
            answer.send(Err(refused.clone())).ok();
        }
    }
}

/// Why a take ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TakeEnd {
    /// The client wants it saved.
    Stop,
    /// The client does not want it.
    Discard,
    /// The client does not come back, the server ends, or the take is too large.
    Abandoned,
}

struct Worker {
    live: LiveTakes,
    take: LiveTake,
    target: SaveTarget,
    intake: TakeReceiver,
    replies: Option<Replies>,
}

impl Worker {
    fn handle(&mut self, order: TakeCommand) -> ControlFlow<TakeEnd> {
        match order {
            TakeCommand::Hello { hello, replies, answer } => {
                let answered = self.intake.attach(&hello);
                if answered.is_ok() {
                    self.replies = Some(replies);
                    self.note_connected();
                }
                // Whoever has gone need not know.
                answer.send(answered).ok();
            }
            TakeCommand::Message { voice, spoken } => return self.receive(voice, &spoken),
            TakeCommand::Reply => {
                while let Some(reply) = self.intake.next_reply() {
                    self.reply(reply);
                }
                if self.intake.recorder().byte_len() > MAX_TAKE_BYTES {
                    return ControlFlow::Break(TakeEnd::Abandoned);
                }
            }
            TakeCommand::Lost(voice) => {
                self.intake.disconnect(voice);
                self.note_connected();
            }
            TakeCommand::Expire(voice) if self.intake.is_abandoned_by(voice) => {
                return ControlFlow::Break(TakeEnd::Abandoned);
            }
            TakeCommand::Expire(_) => {}
            TakeCommand::End => return ControlFlow::Break(TakeEnd::Abandoned),
        }
        ControlFlow::Continue(())
    }

    fn receive(&mut self, voice: ConnectionId, spoken: &OwnedWireMessage) -> ControlFlow<TakeEnd> {
        let said = match spoken {
            OwnedWireMessage::Text(text) => WireMessage::Text(text),
            OwnedWireMessage::Binary(bytes) => WireMessage::Binary(bytes),
        };
        match self.intake.receive(voice, said) {
            Ok(ReceiveOutcome::Record(record)) => self.publish_record(&record, spoken),
            Ok(ReceiveOutcome::Stop) => return ControlFlow::Break(TakeEnd::Stop),
            Ok(ReceiveOutcome::Discard) => return ControlFlow::Break(TakeEnd::Discard),
            Ok(ReceiveOutcome::Ignored) => {}
            Err(refused) => {
                self.reply(refused.into());
                self.replies = None;
                self.note_connected();
            }
        }
        ControlFlow::Continue(())
    }

    fn publish_record(&self, record: &Record, spoken: &OwnedWireMessage) {
        let recorded = self.intake.recorder().status();
        {
            let mut status = self.take.lock_status();
            status.frames = recorded.frames;
            status.duration_secs = recorded.duration_secs;
        }
        let mut watchers = self.take.lock_watchers();
        if !watchers.is_empty() {
            watchers.retain(Watcher::is_active);
            Watcher::broadcast(&watchers, record, spoken);
        }
    }

    fn note_connected(&self) {
        self.take.lock_status().is_connected = self.intake.is_connected();
        self.live.notify_changed();
    }

    fn reply(&self, reply: ServerMessage) {
        if let Some(replies) = &self.replies {
            // A connection that has gone hears nothing.
            replies.send(reply).ok();
        }
    }

    fn finish(self, end: TakeEnd, mut orders: Receiver<TakeCommand>) {
        let Self { live, take, target, intake, replies } = self;
        let (id, name, records) = (intake.take_id().clone(), intake.name().to_owned(), intake.record_count());
        let status = intake.recorder().status();
        let is_empty = status.frames == 0 && status.markers == 0;
        let (last, saved): (_, Option<SavedRecording>) = if end == TakeEnd::Discard || is_empty {
            let last = match intake.discard() {
                Err(error) => ProtocolError::new(ErrorCode::SaveFailed, error.to_string()).into(),
                Ok(()) if end == TakeEnd::Stop => {
                    ProtocolError::new(ErrorCode::SaveFailed, "no frame came, so there is nothing to save").into()
                }
                Ok(()) => ServerMessage::Discarded { take_id: id.clone() },
            };
            (last, None)
        } else {
            let (last, saved) = target.save(&live, id.clone(), intake.stop());
            (last, Some(saved))
        };
        // Before it is told, so that who asks again finds it.
        live.end_take(EndedTake { take: id, name, records, last: last.clone() }, saved.as_ref());
        if let Some(replies) = replies {
            replies.send(last).ok();
        }
        // In this order: who comes now finds that it is over.
        orders.close();
        take.lock_watchers().drain(..).for_each(|watcher| watcher.end());
    }
}
