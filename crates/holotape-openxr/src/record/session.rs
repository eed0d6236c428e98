//! One session of the application: its own spaces and trackers, and one sample per frame.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use holotape::{Frame, Hand, HandFrame, Joint, Skeleton};
use openxr_sys as xr;

use super::actions::OwnActions;
use super::pinch::Pinch;
use super::space_changes::SpaceChanges;
use super::take::TakeInfo;
use super::writer::Writer;
use crate::config::RecordConfig;
use crate::ffi::{HandJoints, Located, Next, XrResult};
use crate::profile;
use crate::report::space_name;
use crate::rigid::Rigid;

pub(super) struct RecordSession {
    next: Arc<Next>,
    handle: xr::Session,
    is_headless: bool,
    /// A session without frames may locate in a tight loop; it is not sampled much faster than the maximum rate.
    min_step_nanos: i64,
    space_kind: xr::ReferenceSpaceType,
    base: xr::Space,
    view: xr::Space,
    trackers: [Option<xr::HandTrackerEXT>; 2],
    pinch: OnceLock<(xr::Action, [xr::Path; 2])>,
    gaze: OnceLock<xr::Space>,
    has_seen_eyes: AtomicBool,
    state: Mutex<State>,
    writer: Writer,
}

#[derive(Default)]
struct State {
    start_nanos: Option<i64>,
    last_nanos: Option<i64>,
    space_changes: SpaceChanges,
    pinches: [Pinch; 2],
    notes: Vec<String>,
}

impl RecordSession {
    pub(super) fn new(
        config: &RecordConfig,
        next: Arc<Next>,
        handle: xr::Session,
        is_headless: bool,
    ) -> XrResult<Self> {
        use xr::ReferenceSpaceType as Type;
        let has_stage = || next.reference_spaces(handle).is_ok_and(|kinds| kinds.contains(&Type::STAGE));
        let space_kind = config.space.reference_space(has_stage);
        let base = next.create_reference_space(handle, space_kind)?;
        let view = next.create_reference_space(handle, Type::VIEW)?;
        let trackers = [xr::HandEXT::LEFT, xr::HandEXT::RIGHT].map(|hand| next.create_hand_tracker(handle, hand).ok());
        let mut state = State::default();
        if trackers.iter().all(Option::is_none) {
            state.notes.push("The runtime has no hand tracking; hands are not recorded.".to_owned());
        }
        Ok(Self {
            next,
            handle,
            is_headless,
            min_step_nanos: config.max_rate_hz.map_or(1, |rate| (0.5e9 / rate) as i64),
            space_kind,
            base,
            view,
            trackers,
            pinch: OnceLock::new(),
            gaze: OnceLock::new(),
            has_seen_eyes: AtomicBool::new(false),
            state: Mutex::new(state),
            writer: Writer::start(config.clone()),
        })
    }

    pub(super) fn handle(&self) -> xr::Session {
        self.handle
    }

    pub(super) fn is_headless(&self) -> bool {
        self.is_headless
    }

    pub(super) fn has_actions(&self) -> bool {
        self.pinch.get().is_some()
    }

    /// The recorder's actions can be read from now on.
    pub(super) fn actions_attached(&self, actions: &OwnActions) {
        if let Some(pinch) = actions.pinch() {
            let _ = self.pinch.set(pinch);
        }
        if let Some(space) = actions.gaze().and_then(|gaze| self.next.create_action_space(self.handle, gaze).ok()) {
            let _ = self.gaze.set(space);
        }
    }

    /// Samples a time that the application located something at, unless it was sampled before.
    pub(super) fn sample_new_time(&self, time: xr::Time) {
        let is_due =
            self.lock(|state| state.last_nanos.is_none_or(|last| time.as_nanos() - last >= self.min_step_nanos));
        if is_due && time.as_nanos() > 0 {
            self.sample(time);
        }
    }

    /// Locates everything at one time in one space, and hands the frame to the writer.
    pub(super) fn sample(&self, time: xr::Time) {
        let nanos = time.as_nanos();
        let claimed = self.lock(|state| {
            let is_later = state.last_nanos.is_none_or(|last| nanos > last);
            is_later.then(|| {
                state.last_nanos = Some(nanos);
                let start = *state.start_nanos.get_or_insert(nanos);
                (seconds_since(start, nanos), state.space_changes.origin_at(time))
            })
        });
        let Some((seconds, origin)) = claimed else { return };
        let locate = |space| {
            let located = self.next.locate_space(space, self.base, time).ok();
            located.and_then(Located::valid_pose).map(|pose| origin.then(pose))
        };
        let gaze = self.gaze.get().copied().and_then(locate);
        if gaze.is_some() {
            self.has_seen_eyes.store(true, Ordering::Relaxed);
        }
        let mut frame = Frame { time: seconds, camera: locate(self.view).map(Rigid::to_unity), ..Frame::default() };
        frame.gaze = gaze.map(Rigid::to_unity_ray);
        for hand in Hand::ALL {
            *frame.hand_mut(hand) = self.sample_hand(hand, time, origin);
        }
        self.writer.push(frame);
    }

