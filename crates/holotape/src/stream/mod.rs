//! Streams of frames: [`Record`]s as bytes or JSON, and the server side of the recording protocol ([`TakeServer`]).
//! `docs/stream.md` specifies both.
//!
//! Nothing here opens a connection or reads a clock: the caller passes in messages and times, and sends what comes out.
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

mod json;
mod message;
pub mod protocol;
mod record;
mod send_queue;
mod take_outcome;
mod take_receiver;
mod take_server;

pub use message::{
    ClientMessage, CloseReason, ErrorCode, Hello, MessageEncoding, ProtocolError, SavedTake, ServerMessage, TakeId,
    WireMessage,
};
pub use record::{Record, encode_event, encode_frame, encode_marker};
pub use send_queue::SendQueue;
pub use take_outcome::TakeOutcome;
pub use take_server::{
    ConnectionId, EndedTake, Outbox, Outgoing, StoppedTake, TakeEnd, TakeEvent, TakeInput, TakeServer,
};
