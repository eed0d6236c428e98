//! The JSON messages of the recording protocol, and [`WireMessage`], which carries them and records.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::protocol::{HELLO_TIMEOUT, SUBPROTOCOL_BINARY, SUBPROTOCOL_NDJSON};
use crate::error::Error;

/// One WebSocket message from a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireMessage {
    /// JSON: a record or a [`ClientMessage`].
    Text(String),
    /// The bytes of a record.
    Binary(Vec<u8>),
}

named_enum! {
    /// The form in which a listener receives records. Its name is that of the subprotocol.
    ///
    /// ```
    /// use holotape::stream::MessageEncoding;
    ///
    /// assert_eq!(MessageEncoding::from_subprotocol("holotape.binary"), Some(MessageEncoding::Binary));
    /// assert_eq!(MessageEncoding::default().subprotocol(), "holotape.ndjson");
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum MessageEncoding: subprotocol {
        /// JSON, one object per message; also for a listener that requests no subprotocol.
        #[default]
        Ndjson = SUBPROTOCOL_NDJSON,
        /// Binary records.
        Binary = SUBPROTOCOL_BINARY,
    }
}

impl MessageEncoding {
    /// The encoding that a subprotocol selects.
    #[must_use]
    pub fn from_subprotocol(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| encoding.subprotocol() == name)
    }
}

/// The id of a take, chosen by the client: 16 to 64 letters and digits. A client that reconnects sends the same id.
///
/// ```
/// use holotape::stream::TakeId;
///
/// let id: TakeId = "9f3b6c0d5e1a4827".to_owned().try_into()?;
/// assert_eq!(id.as_str(), "9f3b6c0d5e1a4827");
/// assert!(TakeId::try_from("../../etc/passwd".to_owned()).is_err());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String")]
pub struct TakeId(String);

impl TakeId {
    /// The letters and digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for TakeId {
    type Error = Error;

    fn try_from(id: String) -> Result<Self, Error> {
        if (16..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Ok(Self(id));
        }
        Err(Error::invalid_argument("invalid take id: must be 16 to 64 letters and digits"))
    }
}

impl fmt::Display for TakeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The first message of a connection: starts a take or resumes one.
///
/// ```
/// use holotape::stream::{Hello, WireMessage};
///
/// let message = r#"{"type":"hello","take_id":"9f3b6c0d5e1a4827","acked_records":0}"#;
/// let hello = Hello::from_message(&WireMessage::Text(message.to_owned()))?;
/// assert_eq!((hello.acked_records, hello.name), (0, None));
/// # Ok::<(), holotape::stream::ProtocolError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The take.
    pub take_id: TakeId,
    /// The number of its records that the client has seen acknowledged; 0 for a new take.
    pub acked_records: u64,
    /// The requested name of the recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Hello {
    /// Parses the first message of a connection.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidMessage`] if it is not a `hello`.
    pub fn from_message(message: &WireMessage) -> Result<Self, ProtocolError> {
        let expected = "the first message must be `hello` with a take id";
        let invalid = |message| ProtocolError::new(ErrorCode::InvalidMessage, message);
        match message {
            WireMessage::Binary(_) => Err(invalid(expected.to_owned())),
            WireMessage::Text(text) => match ClientMessage::from_json(text) {
                Ok(ClientMessage::Hello(hello)) => Ok(hello),
                Ok(_) => Err(invalid(expected.to_owned())),
                Err(error) => Err(invalid(format!("{expected}: {error}"))),
            },
        }
    }
}

/// A message of a client that is not a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ClientMessage {
    /// Start or resume a take.
    Hello(Hello),
    /// Save the take.
    Stop,
    /// Delete the take.
    Discard,
}

impl ClientMessage {
    /// Parses a message.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidMessage`] if it is not one of these.
    pub fn from_json(json: &str) -> Result<Self, ProtocolError> {
        serde_json::from_str(json).map_err(|error| ProtocolError::new(ErrorCode::InvalidMessage, error.to_string()))
    }
}

/// A message of the server.
///
/// ```
/// use holotape::stream::ServerMessage;
///
/// assert_eq!(ServerMessage::Ack { record_count: 900 }.to_json(), r#"{"type":"ack","record_count":900}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ServerMessage {
    /// The answer to `hello`: the client continues after `record_count` records.
    Ready {
        /// The take.
        take_id: TakeId,
        /// The file name of the future recording.
        name: String,
        /// The number of records that the server has.
        record_count: u64,
    },
    /// Acknowledges records that are in the journal.
    Ack {
        /// Their number, from the start of the take.
        record_count: u64,
    },
    /// A problem that the user should know about; recording continues.
    Warning {
        /// What happened.
        message: String,
    },
    /// The take is saved.
    Saved(SavedTake),
    /// The take and its journal are deleted.
    Discarded {
        /// The take.
        take_id: TakeId,
    },
    /// The request failed. The server closes the connection.
    Error {
        /// The reason, for programs.
        code: ErrorCode,
        /// The reason, for people.
        message: String,
    },
}

