//! What whoever serves the protocol holds to, and whoever speaks it may count on.
//!
//! ```
//! use holotape::stream::terms::{PING, SILENCE};
//!
//! assert!(2 * PING < SILENCE, "one ping may be lost");
//! ```

use std::time::Duration;

/// The subprotocol of those who want records as bytes.
pub const BINARY: &str = "holotape.binary";

/// The subprotocol of those who want a line of JSON for each.
pub const NDJSON: &str = "holotape.ndjson";

/// How long a take waits for its recorder to come back.
pub const GRACE: Duration = Duration::from_secs(120);

/// How often a recorder is told what was received.
pub const REPLY: Duration = Duration::from_millis(500);

/// How often a connection is asked for a sign of life.
pub const PING: Duration = Duration::from_secs(5);

/// After how long without one it is given up.
pub const SILENCE: Duration = Duration::from_secs(15);

/// How long a connection has to answer when another wants its take.
pub const PROBE: Duration = Duration::from_secs(1);

/// No message is longer: a frame as JSON has some fifteen thousand bytes.
pub const MOST_MESSAGE_BYTES: usize = 1 << 20;

/// How large a take may become in memory, which is two hours of everything at 90 frames a second. Then it is saved.
pub const MOST_TAKE_BYTES: usize = 1 << 30;
