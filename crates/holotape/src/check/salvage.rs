//! Saves what there is of a broken file.

use super::aggregate::{FindingAggregator, Occurrences};
use super::messages::pluralize;
use super::{FindingKind, RepairEntry, RepairReport, Subject, TruncatedCurve};
use crate::error::{Error, ErrorKind, Location, Result};
use crate::format::{Partial, is_headerless, read_partial};
use crate::{CurveId, Recording};

/// How to salvage.
///
/// ```
/// use holotape::check::{SalvageOptions, salvage};
/// use holotape::format::{Format, Layout};
///
/// # let mut take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
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
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
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
    pub cut: Option<TruncatedCurve>,
    /// The curves of which there is nothing.
    pub lost: Vec<CurveId>,
}

/// Reads as much of a file as makes sense: every whole curve before the damage, the whole keys of the curve that it is
/// in, and every whole marker. A file that is sound is read as it is.
///
/// ```
/// use holotape::check::{FindingKind, SalvageOptions, salvage};
///
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let (mut bytes, _) = take.to_vec()?;
/// bytes.extend(b"something else");
/// assert!(holotape::Recording::from_slice(&bytes).is_err());
/// let salvaged = salvage(&bytes, &SalvageOptions::new())?;
/// assert_eq!(salvaged.recording, take);
/// assert_eq!(salvaged.report.lost[0].fault, FindingKind::TrailingBytes);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If there is nothing to save: the file is no input animation, or none of its curves and markers is there.
pub fn salvage(bytes: &[u8], options: &SalvageOptions) -> Result<Salvaged> {
    let mut partial = read_partial(bytes, options.headerless)?;
    let cut_keys = partial.cut.map_or(0, |cut| cut.kept_keys);
    if partial.complete_curves + cut_keys + partial.recording.markers.len() == 0
        && let Some(error) = partial.error.take()
    {
        return Err(error);
    }
    let ids: Vec<_> = CurveId::all(partial.recording.channels()).collect();
    let (whole, rest) = ids.split_at(partial.complete_curves);
    let lost = rest.get(usize::from(partial.cut.is_some())..).unwrap_or_default();
    let mut report = RepairReport::default();
    if options.headerless && is_headerless(bytes) {
        report.repaired.push(RepairEntry::new(
            FindingKind::Headerless,
            Subject::File,
            1,
            "read as version 1.0, without a header",
        ));
    }
    if partial.guessed_channels {
        let message = "the flags of its channels were damaged; took what fits the rest";
        report.repaired.push(RepairEntry::new(FindingKind::Damaged, Subject::File, 1, message));
    }
    if let Some(error) = &partial.error {
        add_damage(&partial, kind_of_error(error), whole, lost, &mut report);
    }
    Ok(Salvaged { report, whole: whole.to_vec(), cut: partial.cut, lost: lost.to_vec(), recording: partial.recording })
}

/// What is wrong with a file that this error came of.
pub(super) fn kind_of_error(error: &Error) -> FindingKind {
    match (error.kind(), error.location()) {
        (ErrorKind::Truncated, _) => FindingKind::Truncated,
        (ErrorKind::Invalid, Some(Location::End)) => FindingKind::TrailingBytes,
        (ErrorKind::Invalid, _) => FindingKind::Damaged,
        _ => FindingKind::Unreadable,
    }
}

fn add_damage(partial: &Partial, fault: FindingKind, whole: &[CurveId], lost: &[CurveId], report: &mut RepairReport) {
    let all = pluralize(CurveId::all(partial.recording.channels()).count(), "curve");
    let message = format!("kept {} of {all} whole", whole.len());
    report.repaired.push(RepairEntry::new(fault, Subject::File, whole.len(), message));
    if let Some(cut) = partial.cut {
        report.lost.push(truncated_entry(fault, cut));
    }
    report.lost.extend(lost_curves(fault, lost));
    let first_broken = partial.cut.map(|cut| cut.id).or(lost.first().copied());
    report.lost.extend(first_broken.and_then(|broken| incomplete_pose(whole, broken)));
    report.lost.extend(lost_markers(fault, partial));
    if partial.trailing_bytes > 0 {
        let count = usize::try_from(partial.trailing_bytes).unwrap_or(usize::MAX);
        let message = format!("dropped {} behind the end", pluralize(count, "byte"));
        report.lost.push(RepairEntry::new(fault, Subject::File, count, message));
    }
}

fn truncated_entry(fault: FindingKind, cut: TruncatedCurve) -> RepairEntry {
    let TruncatedCurve { id, kept_keys, promised_keys } = cut;
    let (count, message) = match promised_keys {
        Some(promised) => (promised.saturating_sub(kept_keys), format!("kept {kept_keys} of {promised} keys")),
        None => (0, format!("kept {}; nobody knows how many there were", pluralize(kept_keys, "key"))),
    };
    RepairEntry::new(fault, Subject::Curve(id), count, message)
}

/// The curves of which there is nothing, one entry for each part.
fn lost_curves(fault: FindingKind, lost: &[CurveId]) -> impl Iterator<Item = RepairEntry> {
    let mut tally = FindingAggregator::default();
    lost.iter().for_each(|id| tally.add(fault, &[*id], Occurrences::counted(1)));
    tally
        .totals()
        .map(|total| RepairEntry::from_aggregate(&total, format!("{} lost", pluralize(total.seen.count, "curve"))))
}

/// The pose that the damage is in, if some of it is whole: of no use without the rest.
fn incomplete_pose(whole: &[CurveId], broken: CurveId) -> Option<RepairEntry> {
    let last_whole = *whole.last()?;
    let subject = Subject::from_curves(&[last_whole, broken]);
    let is_one = match (last_whole, broken) {
        (CurveId::Camera(_), CurveId::Camera(_)) | (CurveId::Gaze(_), CurveId::Gaze(_)) => true,
        (CurveId::Joint(a, joint, _), CurveId::Joint(b, other, _)) => (a, joint) == (b, other),
        _ => false,
    };
    is_one.then(|| RepairEntry::new(FindingKind::IncompletePose, subject, 1, "only some of its components are there"))
}

fn lost_markers(fault: FindingKind, partial: &Partial) -> Option<RepairEntry> {
    let kept = partial.recording.markers.len();
    let is_in_markers = matches!(partial.error.as_ref()?.location()?, Location::MarkerList | Location::Marker { .. });
    let (count, message) = match partial.declared_markers {
        Some(promised) if promised > kept => (promised - kept, format!("kept {kept} of {promised}")),
        Some(_) => return None,
        None if is_in_markers => (0, "the list cannot be read".to_owned()),
        None => (0, "behind the damage; nobody knows how many there were".to_owned()),
    };
    Some(RepairEntry::new(fault, Subject::Markers, count, message))
}
