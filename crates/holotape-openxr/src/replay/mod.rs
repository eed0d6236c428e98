//! The replay layer: answers for head, hands and gaze from a recording; everything else comes from the runtime.

mod clock;
mod fixed_spaces;
mod hand_pose;
mod inputs;
mod recorded;
mod session;
mod spaces;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use holotape::{Hand, Recording};
use openxr_sys as xr;

pub(crate) use inputs::ActionState;

use crate::config::ReplayConfig;
use crate::ffi::{Extensions, Next};
use crate::manifest::REPLAYED_EXTENSIONS;
use crate::profile;
use crate::report::{Report, space_name};
use crate::rigid::Rigid;
use inputs::{InputState, Inputs};
use recorded::Recorded;
use session::ReplaySession;
use spaces::{SpaceKind, Spaces, Tracker};

/// The replay layer of an instance.
pub(crate) struct ReplayLayer {
    config: ReplayConfig,
    next: Arc<Next>,
    extensions: Extensions,
    recorded: Recorded,
    /// The paths of the hands, left first, and of the eyes.
    user_paths: [xr::Path; 3],
    /// The path of the interaction profile of the eyes.
    eye_profile: Option<xr::Path>,
    inputs: RwLock<Inputs>,
    spaces: Spaces,
    trackers: Mutex<Vec<Tracker>>,
    sessions: RwLock<Vec<Arc<ReplaySession>>>,
}

impl ReplayLayer {
    /// The extensions to enable below: those of the application, without the ones that only this layer has.
    pub(crate) fn choose_extensions(extensions: &Extensions) -> Vec<String> {
        let is_ours = |name: &str| REPLAYED_EXTENSIONS.iter().any(|(ours, _)| *ours == name);
        let passed_on =
            extensions.application.iter().filter(|name| !is_ours(name) || extensions.runtime.contains(*name));
        passed_on.cloned().collect()
    }

    /// Starts the layer. If the recording cannot be read, the layer replays nothing: it must still answer for the
    /// extensions that the loader has offered in its name.
    pub(crate) fn new(next: Arc<Next>, extensions: Extensions) -> Option<Self> {
        let config = ReplayConfig::load();
        let opened = config.clone().and_then(|config| Recording::open(&config.recording).map_err(|it| it.to_string()));
        let config = config.unwrap_or_else(|_| ReplayConfig::new(""));
        let recording = opened.unwrap_or_else(|message| {
            let message = format!("nothing will be replayed: {message}");
            Report::Failed { message }.append(config.report.as_deref());
            Recording::default()
        });
        let [left, right] = profile::HAND_PATHS;
        let user_paths = [left, right, profile::EYES_PATH].map(|path| next.path(path).unwrap_or(xr::Path::NULL));
        Some(Self {
            recorded: Recorded::new(&recording),
            user_paths,
            eye_profile: next.path(profile::EYE_GAZE).ok(),
            config,
            next,
            extensions,
            inputs: RwLock::default(),
            spaces: Spaces::default(),
            trackers: Mutex::default(),
            sessions: RwLock::default(),
        })
    }

    /// Whether the application has enabled this extension.
    pub(crate) fn is_enabled(&self, extension: &str) -> bool {
        self.extensions.application.contains(extension)
    }

    /// What the system supports: hand tracking, then eye gaze; `None` if the runtime's answer stands.
    pub(crate) fn supports(&self) -> [Option<bool>; 2] {
        let has = [self.recorded.has_hands, self.recorded.has_gaze];
        let names = ["XR_EXT_hand_tracking", "XR_EXT_eye_gaze_interaction"];
        std::array::from_fn(|n| {
            if has[n] { Some(true) } else { (!self.extensions.is_passed_on(names[n])).then_some(false) }
        })
    }

