//! Recentering: the runtime moves a reference space while it is recorded in.

use openxr_sys as xr;

use crate::rigid::Rigid;

/// The moves of the reference space of a take. They are undone, so that the take stays in the space it began in.
#[derive(Debug, Default)]
pub(super) struct SpaceChanges {
    /// From each time on, the pose of the moved space in the first one.
    changes: Vec<(i64, Rigid)>,
}

impl SpaceChanges {
    /// Adds a move: from this time on, the new origin is at `pose` in the space before.
    pub(super) fn add(&mut self, time: xr::Time, pose: Rigid) {
        let before = self.changes.last().map_or(Rigid::IDENTITY, |(_, pose)| *pose);
        self.changes.push((time.as_nanos(), before.then(pose)));
    }

    /// The pose of the space at this time in the first one.
    pub(super) fn origin_at(&self, time: xr::Time) -> Rigid {
        let change = self.changes.iter().rev().find(|(from, _)| *from <= time.as_nanos());
        change.map_or(Rigid::IDENTITY, |(_, pose)| *pose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    #[test]
    fn moves_add_up_from_their_times_on() {
        let at = xr::Time::from_nanos;
        let shift = |x| Rigid { position: DVec3::new(x, 0.0, 0.0), ..Rigid::IDENTITY };
        let turn = Rigid { rotation: DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2), ..Rigid::IDENTITY };
        let mut changes = SpaceChanges::default();
        changes.add(at(100), shift(1.0).then(turn));
        changes.add(at(200), shift(2.0));
        assert_eq!(changes.origin_at(at(99)), Rigid::IDENTITY);
        assert_eq!(changes.origin_at(at(100)).position, DVec3::X);
        // The second move is along the axes of the turned space.
        let end = changes.origin_at(at(500)).position;
        assert!(end.distance(DVec3::new(1.0, 0.0, -2.0)) < 1e-9, "{end}");
    }
}
