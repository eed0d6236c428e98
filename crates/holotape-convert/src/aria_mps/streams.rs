//! Converts rows to poses and rays.

use glam::DVec3;
use holotape::text::pluralize;
use holotape::{Hand, Joint, Pose, PoseId, Ray, Recording, Result, Skeleton, rotations_from_positions};

use super::files::TableKind;
use super::glasses::Glasses;
use super::table::{Row, Table};
use super::trajectory::{Trajectory, TrajectoryColumns, device_at_origin, head_pose};
use crate::assemble::RecordingAssembler;
use crate::hand_joints::{self, JointValues};
use crate::rigid::RigidPose;
use crate::{Loss, LossKind, Losses, Space};

const LANDMARKS: usize = Skeleton::Aria.joint_count();

/// The recording under construction, and counts of what it cannot represent.
pub(super) struct Streams {
    start_us: i64,
    assembler: RecordingAssembler,
    trajectory: Trajectory,
    drifts: bool,
    glasses: Glasses,
    hands: usize,
    gaze: usize,
    depths: usize,
    /// Rows outside the times of the trajectory.
    hands_outside: usize,
    gaze_outside: usize,
}

/// The columns of a hand.
struct HandColumns {
    hand: Hand,
    confidence: usize,
    landmarks: [[usize; 3]; LANDMARKS],
}

/// The columns of the gaze: combined angles, or those of each eye.
struct GazeColumns {
    yaw: [usize; 2],
    pitch: usize,
    depth: Option<usize>,
}

impl Streams {
    pub(super) fn new(start_us: i64) -> Self {
        Self {
            start_us,
            assembler: RecordingAssembler::new(0.0),
            trajectory: Trajectory::default(),
            drifts: false,
            glasses: Glasses::Gen1,
            hands: 0,
            gaze: 0,
            depths: 0,
            hands_outside: 0,
            gaze_outside: 0,
        }
    }

    /// Reads a table. The trajectory must come first. A truncated last row is returned as a loss.
    pub(super) fn read(&mut self, table: Table<'_>) -> Result<Option<Loss>> {
        match table.kind {
            TableKind::Trajectory => self.read_trajectory(table),
            TableKind::Hands => {
                let columns = [HandColumns::new(Hand::Left, &table)?, HandColumns::new(Hand::Right, &table)?];
                table.read(|row| columns.iter().try_for_each(|columns| self.push_hand(columns, row)))
            }
            TableKind::Gaze => {
                let columns = GazeColumns::new(&table)?;
                // Only the second generation measures the pitch of each eye.
                if self.trajectory.is_empty() && table.find_column("left_pitch_rads_cpf").is_some() {
                    self.glasses = Glasses::Gen2;
                }
                table.read(|row| self.push_gaze(&columns, row))
            }
        }
    }

    fn read_trajectory(&mut self, table: Table<'_>) -> Result<Option<Loss>> {
        let columns = TrajectoryColumns::new(&table)?;
        self.drifts = columns.drifts;
        let mut first_world = None;
        let trajectory = &mut self.trajectory;
        let truncated = table.read(|row| {
            let world = columns.world(row);
            if *first_world.get_or_insert(world) != world {
                trajectory.other_worlds += 1;
                return Ok(());
            }
            trajectory.push(&columns, row)
        })?;
        self.glasses = self.trajectory.up_in_device().map_or(self.glasses, Glasses::from_up);
        for (time_us, device) in self.trajectory.rows() {
            let pose = head_pose(device, self.glasses);
            self.assembler.pose(PoseId::Camera, secs_between(self.start_us, time_us), Some(Some(pose)));
        }
        Ok(truncated)
    }

    /// The pose of the device at a time; `None` outside the times of the trajectory.
    fn device_at(&self, time_us: i64) -> Option<RigidPose> {
        match self.trajectory.is_empty() {
            true => Some(device_at_origin(self.glasses)),
            false => self.trajectory.at(time_us),
        }
    }

    fn push_hand(&mut self, columns: &HandColumns, row: &Row<'_, '_>) -> Result<()> {
        let time_us = row.time_us()?;
        let time_secs = secs_between(self.start_us, time_us);
        let device = self.device_at(time_us);
        // An empty cell is no statement about the hand.
        let is_present = row.number(columns.confidence)?.partial_cmp(&0.0).is_none_or(|order| order.is_ge());
        let mut positions = [None; Joint::COUNT];
        for (index, landmark) in columns.landmarks.iter().enumerate() {
            let position = DVec3::from_array(row.numbers(landmark)?);
            if let (Some(joint), Some(device)) = (Skeleton::Aria.joint(index), device) {
                let world = device.position + device.rotation * position;
                let unity = Space::RightHanded.vector(world.as_vec3().to_array());
                positions[joint.index()] = Some(unity).filter(|unity| unity.iter().all(|value| value.is_finite()));
            }
        }
        let is_tracked = is_present && positions.iter().any(Option::is_some);
        self.assembler.flags(columns.hand, time_secs, is_tracked, None);
        self.hands += usize::from(is_tracked);
        self.hands_outside += usize::from(is_present && device.is_none());
        if is_tracked {
            let joints = joint_values(columns.hand, &positions);
            hand_joints::push_hand(&mut self.assembler, Skeleton::Aria, columns.hand, time_secs, &joints);
        }
        Ok(())
    }

