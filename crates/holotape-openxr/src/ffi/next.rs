//! The functions of the next layer or the runtime, and safe calls to those that the layers use themselves.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char};
use std::ptr;

use openxr_sys as xr;
use xr::{Handle as _, pfn};

use super::XrResult;
use crate::rigid::Rigid;

/// The number of joints that XR_EXT_hand_tracking has.
pub(crate) const HAND_JOINT_COUNT: usize = 26;

/// Joints of one hand; a joint without a valid pose is `None`.
pub(crate) type HandJoints = [Option<Rigid>; HAND_JOINT_COUNT];

/// Where a space is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Located {
    pub(crate) flags: xr::SpaceLocationFlags,
    pub(crate) pose: Rigid,
}

impl Located {
    /// The pose if both its parts are valid. A pose that is valid but not tracked is inferred, and still a pose.
    pub(crate) fn valid_pose(self) -> Option<Rigid> {
        self.flags.contains(valid_flags()).then_some(self.pose)
    }
}

/// The flags of a pose with a valid position and orientation.
fn valid_flags() -> xr::SpaceLocationFlags {
    xr::SpaceLocationFlags::ORIENTATION_VALID | xr::SpaceLocationFlags::POSITION_VALID
}

/// The flags of a pose that is valid and tracked.
pub(crate) fn tracked_flags() -> xr::SpaceLocationFlags {
    valid_flags() | xr::SpaceLocationFlags::ORIENTATION_TRACKED | xr::SpaceLocationFlags::POSITION_TRACKED
}

macro_rules! functions {
    ($($field:ident: $Function:ident,)*) => {
        /// The functions of the next layer; those of extensions that are not enabled are missing.
        pub(super) struct Functions {
            $(pub(super) $field: Option<pfn::$Function>,)*
        }

        impl Functions {
            /// # Safety
            /// `get` is the function of the next layer, and `instance` its instance.
            unsafe fn load(get: pfn::GetInstanceProcAddr, instance: xr::Instance) -> Self {
                Self {
                    $($field: {
                        // SAFETY: as the caller guarantees; the function has the type that its name stands for.
                        unsafe {
                            find(get, instance, concat!("xr", stringify!($Function)))
                                .map(|function| std::mem::transmute::<pfn::VoidFunction, pfn::$Function>(function))
                        }
                    },)*
                }
            }
        }
    };
}

functions! {
    attach_session_action_sets: AttachSessionActionSets,
    create_action: CreateAction,
    create_action_set: CreateActionSet,
    create_action_space: CreateActionSpace,
    create_hand_tracker: CreateHandTrackerEXT,
    create_reference_space: CreateReferenceSpace,
    create_session: CreateSession,
    destroy_hand_tracker: DestroyHandTrackerEXT,
    destroy_instance: DestroyInstance,
    destroy_session: DestroySession,
    destroy_space: DestroySpace,
    end_frame: EndFrame,
    enumerate_reference_spaces: EnumerateReferenceSpaces,
    get_action_state_boolean: GetActionStateBoolean,
    get_action_state_float: GetActionStateFloat,
    get_action_state_pose: GetActionStatePose,
    get_current_interaction_profile: GetCurrentInteractionProfile,
    get_instance_properties: GetInstanceProperties,
    get_system: GetSystem,
    get_system_properties: GetSystemProperties,
    locate_hand_joints: LocateHandJointsEXT,
    locate_space: LocateSpace,
    locate_spaces: LocateSpaces,
    locate_spaces_khr: LocateSpacesKHR,
    locate_views: LocateViews,
    path_to_string: PathToString,
    poll_event: PollEvent,
    request_exit_session: RequestExitSession,
    string_to_path: StringToPath,
    suggest_interaction_profile_bindings: SuggestInteractionProfileBindings,
    sync_actions: SyncActions,
    wait_frame: WaitFrame,
}

/// What is below a layer: the next layer, or the runtime.
pub(crate) struct Next {
    pub(super) get_instance_proc_addr: pfn::GetInstanceProcAddr,
    pub(super) functions: Functions,
    pub(super) instance: xr::Instance,
}

