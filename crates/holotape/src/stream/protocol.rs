//! Names, timeouts and limits of the recording protocol.
//!
//! ```
//! use holotape::stream::protocol::{IDLE_TIMEOUT, PING_INTERVAL};
//!
//! assert!(2 * PING_INTERVAL < IDLE_TIMEOUT, "one ping may be lost");
//! ```

use std::time::Duration;

/// The subprotocol for binary records.
pub const SUBPROTOCOL_BINARY: &str = "holotape.binary";

/// The subprotocol for JSON, one object per message.
pub const SUBPROTOCOL_NDJSON: &str = "holotape.ndjson";

/// The server rejects a connection that does not send `hello` in this time.
pub const HELLO_TIMEOUT: Duration = Duration::from_secs(10);

/// A take without a connection is saved after this time.
pub const RECONNECT_TIMEOUT: Duration = Duration::from_secs(120);

/// The server acknowledges new records this often.
pub const ACK_INTERVAL: Duration = Duration::from_millis(500);

/// The server pings each connection this often.
pub const PING_INTERVAL: Duration = Duration::from_secs(5);

/// The server closes a connection that sends nothing, not even a pong, for this long.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(15);

/// A connection must answer a ping in this time if another one sends `hello` for its take.
pub const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// The server closes a connection that does not accept a message in this time.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// The server waits this long for the client's close frame.
pub const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The period of [`TakeInput::Tick`](super::TakeInput::Tick).
pub const TICK_INTERVAL: Duration = Duration::from_millis(100);

/// The maximum size of a message. A frame as JSON has about 15,000 bytes.
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// A take is saved when it reaches this size in memory: two hours of complete frames at 90 Hz.
pub const MAX_TAKE_BYTES: usize = 1 << 30;
