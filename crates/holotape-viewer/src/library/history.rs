//! The versions of a take, and the way from one to another and back.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use holotape::format::Format;
use holotape::{Markers, Recording};

use crate::api::RecordingDetails;

/// What a take is at one moment.
pub(super) struct DocumentState {
    pub(super) recording: Arc<Recording>,
    pub(super) contents: Arc<RecordingDetails>,
    /// No other version of the take has it.
    pub(super) number: u64,
    /// No version with other curves has it.
    pub(super) tape: u64,
}

impl DocumentState {
    /// Goes where a step leads, and gives the step that leads back.
    fn apply(&mut self, step: UndoStep) -> UndoStep {
        let change = match step.change {
            UndoChange::Markers(markers) => {
                // In place, unless somebody is reading: then they keep what they have.
                UndoChange::Markers(markers.swap_into(Arc::make_mut(&mut self.recording)))
            }
            UndoChange::All(recording) => UndoChange::All(mem::replace(&mut self.recording, recording)),
        };
        UndoStep {
            change,
            contents: mem::replace(&mut self.contents, step.contents),
            number: mem::replace(&mut self.number, step.number),
            tape: mem::replace(&mut self.tape, step.tape),
        }
    }
}

/// What it takes to make one version of another.
pub(super) struct UndoStep {
    pub(super) change: UndoChange,
    pub(super) contents: Arc<RecordingDetails>,
    pub(super) number: u64,
    pub(super) tape: u64,
}

pub(super) enum UndoChange {
    /// The curves stay: a recording may be long, and its markers are few.
    Markers(MarkerState),
    All(Arc<Recording>),
}

/// The markers of a recording, and how they are written.
pub(super) struct MarkerState {
    markers: Markers,
    format: Format,
}

impl MarkerState {
    pub(super) fn of(recording: Recording) -> Self {
        Self { markers: recording.markers, format: recording.format }
    }

    /// Puts the markers into a recording, and gives those that it had.
    pub(super) fn swap_into(self, recording: &mut Recording) -> Self {
        Self {
            markers: mem::replace(&mut recording.markers, self.markers),
            format: mem::replace(&mut recording.format, self.format),
        }
    }
}

/// More steps than anybody goes back.
const MAX_STEPS: usize = 32;

/// Whole recordings are large: the oldest are given up before they fill the memory.
const MAX_HISTORY_BYTES: u64 = 1 << 30;

/// Steps back, and steps forward again.
#[derive(Default)]
pub(super) struct History {
    back: VecDeque<UndoStep>,
    forward: Vec<UndoStep>,
}

impl History {
    pub(super) fn can_undo(&self) -> bool {
        !self.back.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.forward.is_empty()
    }

    /// Remembers the way back from something new. What was undone before is gone.
    pub(super) fn push(&mut self, back: UndoStep) {
        self.forward.clear();
        self.back.push_back(back);
        self.evict_old();
    }

    /// Forgets the steps that are farthest away until the rest fits, but never the next one, back or forward.
    fn evict_old(&mut self) {
        while self.back.len() > MAX_STEPS || self.bytes() > MAX_HISTORY_BYTES {
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
        let is_whole = |step: &&UndoStep| matches!(step.change, UndoChange::All(_));
        self.back.iter().chain(&self.forward).filter(is_whole).map(|step| step.contents.bytes).sum()
    }

    /// Whether there was anything to undo.
    pub(super) fn undo(&mut self, version: &mut DocumentState) -> bool {
        let step = self.back.pop_back().map(|step| version.apply(step));
        let is_done = step.is_some();
        self.forward.extend(step);
        self.evict_old();
        is_done
    }

    /// Whether there was anything to redo.
    pub(super) fn redo(&mut self, version: &mut DocumentState) -> bool {
        let step = self.forward.pop().map(|step| version.apply(step));
        let is_done = step.is_some();
        self.back.extend(step);
        self.evict_old();
        is_done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: u64 = MAX_HISTORY_BYTES / 2 + 1;

    fn contents(bytes: u64) -> Arc<RecordingDetails> {
        let mut contents = RecordingDetails::of(&Recording::default()).expect("contents");
        contents.bytes = bytes;
        Arc::new(contents)
    }

    fn step(bytes: u64) -> UndoStep {
        UndoStep { change: UndoChange::All(Arc::default()), contents: contents(bytes), number: 0, tape: 0 }
    }

    #[test]
    fn the_last_step_can_be_undone_however_large() {
        let mut history = History::default();
        history.push(step(10));
        history.push(step(2 * MAX_HISTORY_BYTES));
        assert_eq!((history.back.len(), history.back[0].contents.bytes), (1, 2 * MAX_HISTORY_BYTES));
    }

    #[test]
    fn what_was_undone_counts_as_well() {
        let mut now = DocumentState { recording: Arc::default(), contents: contents(HALF), number: 3, tape: 3 };
        let mut history = History::default();
        for bytes in [10, 20, HALF] {
            history.push(step(bytes));
        }
        assert!(history.undo(&mut now));
        assert_eq!((history.back.len(), history.forward.len()), (2, 1));
        assert!(history.undo(&mut now));
        assert_eq!((history.back.len(), history.forward.len()), (1, 1));
        assert_eq!(history.forward[0].contents.bytes, HALF);
        assert!(history.undo(&mut now) && history.redo(&mut now) && history.redo(&mut now));
    }
}
