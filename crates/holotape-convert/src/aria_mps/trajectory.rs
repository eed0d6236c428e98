//! The poses of the device in the world.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};
use holotape::{Pose, Result};

use super::glasses::Glasses;
use super::table::{Row, Table};
use crate::Space;
use crate::rigid::RigidPose;

/// Poses in a right-handed world with y up, in order of time.
#[derive(Debug, Default)]
pub(super) struct Trajectory {
    rows: Vec<(i64, RigidPose)>,
    /// Rows that are in another world, or whose pose is invalid or not after the one before.
    pub(super) other_worlds: usize,
    pub(super) unusable: usize,
}

/// The columns of a trajectory.
pub(super) struct TrajectoryColumns {
    world: Option<usize>,
    pose: [usize; 7],
    pub(super) drifts: bool,
}

impl TrajectoryColumns {
    pub(super) fn new(table: &Table<'_>) -> Result<Self> {
        let drifts = table.find_column("tx_world_device").is_none();
        let (suffix, world) = if drifts { ("odometry_device", "session_uid") } else { ("world_device", "graph_uid") };
        let mut pose = [0; 7];
        for (column, name) in pose.iter_mut().zip(["tx", "ty", "tz", "qx", "qy", "qz", "qw"]) {
            *column = table.column(&format!("{name}_{suffix}"))?;
        }
        Ok(Self { world: table.find_column(world), pose, drifts })
    }

    pub(super) fn world<'a>(&self, row: &Row<'a, '_>) -> Option<&'a str> {
        self.world.map(|column| row.text(column))
    }
}

impl Trajectory {
    /// Adds a pose with z up.
    pub(super) fn push(&mut self, columns: &TrajectoryColumns, row: &Row<'_, '_>) -> Result<()> {
        let time_us = row.time_us()?;
        let [x, y, z, rotation @ ..] = row.numbers(&columns.pose)?;
        let upright = RigidPose { position: DVec3::ZERO, rotation: DQuat::from_rotation_x(-FRAC_PI_2) };
        let is_next = self.rows.last().is_none_or(|(last_us, _)| *last_us < time_us);
        match RigidPose::new([x, y, z], rotation).filter(|_| is_next) {
            Some(pose) => self.rows.push((time_us, upright.compose(&pose))),
            None => self.unusable += 1,
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = (i64, &RigidPose)> {
        self.rows.iter().map(|(time_us, pose)| (*time_us, pose))
    }

    /// The direction that is up on average, in the device frame. `None` if there are no poses.
    pub(super) fn up_in_device(&self) -> Option<DVec3> {
        let sum = self.rows.iter().map(|(_, pose)| pose.rotation.inverse() * DVec3::Y).sum::<DVec3>();
        (!self.rows.is_empty()).then_some(sum)
    }

    /// The interpolated pose at a time; `None` before the first pose and after the last one.
    pub(super) fn at(&self, time_us: i64) -> Option<RigidPose> {
        let after = self.rows.partition_point(|(row_us, _)| *row_us < time_us);
        let (end_us, end) = self.rows.get(after)?;
        if *end_us == time_us {
            return Some(*end);
        }
        let (start_us, start) = self.rows.get(after.checked_sub(1)?)?;
        // In 128 bits: times may be far apart.
        let since = |us: i64| (i128::from(us) - i128::from(*start_us)) as f64;
        let t = since(time_us) / since(*end_us);
        Some(RigidPose {
            position: start.position.lerp(end.position, t),
            rotation: start.rotation.slerp(end.rotation, t).normalize(),
        })
    }
}

/// The turn between CPF, which has z forward, and a head, which has z backward.
fn half_turn() -> RigidPose {
    RigidPose { position: DVec3::ZERO, rotation: DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0) }
}

/// The pose of the head in Unity's space, from that of the device.
pub(super) fn head_pose(device: &RigidPose, glasses: Glasses) -> Pose {
    Space::RightHanded.pose(device.compose(&glasses.cpf_in_device()).compose(&half_turn()).pose())
}

/// The pose of the device if the head is at the origin and looks ahead.
pub(super) fn device_at_origin(glasses: Glasses) -> RigidPose {
    half_turn().compose(&RigidPose::ORIGIN.relative_to(&glasses.cpf_in_device()))
}
