//! Reads what is left of a damaged file.

use super::aggregate::{FindingAggregator, Occurrences};
use super::{FindingKind, RepairEntry, RepairReport, Subject, TruncatedCurve};
use crate::error::{Error, ErrorKind, Location, Result};
use crate::format::{Partial, is_headerless, read_partial};
use crate::text::pluralize;
use crate::{CurveId, Recording, VectorId};

options! {
    /// Options of [`salvage`].
    ///
    /// ```
    /// use holotape::check::{SalvageOptions, salvage};
    /// use holotape::format::{Format, Layout};
    ///
    /// # let mut recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// # recording.gaze = None;
    /// recording.format = Format { layout: Layout::Full10, marker_list: true };
    /// let (bytes, _) = recording.to_vec()?;
    /// // Files from before the first MRTK release in 2019 have no header.
    /// let salvaged = salvage(&bytes[16..], &SalvageOptions::new().with_headerless(true))?;
    /// assert_eq!(salvaged.recording.to_vec()?.0, bytes);
    /// assert!(salvaged.report.lost.is_empty());
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[derive(Eq)]
    pub struct SalvageOptions {
        /// Whether to read a file without a header, from before the first MRTK release in 2019, as version 1.0. By default
        /// such a file is rejected, because without a header it could be anything.
        with_headerless(headerless: bool) = false,
    }
}

/// The contents that [`salvage`] could read.
///
/// ```
/// use holotape::check::{SalvageOptions, salvage};
///
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let (bytes, _) = recording.to_vec()?;
/// let salvaged = salvage(&bytes[..bytes.len() / 2], &SalvageOptions::new())?;
/// assert!(salvaged.complete.len() > 100);
/// assert_eq!(salvaged.recording.camera, recording.camera);
/// print!("{}", salvaged.report);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Salvaged {
    /// The recording, with the curves before the damage. Curves after it have no keys.
    pub recording: Recording,
    /// What was kept and what is lost.
    pub report: RepairReport,
    /// The curves that are complete.
    pub complete: Vec<CurveId>,
    /// The curve at the damage, if some of its keys could be read.
    pub truncated: Option<TruncatedCurve>,
    /// The curves that are lost completely.
    pub lost: Vec<CurveId>,
}

/// Reads every complete curve before the damage, the complete keys of the curve at the damage, and every complete
/// marker. An intact file is read unchanged.
///
/// ```
/// use holotape::check::{FindingKind, SalvageOptions, salvage};
///
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let (mut bytes, _) = recording.to_vec()?;
/// bytes.extend(b"something else");
/// assert!(holotape::Recording::from_slice(&bytes).is_err());
/// let salvaged = salvage(&bytes, &SalvageOptions::new())?;
/// assert_eq!(salvaged.recording, recording);
/// assert_eq!(salvaged.report.lost[0].kind, FindingKind::TrailingBytes);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If the file is not an input animation, or contains no complete key and no complete marker.
pub fn salvage(bytes: &[u8], options: &SalvageOptions) -> Result<Salvaged> {
    let mut partial = read_partial(bytes, options.headerless)?;
    let kept_keys = partial.truncated.map_or(0, |truncated| truncated.kept_keys);
    if partial.complete_curves + kept_keys + partial.recording.markers.len() == 0
        && let Some(error) = partial.error.take()
    {
        return Err(error);
    }
    let ids: Vec<_> = CurveId::all(partial.recording.channels()).collect();
    let (complete, rest) = ids.split_at(partial.complete_curves);
    let lost = rest.get(usize::from(partial.truncated.is_some())..).unwrap_or_default();
    let mut report = RepairReport::default();
    let mut add_repaired =
        |kind, message: &str| report.repaired.push(RepairEntry::new(kind, Subject::File, 1, message));
    if options.headerless && is_headerless(bytes) {
        add_repaired(FindingKind::Headerless, "read as version 1.0, without a header");
    }
    if partial.guessed_channels {
        add_repaired(FindingKind::Damaged, "the channel flags are damaged; chose the channels that fit the contents");
    }
    if let Some(error) = &partial.error {
        add_damage(&partial, kind_of_error(error), complete, lost, &mut report);
    }
    Ok(Salvaged {
        report,
        complete: complete.to_vec(),
        truncated: partial.truncated,
        lost: lost.to_vec(),
        recording: partial.recording,
    })
}

