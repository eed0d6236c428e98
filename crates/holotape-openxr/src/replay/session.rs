//! One session of the application during a replay.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use openxr_sys as xr;

use super::clock::Clock;
use super::fixed_spaces::FixedSpaces;
use super::inputs::SyncedInputs;
use super::recorded::Recorded;
use crate::config::ReplayConfig;
use crate::ffi::{Next, XrResult};

pub(super) struct ReplaySession {
    pub(super) handle: xr::Session,
    /// The space of the recording.
    pub(super) world: xr::Space,
    pub(super) world_kind: xr::ReferenceSpaceType,
    /// With a fixed step: the other reference spaces.
    pub(super) fixed_spaces: Option<FixedSpaces>,
    /// The runtime's own head.
    pub(super) view: xr::Space,
    pub(super) clock: Mutex<Clock>,
    pub(super) inputs: Mutex<SyncedInputs>,
    pub(super) has_requested_exit: AtomicBool,
    /// Whether the application must still be informed of the interaction profile.
    pub(super) has_profile_event: AtomicBool,
}

impl ReplaySession {
    pub(super) fn new(config: &ReplayConfig, next: &Next, handle: xr::Session, recorded: &Recorded) -> XrResult<Self> {
        use xr::ReferenceSpaceType as Type;
        let has_stage = || next.reference_spaces(handle).is_ok_and(|kinds| kinds.contains(&Type::STAGE));
        let world_kind = config.space.reference_space(|| recorded.is_above_floor() && has_stage());
        Ok(Self {
            handle,
            world: next.create_reference_space(handle, world_kind)?,
            world_kind,
            fixed_spaces: config.step_secs.map(|_| FixedSpaces::new(world_kind, recorded.first_head)),
            view: next.create_reference_space(handle, Type::VIEW)?,
            clock: Mutex::new(Clock::new(config, recorded.duration_secs)),
            inputs: Mutex::default(),
            has_requested_exit: AtomicBool::new(false),
            has_profile_event: AtomicBool::new(false),
        })
    }
}
