//! One session of the application during a replay.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use openxr_sys as xr;

use super::clock::Clock;
use super::inputs::SyncedInputs;
use crate::config::ReplayConfig;
use crate::ffi::{Next, XrResult};

pub(super) struct ReplaySession {
    pub(super) handle: xr::Session,
    /// The space of the recording.
    pub(super) world: xr::Space,
    pub(super) world_kind: xr::ReferenceSpaceType,
    /// The runtime's own head.
    pub(super) view: xr::Space,
    pub(super) clock: Mutex<Clock>,
    pub(super) inputs: Mutex<SyncedInputs>,
    pub(super) has_requested_exit: AtomicBool,
    /// Whether the application must still be informed of the interaction profile.
    pub(super) has_profile_event: AtomicBool,
}

impl ReplaySession {
    pub(super) fn new(
        config: &ReplayConfig,
        next: &Next,
        handle: xr::Session,
        duration_secs: f64,
        is_above_floor: bool,
    ) -> XrResult<Self> {
        use xr::ReferenceSpaceType as Type;
        let has_stage = || next.reference_spaces(handle).is_ok_and(|kinds| kinds.contains(&Type::STAGE));
        let world_kind = config.space.reference_space(|| is_above_floor && has_stage());
        Ok(Self {
            handle,
            world: next.create_reference_space(handle, world_kind)?,
            world_kind,
            view: next.create_reference_space(handle, Type::VIEW)?,
            clock: Mutex::new(Clock::new(config, duration_secs)),
            inputs: Mutex::default(),
            has_requested_exit: AtomicBool::new(false),
            has_profile_event: AtomicBool::new(false),
        })
    }
}
