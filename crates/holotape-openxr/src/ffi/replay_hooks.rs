//! The functions that the replay layer answers. What the recording does not have is passed on.

use std::ffi::{CStr, c_char, c_void};

use openxr_sys as xr;
use xr::pfn;

use super::next::{call, find_c};
use super::record_hooks::{hooks, slice};
use super::{HAND_JOINT_COUNT, Located, Next, REPLAY, chain, tracked_flags};
use crate::replay::{ActionState, ReplayLayer};
use crate::rigid::Rigid;

hooks! {
    b"xrAttachSessionActionSets" => attach_session_action_sets: AttachSessionActionSets,
    b"xrCreateActionSpace" => create_action_space: CreateActionSpace,
    b"xrCreateHandTrackerEXT" => create_hand_tracker: CreateHandTrackerEXT,
    b"xrCreateReferenceSpace" => create_reference_space: CreateReferenceSpace,
    b"xrCreateSession" => create_session: CreateSession,
    b"xrDestroyHandTrackerEXT" => destroy_hand_tracker: DestroyHandTrackerEXT,
    b"xrDestroyInstance" => destroy_instance: DestroyInstance,
    b"xrDestroySession" => destroy_session: DestroySession,
    b"xrDestroySpace" => destroy_space: DestroySpace,
    b"xrGetActionStateBoolean" => get_action_state_boolean: GetActionStateBoolean,
    b"xrGetActionStateFloat" => get_action_state_float: GetActionStateFloat,
    b"xrGetActionStatePose" => get_action_state_pose: GetActionStatePose,
    b"xrGetCurrentInteractionProfile" => get_current_interaction_profile: GetCurrentInteractionProfile,
    b"xrGetInstanceProcAddr" => get_instance_proc_addr: GetInstanceProcAddr,
    b"xrGetSystemProperties" => get_system_properties: GetSystemProperties,
    b"xrLocateHandJointsEXT" => locate_hand_joints: LocateHandJointsEXT,
    b"xrLocateSpace" => locate_space: LocateSpace,
    b"xrLocateSpaces" => locate_spaces: LocateSpaces,
    b"xrLocateSpacesKHR" => locate_spaces_khr: LocateSpacesKHR,
    b"xrLocateViews" => locate_views: LocateViews,
    b"xrPollEvent" => poll_event: PollEvent,
    b"xrSuggestInteractionProfileBindings" => suggest_interaction_profile_bindings: SuggestInteractionProfileBindings,
    b"xrSyncActions" => sync_actions: SyncActions,
    b"xrWaitFrame" => wait_frame: WaitFrame,
}

/// The functions of XR_EXT_hand_tracking, which the layer has even where the runtime does not.
const HAND_FUNCTIONS: [&[u8]; 3] = [b"xrCreateHandTrackerEXT", b"xrDestroyHandTrackerEXT", b"xrLocateHandJointsEXT"];

pub(super) unsafe extern "system" fn get_instance_proc_addr(
    instance: xr::Instance,
    name: *const c_char,
    function: *mut Option<pfn::VoidFunction>,
) -> xr::Result {
    let Some(ours) = REPLAY.get() else { return xr::Result::ERROR_HANDLE_INVALID };
    if name.is_null() || function.is_null() {
        return xr::Result::ERROR_VALIDATION_FAILURE;
    }
    // SAFETY: not null; names end with 0.
    let name = unsafe { CStr::from_ptr(name) };
    // SAFETY: the function of the next layer, with the instance of the application.
    let below = unsafe { find_c(ours.next.get_instance_proc_addr, instance, name) };
    let is_enabled = |layer: &ReplayLayer| layer.is_enabled("XR_EXT_hand_tracking");
    let has_hands = HAND_FUNCTIONS.contains(&name.to_bytes()) && ours.layer.as_ref().is_some_and(is_enabled);
    let (result, found) = match (hook(name), below) {
        (Some(hook), Ok(_)) => (xr::Result::SUCCESS, Some(hook)),
        (Some(hook), Err(_)) if has_hands => (xr::Result::SUCCESS, Some(hook)),
        (None, Ok(below)) => (xr::Result::SUCCESS, Some(below)),
        (_, Err(code)) => (code, None),
    };
    // SAFETY: not null, and the caller owns it.
    unsafe { *function = found };
    result
}

