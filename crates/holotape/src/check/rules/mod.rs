//! The rules of [`check`](super::check()), one file per topic. They run at the same time if the recording is long.

mod bones;
mod completeness;
mod ends;
mod jumps;
mod markers;
mod rotations;
mod times;
mod values;

pub(super) use times::{find_unsorted, has_increasing_times};
pub(super) use values::has_valid_tangents;

use super::CheckOptions;
use super::aggregate::FindingAggregator;
use super::spans::TrackedSpans;
use crate::{Hand, Recording, parallel};

/// The input of every rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckContext<'a> {
    pub(super) recording: &'a Recording,
    pub(super) tracked: &'a TrackedSpans,
    pub(super) options: &'a CheckOptions,
}

/// A rule adds its findings. No two rules add findings of the same kind about the same body part.
type Rule = fn(CheckContext<'_>, &mut FindingAggregator);

/// All rules; those that take longest come first.
const RULES: [Rule; 9] = [
    |context, findings| bones::check(context, Hand::Left, findings),
    |context, findings| bones::check(context, Hand::Right, findings),
    rotations::check,
    jumps::check,
    times::check,
    completeness::check,
    values::check,
    ends::check,
    markers::check,
];

/// Returns all findings of a recording.
pub(super) fn check(context: CheckContext<'_>) -> FindingAggregator {
    check_with_threads(context, parallel::threads_for(context.recording))
}

fn check_with_threads(context: CheckContext<'_>, threads: usize) -> FindingAggregator {
    let of_each_rule = parallel::map(RULES.to_vec(), threads, |rule| {
        let mut findings = FindingAggregator::default();
        rule(context, &mut findings);
        findings
    });
    let mut all = FindingAggregator::default();
    of_each_rule.into_iter().for_each(|findings| all.append(findings));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Channels;
    use crate::{CurveId, CurveMut, Joint, Keys, LinearKey, Marker};

    /// A recording in which every rule finds something.
    fn broken_recording() -> Recording {
        let mut recording = Recording::with_channels(Channels::V1_0);
        let ids: Vec<_> = recording.curves().map(|(id, _)| id).collect();
        for (index, (id, curve)) in ids.into_iter().zip(recording.curves_mut()).enumerate() {
            let value = index as f32;
            match curve {
                CurveMut::Bool(flag) => flag.keys = vec![LinearKey::new(0.0, 1.0), LinearKey::new(9.0, 2.0)],
                CurveMut::Float(_) if matches!(id, CurveId::Joint(_, Joint::ThumbTip, _)) => {}
                CurveMut::Float(curve) if !matches!(id, CurveId::Camera(_)) => {
                    let keys = [0.0, 0.5, 1.0, 1.5].map(|time| LinearKey::new(time, value * (1.0 + 9.0 * time)));
                    curve.keys = Keys::Linear(keys.into());
                }
                CurveMut::Float(curve) => {
                    let keys = [(1.0, value), (0.0, f32::NAN), (0.0, -value), (f32::NAN, 0.0)];
                    curve.keys = Keys::Linear(keys.map(|(time, value)| LinearKey::new(time, value)).into());
                }
            }
        }
        recording.markers = [2.0, 1.0].map(|time| Marker { time, name: "m".to_owned() }).into_iter().collect();
        recording
    }

    #[test]
    fn findings_do_not_depend_on_the_number_of_threads() {
        let (recording, options) = (broken_recording(), CheckOptions::new());
        let tracked = TrackedSpans::new(&recording);
        let context = CheckContext { recording: &recording, tracked: &tracked, options: &options };
        for (index, rule) in RULES.iter().enumerate() {
            let mut findings = FindingAggregator::default();
            rule(context, &mut findings);
            assert!(findings.finish().next().is_some(), "rule {index} finds nothing");
        }
        let with_threads = |threads| format!("{:?}", check_with_threads(context, threads));
        for threads in 2..=RULES.len() + 1 {
            assert_eq!(with_threads(threads), with_threads(1), "{threads} threads");
        }
    }

    #[test]
    fn rules_do_not_share_kinds_and_body_parts() {
        let (recording, options) = (broken_recording(), CheckOptions::new());
        let tracked = TrackedSpans::new(&recording);
        let context = CheckContext { recording: &recording, tracked: &tracked, options: &options };
        let count_of = |rules: &[Rule]| {
            let mut findings = FindingAggregator::default();
            rules.iter().for_each(|rule| rule(context, &mut findings));
            findings.finish().count()
        };
        let separate: usize = RULES.iter().map(|rule| count_of(&[*rule])).sum();
        assert_eq!(separate, count_of(&RULES));
    }
}