    pub(crate) fn session_created(&self, handle: xr::Session) {
        let duration_secs = self.recorded.duration_secs;
        match ReplaySession::new(&self.config, &self.next, handle, &self.recorded) {
            Ok(session) => {
                let space = space_name(session.world_kind).to_owned();
                if duration_secs > 0.0 {
                    Report::Replaying { duration_secs, space }.append(self.config.report.as_deref());
                }
                self.write_sessions(|sessions| sessions.push(Arc::new(session)));
            }
            Err(code) => {
                let message = format!("nothing is replayed in this session: the runtime answers {code:?}");
                Report::Failed { message }.append(self.config.report.as_deref());
            }
        }
    }

    /// Forgets a session that is about to be destroyed, with everything that belongs to it.
    pub(crate) fn session_ends(&self, handle: xr::Session) {
        let ended = self.session(handle);
        self.write_sessions(|sessions| sessions.retain(|session| session.handle != handle));
        self.spaces.forget_session(handle);
        lock(&self.trackers).retain(|tracker| tracker.session != handle);
        if let Some(session) = ended {
            [session.world, session.view].into_iter().for_each(|space| self.next.destroy_space(space));
        }
    }

    /// The application waits for a frame that will be displayed at this time.
    pub(crate) fn frame_begins(&self, handle: xr::Session, time: xr::Time) {
        if let Some(session) = self.session(handle) {
            lock(&session.clock).begin_frame(time.as_nanos());
            self.exit_at_end(&session);
        }
    }

    /// Remembers suggested bindings. Returns whether the runtime must not see them, because it lacks their extension.
    pub(crate) fn suggest(&self, profile: xr::Path, bindings: &[xr::ActionSuggestedBinding]) -> bool {
        let Ok(name) = self.next.path_text(profile) else { return false };
        let path =
            |binding: &xr::ActionSuggestedBinding| Some((binding.action, self.next.path_text(binding.binding).ok()?));
        let bindings: Vec<_> = bindings.iter().filter_map(path).collect();
        let is_unknown_below = match name.as_str() {
            profile::EYE_GAZE => !self.extensions.is_passed_on("XR_EXT_eye_gaze_interaction"),
            profile::HAND_INTERACTION => !self.extensions.is_passed_on("XR_EXT_hand_interaction"),
            _ => false,
        };
        self.inputs.write().unwrap_or_else(PoisonError::into_inner).suggest(profile, name, &bindings);
        is_unknown_below
    }

    /// The bindings are final.
    pub(crate) fn actions_attached(&self, handle: xr::Session) {
        self.inputs.write().unwrap_or_else(PoisonError::into_inner).choose();
        if let Some(session) = self.session(handle).filter(|_| self.recorded.has_hands || self.recorded.has_gaze) {
            session.has_profile_event.store(true, Ordering::Relaxed);
        }
    }

    /// The session whose interaction profile has changed, once.
    pub(crate) fn take_profile_event(&self) -> Option<xr::Session> {
        let sessions = self.sessions.read().unwrap_or_else(PoisonError::into_inner);
        sessions.iter().find(|it| it.has_profile_event.swap(false, Ordering::Relaxed)).map(|session| session.handle)
    }

    /// The interaction profile of a hand or of the eyes; `None` if the runtime's answer stands.
    pub(crate) fn interaction_profile(&self, user_path: xr::Path) -> Option<xr::Path> {
        if self.recorded.has_hands && self.hand_of(user_path).is_some() {
            return self.inputs.read().unwrap_or_else(PoisonError::into_inner).hand_profile();
        }
        self.eye_profile.filter(|_| self.recorded.has_gaze && user_path == self.user_paths[2])
    }

    /// Takes over the recorded state of the inputs; all are inactive while the application has no focus.
    pub(crate) fn actions_synced(&self, handle: xr::Session, has_focus: bool) {
        let Some(session) = self.session(handle) else { return };
        let (nanos, secs) = lock(&session.clock).latest();
        let state = if has_focus { self.recorded.inputs(secs) } else { InputState::default() };
        lock(&session.inputs).sync(state, nanos);
        self.exit_at_end(&session);
    }