unsafe extern "system" fn destroy_instance(instance: xr::Instance) -> xr::Result {
    let pass_on = |next: &Next| call!(next, destroy_instance(instance));
    let result = REPLAY.call(|_, next| pass_on(next), pass_on);
    REPLAY.replace(None);
    result
}

unsafe extern "system" fn get_system_properties(
    instance: xr::Instance,
    system: xr::SystemId,
    properties: *mut xr::SystemProperties,
) -> xr::Result {
    use xr::StructureType as Type;
    REPLAY.observe(
        |next| call!(next, get_system_properties(instance, system, properties)),
        |layer, _| {
            let [hands, gaze] = layer.supports().map(|answer| answer.map(xr::Bool32::from));
            // SAFETY: the runtime has accepted the structure and its chain; the type tells what each structure is.
            unsafe {
                chain::for_each((*properties).next, |ty, structure| match ty {
                    Type::SYSTEM_HAND_TRACKING_PROPERTIES_EXT => {
                        let structure = &mut *structure.cast::<xr::SystemHandTrackingPropertiesEXT>();
                        structure.supports_hand_tracking = hands.unwrap_or(structure.supports_hand_tracking);
                    }
                    Type::SYSTEM_EYE_GAZE_INTERACTION_PROPERTIES_EXT => {
                        let structure = &mut *structure.cast::<xr::SystemEyeGazeInteractionPropertiesEXT>();
                        let supports = &mut structure.supports_eye_gaze_interaction;
                        *supports = gaze.unwrap_or(*supports);
                    }
                    _ => {}
                });
            }
        },
    )
}

unsafe extern "system" fn create_session(
    instance: xr::Instance,
    info: *const xr::SessionCreateInfo,
    session: *mut xr::Session,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, create_session(instance, info, session)),
        // SAFETY: the runtime has written the handle.
        |layer, _| layer.session_created(unsafe { *session }),
    )
}

unsafe extern "system" fn destroy_session(session: xr::Session) -> xr::Result {
    let pass_on = |next: &Next| call!(next, destroy_session(session));
    REPLAY.call(
        |layer, next| {
            layer.session_ends(session);
            pass_on(next)
        },
        pass_on,
    )
}

unsafe extern "system" fn wait_frame(
    session: xr::Session,
    info: *const xr::FrameWaitInfo,
    state: *mut xr::FrameState,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, wait_frame(session, info, state)),
        // SAFETY: the runtime has accepted the pointer. In headless sessions it may write no time; then it is 0.
        |layer, _| layer.frame_begins(session, unsafe { (*state).predicted_display_time }),
    )
}

unsafe extern "system" fn poll_event(instance: xr::Instance, event: *mut xr::EventDataBuffer) -> xr::Result {
    let pass_on = |next: &Next| call!(next, poll_event(instance, event));
    REPLAY.call(
        |layer, next| {
            let result = pass_on(next);
            if result != xr::Result::EVENT_UNAVAILABLE {
                return result;
            }
            let Some(session) = layer.take_profile_event() else { return result };
            let changed = xr::EventDataInteractionProfileChanged {
                ty: xr::EventDataInteractionProfileChanged::TYPE,
                next: std::ptr::null(),
                session,
            };
            // SAFETY: the runtime has accepted the buffer, which is large enough for every event.
            unsafe { event.cast::<xr::EventDataInteractionProfileChanged>().write(changed) };
            xr::Result::SUCCESS
        },
        pass_on,
    )
}

unsafe extern "system" fn create_reference_space(
    session: xr::Session,
    info: *const xr::ReferenceSpaceCreateInfo,
    space: *mut xr::Space,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, create_reference_space(session, info, space)),
        |layer, _| {
            // SAFETY: the runtime has accepted both pointers and written the handle.
            let (info, space) = unsafe { (&*info, *space) };
            let offset = Rigid::from_openxr(info.pose_in_reference_space);
            layer.reference_space_created(session, space, info.reference_space_type, offset);
        },
    )
}

