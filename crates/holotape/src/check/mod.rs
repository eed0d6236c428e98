//! What is wrong with a recording, and mending it.
//!
//! [`check`](check()) finds faults and says where they are, how much they matter and what to do about them.
//! [`repair`](repair()) mends a recording in memory; [`salvage`](salvage()) reads what there is of a file that cannot be
//! opened. Both list what they did and what is lost:
//!
//! ```
//! use holotape::check::{CheckOptions, RepairOptions, SalvageOptions, check, repair, salvage};
//!
//! # let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.to_vec()?;
//! let mut salvaged = salvage(&bytes, &SalvageOptions::new())?;
//! let mut report = salvaged.report;
//! report.merge(repair(&mut salvaged.recording, &RepairOptions::new()));
//! assert!(report.is_empty(), "{report}");
//! for finding in check(&salvaged.recording, &CheckOptions::new()) {
//!     println!("{finding}: {}", finding.advice());
//! }
//! # Ok::<(), holotape::Error>(())
//! ```

mod aggregate;
mod finding;
mod finding_kind;
mod joint_position;
#[cfg(feature = "json")]
mod json;
mod messages;
mod options;
mod repair;
mod report;
mod rules;
mod salvage;
mod spans;
mod subject;
mod vector;

pub use finding::Finding;
pub use finding_kind::{FindingKind, Severity};
pub use options::CheckOptions;
pub use repair::{RepairOptions, repair};
pub use report::{RepairEntry, RepairReport};
pub use salvage::{SalvageOptions, Salvaged, salvage};
pub use subject::Subject;

pub use crate::format::TruncatedCurve;

use self::aggregate::{AggregatedFinding, FindingAggregator, Occurrences};
use self::rules::CheckContext;
use self::spans::TrackedSpans;
use crate::Recording;
use crate::format::is_headerless;

/// Everything that is wrong with a recording, the worst first: one finding for each fault in each part.
///
/// ```
/// use holotape::check::{CheckOptions, Severity, check};
///
/// # let take = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
/// let findings = check(&take, &CheckOptions::new());
/// assert!(findings.iter().all(|finding| finding.severity < Severity::Warning));
/// # Ok::<(), holotape::Error>(())
/// ```
#[must_use]
pub fn check(recording: &Recording, options: &CheckOptions) -> Vec<Finding> {
    let mut findings = FindingAggregator::default();
    let tracked = TrackedSpans::new(recording);
    rules::check(CheckContext { recording, tracked: &tracked, options }, &mut findings);
    let mut findings: Vec<_> =
        findings.totals().map(|total| Finding::new(&total, messages::finding_message(&total))).collect();
    // Stable, so that those that matter the same stay in the order of the file.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

/// Everything that is wrong with a file that is in memory: with what is in it, or, if it cannot be opened, why.
///
/// ```
/// use holotape::check::{CheckOptions, FindingKind, check_slice};
///
/// let (mut bytes, _) = holotape::Recording::default().to_vec()?;
/// assert!(check_slice(&bytes, &CheckOptions::new()).is_empty());
/// bytes.pop();
/// assert_eq!(check_slice(&bytes, &CheckOptions::new())[0].fault, FindingKind::Truncated);
/// # Ok::<(), holotape::Error>(())
/// ```
#[must_use]
pub fn check_slice(bytes: &[u8], options: &CheckOptions) -> Vec<Finding> {
    match Recording::from_slice(bytes) {
        Ok(recording) => check(&recording, options),
        Err(error) => {
            let fault = if is_headerless(bytes) { FindingKind::Headerless } else { salvage::kind_of_error(&error) };
            let total = AggregatedFinding { fault, subject: Subject::File, seen: Occurrences::counted(1) };
            vec![Finding::new(&total, error.to_string())]
        }
    }
}
