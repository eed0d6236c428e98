//! Frames on their way from one program to another: as [`Record`]s, and by the protocol that gets every one of them into a
//! recording, whatever becomes of the connection. `docs/stream.md` has all of it for those who speak another language.
//!
//! Nothing here opens a connection or looks at a clock: bytes and text come in, replies go out.
//!
//! ```
//! use holotape::stream::{Record, encode_frame};
//! use holotape::{Frame, Pose};
//!
//! let frame = Frame { time: 1.5, camera: Some(Pose::IDENTITY), ..Frame::default() };
//! let bytes = encode_frame(&frame);
//! assert_eq!(bytes.len(), 17 + 4 * 7);
//! assert_eq!(Record::decode(&bytes)?, Record::Frame(frame.into()));
//! # Ok::<(), holotape::Error>(())
//! ```

#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod message;
pub mod protocol;
mod record;
#[cfg(feature = "json")]
mod take_receiver;

#[cfg(feature = "json")]
pub use message::{ClientMessage, ErrorCode, Hello, ProtocolError, SavedTake, ServerMessage, TakeId};
pub use record::{Record, encode_event, encode_frame, encode_marker};
#[cfg(feature = "json")]
pub use take_receiver::{ConnectionId, ReceiveOutcome, StoppedTake, TakeReceiver, WireMessage};
