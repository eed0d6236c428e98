//! Saves what there is of a broken file.

use super::tally::{Seen, Tally};
use super::words::counted;
use super::{CutCurve, Entry, Fault, RepairReport, Subject};
use crate::error::{Error, ErrorKind, Place, Result};
use crate::format::{Partial, is_headerless, read_partial};
use crate::{CurveId, Recording};

/// How to salvage.
///
/// ```
/// use holotape::check::{SalvageOptions, salvage};
/// use holotape::format::{Format, Layout};
///
/// # let mut take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
/// # take.gaze = None;
/// take.format = Format { layout: Layout::Full10, marker_list: true };
/// let (bytes, _) = take.to_vec()?;
/// // As before the first release in 2019, when there was no header.
/// let salvaged = salvage(&bytes[16..], &SalvageOptions::new().with_headerless(true))?;
/// assert_eq!(salvaged.recording.to_vec()?.0, bytes);
/// assert!(salvaged.report.lost.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SalvageOptions {
    headerless: bool,
}

impl SalvageOptions {
    /// The defaults, given with each option.
    #[must_use]
    pub const fn new() -> Self {
        Self { headerless: false }
    }

    /// Whether to read a file without a header, as before the first release in 2019, as version 1.0. By default such a
    /// file is refused: without a header it may be anything.
    #[must_use]
    pub const fn with_headerless(self, headerless: bool) -> Self {
        Self { headerless }
    }
}

/// What could be saved of a file.
///
/// ```
/// use holotape::check::{SalvageOptions, salvage};
///
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
/// let (bytes, _) = take.to_vec()?;
/// let salvaged = salvage(&bytes[..bytes.len() / 2], &SalvageOptions::new())?;
/// assert!(salvaged.whole.len() > 100);
/// assert_eq!(salvaged.recording.camera, take.camera);
/// print!("{}", salvaged.report);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Salvaged {
    /// What there is: curves before the damage, no keys behind it.
    pub recording: Recording,
    /// What was kept and what is lost.
    pub report: RepairReport,
    /// The curves that are whole.
    pub whole: Vec<CurveId>,
    /// The curve that the damage is in, if any of it is there.
    pub cut: Option<CutCurve>,
    /// The curves of which there is nothing.
    pub lost: Vec<CurveId>,
}

/// Reads as much of a file as makes sense: every whole curve before the damage, the whole keys of the curve that it is
/// in, and every whole marker. A file that is sound is read as it is.
///
/// ```
/// use holotape::check::{Fault, SalvageOptions, salvage};
///
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
/// let (mut bytes, _) = take.to_vec()?;
/// bytes.extend(b"something else");
/// assert!(holotape::Recording::from_slice(&bytes).is_err());
/// let salvaged = salvage(&bytes, &SalvageOptions::new())?;
/// assert_eq!(salvaged.recording, take);
/// assert_eq!(salvaged.report.lost[0].fault, Fault::TrailingBytes);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If there is nothing to save: the file is no input animation, or none of its curves and markers is there.
pub fn salvage(bytes: &[u8], options: &SalvageOptions) -> Result<Salvaged> {
    let mut partial = read_partial(bytes, options.headerless)?;
    let cut_keys = partial.cut.map_or(0, |cut| cut.kept_keys);
    if partial.whole_curves + cut_keys + partial.recording.markers.len() == 0
        && let Some(error) = partial.error.take()
    {
        return Err(error);
    }
    let ids: Vec<_> = CurveId::all(partial.recording.channels()).collect();
    let (whole, rest) = ids.split_at(partial.whole_curves);
    let lost = rest.get(usize::from(partial.cut.is_some())..).unwrap_or_default();
    let mut report = RepairReport::default();
    if options.headerless && is_headerless(bytes) {
        report.done.push(Entry::new(Fault::Headerless, Subject::File, 1, "read as version 1.0, without a header"));
    }
    if partial.guessed_channels {
        let message = "the flags of its channels were damaged; took what fits the rest";
        report.done.push(Entry::new(Fault::Damaged, Subject::File, 1, message));
    }
    if let Some(error) = &partial.error {
        add_damage(&partial, fault_of(error), whole, lost, &mut report);
    }
    Ok(Salvaged { report, whole: whole.to_vec(), cut: partial.cut, lost: lost.to_vec(), recording: partial.recording })
}

