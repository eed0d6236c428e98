//! The functions that the record layer intercepts. All are passed on; the layer looks at arguments and results.

use std::ffi::c_char;

use openxr_sys as xr;
use xr::pfn;

use super::hooks::{get_proc_addr, hooks, slice};
use super::next::call;
use super::{RECORD, chain};
use crate::rigid::Rigid;

hooks! {
    b"xrAttachSessionActionSets" => attach_session_action_sets: AttachSessionActionSets,
    b"xrCreateSession" => create_session: CreateSession,
    b"xrDestroyInstance" => destroy_instance: DestroyInstance,
    b"xrDestroySession" => destroy_session: DestroySession,
    b"xrEndFrame" => end_frame: EndFrame,
    b"xrGetInstanceProcAddr" => get_instance_proc_addr: GetInstanceProcAddr,
    b"xrLocateHandJointsEXT" => locate_hand_joints: LocateHandJointsEXT,
    b"xrLocateSpace" => locate_space: LocateSpace,
    b"xrLocateSpaces" => locate_spaces: LocateSpaces,
    b"xrLocateSpacesKHR" => locate_spaces_khr: LocateSpacesKHR,
    b"xrLocateViews" => locate_views: LocateViews,
    b"xrPollEvent" => poll_event: PollEvent,
    b"xrSuggestInteractionProfileBindings" => suggest_interaction_profile_bindings: SuggestInteractionProfileBindings,
    b"xrSyncActions" => sync_actions: SyncActions,
}

pub(super) unsafe extern "system" fn get_instance_proc_addr(
    instance: xr::Instance,
    name: *const c_char,
    function: *mut Option<pfn::VoidFunction>,
) -> xr::Result {
    // SAFETY: pointers of the application.
    unsafe { get_proc_addr(&RECORD, (instance, name, function), hook, |_, _| false) }
}

unsafe extern "system" fn destroy_instance(instance: xr::Instance) -> xr::Result {
    let result = RECORD.call(
        |layer, next| {
            layer.instance_ends();
            call!(next, destroy_instance(instance))
        },
        |next| call!(next, destroy_instance(instance)),
    );
    RECORD.replace(None);
    result
}

unsafe extern "system" fn create_session(
    instance: xr::Instance,
    info: *const xr::SessionCreateInfo,
    session: *mut xr::Session,
) -> xr::Result {
    RECORD.observe(
        |next| call!(next, create_session(instance, info, session)),
        |layer, _| {
            // SAFETY: the runtime has accepted both pointers and written the handle.
            let (is_headless, session) = unsafe { (!chain::has_graphics_binding((*info).next), *session) };
            layer.session_created(session, is_headless);
        },
    )
}

unsafe extern "system" fn destroy_session(session: xr::Session) -> xr::Result {
    RECORD.call(
        |layer, next| {
            layer.session_ends(session);
            call!(next, destroy_session(session))
        },
        |next| call!(next, destroy_session(session)),
    )
}

unsafe extern "system" fn end_frame(session: xr::Session, info: *const xr::FrameEndInfo) -> xr::Result {
    RECORD.observe(
        |next| call!(next, end_frame(session, info)),
        // SAFETY: the runtime has accepted the pointer.
        |layer, _| layer.frame_ended(session, unsafe { (*info).display_time }),
    )
}

unsafe extern "system" fn locate_space(
    space: xr::Space,
    base: xr::Space,
    time: xr::Time,
    location: *mut xr::SpaceLocation,
) -> xr::Result {
    RECORD.observe(|next| call!(next, locate_space(space, base, time, location)), |layer, _| layer.located(time))
}

unsafe extern "system" fn locate_spaces(
    session: xr::Session,
    info: *const xr::SpacesLocateInfo,
    locations: *mut xr::SpaceLocations,
) -> xr::Result {
    RECORD.observe(
        |next| call!(next, locate_spaces(session, info, locations)),
        // SAFETY: the runtime has accepted the pointer.
        |layer, _| layer.located(unsafe { (*info).time }),
    )
}

unsafe extern "system" fn locate_spaces_khr(
    session: xr::Session,
    info: *const xr::SpacesLocateInfo,
    locations: *mut xr::SpaceLocations,
) -> xr::Result {
    RECORD.observe(
        |next| call!(next, locate_spaces_khr(session, info, locations)),
        // SAFETY: the runtime has accepted the pointer.
        |layer, _| layer.located(unsafe { (*info).time }),
    )
}

unsafe extern "system" fn locate_views(
    session: xr::Session,
    info: *const xr::ViewLocateInfo,
    state: *mut xr::ViewState,
    capacity: u32,
    count: *mut u32,
    views: *mut xr::View,
) -> xr::Result {
    RECORD.observe(
        |next| call!(next, locate_views(session, info, state, capacity, count, views)),
        // SAFETY: the runtime has accepted the pointer.
        |layer, _| layer.located(unsafe { (*info).display_time }),
    )
}

