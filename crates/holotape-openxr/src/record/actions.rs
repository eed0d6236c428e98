//! The recorder's own actions: pinch of both hands, and gaze.
//!
//! The recorder adds them only to interaction profiles that the application itself suggests: with another profile, the
//! runtime could choose that one and leave the application without input. The profile of the eyes is an exception,
//! because nothing else has its path.

use std::sync::{Arc, Mutex, PoisonError};

use openxr_sys as xr;

use crate::ffi::{Next, XrResult};
use crate::profile;

/// A name that no application has.
const SET_NAME: &str = "holotape_recorder";

/// The actions of the recorder, created when the application first suggests bindings or attaches action sets.
pub(super) struct OwnActions {
    next: Arc<Next>,
    has_eye_gaze: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    created: Option<Created>,
    has_failed: bool,
    gaze_is_suggested: bool,
    /// After this, suggestions are errors.
    is_attached: bool,
}

/// Handles, copied out of the lock before the runtime is called.
#[derive(Clone, Copy)]
struct Created {
    set: xr::ActionSet,
    pinch: xr::Action,
    gaze: Option<xr::Action>,
    hands: [xr::Path; 2],
}

impl OwnActions {
    pub(super) fn new(next: Arc<Next>, has_eye_gaze: bool) -> Self {
        Self { next, has_eye_gaze, state: Mutex::default() }
    }

    pub(super) fn set(&self) -> Option<xr::ActionSet> {
        self.lock(|state| state.created).map(|created| created.set)
    }

    pub(super) fn pinch(&self) -> Option<(xr::Action, [xr::Path; 2])> {
        self.lock(|state| state.created).map(|created| (created.pinch, created.hands))
    }

    pub(super) fn gaze(&self) -> Option<xr::Action> {
        self.lock(|state| state.created)?.gaze
    }

    /// The bindings to add for a profile.
    pub(super) fn bindings(&self, profile: xr::Path) -> Vec<xr::ActionSuggestedBinding> {
        if self.lock(|state| state.is_attached) {
            return Vec::new();
        }
        let (Some(created), Ok(name)) = (self.create_once(), self.next.path_text(profile)) else { return Vec::new() };
        if name == profile::EYE_GAZE {
            self.lock(|state| state.gaze_is_suggested = true);
            return self.gaze_binding(created).into_iter().collect();
        }
        let Some(input) = profile::pinch_input(&name) else { return Vec::new() };
        let paths = profile::HAND_PATHS.iter().filter_map(|hand| self.next.path(&format!("{hand}/input/{input}")).ok());
        paths.map(|binding| xr::ActionSuggestedBinding { action: created.pinch, binding }).collect()
    }

    /// Suggests what has not been suggested yet, and returns the set to attach.
    pub(super) fn prepare_to_attach(&self) -> Option<xr::ActionSet> {
        let created = self.create_once()?;
        let suggests_gaze = self.lock(|state| {
            let is_first = !std::mem::replace(&mut state.is_attached, true);
            is_first && !std::mem::replace(&mut state.gaze_is_suggested, true)
        });
        if suggests_gaze
            && let (Some(binding), Ok(profile)) = (self.gaze_binding(created), self.next.path(profile::EYE_GAZE))
        {
            let _ = self.next.suggest_bindings(profile, &[binding]);
        }
        Some(created.set)
    }

    fn gaze_binding(&self, created: Created) -> Option<xr::ActionSuggestedBinding> {
        let binding = self.next.path(profile::GAZE_POSE).ok()?;
        Some(xr::ActionSuggestedBinding { action: created.gaze?, binding })
    }

    fn create_once(&self) -> Option<Created> {
        let (created, has_failed) = self.lock(|state| (state.created, state.has_failed));
        if created.is_some() || has_failed {
            return created;
        }
        // Without the lock, as it must not be held while the runtime is called. Two threads that suggest bindings at
        // the same time: the second fails to create a set of the same name.
        match self.create() {
            Ok(created) => {
                self.lock(|state| state.created = Some(created));
                Some(created)
            }
            Err(_) => self.lock(|state| {
                state.has_failed = true;
                state.created
            }),
        }
    }

    fn create(&self) -> XrResult<Created> {
        let [left, right] = profile::HAND_PATHS;
        let hands = [self.next.path(left)?, self.next.path(right)?];
        let set = self.next.create_action_set(SET_NAME)?;
        let pinch = self.next.create_action(set, "holotape_pinch", xr::ActionType::FLOAT_INPUT, &hands)?;
        let gaze = || self.next.create_action(set, "holotape_gaze", xr::ActionType::POSE_INPUT, &[]).ok();
        Ok(Created { set, pinch, gaze: self.has_eye_gaze.then(gaze).flatten(), hands })
    }

    fn lock<T>(&self, read: impl FnOnce(&mut State) -> T) -> T {
        read(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
