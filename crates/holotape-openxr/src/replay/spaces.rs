//! Spaces: where everything is in the space of the recording.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use holotape::{Frame, Hand, Joint, Skeleton};
use openxr_sys as xr;
use xr::Handle as _;

use super::fixed_spaces::FixedSpaces;
use super::inputs::Input;
use super::session::ReplaySession;
use super::{ReplayLayer, lock};
use crate::ffi::{HAND_JOINT_COUNT, Located, XrResult, tracked_flags};
use crate::rigid::Rigid;

/// What a space of the application is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SpaceKind {
    Reference(xr::ReferenceSpaceType),
    /// The space of a pose action, of one hand or of any.
    Action(xr::Action, Option<Hand>),
}

#[derive(Clone, Copy, Debug)]
struct SpaceInfo {
    session: xr::Session,
    kind: SpaceKind,
    offset: Rigid,
}

/// The spaces that the application has created.
#[derive(Default)]
pub(super) struct Spaces(RwLock<HashMap<xr::Space, SpaceInfo>>);

impl Spaces {
    pub(super) fn add(&self, space: xr::Space, session: xr::Session, kind: SpaceKind, offset: Rigid) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(space, SpaceInfo { session, kind, offset });
    }

    pub(super) fn remove(&self, space: xr::Space) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&space);
    }

    pub(super) fn forget_session(&self, session: xr::Session) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).retain(|_, info| info.session != session);
    }

    fn get(&self, space: xr::Space) -> Option<SpaceInfo> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&space).copied()
    }
}

/// A hand tracker of the layer.
#[derive(Debug)]
pub(super) struct Tracker {
    pub(super) session: xr::Session,
    pub(super) hand: Hand,
    /// Handles are addresses; that of an allocation of our own is never one of the runtime's.
    address: Box<u8>,
}

impl Tracker {
    pub(super) fn new(session: xr::Session, hand: Hand) -> Self {
        Self { session, hand, address: Box::new(0) }
    }

    pub(super) fn handle(&self) -> xr::HandTrackerEXT {
        xr::HandTrackerEXT::from_raw(std::ptr::from_ref::<u8>(&self.address).addr() as u64)
    }
}

/// Where a space is in the space of the recording.
enum Place {
    /// The runtime knows.
    Runtime,
    /// Nowhere at this time.
    Lost,
    At(Rigid),
}

/// A joint as an application gets it: its pose, or `None`, and its radius.
type LocatedJoint = (Option<Rigid>, f32);

impl ReplayLayer {
    /// Where a space is in another; `None` if the recording has neither, so that the runtime must answer.
    pub(crate) fn locate(&self, space: xr::Space, base: xr::Space, time: xr::Time) -> XrResult<Option<Located>> {
        let infos = [self.spaces.get(space), self.spaces.get(base)];
        let is_replayed = infos.iter().flatten().any(|info| self.is_replayed(info.kind));
        let session = infos.iter().flatten().next().and_then(|info| self.session(info.session));
        let Some(session) = session.filter(|_| is_replayed) else { return Ok(None) };
        let [space, base] = [(space, infos[0]), (base, infos[1])].map(|it| self.pose_in_world(&session, it, time));
        let located = space?.zip(base?).map(|(space, base)| base.inverse().then(space));
        Ok(Some(match located {
            Some(pose) => Located { flags: tracked_flags(), pose },
            None => Located { flags: xr::SpaceLocationFlags::EMPTY, pose: Rigid::IDENTITY },
        }))
    }

    /// The head in a space, and the runtime's own VIEW space; `None` if the runtime must answer.
    pub(crate) fn locate_head(
        &self,
        handle: xr::Session,
        base: xr::Space,
        time: xr::Time,
    ) -> XrResult<Option<(xr::Space, Option<Rigid>)>> {
        let Some(session) = self.session(handle).filter(|_| self.recorded.has_head) else { return Ok(None) };
        let base = self.pose_in_world(&session, (base, self.spaces.get(base)), time)?;
        let head = self.at(&session, time, |frame| frame.camera.map(Rigid::from_unity));
        Ok(Some((session.view, base.zip(head).map(|(base, head)| base.inverse().then(head)))))
    }

