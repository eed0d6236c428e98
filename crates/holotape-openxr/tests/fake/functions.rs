//! The functions of the runtime.

use std::ffi::{CStr, c_char};

use openxr_sys as xr;
use xr::{Handle as _, pfn};

use super::inputs::{
    attach_session_action_sets, create_action, create_action_set, create_hand_tracker, destroy_hand_tracker,
    get_action_state_boolean, get_action_state_float, get_action_state_pose, get_current_interaction_profile,
    locate_hand_joints, suggest_bindings, sync_actions,
};
use super::pose::Rigid;
use super::runtime::{INSTANCE, PERIOD_NANOS, Runtime, Submitted, runtime};
use super::{TRACKED, fixed};

macro_rules! functions {
    ($($name:literal => $function:ident: $Function:ident,)*) => {
        fn function(name: &str) -> Option<pfn::VoidFunction> {
            match name {
                // SAFETY: the caller casts the pointer back to the type that the name stands for.
                $($name => Some(unsafe { std::mem::transmute::<pfn::$Function, pfn::VoidFunction>($function) }),)*
                _ => None,
            }
        }
    };
}

functions! {
    "xrAttachSessionActionSets" => attach_session_action_sets: AttachSessionActionSets,
    "xrBeginFrame" => begin_frame: BeginFrame,
    "xrCreateAction" => create_action: CreateAction,
    "xrCreateActionSet" => create_action_set: CreateActionSet,
    "xrCreateActionSpace" => create_action_space: CreateActionSpace,
    "xrCreateHandTrackerEXT" => create_hand_tracker: CreateHandTrackerEXT,
    "xrCreateReferenceSpace" => create_reference_space: CreateReferenceSpace,
    "xrCreateSession" => create_session: CreateSession,
    "xrDestroyHandTrackerEXT" => destroy_hand_tracker: DestroyHandTrackerEXT,
    "xrDestroyInstance" => destroy_instance: DestroyInstance,
    "xrDestroySession" => destroy_session: DestroySession,
    "xrDestroySpace" => destroy_space: DestroySpace,
    "xrEndFrame" => end_frame: EndFrame,
    "xrEnumerateInstanceExtensionProperties" => enumerate_extensions: EnumerateInstanceExtensionProperties,
    "xrEnumerateReferenceSpaces" => enumerate_reference_spaces: EnumerateReferenceSpaces,
    "xrGetActionStateBoolean" => get_action_state_boolean: GetActionStateBoolean,
    "xrGetActionStateFloat" => get_action_state_float: GetActionStateFloat,
    "xrGetActionStatePose" => get_action_state_pose: GetActionStatePose,
    "xrGetCurrentInteractionProfile" => get_current_interaction_profile: GetCurrentInteractionProfile,
    "xrGetSystemProperties" => get_system_properties: GetSystemProperties,
    "xrLocateHandJointsEXT" => locate_hand_joints: LocateHandJointsEXT,
    "xrLocateSpace" => locate_space: LocateSpace,
    "xrLocateSpaces" => locate_spaces: LocateSpaces,
    "xrLocateSpacesKHR" => locate_spaces: LocateSpacesKHR,
    "xrLocateViews" => locate_views: LocateViews,
    "xrPathToString" => path_to_string: PathToString,
    "xrPollEvent" => poll_event: PollEvent,
    "xrRequestExitSession" => request_exit_session: RequestExitSession,
    "xrStringToPath" => string_to_path: StringToPath,
    "xrSuggestInteractionProfileBindings" => suggest_bindings: SuggestInteractionProfileBindings,
    "xrSyncActions" => sync_actions: SyncActions,
    "xrWaitFrame" => wait_frame: WaitFrame,
}

