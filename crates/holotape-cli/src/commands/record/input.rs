//! Reads lines from standard input and handles stop signals.

use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use holotape::stream::protocol::MAX_MESSAGE_BYTES;

use crate::failure::Failure;
use crate::output;
use crate::signals;

/// The maximum number of queued lines; above it, the reader waits.
const LINE_QUEUE_CAPACITY: usize = 64;

#[derive(Debug)]
pub enum InputEvent {
    Line(Vec<u8>),
    /// A line longer than [`MAX_MESSAGE_BYTES`], which was skipped.
    LongLine,
    /// The end of the input, or the error that ended it.
    End(io::Result<()>),
}

/// Starts to read standard input and to handle signals.
pub fn spawn_reader() -> Result<Receiver<InputEvent>, Failure> {
    let (sender, events) = mpsc::sync_channel(LINE_QUEUE_CAPACITY);
    let stop = sender.clone();
    on_stop_signal(move || _ = stop.send(InputEvent::End(Ok(()))))?;
    // A separate thread, because a blocking read cannot be interrupted.
    thread::spawn(move || {
        let end = send_lines(&mut io::stdin().lock(), &sender);
        sender.send(InputEvent::End(end)).ok();
    });
    Ok(events)
}

/// Calls `stop` on the first signal. The second one exits at once; the journal keeps the recording.
pub fn on_stop_signal(stop: impl Fn() + Send + 'static) -> Result<(), Failure> {
    let is_stopping = AtomicBool::new(false);
    let on_signal = move || {
        if is_stopping.swap(true, Ordering::Relaxed) {
            std::process::exit(output::EXIT_SIGINT);
        }
        stop();
    };
    Ok(signals::set_handler(on_signal)?)
}

fn send_lines(input: &mut impl BufRead, sender: &SyncSender<InputEvent>) -> io::Result<()> {
    while let Some(event) = next_line(input)? {
        if sender.send(event).is_err() {
            break;
        }
    }
    Ok(())
}

fn next_line(input: &mut impl BufRead) -> io::Result<Option<InputEvent>> {
    let mut line = Vec::new();
    input.take(MAX_MESSAGE_BYTES as u64).read_until(b'\n', &mut line)?;
    if line.len() == MAX_MESSAGE_BYTES && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(InputEvent::LongLine));
    }
    Ok((!line.is_empty()).then_some(InputEvent::Line(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_line_splits_lines_and_skips_long_ones() {
        let long = "x".repeat(3 << 20);
        let text = format!("one\n{long}\n\ntwo");
        let mut input = text.as_bytes();
        let mut next = || next_line(&mut input).expect("reads");
        assert!(matches!(next(), Some(InputEvent::Line(line)) if line == b"one\n"));
        assert!(matches!(next(), Some(InputEvent::LongLine)));
        assert!(matches!(next(), Some(InputEvent::Line(line)) if line == b"\n"));
        assert!(matches!(next(), Some(InputEvent::Line(line)) if line == b"two"));
        assert!(next().is_none());
    }
}