impl ServerMessage {
    /// The message as it is sent.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Serializing these types cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The reason with which the server closes the connection after this message; `None` if it stays open.
    #[must_use]
    pub fn close_reason(&self) -> Option<CloseReason> {
        match self {
            Self::Saved(_) | Self::Discarded { .. } => Some(CloseReason::TAKE_ENDED),
            Self::Error { code, .. } => Some(CloseReason { code: CloseReason::POLICY, reason: code.as_str() }),
            Self::Ready { .. } | Self::Ack { .. } | Self::Warning { .. } => None,
        }
    }
}

/// The status code and text of a WebSocket close frame.
///
/// ```
/// use holotape::stream::{CloseReason, ErrorCode, ProtocolError, ServerMessage};
///
/// let message = ServerMessage::from(ProtocolError::new(ErrorCode::Busy, "8 takes are being recorded"));
/// assert_eq!(message.close_reason(), Some(CloseReason { code: 1008, reason: "busy" }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloseReason {
    /// The status code.
    pub code: u16,
    /// The text.
    pub reason: &'static str,
}

impl CloseReason {
    const POLICY: u16 = 1008;

    /// The take was saved or discarded.
    pub const TAKE_ENDED: Self = Self { code: 1000, reason: "the take has ended" };
    /// The recording was played to its end.
    pub const PLAYBACK_ENDED: Self = Self { code: 1000, reason: "the recording has ended" };
    /// The server stops.
    pub const SERVER_STOPPED: Self = Self { code: 1001, reason: "the server stops" };
    /// Another connection records the take now.
    pub const REPLACED: Self = Self { code: Self::POLICY, reason: "another connection has taken over" };
    /// The client does not read fast enough.
    pub const TOO_SLOW: Self = Self { code: Self::POLICY, reason: "too slow" };
}

/// A take that was saved as a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SavedTake {
    /// The take.
    pub take_id: TakeId,
    /// The file name of the recording.
    pub name: String,
    /// The number of frames.
    pub frame_count: u64,
    /// The number of markers.
    pub marker_count: u64,
    /// The duration, in seconds.
    pub duration_secs: f32,
    /// Descriptions of data that was dropped.
    pub losses: Vec<String>,
    /// The id of the recording in the viewer, if it is open there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording_id: Option<u64>,
}

named_enum! {
    /// The reason of an error, for programs.
    ///
    /// ```
    /// use holotape::stream::ErrorCode;
    ///
    /// assert_eq!(ErrorCode::MissingRecords.as_str(), "missing-records");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum ErrorCode: as_str {
        /// The server does not know the take, or it has ended.
        UnknownTake = "unknown-take",
        /// The client has dropped records that the server does not have.
        MissingRecords = "missing-records",
        /// Too many takes are being recorded, or this one has another live connection.
        Busy = "busy",
        /// An invalid message or record.
        InvalidMessage = "invalid-message",
        /// The take cannot be written.
        SaveFailed = "save-failed",
    }
}

/// A request that failed. The server sends it to the client and closes the connection.
///
/// ```
/// use holotape::stream::{ErrorCode, ProtocolError, ServerMessage};
///
/// let error = ProtocolError::new(ErrorCode::Busy, "8 takes are being recorded; stop one first");
/// assert!(ServerMessage::from(error).close_reason().is_some());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtocolError {
    /// The reason, for programs.
    pub code: ErrorCode,
    /// The reason, for people.
    pub message: String,
}

impl ProtocolError {
    /// An error with a code and a message.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// No `hello` within [`HELLO_TIMEOUT`].
    #[must_use]
    pub fn hello_timeout() -> Self {
        let message = format!("handshake timed out: no `hello` received within {} s", HELLO_TIMEOUT.as_secs());
        Self::new(ErrorCode::InvalidMessage, message)
    }

    /// A `hello` that resumes a take which the server does not know.
    #[must_use]
    pub fn unknown_take() -> Self {
        let message = "unknown take: the server was restarted; recover acknowledged records with \
                       `holotape repair NAME.journal OUT.bin`";
        Self::new(ErrorCode::UnknownTake, message)
    }
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ProtocolError {}

impl From<ProtocolError> for ServerMessage {
    fn from(ProtocolError { code, message }: ProtocolError) -> Self {
        Self::Error { code, message }
    }
}