    /// The joints of a hand in a space, in the order of OpenXR; the inner `None` if it is not tracked, the outer if the
    /// tracker is the runtime's.
    pub(crate) fn locate_joints(
        &self,
        tracker: xr::HandTrackerEXT,
        base: xr::Space,
        time: xr::Time,
    ) -> XrResult<Option<Option<[LocatedJoint; HAND_JOINT_COUNT]>>> {
        let Some((session, hand)) = self.tracker(tracker) else { return Ok(None) };
        let Some(session) = self.session(session) else { return Ok(Some(None)) };
        let base = self.pose_in_world(&session, (base, self.spaces.get(base)), time)?;
        let Some(base) = base else { return Ok(Some(None)) };
        let from_world = base.inverse();
        let joints = self.at(&session, time, |frame| {
            let frame = frame.hand(hand).filter(|hand| hand.tracked)?;
            let mut joints = [(None, 0.0); HAND_JOINT_COUNT];
            for joint in Joint::ALL {
                if let Some(index) = Skeleton::OpenXr.index(joint) {
                    let pose = frame.joint(joint).map(|pose| from_world.then(Rigid::from_unity(pose)));
                    joints[index] = (pose, joint.typical_radius_m());
                }
            }
            Some(joints)
        });
        Ok(Some(joints))
    }

    /// A space as the recorded head sees it: the runtime's own VIEW space, and the pose of the space in it. `None` if it
    /// moves with the head, or the recording has no head at this time.
    pub(crate) fn seen_from_head(
        &self,
        handle: xr::Session,
        space: xr::Space,
        time: xr::Time,
    ) -> Option<(xr::Space, Rigid)> {
        let session = self.session(handle).filter(|_| self.recorded.has_head)?;
        let info = self.spaces.get(space);
        if info.is_some_and(|info| info.kind == SpaceKind::Reference(xr::ReferenceSpaceType::VIEW)) {
            return None;
        }
        let space = self.pose_in_world(&session, (space, info), time).ok().flatten()?;
        let head = self.at(&session, time, |frame| frame.camera.map(Rigid::from_unity))?;
        Some((session.view, head.inverse().then(space)))
    }

    fn is_replayed(&self, kind: SpaceKind) -> bool {
        match kind {
            SpaceKind::Reference(xr::ReferenceSpaceType::VIEW) => self.recorded.has_head,
            SpaceKind::Reference(kind) => self.config.step_secs.is_some() && FixedSpaces::contain(kind),
            SpaceKind::Action(action, hand) => {
                let inputs = self.inputs.read().unwrap_or_else(PoisonError::into_inner);
                let mut poses = inputs.of_action(action, hand).filter(|input| is_pose(*input));
                poses.any(|input| self.recorded.has(input))
                    || (self.recorded.has_hands && inputs.is_of_hand(action, hand))
            }
        }
    }

    /// The pose of a space in that of the recording, `None` if it is nowhere at this time.
    fn pose_in_world(
        &self,
        session: &ReplaySession,
        (space, info): (xr::Space, Option<SpaceInfo>),
        time: xr::Time,
    ) -> XrResult<Option<Rigid>> {
        let place = info.map_or(Place::Runtime, |info| self.place(session, info, time));
        match place {
            // The runtime's answer includes the offset of the space, and the error if the time is invalid.
            Place::Runtime => Ok(self.next.locate_space(space, session.world, time)?.valid_pose()),
            _ if time.as_nanos() <= 0 => Err(xr::Result::ERROR_TIME_INVALID),
            Place::Lost => Ok(None),
            Place::At(pose) => Ok(Some(pose)),
        }
    }

    fn place(&self, session: &ReplaySession, info: SpaceInfo, time: xr::Time) -> Place {
        if info.kind == SpaceKind::Reference(session.world_kind) {
            // Spares the runtime's answer, which is the same.
            return Place::At(info.offset);
        }
        if !self.is_replayed(info.kind) {
            return Place::Runtime;
        }
        let fixed = |kind| session.fixed_spaces.and_then(|spaces| spaces.pose(kind));
        let pose = match info.kind {
            SpaceKind::Reference(kind) if kind != xr::ReferenceSpaceType::VIEW => fixed(kind),
            SpaceKind::Reference(_) => self.at(session, time, |frame| frame.camera.map(Rigid::from_unity)),
            SpaceKind::Action(action, hand) => {
                let inputs = self.inputs.read().unwrap_or_else(PoisonError::into_inner);
                self.at(session, time, |frame| inputs.of_action(action, hand).find_map(|input| pose_of(input, frame)))
            }
        };
        pose.map_or(Place::Lost, |pose| Place::At(pose.then(info.offset)))
    }

    fn at<T>(&self, session: &ReplaySession, time: xr::Time, read: impl FnOnce(&Frame) -> T) -> T {
        let secs = lock(&session.clock).recording_secs(time.as_nanos());
        self.recorded.frame(secs, read)
    }
}

fn is_pose(input: Input) -> bool {
    matches!(input, Input::Pose(..) | Input::Gaze)
}

fn pose_of(input: Input, frame: &Frame) -> Option<Rigid> {
    match input {
        Input::Pose(hand, pose) => pose.of_hand(hand, frame.hand(hand).filter(|hand| hand.tracked)?),
        Input::Gaze => frame.gaze.map(Rigid::from_unity_ray),
        Input::Pinch(_) | Input::Tracked(_) | Input::Grasp(_) => None,
    }
}
