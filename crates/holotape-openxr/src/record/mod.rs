//! The record layer: samples head, hands and gaze of every session and writes takes.

mod actions;
mod markers_file;
mod pinch;
mod progress;
mod session;
mod space_changes;
mod take;
mod writer;

use std::sync::{Arc, PoisonError, RwLock};

use openxr_sys as xr;

use crate::config::RecordConfig;
use crate::ffi::{Extensions, Next};
use crate::report::Report;
use crate::rigid::Rigid;
use actions::OwnActions;
use session::RecordSession;

/// The extensions that the recorder uses where the runtime has them.
const WANTED_EXTENSIONS: [&str; 3] = ["XR_EXT_hand_tracking", "XR_EXT_eye_gaze_interaction", "XR_EXT_hand_interaction"];

/// The record layer of an instance.
pub(crate) struct RecordLayer {
    config: RecordConfig,
    next: Arc<Next>,
    actions: OwnActions,
    sessions: RwLock<Vec<Arc<RecordSession>>>,
}

impl RecordLayer {
    /// The extensions to enable below: those of the application, and what the recorder needs.
    pub(crate) fn choose_extensions(extensions: &Extensions) -> Vec<String> {
        let wanted = WANTED_EXTENSIONS.iter().map(|&name| name.to_owned());
        let own = wanted.filter(|name| extensions.runtime.contains(name) && !extensions.application.contains(name));
        extensions.application.iter().cloned().chain(own).collect()
    }

    /// Starts the layer, or reports why it cannot.
    pub(crate) fn new(next: Arc<Next>, extensions: Extensions) -> Option<Self> {
        let config = RecordConfig::load()
            .map_err(|message| {
                Report::Failed { message: format!("nothing will be recorded: {message}") }.append(None);
            })
            .ok()?;
        let has_eye_gaze = extensions.runtime.contains("XR_EXT_eye_gaze_interaction");
        let actions = OwnActions::new(next.clone(), has_eye_gaze);
        Some(Self { config, next, actions, sessions: RwLock::default() })
    }

    pub(crate) fn session_created(&self, session: xr::Session, is_headless: bool) {
        match RecordSession::new(&self.config, self.next.clone(), session, is_headless) {
            Ok(session) => self.write_sessions(|sessions| sessions.push(Arc::new(session))),
            Err(code) => {
                let message = format!("this session is not recorded: the runtime answers {code:?}");
                Report::Failed { message }.append(self.config.report.as_deref());
            }
        }
    }

    /// Saves the take of a session that is about to be destroyed.
    pub(crate) fn session_ends(&self, session: xr::Session) {
        let ended = self.session(session);
        self.write_sessions(|sessions| sessions.retain(|other| other.handle() != session));
        if let Some(session) = ended {
            session.finish();
        }
    }

    /// Saves all takes: applications may destroy an instance with sessions.
    pub(crate) fn instance_ends(&self) {
        let mut ended = Vec::new();
        self.write_sessions(|sessions| ended.append(sessions));
        ended.iter().for_each(|session| session.finish());
    }

    /// The application has rendered a frame for this time.
    pub(crate) fn frame_ended(&self, session: xr::Session, time: xr::Time) {
        if let Some(session) = self.session(session) {
            session.sample(time);
        }
    }

    /// The application located something at this time. In sessions without frames, this is when to sample.
    pub(crate) fn located(&self, time: xr::Time) {
        let sessions = self.sessions.read().unwrap_or_else(PoisonError::into_inner);
        // Cloned, because the lock must not be held while the runtime is called; two at most, because a list would be an
        // allocation per call. No application with three headless sessions at once is known.
        let mut headless = sessions.iter().filter(|session| session.is_headless()).cloned();
        let (first, second) = (headless.next(), headless.next());
        drop(headless);
        drop(sessions);
        [first, second].into_iter().flatten().for_each(|session| session.sample_new_time(time));
    }

    pub(crate) fn session_state_changed(&self, session: xr::Session, state: xr::SessionState, time: xr::Time) {
        if let Some(session) = self.session(session) {
            session.state_changed(state, time);
        }
    }

    /// A reference space moves at this time; its new origin is at `pose` in the old space, if that is known.
    pub(crate) fn space_changes(
        &self,
        session: xr::Session,
        space: xr::ReferenceSpaceType,
        time: xr::Time,
        pose: Option<Rigid>,
    ) {
        if let Some(session) = self.session(session) {
            session.space_changes(space, time, pose);
        }
    }

    pub(crate) fn interaction_profile_changed(&self, session: xr::Session) {
        if let Some(session) = self.session(session) {
            session.profile_changed(&self.actions);
        }
    }

    /// Bindings of the recorder's own actions, to add to those that the application suggests for a profile.
    pub(crate) fn extra_bindings(&self, profile: xr::Path) -> Vec<xr::ActionSuggestedBinding> {
        self.actions.bindings(profile)
    }

    /// The recorder's action set, to attach with those of the application.
    pub(crate) fn set_to_attach(&self) -> Option<xr::ActionSet> {
        self.actions.prepare_to_attach()
    }

    /// The application's sets and the recorder's are attached.
    pub(crate) fn set_attached(&self, session: xr::Session) {
        if let Some(session) = self.session(session) {
            session.actions_attached(&self.actions);
        }
    }

    /// The recorder's action set, to synchronize with those of the application.
    pub(crate) fn set_to_sync(&self, session: xr::Session) -> Option<xr::ActionSet> {
        self.session(session)?.has_actions().then(|| self.actions.set())?
    }

    fn session(&self, handle: xr::Session) -> Option<Arc<RecordSession>> {
        let sessions = self.sessions.read().unwrap_or_else(PoisonError::into_inner);
        sessions.iter().find(|session| session.handle() == handle).cloned()
    }

    fn write_sessions(&self, change: impl FnOnce(&mut Vec<Arc<RecordSession>>)) {
        change(&mut self.sessions.write().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for RecordLayer {
    fn drop(&mut self) {
        self.instance_ends();
    }
}
