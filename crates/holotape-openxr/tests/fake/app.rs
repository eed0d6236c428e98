//! The application.

use std::ffi::CString;
use std::ptr;

use openxr_sys as xr;
use xr::{Handle as _, pfn};

use super::empty;
use super::pose::Rigid;

macro_rules! functions {
    ($($field:ident: $Function:ident,)*) => {
        /// The functions that the application uses; those of extensions that are not enabled are missing.
        pub(super) struct Functions {
            $(pub(super) $field: Option<pfn::$Function>,)*
        }

        impl Functions {
            fn load(get: pfn::GetInstanceProcAddr, instance: xr::Instance) -> Self {
                Self {
                    // SAFETY: the function has the type that its name stands for.
                    $($field: find(get, instance, concat!("xr", stringify!($Function))).map(|function| unsafe {
                        std::mem::transmute::<pfn::VoidFunction, pfn::$Function>(function)
                    }),)*
                }
            }
        }
    };
}

functions! {
    attach_session_action_sets: AttachSessionActionSets,
    begin_frame: BeginFrame,
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
    get_action_state_boolean: GetActionStateBoolean,
    get_current_interaction_profile: GetCurrentInteractionProfile,
    get_system_properties: GetSystemProperties,
    locate_hand_joints: LocateHandJointsEXT,
    locate_space: LocateSpace,
    locate_spaces: LocateSpaces,
    locate_spaces_khr: LocateSpacesKHR,
    locate_views: LocateViews,
    path_to_string: PathToString,
    poll_event: PollEvent,
    string_to_path: StringToPath,
    suggest_bindings: SuggestInteractionProfileBindings,
    sync_actions: SyncActions,
    wait_frame: WaitFrame,
}

fn find(get: pfn::GetInstanceProcAddr, instance: xr::Instance, name: &str) -> Option<pfn::VoidFunction> {
    let name = CString::new(name).expect("no 0");
    let mut function = None;
    // SAFETY: a name that ends with 0, and the instance of the function.
    let result = unsafe { get(instance, name.as_ptr(), &raw mut function) };
    function.filter(|_| result == xr::Result::SUCCESS)
}

/// Calls a function of the application that must exist.
macro_rules! call {
    ($app:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let function = $app.functions.$function.expect(stringify!($function));
        // SAFETY: the arguments are handles of this application, and pointers to local values.
        unsafe { function($($argument),*) }
    }};
}
pub(super) use call;

#[track_caller]
pub(super) fn check(result: xr::Result) {
    assert!(result.into_raw() >= 0, "{result:?}");
}

/// An instance, with actions for the hands and for the eyes.
pub struct App {
    pub(super) functions: Functions,
    pub instance: xr::Instance,
    pub(super) set: xr::ActionSet,
    pub(super) select: xr::Action,
    pub(super) grip: xr::Action,
    pub(super) gaze: Option<xr::Action>,
    pub(super) hands: [xr::Path; 2],
    pub(super) has_trackers: bool,
}

impl App {
    pub(super) fn new(get: pfn::GetInstanceProcAddr, instance: xr::Instance, extensions: &[&str]) -> Self {
        let null = xr::Action::NULL;
        let mut app = Self {
            functions: Functions::load(get, instance),
            instance,
            set: xr::ActionSet::NULL,
            select: null,
            grip: null,
            gaze: None,
            hands: [xr::Path::NULL; 2],
            has_trackers: extensions.contains(&"XR_EXT_hand_tracking"),
        };
        let info: xr::ActionSetCreateInfo = empty(xr::ActionSetCreateInfo::TYPE);
        check(call!(app, create_action_set(instance, &raw const info, &raw mut app.set)));
        app.hands = ["/user/hand/left", "/user/hand/right"].map(|path| app.path(path));
        app.select = app.action(xr::ActionType::BOOLEAN_INPUT);
        app.grip = app.action(xr::ActionType::POSE_INPUT);
        let on_hand = |hand: &str| {
            let path = |input: &str| app.path(&format!("/user/hand/{hand}/input/{input}"));
            [(app.select, path("select/click")), (app.grip, path("grip/pose"))]
        };
        let bindings = [on_hand("left"), on_hand("right")].concat();
        check(app.suggest("/interaction_profiles/khr/simple_controller", &bindings));
        if extensions.contains(&"XR_EXT_eye_gaze_interaction") {
            let gaze = app.action(xr::ActionType::POSE_INPUT);
            let binding = (gaze, app.path("/user/eyes_ext/input/gaze_ext/pose"));
            check(app.suggest("/interaction_profiles/ext/eye_gaze_interaction", &[binding]));
            app.gaze = Some(gaze);
        }
        app
    }

