//! The state of the runtime: its device, spaces and events, and what it was asked.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use openxr_sys as xr;
use xr::Handle as _;

use super::pose::Rigid;

/// The time of the first frame.
pub const FIRST_NANOS: i64 = 1_000_000_000;

/// The time between two frames: 90 frames per second.
pub const PERIOD_NANOS: i64 = 11_111_111;

/// The only instance.
pub const INSTANCE: u64 = 1;

/// The handle of the first space is above those of sessions, actions and trackers.
const FIRST_SPACE: u64 = 1_000_000;

static RUNTIME: LazyLock<Mutex<Runtime>> = LazyLock::new(|| Mutex::new(Runtime::new()));

/// The runtime. Release it before the application calls a function.
pub fn runtime() -> MutexGuard<'static, Runtime> {
    RUNTIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A layer that the application, or a layer of ours, has submitted.
#[derive(Clone, Copy, Debug)]
pub struct Submitted {
    pub ty: xr::StructureType,
    pub space: xr::Space,
    /// The pose of the layer, or of its first view.
    pub pose: xr::Posef,
    /// The number of views, 0 for layers without views.
    pub view_count: u32,
}

#[derive(Clone, Copy)]
struct SpaceInfo {
    kind: Option<xr::ReferenceSpaceType>,
    offset: Rigid,
}

pub struct Runtime {
    /// The extensions that it offers.
    pub extensions: Vec<&'static str>,
    /// The extensions that were enabled.
    pub enabled: Vec<String>,
    pub has_stage: bool,
    pub local_in_stage: Rigid,
    /// From this time on, LOCAL is here in STAGE.
    pub recentering: Option<(i64, Rigid)>,
    /// When neither head nor hands are tracked.
    pub lost: Range<i64>,
    /// Whether the eyes are tracked.
    pub has_eyes: bool,
    /// The value of all actions; inactive if `None`.
    pub action_value: Option<f32>,
    /// The interaction profile of both hands.
    pub profile: &'static str,
    /// The functions that fail, and how often.
    pub failing: Vec<(&'static str, xr::Result, u32)>,
    pub events: VecDeque<xr::EventDataBuffer>,
    /// The layers of the last frame.
    pub submitted: Vec<Submitted>,
    /// The names of the profiles for which bindings were suggested.
    pub suggested: Vec<String>,
    /// The number of action sets in the last synchronization.
    pub synced_sets: u32,
    pub exit_requests: u32,
    /// The number of calls of xrDestroyHandTrackerEXT.
    pub destroyed_trackers: u32,
    pub next_nanos: i64,
    pub(super) paths: Vec<String>,
    pub(super) last_handle: u64,
    spaces: Vec<Option<SpaceInfo>>,
}

// SAFETY: the pointers in events are null.
unsafe impl Send for Runtime {}

impl Runtime {
    pub fn new() -> Self {
        Self {
            extensions: vec!["XR_EXT_hand_tracking", "XR_EXT_eye_gaze_interaction", "XR_KHR_locate_spaces"],
            enabled: Vec::new(),
            has_stage: true,
            local_in_stage: Rigid::new(20.0, [0.3, 1.5, -0.2]),
            recentering: None,
            lost: 0..0,
            has_eyes: false,
            action_value: None,
            profile: "",
            failing: Vec::new(),
            events: VecDeque::new(),
            submitted: Vec::with_capacity(64),
            suggested: Vec::new(),
            synced_sets: 0,
            exit_requests: 0,
            destroyed_trackers: 0,
            next_nanos: FIRST_NANOS,
            paths: Vec::new(),
            last_handle: INSTANCE,
            spaces: Vec::new(),
        }
    }

    /// Queues an event.
    pub fn push_event<T>(&mut self, event: T) {
        let mut buffer: xr::EventDataBuffer = super::empty(xr::EventDataBuffer::TYPE);
        assert!(size_of::<T>() <= size_of_val(&buffer));
        // SAFETY: an event is a structure of OpenXR, which is smaller than the buffer.
        unsafe { (&raw mut buffer).cast::<T>().write(event) };
        self.events.push_back(buffer);
    }

