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
        self.give_up_old();
    }

    /// Forgets the steps that are farthest away until the rest fits, but never the next one, back or forward.
    fn give_up_old(&mut self) {
        while self.back.len() > MOST_STEPS || self.bytes() > MOST_BYTES {
            if self.back.len() > 1 {
                self.back.pop_front();
            } else if self.forward.len() > 1 {
                self.forward.remove(0);
            } else {
                return;
            }
        }
    }

    fn bytes(&self) -> u64 {
        let is_whole = |step: &&Step| matches!(step.change, Change::All(_));
        self.back.iter().chain(&self.forward).filter(is_whole).map(|step| step.contents.bytes).sum()
    }

    /// Whether there was anything to undo.
    pub(super) fn undo(&mut self, version: &mut Version) -> bool {
        let step = self.back.pop_back().map(|step| version.go(step));
        let is_done = step.is_some();
        self.forward.extend(step);
        self.give_up_old();
        is_done
    }

    /// Whether there was anything to redo.
    pub(super) fn redo(&mut self, version: &mut Version) -> bool {
        let step = self.forward.pop().map(|step| version.go(step));
        let is_done = step.is_some();
        self.back.extend(step);
        self.give_up_old();
        is_done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: u64 = MOST_BYTES / 2 + 1;

    fn contents(bytes: u64) -> Arc<Contents> {
        let mut contents = Contents::of(&Recording::default()).expect("contents");
        contents.bytes = bytes;
        Arc::new(contents)
    }

    fn step(bytes: u64) -> Step {
        Step { change: Change::All(Arc::default()), contents: contents(bytes), number: 0, tape: 0 }
    }

    #[test]
    fn the_last_step_can_be_undone_however_large() {
        let mut history = History::default();
        history.remember(step(10));
        history.remember(step(2 * MOST_BYTES));
        assert_eq!((history.back.len(), history.back[0].contents.bytes), (1, 2 * MOST_BYTES));
    }

    #[test]
    fn what_was_undone_counts_as_well() {
        let mut now = Version { recording: Arc::default(), contents: contents(HALF), number: 3, tape: 3 };
        let mut history = History::default();
        for bytes in [10, 20, HALF] {
            history.remember(step(bytes));
        }
        assert!(history.undo(&mut now));
        assert_eq!((history.back.len(), history.forward.len()), (2, 1));
        assert!(history.undo(&mut now));
        assert_eq!((history.back.len(), history.forward.len()), (1, 1));
        assert_eq!(history.forward[0].contents.bytes, HALF);
        assert!(history.undo(&mut now) && history.redo(&mut now) && history.redo(&mut now));
    }
}