/// The kind of problem that an error from opening a file indicates.
pub(super) fn kind_of_error(error: &Error) -> FindingKind {
    match (error.kind(), error.location()) {
        (ErrorKind::Truncated, _) => FindingKind::Truncated,
        (ErrorKind::Invalid, Some(Location::End)) => FindingKind::TrailingBytes,
        (ErrorKind::Invalid, _) => FindingKind::Damaged,
        _ => FindingKind::Unreadable,
    }
}

fn add_damage(partial: &Partial, kind: FindingKind, complete: &[CurveId], lost: &[CurveId], report: &mut RepairReport) {
    let all = pluralize(CurveId::all(partial.recording.channels()).count(), "curve");
    let message = format!("kept {} of {all} complete", complete.len());
    report.repaired.push(RepairEntry::new(kind, Subject::File, complete.len(), message));
    if let Some(truncated) = partial.truncated {
        report.lost.push(truncated_entry(kind, truncated));
    }
    report.lost.extend(lost_curves(kind, lost));
    let first_damaged = partial.truncated.map(|truncated| truncated.id).or(lost.first().copied());
    report.lost.extend(first_damaged.and_then(|damaged| incomplete_pose(complete, damaged)));
    report.lost.extend(lost_markers(kind, partial));
    if partial.trailing_bytes > 0 {
        let count = usize::try_from(partial.trailing_bytes).unwrap_or(usize::MAX);
        let message = format!("dropped {} after the end", pluralize(count, "byte"));
        report.lost.push(RepairEntry::new(kind, Subject::File, count, message));
    }
}

fn truncated_entry(kind: FindingKind, truncated: TruncatedCurve) -> RepairEntry {
    let TruncatedCurve { id, kept_keys, promised_keys } = truncated;
    let (count, message) = match promised_keys {
        Some(promised) => (promised.saturating_sub(kept_keys), format!("kept {kept_keys} of {promised} keys")),
        None => (0, format!("kept {}; original number unknown", pluralize(kept_keys, "key"))),
    };
    RepairEntry::new(kind, Subject::Curve(id), count, message)
}

/// The curves that are lost completely, one entry per body part.
fn lost_curves(kind: FindingKind, lost: &[CurveId]) -> impl Iterator<Item = RepairEntry> {
    let mut findings = FindingAggregator::default();
    lost.iter().for_each(|id| findings.add(kind, &[*id], Occurrences::counted(1)));
    findings.finish().map(|aggregate| {
        let message = format!("{} lost", pluralize(aggregate.occurrences.count, "curve"));
        RepairEntry::from_aggregate(&aggregate, message)
    })
}

/// The pose or ray at the damage, if some of its curves are complete.
fn incomplete_pose(complete: &[CurveId], damaged: CurveId) -> Option<RepairEntry> {
    let last_complete = *complete.last()?;
    let owner = |id| Some(VectorId::from_curve(id)?.owner());
    let subject = Subject::from_curves(&[last_complete, damaged]);
    (owner(last_complete)? == owner(damaged)?)
        .then(|| RepairEntry::new(FindingKind::IncompletePose, subject, 1, "only some components present"))
}

fn lost_markers(kind: FindingKind, partial: &Partial) -> Option<RepairEntry> {
    let kept = partial.recording.markers.len();
    let is_in_markers = matches!(partial.error.as_ref()?.location()?, Location::MarkerList | Location::Marker { .. });
    let (count, message) = match partial.declared_markers {
        Some(declared) if declared > kept => (declared - kept, format!("kept {kept} of {declared}")),
        Some(_) => return None,
        None if is_in_markers => (0, "the list is unreadable".to_owned()),
        None => (0, "after the damage; number unknown".to_owned()),
    };
    Some(RepairEntry::new(kind, Subject::Markers, count, message))
}
