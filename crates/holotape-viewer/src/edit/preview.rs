//! Operations whose result is opened as a separate recording, to be compared and accepted.

use holotape::check::{RepairOptions, RepairReport, repair};
use holotape::optimize::{OptimizeOptions, OptimizeReport, optimize};
use holotape::{Recording, Tolerance};
use serde::Deserialize;

use super::save::stem_of;
use crate::api::Origin;
use crate::http_error::HttpError;
use crate::library::{Document, OpenRecording, PreviewBase, Source};

/// Body of `POST /api/recordings/ID/preview`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum PreviewRequest {
    Repair {},
    Optimize { position_m: f64, rotation_deg: f64 },
}

impl PreviewRequest {
    /// Returns the preview, and what the operation changed, as text.
    pub(crate) fn create(self, recording: &OpenRecording) -> Result<(Document, Vec<String>), HttpError> {
        self.check()?;
        let (source, base, original) = {
            let document = recording.lock();
            if document.base().is_some() {
                return Err(HttpError::unprocessable("this is already a preview: accept or close it first"));
            }
            let name = format!("{}-{}.bin", stem_of(document.name()), self.name_suffix());
            let source = Source { name, origin: Origin::Preview, folder: document.folder().to_owned() };
            let base = PreviewBase { recording_id: recording.id, version: document.version() };
            (source, base, document.recording())
        };
        let mut changed = Recording::clone(&original);
        let report = self.run(&mut changed);
        let preview = Document::new(source, changed)?.with_base(base);
        Ok((preview, report))
    }

    fn check(&self) -> Result<(), HttpError> {
        match self {
            Self::Optimize { position_m, rotation_deg } if position_m.min(*rotation_deg) < 0.0 => {
                Err(HttpError::unprocessable("invalid tolerance: must be 0 or greater"))
            }
            _ => Ok(()),
        }
    }

    fn name_suffix(&self) -> &'static str {
        match self {
            Self::Repair {} => "repaired",
            Self::Optimize { .. } => "optimized",
        }
    }

    fn run(self, recording: &mut Recording) -> Vec<String> {
        match self {
            Self::Repair {} => repair_summary(&repair(recording, &RepairOptions::new())),
            Self::Optimize { position_m, rotation_deg } => {
                optimize_summary(&optimize(recording, &tolerances(position_m, rotation_deg)))
            }
        }
    }
}

/// As in MRTK, the position tolerance of head and gaze is twice that of joints.
fn tolerances(position_m: f64, rotation_deg: f64) -> OptimizeOptions {
    let twice = Tolerance { position_m: 2.0 * position_m, rotation_deg };
    OptimizeOptions::new().with_joint(Tolerance { position_m, rotation_deg }).with_camera(twice).with_gaze(twice)
}

fn repair_summary(report: &RepairReport) -> Vec<String> {
    if report.is_empty() {
        return vec!["nothing to repair".to_owned()];
    }
    report.to_string().lines().map(str::to_owned).collect()
}

fn optimize_summary(report: &OptimizeReport) -> Vec<String> {
    let fraction = if report.keys_before == 0 { 1.0 } else { report.keys_after as f64 / report.keys_before as f64 };
    let kept = format!(
        "{:.1} % of the keys kept; maximum error at removed keys: {:.3} mm, {:.3}°, directions {:.3}°",
        fraction * 100.0,
        report.max_position_error_m * 1000.0,
        report.max_rotation_error_deg,
        report.max_direction_error_deg
    );
    let skipped = report.skipped.iter().map(|skipped| format!("skipped: {} {}", skipped.vector, skipped.reason));
    std::iter::once(kept).chain(skipped).collect()
}