/// Answers a call, unless the test wants it to fail.
pub(super) fn answer(name: &'static str, answer: impl FnOnce(&mut Runtime) -> Result<(), xr::Result>) -> xr::Result {
    let mut runtime = runtime();
    let mut failing = runtime.failing.iter_mut().filter(|(failing, _, count)| *failing == name && *count > 0);
    if let Some((_, code, count)) = failing.next() {
        *count -= 1;
        return *code;
    }
    drop(failing);
    answer(&mut runtime).err().unwrap_or(xr::Result::SUCCESS)
}

// SAFETY (all functions): the layers and the application of the tests pass valid pointers, as OpenXR requires.

pub(super) unsafe extern "system" fn get_instance_proc_addr(
    _: xr::Instance,
    name: *const c_char,
    found: *mut Option<pfn::VoidFunction>,
) -> xr::Result {
    let name = unsafe { CStr::from_ptr(name) }.to_str().expect("UTF-8");
    let runtime = runtime();
    let is_enabled = |extension: &str| runtime.enabled.iter().any(|enabled| enabled == extension);
    let is_there = match name {
        name if name.contains("HandTracker") || name.contains("HandJoints") => is_enabled("XR_EXT_hand_tracking"),
        "xrLocateSpacesKHR" => is_enabled("XR_KHR_locate_spaces"),
        _ => true,
    };
    unsafe { *found = function(name).filter(|_| is_there) };
    if unsafe { *found }.is_some() { xr::Result::SUCCESS } else { xr::Result::ERROR_FUNCTION_UNSUPPORTED }
}

/// What the loader calls after the last layer.
pub(super) unsafe extern "system" fn create_instance(
    info: *const xr::InstanceCreateInfo,
    _: *const xr::ApiLayerCreateInfo,
    instance: *mut xr::Instance,
) -> xr::Result {
    answer("xrCreateInstance", |runtime| unsafe {
        let names =
            std::slice::from_raw_parts((*info).enabled_extension_names, (*info).enabled_extension_count as usize);
        let names = names.iter().map(|name| CStr::from_ptr(*name).to_str().expect("UTF-8").to_owned());
        runtime.enabled = names.collect();
        if runtime.enabled.iter().any(|name| !runtime.extensions.contains(&name.as_str())) {
            return Err(xr::Result::ERROR_EXTENSION_NOT_PRESENT);
        }
        *instance = xr::Instance::from_raw(INSTANCE);
        Ok(())
    })
}

unsafe extern "system" fn enumerate_extensions(
    _: *const c_char,
    capacity: u32,
    count: *mut u32,
    properties: *mut xr::ExtensionProperties,
) -> xr::Result {
    answer("xrEnumerateInstanceExtensionProperties", |runtime| unsafe {
        *count = runtime.extensions.len() as u32;
        for (index, name) in runtime.extensions.iter().enumerate().take(capacity as usize) {
            (*properties.add(index)).extension_name = fixed(name);
        }
        Ok(())
    })
}

unsafe extern "system" fn destroy_instance(_: xr::Instance) -> xr::Result {
    answer("xrDestroyInstance", |_| Ok(()))
}

unsafe extern "system" fn get_system_properties(
    _: xr::Instance,
    _: xr::SystemId,
    _: *mut xr::SystemProperties,
) -> xr::Result {
    answer("xrGetSystemProperties", |_| Ok(()))
}

unsafe extern "system" fn create_session(
    _: xr::Instance,
    _: *const xr::SessionCreateInfo,
    session: *mut xr::Session,
) -> xr::Result {
    answer("xrCreateSession", |runtime| unsafe {
        *session = xr::Session::from_raw(runtime.new_handle());
        Ok(())
    })
}

unsafe extern "system" fn destroy_session(_: xr::Session) -> xr::Result {
    answer("xrDestroySession", |_| Ok(()))
}

unsafe extern "system" fn request_exit_session(_: xr::Session) -> xr::Result {
    answer("xrRequestExitSession", |runtime| {
        runtime.exit_requests += 1;
        Ok(())
    })
}