unsafe extern "system" fn create_action_space(
    session: xr::Session,
    info: *const xr::ActionSpaceCreateInfo,
    space: *mut xr::Space,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, create_action_space(session, info, space)),
        |layer, _| {
            // SAFETY: the runtime has accepted both pointers and written the handle.
            let (info, space) = unsafe { (&*info, *space) };
            let offset = Rigid::from_openxr(info.pose_in_action_space);
            layer.action_space_created(session, space, info.action, info.subaction_path, offset);
        },
    )
}

unsafe extern "system" fn destroy_space(space: xr::Space) -> xr::Result {
    REPLAY.observe(|next| call!(next, destroy_space(space)), |layer, _| layer.space_destroyed(space))
}

unsafe extern "system" fn locate_space(
    space: xr::Space,
    base: xr::Space,
    time: xr::Time,
    location: *mut xr::SpaceLocation,
) -> xr::Result {
    let pass_on = |next: &Next| call!(next, locate_space(space, base, time, location));
    REPLAY.call(
        |layer, next| {
            // SAFETY: valid or null, as OpenXR requires.
            let Some(location) = (unsafe { location.as_mut() }) else { return pass_on(next) };
            let located = match layer.locate(space, base, time) {
                Ok(Some(located)) => located,
                Ok(None) => return pass_on(next),
                Err(code) => return code,
            };
            (location.location_flags, location.pose) = (located.flags, located.pose.to_openxr());
            // SAFETY: a valid chain, as OpenXR requires.
            unsafe { clear_velocities(location.next) };
            xr::Result::SUCCESS
        },
        pass_on,
    )
}

unsafe extern "system" fn locate_spaces(
    session: xr::Session,
    info: *const xr::SpacesLocateInfo,
    locations: *mut xr::SpaceLocations,
) -> xr::Result {
    let pass_on = |next: &Next| call!(next, locate_spaces(session, info, locations));
    // SAFETY: pointers of the application.
    REPLAY.call(|layer, next| unsafe { locate_each(layer, info, locations, || pass_on(next)) }, pass_on)
}

unsafe extern "system" fn locate_spaces_khr(
    session: xr::Session,
    info: *const xr::SpacesLocateInfo,
    locations: *mut xr::SpaceLocations,
) -> xr::Result {
    let pass_on = |next: &Next| call!(next, locate_spaces_khr(session, info, locations));
    // SAFETY: pointers of the application.
    REPLAY.call(|layer, next| unsafe { locate_each(layer, info, locations, || pass_on(next)) }, pass_on)
}

/// Lets the runtime locate all spaces, then replaces the answers that the recording has.
///
/// # Safety
/// The pointers are valid or null.
unsafe fn locate_each(
    layer: &ReplayLayer,
    info: *const xr::SpacesLocateInfo,
    locations: *mut xr::SpaceLocations,
    pass_on: impl FnOnce() -> xr::Result,
) -> xr::Result {
    let result = pass_on();
    if result.into_raw() < 0 {
        return result;
    }
    // SAFETY: the runtime has accepted the pointers; both arrays have as many elements as their counts.
    let (info, locations) = unsafe { (&*info, &mut *locations) };
    // SAFETY: as above.
    let spaces = unsafe { slice(info.spaces, info.space_count) };
    let count = locations.location_count.min(info.space_count) as usize;
    for (index, space) in spaces.iter().enumerate().take(count) {
        match layer.locate(*space, info.base_space, info.time) {
            // SAFETY: the index is below the count of the array.
            Ok(Some(Located { flags, pose })) => unsafe {
                let location = &mut *locations.locations.add(index);
                (location.location_flags, location.pose) = (flags, pose.to_openxr());
            },
            Ok(None) => {}
            Err(code) => return code,
        }
    }
    // SAFETY: the runtime has accepted the chain.
    unsafe { clear_velocities(locations.next) };
    result
}

