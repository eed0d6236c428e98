//! How long is waited for what.

use std::time::Duration;

use holotape::stream::protocol;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timeouts {
    /// How long a take waits for its recorder to come back.
    pub(super) reconnect: Duration,
    /// How often a recorder is told what was received.
    pub(super) ack_interval: Duration,
    /// How often a connection is asked for a sign of life.
    pub(super) ping_interval: Duration,
    /// After how long without one it is given up.
    pub(super) idle: Duration,
    /// How long a connection has to answer when another wants its take.
    pub(super) probe: Duration,
    /// How long a connection may take to say hello, and to accept what is sent to it.
    pub(super) io: Duration,
}

impl Timeouts {
    pub(crate) const fn new() -> Self {
        Self {
            reconnect: protocol::RECONNECT_TIMEOUT,
            ack_interval: protocol::ACK_INTERVAL,
            ping_interval: protocol::PING_INTERVAL,
            idle: protocol::IDLE_TIMEOUT,
            probe: protocol::PROBE_TIMEOUT,
            io: Duration::from_secs(10),
        }
    }

    pub(crate) fn with_grace(self, grace: Duration) -> Self {
        Self { reconnect: grace, ..self }
    }
}