    fn sample_hand(&self, hand: Hand, time: xr::Time, origin: Rigid) -> Option<HandFrame> {
        let side = hand as usize;
        let locate = |tracker| self.next.locate_hand_joints(tracker, self.base, time).ok().flatten();
        let joints: Option<HandJoints> = self.trackers[side].and_then(locate);
        let action = self
            .pinch
            .get()
            .and_then(|(action, hands)| self.next.action_state(self.handle, *action, hands[side]).ok().flatten());
        let pinching = self.lock(|state| state.pinches[side].update(action, joints.as_ref()));
        let joints = joints?;
        let mut frame = HandFrame { tracked: true, pinching, ..HandFrame::default() };
        for joint in Joint::ALL {
            let pose = Skeleton::OpenXr.index(joint).and_then(|index| joints[index]);
            frame.joints[joint.index()] = pose.map(|pose| origin.then(pose).to_unity());
        }
        Some(frame)
    }

    /// Marks changes of the session's state, once the take has begun.
    pub(super) fn state_changed(&self, state: xr::SessionState, time: xr::Time) {
        use xr::SessionState as S;
        let name = match state {
            S::SYNCHRONIZED => "session not visible",
            S::VISIBLE => "session visible",
            S::FOCUSED => "session focused",
            S::STOPPING => "session stopping",
            S::LOSS_PENDING => "session lost",
            _ => return,
        };
        self.mark(time, name);
    }

    pub(super) fn space_changes(&self, space: xr::ReferenceSpaceType, time: xr::Time, pose: Option<Rigid>) {
        if space != self.space_kind {
            return;
        }
        self.mark(time, "recentered");
        match pose {
            Some(pose) => self.lock(|state| state.space_changes.add(time, pose)),
            None => self.note("The reference space moved to an unknown place; poses after it are in the new space."),
        }
    }

    /// Notes controllers: their poses are not part of a recording.
    pub(super) fn profile_changed(&self, actions: &OwnActions) {
        let Some((_, hands)) = actions.pinch() else { return };
        for (path, hand) in hands.into_iter().zip(Hand::ALL) {
            let profile = self.next.interaction_profile(self.handle, path).and_then(|path| self.next.path_text(path));
            if let Ok(profile) = profile
                && profile::is_controller(&profile)
            {
                self.note(&format!(
                    "The {hand} controller ({profile}) is not recorded, except that its trigger or select button is \
                     recorded as a pinch of the hand."
                ));
            }
        }
    }

    /// Saves the take. Later samples are dropped.
    pub(super) fn finish(&self) {
        let has_eyes = self.has_seen_eyes.load(Ordering::Relaxed);
        let info = TakeInfo {
            space: space_name(self.space_kind),
            gaze: if has_eyes { "eyes" } else { "head" },
            notes: self.lock(|state| std::mem::take(&mut state.notes)),
        };
        self.writer.finish(info);
        [self.base, self.view]
            .into_iter()
            .chain(self.gaze.get().copied())
            .for_each(|space| self.next.destroy_space(space));
        self.trackers.into_iter().flatten().for_each(|tracker| self.next.destroy_hand_tracker(tracker));
    }

    /// Marks an event. A runtime may not know its time: Monado passes 0 for the states of a session. Such an event is at
    /// the time of the last sample.
    fn mark(&self, time: xr::Time, name: &str) {
        if let Some((start, last)) = self.lock(|state| state.start_nanos.zip(state.last_nanos)) {
            let nanos = if time.as_nanos() > 0 { time.as_nanos() } else { last };
            self.writer.mark(seconds_since(start, nanos), name);
        }
    }

    fn note(&self, note: &str) {
        self.lock(|state| {
            if !state.notes.iter().any(|known| known == note) {
                state.notes.push(note.to_owned());
            }
        });
    }

    fn lock<T>(&self, read: impl FnOnce(&mut State) -> T) -> T {
        read(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Subtracted as integers: in seconds since an arbitrary start, 64 bits would round to less than a nanosecond.
fn seconds_since(start_nanos: i64, nanos: i64) -> f64 {
    nanos.saturating_sub(start_nanos) as f64 * 1e-9
}
