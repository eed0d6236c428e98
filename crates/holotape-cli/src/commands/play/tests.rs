//! Playback with a clock that moves only when the player waits or the sink is slow.

use std::cell::Cell;
use std::rc::Rc;
use std::{io, mem};

use holotape::demo::DemoOptions;
use holotape::{Event, EventKind, Frame, Recording};

use super::clock::Clock;
use super::sink::PlaybackSink;
use super::{PlayArgs, play_with_clock, player};
use crate::failure::Failure;

#[derive(Clone, Default)]
struct FakeClock(Rc<Cell<f64>>);

impl FakeClock {
    fn advance(&self, secs: f64) {
        self.0.set(self.0.get() + secs);
    }
}

impl Clock for FakeClock {
    fn elapsed_secs(&self) -> f64 {
        self.0.get()
    }

    fn sleep_until(&self, due_secs: f64) {
        self.0.set(self.0.get().max(due_secs));
    }
}

/// Collects what is played. Blocks once, after a number of frames.
#[derive(Default)]
struct FakeSink {
    clock: FakeClock,
    blocks_after_frames: usize,
    blocks_secs: f64,
    /// The pipe is closed at the end of this lap.
    max_laps: Option<usize>,
    frame_times: Vec<f64>,
    markers: Vec<String>,
    laps: Vec<Vec<f64>>,
}

impl PlaybackSink for FakeSink {
    fn frame(&mut self, frame: &Frame) -> Result<(), Failure> {
        self.frame_times.push(frame.time);
        if self.frame_times.len() == self.blocks_after_frames {
            self.clock.advance(self.blocks_secs);
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), Failure> {
        match &event.kind {
            EventKind::MarkerPassed { name, .. } => self.markers.push(name.to_string()),
            EventKind::Looped { lap_count } => {
                assert_eq!((*lap_count, event.time_secs), (1, 4.0));
                self.laps.push(mem::take(&mut self.frame_times));
            }
            _ => {}
        }
        if self.max_laps == Some(self.laps.len()) {
            return Err(io::Error::from(io::ErrorKind::BrokenPipe).into());
        }
        Ok(())
    }
}

/// Four seconds of motion with a marker at each end.
fn recording() -> Recording {
    let mut recording = DemoOptions::new().with_seconds(4.0).generate().expect("a demo");
    recording.markers.add(0.0, "start");
    recording.markers.add(4.0, "end");
    recording
}

fn args(speed: f64, rate: f64) -> PlayArgs {
    PlayArgs {
        file: "take.bin".into(),
        rate,
        speed,
        looping: false,
        from: None,
        to: None,
        events: false,
        include_untracked: false,
        ws: None,
        allow_origin: Vec::new(),
    }
}

fn run(args: &PlayArgs, recording: &Recording, sink: &mut FakeSink) -> Result<u64, Failure> {
    let (player, clock) = (player(args, recording)?, sink.clock.clone());
    play_with_clock(args, player, sink, clock)
}

/// Plays 161 frames to a sink that blocks after the third. Returns the number of skipped frames.
fn play_blocked(recording: &Recording, blocks_secs: f64) -> (u64, FakeSink) {
    let mut sink = FakeSink { blocks_after_frames: 3, blocks_secs, ..FakeSink::default() };
    let skipped = run(&args(1.5, 60.0), recording, &mut sink).expect("plays");
    (skipped, sink)
}

#[test]
fn blocked_sink_misses_frames_but_no_markers() {
    let recording = recording();
    let (skipped, sink) = play_blocked(&recording, 1.51);
    // The sink returns at tick 92 instead of tick 3.
    assert_eq!((skipped, sink.frame_times.len()), (89, 161 - 89));
    assert_eq!(&sink.frame_times[..4], [0.0, 1.5 / 60.0, 3.0 / 60.0, 92.0 / 60.0 * 1.5]);
    assert_eq!(sink.frame_times.last(), Some(&4.0));
    assert_eq!(sink.markers, recording.markers.iter().map(|marker| &*marker.name).collect::<Vec<_>>());
}

#[test]
fn sink_that_blocks_for_less_than_a_second_misses_nothing() {
    let recording = recording();
    let (_, undisturbed) = play_blocked(&recording, 0.0);
    let (skipped, blocked) = play_blocked(&recording, 0.99);
    assert_eq!((skipped, blocked.frame_times.len()), (0, 161));
    assert_eq!((blocked.frame_times, blocked.markers), (undisturbed.frame_times, undisturbed.markers));
}

#[test]
fn loop_keeps_the_period_across_laps_until_the_pipe_is_closed() {
    let args = PlayArgs { looping: true, events: true, ..args(30.0, 20.0) };
    let mut sink = FakeSink { max_laps: Some(5), ..FakeSink::default() };
    let failure = run(&args, &recording(), &mut sink).expect_err("the pipe is closed");
    assert!(failure.is_broken_pipe(), "{failure:?}");
    let [first, second, third] = [vec![0.0, 1.5, 3.0], vec![0.5, 2.0, 3.5], vec![1.0, 2.5]];
    assert_eq!(sink.laps, [first.clone(), second.clone(), third, first, second]);
}
