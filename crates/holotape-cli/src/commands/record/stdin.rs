//! Records frames from standard input.

use std::fmt::Display;
use std::io;
use std::sync::mpsc::RecvTimeoutError;

use holotape::record::{FinishedRecording, Recorder, RecorderOptions, RecorderStatus};
use holotape::stream::Record;
use holotape::stream::protocol::MAX_MESSAGE_BYTES;
use holotape::{Error, ErrorKind, Frame};

use super::input::{self, InputEvent};
use super::status::{REFRESH, StatusLine};
use super::websocket::SaveNotifier;
use crate::failure::Failure;
use crate::output;
use crate::rewrite::Diagnostics;
use crate::table::group_digits;

/// Invalid lines after these are only counted.
const MAX_REPORTED: u64 = 10;

/// A take that is not saved yet.
pub struct RecordedTake {
    pub finished: FinishedRecording,
    /// The client that waits for the result.
    pub notifier: Option<SaveNotifier>,
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

    /// Records until the input ends or a signal stops the recording.
    pub fn record(mut self, diagnostics: &mut Diagnostics) -> Result<RecordedTake, Failure> {
        let events = input::spawn_reader()?;
        loop {
            match events.recv_timeout(REFRESH) {
                Ok(InputEvent::Line(line)) => self.line(&line),
                Ok(InputEvent::LongLine) => self.long_line(),
                Ok(InputEvent::End(end)) => {
                    end.unwrap_or_else(|error| {
                        let error = Error::from(error);
                        diagnostics.loss(format_args!("the rest of standard input could not be read: {error}"));
                    });
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
        // Some shells put a byte order mark before the first line.
        let line = if self.lines == 0 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        self.lines += 1;
        if line.trim_ascii().is_empty() {
            return;
        }
        let stored = match Record::from_json(line) {
            Ok(Record::Frame(frame)) => self.frame(&frame),
            Ok(Record::Marker { time_secs, name }) => self.recorder.add_marker(time_secs, &name),
            Ok(Record::Event { .. }) => Ok(()),
            Err(error) => return self.report_bad_line(&error),
        };
        match stored {
            Ok(()) => {}
            // The journal failed; recording continues without it.
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

    fn long_line(&mut self) {
        self.lines += 1;
        self.report_bad_line(&format_args!("longer than {MAX_MESSAGE_BYTES} bytes"));
    }

    fn report_bad_line(&mut self, message: &dyn Display) {
        self.bad_lines += 1;
        if self.bad_lines <= MAX_REPORTED {
            let line = self.lines;
            self.status.print_above(|| output::print_labelled("warning", &format_args!("line {line}: {message}")));
        } else if self.bad_lines == MAX_REPORTED + 1 {
            self.status
                .print_above(|| output::print_labelled("warning", &"more invalid lines follow; they are only counted"));
        }
    }

    fn finish(self, diagnostics: &mut Diagnostics) -> Result<RecordedTake, Failure> {
        let status = self.recorder.status();
        if status.frame_count + status.marker_count == 0 {
            self.recorder.discard()?;
            return Err(no_frames_error("standard input"));
        }
        if self.bad_lines > 0 {
            diagnostics.loss(format_args!(
                "skipped lines that are neither frames nor markers: {}",
                group_digits(self.bad_lines)
            ));
        }
        report_losses(&status, diagnostics);
        Ok(RecordedTake { finished: self.recorder.stop(), notifier: None })
    }
}

pub fn report_losses(status: &RecorderStatus, diagnostics: &mut Diagnostics) {
    for (message, count) in status.losses() {
        diagnostics.loss(format_args!("{message}: {}", group_digits(count)));
    }
    if status.over_rate > 0 {
        diagnostics
            .note("note", format_args!("dropped frames above the maximum rate: {}", group_digits(status.over_rate)));
    }
}

pub fn no_frames_error(source: &str) -> Failure {
    Error::from(io::Error::other("no frames received: nothing to save")).with_path(source).into()
}
