//! Recordings of [NVIDIA Isaac Teleop](https://github.com/NVIDIA/IsaacTeleop): the MCAP logs of its sessions, and the
//! JSON recordings of its WebXR client.
//!
//! # Logs
//!
//! A log has the MCAP profile `teleop` and one FlatBuffers message per update and channel. The user names the source of
//! a channel, so channels are found by their schema, and hands by the last part of the topic:
//!
//! | Topic | Schema | Contents |
//! |---|---|---|
//! | `hands/left_hand`, `hands/right_hand` | `core.HandPoseRecord` | 26 joints in OpenXR's order, each with a radius; empty while the hand is not tracked |
//! | `head/head` | `core.HeadPoseRecord` | the head |
//!
//! [`write`](write()) writes these topics. All poses are in OpenXR's coordinates: metres, right-handed, x right, y up,
//! -z forward. Isaac Teleop replays one message of each channel per update, and reads only logs without compression.
//! [`read`](read()) also accepts chunks that other tools compressed with zstd.

mod binary_schema;
mod container;
mod flatbuffer;
mod message;
mod read;
mod schema;
mod struct_sizes;
mod webxr;
mod webxr_frame;
mod write;

pub use read::read;
pub(crate) use read::{has_schemas, read_up_to};
pub use webxr::read_webxr;
pub use write::write;

/// The MCAP profile of a log.
const PROFILE: &str = "teleop";

const HAND_SCHEMA: &str = "core.HandPoseRecord";
const HEAD_SCHEMA: &str = "core.HeadPoseRecord";
