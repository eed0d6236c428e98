//! [`TakeReceiver`]: a take that is being recorded over connections that come and go.

use super::message::{ClientMessage, ErrorCode, Hello, ProtocolError, ServerMessage, TakeId};
use super::record::Record;
use crate::error::{Error, ErrorKind, Result};
use crate::record::{FinishedRecording, Recorder, RecorderStatus};

/// A take that is being recorded over connections that come and go. Every record is taken once, in the order in which the
/// client numbers them, whatever is lost on the way.
///
/// Whoever has the connections drives it: [`hello`](Self::attach) when one begins, [`hear`](Self::receive) for what comes, and
/// [`next_reply`](Self::next_reply) now and then, at least once a second.
///
/// ```
/// use holotape::record::{Recorder, RecorderOptions};
/// use holotape::stream::{Hello, ReceiveOutcome, ServerMessage, TakeReceiver, WireMessage, encode_marker};
///
/// let hello = Hello { take_id: "9f3b6c0d5e1a4827".to_owned().try_into()?, acked_records: 0, name: None };
/// let recorder = Recorder::start(RecorderOptions::new().with_max_rate_hz(None))?;
/// let mut receiver = TakeReceiver::new(hello.take_id.clone(), "grasping.bin", recorder);
/// let (first, ready) = receiver.attach(&hello)?;
/// assert!(matches!(ready, ServerMessage::Ready { record_count: 0, .. }));
/// receiver.receive(first, WireMessage::Text(r#"{"time":7.5}"#))?;
/// receiver.receive(first, WireMessage::Binary(&encode_marker(7.5, "here")))?;
/// assert_eq!(receiver.next_reply(), Some(ServerMessage::Ack { record_count: 2 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TakeReceiver {
    take: TakeId,
    name: String,
    recorder: Recorder,
    records: u64,
    /// How many there were before the last that went to the journal, where it may not have arrived.
    records_before_last: u64,
    /// How many the client knows to be in the journal.
    acknowledged: u64,
    warning: Option<String>,
    connection_count: u64,
    /// Whoever is listened to.
    voice: Option<ConnectionId>,
}

/// Whose words they are: of each connection another. What an old one still says is not listened to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectionId(u64);

