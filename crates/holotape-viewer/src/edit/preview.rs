//! Changes that are tried out beside the take.

use holotape::Recording;
use holotape::check::{RepairOptions, RepairReport, repair};
use holotape::optimize::{GazeTolerance, OptimizeOptions, OptimizeReport, Tolerance, optimize};
use serde::Deserialize;

use super::save::stem_of;
use crate::describe::Origin;
use crate::library::{Base, Document, Source, Take};
use crate::refusal::Refusal;

/// What to try out.
#[derive(Debug, Deserialize)]
#[serde(tag = "what", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub(crate) enum PreviewRequest {
    Repair {},
    Optimize { position_mm: f64, angle_deg: f64 },
}

impl PreviewRequest {
    /// Makes another take of what a take would become, and says in words what was done.
    pub(crate) fn make(self, take: &Take) -> Result<(Document, Vec<String>), Refusal> {
        self.check()?;
        let (source, base, recording) = {
            let document = take.lock();
            if document.base().is_some() {
                return Err(Refusal::impossible("this is a preview already: accept it or close it first"));
            }
            let name = format!("{}-{}.bin", stem_of(document.name()), self.participle());
            let source = Source { name, origin: Origin::Preview, folder: document.folder().to_owned() };
            (source, Base { take: take.id, version: document.version() }, document.recording())
        };
        let mut recording = Recording::clone(&recording);
        let report = self.run(&mut recording);
        let preview = Document::new(source, recording)?.with_base(base);
        Ok((preview, report))
    }

    fn check(&self) -> Result<(), Refusal> {
        match self {
            Self::Optimize { position_mm, angle_deg } if position_mm.min(*angle_deg) < 0.0 => {
                Err(Refusal::impossible("a tolerance below 0 allows nothing: give 0 or more"))
            }
            _ => Ok(()),
        }
    }

    fn participle(&self) -> &'static str {
        match self {
            Self::Repair {} => "repaired",
            Self::Optimize { .. } => "optimized",
        }
    }

    fn run(self, recording: &mut Recording) -> Vec<String> {
        match self {
            Self::Repair {} => told_of_repair(&repair(recording, &RepairOptions::new())),
            Self::Optimize { position_mm, angle_deg } => {
                told_of_optimize(&optimize(recording, &tolerances(position_mm / 1000.0, angle_deg)))
            }
        }
    }
}

/// Head and eyes may be off twice as far as a joint: so it is in MRTK, whose tolerances are ours.
fn tolerances(position_m: f64, angle_deg: f64) -> OptimizeOptions {
    OptimizeOptions::new()
        .with_joint(Tolerance { position_m, rotation_deg: angle_deg })
        .with_camera(Tolerance { position_m: 2.0 * position_m, rotation_deg: angle_deg })
        .with_gaze(GazeTolerance { origin_m: 2.0 * position_m, direction_deg: angle_deg })
}

fn told_of_repair(report: &RepairReport) -> Vec<String> {
    if report.is_empty() {
        return vec!["nothing to repair".to_owned()];
    }
    report.to_string().lines().map(str::to_owned).collect()
}

fn told_of_optimize(report: &OptimizeReport) -> Vec<String> {
    let share = if report.keys_before == 0 { 1.0 } else { report.keys_after as f64 / report.keys_before as f64 };
    let achieved = format!(
        "{:.1} % of the keys are left, at most {:.3} mm and {:.3}° off at any that is not, directions {:.3}°",
        share * 100.0,
        report.max_position_error_m * 1000.0,
        report.max_rotation_error_deg,
        report.max_direction_error_deg
    );
    let untouched = report.untouched.iter().map(|left| format!("left alone: {} {}", left.bundle, left.reason));
    std::iter::once(achieved).chain(untouched).collect()
}