    fn push_gaze(&mut self, columns: &GazeColumns, row: &Row<'_, '_>) -> Result<()> {
        let time_us = row.time_us()?;
        let [left, right] = row.numbers(&columns.yaw)?.map(f64::tan);
        let direction = DVec3::new((left + right) / 2.0, row.number(columns.pitch)?.tan(), 1.0);
        let depth = columns.depth.map(|column| row.number(column)).transpose()?;
        let device = self.device_at(time_us);
        let is_present = !direction.is_nan();
        self.gaze_outside += usize::from(is_present && device.is_none());
        let ray = device.filter(|_| is_present).map(|device| {
            let eyes = device.compose(&self.glasses.cpf_in_device());
            let direction = (eyes.rotation * direction).try_normalize()?;
            let ray = Ray { origin: eyes.position.as_vec3().to_array(), direction: direction.as_vec3().to_array() };
            Some(Space::RightHanded.ray(ray))
        });
        self.gaze += usize::from(ray.is_some());
        self.depths += usize::from(ray.is_some() && depth.is_some_and(|depth| depth > 0.0));
        self.assembler.gaze(secs_between(self.start_us, time_us), ray);
        Ok(())
    }

    pub(super) fn finish(self) -> (Recording, Losses) {
        let (recording, mut losses) = self.assembler.finish();
        let unusable = [
            (self.trajectory.unusable, "trajectory", "the pose is invalid, or not after the one before"),
            (self.trajectory.other_worlds, "trajectory", "in the coordinates of another map"),
            (self.hands_outside, "hands", "outside the times of the trajectory"),
            (self.gaze_outside, "gaze", "outside the times of the trajectory"),
        ];
        for (count, what, why) in unusable {
            losses.push_if(count > 0, LossKind::Unusable, || {
                format!("dropped {} of the {what}: {why}", pluralize(count, "row"))
            });
        }
        losses.push_if(self.hands > 0, LossKind::Unsupported, || {
            "dropped confidences, wrist rotations and normals of the hands: not part of a recording".to_owned()
        });
        losses.push_if(self.depths > 0, LossKind::Unsupported, || {
            format!("dropped the gaze distance in {}: not part of a recording", pluralize(self.depths, "row"))
        });
        losses.push_if(self.hands > 0, LossKind::Invented, || {
            "invented rotations and metacarpals of the hands: Project Aria has positions of 21 joints".to_owned()
        });
        losses.extend((self.hands > 0).then(|| hand_joints::pinch_loss("Project Aria")));
        losses.push_if(self.drifts, LossKind::Invented, || {
            "used the open-loop trajectory, whose positions drift: there is no closed-loop trajectory".to_owned()
        });
        losses.push_if(self.trajectory.is_empty() && self.hands + self.gaze > 0, LossKind::Invented, || {
            "placed the head at the origin: there is no trajectory".to_owned()
        });
        let glasses = self.glasses.name();
        losses.push(Loss::new(
            LossKind::Invented,
            format!("placed the eyes by the nominal dimensions of {glasses} glasses: MPS has no calibration"),
        ));
        (recording, losses)
    }
}

impl HandColumns {
    fn new(hand: Hand, table: &Table<'_>) -> Result<Self> {
        let name = hand.name();
        let mut landmarks = [[0; 3]; LANDMARKS];
        for (index, columns) in landmarks.iter_mut().enumerate() {
            for (column, axis) in columns.iter_mut().zip(["tx", "ty", "tz"]) {
                *column = table.column(&format!("{axis}_{name}_landmark_{index}_device"))?;
            }
        }
        Ok(Self { hand, confidence: table.column(&format!("{name}_tracking_confidence"))?, landmarks })
    }
}

impl GazeColumns {
    fn new(table: &Table<'_>) -> Result<Self> {
        let yaw = match table.find_column("yaw_rads_cpf") {
            Some(column) => [column; 2],
            None => [table.column("left_yaw_rads_cpf")?, table.column("right_yaw_rads_cpf")?],
        };
        Ok(Self { yaw, pitch: table.column("pitch_rads_cpf")?, depth: table.find_column("depth_m") })
    }
}

/// The joints of a hand with rotations that follow from their positions, in Unity's space.
fn joint_values(hand: Hand, positions: &[Option<[f32; 3]>; Joint::COUNT]) -> JointValues {
    let rotations = rotations_from_positions(hand, positions);
    let mut values = [None; Joint::COUNT];
    for joint in Skeleton::Aria.joints() {
        let pose = positions[joint.index()].zip(rotations[joint.index()]);
        values[joint.index()] = Some(pose.map(|(position, rotation)| Pose { position, rotation }));
    }
    values
}

fn secs_between(start_us: i64, time_us: i64) -> f64 {
    (i128::from(time_us) - i128::from(start_us)) as f64 * 1e-6
}