/// Calls a function of the next layer, or returns that it does not exist.
macro_rules! call {
    ($next:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $next.functions.$function {
            // SAFETY: the caller of this macro passes what the function requires.
            Some(function) => unsafe { function($($argument),*) },
            None => openxr_sys::Result::ERROR_FUNCTION_UNSUPPORTED,
        }
    };
}
pub(super) use call;

pub(super) fn check(result: xr::Result) -> XrResult<()> {
    if result.into_raw() >= 0 { Ok(()) } else { Err(result) }
}

impl Next {
    /// # Safety
    /// `get` is the function of the next layer, and `instance` its instance.
    pub(super) unsafe fn load(get: pfn::GetInstanceProcAddr, instance: xr::Instance) -> Self {
        // SAFETY: as the caller guarantees.
        Self { get_instance_proc_addr: get, functions: unsafe { Functions::load(get, instance) }, instance }
    }

    pub(crate) fn reference_spaces(&self, session: xr::Session) -> XrResult<Vec<xr::ReferenceSpaceType>> {
        let mut spaces = [xr::ReferenceSpaceType::VIEW; 32];
        let mut count = 0;
        let capacity = spaces.len() as u32;
        // SAFETY (this and the following functions): the pointers are to local values that live during the call.
        check(call!(self, enumerate_reference_spaces(session, capacity, &raw mut count, spaces.as_mut_ptr())))?;
        Ok(spaces.into_iter().take(count as usize).collect())
    }

    pub(crate) fn create_reference_space(
        &self,
        session: xr::Session,
        kind: xr::ReferenceSpaceType,
    ) -> XrResult<xr::Space> {
        let info = xr::ReferenceSpaceCreateInfo {
            ty: xr::ReferenceSpaceCreateInfo::TYPE,
            next: ptr::null(),
            reference_space_type: kind,
            pose_in_reference_space: Rigid::IDENTITY.to_openxr(),
        };
        let mut space = xr::Space::NULL;
        check(call!(self, create_reference_space(session, &raw const info, &raw mut space)))?;
        Ok(space)
    }

    pub(crate) fn destroy_space(&self, space: xr::Space) {
        let _ = call!(self, destroy_space(space));
    }

    pub(crate) fn locate_space(&self, space: xr::Space, base: xr::Space, time: xr::Time) -> XrResult<Located> {
        let mut location = xr::SpaceLocation {
            ty: xr::SpaceLocation::TYPE,
            next: ptr::null_mut(),
            location_flags: xr::SpaceLocationFlags::EMPTY,
            pose: Rigid::IDENTITY.to_openxr(),
        };
        check(call!(self, locate_space(space, base, time, &raw mut location)))?;
        Ok(Located { flags: location.location_flags, pose: Rigid::from_openxr(location.pose) })
    }

    pub(crate) fn create_hand_tracker(&self, session: xr::Session, hand: xr::HandEXT) -> XrResult<xr::HandTrackerEXT> {
        let info = xr::HandTrackerCreateInfoEXT {
            ty: xr::HandTrackerCreateInfoEXT::TYPE,
            next: ptr::null(),
            hand,
            hand_joint_set: xr::HandJointSetEXT::DEFAULT,
        };
        let mut tracker = xr::HandTrackerEXT::NULL;
        check(call!(self, create_hand_tracker(session, &raw const info, &raw mut tracker)))?;
        Ok(tracker)
    }

    pub(crate) fn destroy_hand_tracker(&self, tracker: xr::HandTrackerEXT) {
        let _ = call!(self, destroy_hand_tracker(tracker));
    }

