//! The take: who records it, and who would like to.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

use holotape::stream::terms::{GRACE, MOST_TAKE_BYTES, PROBE, REPLY};
use holotape::stream::{Code, Heard, Hello, Intake, Record, Refused, Said as Spoken, Saved, ServerMessage, Voice};
use holotape::{Error, ErrorKind};
use tungstenite::Message;

use super::{Event, Farewell, Link, Note, unknown_take};
use crate::commands::record::session::{Recorded, nothing_came, tell_losses};
use crate::commands::record::status::{REFRESH, StatusLine};
use crate::failure::Failure;
use crate::output;
use crate::rewrite::Said;

pub(super) struct Take {
    intake: Intake,
    most_bytes: usize,
    speaker: Option<(Voice, Link)>,
    /// One who wants the take of another, which has until then to give a sign of life.
    challenger: Option<(Instant, Hello, Link)>,
    /// Since when nobody records it.
    lost: Option<Instant>,
    replied: Instant,
    status: StatusLine,
}

/// How a take ends.
enum End {
    Save,
    Discard,
}

impl Take {
    pub(super) fn new(intake: Intake, hello: &Hello, link: Link) -> Self {
        let now = Instant::now();
        let (speaker, challenger, status) = (None, None, StatusLine::new());
        let most_bytes = MOST_TAKE_BYTES;
        let mut take = Self { intake, most_bytes, speaker, challenger, lost: None, replied: now, status };
        take.greet(hello, link);
        take
    }

