//! The thread of a take: orders in, replies out.

use std::ops::ControlFlow;

use holotape::stream::terms::MOST_TAKE_BYTES;
use holotape::stream::{Code, Heard, Hello, Intake, Record, Refused, Said, ServerMessage, TakeId, Voice};
use tokio::sync::mpsc::Receiver;

use super::registry::{EndedTake, Live};
use super::save::{SavedTake, Target};
use super::take::{LiveTake, Order, Replies, Spoken};
use super::watch::Watcher;

/// Records a take until it ends.
pub(super) fn run(live: Live, take: LiveTake, hello: Hello, mut orders: Receiver<Order>) {
    let guard = Guard { live: live.clone(), id: hello.take.clone(), take: take.clone() };
    let (target, intake) = match Target::begin(live.folder(), &hello) {
        Ok(begun) => begun,
        Err(error) => {
            // First of all, so that whoever tries again begins anew.
            drop(guard);
            return refuse(&mut orders, &Refused::new(Code::Failed, error.to_string()));
        }
    };
    take.lock_status().name = intake.name().to_owned();
    let mut worker = Worker { live, take, target, intake, replies: None };
    let end = loop {
        // Orders end when nobody has the take any more, which is not before it has ended.
        let Some(order) = orders.blocking_recv() else { break End::Left };
        if let ControlFlow::Break(end) = worker.obey(order) {
            break end;
        }
    };
    worker.finish(end, orders);
}

/// Whatever becomes of the thread, nobody looks for its take any more.
struct Guard {
    live: Live,
    id: TakeId,
    take: LiveTake,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.live.forget(&self.id, &self.take);
    }
}

/// Tells those who wait that there is no take.
fn refuse(orders: &mut Receiver<Order>, refused: &Refused) {
    orders.close();
    while let Some(order) = orders.blocking_recv() {
        if let Order::Hello { answer, .. } = order {
            answer.send(Err(refused.clone())).ok();
        }
    }
}

/// Why a take ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The client wants it saved.
    Stop,
    /// The client does not want it.
    Discard,
    /// The client does not come back, the server ends, or the take is too large.
    Left,
}

struct Worker {
    live: Live,
    take: LiveTake,
    target: Target,
    intake: Intake,
    replies: Option<Replies>,
}

impl Worker {
    fn obey(&mut self, order: Order) -> ControlFlow<End> {
        match order {
            Order::Hello { hello, replies, answer } => {
                let answered = self.intake.hello(&hello);
                if answered.is_ok() {
                    self.replies = Some(replies);
                    self.note_connected();
                }
                // Whoever has gone need not know.
                answer.send(answered).ok();
            }
            Order::Said { voice, spoken } => return self.hear(voice, &spoken),
            Order::Reply => {
                while let Some(reply) = self.intake.next_reply() {
                    self.reply(reply);
                }
                if self.intake.recorder().byte_len() > MOST_TAKE_BYTES {
                    return ControlFlow::Break(End::Left);
                }
            }
            Order::Lost(voice) => {
                self.intake.lose(voice);
                self.note_connected();
            }
            Order::Expire(voice) if self.intake.is_left_by(voice) => return ControlFlow::Break(End::Left),
            Order::Expire(_) => {}
            Order::End => return ControlFlow::Break(End::Left),
        }
        ControlFlow::Continue(())
    }

    fn hear(&mut self, voice: Voice, spoken: &Spoken) -> ControlFlow<End> {
        let said = match spoken {
            Spoken::Text(text) => Said::Text(text),
            Spoken::Binary(bytes) => Said::Binary(bytes),
        };
        match self.intake.hear(voice, said) {
            Ok(Heard::Record(record)) => self.note_record(&record, spoken),
            Ok(Heard::Stop) => return ControlFlow::Break(End::Stop),
            Ok(Heard::Discard) => return ControlFlow::Break(End::Discard),
            Ok(Heard::Nothing) => {}
            Err(refused) => {
                self.reply(refused.into());
                self.replies = None;
                self.note_connected();
            }
        }
        ControlFlow::Continue(())
    }

    fn note_record(&self, record: &Record, spoken: &Spoken) {
        let recorded = self.intake.recorder().status();
        {
            let mut status = self.take.lock_status();
            status.frames = recorded.frames;
            status.duration_secs = recorded.duration_secs;
        }
        let mut watchers = self.take.lock_watchers();
        if !watchers.is_empty() {
            watchers.retain(Watcher::is_there);
            Watcher::show(&watchers, record, spoken);
        }
    }

    fn note_connected(&self) {
        self.take.lock_status().is_connected = self.intake.is_connected();
        self.live.tell_change();
    }

    fn reply(&self, reply: ServerMessage) {
        if let Some(replies) = &self.replies {
            // A connection that has gone hears nothing.
            replies.send(reply).ok();
        }
    }

    fn finish(self, end: End, mut orders: Receiver<Order>) {
        let Self { live, take, target, intake, replies } = self;
        let (id, name, records) = (intake.take().clone(), intake.name().to_owned(), intake.records());
        let status = intake.recorder().status();
        let is_empty = status.frames == 0 && status.markers == 0;
        let (last, saved): (_, Option<SavedTake>) = if end == End::Discard || is_empty {
            let last = match intake.discard() {
                Err(error) => Refused::new(Code::Failed, error.to_string()).into(),
                Ok(()) if end == End::Stop => {
                    Refused::new(Code::Failed, "no frame came, so there is nothing to save").into()
                }
                Ok(()) => ServerMessage::Discarded { take: id.clone() },
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
