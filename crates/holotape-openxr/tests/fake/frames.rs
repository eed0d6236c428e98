//! Frames of the application: what it asks and what it submits.

use openxr_sys as xr;

use super::app::{Session, call, check};
use super::pose::Rigid;
use super::{TRACKED, empty};

/// What the application sees in a frame, in its base space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenFrame {
    pub nanos: i64,
    pub head: Option<Rigid>,
    pub views: [Option<Rigid>; 2],
    pub hands: [SeenHand; 2],
    pub gaze: Option<Rigid>,
    /// Whether the action `select` is active, and its state.
    pub select: [Option<bool>; 2],
}

/// A hand that the application sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenHand {
    pub is_active: bool,
    pub joints: [Option<Rigid>; 26],
}

fn pose(flags: u64, pose: xr::Posef) -> Option<Rigid> {
    (flags == TRACKED).then(|| Rigid::from_openxr(pose))
}

impl Session<'_> {
    /// Waits for a frame, asks for everything and submits what it has rendered.
    pub fn frame(&self) -> SeenFrame {
        let seen = self.see(self.begin());
        self.submit(&seen);
        seen
    }

    /// Waits for a frame; returns its time.
    pub fn begin(&self) -> i64 {
        let wait: xr::FrameWaitInfo = empty(xr::FrameWaitInfo::TYPE);
        let mut state: xr::FrameState = empty(xr::FrameState::TYPE);
        check(call!(self.app, wait_frame(self.handle, &raw const wait, &raw mut state)));
        let begin: xr::FrameBeginInfo = empty(xr::FrameBeginInfo::TYPE);
        check(call!(self.app, begin_frame(self.handle, &raw const begin)));
        state.predicted_display_time.as_nanos()
    }

    /// Synchronizes actions, and asks for everything at this time.
    pub fn see(&self, nanos: i64) -> SeenFrame {
        self.sync();
        let select = self.app.hands.map(|hand| self.select(hand));
        SeenFrame {
            nanos,
            views: self.views(nanos),
            head: self.locate(self.view, self.base, nanos).expect("an answer"),
            hands: [0, 1].map(|side| self.hand(side, nanos)),
            gaze: self.gaze.and_then(|gaze| self.locate(gaze, self.base, nanos).expect("an answer")),
            select,
        }
    }

    pub fn sync(&self) {
        let own = xr::ActiveActionSet { action_set: self.app.set, subaction_path: xr::Path::NULL };
        let mut sync: xr::ActionsSyncInfo = empty(xr::ActionsSyncInfo::TYPE);
        (sync.count_active_action_sets, sync.active_action_sets) = (1, &raw const own);
        check(call!(self.app, sync_actions(self.handle, &raw const sync)));
    }

    fn select(&self, hand: xr::Path) -> Option<bool> {
        let mut info: xr::ActionStateGetInfo = empty(xr::ActionStateGetInfo::TYPE);
        (info.action, info.subaction_path) = (self.app.select, hand);
        let mut state: xr::ActionStateBoolean = empty(xr::ActionStateBoolean::TYPE);
        check(call!(self.app, get_action_state_boolean(self.handle, &raw const info, &raw mut state)));
        bool::from(state.is_active).then(|| state.current_state.into())
    }

    fn views(&self, nanos: i64) -> [Option<Rigid>; 2] {
        let mut info: xr::ViewLocateInfo = empty(xr::ViewLocateInfo::TYPE);
        info.view_configuration_type = xr::ViewConfigurationType::PRIMARY_STEREO;
        (info.display_time, info.space) = (xr::Time::from_nanos(nanos), self.base);
        let mut state: xr::ViewState = empty(xr::ViewState::TYPE);
        let mut views: [xr::View; 2] = [empty(xr::View::TYPE); 2];
        let (mut count, to) = (0, views.as_mut_ptr());
        let (info, state_to) = (&raw const info, &raw mut state);
        check(call!(self.app, locate_views(self.handle, info, state_to, 2, &raw mut count, to)));
        views.map(|view| pose(state.view_state_flags.into_raw(), view.pose))
    }

    /// Locates a space; its velocity must not be what an earlier call has left.
    pub fn locate(&self, space: xr::Space, base: xr::Space, nanos: i64) -> Result<Option<Rigid>, xr::Result> {
        let mut location: xr::SpaceLocation = empty(xr::SpaceLocation::TYPE);
        let time = xr::Time::from_nanos(nanos);
        let result = call!(self.app, locate_space(space, base, time, &raw mut location));
        if result.into_raw() < 0 { Err(result) } else { Ok(pose(location.location_flags.into_raw(), location.pose)) }
    }

    /// Locates several spaces with one call, of the core or of the extension.
    pub fn locate_all(&self, spaces: &[xr::Space], nanos: i64, is_khr: bool) -> Vec<Option<Rigid>> {
        let mut info: xr::SpacesLocateInfo = empty(xr::SpacesLocateInfo::TYPE);
        (info.base_space, info.time) = (self.base, xr::Time::from_nanos(nanos));
        (info.space_count, info.spaces) = (spaces.len() as u32, spaces.as_ptr());
        let nowhere =
            xr::SpaceLocationData { location_flags: xr::SpaceLocationFlags::EMPTY, pose: Rigid::IDENTITY.to_openxr() };
        let mut data = vec![nowhere; spaces.len()];
        let mut locations: xr::SpaceLocations = empty(xr::SpaceLocations::TYPE);
        (locations.location_count, locations.locations) = (data.len() as u32, data.as_mut_ptr());
        let (info, locations) = (&raw const info, &raw mut locations);
        check(if is_khr {
            call!(self.app, locate_spaces_khr(self.handle, info, locations))
        } else {
            call!(self.app, locate_spaces(self.handle, info, locations))
        });
        data.iter().map(|data| pose(data.location_flags.into_raw(), data.pose)).collect()
    }

    fn hand(&self, side: usize, nanos: i64) -> SeenHand {
        let mut joints = [xr::HandJointLocationEXT {
            location_flags: xr::SpaceLocationFlags::EMPTY,
            pose: Rigid::IDENTITY.to_openxr(),
            radius: 0.0,
        }; 26];
        let Some(trackers) = self.trackers else { return SeenHand { is_active: false, joints: [None; 26] } };
        let mut info: xr::HandJointsLocateInfoEXT = empty(xr::HandJointsLocateInfoEXT::TYPE);
        (info.base_space, info.time) = (self.base, xr::Time::from_nanos(nanos));
        let mut locations: xr::HandJointLocationsEXT = empty(xr::HandJointLocationsEXT::TYPE);
        (locations.joint_count, locations.joint_locations) = (26, joints.as_mut_ptr());
        check(call!(self.app, locate_hand_joints(trackers[side], &raw const info, &raw mut locations)));
        let joints = joints.map(|joint| pose(joint.location_flags.into_raw(), joint.pose));
        SeenHand { is_active: locations.is_active.into(), joints }
    }

    /// Submits a projection layer with the views of a frame.
    pub fn submit(&self, seen: &SeenFrame) {
        let views = seen.views.map(|pose| {
            let mut view: xr::CompositionLayerProjectionView = empty(xr::CompositionLayerProjectionView::TYPE);
            view.pose = pose.unwrap_or(Rigid::IDENTITY).to_openxr();
            view
        });
        let mut layer: xr::CompositionLayerProjection = empty(xr::CompositionLayerProjection::TYPE);
        (layer.space, layer.view_count, layer.views) = (self.base, 2, views.as_ptr());
        self.end_frame(seen.nanos, &[(&raw const layer).cast()]);
    }

    pub fn end_frame(&self, nanos: i64, layers: &[*const xr::CompositionLayerBaseHeader]) {
        check(self.try_end_frame(nanos, layers));
    }

    pub fn try_end_frame(&self, nanos: i64, layers: &[*const xr::CompositionLayerBaseHeader]) -> xr::Result {
        let mut info: xr::FrameEndInfo = empty(xr::FrameEndInfo::TYPE);
        info.display_time = xr::Time::from_nanos(nanos);
        info.environment_blend_mode = xr::EnvironmentBlendMode::OPAQUE;
        (info.layer_count, info.layers) = (layers.len() as u32, layers.as_ptr());
        call!(self.app, end_frame(self.handle, &raw const info))
    }
}
