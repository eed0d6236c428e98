//! How long is waited for what.

use std::time::Duration;

use holotape::stream::terms;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timing {
    /// How long a take waits for its recorder to come back.
    pub(super) grace: Duration,
    /// How often a recorder is told what was received.
    pub(super) reply: Duration,
    /// How often a connection is asked for a sign of life.
    pub(super) ping: Duration,
    /// After how long without one it is given up.
    pub(super) silence: Duration,
    /// How long a connection has to answer when another wants its take.
    pub(super) probe: Duration,
    /// How long a connection may take to say hello, and to accept what is sent to it.
    pub(super) patience: Duration,
}

impl Timing {
    pub(crate) const fn new() -> Self {
        Self {
            grace: terms::GRACE,
            reply: terms::REPLY,
            ping: terms::PING,
            silence: terms::SILENCE,
            probe: terms::PROBE,
            patience: Duration::from_secs(10),
        }
    }

    pub(crate) fn with_grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }
}