    fn action(&self, ty: xr::ActionType) -> xr::Action {
        let mut info: xr::ActionCreateInfo = empty(xr::ActionCreateInfo::TYPE);
        info.action_type = ty;
        let mut action = xr::Action::NULL;
        check(call!(self, create_action(self.set, &raw const info, &raw mut action)));
        action
    }

    /// Suggests bindings for a profile.
    pub fn suggest(&self, profile: &str, bindings: &[(xr::Action, xr::Path)]) -> xr::Result {
        let bindings: Vec<_> =
            bindings.iter().map(|&(action, binding)| xr::ActionSuggestedBinding { action, binding }).collect();
        let mut info: xr::InteractionProfileSuggestedBinding = empty(xr::InteractionProfileSuggestedBinding::TYPE);
        info.interaction_profile = self.path(profile);
        info.count_suggested_bindings = bindings.len() as u32;
        info.suggested_bindings = bindings.as_ptr();
        call!(self, suggest_bindings(self.instance, &raw const info))
    }

    pub fn path(&self, text: &str) -> xr::Path {
        let text = CString::new(text).expect("no 0");
        let mut path = xr::Path::NULL;
        check(call!(self, string_to_path(self.instance, text.as_ptr(), &raw mut path)));
        path
    }

    /// Whether the system has hand tracking and eye gaze.
    pub fn supports(&self) -> [bool; 2] {
        let mut hands: xr::SystemHandTrackingPropertiesEXT = empty(xr::SystemHandTrackingPropertiesEXT::TYPE);
        let mut eyes: xr::SystemEyeGazeInteractionPropertiesEXT =
            empty(xr::SystemEyeGazeInteractionPropertiesEXT::TYPE);
        eyes.next = (&raw mut hands).cast();
        let mut properties: xr::SystemProperties = empty(xr::SystemProperties::TYPE);
        properties.next = (&raw mut eyes).cast();
        check(call!(self, get_system_properties(self.instance, xr::SystemId::NULL, &raw mut properties)));
        [hands.supports_hand_tracking.into(), eyes.supports_eye_gaze_interaction.into()]
    }

    /// Handles all events; returns their types.
    pub fn poll(&self) -> Vec<xr::StructureType> {
        let mut types = Vec::new();
        let mut event: xr::EventDataBuffer = empty(xr::EventDataBuffer::TYPE);
        while call!(self, poll_event(self.instance, &raw mut event)) == xr::Result::SUCCESS {
            types.push(event.ty);
        }
        types
    }

    /// Creates a session with frames.
    pub fn session(&self) -> Session<'_> {
        self.try_session(Options::default()).expect("a session")
    }

    pub fn try_session(&self, options: Options) -> Result<Session<'_>, xr::Result> {
        let binding: xr::BaseInStructure = empty(xr::StructureType::GRAPHICS_BINDING_VULKAN_KHR);
        let mut info: xr::SessionCreateInfo = empty(xr::SessionCreateInfo::TYPE);
        info.next = if options.is_headless { ptr::null() } else { (&raw const binding).cast() };
        let mut handle = xr::Session::NULL;
        let result = call!(self, create_session(self.instance, &raw const info, &raw mut handle));
        if result.into_raw() < 0 {
            return Err(result);
        }
        Ok(Session::new(self, handle, options.base))
    }

    /// Destroys the instance.
    pub fn end(self) {
        check(call!(self, destroy_instance(self.instance)));
    }
}

/// How to create a session.
#[derive(Clone, Copy)]
pub struct Options {
    pub is_headless: bool,
    /// The space of all poses.
    pub base: xr::ReferenceSpaceType,
}

