//! Hand trackers, which are the layer's own.

use openxr_sys as xr;

use super::super::next::call;
use super::super::{HAND_JOINT_COUNT, Next, REPLAY, tracked_flags};
use super::spaces::clear_velocities;
use crate::rigid::Rigid;

pub(super) unsafe extern "system" fn create_hand_tracker(
    session: xr::Session,
    info: *const xr::HandTrackerCreateInfoEXT,
    tracker: *mut xr::HandTrackerEXT,
) -> xr::Result {
    let pass_on = |next: &Next| match next.functions.create_hand_tracker {
        // SAFETY: the arguments of the application.
        Some(function) => unsafe { function(session, info, tracker) },
        None => xr::Result::ERROR_FEATURE_UNSUPPORTED,
    };
    REPLAY.call(
        |layer, next| {
            // SAFETY: valid or null, as OpenXR requires.
            let (Some(info), false) = (unsafe { info.as_ref() }, tracker.is_null()) else { return pass_on(next) };
            let hand = if info.hand == xr::HandEXT::LEFT { holotape::Hand::Left } else { holotape::Hand::Right };
            let Some(created) = layer.create_tracker(session, hand) else { return pass_on(next) };
            // SAFETY: not null, and the application owns it.
            unsafe { *tracker = created };
            xr::Result::SUCCESS
        },
        pass_on,
    )
}

pub(super) unsafe extern "system" fn destroy_hand_tracker(tracker: xr::HandTrackerEXT) -> xr::Result {
    let pass_on = |next: &Next| {
        if is_ours(tracker) { xr::Result::SUCCESS } else { call!(next, destroy_hand_tracker(tracker)) }
    };
    REPLAY.call(|layer, next| if layer.destroy_tracker(tracker) { xr::Result::SUCCESS } else { pass_on(next) }, pass_on)
}

pub(super) unsafe extern "system" fn locate_hand_joints(
    tracker: xr::HandTrackerEXT,
    info: *const xr::HandJointsLocateInfoEXT,
    locations: *mut xr::HandJointLocationsEXT,
) -> xr::Result {
    let pass_on = |next: &Next| {
        if is_ours(tracker) {
            return xr::Result::ERROR_RUNTIME_FAILURE;
        }
        call!(next, locate_hand_joints(tracker, info, locations))
    };
    REPLAY.call(
        |layer, next| {
            // SAFETY: valid or null, as OpenXR requires.
            let (Some(info), Some(locations)) = (unsafe { info.as_ref() }, unsafe { locations.as_mut() }) else {
                return pass_on(next);
            };
            let joints = match layer.locate_joints(tracker, info.base_space, info.time) {
                Ok(Some(joints)) => joints,
                Ok(None) => return pass_on(next),
                Err(code) => return code,
            };
            if locations.joint_count as usize != HAND_JOINT_COUNT || locations.joint_locations.is_null() {
                return xr::Result::ERROR_VALIDATION_FAILURE;
            }
            locations.is_active = joints.is_some().into();
            let joints = joints.unwrap_or([(None, 0.0); HAND_JOINT_COUNT]);
            for (index, (pose, radius)) in joints.into_iter().enumerate() {
                let flags = if pose.is_some() { tracked_flags() } else { xr::SpaceLocationFlags::EMPTY };
                let pose = pose.unwrap_or(Rigid::IDENTITY).to_openxr();
                // SAFETY: the array has as many elements as its count, which was checked.
                unsafe {
                    *locations.joint_locations.add(index) =
                        xr::HandJointLocationEXT { location_flags: flags, pose, radius };
                }
            }
            // SAFETY: a valid chain, as OpenXR requires.
            unsafe { clear_velocities(locations.next) };
            xr::Result::SUCCESS
        },
        pass_on,
    )
}

/// Whether a tracker is the layer's. The runtime must never see it, not even after the layer was disabled.
fn is_ours(tracker: xr::HandTrackerEXT) -> bool {
    REPLAY.get().is_some_and(|instance| instance.layer.as_ref().is_some_and(|layer| layer.owns_tracker(tracker)))
}
