//! The versions of a take, and the way from one to another and back.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use holotape::format::Format;
use holotape::{Markers, Recording};

use crate::describe::Contents;

/// What a take is at one moment.
pub(super) struct Version {
    pub(super) recording: Arc<Recording>,
    pub(super) contents: Arc<Contents>,
    /// No other version of the take has it.
    pub(super) number: u64,
    /// No version with other curves has it.
    pub(super) tape: u64,
}

impl Version {
    /// Goes where a step leads, and gives the step that leads back.
    fn go(&mut self, step: Step) -> Step {
        let change = match step.change {
            Change::Markers(markers) => {
                // In place, unless somebody is reading: then they keep what they have.
                Change::Markers(markers.exchange(Arc::make_mut(&mut self.recording)))
            }
            Change::All(recording) => Change::All(mem::replace(&mut self.recording, recording)),
        };
        Step {
            change,
            contents: mem::replace(&mut self.contents, step.contents),
            number: mem::replace(&mut self.number, step.number),
            tape: mem::replace(&mut self.tape, step.tape),
        }
    }
}

/// What it takes to make one version of another.
pub(super) struct Step {
    pub(super) change: Change,
    pub(super) contents: Arc<Contents>,
    pub(super) number: u64,
    pub(super) tape: u64,
}

pub(super) enum Change {
    /// The curves stay: a recording may be long, and its markers are few.
    Markers(MarkerList),
    All(Arc<Recording>),
}

/// The markers of a recording, and how they are written.
pub(super) struct MarkerList {
    markers: Markers,
    format: Format,
}

impl MarkerList {
    pub(super) fn of(recording: Recording) -> Self {
        Self { markers: recording.markers, format: recording.format }
    }

    /// Puts the markers into a recording, and gives those that it had.
    pub(super) fn exchange(self, recording: &mut Recording) -> Self {
        Self {
            markers: mem::replace(&mut recording.markers, self.markers),
            format: mem::replace(&mut recording.format, self.format),
        }
    }
}

/// More steps than anybody goes back.
const MOST_STEPS: usize = 32;

/// Whole recordings are large: the oldest are given up before they fill the memory.
const MOST_BYTES: u64 = 1 << 30;

/// Steps back, and steps forward again.
#[derive(Default)]
pub(super) struct History {
    back: VecDeque<Step>,
    forward: Vec<Step>,
}

impl History {
    pub(super) fn can_undo(&self) -> bool {
        !self.back.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.forward.is_empty()
    }

    /// Remembers the way back from something new. What was undone before is gone.
    pub(super) fn remember(&mut self, back: Step) {
        self.forward.clear();
        self.back.push_back(back);
        while self.back.len() > MOST_STEPS || self.bytes() > MOST_BYTES {
            self.back.pop_front();
        }
    }

    fn bytes(&self) -> u64 {
        let is_whole = |step: &&Step| matches!(step.change, Change::All(_));
        self.back.iter().filter(is_whole).map(|step| step.contents.bytes).sum()
    }

    /// Whether there was anything to undo.
    pub(super) fn undo(&mut self, version: &mut Version) -> bool {
        let step = self.back.pop_back().map(|step| version.go(step));
        let is_done = step.is_some();
        self.forward.extend(step);
        is_done
    }

    /// Whether there was anything to redo.
    pub(super) fn redo(&mut self, version: &mut Version) -> bool {
        let step = self.forward.pop().map(|step| version.go(step));
        let is_done = step.is_some();
        self.back.extend(step);
        is_done
    }
}