    /// The state of an action; `None` if it is not bound to anything of recorded hands or gaze.
    pub(crate) fn action_state(
        &self,
        handle: xr::Session,
        action: xr::Action,
        subaction_path: xr::Path,
    ) -> Option<ActionState> {
        let session = self.session(handle)?;
        let hand = self.hand_of(subaction_path);
        let inputs = self.inputs.read().unwrap_or_else(PoisonError::into_inner);
        let recorded = inputs.of_action(action, hand).filter(|input| self.recorded.has(*input));
        let mut bound = [None; 8];
        recorded.zip(&mut bound).for_each(|(input, slot)| *slot = Some(input));
        if bound[0].is_none() && !(self.recorded.has_hands && inputs.is_of_hand(action, hand)) {
            return None;
        }
        Some(lock(&session.inputs).action(bound.into_iter().flatten()))
    }

    pub(crate) fn reference_space_created(
        &self,
        session: xr::Session,
        space: xr::Space,
        kind: xr::ReferenceSpaceType,
        offset: Rigid,
    ) {
        self.spaces.add(space, session, SpaceKind::Reference(kind), offset);
    }

    pub(crate) fn action_space_created(
        &self,
        session: xr::Session,
        space: xr::Space,
        action: xr::Action,
        subaction_path: xr::Path,
        offset: Rigid,
    ) {
        let hand = self.hand_of(subaction_path);
        self.spaces.add(space, session, SpaceKind::Action(action, hand), offset);
    }

    pub(crate) fn space_destroyed(&self, space: xr::Space) {
        self.spaces.remove(space);
    }

    /// Creates a hand tracker; `None` if the recording has no hands, so that the runtime must answer.
    pub(crate) fn create_tracker(&self, session: xr::Session, hand: Hand) -> Option<xr::HandTrackerEXT> {
        self.recorded.has_hands.then(|| {
            let tracker = Tracker::new(session, hand);
            let handle = tracker.handle();
            lock(&self.trackers).push(tracker);
            handle
        })
    }

    /// Destroys a hand tracker; `false` if it is the runtime's.
    pub(crate) fn destroy_tracker(&self, handle: xr::HandTrackerEXT) -> bool {
        let mut trackers = lock(&self.trackers);
        let before = trackers.len();
        trackers.retain(|tracker| tracker.handle() != handle);
        trackers.len() < before
    }

    pub(crate) fn owns_tracker(&self, handle: xr::HandTrackerEXT) -> bool {
        self.tracker(handle).is_some()
    }

    fn tracker(&self, handle: xr::HandTrackerEXT) -> Option<(xr::Session, Hand)> {
        let trackers = lock(&self.trackers);
        trackers.iter().find(|tracker| tracker.handle() == handle).map(|tracker| (tracker.session, tracker.hand))
    }

    fn hand_of(&self, path: xr::Path) -> Option<Hand> {
        Hand::ALL.into_iter().find(|hand| path != xr::Path::NULL && self.user_paths[*hand as usize] == path)
    }

    fn exit_at_end(&self, session: &ReplaySession) {
        if !self.config.exit_at_end || !lock(&session.clock).is_at_end() {
            return;
        }
        // The runtime refuses while the session does not run; then it is asked again.
        let is_first = !session.has_requested_exit.swap(true, Ordering::Relaxed);
        if is_first && self.next.request_exit(session.handle).into_raw() < 0 {
            session.has_requested_exit.store(false, Ordering::Relaxed);
        }
    }

    fn session(&self, handle: xr::Session) -> Option<Arc<ReplaySession>> {
        let sessions = self.sessions.read().unwrap_or_else(PoisonError::into_inner);
        sessions.iter().find(|session| session.handle == handle).cloned()
    }

    fn write_sessions(&self, change: impl FnOnce(&mut Vec<Arc<ReplaySession>>)) {
        change(&mut self.sessions.write().unwrap_or_else(PoisonError::into_inner));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
