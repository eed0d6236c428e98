//! The take: who records it, and who would like to.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

use holotape::stream::protocol::{ACK_INTERVAL, MAX_TAKE_BYTES, PROBE_TIMEOUT, RECONNECT_TIMEOUT};
use holotape::stream::{
    ConnectionId, ErrorCode, Hello, ProtocolError, ReceiveOutcome, Record, SavedTake, ServerMessage, TakeReceiver,
    WireMessage as Spoken,
};
use holotape::{Error, ErrorKind};
use tungstenite::Message;

use super::{ConnectionCommand, ConnectionHandle, SaveNotifier, ServerEvent, unknown_take_error};
use crate::commands::record::status::{REFRESH, StatusLine};
use crate::commands::record::stdin::{RecordedTake, no_frames_error, report_losses};
use crate::failure::Failure;
use crate::output;
use crate::rewrite::Diagnostics;

pub(super) struct TakeServer {
    intake: TakeReceiver,
    most_bytes: usize,
    active: Option<(ConnectionId, ConnectionHandle)>,
    /// One who wants the take of another, which has until then to give a sign of life.
    takeover: Option<(Instant, Hello, ConnectionHandle)>,
    /// Since when nobody records it.
    lost: Option<Instant>,
    replied: Instant,
    status: StatusLine,
}

/// How a take ends.
enum TakeEnd {
    Save,
    Discard,
}

impl TakeServer {
    pub(super) fn new(intake: TakeReceiver, hello: &Hello, link: ConnectionHandle) -> Self {
        let now = Instant::now();
        let (speaker, challenger, status) = (None, None, StatusLine::new());
        let most_bytes = MAX_TAKE_BYTES;
        let mut take =
            Self { intake, most_bytes, active: speaker, takeover: challenger, lost: None, replied: now, status };
        take.attach_connection(hello, link);
        take
    }

