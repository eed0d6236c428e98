//! The Khronos validator and Blender accept glTF files.

use std::fs::File;
use std::path::{Path, PathBuf};

use holotape::demo::DemoOptions;
use holotape::{Hand, Joint, Recording};
use holotape_convert::Space;
use holotape_convert::gltf::{GltfOptions, write_glb, write_gltf};
use holotape_interop_tests::{blender, json_output, node};

const MODES: [(&str, GltfOptions); 2] =
    [("flat", GltfOptions::new()), ("hierarchy", GltfOptions::new().with_hierarchy(true))];

fn demo() -> Recording {
    DemoOptions::new().with_seconds(8.0).generate().unwrap()
}

fn testdata(name: &str) -> Recording {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/valid");
    Recording::open(folder.join(name).with_extension("bin")).unwrap()
}

/// Both containers, flat and as a hierarchy.
fn write_all(folder: &Path, name: &str, recording: &Recording) -> Vec<PathBuf> {
    let paths = MODES.map(|(mode, options)| {
        let paths = ["glb", "gltf"].map(|extension| folder.join(format!("{name}.{mode}.{extension}")));
        let _ = write_glb(recording, &options, File::create(&paths[0]).unwrap()).unwrap();
        let _ = write_gltf(recording, &options, File::create(&paths[1]).unwrap()).unwrap();
        paths
    });
    paths.concat()
}

#[test]
fn validator_reports_no_messages() {
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "mrtk28_all",
        "mrtk28_gaze_only",
        "mrtk28_no_channels",
        "mrtk28_hands_only_simulated",
        "mrtk25_rolling_cutoff",
        "mrtk25_right_hand_markers",
        "mrtk27_rotation_w_lost",
        "curves_every_rule",
        "empty10",
    ];
    let mut paths = write_all(folder.path(), "demo", &demo());
    paths.extend(names.iter().flat_map(|name| write_all(folder.path(), name, &testdata(name))));
    let reports = json_output(node("gltf_validate.mjs").args(&paths));
    let reports = reports.as_array().unwrap();
    assert_eq!(reports.len(), paths.len());
    for report in reports {
        assert_eq!(report["messages"].as_array().unwrap().len(), 0, "{report:#}");
    }
    assert_eq!(reports[0]["animationCount"], 1);
}

/// Ten times at which both hands are tracked.
fn tracked_times(recording: &Recording) -> Vec<f64> {
    let mut sampler = recording.sampler();
    let mut is_tracked = |time: &f64| {
        let frame = sampler.frame_at(*time);
        Hand::ALL.into_iter().all(|hand| frame.hand(hand).is_some_and(|hand| hand.tracked))
    };
    let times = recording.sampler().times_at_rate(7.0);
    let tracked: Vec<_> = times.filter(|time| is_tracked(time)).collect();
    tracked.iter().copied().step_by(tracked.len() / 10).take(10).collect()
}

/// The positions of both index finger tips in Blender.
fn tips_in_blender(path: &Path, times: &[f64]) -> [Vec<[f32; 3]>; 2] {
    let names = Hand::ALL.map(|hand| format!("{hand}-index-finger-tip")).join(",");
    let times = times.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    serde_json::from_value(json_output(blender("blender_glb.py").arg(path).args([names, times]))).unwrap()
}

#[test]
fn blender_shows_fingertips_at_the_recorded_position() {
    let folder = tempfile::tempdir().unwrap();
    let recording = demo();
    let times = tracked_times(&recording);
    assert_eq!(times.len(), 10);
    for (mode, options) in MODES {
        let path = folder.path().join("demo.glb");
        let _ = write_glb(&recording, &options, File::create(&path).unwrap()).unwrap();
        for (hand, found) in Hand::ALL.into_iter().zip(tips_in_blender(&path, &times)) {
            for (time, found) in times.iter().zip(found) {
                let tip = recording.hand(hand).joint(Joint::IndexTip).pose_at(*time).unwrap();
                let tip = Space::RightHanded.vector(tip.position);
                let distance_m = tip.iter().zip(found).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
                assert!(distance_m < 0.001, "{mode}: {hand} at {time}: {tip:?} {found:?}");
            }
        }
    }
}
