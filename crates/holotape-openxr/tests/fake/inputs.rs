//! The functions of the runtime for actions and hands.

use openxr_sys as xr;
use xr::Handle as _;

use super::functions::{answer, flags};
use super::pose::Rigid;
use super::runtime::{hand_in_stage, joint_offset};

// SAFETY (all functions): the layers and the application of the tests pass valid pointers, as OpenXR requires.

pub(super) unsafe extern "system" fn create_action_set(
    _: xr::Instance,
    _: *const xr::ActionSetCreateInfo,
    set: *mut xr::ActionSet,
) -> xr::Result {
    answer("xrCreateActionSet", |runtime| unsafe {
        *set = xr::ActionSet::from_raw(runtime.new_handle());
        Ok(())
    })
}

pub(super) unsafe extern "system" fn create_action(
    _: xr::ActionSet,
    _: *const xr::ActionCreateInfo,
    action: *mut xr::Action,
) -> xr::Result {
    answer("xrCreateAction", |runtime| unsafe {
        *action = xr::Action::from_raw(runtime.new_handle());
        Ok(())
    })
}

/// Fails for the profile of an extension that is not enabled.
pub(super) unsafe extern "system" fn suggest_bindings(
    _: xr::Instance,
    info: *const xr::InteractionProfileSuggestedBinding,
) -> xr::Result {
    answer("xrSuggestInteractionProfileBindings", |runtime| unsafe {
        let name = runtime.paths[(*info).interaction_profile.into_raw() as usize - 1].clone();
        let is_enabled = |extension: &str| runtime.enabled.iter().any(|enabled| enabled == extension);
        let is_known = match name.as_str() {
            "/interaction_profiles/ext/hand_interaction_ext" => is_enabled("XR_EXT_hand_interaction"),
            "/interaction_profiles/ext/eye_gaze_interaction" => is_enabled("XR_EXT_eye_gaze_interaction"),
            _ => true,
        };
        runtime.suggested.push(name);
        if is_known { Ok(()) } else { Err(xr::Result::ERROR_PATH_UNSUPPORTED) }
    })
}

pub(super) unsafe extern "system" fn attach_session_action_sets(
    _: xr::Session,
    _: *const xr::SessionActionSetsAttachInfo,
) -> xr::Result {
    answer("xrAttachSessionActionSets", |_| Ok(()))
}

pub(super) unsafe extern "system" fn sync_actions(_: xr::Session, info: *const xr::ActionsSyncInfo) -> xr::Result {
    answer("xrSyncActions", |runtime| {
        runtime.synced_sets = unsafe { (*info).count_active_action_sets };
        Ok(())
    })
}

pub(super) unsafe extern "system" fn get_action_state_boolean(
    _: xr::Session,
    _: *const xr::ActionStateGetInfo,
    state: *mut xr::ActionStateBoolean,
) -> xr::Result {
    answer("xrGetActionStateBoolean", |runtime| unsafe {
        (*state).is_active = runtime.action_value.is_some().into();
        (*state).current_state = runtime.action_value.is_some_and(|value| value > 0.5).into();
        Ok(())
    })
}

pub(super) unsafe extern "system" fn get_action_state_float(
    _: xr::Session,
    _: *const xr::ActionStateGetInfo,
    state: *mut xr::ActionStateFloat,
) -> xr::Result {
    answer("xrGetActionStateFloat", |runtime| unsafe {
        (*state).is_active = runtime.action_value.is_some().into();
        (*state).current_state = runtime.action_value.unwrap_or(0.0);
        Ok(())
    })
}

pub(super) unsafe extern "system" fn get_action_state_pose(
    _: xr::Session,
    _: *const xr::ActionStateGetInfo,
    state: *mut xr::ActionStatePose,
) -> xr::Result {
    answer("xrGetActionStatePose", |runtime| unsafe {
        (*state).is_active = runtime.action_value.is_some().into();
        Ok(())
    })
}

pub(super) unsafe extern "system" fn get_current_interaction_profile(
    _: xr::Session,
    _: xr::Path,
    state: *mut xr::InteractionProfileState,
) -> xr::Result {
    answer("xrGetCurrentInteractionProfile", |runtime| unsafe {
        let profile = runtime.profile;
        (*state).interaction_profile = if profile.is_empty() { xr::Path::NULL } else { runtime.path(profile) };
        Ok(())
    })
}

/// The handle of a tracker is even for the left hand.
pub(super) unsafe extern "system" fn create_hand_tracker(
    _: xr::Session,
    info: *const xr::HandTrackerCreateInfoEXT,
    tracker: *mut xr::HandTrackerEXT,
) -> xr::Result {
    answer("xrCreateHandTrackerEXT", |runtime| unsafe {
        let side = u64::from((*info).hand == xr::HandEXT::RIGHT);
        *tracker = xr::HandTrackerEXT::from_raw(2 * runtime.new_handle() + side);
        Ok(())
    })
}

pub(super) unsafe extern "system" fn destroy_hand_tracker(_: xr::HandTrackerEXT) -> xr::Result {
    answer("xrDestroyHandTrackerEXT", |runtime| {
        runtime.destroyed_trackers += 1;
        Ok(())
    })
}

pub(super) unsafe extern "system" fn locate_hand_joints(
    tracker: xr::HandTrackerEXT,
    info: *const xr::HandJointsLocateInfoEXT,
    locations: *mut xr::HandJointLocationsEXT,
) -> xr::Result {
    answer("xrLocateHandJointsEXT", |runtime| unsafe {
        let nanos = (*info).time.as_nanos();
        let base = runtime.in_stage((*info).base_space, nanos)?;
        let base = base.filter(|_| !runtime.lost.contains(&nanos));
        (*locations).is_active = base.is_some().into();
        let side = (tracker.into_raw() % 2) as usize;
        let hand = base.map(|base| base.inverse().then(hand_in_stage(side, 0, nanos)));
        for index in 0..(*locations).joint_count as usize {
            let joint = &mut *(*locations).joint_locations.add(index);
            joint.location_flags = flags(hand);
            let hand = hand.unwrap_or(Rigid::IDENTITY);
            joint.pose =
                Rigid { position: hand.position + hand.rotation * glam::DVec3::from(joint_offset(index)), ..hand }
                    .to_openxr();
            joint.radius = 0.01;
        }
        Ok(())
    })
}
