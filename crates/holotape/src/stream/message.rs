//! What is said besides records by those who record over a connection.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};

/// What a client makes up to name its take, by which it comes back after its connection was lost: 16 to 64 letters and digits.
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
        Err(Error::new(ErrorKind::Invalid, "the id of a take is 16 to 64 letters and digits"))
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

/// The first that a client says.
///
/// ```
/// use holotape::stream::ClientMessage;
///
/// let said = ClientMessage::from_json(r#"{"type":"hello","take":"9f3b6c0d5e1a4827","records":0}"#)?;
/// assert!(matches!(said, ClientMessage::Hello(hello) if hello.name.is_none()));
/// # Ok::<(), holotape::stream::Refused>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Which take.
    pub take: TakeId,
    /// How many records of it the client has seen acknowledged.
    pub records: u64,
    /// What it is to be called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What a client says that is no record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ClientMessage {
    /// Begins a take, or goes on with one.
    Hello(Hello),
    /// Save it.
    Stop,
    /// Forget it.
    Discard,
}

impl ClientMessage {
    /// Reads a message.
    ///
    /// # Errors
    /// [`Code::Invalid`] if it is none.
    pub fn from_json(json: &str) -> Result<Self, ProtocolError> {
        serde_json::from_str(json).map_err(|error| ProtocolError::new(ErrorCode::Invalid, error.to_string()))
    }
}

/// What a server says.
///
/// ```
/// use holotape::stream::ServerMessage;
///
/// assert_eq!(ServerMessage::Received { records: 900 }.to_json(), r#"{"type":"received","records":900}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ServerMessage {
    /// To a hello: go on after so many records.
    Ready {
        /// Which take.
        take: TakeId,
        /// Under which name it will be saved.
        name: String,
        /// How many records the server has.
        records: u64,
    },
    /// So many are in the journal.
    Received {
        /// How many.
        records: u64,
    },
    /// Something that whoever records should know; it goes on.
    Warning {
        /// In words.
        warning: String,
    },
    /// The take is saved.
    Saved(SavedTake),
    /// The take is forgotten.
    Discarded {
        /// Which take.
        take: TakeId,
    },
    /// It cannot be done. Nothing follows.
    Error {
        /// Why, for a program.
        code: ErrorCode,
        /// Why, in words.
        error: String,
    },
}

impl ServerMessage {
    /// The message as it is sent.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Nothing of it could fail to be said in JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether nothing follows.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Saved(_) | Self::Discarded { .. } | Self::Error { .. })
    }
}

/// A take that was saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedTake {
    /// Which take.
    pub take: TakeId,
    /// Under which name.
    pub name: String,
    /// How many frames it has.
    pub frames: u64,
    /// How many markers it has.
    pub markers: u64,
    /// How long it is.
    pub duration_secs: f32,
    /// What was lost of it, in words.
    pub losses: Vec<String>,
    /// Its number where it is shown, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
}

/// Why something cannot be done, for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorCode {
    /// There is no such take, or it has ended.
    UnknownTake,
    /// The client has forgotten records that the server does not have.
    Gap,
    /// Too many takes at once, or this one over another connection.
    Busy,
    /// A message that makes no sense.
    Invalid,
    /// The take cannot be written.
    Failed,
}

/// What cannot be done, and why. Whoever asked for it is told, and the connection ends.
///
/// ```
/// use holotape::stream::{Code, Refused, ServerMessage};
///
/// let refused = Refused::new(Code::Busy, "eight takes are being recorded: stop one first");
/// assert!(ServerMessage::from(refused).is_last());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtocolError {
    /// Why, for a program.
    pub code: ErrorCode,
    /// Why, in words.
    pub message: String,
}

impl ProtocolError {
    /// That it cannot be done.
    #[must_use]
    pub fn new(code: ErrorCode, words: impl Into<String>) -> Self {
        Self { code, message: words.into() }
    }
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ProtocolError {}

impl From<ProtocolError> for ServerMessage {
    fn from(ProtocolError { code, message: words }: ProtocolError) -> Self {
        Self::Error { code, error: words }
    }
}