    /// Records until the end.
    pub(super) fn record(mut self, events: Receiver<Event>, url: &str, said: &mut Said) -> Result<Recorded, Failure> {
        let end = loop {
            let end = match events.recv_timeout(REFRESH) {
                Ok(event) => self.heed(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(End::Save),
            };
            if let Some(end) = end.or_else(|| self.look_after()) {
                break end;
            }
            self.status.show(self.intake.recorder());
        };
        // Whoever waits for room here could not say how it ended.
        drop(events);
        self.status.finish();
        self.finish(end, url, said)
    }

    fn heed(&mut self, event: Event) -> Option<End> {
        match event {
            Event::Hello { hello, link } => self.hello(hello, link),
            Event::Said { number, message } if self.is_speaker(number) => return self.hear(&message),
            Event::Alive(number) if self.is_speaker(number) => {
                if let Some((_, _, link)) = self.challenger.take() {
                    link.say(Refused::new(Code::Busy, "this take is being recorded over another connection"));
                }
            }
            Event::Lost(number) if self.is_speaker(number) => {
                self.lose();
                if let Some((_, hello, link)) = self.challenger.take() {
                    self.greet(&hello, link);
                }
            }
            Event::Lost(number) => drop(self.challenger.take_if(|(_, _, link)| link.number == number)),
            Event::Said { .. } | Event::Alive(_) => {}
            Event::Stop => return Some(End::Save),
        }
        None
    }

    fn is_speaker(&self, number: u64) -> bool {
        self.speaker.as_ref().is_some_and(|(_, link)| link.number == number)
    }

    fn hello(&mut self, hello: Hello, link: Link) {
        if hello.take != *self.intake.take() {
            return match hello.records {
                0 => link.say(Refused::new(Code::Busy, "another take is being recorded, and it is the only one")),
                _ => link.say(unknown_take()),
            };
        }
        match (&self.speaker, &self.challenger) {
            (None, _) => self.greet(&hello, link),
            (Some(_), Some(_)) => link.say(Refused::new(Code::Busy, "others want this take already")),
            (Some((_, speaker)), None) => {
                speaker.note(Note::Probe);
                self.challenger = Some((Instant::now() + PROBE, hello, link));
            }
        }
    }

    fn greet(&mut self, hello: &Hello, link: Link) {
        match self.intake.hello(hello) {
            Ok((voice, ready)) => {
                link.say(ready);
                self.speaker = Some((voice, link));
                self.lost = None;
            }
            Err(refused) => link.say(refused),
        }
    }

    fn lose(&mut self) {
        if let Some((voice, _)) = self.speaker.take() {
            self.intake.lose(voice);
            self.lost = Some(Instant::now());
        }
    }

    fn hear(&mut self, message: &Message) -> Option<End> {
        let (voice, link) = self.speaker.as_ref()?;
        let spoken = match message {
            Message::Text(text) => Spoken::Text(text),
            Message::Binary(bytes) => Spoken::Binary(bytes),
            _ => return None,
        };
        match self.intake.hear(*voice, spoken) {
            Ok(Heard::Record(Record::Frame(frame))) => self.status.see(&frame),
            Ok(Heard::Record(_) | Heard::Nothing) => {}
            Ok(Heard::Stop) => return Some(End::Save),
            Ok(Heard::Discard) => return Some(End::Discard),
            Err(refused) => {
                self.status.aside(|| output::report("warning", &format_args!("refused: {refused}")));
                link.say(refused);
                self.lose();
            }
        }
        None
    }

    fn look_after(&mut self) -> Option<End> {
        let now = Instant::now();
        if let Some((_, hello, link)) = self.challenger.take_if(|(until, ..)| now > *until) {
            self.greet(&hello, link);
        }
        if now - self.replied > REPLY {
            self.replied = now;
            self.reply();
            if self.intake.recorder().byte_len() > self.most_bytes {
                self.status
                    .aside(|| output::report("warning", &"the take has become too large, and is saved as it is"));
                return Some(End::Save);
            }
        }
        self.lost.is_some_and(|since| now - since > GRACE).then_some(End::Save)
    }

    fn reply(&mut self) {
        while let Some(reply) = self.intake.next_reply() {
            if let ServerMessage::Warning { warning } = &reply {
                self.status.aside(|| output::report("warning", warning));
            }
            if let Some((_, link)) = &self.speaker {
                link.say(reply);
            }
        }
    }

    fn finish(self, end: End, url: &str, said: &mut Said) -> Result<Recorded, Failure> {
        let Self { intake, speaker, .. } = self;
        let link = speaker.map(|(_, link)| link);
        let status = intake.recorder().status();
        let take = intake.take().clone();
        let name = intake.name().to_owned();
        let (last, failure) = match end {
            End::Discard => {
                let words = "whoever recorded it discarded the take, so there is nothing to save";
                let failure = Error::new(ErrorKind::Invalid, words).with_path(url).into();
                (ServerMessage::Discarded { take }, failure)
            }
            End::Save if status.frames == 0 && status.markers == 0 => {
                (Refused::new(Code::Failed, "no frame came, so there is nothing to save").into(), nothing_came(url))
            }
            End::Save => {
                tell_losses(&status, said);
                let stopped = intake.stop();
                let farewell = link.map(|link| {
                    let recording = &stopped.finished.recording;
                    let (markers, duration_secs) = (recording.markers.len() as u64, recording.duration_secs());
                    let (frames, losses) = (stopped.finished.frames, stopped.losses);
                    let saved = Saved { take, name, frames, markers, duration_secs, losses, id: None };
                    Farewell { link, saved }
                });
                return Ok(Recorded { finished: stopped.finished, farewell });
            }
        };
        intake.discard()?;
        if let Some(link) = link {
            link.finish(last);
        }
        Err(failure)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use holotape::record::{Recorder, RecorderOptions};

    use super::*;

    #[test]
    fn a_take_that_has_become_too_large_is_saved() {
        let id = "0123456789abcdef".to_owned().try_into().expect("an id");
        let hello = Hello { take: id, records: 0, name: None };
        let recorder = Recorder::start(RecorderOptions::new()).expect("nothing that could fail");
        let ((notes, _heard), (_here, gone)) = (mpsc::channel(), mpsc::channel());
        let intake = Intake::new(hello.take.clone(), "out.bin", recorder);
        let mut take = Take::new(intake, &hello, Link { number: 7, notes, gone });
        let is_saved = |take: &mut Take, most_bytes| {
            take.most_bytes = most_bytes;
            take.replied = Instant::now() - 2 * REPLY;
            matches!(take.look_after(), Some(End::Save))
        };
        assert!(!is_saved(&mut take, 0), "there is nothing");
        let message = Message::Text(r#"{"time":1.0}"#.into());
        assert!(take.heed(Event::Said { number: 7, message }).is_none());
        assert!(!is_saved(&mut take, MOST_TAKE_BYTES));
        assert!(is_saved(&mut take, 0));
    }
}