unsafe extern "system" fn enumerate_reference_spaces(
    _: xr::Session,
    capacity: u32,
    count: *mut u32,
    spaces: *mut xr::ReferenceSpaceType,
) -> xr::Result {
    use xr::ReferenceSpaceType as Type;
    answer("xrEnumerateReferenceSpaces", |runtime| unsafe {
        let kinds = [Type::VIEW, Type::LOCAL, Type::STAGE];
        *count = if runtime.has_stage { 3 } else { 2 };
        kinds.iter().take((*count).min(capacity) as usize).enumerate().for_each(|(n, kind)| *spaces.add(n) = *kind);
        Ok(())
    })
}

unsafe extern "system" fn create_reference_space(
    _: xr::Session,
    info: *const xr::ReferenceSpaceCreateInfo,
    space: *mut xr::Space,
) -> xr::Result {
    answer("xrCreateReferenceSpace", |runtime| unsafe {
        let kind = (*info).reference_space_type;
        if kind == xr::ReferenceSpaceType::STAGE && !runtime.has_stage {
            return Err(xr::Result::ERROR_REFERENCE_SPACE_UNSUPPORTED);
        }
        *space = runtime.add_space(Some(kind), (*info).pose_in_reference_space);
        Ok(())
    })
}

unsafe extern "system" fn create_action_space(
    _: xr::Session,
    info: *const xr::ActionSpaceCreateInfo,
    space: *mut xr::Space,
) -> xr::Result {
    answer("xrCreateActionSpace", |runtime| unsafe {
        *space = runtime.add_space(None, (*info).pose_in_action_space);
        Ok(())
    })
}

unsafe extern "system" fn destroy_space(space: xr::Space) -> xr::Result {
    answer(
        "xrDestroySpace",
        |runtime| {
            if runtime.remove_space(space) { Ok(()) } else { Err(xr::Result::ERROR_HANDLE_INVALID) }
        },
    )
}

pub(super) fn flags(pose: Option<Rigid>) -> xr::SpaceLocationFlags {
    xr::SpaceLocationFlags::from_raw(if pose.is_some() { TRACKED } else { 0 })
}

unsafe extern "system" fn locate_space(
    space: xr::Space,
    base: xr::Space,
    time: xr::Time,
    location: *mut xr::SpaceLocation,
) -> xr::Result {
    answer("xrLocateSpace", |runtime| unsafe {
        let pose = runtime.locate(space, base, time.as_nanos())?;
        (*location).location_flags = flags(pose);
        (*location).pose = pose.unwrap_or(Rigid::IDENTITY).to_openxr();
        Ok(())
    })
}

unsafe extern "system" fn locate_spaces(
    _: xr::Session,
    info: *const xr::SpacesLocateInfo,
    locations: *mut xr::SpaceLocations,
) -> xr::Result {
    answer("xrLocateSpaces", |runtime| unsafe {
        for index in 0..(*info).space_count as usize {
            let space = *(*info).spaces.add(index);
            let pose = runtime.locate(space, (*info).base_space, (*info).time.as_nanos())?;
            let data = xr::SpaceLocationData {
                location_flags: flags(pose),
                pose: pose.unwrap_or(Rigid::IDENTITY).to_openxr(),
            };
            *(*locations).locations.add(index) = data;
        }
        Ok(())
    })
}

/// The eyes are 64 mm apart.
unsafe extern "system" fn locate_views(
    _: xr::Session,
    info: *const xr::ViewLocateInfo,
    state: *mut xr::ViewState,
    capacity: u32,
    count: *mut u32,
    views: *mut xr::View,
) -> xr::Result {
    answer("xrLocateViews", |runtime| unsafe {
        *count = 2;
        if capacity < 2 {
            return Ok(());
        }
        let nanos = (*info).display_time.as_nanos();
        let base = runtime.in_stage((*info).space, nanos)?;
        let head = base.zip((!runtime.lost.contains(&nanos)).then(|| super::head_in_stage(nanos)));
        let head = head.map(|(base, head)| base.inverse().then(head));
        (*state).view_state_flags = xr::ViewStateFlags::from_raw(flags(head).into_raw());
        for (index, x) in [-0.032, 0.032].into_iter().enumerate() {
            let eye = Rigid::new(0.0, [x, 0.0, 0.0]);
            (*views.add(index)).pose = head.unwrap_or(Rigid::IDENTITY).then(eye).to_openxr();
        }
        Ok(())
    })
}

