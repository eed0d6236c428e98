//! One recording, from its first line to its last.

use std::fmt::Display;
use std::io;
use std::sync::mpsc::RecvTimeoutError;

use holotape::record::{Finished, Recorder, RecorderOptions, Status};
use holotape::stream::Record;
use holotape::{Error, ErrorKind, Frame};

use super::input::{self, Message};
use super::remote::Farewell;
use super::status::{REFRESH, StatusLine};
use crate::failure::Failure;
use crate::output;
use crate::rewrite::Said;
use crate::table::grouped;

/// So many lines that are wrong are told of; more would only bury what was said before.
const MOST_TOLD: u64 = 10;

/// What was recorded, not saved yet.
pub struct Recorded {
    pub finished: Finished,
    /// Whoever sent it waits to hear that it is saved.
    pub farewell: Option<Farewell>,
}

pub struct Session {
    recorder: Recorder,
    status: StatusLine,
    lines: u64,
    bad_lines: u64,
}

impl Session {
    pub fn start(options: RecorderOptions) -> Result<Self, Failure> {
        Ok(Self { recorder: Recorder::start(options)?, status: StatusLine::new(), lines: 0, bad_lines: 0 })
    }

    /// Records until there is no more, or enough of it.
    pub fn record(mut self, said: &mut Said) -> Result<Recorded, Failure> {
        let messages = input::listen()?;
        loop {
            match messages.recv_timeout(REFRESH) {
                Ok(Message::Line(line)) => self.line(&line),
                Ok(Message::LongLine) => self.bad_line(&"longer than any frame"),
                Ok(Message::End(end)) => {
                    end.unwrap_or_else(|error| said.loss(format_args!("the rest of standard input: {error}")));
                    break;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.status.show(&self.recorder);
        }
        self.status.finish();
        self.finish(said)
    }

    fn line(&mut self, line: &[u8]) {
        // A shell may put a byte order mark in front of the first.
        let line = if self.lines == 0 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        self.lines += 1;
        if line.trim_ascii().is_empty() {
            return;
        }
        let taken = match Record::from_json(line) {
            Ok(Record::Frame(frame)) => self.frame(&frame),
            Ok(Record::Marker { time_secs, name }) => self.recorder.marker(time_secs, &name),
            // What else a player says is in the frames.
            Ok(Record::Event { .. }) => Ok(()),
            Err(error) => return self.told(&error),
        };
        match taken {
            Ok(()) => {}
            // The journal, without which the recording goes on.
            Err(error) if error.kind() == ErrorKind::Io => self.status.aside(|| output::report("warning", &error)),
            Err(error) => self.told(&error),
        }
    }

    fn frame(&mut self, frame: &Frame) -> holotape::Result<()> {
        self.status.see(frame);
        self.recorder.push(frame).map(drop)
    }

    fn bad_line(&mut self, words: &dyn Display) {
        self.lines += 1;
        self.told(words);
    }

    fn told(&mut self, words: &dyn Display) {
        self.bad_lines += 1;
        if self.bad_lines <= MOST_TOLD {
            let line = self.lines;
            self.status.aside(|| output::report("warning", &format_args!("line {line}: {words}")));
        } else if self.bad_lines == MOST_TOLD + 1 {
            self.status.aside(|| output::report("warning", &"more lines are wrong, which are only counted"));
        }
    }

    fn finish(self, said: &mut Said) -> Result<Recorded, Failure> {
        let status = self.recorder.status();
        if status.frames + status.markers == 0 {
            self.recorder.discard()?;
            return Err(nothing_came("standard input"));
        }
        if self.bad_lines > 0 {
            said.loss(format_args!("lines that are neither frames nor markers: {}", grouped(self.bad_lines)));
        }
        tell_losses(&status, said);
        Ok(Recorded { finished: self.recorder.stop(), farewell: None })
    }
}

/// Tells what was left out.
pub fn tell_losses(status: &Status, said: &mut Said) {
    let losses = [
        (status.out_of_order, "frames that are not after the one before"),
        (status.not_finite, "poses and rays with numbers that are none"),
    ];
    for (count, what) in losses.into_iter().filter(|(count, _)| *count > 0) {
        said.loss(format_args!("{what}: {}", grouped(count)));
    }
    if status.over_rate > 0 {
        said.note("note", format_args!("frames over the highest rate, left out: {}", grouped(status.over_rate)));
    }
}

/// Who came and sent nothing, or did not come at all.
pub fn nothing_came(source: &str) -> Failure {
    Error::from(io::Error::other("no frame came, so there is nothing to save")).with_path(source).into()
}