unsafe extern "system" fn locate_hand_joints(
    tracker: xr::HandTrackerEXT,
    info: *const xr::HandJointsLocateInfoEXT,
    locations: *mut xr::HandJointLocationsEXT,
) -> xr::Result {
    RECORD.observe(
        |next| call!(next, locate_hand_joints(tracker, info, locations)),
        // SAFETY: the runtime has accepted the pointer.
        |layer, _| layer.located(unsafe { (*info).time }),
    )
}

unsafe extern "system" fn poll_event(instance: xr::Instance, event: *mut xr::EventDataBuffer) -> xr::Result {
    use xr::StructureType as Type;
    RECORD.observe(
        |next| call!(next, poll_event(instance, event)),
        // SAFETY: the runtime has written an event, and its type tells which structure the buffer has.
        |layer, _| unsafe {
            match (*event).ty {
                Type::EVENT_DATA_SESSION_STATE_CHANGED => {
                    let event = &*event.cast::<xr::EventDataSessionStateChanged>();
                    layer.session_state_changed(event.session, event.state, event.time);
                }
                Type::EVENT_DATA_REFERENCE_SPACE_CHANGE_PENDING => {
                    let event = &*event.cast::<xr::EventDataReferenceSpaceChangePending>();
                    let pose = Rigid::from_openxr(event.pose_in_previous_space);
                    let pose = bool::from(event.pose_valid).then_some(pose);
                    layer.space_changes(event.session, event.reference_space_type, event.change_time, pose);
                }
                Type::EVENT_DATA_INTERACTION_PROFILE_CHANGED => {
                    let event = &*event.cast::<xr::EventDataInteractionProfileChanged>();
                    layer.interaction_profile_changed(event.session);
                }
                _ => {}
            }
        },
    )
}

unsafe extern "system" fn suggest_interaction_profile_bindings(
    instance: xr::Instance,
    info: *const xr::InteractionProfileSuggestedBinding,
) -> xr::Result {
    let pass_on = |next: &super::Next| call!(next, suggest_interaction_profile_bindings(instance, info));
    RECORD.call(
        |layer, next| {
            // SAFETY: valid or null, as OpenXR requires.
            let Some(suggested) = (unsafe { info.as_ref() }) else { return pass_on(next) };
            let extra = layer.extra_bindings(suggested.interaction_profile);
            if extra.is_empty() {
                return pass_on(next);
            }
            // SAFETY: the array has as many elements as its count.
            let mut bindings =
                unsafe { slice(suggested.suggested_bindings, suggested.count_suggested_bindings) }.to_vec();
            bindings.extend(extra);
            let mut both = *suggested;
            both.count_suggested_bindings = bindings.len() as u32;
            both.suggested_bindings = bindings.as_ptr();
            let result = call!(next, suggest_interaction_profile_bindings(instance, &raw const both));
            // A runtime that does not know our bindings must not refuse those of the application.
            if result.into_raw() < 0 { pass_on(next) } else { result }
        },
        pass_on,
    )
}

unsafe extern "system" fn attach_session_action_sets(
    session: xr::Session,
    info: *const xr::SessionActionSetsAttachInfo,
) -> xr::Result {
    let pass_on = |next: &super::Next| call!(next, attach_session_action_sets(session, info));
    RECORD.call(
        |layer, next| {
            // SAFETY: valid or null, as OpenXR requires.
            let (Some(attached), Some(own)) = (unsafe { info.as_ref() }, layer.set_to_attach()) else {
                return pass_on(next);
            };
            // SAFETY: the array has as many elements as its count.
            let mut sets = unsafe { slice(attached.action_sets, attached.count_action_sets) }.to_vec();
            sets.push(own);
            let mut both = *attached;
            both.count_action_sets = sets.len() as u32;
            both.action_sets = sets.as_ptr();
            let result = call!(next, attach_session_action_sets(session, &raw const both));
            if result.into_raw() < 0 {
                return pass_on(next);
            }
            layer.set_attached(session);
            result
        },
        pass_on,
    )
}

/// More active action sets than this in one call are passed on without ours: an array of fixed size needs no
/// allocation.
const MAX_ACTIVE_SETS: usize = 32;

unsafe extern "system" fn sync_actions(session: xr::Session, info: *const xr::ActionsSyncInfo) -> xr::Result {
    let pass_on = |next: &super::Next| call!(next, sync_actions(session, info));
    RECORD.call(
        |layer, next| {
            // SAFETY: valid or null, as OpenXR requires.
            let (Some(synced), Some(action_set)) = (unsafe { info.as_ref() }, layer.set_to_sync(session)) else {
                return pass_on(next);
            };
            let own = xr::ActiveActionSet { action_set, subaction_path: xr::Path::NULL };
            let mut sets = [own; MAX_ACTIVE_SETS];
            let count = synced.count_active_action_sets as usize;
            if count >= MAX_ACTIVE_SETS {
                return pass_on(next);
            }
            // SAFETY: the array has as many elements as its count.
            sets[..count].copy_from_slice(unsafe { slice(synced.active_action_sets, synced.count_active_action_sets) });
            let mut both = *synced;
            both.count_active_action_sets += 1;
            both.active_action_sets = sets.as_ptr();
            let result = call!(next, sync_actions(session, &raw const both));
            if result.into_raw() < 0 { pass_on(next) } else { result }
        },
        pass_on,
    )
}
