//! Reports of unusual recordings.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use holotape::{Hand, LinearKey, Recording};
use holotape_corpus::{BuildOptions, Dataset, Report, build};

use crate::common::{demo, save};

/// The report of a dataset of these recordings.
fn page(recordings: &[(&str, &Recording)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study");
    recordings.iter().for_each(|(name, recording)| save(recording, &study.join(name)));
    page_of(&study, &folder.path().join("out"))
}

fn page_of(study: &Path, out: &Path) -> String {
    build([study], out, &BuildOptions::new(), |_| ControlFlow::Continue(())).unwrap();
    Report::new(&Dataset::open(out).unwrap()).unwrap().page()
}

/// A recording with a duration of 10³⁰ s.
fn endless() -> Recording {
    let mut recording = demo(1, 1.0);
    recording.hand_mut(Hand::Left).tracked.keys.push(LinearKey::new(1e30, 0.0));
    recording
}

#[test]
fn recording_of_excessive_duration_is_broken_and_not_in_totals() {
    let alone = page(&[("p01/endless.bin", &endless())]);
    assert!(alone.contains("exceeds the limit of 24 h"));
    assert!(alone.contains("<b>0 s</b> recorded"), "{alone}");
    assert!(!alone.contains("<b>Duration</b>"), "no duration to draw");

    let among_others = page(&[("p01/a.bin", &demo(1, 3.0)), ("p02/endless.bin", &endless())]);
    assert!(among_others.contains("<b>3 s</b> recorded"));
    assert!(among_others.contains("median 3.00 s, middle 50 % 3.00 to 3.00"), "{among_others}");
    assert!(
        among_others.contains("<td class=\"number\">0.0</td>"),
        "broken recordings do not add to the minutes of their folder"
    );
}

#[test]
fn repair_is_offered_for_recoverable_files() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study");
    save(&demo(1, 1.0), &study.join("cut.bin"));
    let bytes = fs::read(study.join("cut.bin")).unwrap();
    fs::write(study.join("cut.bin"), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(study.join("empty.bin"), "").unwrap();
    fs::write(study.join("text.bin"), "no recording").unwrap();
    let page = page_of(&study, &folder.path().join("out"));
    let offered: Vec<_> = page.split("data-repair=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(matches!(offered[..], [path] if path.ends_with("cut.bin")), "{offered:?}");
}

#[test]
fn huge_values_have_no_axis() {
    let mut far = demo(1, 1.0);
    let [x, ..] = &mut far.camera.as_mut().unwrap().position;
    *x = [LinearKey::new(0.0, 0.0), LinearKey::new(0.5, 1e20), LinearKey::new(1.0, 0.0)].into_iter().collect();
    let page = page(&[("far.bin", &far)]);
    let (_, chart) = page.split_once("<b>Mean speed of the head</b>").unwrap();
    let (chart, _) = chart.split_once("</figure>").unwrap();
    assert!(chart.contains("<rect class=\"head\"") && chart.contains(": 1 recording</title>"), "{chart}");
    assert!(chart.len() < 4000, "{} bytes", chart.len());
    assert!(!chart.contains("NaN") && !chart.contains("inf"), "{chart}");
}