unsafe extern "system" fn wait_frame(
    _: xr::Session,
    _: *const xr::FrameWaitInfo,
    state: *mut xr::FrameState,
) -> xr::Result {
    answer("xrWaitFrame", |runtime| unsafe {
        (*state).predicted_display_time = xr::Time::from_nanos(runtime.next_nanos);
        runtime.next_nanos += PERIOD_NANOS;
        Ok(())
    })
}

unsafe extern "system" fn begin_frame(_: xr::Session, _: *const xr::FrameBeginInfo) -> xr::Result {
    answer("xrBeginFrame", |_| Ok(()))
}

unsafe extern "system" fn end_frame(_: xr::Session, info: *const xr::FrameEndInfo) -> xr::Result {
    use xr::StructureType as Type;
    answer("xrEndFrame", |runtime| unsafe {
        runtime.submitted.clear();
        for index in 0..(*info).layer_count as usize {
            let layer = *(*info).layers.add(index);
            let (ty, space) = ((*layer).ty, (*layer).space);
            let (pose, view_count) = match ty {
                Type::COMPOSITION_LAYER_PROJECTION => {
                    let layer = &*layer.cast::<xr::CompositionLayerProjection>();
                    ((*layer.views).pose, layer.view_count)
                }
                Type::COMPOSITION_LAYER_QUAD => ((*layer.cast::<xr::CompositionLayerQuad>()).pose, 0),
                Type::COMPOSITION_LAYER_CUBE_KHR => {
                    let orientation = (*layer.cast::<xr::CompositionLayerCubeKHR>()).orientation;
                    (xr::Posef { orientation, ..Rigid::IDENTITY.to_openxr() }, 0)
                }
                _ => (Rigid::IDENTITY.to_openxr(), 0),
            };
            runtime.submitted.push(Submitted { ty, space, pose, view_count });
        }
        Ok(())
    })
}

unsafe extern "system" fn poll_event(_: xr::Instance, buffer: *mut xr::EventDataBuffer) -> xr::Result {
    let mut result = xr::Result::EVENT_UNAVAILABLE;
    answer("xrPollEvent", |runtime| {
        if let Some(event) = runtime.events.pop_front() {
            unsafe { *buffer = event };
            result = xr::Result::SUCCESS;
        }
        Ok(())
    });
    result
}

unsafe extern "system" fn string_to_path(_: xr::Instance, text: *const c_char, path: *mut xr::Path) -> xr::Result {
    answer("xrStringToPath", |runtime| unsafe {
        *path = runtime.path(CStr::from_ptr(text).to_str().expect("UTF-8"));
        Ok(())
    })
}

unsafe extern "system" fn path_to_string(
    _: xr::Instance,
    path: xr::Path,
    capacity: u32,
    count: *mut u32,
    buffer: *mut c_char,
) -> xr::Result {
    answer("xrPathToString", |runtime| unsafe {
        let index = path.into_raw().checked_sub(1).ok_or(xr::Result::ERROR_PATH_INVALID)?;
        let text = runtime.paths.get(index as usize).ok_or(xr::Result::ERROR_PATH_INVALID)?;
        *count = text.len() as u32 + 1;
        let bytes = text.bytes().chain([0]).take(capacity as usize);
        bytes.enumerate().for_each(|(n, byte)| *buffer.add(n) = byte as c_char);
        Ok(())
    })
}