/// A message as it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireMessage<'a> {
    /// JSON: a record, or a wish.
    Text(&'a str),
    /// The bytes of a record.
    Binary(&'a [u8]),
}

/// What was heard.
#[derive(Clone, Debug, PartialEq)]
pub enum ReceiveOutcome {
    /// A record, which is taken now.
    Record(Record),
    /// The take is to be [stopped](TakeReceiver::stop), and saved.
    Stop,
    /// The take is to be [discarded](TakeReceiver::discard).
    Discard,
    /// Nothing: it came over a connection that another has replaced.
    Ignored,
}

/// A take that has ended.
#[derive(Debug)]
pub struct StoppedTake {
    /// The recording, to be saved.
    pub finished: FinishedRecording,
    /// How many records came.
    pub records: u64,
    /// What was lost of them, in words.
    pub losses: Vec<String>,
}

impl TakeReceiver {
    /// Begins a take that a client has said hello for; the hello is still to be [answered](Self::attach). The recorder should take
    /// frames however fast they come: whoever sends them wants them all.
    #[must_use]
    pub fn new(take: TakeId, name: impl Into<String>, recorder: Recorder) -> Self {
        Self {
            take,
            name: name.into(),
            recorder,
            records: 0,
            records_before_last: 0,
            acknowledged: 0,
            warning: None,
            connection_count: 0,
            voice: None,
        }
    }

    /// Goes on over another connection. The one before is not listened to any more.
    ///
    /// # Errors
    /// [`ErrorCode::UnknownTake`] if it is another take, [`ErrorCode::MissingRecords`] if the client has forgotten what is not here. The connection
    /// before stays.
    pub fn attach(&mut self, hello: &Hello) -> Result<(ConnectionId, ServerMessage), ProtocolError> {
        if hello.take_id != self.take {
            return Err(ProtocolError::new(ErrorCode::UnknownTake, format!("there is no take {}", hello.take_id)));
        }
        if hello.acked_records > self.records {
            let message =
                format!("{} records were acknowledged, but there are only {}", hello.acked_records, self.records);
            return Err(ProtocolError::new(ErrorCode::MissingRecords, message));
        }
        let voice = ConnectionId(self.connection_count);
        self.connection_count += 1;
        self.voice = Some(voice);
        self.acknowledged = hello.acked_records;
        Ok((
            voice,
            ServerMessage::Ready { take_id: self.take.clone(), name: self.name.clone(), record_count: self.records },
        ))
    }

    /// Takes what came over a connection.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidMessage`] if it makes no sense. What comes behind it over this connection is not listened to: the client counts
    /// records that nobody has taken.
    pub fn receive(&mut self, voice: ConnectionId, said: WireMessage<'_>) -> Result<ReceiveOutcome, ProtocolError> {
        if self.voice != Some(voice) {
            return Ok(ReceiveOutcome::Ignored);
        }
        self.process(said).inspect_err(|_| self.voice = None)
    }

    fn process(&mut self, said: WireMessage<'_>) -> Result<ReceiveOutcome, ProtocolError> {
        let invalid = |error: Error| ProtocolError::new(ErrorCode::InvalidMessage, error.to_string());
        let record = match said {
            WireMessage::Binary(bytes) => Record::decode(bytes).map_err(invalid)?,
            WireMessage::Text(text) => match Record::from_json(text.as_bytes()) {
                Ok(record) => record,
                Err(_) if has_type_field(text) => return parse_control(text),
                Err(error) => return Err(invalid(error)),
            },
        };
        match self.store(&record) {
            Ok(()) => Ok(ReceiveOutcome::Record(record)),
            // The journal, without which the recording goes on.
            Err(error) if error.kind() == ErrorKind::Io => {
                self.warning = Some(error.to_string());
                Ok(ReceiveOutcome::Record(record))
            }
            Err(error) => {
                self.records -= 1;
                Err(invalid(error))
            }
        }
    }

    fn store(&mut self, record: &Record) -> Result<()> {
        let before = self.records;
        self.records += 1;
        let recorded = self.recorded();
        let kept = match record {
            Record::Frame(frame) => self.recorder.push(frame).map(drop),
            Record::Marker { time_secs, name } => self.recorder.add_marker(*time_secs, name),
            Record::Event { .. } => Ok(()),
        };
        if self.recorded() > recorded {
            self.records_before_last = before;
        }
        kept
    }

    /// How many of the records went into the recording.
    fn recorded(&self) -> u64 {
        let RecorderStatus { frames, markers, .. } = self.recorder.status();
        frames + markers
    }

    /// What the client is to be told now, if there is anything: that records are in the journal which it does not know to be
    /// there, or that something is wrong.
    pub fn next_reply(&mut self) -> Option<ServerMessage> {
        if let Some(warning) = self.warning.take() {
            return Some(ServerMessage::Warning { message: warning });
        }
        let records = match self.recorder.pending_records() {
            0 => self.records,
            1 => self.records_before_last,
            // The journal has failed, and has no more than it had.
            _ => return None,
        };
        if records <= self.acknowledged {
            return None;
        }
        self.acknowledged = records;
        Some(ServerMessage::Ack { record_count: records })
    }

    /// Notes that a connection is lost.
    pub fn disconnect(&mut self, voice: ConnectionId) {
        self.voice.take_if(|current| *current == voice);
    }

    /// Whether a connection was lost, and no other came in its place.
    #[must_use]
    pub fn is_abandoned_by(&self, voice: ConnectionId) -> bool {
        self.voice.is_none() && voice.0 + 1 == self.connection_count
    }

    /// Whether there is a connection that is listened to.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.voice.is_some()
    }

    /// Which take it is.
    #[must_use]
    pub fn take_id(&self) -> &TakeId {
        &self.take
    }

    /// Under which name it will be saved.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What records the take.
    #[must_use]
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// How many records came.
    #[must_use]
    pub fn record_count(&self) -> u64 {
        self.records
    }

    /// Ends the take. Its journal stays until it is saved.
    #[must_use]
    pub fn stop(self) -> StoppedTake {
        let RecorderStatus { out_of_order, not_finite, .. } = self.recorder.status();
        let losses = [
            (out_of_order, "frames that are not after the one before"),
            (not_finite, "poses and rays with numbers that are none"),
        ];
        let losses = losses.into_iter().filter(|(count, _)| *count > 0);
        let losses = losses.map(|(count, what)| format!("{what}: {count}")).collect();
        StoppedTake { finished: self.recorder.stop(), records: self.records, losses }
    }

    /// Ends the take and forgets it, its journal too.
    ///
    /// # Errors
    /// If the journal cannot be removed.
    pub fn discard(self) -> Result<()> {
        self.recorder.discard()
    }
}

/// What a message wants that is no record.
fn parse_control(text: &str) -> Result<ReceiveOutcome, ProtocolError> {
    match ClientMessage::from_json(text)? {
        ClientMessage::Stop => Ok(ReceiveOutcome::Stop),
        ClientMessage::Discard => Ok(ReceiveOutcome::Discard),
        ClientMessage::Hello(_) => Err(ProtocolError::new(ErrorCode::InvalidMessage, "hello was said already")),
    }
}

/// Whether a text means to be something else than a record.
fn has_type_field(text: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Hint {
        #[serde(rename = "type")]
        _type: serde::de::IgnoredAny,
    }
    serde_json::from_str::<Hint>(text).is_ok()
}