    pub(super) fn new_handle(&mut self) -> u64 {
        self.last_handle += 1;
        self.last_handle
    }

    /// Adds a space; `kind` is `None` for the space of an action.
    pub(super) fn add_space(&mut self, kind: Option<xr::ReferenceSpaceType>, offset: xr::Posef) -> xr::Space {
        self.spaces.push(Some(SpaceInfo { kind, offset: Rigid::from_openxr(offset) }));
        xr::Space::from_raw(FIRST_SPACE + self.spaces.len() as u64 - 1)
    }

    /// Removes a space. Returns whether it existed.
    pub(super) fn remove_space(&mut self, space: xr::Space) -> bool {
        self.slot(space).and_then(Option::take).is_some()
    }

    /// The number of spaces that were not destroyed.
    pub fn space_count(&self) -> usize {
        self.spaces.iter().flatten().count()
    }

    fn slot(&mut self, space: xr::Space) -> Option<&mut Option<SpaceInfo>> {
        let index = space.into_raw().checked_sub(FIRST_SPACE)?;
        self.spaces.get_mut(index as usize)
    }

    /// The pose of a space in STAGE, `None` while it is lost; an error if there is no such space.
    pub(super) fn in_stage(&mut self, space: xr::Space, nanos: i64) -> Result<Option<Rigid>, xr::Result> {
        use xr::ReferenceSpaceType as Type;
        if nanos <= 0 {
            return Err(xr::Result::ERROR_TIME_INVALID);
        }
        let info = self.slot(space).and_then(|slot| *slot).ok_or(xr::Result::ERROR_HANDLE_INVALID)?;
        let local = self.recentering.filter(|(from, _)| nanos >= *from).map_or(self.local_in_stage, |(_, pose)| pose);
        let head = (!self.lost.contains(&nanos)).then(|| head_in_stage(nanos));
        let pose = match info.kind {
            Some(Type::VIEW) => head,
            Some(Type::LOCAL) => Some(local),
            Some(_) => Some(Rigid::IDENTITY),
            None => head.filter(|_| self.has_eyes).map(|head| head.then(gaze_in_view())),
        };
        Ok(pose.map(|pose| pose.then(info.offset)))
    }

    /// The pose of a space in another.
    pub fn locate(&mut self, space: xr::Space, base: xr::Space, nanos: i64) -> Result<Option<Rigid>, xr::Result> {
        let (base, space) = (self.in_stage(base, nanos)?, self.in_stage(space, nanos)?);
        Ok(base.zip(space).map(|(base, space)| base.inverse().then(space)))
    }

    /// The pose in STAGE of a space that exists and is tracked.
    pub fn locate_in_stage(&mut self, space: xr::Space, nanos: i64) -> Rigid {
        self.in_stage(space, nanos).expect("a space").expect("a pose")
    }

    pub(super) fn path(&mut self, text: &str) -> xr::Path {
        let index = self.paths.iter().position(|path| path == text).unwrap_or_else(|| {
            self.paths.push(text.to_owned());
            self.paths.len() - 1
        });
        xr::Path::from_raw(index as u64 + 1)
    }
}

/// Where the eyes look: 10° to the left of the head.
fn gaze_in_view() -> Rigid {
    Rigid::new(10.0, [0.0, 0.0, 0.0])
}

/// The head of the device.
pub fn head_in_stage(nanos: i64) -> Rigid {
    let secs = (nanos - FIRST_NANOS) as f64 * 1e-9;
    Rigid::new(20.0 * secs, [0.2 * secs, 1.6, 0.0])
}

/// A joint of a hand of the device, 0 left and 1 right.
pub fn hand_in_stage(side: usize, joint: usize, nanos: i64) -> Rigid {
    let x = if side == 0 { -0.2 } else { 0.2 };
    let hand = head_in_stage(nanos).then(Rigid::new(5.0, [x, -0.3, -0.4]));
    hand.then(Rigid::new(0.0, joint_offset(joint)))
}

/// The position of a joint in its hand.
pub(super) fn joint_offset(joint: usize) -> [f64; 3] {
    [0.0, 0.0, -0.01 * joint as f64]
}
