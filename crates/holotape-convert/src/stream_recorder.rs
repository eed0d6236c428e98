//! Reads head, hands and gaze from the `…_head_hand_eye.csv` files of the
//! [HoloLens2ForCV](https://github.com/microsoft/HoloLens2ForCV) StreamRecorder.
//!
//! These have 861 columns without a header: a timestamp in 100 ns since 1601; the head; for each hand a tracked flag
//! and 26 joints; for the gaze a valid flag, origin, direction and distance to the hit point. Poses are row-major 4×4
//! matrices. Files without the distance (860 columns) or without the gaze (851) are supported as well.

use holotape::text::pluralize;
use holotape::{Error, ErrorKind, Hand, Pose, PoseId, Ray, Recording, Result, Skeleton};

use crate::assemble::RecordingAssembler;
use crate::delimited::{NumericRow, NumericRows};
use crate::ticks::secs_between;
use crate::{LossKind, Losses, Space, rigid};

const MATRIX: usize = 16;
const HAND_COLUMNS: usize = 1 + Skeleton::OpenXr.joint_count() * MATRIX;
const HEAD: usize = 1;
const HANDS: [usize; 2] = [HEAD + MATRIX, HEAD + MATRIX + HAND_COLUMNS];
const GAZE: usize = HANDS[1] + HAND_COLUMNS;
const DISTANCE: usize = GAZE + 9;
const KNOWN_COLUMNS: [usize; 3] = [DISTANCE + 1, DISTANCE, GAZE];

/// Reads head, hands and gaze from a StreamRecorder table.
///
/// ```
/// # let bytes = include_bytes!("../../../testdata/import/stream_recorder_head_hand_eye.csv");
/// use holotape::Hand;
///
/// let (recording, losses) = holotape_convert::stream_recorder::read(bytes)?;
/// assert!(recording.camera.is_some() && recording.gaze.is_some());
/// assert!(recording.hand(Hand::Left).tracked.value_at(0.0));
/// # assert_eq!(losses.iter().count(), 1);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If there are no rows, a row has another number of columns than the first, or a cell is not a number. A truncated
/// last row is a loss.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    let rows = NumericRows::new(bytes, b',')?;
    let first = rows.clone().next().ok_or_else(|| Error::new(ErrorKind::NotARecording, "the table has no rows"))?;
    let columns = first.column_count();
    if !KNOWN_COLUMNS.contains(&columns) {
        return Err(first.columns_error("expected 861, 860 (no distance) or 851 (no gaze)"));
    }
    let mut table = Table { assembler: RecordingAssembler::new(0.0), start: None, hits: 0 };
    let truncated = rows.read(&[columns], |row, numbers| table.push_row(row, numbers))?;
    let (recording, mut losses) = table.assembler.finish();
    losses.push_if(table.hits > 0, LossKind::Unsupported, || {
        format!("dropped the gaze distance in {}: not part of a recording", pluralize(table.hits, "row"))
    });
    losses.extend(truncated);
    Ok((recording, losses))
}

struct Table {
    assembler: RecordingAssembler,
    start: Option<i64>,
    hits: usize,
}

impl Table {
    fn push_row(&mut self, row: &NumericRow<'_>, numbers: &[f64]) -> Result<()> {
        let flag = |column| row.flag(numbers, column);
        let has_hands = [flag(HANDS[0])?, flag(HANDS[1])?];
        let has_gaze = numbers.len() > GAZE && flag(GAZE)?;
        let time_secs = self.time_secs(row)?;
        self.assembler.pose(PoseId::Camera, time_secs, Some(pose(numbers, HEAD)));
        for ((hand, start), is_tracked) in Hand::ALL.into_iter().zip(HANDS).zip(has_hands) {
            self.assembler.flags(hand, time_secs, is_tracked, None);
            for (number, joint) in Skeleton::OpenXr.joints().enumerate().filter(|_| is_tracked) {
                let pose = pose(numbers, start + 1 + number * MATRIX);
                self.assembler.pose(PoseId::Joint(hand, joint), time_secs, Some(pose));
            }
        }
        self.assembler.gaze(time_secs, has_gaze.then(|| eye_ray(numbers)));
        self.hits += usize::from(has_gaze && numbers.get(DISTANCE).is_some_and(|distance| *distance > 0.0));
        Ok(())
    }

    fn time_secs(&mut self, row: &NumericRow<'_>) -> Result<f64> {
        let ticks = row.integer(0).ok_or_else(|| row.cell_error(0, "is not a timestamp"))?;
        Ok(secs_between(*self.start.get_or_insert(ticks), ticks))
    }
}

fn pose(numbers: &[f64], start: usize) -> Option<Pose> {
    let pose = rigid::pose_from_rows(numbers[start..].first_chunk()?);
    pose.map(|pose| Space::RightHanded.pose(pose))
}

/// Origin and direction are homogeneous: four values each.
fn eye_ray(numbers: &[f64]) -> Option<Ray> {
    let [x, y, z, _, direction @ .., _] = *numbers[GAZE + 1..].first_chunk::<8>()?;
    let direction = rigid::unit(direction.map(|number| number as f32))?;
    Some(Space::RightHanded.ray(Ray { origin: [x, y, z].map(|number| number as f32), direction }))
}