    /// The joints of a hand, or `None` if it is not tracked.
    pub(crate) fn locate_hand_joints(
        &self,
        tracker: xr::HandTrackerEXT,
        base: xr::Space,
        time: xr::Time,
    ) -> XrResult<Option<HandJoints>> {
        let info = xr::HandJointsLocateInfoEXT {
            ty: xr::HandJointsLocateInfoEXT::TYPE,
            next: ptr::null(),
            base_space: base,
            time,
        };
        let nowhere = xr::HandJointLocationEXT {
            location_flags: xr::SpaceLocationFlags::EMPTY,
            pose: Rigid::IDENTITY.to_openxr(),
            radius: 0.0,
        };
        let mut joints = [nowhere; HAND_JOINT_COUNT];
        let mut locations = xr::HandJointLocationsEXT {
            ty: xr::HandJointLocationsEXT::TYPE,
            next: ptr::null_mut(),
            is_active: xr::FALSE,
            joint_count: joints.len() as u32,
            joint_locations: joints.as_mut_ptr(),
        };
        check(call!(self, locate_hand_joints(tracker, &raw const info, &raw mut locations)))?;
        let joint = |joint: xr::HandJointLocationEXT| {
            Located { flags: joint.location_flags, pose: Rigid::from_openxr(joint.pose) }.valid_pose()
        };
        Ok(bool::from(locations.is_active).then(|| joints.map(joint)))
    }

    pub(crate) fn create_action_set(&self, name: &str) -> XrResult<xr::ActionSet> {
        let info = xr::ActionSetCreateInfo {
            ty: xr::ActionSetCreateInfo::TYPE,
            next: ptr::null(),
            action_set_name: fixed(name),
            localized_action_set_name: fixed(name),
            priority: 0,
        };
        let mut set = xr::ActionSet::NULL;
        check(call!(self, create_action_set(self.instance, &raw const info, &raw mut set)))?;
        Ok(set)
    }

    pub(crate) fn create_action(
        &self,
        set: xr::ActionSet,
        name: &str,
        ty: xr::ActionType,
        subaction_paths: &[xr::Path],
    ) -> XrResult<xr::Action> {
        let info = xr::ActionCreateInfo {
            ty: xr::ActionCreateInfo::TYPE,
            next: ptr::null(),
            action_name: fixed(name),
            action_type: ty,
            count_subaction_paths: subaction_paths.len() as u32,
            subaction_paths: subaction_paths.as_ptr(),
            localized_action_name: fixed(name),
        };
        let mut action = xr::Action::NULL;
        check(call!(self, create_action(set, &raw const info, &raw mut action)))?;
        Ok(action)
    }

    pub(crate) fn create_action_space(&self, session: xr::Session, action: xr::Action) -> XrResult<xr::Space> {
        let info = xr::ActionSpaceCreateInfo {
            ty: xr::ActionSpaceCreateInfo::TYPE,
            next: ptr::null(),
            action,
            subaction_path: xr::Path::NULL,
            pose_in_action_space: Rigid::IDENTITY.to_openxr(),
        };
        let mut space = xr::Space::NULL;
        check(call!(self, create_action_space(session, &raw const info, &raw mut space)))?;
        Ok(space)
    }

    pub(crate) fn suggest_bindings(&self, profile: xr::Path, bindings: &[xr::ActionSuggestedBinding]) -> xr::Result {
        let info = xr::InteractionProfileSuggestedBinding {
            ty: xr::InteractionProfileSuggestedBinding::TYPE,
            next: ptr::null(),
            interaction_profile: profile,
            count_suggested_bindings: bindings.len() as u32,
            suggested_bindings: bindings.as_ptr(),
        };
        call!(self, suggest_interaction_profile_bindings(self.instance, &raw const info))
    }

    /// The value of an action, or `None` while it is not active.
    pub(crate) fn action_state(
        &self,
        session: xr::Session,
        action: xr::Action,
        subaction_path: xr::Path,
    ) -> XrResult<Option<f32>> {
        let info =
            xr::ActionStateGetInfo { ty: xr::ActionStateGetInfo::TYPE, next: ptr::null(), action, subaction_path };
        let mut state = xr::ActionStateFloat {
            ty: xr::ActionStateFloat::TYPE,
            next: ptr::null_mut(),
            current_state: 0.0,
            changed_since_last_sync: xr::FALSE,
            last_change_time: xr::Time::from_nanos(0),
            is_active: xr::FALSE,
        };
        check(call!(self, get_action_state_float(session, &raw const info, &raw mut state)))?;
        Ok(bool::from(state.is_active).then_some(state.current_state))
    }

