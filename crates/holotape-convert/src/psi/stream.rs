//! Converts rows to poses and rays.

use std::path::Path;

use holotape::text::pluralize;
use holotape::{Hand, Pose, PoseId, Ray, Recording, Result, Skeleton};

use super::files::StreamKind;
use super::schema::{HandColumns, JOINT_COUNT, JOINTS, MATRIX, RAY, StreamSchema};
use crate::assemble::RecordingAssembler;
use crate::delimited::NumericRow;
use crate::{Loss, LossKind, Losses, rigid};

/// The recording under construction, and counts of what it cannot represent.
pub(super) struct Streams {
    assembler: RecordingAssembler,
    grips: usize,
    inferred: usize,
    uncalibrated: usize,
    truncated: Vec<Loss>,
}

/// A row without its time columns.
struct Cells<'a> {
    row: &'a NumericRow<'a>,
    numbers: &'a [f64],
    start: usize,
}

impl Cells<'_> {
    fn count(&self) -> usize {
        self.numbers.len() - self.start
    }

    fn flag(&self, column: usize) -> Result<bool> {
        self.row.flag(self.numbers, self.start + column)
    }

    /// N values; `None` if all of them are NaN, which stands for missing data.
    fn numbers<const N: usize>(&self, column: usize) -> Option<&[f64; N]> {
        let numbers = self.numbers[self.start + column..].first_chunk()?;
        numbers.iter().any(|number| !number.is_nan()).then_some(numbers)
    }
}

impl Streams {
    pub(super) fn new(start_secs: f64) -> Self {
        Self {
            assembler: RecordingAssembler::new(start_secs),
            grips: 0,
            inferred: 0,
            uncalibrated: 0,
            truncated: Vec::new(),
        }
    }

    pub(super) fn push_row(
        &mut self,
        row: &NumericRow<'_>,
        numbers: &[f64],
        time_secs: f64,
        schema: &StreamSchema,
    ) -> Result<()> {
        let cells = Cells { row, numbers, start: schema.start() };
        match schema.kind {
            StreamKind::Head => self.push_head(&cells, time_secs),
            StreamKind::Eyes => self.push_gaze(&cells, time_secs)?,
            StreamKind::Hand(hand) => self.push_hand(hand, &cells, time_secs)?,
        }
        Ok(())
    }

    fn push_head(&mut self, cells: &Cells<'_>, time_secs: f64) {
        self.assembler.pose(PoseId::Camera, time_secs, cells.numbers(0).map(pose));
    }

    fn push_gaze(&mut self, cells: &Cells<'_>, time_secs: f64) -> Result<()> {
        let is_calibrated = cells.count() == RAY || cells.flag(RAY)?;
        let numbers = cells.numbers(0);
        self.uncalibrated += usize::from(numbers.is_some() && !is_calibrated);
        self.assembler.gaze(time_secs, numbers.map(ray));
        Ok(())
    }

    fn push_hand(&mut self, hand: Hand, cells: &Cells<'_>, time_secs: f64) -> Result<()> {
        let columns = HandColumns::from_count(cells.count());
        let columns = columns.ok_or_else(|| cells.row.columns_error("which is not a hand"))?;
        let is_tracked = cells.flag(columns.flags - 1)?;
        if is_tracked && !columns.has_joints {
            return Err(cells.row.columns_error("but the hand is tracked: its joints are missing"));
        }
        let (grips, pinches) = if columns.flags > 1 { (cells.flag(0)?, Some(cells.flag(1)?)) } else { (false, None) };
        self.grips += usize::from(grips);
        let has_joints = is_tracked && self.push_joints(hand, cells, columns, time_secs)?;
        // A hand without valid joints is not tracked.
        self.assembler.flags(hand, time_secs, has_joints, pinches);
        Ok(())
    }

    /// Returns whether any joint is valid.
    fn push_joints(&mut self, hand: Hand, cells: &Cells<'_>, columns: HandColumns, time_secs: f64) -> Result<bool> {
        let mut has_joints = false;
        let mut absent = Vec::new();
        for (number, joint) in Skeleton::OpenXr.joints().enumerate() {
            let matrix = cells.numbers(columns.flags + number * MATRIX);
            let validity = columns.flags + JOINTS + number;
            let is_valid = if columns.has_validity { cells.flag(validity)? } else { matrix.is_some() };
            if is_valid {
                has_joints = true;
                self.inferred += usize::from(columns.has_validity && !cells.flag(validity + JOINT_COUNT)?);
                self.assembler.pose(PoseId::Joint(hand, joint), time_secs, Some(matrix.and_then(pose)));
            } else {
                absent.push(PoseId::Joint(hand, joint));
            }
        }
        if has_joints {
            absent.into_iter().for_each(|id| self.assembler.pose(id, time_secs, None));
        }
        Ok(has_joints)
    }

    /// Records the loss of a truncated last row.
    pub(super) fn note_truncated_row(&mut self, loss: Option<Loss>, path: Option<&Path>) {
        let named = |loss: Loss| match path {
            Some(path) => Loss::new(loss.kind(), format!("{}: {loss}", path.display())),
            None => loss,
        };
        self.truncated.extend(loss.map(named));
    }

    pub(super) fn finish(self) -> (Recording, Losses) {
        let (recording, mut losses) = self.assembler.finish();
        let unsupported = [
            (self.grips, "grips of the hands", "row"),
            (self.inferred, "inferred flag", "joint"),
            (self.uncalibrated, "uncalibrated flag of the gaze", "ray"),
        ];
        for (count, what, unit) in unsupported {
            losses.push_if(count > 0, LossKind::Unsupported, || {
                format!("dropped the {what} of {}: not part of a recording", pluralize(count, unit))
            });
        }
        losses.extend(self.truncated);
        (recording, losses)
    }
}

fn pose(matrix: &[f64; MATRIX]) -> Option<Pose> {
    let Pose { position, rotation: [x, y, z, w] } = rigid::pose_from_rows(matrix)?;
    // Permutes the axes like a vector's; the handedness change flips the sign of x, y and z.
    Some(Pose { position: to_unity(position), rotation: [y, -z, -x, w] })
}

fn ray(&[x, y, z, dx, dy, dz]: &[f64; RAY]) -> Option<Ray> {
    let [origin, direction] = [[x, y, z], [dx, dy, dz]].map(|vector| vector.map(|number| number as f32));
    Some(Ray { origin: to_unity(origin), direction: to_unity(rigid::unit(direction)?) })
}

/// Converts from x forward, y left, z up.
fn to_unity([x, y, z]: [f32; 3]) -> [f32; 3] {
    [-y, z, x]
}
