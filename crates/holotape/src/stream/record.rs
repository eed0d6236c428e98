//! Records as bytes: one message of a connection each.

use crate::Frame;
use crate::error::{Error, ErrorKind, Result};
use crate::record::decode::Payload;
use crate::record::encode::{FrameFilter, MAX_NAME_BYTES, is_time, pack_event_payload, pack_marker_payload};

/// What is sent of a recording, one at a time.
///
/// ```
/// use holotape::stream::{Record, encode_marker};
///
/// let bytes = encode_marker(2.5, "grabbed the cup");
/// assert_eq!(bytes.len(), 9 + 15);
/// assert_eq!(Record::decode(&bytes)?, Record::Marker { time_secs: 2.5, name: "grabbed the cup".to_owned() });
/// assert!(Record::decode(b"anything else").is_err());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// One instant of everything.
    Frame(Box<Frame>),
    /// A marker.
    Marker {
        /// On the clock of the frames.
        time_secs: f64,
        /// What it is called.
        name: String,
    },
    /// What else a player tells, for those who listen. A recorder passes it over.
    Event {
        /// On the clock of the frames.
        time_secs: f64,
        /// All of it, as one JSON object.
        json: String,
    },
}

impl Record {
    /// Reads a record. Its numbers may be none, NaN for example: a recorder leaves such a pose out, and counts it.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the bytes are no record, with what is wrong; [`ErrorKind::LimitExceeded`] if a name is longer
    /// than any marker's.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let payload = Payload::parse(bytes)
            .map_err(|message| Error::new(ErrorKind::Invalid, format!("not a record: {message}")))?;
        Ok(match payload {
            Payload::Frame(frame) => Self::Frame(Box::new(frame.unpack())),
            Payload::Marker { time_secs, name } => Self::marker(time_secs, name.to_owned())?,
            Payload::Event { time_secs, json } => Self::Event { time_secs, json: json.to_owned() },
        })
    }

    /// The bytes that [`decode`](Self::decode) reads.
    ///
    /// ```
    /// use holotape::stream::Record;
    ///
    /// let event = Record::Event { time_secs: 0.0, json: "{\"time\":0,\"event\":\"started\"}".to_owned() };
    /// assert_eq!(Record::decode(&event.encode())?, event);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Frame(frame) => encode_frame(frame),
            Self::Marker { time_secs, name } => encode_marker(*time_secs, name),
            Self::Event { time_secs, json } => encode_event(*time_secs, json),
        }
    }

    /// A marker that a recorder would take.
    pub(super) fn marker(time_secs: f64, name: String) -> Result<Self> {
        if name.len() > MAX_NAME_BYTES {
            let message = format!("a marker's name has {} bytes; at most {MAX_NAME_BYTES} are possible", name.len());
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        check_time(time_secs)?;
        Ok(Self::Marker { time_secs, name })
    }
}

/// Fails where nothing can be at that time.
pub(super) fn check_time(time_secs: f64) -> Result<()> {
    if is_time(time_secs) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Invalid, format!("nothing can be at {time_secs:?} seconds")))
}

/// A frame as a record. A pose or ray with numbers that are none is left out, and so is a hand of which there is nothing.
///
/// ```
/// let frame = holotape::Frame::default();
/// assert_eq!(holotape::stream::encode_frame(&frame).len(), 17);
/// ```
#[must_use]
pub fn encode_frame(frame: &Frame) -> Vec<u8> {
    let mut record = Vec::new();
    FrameFilter::ALL.pack_payload(frame, &mut record);
    record
}

/// A marker as a record.
///
/// ```
/// assert_eq!(holotape::stream::encode_marker(0.0, "a"), [2, 0, 0, 0, 0, 0, 0, 0, 0, b'a']);
/// ```
#[must_use]
pub fn encode_marker(time_secs: f64, name: &str) -> Vec<u8> {
    let mut record = Vec::new();
    pack_marker_payload(time_secs, name, &mut record);
    record
}

/// An event as a record: its JSON, behind a time that can be read without looking into that.
///
/// ```
/// assert_eq!(holotape::stream::encode_event(0.0, "{}"), [3, 0, 0, 0, 0, 0, 0, 0, 0, b'{', b'}']);
/// ```
#[must_use]
pub fn encode_event(time_secs: f64, json: &str) -> Vec<u8> {
    let mut record = Vec::new();
    pack_event_payload(time_secs, json, &mut record);
    record
}