    /// Records until the end.
    pub(super) fn record(
        mut self,
        events: Receiver<ServerEvent>,
        url: &str,
        diagnostics: &mut Diagnostics,
    ) -> Result<RecordedTake, Failure> {
        let end = loop {
            let end = match events.recv_timeout(REFRESH) {
                Ok(event) => self.handle_event(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(TakeEnd::Save),
            };
            if let Some(end) = end.or_else(|| self.check_timeouts()) {
                break end;
            }
            self.status.show(self.intake.recorder());
        };
        // Whoever waits for room here could not say how it ended.
        drop(events);
        self.status.finish();
        self.finish(end, url, diagnostics)
    }

    fn handle_event(&mut self, event: ServerEvent) -> Option<TakeEnd> {
        match event {
            ServerEvent::Hello { hello, link } => self.hello(hello, link),
            ServerEvent::MessageReceived { number, message } if self.is_speaker(number) => {
                return self.receive(&message);
            }
            ServerEvent::Alive(number) if self.is_speaker(number) => {
                if let Some((_, _, link)) = self.takeover.take() {
                    link.say(ProtocolError::new(
                        ErrorCode::Busy,
                        "this take is being recorded over another connection",
                    ));
                }
            }
            ServerEvent::Disconnected(number) if self.is_speaker(number) => {
                self.disconnect();
                if let Some((_, hello, link)) = self.takeover.take() {
                    self.attach_connection(&hello, link);
                }
            }
            ServerEvent::Disconnected(number) => drop(self.takeover.take_if(|(_, _, link)| link.number == number)),
            ServerEvent::MessageReceived { .. } | ServerEvent::Alive(_) => {}
            ServerEvent::Stop => return Some(TakeEnd::Save),
        }
        None
    }

    fn is_speaker(&self, number: u64) -> bool {
        self.active.as_ref().is_some_and(|(_, link)| link.number == number)
    }

    fn hello(&mut self, hello: Hello, link: ConnectionHandle) {
        if hello.take_id != *self.intake.take_id() {
            return match hello.acked_records {
                0 => link
                    .say(ProtocolError::new(ErrorCode::Busy, "another take is being recorded, and it is the only one")),
                _ => link.say(unknown_take_error()),
            };
        }
        match (&self.active, &self.takeover) {
            (None, _) => self.attach_connection(&hello, link),
            (Some(_), Some(_)) => link.say(ProtocolError::new(ErrorCode::Busy, "others want this take already")),
            (Some((_, speaker)), None) => {
                speaker.note(ConnectionCommand::Probe);
                self.takeover = Some((Instant::now() + PROBE_TIMEOUT, hello, link));
            }
        }
    }

    fn attach_connection(&mut self, hello: &Hello, link: ConnectionHandle) {
        match self.intake.attach(hello) {
            Ok((voice, ready)) => {
                link.say(ready);
                self.active = Some((voice, link));
                self.lost = None;
            }
            Err(refused) => link.say(refused),
        }
    }

    fn disconnect(&mut self) {
        if let Some((voice, _)) = self.active.take() {
            self.intake.disconnect(voice);
            self.lost = Some(Instant::now());
        }
    }

    fn receive(&mut self, message: &Message) -> Option<TakeEnd> {
        let (voice, link) = self.active.as_ref()?;
        let spoken = match message {
            Message::Text(text) => Spoken::Text(text),
            Message::Binary(bytes) => Spoken::Binary(bytes),
            _ => return None,
        };
        match self.intake.receive(*voice, spoken) {
            Ok(ReceiveOutcome::Record(Record::Frame(frame))) => self.status.observe(&frame),
            Ok(ReceiveOutcome::Record(_) | ReceiveOutcome::Ignored) => {}
            Ok(ReceiveOutcome::Stop) => return Some(TakeEnd::Save),
            Ok(ReceiveOutcome::Discard) => return Some(TakeEnd::Discard),
            Err(refused) => {
                self.status.print_above(|| output::print_labelled("warning", &format_args!("refused: {refused}")));
                link.say(refused);
                self.disconnect();
            }
        }
        None
    }

    fn check_timeouts(&mut self) -> Option<TakeEnd> {
        let now = Instant::now();
        if let Some((_, hello, link)) = self.takeover.take_if(|(until, ..)| now > *until) {
            self.attach_connection(&hello, link);
        }
        if now - self.replied > ACK_INTERVAL {
            self.replied = now;
            self.reply();
            if self.intake.recorder().byte_len() > self.most_bytes {
                self.status.print_above(|| {
                    output::print_labelled("warning", &"the take has become too large, and is saved as it is")
                });
                return Some(TakeEnd::Save);
            }
        }
        self.lost.is_some_and(|since| now - since > RECONNECT_TIMEOUT).then_some(TakeEnd::Save)
    }

    fn reply(&mut self) {
        while let Some(reply) = self.intake.next_reply() {
            if let ServerMessage::Warning { message: warning } = &reply {
                self.status.print_above(|| output::print_labelled("warning", warning));
            }
            if let Some((_, link)) = &self.active {
                link.say(reply);
            }
        }
    }

    fn finish(self, end: TakeEnd, url: &str, diagnostics: &mut Diagnostics) -> Result<RecordedTake, Failure> {
        let Self { intake, active: speaker, .. } = self;
        let link = speaker.map(|(_, link)| link);
        let status = intake.recorder().status();
        let take = intake.take_id().clone();
        let name = intake.name().to_owned();
        let (last, failure) = match end {
            TakeEnd::Discard => {
                let message = "whoever recorded it discarded the take, so there is nothing to save";
                let failure = Error::new(ErrorKind::Invalid, message).with_path(url).into();
                (ServerMessage::Discarded { take_id: take }, failure)
            }
            TakeEnd::Save if status.frames == 0 && status.markers == 0 => (
                ProtocolError::new(ErrorCode::SaveFailed, "no frame came, so there is nothing to save").into(),
                no_frames_error(url),
            ),
            TakeEnd::Save => {
                report_losses(&status, diagnostics);
                let stopped = intake.stop();
                let farewell = link.map(|link| {
                    let recording = &stopped.finished.recording;
                    let (markers, duration_secs) = (recording.markers.len() as u64, recording.duration_secs());
                    let (frames, losses) = (stopped.finished.frames, stopped.losses);
                    let saved = SavedTake {
                        take_id: take,
                        name,
                        frame_count: frames,
                        marker_count: markers,
                        duration_secs,
                        losses,
                        recording_id: None,
                    };
                    SaveNotifier { link, saved }
                });
                return Ok(RecordedTake { finished: stopped.finished, farewell });
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
        let hello = Hello { take_id: id, acked_records: 0, name: None };
        let recorder = Recorder::start(RecorderOptions::new()).expect("nothing that could fail");
        let ((notes, _heard), (_here, gone)) = (mpsc::channel(), mpsc::channel());
        let intake = TakeReceiver::new(hello.take_id.clone(), "out.bin", recorder);
        let mut take = TakeServer::new(intake, &hello, ConnectionHandle { number: 7, notes, gone });
        let is_saved = |take: &mut TakeServer, most_bytes| {
            take.most_bytes = most_bytes;
            take.replied = Instant::now() - 2 * ACK_INTERVAL;
            matches!(take.check_timeouts(), Some(TakeEnd::Save))
        };
        assert!(!is_saved(&mut take, 0), "there is nothing");
        let message = Message::Text(r#"{"time":1.0}"#.into());
        assert!(take.handle_event(ServerEvent::MessageReceived { number: 7, message }).is_none());
        assert!(!is_saved(&mut take, MAX_TAKE_BYTES));
        assert!(is_saved(&mut take, 0));
    }
}
