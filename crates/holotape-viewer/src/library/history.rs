//! Undo and redo of one recording.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;

use holotape::format::Format;
use holotape::{Markers, Recording};

use crate::details::RecordingDetails;

/// Maximum number of undo steps.
const MAX_STEPS: usize = 32;

/// Maximum size of all recordings kept for undo and redo. The oldest are dropped first.
const MAX_HISTORY_BYTES: u64 = 1 << 30;

/// A recording and its version.
pub(super) struct DocumentState {
    pub(super) recording: Arc<Recording>,
    pub(super) version: Version,
}

/// Identifies and describes one version of a recording.
pub(super) struct Version {
    /// Unique among the versions of the recording.
    pub(super) number: u64,
    /// The same for all versions with these curves.
    pub(super) curves_revision: u64,
    pub(super) details: Arc<RecordingDetails>,
}

impl DocumentState {
    /// Applies a step and returns its inverse.
    fn apply(&mut self, step: UndoStep) -> UndoStep {
        let change = match step.change {
            // In place, unless a reader holds the recording: then the reader keeps the old copy.
            UndoChange::Markers(markers) => UndoChange::Markers(markers.swap_into(Arc::make_mut(&mut self.recording))),
            UndoChange::All(recording) => UndoChange::All(mem::replace(&mut self.recording, recording)),
        };
        UndoStep { change, version: mem::replace(&mut self.version, step.version) }
    }
}

/// The difference from one version to another.
pub(super) struct UndoStep {
    pub(super) change: UndoChange,
    pub(super) version: Version,
}

pub(super) enum UndoChange {
    /// Leaves the curves unchanged, so that marker edits do not copy them.
    Markers(MarkerState),
    All(Arc<Recording>),
}

/// The markers of a recording, and the format, which decides how they are written.
pub(super) struct MarkerState {
    markers: Markers,
    format: Format,
}

impl MarkerState {
    /// Moves the markers into a recording and returns its previous ones.
    pub(super) fn swap_into(self, recording: &mut Recording) -> Self {
        Self {
            markers: mem::replace(&mut recording.markers, self.markers),
            format: mem::replace(&mut recording.format, self.format),
        }
    }
}

impl From<Recording> for MarkerState {
    fn from(Recording { markers, format, .. }: Recording) -> Self {
        Self { markers, format }
    }
}

#[derive(Default)]
pub(super) struct History {
    undo: VecDeque<UndoStep>,
    redo: Vec<UndoStep>,
}

impl History {
    pub(super) fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Adds the undo step of a new change and clears the redo steps.
    pub(super) fn push(&mut self, step: UndoStep) {
        self.redo.clear();
        self.undo.push_back(step);
        self.evict_old();
    }

    /// Drops the most distant steps until the limits are met. Keeps the next step in each direction.
    fn evict_old(&mut self) {
        while self.undo.len() > MAX_STEPS || self.bytes() > MAX_HISTORY_BYTES {
            if self.undo.len() > 1 {
                self.undo.pop_front();
            } else if self.redo.len() > 1 {
                self.redo.remove(0);
            } else {
                return;
            }
        }
    }

    fn bytes(&self) -> u64 {
        let steps = self.undo.iter().chain(&self.redo);
        let recordings = steps.filter(|step| matches!(step.change, UndoChange::All(_)));
        recordings.map(|step| step.version.details.file_bytes).sum()
    }

    /// Returns whether there was a step to undo.
    pub(super) fn undo(&mut self, state: &mut DocumentState) -> bool {
        let step = self.undo.pop_back().map(|step| state.apply(step));
        let is_done = step.is_some();
        self.redo.extend(step);
        self.evict_old();
        is_done
    }

    /// Returns whether there was a step to redo.
    pub(super) fn redo(&mut self, state: &mut DocumentState) -> bool {
        let step = self.redo.pop().map(|step| state.apply(step));
        let is_done = step.is_some();
        self.undo.extend(step);
        self.evict_old();
        is_done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: u64 = MAX_HISTORY_BYTES / 2 + 1;

    fn version(file_bytes: u64) -> Version {
        let mut details = RecordingDetails::new(&Recording::default()).expect("details");
        details.file_bytes = file_bytes;
        Version { number: 3, curves_revision: 3, details: Arc::new(details) }
    }

    fn step(file_bytes: u64) -> UndoStep {
        UndoStep { change: UndoChange::All(Arc::default()), version: version(file_bytes) }
    }

    #[test]
    fn last_step_is_kept_regardless_of_size() {
        let mut history = History::default();
        history.push(step(10));
        history.push(step(2 * MAX_HISTORY_BYTES));
        assert_eq!((history.undo.len(), history.undo[0].version.details.file_bytes), (1, 2 * MAX_HISTORY_BYTES));
    }

    #[test]
    fn redo_steps_count_towards_the_limit() {
        let mut state = DocumentState { recording: Arc::default(), version: version(HALF) };
        let mut history = History::default();
        for bytes in [10, 20, HALF] {
            history.push(step(bytes));
        }
        assert!(history.undo(&mut state));
        assert_eq!((history.undo.len(), history.redo.len()), (2, 1));
        assert!(history.undo(&mut state));
        assert_eq!((history.undo.len(), history.redo.len()), (1, 1));
        assert_eq!(history.redo[0].version.details.file_bytes, HALF);
        assert!(history.undo(&mut state) && history.redo(&mut state) && history.redo(&mut state));
    }
}
