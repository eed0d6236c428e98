//! Records as bytes, one per message.

use crate::Frame;
use crate::error::{Error, ErrorKind, Result};
use crate::record::decode::Payload;
use crate::record::encode::{EVENT, FrameFilter, MARKER, check_name, is_time, pack_text_payload};

/// A frame, marker or event: the unit of a stream.
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
    /// A frame.
    Frame(Box<Frame>),
    /// A marker.
    Marker {
        /// The time, on the same clock as the frames.
        time_secs: f64,
        /// The name.
        name: String,
    },
    /// An event of a player, for listeners. Recorders ignore it.
    Event {
        /// The time, on the same clock as the frames.
        time_secs: f64,
        /// The complete event as one JSON object, including the time.
        json: String,
    },
}

impl Record {
    /// Decodes a record. Poses and rays may have non-finite values: the recorder drops and counts these.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the bytes are not a record; [`ErrorKind::LimitExceeded`] if the name of a marker is too
    /// long.
    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let payload = Payload::parse(bytes)
            .map_err(|message| Error::new(ErrorKind::Invalid, format!("not a record: {message}")))?;
        Ok(match payload {
            Payload::Frame(frame) => Self::Frame(Box::new(frame.unpack())),
            Payload::Marker { time_secs, name } => Self::marker(time_secs, name.to_owned())?,
            Payload::Event { time_secs, json } => Self::Event { time_secs, json: json.to_owned() },
        })
    }

    /// Encodes the record; the inverse of [`decode`](Self::decode).
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

    /// A marker with a valid time and name.
    pub(super) fn marker(time_secs: f64, name: String) -> Result<Self> {
        check_name(&name)?;
        check_time(time_secs)?;
        Ok(Self::Marker { time_secs, name })
    }
}

pub(super) fn check_time(time_secs: f64) -> Result<()> {
    if is_time(time_secs) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Invalid, format!("invalid time: {time_secs:?} s")))
}

/// Encodes a frame as a record. Poses and rays with non-finite values are omitted, as are hands without any data.
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

/// Encodes a marker as a record.
///
/// ```
/// assert_eq!(holotape::stream::encode_marker(0.0, "a"), [2, 0, 0, 0, 0, 0, 0, 0, 0, b'a']);
/// ```
#[must_use]
pub fn encode_marker(time_secs: f64, name: &str) -> Vec<u8> {
    let mut record = Vec::new();
    pack_text_payload(MARKER, time_secs, name, &mut record);
    record
}

/// Encodes an event as a record: the time, then its JSON.
///
/// ```
/// assert_eq!(holotape::stream::encode_event(0.0, "{}"), [3, 0, 0, 0, 0, 0, 0, 0, 0, b'{', b'}']);
/// ```
#[must_use]
pub fn encode_event(time_secs: f64, json: &str) -> Vec<u8> {
    let mut record = Vec::new();
    pack_text_payload(EVENT, time_secs, json, &mut record);
    record
}