/// What is wrong with a file that this error came of.
pub(super) fn fault_of(error: &Error) -> Fault {
    match (error.kind(), error.place()) {
        (ErrorKind::Truncated, _) => Fault::Truncated,
        (ErrorKind::Invalid, Some(Place::End)) => Fault::TrailingBytes,
        (ErrorKind::Invalid, _) => Fault::Damaged,
        _ => Fault::Unreadable,
    }
}

fn add_damage(partial: &Partial, fault: Fault, whole: &[CurveId], lost: &[CurveId], report: &mut RepairReport) {
    let all = counted(CurveId::all(partial.recording.channels()).count(), "curve");
    let message = format!("kept {} of {all} whole", whole.len());
    report.done.push(Entry::new(fault, Subject::File, whole.len(), message));
    if let Some(cut) = partial.cut {
        report.lost.push(cut_entry(fault, cut));
    }
    report.lost.extend(lost_curves(fault, lost));
    let first_broken = partial.cut.map(|cut| cut.id).or(lost.first().copied());
    report.lost.extend(first_broken.and_then(|broken| incomplete_pose(whole, broken)));
    report.lost.extend(lost_markers(fault, partial));
    if partial.trailing_bytes > 0 {
        let count = usize::try_from(partial.trailing_bytes).unwrap_or(usize::MAX);
        let message = format!("dropped {} behind the end", counted(count, "byte"));
        report.lost.push(Entry::new(fault, Subject::File, count, message));
    }
}

fn cut_entry(fault: Fault, cut: CutCurve) -> Entry {
    let CutCurve { id, kept_keys, promised_keys } = cut;
    let (count, message) = match promised_keys {
        Some(promised) => (promised.saturating_sub(kept_keys), format!("kept {kept_keys} of {promised} keys")),
        None => (0, format!("kept {}; nobody knows how many there were", counted(kept_keys, "key"))),
    };
    Entry::new(fault, Subject::Curve(id), count, message)
}

/// The curves of which there is nothing, one entry for each part.
fn lost_curves(fault: Fault, lost: &[CurveId]) -> impl Iterator<Item = Entry> {
    let mut tally = Tally::default();
    lost.iter().for_each(|id| tally.add(fault, &[*id], Seen::times(1)));
    tally.totals().map(|total| Entry::of(&total, format!("{} lost", counted(total.seen.count, "curve"))))
}

/// The pose that the damage is in, if some of it is whole: of no use without the rest.
fn incomplete_pose(whole: &[CurveId], broken: CurveId) -> Option<Entry> {
    let last_whole = *whole.last()?;
    let subject = Subject::of_curves(&[last_whole, broken]);
    let is_one = match (last_whole, broken) {
        (CurveId::Camera(_), CurveId::Camera(_)) | (CurveId::Gaze(_), CurveId::Gaze(_)) => true,
        (CurveId::Joint(a, joint, _), CurveId::Joint(b, other, _)) => (a, joint) == (b, other),
        _ => false,
    };
    is_one.then(|| Entry::new(Fault::IncompletePose, subject, 1, "only some of its components are there"))
}

fn lost_markers(fault: Fault, partial: &Partial) -> Option<Entry> {
    let kept = partial.recording.markers.len();
    let is_in_markers = matches!(partial.error.as_ref()?.place()?, Place::MarkerList | Place::Marker { .. });
    let (count, message) = match partial.promised_markers {
        Some(promised) if promised > kept => (promised - kept, format!("kept {kept} of {promised}")),
        Some(_) => return None,
        None if is_in_markers => (0, "the list cannot be read".to_owned()),
        None => (0, "behind the damage; nobody knows how many there were".to_owned()),
    };
    Some(Entry::new(fault, Subject::Markers, count, message))
}
