//! What a take is at one moment, for the page.

use std::sync::Arc;

use super::Source;
use crate::api::{RecordingDetails, RecordingInfo};

/// What is told of a take, while others may go on with it.
pub(crate) struct Snapshot {
    pub(super) id: u64,
    pub(super) source: Arc<Source>,
    pub(super) contents: Arc<RecordingDetails>,
    pub(super) losses: Vec<String>,
    pub(super) preview_of: Option<u64>,
    pub(super) revision: u64,
    pub(super) tape: u64,
    pub(super) modified: bool,
    pub(super) can_undo: bool,
    pub(super) can_redo: bool,
}

impl Snapshot {
    pub(crate) fn info(&self) -> RecordingInfo<'_> {
        RecordingInfo {
            revision: self.revision,
            tape_revision: self.tape,
            preview_of: self.preview_of,
            losses: self.losses.clone(),
            modified: self.modified,
            can_undo: self.can_undo,
            can_redo: self.can_redo,
            ..RecordingInfo::new(self.id, &self.source.name, self.source.origin, &self.contents)
        }
    }
}
