//! Actions: pinches, poses and the interaction profile of the recording.

use openxr_sys as xr;

use super::super::hooks::slice;
use super::super::next::call;
use super::super::{Next, REPLAY};
use crate::replay::{ActionState, ReplayLayer};

pub(super) unsafe extern "system" fn suggest_interaction_profile_bindings(
    instance: xr::Instance,
    info: *const xr::InteractionProfileSuggestedBinding,
) -> xr::Result {
    let pass_on = |next: &Next| call!(next, suggest_interaction_profile_bindings(instance, info));
    REPLAY.call(
        |layer, next| {
            // SAFETY: valid or null, as OpenXR requires.
            let Some(suggested) = (unsafe { info.as_ref() }) else { return pass_on(next) };
            // SAFETY: the array has as many elements as its count.
            let bindings = unsafe { slice(suggested.suggested_bindings, suggested.count_suggested_bindings) };
            let is_unknown_below = layer.suggest(suggested.interaction_profile, bindings);
            if is_unknown_below { xr::Result::SUCCESS } else { pass_on(next) }
        },
        pass_on,
    )
}

pub(super) unsafe extern "system" fn attach_session_action_sets(
    session: xr::Session,
    info: *const xr::SessionActionSetsAttachInfo,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, attach_session_action_sets(session, info)),
        |layer, _| layer.actions_attached(session),
    )
}

pub(super) unsafe extern "system" fn sync_actions(
    session: xr::Session,
    info: *const xr::ActionsSyncInfo,
) -> xr::Result {
    let pass_on = |next: &Next| call!(next, sync_actions(session, info));
    REPLAY.call(
        |layer, next| {
            let result = pass_on(next);
            if result.into_raw() >= 0 {
                layer.actions_synced(session, result != xr::Result::SESSION_NOT_FOCUSED);
            }
            result
        },
        pass_on,
    )
}

pub(super) unsafe extern "system" fn get_current_interaction_profile(
    session: xr::Session,
    user_path: xr::Path,
    state: *mut xr::InteractionProfileState,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, get_current_interaction_profile(session, user_path, state)),
        |layer, _| {
            if let Some(profile) = layer.interaction_profile(user_path) {
                // SAFETY: the runtime has accepted the pointer.
                unsafe { (*state).interaction_profile = profile };
            }
        },
    )
}

/// What the layer answers about an action, `None` if the runtime must.
///
/// # Safety
/// `info` is valid or null.
unsafe fn action_state(
    layer: &ReplayLayer,
    session: xr::Session,
    info: *const xr::ActionStateGetInfo,
) -> Option<ActionState> {
    // SAFETY: as the caller guarantees.
    let info = unsafe { info.as_ref() }?;
    layer.action_state(session, info.action, info.subaction_path)
}

pub(super) unsafe extern "system" fn get_action_state_boolean(
    session: xr::Session,
    info: *const xr::ActionStateGetInfo,
    state: *mut xr::ActionStateBoolean,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, get_action_state_boolean(session, info, state)),
        // SAFETY: the runtime has accepted the pointers.
        |layer, _| unsafe {
            if let Some(answer) = action_state(layer, session, info) {
                (*state).current_state = (answer.value > 0.5).into();
                (*state).changed_since_last_sync = answer.has_changed.into();
                (*state).last_change_time = xr::Time::from_nanos(answer.changed_nanos);
                (*state).is_active = answer.is_active.into();
            }
        },
    )
}

pub(super) unsafe extern "system" fn get_action_state_float(
    session: xr::Session,
    info: *const xr::ActionStateGetInfo,
    state: *mut xr::ActionStateFloat,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, get_action_state_float(session, info, state)),
        // SAFETY: the runtime has accepted the pointers.
        |layer, _| unsafe {
            if let Some(answer) = action_state(layer, session, info) {
                (*state).current_state = answer.value;
                (*state).changed_since_last_sync = answer.has_changed.into();
                (*state).last_change_time = xr::Time::from_nanos(answer.changed_nanos);
                (*state).is_active = answer.is_active.into();
            }
        },
    )
}

pub(super) unsafe extern "system" fn get_action_state_pose(
    session: xr::Session,
    info: *const xr::ActionStateGetInfo,
    state: *mut xr::ActionStatePose,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, get_action_state_pose(session, info, state)),
        // SAFETY: the runtime has accepted the pointers.
        |layer, _| unsafe {
            if let Some(answer) = action_state(layer, session, info) {
                (*state).is_active = answer.is_active.into();
            }
        },
    )
}
