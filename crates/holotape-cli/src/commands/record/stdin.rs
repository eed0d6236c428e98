//! One recording, from its first line to its last.

use std::fmt::Display;
use std::io;
use std::sync::mpsc::RecvTimeoutError;

use holotape::record::{FinishedRecording, Recorder, RecorderOptions, RecorderStatus};
use holotape::stream::Record;
use holotape::{Error, ErrorKind, Frame};

use super::input::{self, InputEvent};
use super::status::{REFRESH, StatusLine};
use super::websocket::SaveNotifier;
use crate::failure::Failure;
use crate::output;
use crate::rewrite::Diagnostics;
use crate::table::group_digits;

/// So many lines that are wrong are told of; more would only bury what was said before.
const MAX_REPORTED: u64 = 10;

/// What was recorded, not saved yet.
pub struct RecordedTake {
    pub finished: FinishedRecording,
    /// Whoever sent it waits to hear that it is saved.
    pub farewell: Option<SaveNotifier>,
}

pub struct StdinRecorder {
    recorder: Recorder,
    status: StatusLine,
    lines: u64,
    bad_lines: u64,
}

impl StdinRecorder {
    pub fn start(options: RecorderOptions) -> Result<Self, Failure> {
        Ok(Self { recorder: Recorder::start(options)?, status: StatusLine::new(), lines: 0, bad_lines: 0 })
    }

    /// Records until there is no more, or enough of it.
    pub fn record(mut self, diagnostics: &mut Diagnostics) -> Result<RecordedTake, Failure> {
        let messages = input::spawn_reader()?;
        loop {
            match messages.recv_timeout(REFRESH) {
                Ok(InputEvent::Line(line)) => self.line(&line),
                Ok(InputEvent::LongLine) => self.bad_line(&"longer than any frame"),
                Ok(InputEvent::End(end)) => {
                    end.unwrap_or_else(|error| diagnostics.loss(format_args!("the rest of standard input: {error}")));
                    break;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.status.show(&self.recorder);
        }
        self.status.finish();
        self.finish(diagnostics)
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
            Ok(Record::Marker { time_secs, name }) => self.recorder.add_marker(time_secs, &name),
            // What else a player says is in the frames.
            Ok(Record::Event { .. }) => Ok(()),
            Err(error) => return self.report_bad_line(&error),
        };
        match taken {
            Ok(()) => {}
            // The journal, without which the recording goes on.
            Err(error) if error.kind() == ErrorKind::Io => {
                self.status.print_above(|| output::print_labelled("warning", &error))
            }
            Err(error) => self.report_bad_line(&error),
        }
    }

    fn frame(&mut self, frame: &Frame) -> holotape::Result<()> {
        self.status.observe(frame);
        self.recorder.push(frame).map(drop)
    }

    fn bad_line(&mut self, message: &dyn Display) {
        self.lines += 1;
        self.report_bad_line(message);
    }

    fn report_bad_line(&mut self, message: &dyn Display) {
        self.bad_lines += 1;
        if self.bad_lines <= MAX_REPORTED {
            let line = self.lines;
            self.status.print_above(|| output::print_labelled("warning", &format_args!("line {line}: {message}")));
        } else if self.bad_lines == MAX_REPORTED + 1 {
            self.status
                .print_above(|| output::print_labelled("warning", &"more lines are wrong, which are only counted"));
        }
    }

    fn finish(self, diagnostics: &mut Diagnostics) -> Result<RecordedTake, Failure> {
        let status = self.recorder.status();
        if status.frames + status.markers == 0 {
            self.recorder.discard()?;
            return Err(no_frames_error("standard input"));
        }
        if self.bad_lines > 0 {
            diagnostics
                .loss(format_args!("lines that are neither frames nor markers: {}", group_digits(self.bad_lines)));
        }
        report_losses(&status, diagnostics);
        Ok(RecordedTake { finished: self.recorder.stop(), farewell: None })
    }
}

/// Tells what was left out.
pub fn report_losses(status: &RecorderStatus, diagnostics: &mut Diagnostics) {
    let losses = [
        (status.out_of_order, "frames that are not after the one before"),
        (status.not_finite, "poses and rays with numbers that are none"),
    ];
    for (count, what) in losses.into_iter().filter(|(count, _)| *count > 0) {
        diagnostics.loss(format_args!("{what}: {}", group_digits(count)));
    }
    if status.over_rate > 0 {
        diagnostics
            .note("note", format_args!("frames over the highest rate, left out: {}", group_digits(status.over_rate)));
    }
}

/// Who came and sent nothing, or did not come at all.
pub fn no_frames_error(source: &str) -> Failure {
    Error::from(io::Error::other("no frame came, so there is nothing to save")).with_path(source).into()
}
