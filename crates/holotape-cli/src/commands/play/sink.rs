//! Destinations of frames and events.

use std::io::{self, StdoutLock, Write};

use holotape::{Event, Frame};
use serde::Serialize;

use crate::failure::Failure;

pub trait PlaybackSink {
    fn frame(&mut self, frame: &Frame) -> Result<(), Failure>;
    fn event(&mut self, event: &Event) -> Result<(), Failure>;
}

/// Standard output, flushed after every line for real-time readers.
pub struct StdoutSink {
    out: StdoutLock<'static>,
    line: Vec<u8>,
}

impl StdoutSink {
    pub fn new() -> Self {
        Self { out: io::stdout().lock(), line: Vec::new() }
    }

    fn write(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, object)?;
        self.line.push(b'\n');
        self.out.write_all(&self.line)?;
        Ok(self.out.flush()?)
    }
}

impl PlaybackSink for StdoutSink {
    fn frame(&mut self, frame: &Frame) -> Result<(), Failure> {
        self.write(frame)
    }

    fn event(&mut self, event: &Event) -> Result<(), Failure> {
        self.write(event)
    }
}