impl Default for Options {
    fn default() -> Self {
        Self { is_headless: false, base: xr::ReferenceSpaceType::STAGE }
    }
}

/// A session with its spaces, hand trackers and actions.
pub struct Session<'a> {
    pub app: &'a App,
    pub handle: xr::Session,
    pub base: xr::Space,
    pub view: xr::Space,
    pub gaze: Option<xr::Space>,
    pub grips: [xr::Space; 2],
    pub(super) trackers: Option<[xr::HandTrackerEXT; 2]>,
}

impl<'a> Session<'a> {
    fn new(app: &'a App, handle: xr::Session, base: xr::ReferenceSpaceType) -> Self {
        let mut session = Self {
            app,
            handle,
            base: xr::Space::NULL,
            view: xr::Space::NULL,
            gaze: None,
            grips: [xr::Space::NULL; 2],
            trackers: None,
        };
        session.base = session.reference_space(base, Rigid::IDENTITY);
        session.view = session.reference_space(xr::ReferenceSpaceType::VIEW, Rigid::IDENTITY);
        session.gaze = app.gaze.map(|gaze| session.action_space(gaze, xr::Path::NULL));
        session.grips = app.hands.map(|hand| session.action_space(app.grip, hand));
        session.trackers =
            app.has_trackers.then(|| [xr::HandEXT::LEFT, xr::HandEXT::RIGHT].map(|hand| session.tracker(hand)));
        let mut info: xr::SessionActionSetsAttachInfo = empty(xr::SessionActionSetsAttachInfo::TYPE);
        (info.count_action_sets, info.action_sets) = (1, &raw const app.set);
        check(call!(app, attach_session_action_sets(handle, &raw const info)));
        session
    }

    pub fn reference_space(&self, kind: xr::ReferenceSpaceType, offset: Rigid) -> xr::Space {
        let mut info: xr::ReferenceSpaceCreateInfo = empty(xr::ReferenceSpaceCreateInfo::TYPE);
        (info.reference_space_type, info.pose_in_reference_space) = (kind, offset.to_openxr());
        let mut space = xr::Space::NULL;
        check(call!(self.app, create_reference_space(self.handle, &raw const info, &raw mut space)));
        space
    }

    fn action_space(&self, action: xr::Action, hand: xr::Path) -> xr::Space {
        let mut info: xr::ActionSpaceCreateInfo = empty(xr::ActionSpaceCreateInfo::TYPE);
        (info.action, info.subaction_path) = (action, hand);
        info.pose_in_action_space = Rigid::IDENTITY.to_openxr();
        let mut space = xr::Space::NULL;
        check(call!(self.app, create_action_space(self.handle, &raw const info, &raw mut space)));
        space
    }

    fn tracker(&self, hand: xr::HandEXT) -> xr::HandTrackerEXT {
        let mut info: xr::HandTrackerCreateInfoEXT = empty(xr::HandTrackerCreateInfoEXT::TYPE);
        info.hand = hand;
        info.hand_joint_set = xr::HandJointSetEXT::DEFAULT;
        let mut tracker = xr::HandTrackerEXT::NULL;
        check(call!(self.app, create_hand_tracker(self.handle, &raw const info, &raw mut tracker)));
        tracker
    }

    /// The name of the interaction profile of the left hand.
    pub fn profile(&self) -> String {
        let mut state: xr::InteractionProfileState = empty(xr::InteractionProfileState::TYPE);
        let hand = self.app.hands[0];
        check(call!(self.app, get_current_interaction_profile(self.handle, hand, &raw mut state)));
        let mut buffer = [0; 256];
        let mut count = 0;
        let (instance, path) = (self.app.instance, state.interaction_profile);
        check(call!(self.app, path_to_string(instance, path, 256, &raw mut count, buffer.as_mut_ptr())));
        buffer.iter().map(|&byte| byte as u8 as char).take_while(|&c| c != '\0').collect()
    }

    /// Destroys hand trackers and the session; its spaces end with it.
    pub fn end(self) {
        for tracker in self.trackers.into_iter().flatten() {
            check(call!(self.app, destroy_hand_tracker(tracker)));
        }
        check(call!(self.app, destroy_session(self.handle)));
    }
}
