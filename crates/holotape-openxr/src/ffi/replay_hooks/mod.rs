//! The functions that the replay layer answers. What the recording does not have is passed on.

mod actions;
mod composition;
mod hands;
mod spaces;

use std::ffi::{CStr, c_char};

use actions::{
    attach_session_action_sets, get_action_state_boolean, get_action_state_float, get_action_state_pose,
    get_current_interaction_profile, suggest_interaction_profile_bindings, sync_actions,
};
use composition::end_frame;
use hands::{create_hand_tracker, destroy_hand_tracker, locate_hand_joints};
use openxr_sys as xr;
use spaces::{
    create_action_space, create_reference_space, destroy_space, locate_space, locate_spaces, locate_spaces_khr,
    locate_views,
};
use xr::pfn;

use super::hooks::{get_proc_addr, hooks};
use super::next::call;
use super::{Next, REPLAY, chain};
use crate::replay::ReplayLayer;

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
    b"xrEndFrame" => end_frame: EndFrame,
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

pub(in crate::ffi) unsafe extern "system" fn get_instance_proc_addr(
    instance: xr::Instance,
    name: *const c_char,
    function: *mut Option<pfn::VoidFunction>,
) -> xr::Result {
    let provides = |layer: &ReplayLayer, name: &CStr| {
        HAND_FUNCTIONS.contains(&name.to_bytes()) && layer.is_enabled("XR_EXT_hand_tracking")
    };
    // SAFETY: pointers of the application.
    unsafe { get_proc_addr(&REPLAY, (instance, name, function), hook, provides) }
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
