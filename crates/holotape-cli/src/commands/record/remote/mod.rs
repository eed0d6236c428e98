//! Frames from one who connects, by the protocol of `docs/stream.md`: one take, over as many connections as it needs.

mod connection;
mod door;
mod take;

use std::sync::mpsc::{Receiver, Sender};

use holotape::record::{Recorder, RecorderOptions};
use holotape::stream::{Code, Hello, Intake, Refused, Saved, ServerMessage};
use tungstenite::Message;

use self::take::Take;
use super::session::{Recorded, nothing_came};
use crate::failure::Failure;
use crate::output;
use crate::rewrite::Said;
use crate::socket::PATIENCE;

/// What happens at the door.
enum Event {
    Hello {
        hello: Hello,
        link: Link,
    },
    Said {
        number: u64,
        message: Message,
    },
    /// A sign of life, of one that was asked for it.
    Alive(u64),
    Lost(u64),
    /// Ctrl-C.
    Stop,
}

/// The end of a connection that the take has.
struct Link {
    number: u64,
    notes: Sender<Note>,
    /// Hangs up when the connection has ended.
    gone: Receiver<()>,
}

/// What a connection is told to do.
enum Note {
    Say(ServerMessage),
    Probe,
}

impl Link {
    fn note(&self, note: Note) {
        // One that is lost says so itself.
        self.notes.send(note).ok();
    }

    fn say(&self, message: impl Into<ServerMessage>) {
        self.note(Note::Say(message.into()));
    }

    /// Says the last of all, and waits until it is heard, but not for ever.
    fn finish(self, message: impl Into<ServerMessage>) {
        self.say(message);
        // Nobody sends here: it hangs up, or it takes too long.
        self.gone.recv_timeout(PATIENCE).ok();
    }
}

/// Takes frames until whoever sends them, or whoever started this, has enough.
pub fn record(
    port: u16,
    allowed_origins: &[String],
    options: RecorderOptions,
    name: &str,
    said: &mut Said,
) -> Result<Recorded, Failure> {
    let recorder = Recorder::start(options)?;
    let door = door::open(port, allowed_origins);
    let (url, events) = match door {
        Ok(open) => open,
        Err(failure) => {
            // Nothing is in it, and it would be in the way.
            recorder.discard()?;
            return Err(failure);
        }
    };
    output::report("serving", &url);
    let Some((hello, link)) = first_hello(&events) else {
        recorder.discard()?;
        return Err(nothing_came(&url));
    };
    let intake = Intake::new(hello.take.clone(), name, recorder);
    Take::new(intake, &hello, link).record(events, &url, said)
}

/// Waits for one who begins a take; for ever, unless told to stop.
fn first_hello(events: &Receiver<Event>) -> Option<(Hello, Link)> {
    loop {
        match events.recv().ok()? {
            Event::Hello { hello, link } if hello.records == 0 => return Some((hello, link)),
            Event::Hello { link, .. } => link.say(unknown_take()),
            Event::Stop => return None,
            Event::Said { .. } | Event::Alive(_) | Event::Lost(_) => {}
        }
    }
}

fn unknown_take() -> Refused {
    let words = "there is no such take: holotape was started anew. What it had is in a journal beside where the take would have \
                 been saved, and `holotape repair` gets it back";
    Refused::new(Code::UnknownTake, words)
}

/// What is left to say to whoever recorded, when the recording is saved.
pub struct Farewell {
    link: Link,
    saved: Saved,
}

impl Farewell {
    /// Tells how it went.
    pub fn say(self, is_saved: bool) {
        let Self { link, saved } = self;
        if is_saved {
            link.finish(ServerMessage::Saved(saved));
        } else {
            let words = "the take could not be saved: where holotape runs, it is said why";
            link.finish(Refused::new(Code::Failed, words));
        }
    }
}