    /// The interaction profile of a hand, [`xr::Path::NULL`] if it has none.
    pub(crate) fn interaction_profile(&self, session: xr::Session, user_path: xr::Path) -> XrResult<xr::Path> {
        let mut state = xr::InteractionProfileState {
            ty: xr::InteractionProfileState::TYPE,
            next: ptr::null_mut(),
            interaction_profile: xr::Path::NULL,
        };
        check(call!(self, get_current_interaction_profile(session, user_path, &raw mut state)))?;
        Ok(state.interaction_profile)
    }

    pub(crate) fn path(&self, path: &str) -> XrResult<xr::Path> {
        let Ok(text) = CString::new(path) else { return Err(xr::Result::ERROR_PATH_FORMAT_INVALID) };
        let mut path = xr::Path::NULL;
        check(call!(self, string_to_path(self.instance, text.as_ptr(), &raw mut path)))?;
        Ok(path)
    }

    pub(crate) fn path_text(&self, path: xr::Path) -> XrResult<String> {
        let mut buffer = [0; xr::MAX_PATH_LENGTH];
        let (mut count, capacity) = (0, buffer.len() as u32);
        check(call!(self, path_to_string(self.instance, path, capacity, &raw mut count, buffer.as_mut_ptr())))?;
        Ok(text_of(&buffer))
    }

    pub(crate) fn request_exit(&self, session: xr::Session) -> xr::Result {
        call!(self, request_exit_session(session))
    }
}

/// Text in an array of a fixed size, cut to fit, with 0 at its end.
pub(super) fn fixed<const N: usize>(text: &str) -> [c_char; N] {
    let mut array = [0; N];
    for (to, from) in array.iter_mut().zip(text.bytes()).take(N - 1) {
        *to = from as c_char;
    }
    array
}

/// The text of an array up to its 0.
pub(super) fn text_of(array: &[c_char]) -> String {
    let bytes: Vec<u8> = array.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// # Safety
/// `get` is a function of a layer or runtime, and `instance` null or its instance.
pub(super) unsafe fn find(
    get: pfn::GetInstanceProcAddr,
    instance: xr::Instance,
    name: &str,
) -> Option<pfn::VoidFunction> {
    let name = CString::new(name).ok()?;
    // SAFETY: as the caller guarantees; the name ends with 0.
    unsafe { find_c(get, instance, &name) }.ok()
}

/// # Safety
/// As [`find`].
pub(super) unsafe fn find_c(
    get: pfn::GetInstanceProcAddr,
    instance: xr::Instance,
    name: &CStr,
) -> XrResult<pfn::VoidFunction> {
    let mut function = None;
    // SAFETY: as the caller guarantees; the result is a local value.
    check(unsafe { get(instance, name.as_ptr(), &raw mut function) })?;
    function.ok_or(xr::Result::ERROR_FUNCTION_UNSUPPORTED)
}

/// The extensions that the runtime and the layers below offer; none if it cannot be asked.
///
/// # Safety
/// `get` is the function of the next layer.
pub(super) unsafe fn extensions_of_the_runtime(get: pfn::GetInstanceProcAddr) -> BTreeSet<String> {
    // SAFETY: as the caller guarantees; this function needs no instance, and has this type.
    let enumerate = unsafe {
        find(get, xr::Instance::NULL, "xrEnumerateInstanceExtensionProperties").map(|function| {
            std::mem::transmute::<pfn::VoidFunction, pfn::EnumerateInstanceExtensionProperties>(function)
        })
    };
    let Some(enumerate) = enumerate else { return BTreeSet::new() };
    let mut count = 0;
    // SAFETY: a capacity of 0 asks for the count.
    let mut result = unsafe { enumerate(ptr::null(), 0, &raw mut count, ptr::null_mut()) };
    let empty = xr::ExtensionProperties {
        ty: xr::ExtensionProperties::TYPE,
        next: ptr::null_mut(),
        extension_name: [0; xr::MAX_EXTENSION_NAME_SIZE],
        extension_version: 0,
    };
    let mut properties = vec![empty; count as usize];
    if result == xr::Result::SUCCESS {
        // SAFETY: the array has as many elements as the capacity.
        result = unsafe { enumerate(ptr::null(), count, &raw mut count, properties.as_mut_ptr()) };
    }
    let known = if result == xr::Result::SUCCESS { count as usize } else { 0 };
    properties.iter().take(known).map(|extension| text_of(&extension.extension_name)).collect()
}
