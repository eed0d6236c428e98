//! Finds problems in recordings, and repairs them.
//!
//! [`check`](check()) finds problems and reports their subject, severity and advice. [`repair`](repair()) fixes a
//! recording in memory. [`salvage`](salvage()) reads what is left of a file that cannot be opened. Both report what they
//! did and what is lost:
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
mod unit_length;

pub use finding::Finding;
pub use finding_kind::{FindingKind, Severity};
pub use options::CheckOptions;
pub use repair::{RepairOptions, repair};
pub use report::{RepairEntry, RepairReport};
pub use salvage::{SalvageOptions, Salvaged, salvage};
pub use subject::Subject;

pub use crate::format::TruncatedCurve;

use self::aggregate::{AggregatedFinding, Occurrences};
use self::rules::CheckContext;
use self::spans::TrackedSpans;
use crate::Recording;
use crate::format::is_headerless;

/// Finds all problems of a recording: one finding per kind and body part, the most severe first.
///
/// ```
/// use holotape::check::{CheckOptions, Severity, check};
///
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
/// let findings = check(&recording, &CheckOptions::new());
/// assert!(findings.iter().all(|finding| finding.severity < Severity::Warning));
/// # Ok::<(), holotape::Error>(())
/// ```
#[must_use]
pub fn check(recording: &Recording, options: &CheckOptions) -> Vec<Finding> {
    let tracked = TrackedSpans::new(recording);
    let findings = rules::check(CheckContext { recording, tracked: &tracked, options });
    let mut findings: Vec<_> =
        findings.finish().map(|finding| Finding::new(&finding, messages::finding_message(&finding))).collect();
    // A stable sort, so that findings of one severity stay in the order of the file.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

/// Finds all problems of a file in memory: of the recording in it, or the reason why it cannot be opened.
///
/// ```
/// use holotape::check::{CheckOptions, FindingKind, check_slice};
///
/// let (mut bytes, _) = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.to_vec()?;
/// assert!(check_slice(&bytes, &CheckOptions::new()).is_empty());
/// bytes.pop();
/// assert_eq!(check_slice(&bytes, &CheckOptions::new())[0].kind, FindingKind::Truncated);
/// # Ok::<(), holotape::Error>(())
/// ```
#[must_use]
pub fn check_slice(bytes: &[u8], options: &CheckOptions) -> Vec<Finding> {
    match Recording::from_slice(bytes) {
        Ok(recording) => check(&recording, options),
        Err(error) => {
            let kind = match salvage(bytes, &SalvageOptions::new()) {
                _ if is_headerless(bytes) => FindingKind::Headerless,
                Ok(_) => salvage::kind_of_error(&error),
                // A repair would fail as well.
                Err(_) => FindingKind::Unreadable,
            };
            let finding = AggregatedFinding { kind, subject: Subject::File, occurrences: Occurrences::counted(1) };
            vec![Finding::new(&finding, error.to_string())]
        }
    }
}
