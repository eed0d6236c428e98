//! The JSON messages of the recording protocol.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};

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
#[serde(try_from = "String", into = "String")]
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
        Err(Error::new(ErrorKind::Invalid, "invalid take id: must be 16 to 64 letters and digits"))
    }
}

impl From<TakeId> for String {
    fn from(id: TakeId) -> Self {
        id.0
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
/// use holotape::stream::ClientMessage;
///
/// let message = ClientMessage::from_json(r#"{"type":"hello","take_id":"9f3b6c0d5e1a4827","acked_records":0}"#)?;
/// assert!(matches!(message, ClientMessage::Hello(hello) if hello.name.is_none()));
/// # Ok::<(), holotape::stream::ProtocolError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// A message of a client that is not a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

    /// Whether the server closes the connection after this message.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Saved(_) | Self::Discarded { .. } | Self::Error { .. })
    }
}

/// A take that was saved as a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// The reason of an error, for programs.
///
/// ```
/// use holotape::stream::ErrorCode;
///
/// assert_eq!(ErrorCode::MissingRecords.as_str(), "missing-records");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorCode {
    /// The server does not know the take, or it has ended.
    UnknownTake,
    /// The client has dropped records that the server does not have.
    MissingRecords,
    /// Too many takes are being recorded, or this one has another live connection.
    Busy,
    /// An invalid message or record.
    InvalidMessage,
    /// The take cannot be written.
    SaveFailed,
}

impl ErrorCode {
    /// The code as it is sent.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTake => "unknown-take",
            Self::MissingRecords => "missing-records",
            Self::Busy => "busy",
            Self::InvalidMessage => "invalid-message",
            Self::SaveFailed => "save-failed",
        }
    }
}

/// A request that failed. The server sends it to the client and closes the connection.
///
/// ```
/// use holotape::stream::{ErrorCode, ProtocolError, ServerMessage};
///
/// let error = ProtocolError::new(ErrorCode::Busy, "8 takes are being recorded; stop one first");
/// assert!(ServerMessage::from(error).is_final());
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
