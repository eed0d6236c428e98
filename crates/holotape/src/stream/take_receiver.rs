//! [`TakeReceiver`]: passes the records of a take to the recorder and tracks which of them are in the journal.

use super::message::{ClientMessage, ErrorCode, ProtocolError, WireMessage};
use super::record::Record;
use crate::error::{Error, ErrorKind, Result};
use crate::record::{Recorder, RecorderStatus};

/// The records of a take. Each one is stored once, in the order in which the client numbers them.
pub(super) struct TakeReceiver {
    pub(super) recorder: Recorder,
    pub(super) record_count: u64,
    /// The count before the last record that was queued for the journal, which may not be written yet.
    count_before_last: u64,
    acked_records: u64,
    /// An error of the journal that was not reported yet.
    pub(super) warning: Option<String>,
}

/// A valid message of the client.
pub(super) enum ReceiveOutcome {
    Record(Record),
    Stop,
    Discard,
}

impl TakeReceiver {
    pub(super) fn new(recorder: Recorder) -> Self {
        Self { recorder, record_count: 0, count_before_last: 0, acked_records: 0, warning: None }
    }

    /// Continues with a client that has dropped its first `acked_records` records.
    pub(super) fn resume(&mut self, acked_records: u64) -> Result<(), ProtocolError> {
        if acked_records > self.record_count {
            let message =
                format!("missing records: the client dropped {acked_records}, the server has {}", self.record_count);
            return Err(ProtocolError::new(ErrorCode::MissingRecords, message));
        }
        self.acked_records = acked_records;
        Ok(())
    }

    pub(super) fn receive(&mut self, message: &WireMessage) -> Result<ReceiveOutcome, ProtocolError> {
        let invalid = |error: Error| ProtocolError::new(ErrorCode::InvalidMessage, error.to_string());
        let record = match message {
            WireMessage::Binary(bytes) => Record::decode(bytes).map_err(invalid)?,
            WireMessage::Text(text) => match Record::from_json(text.as_bytes()) {
                Ok(record) => record,
                Err(_) if has_type_field(text) => return parse_control(text),
                Err(error) => return Err(invalid(error)),
            },
        };
        match self.store(&record) {
            Ok(()) => {}
            // The journal failed; recording continues without it.
            Err(error) if error.kind() == ErrorKind::Io => self.warning = Some(error.to_string()),
            Err(error) => {
                self.record_count -= 1;
                return Err(invalid(error));
            }
        }
        Ok(ReceiveOutcome::Record(record))
    }

    fn store(&mut self, record: &Record) -> Result<()> {
        let count_before = self.record_count;
        let recorded_before = self.recorded_count();
        self.record_count += 1;
        let result = match record {
            Record::Frame(frame) => self.recorder.push(frame).map(drop),
            Record::Marker { time_secs, name } => self.recorder.add_marker(*time_secs, name),
            Record::Event { .. } => Ok(()),
        };
        if self.recorded_count() > recorded_before {
            self.count_before_last = count_before;
        }
        result
    }

    /// The number of records that went into the recording.
    fn recorded_count(&self) -> u64 {
        let RecorderStatus { frame_count, marker_count, .. } = self.recorder.status();
        frame_count + marker_count
    }

    /// The number of records in the journal, if it is new to the client.
    pub(super) fn next_ack(&mut self) -> Option<u64> {
        let durable_count = match self.recorder.pending_records() {
            0 => self.record_count,
            1 => self.count_before_last,
            // The journal failed and does not grow any more.
            _ => return None,
        };
        if durable_count <= self.acked_records {
            return None;
        }
        self.acked_records = durable_count;
        Some(durable_count)
    }
}

fn parse_control(text: &str) -> Result<ReceiveOutcome, ProtocolError> {
    match ClientMessage::from_json(text)? {
        ClientMessage::Stop => Ok(ReceiveOutcome::Stop),
        ClientMessage::Discard => Ok(ReceiveOutcome::Discard),
        ClientMessage::Hello(_) => {
            Err(ProtocolError::new(ErrorCode::InvalidMessage, "`hello` was already received on this connection"))
        }
    }
}

/// Whether a text is meant as a [`ClientMessage`], so that its errors are reported as of one.
fn has_type_field(text: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct TypeField {
        #[serde(rename = "type")]
        _type: serde::de::IgnoredAny,
    }
    serde_json::from_str::<TypeField>(text).is_ok()
}
