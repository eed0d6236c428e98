//! The reference spaces of a replay with a fixed step: they come from the recording, so that every run has the same.

use glam::{DQuat, DVec3};
use openxr_sys as xr;
use xr::ReferenceSpaceType as Type;

use crate::rigid::Rigid;

/// The height of LOCAL above the floor if the recording does not tell, in metres.
const HEAD_HEIGHT_M: f64 = 1.6;

/// Where the reference spaces are in that of the recording.
///
/// A runtime places LOCAL where its own head is at the start, and knows where the floor is. Both differ from run to run,
/// and neither has to do with the recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FixedSpaces {
    stage: Rigid,
    local: Rigid,
}

impl FixedSpaces {
    /// The spaces for a recording in `world`, STAGE or LOCAL, that begins with this head. In STAGE, LOCAL is where the
    /// recorded head starts; in LOCAL, the floor is 1.6 m below.
    pub(super) fn new(world: Type, first_head: Option<Rigid>) -> Self {
        let above = |height| Rigid { position: DVec3::new(0.0, height, 0.0), ..Rigid::IDENTITY };
        if world == Type::STAGE {
            let local = first_head.map_or(above(HEAD_HEIGHT_M), upright);
            return Self { stage: Rigid::IDENTITY, local };
        }
        Self { stage: above(-HEAD_HEIGHT_M), local: Rigid::IDENTITY }
    }

    /// Whether a space is one of these.
    pub(super) fn contain(kind: Type) -> bool {
        [Type::STAGE, Type::LOCAL, Type::LOCAL_FLOOR].contains(&kind)
    }

    /// The pose of a space, `None` if it is another one.
    pub(super) fn pose(&self, kind: Type) -> Option<Rigid> {
        match kind {
            Type::STAGE => Some(self.stage),
            Type::LOCAL => Some(self.local),
            Type::LOCAL_FLOOR => {
                let [x, _, z] = self.local.position.to_array();
                Some(Rigid { position: DVec3::new(x, self.stage.position.y, z), ..self.local })
            }
            _ => None,
        }
    }
}

/// A pose without pitch and roll.
fn upright(pose: Rigid) -> Rigid {
    let forward = pose.rotation * DVec3::NEG_Z;
    Rigid { rotation: DQuat::from_rotation_y(f64::atan2(-forward.x, -forward.z)), ..pose }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(spaces: &FixedSpaces, kind: Type) -> Rigid {
        spaces.pose(kind).expect("a reference space")
    }

    #[test]
    fn local_is_where_the_recorded_head_starts() {
        let yaw = DQuat::from_rotation_y(0.7);
        let head = Rigid { rotation: yaw * DQuat::from_rotation_x(-0.4), position: DVec3::new(0.5, 1.7, -0.2) };
        let spaces = FixedSpaces::new(Type::STAGE, Some(head));
        let [stage, local, floor] = [Type::STAGE, Type::LOCAL, Type::LOCAL_FLOOR].map(|kind| pose(&spaces, kind));
        assert_eq!((stage, local.position), (Rigid::IDENTITY, head.position));
        assert!(local.rotation.angle_between(yaw) < 1e-9, "{local:?}");
        assert_eq!((floor.position, floor.rotation), (DVec3::new(0.5, 0.0, -0.2), local.rotation));
        assert_eq!(spaces.pose(Type::VIEW), None);
    }

    #[test]
    fn floor_is_below_a_recording_in_local() {
        let spaces = FixedSpaces::new(Type::LOCAL, Some(Rigid::IDENTITY));
        assert_eq!(pose(&spaces, Type::LOCAL), Rigid::IDENTITY);
        assert_eq!(pose(&spaces, Type::STAGE).position, DVec3::new(0.0, -1.6, 0.0));
        assert_eq!(pose(&spaces, Type::LOCAL_FLOOR), pose(&spaces, Type::STAGE));
    }
}