unsafe extern "system" fn locate_views(
    session: xr::Session,
    info: *const xr::ViewLocateInfo,
    state: *mut xr::ViewState,
    capacity: u32,
    count: *mut u32,
    views: *mut xr::View,
) -> xr::Result {
    let pass_on = |next: &Next| call!(next, locate_views(session, info, state, capacity, count, views));
    REPLAY.call(
        |layer, next| {
            // SAFETY: valid or null, as OpenXR requires.
            let Some(asked) = (unsafe { info.as_ref() }) else { return pass_on(next) };
            let (view_space, head) = match layer.locate_head(session, asked.space, asked.display_time) {
                Ok(Some(found)) => found,
                Ok(None) => return pass_on(next),
                Err(code) => return code,
            };
            // The eyes keep the offsets and fields of view that the runtime has.
            let mut in_view = *asked;
            in_view.space = view_space;
            let result = call!(next, locate_views(session, &raw const in_view, state, capacity, count, views));
            if result.into_raw() < 0 || capacity == 0 {
                return result;
            }
            // SAFETY: the runtime has accepted the pointers and written as many views as the count says.
            unsafe {
                for index in 0..(*count as usize) {
                    let view = &mut *views.add(index);
                    view.pose = head.unwrap_or(Rigid::IDENTITY).then(Rigid::from_openxr(view.pose)).to_openxr();
                }
                let flags = if head.is_some() { tracked_flags().into_raw() } else { 0 };
                (*state).view_state_flags = xr::ViewStateFlags::from_raw(flags);
            }
            result
        },
        pass_on,
    )
}

/// The recording has no velocities. Stale values must not stay in the application's structures.
///
/// # Safety
/// `next` is null or a valid chain of output structures.
unsafe fn clear_velocities(next: *mut c_void) {
    use xr::StructureType as Type;
    let none = xr::SpaceVelocityFlags::EMPTY;
    // SAFETY: as the caller guarantees; the type tells what each structure is, and arrays have their count.
    unsafe {
        chain::for_each(next, |ty, structure| match ty {
            Type::SPACE_VELOCITY => (*structure.cast::<xr::SpaceVelocity>()).velocity_flags = none,
            Type::SPACE_VELOCITIES => {
                let structure = &*structure.cast::<xr::SpaceVelocities>();
                for index in 0..structure.velocity_count as usize {
                    (*structure.velocities.add(index)).velocity_flags = none;
                }
            }
            Type::HAND_JOINT_VELOCITIES_EXT => {
                let structure = &*structure.cast::<xr::HandJointVelocitiesEXT>();
                for index in 0..structure.joint_count as usize {
                    (*structure.joint_velocities.add(index)).velocity_flags = none;
                }
            }
            _ => {}
        });
    }
}

unsafe extern "system" fn create_hand_tracker(
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

unsafe extern "system" fn destroy_hand_tracker(tracker: xr::HandTrackerEXT) -> xr::Result {
    let pass_on = |next: &Next| call!(next, destroy_hand_tracker(tracker));
    REPLAY.call(|layer, next| if layer.destroy_tracker(tracker) { xr::Result::SUCCESS } else { pass_on(next) }, pass_on)
}

unsafe extern "system" fn locate_hand_joints(
    tracker: xr::HandTrackerEXT,
    info: *const xr::HandJointsLocateInfoEXT,
    locations: *mut xr::HandJointLocationsEXT,
) -> xr::Result {
    let pass_on = |next: &Next| call!(next, locate_hand_joints(tracker, info, locations));
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

unsafe extern "system" fn suggest_interaction_profile_bindings(
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

unsafe extern "system" fn attach_session_action_sets(
    session: xr::Session,
    info: *const xr::SessionActionSetsAttachInfo,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, attach_session_action_sets(session, info)),
        |layer, _| layer.actions_attached(session),
    )
}

unsafe extern "system" fn sync_actions(session: xr::Session, info: *const xr::ActionsSyncInfo) -> xr::Result {
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

unsafe extern "system" fn get_current_interaction_profile(
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

unsafe extern "system" fn get_action_state_boolean(
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

unsafe extern "system" fn get_action_state_float(
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

unsafe extern "system" fn get_action_state_pose(
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
