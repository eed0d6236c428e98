//! Errors: what failed, where in the file, and how it is shown to the user.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::CurveId;

/// The result of everything in this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

named_enum! {
    /// The kind of an [`Error`].
    ///
    /// [`Invalid`](Self::Invalid) is about the contents of a file, document or record.
    /// [`InvalidArgument`](Self::InvalidArgument) is about a value that the caller passes: an option, a rate, a span, a
    /// name or a path.
    ///
    /// ```
    /// use holotape::{ErrorKind, Recording};
    ///
    /// let error = Recording::from_slice(b"GIF89a, not hands").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotARecording);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum ErrorKind: name {
        /// The operating system could not read or write. [`std::error::Error::source`] has its error.
        Io = "io",
        /// The bytes do not start like an input animation.
        NotARecording = "not-a-recording",
        /// An input animation of an unsupported version.
        UnsupportedVersion = "unsupported-version",
        /// The file ends before its contents do.
        Truncated = "truncated",
        /// The contents violate the format, or cannot be processed.
        Invalid = "invalid",
        /// The caller passes an invalid argument or option: a negative rate, an empty span, an unknown column.
        InvalidArgument = "invalid-argument",
        /// The data exceeds a limit of the caller or of the format.
        LimitExceeded = "limit-exceeded",
    }
}

/// The part of a file that an error is about. Keys, markers and frames count from 0.
///
/// ```
/// use holotape::{CurveId, Hand, Joint, Location, PoseComponent};
///
/// let id = CurveId::Joint(Hand::Left, Joint::IndexTip, PoseComponent::RotationW);
/// assert_eq!(Location::Curve { id, key: Some(41) }.to_string(), "left IndexTip rotation.w, key 41");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Location {
    /// The magic number and the version.
    Header,
    /// The three bytes of version 1.1 that say which channels there are.
    ChannelFlags,
    /// A curve, or one key of it.
    Curve {
        /// Which curve.
        id: CurveId,
        /// Which key; `None` for the curve's header.
        key: Option<usize>,
    },
    /// The count of the marker list.
    MarkerList,
    /// One marker.
    Marker {
        /// Which marker.
        index: usize,
    },
    /// A frame of a format with frames.
    Frame {
        /// Which frame.
        index: usize,
    },
    /// After everything that the format defines.
    End,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("header"),
            Self::ChannelFlags => f.write_str("channel flags"),
            Self::Curve { id, key } => {
                write!(f, "{}", id.spaced_name())?;
                key.map_or(Ok(()), |key| write!(f, ", key {key}"))
            }
            Self::MarkerList => f.write_str("marker list"),
            Self::Marker { index } => write!(f, "marker {index}"),
            Self::Frame { index } => write!(f, "frame {index}"),
            Self::End => f.write_str("end"),
        }
    }
}

/// Why a recording could not be read or written: a kind to match on, a message, and where known the byte offset and
/// the location.
///
/// ```
/// use holotape::{ErrorKind, Recording};
///
/// let (mut bytes, _) = Recording::default().to_vec()?;
/// bytes.pop();
/// let error = Recording::from_slice(&bytes).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Truncated);
/// assert_eq!(error.location().unwrap().to_string(), "marker list");
/// assert_eq!(error.offset(), Some(22));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    offset: Option<u64>,
    location: Option<Location>,
    path: Option<PathBuf>,
    source: Option<io::Error>,
}

impl Error {
    /// Creates an error. For readers and writers of other formats.
    ///
    /// ```
    /// use holotape::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Invalid, "row 7, column 3: \"abc\" is not a number");
    /// assert_eq!(error.kind(), ErrorKind::Invalid);
    /// ```
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), offset: None, location: None, path: None, source: None }))
    }

    /// Creates an error of the kind [`ErrorKind::InvalidArgument`].
    ///
    /// ```
    /// use holotape::{Error, ErrorKind};
    ///
    /// assert_eq!(Error::invalid_argument("invalid rate: -1 Hz").kind(), ErrorKind::InvalidArgument);
    /// ```
    pub fn invalid_argument(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    /// Adds the byte and the part of the file at fault. For readers of other formats.
    ///
    /// ```
    /// use holotape::{Error, ErrorKind, Location};
    ///
    /// let error = Error::new(ErrorKind::Invalid, "invalid joint count 0");
    /// let error = error.with_location(438, Location::Frame { index: 2 });
    /// assert_eq!(error.to_string(), "invalid joint count 0 (frame 2, byte 438)");
    /// ```
    #[must_use]
    pub fn with_location(mut self, offset: u64, location: Location) -> Self {
        self.0.offset = Some(offset);
        self.0.location = Some(location);
        self
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The byte of the file at fault; for a truncated input animation the byte at which the file ends.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The part of the recording at fault.
    #[must_use]
    pub fn location(&self) -> Option<Location> {
        self.0.location
    }

    /// Adds the path of the file.
    ///
    /// ```
    /// let error = holotape::Recording::from_slice(b"").unwrap_err().with_path("take.bin");
    /// assert_eq!(error.to_string(), "take.bin: the file is empty (header, byte 0)");
    /// ```
    #[must_use]
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    /// The path of the file, if the error is about one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }
}

impl From<io::Error> for Error {
    /// The message is the same on all systems for common errors, and never contains the system's error code. An error that
    /// a reader or a writer has passed on in an [`io::Error`] comes back unchanged.
    ///
    /// ```
    /// let missing = std::fs::read("no-such.bin").unwrap_err();
    /// let error = holotape::Error::from(missing).with_path("no-such.bin");
    /// assert_eq!(error.to_string(), "no-such.bin: no such file or folder");
    /// ```
    fn from(source: io::Error) -> Self {
        let source = match source.downcast::<Self>() {
            Ok(error) => return error,
            Err(source) => source,
        };
        let mut error = Self::new(ErrorKind::Io, io_message(&source));
        error.0.source = Some(source);
        error
    }
}

fn io_message(error: &io::Error) -> String {
    // An error with its own message.
    if error.get_ref().is_some() {
        return error.to_string();
    }
    let message = match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::AlreadyExists => "file already exists",
        io::ErrorKind::IsADirectory => "is a folder, not a file",
        io::ErrorKind::NotADirectory => "a part of the path is a file, not a folder",
        io::ErrorKind::AddrInUse => "address already in use",
        _ if is_in_use(error) => "another program has the file open",
        _ => return without_code(&error.to_string()),
    };
    message.to_owned()
}

/// Whether Windows denies access to a file, or to a part of it, because of another program.
fn is_in_use(error: &io::Error) -> bool {
    const SHARING_VIOLATION: i32 = 32;
    const LOCK_VIOLATION: i32 = 33;
    cfg!(windows) && matches!(error.raw_os_error(), Some(SHARING_VIOLATION | LOCK_VIOLATION))
}

/// Turns `Broken pipe (os error 32)` into `broken pipe`.
fn without_code(text: &str) -> String {
    let text = text.rsplit_once(" (os error ").map_or(text, |(text, _)| text).trim_end_matches('.');
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        if let Some(path) = &inner.path {
            write!(f, "{}: ", path.display())?;
        }
        f.write_str(&inner.message)?;
        match (inner.location, inner.offset) {
            (Some(location), Some(offset)) => write!(f, " ({location}, byte {offset})"),
            (None, Some(offset)) => write!(f, " (byte {offset})"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| source as _)
    }
}
