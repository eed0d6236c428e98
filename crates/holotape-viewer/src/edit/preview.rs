//! Changes that are tried out beside the take.

use holotape::Recording;
use holotape::Tolerance;
use holotape::check::{RepairOptions, RepairReport, repair};
use holotape::optimize::{OptimizeOptions, OptimizeReport, optimize};
use serde::Deserialize;

use super::save::stem_of;
use crate::api::Origin;
use crate::http_error::HttpError;
use crate::library::{Document, OpenRecording, PreviewBase, Source};

/// What to try out.
#[derive(Debug, Deserialize)]
#[serde(tag = "what", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub(crate) enum PreviewRequest {
    Repair {},
    Optimize { position_mm: f64, angle_deg: f64 },
}

impl PreviewRequest {
    /// Makes another take of what a take would become, and says in words what was done.
    pub(crate) fn make(self, take: &OpenRecording) -> Result<(Document, Vec<String>), HttpError> {
        self.check()?;
        let (source, base, recording) = {
            let document = take.lock();
            if document.base().is_some() {
                return Err(HttpError::unprocessable("this is a preview already: accept it or close it first"));
            }
            let name = format!("{}-{}.bin", stem_of(document.name()), self.name_suffix());
            let source = Source { name, origin: Origin::Preview, folder: document.folder().to_owned() };
            (source, PreviewBase { take: take.id, version: document.version() }, document.recording())
        };
        let mut recording = Recording::clone(&recording);
        let report = self.run(&mut recording);
        let preview = Document::new(source, recording)?.with_base(base);
        Ok((preview, report))
    }

    fn check(&self) -> Result<(), HttpError> {
        match self {
            Self::Optimize { position_mm, angle_deg } if position_mm.min(*angle_deg) < 0.0 => {
                Err(HttpError::unprocessable("a tolerance below 0 allows nothing: give 0 or more"))
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
            Self::Optimize { position_mm, angle_deg } => {
                optimize_summary(&optimize(recording, &tolerances(position_mm / 1000.0, angle_deg)))
            }
        }
    }
}

/// Head and eyes may be off twice as far as a joint: so it is in MRTK, whose tolerances are ours.
fn tolerances(position_m: f64, angle_deg: f64) -> OptimizeOptions {
    OptimizeOptions::new()
        .with_joint(Tolerance { position_m, rotation_deg: angle_deg })
        .with_camera(Tolerance { position_m: 2.0 * position_m, rotation_deg: angle_deg })
        .with_gaze(Tolerance { position_m: 2.0 * position_m, rotation_deg: angle_deg })
}

fn repair_summary(report: &RepairReport) -> Vec<String> {
    if report.is_empty() {
        return vec!["nothing to repair".to_owned()];
    }
    report.to_string().lines().map(str::to_owned).collect()
}

fn optimize_summary(report: &OptimizeReport) -> Vec<String> {
    let fraction = if report.keys_before == 0 { 1.0 } else { report.keys_after as f64 / report.keys_before as f64 };
    let achieved = format!(
        "{:.1} % of the keys are left, at most {:.3} mm and {:.3}° off at any that is not, directions {:.3}°",
        fraction * 100.0,
        report.max_position_error_m * 1000.0,
        report.max_rotation_error_deg,
        report.max_direction_error_deg
    );
    let untouched = report.skipped.iter().map(|left| format!("left alone: {} {}", left.vector, left.reason));
    std::iter::once(achieved).chain(untouched).collect()
}
