//! What whoever serves the protocol holds to, and whoever speaks it may count on.
//!
//! ```
//! use holotape::stream::terms::{PING_INTERVAL, IDLE_TIMEOUT};
//!
//! assert!(2 * PING < IDLE_TIMEOUT, "one ping may be lost");
//! ```

use std::time::Duration;

/// The subprotocol of those who want records as bytes.
pub const SUBPROTOCOL_BINARY: &str = "holotape.binary";

/// The subprotocol of those who want a line of JSON for each.
pub const SUBPROTOCOL_NDJSON: &str = "holotape.ndjson";

/// How long a take waits for its recorder to come back.
pub const RECONNECT_TIMEOUT: Duration = Duration::from_secs(120);

/// How often a recorder is told what was received.
pub const ACK_INTERVAL: Duration = Duration::from_millis(500);

/// How often a connection is asked for a sign of life.
pub const PING_INTERVAL: Duration = Duration::from_secs(5);

/// After how long without one it is given up.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a connection has to answer when another wants its take.
pub const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// No message is longer: a frame as JSON has some fifteen thousand bytes.
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// How large a take may become in memory, which is two hours of everything at 90 frames a second. Then it is saved.
pub const MAX_TAKE_BYTES: usize = 1 << 30;
