//! Khronos' validator and Blender, on glTF files.

use std::fs::File;
use std::path::{Path, PathBuf};

use holotape::demo::DemoOptions;
use holotape::{Hand, Joint, Recording};
use holotape_consumers::{answer, blender, node};
use holotape_convert::Space;
use holotape_convert::gltf::{GltfOptions, write_glb, write_gltf};

const WAYS: [(&str, GltfOptions); 2] =
    [("flat", GltfOptions::new()), ("hierarchy", GltfOptions::new().with_hierarchy(true))];

fn demo() -> Recording {
    DemoOptions::new().with_seconds(8.0).generate().unwrap()
}

fn taken(name: &str) -> Recording {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/valid");
    Recording::open(folder.join(name).with_extension("bin")).unwrap()
}

/// Both forms, side by side and as a hierarchy.
fn write_all(folder: &Path, name: &str, recording: &Recording) -> Vec<PathBuf> {
    let paths = WAYS.map(|(way, options)| {
        let paths = ["glb", "gltf"].map(|form| folder.join(format!("{name}.{way}.{form}")));
        let _ = write_glb(recording, &options, File::create(&paths[0]).unwrap()).unwrap();
        let _ = write_gltf(recording, &options, File::create(&paths[1]).unwrap()).unwrap();
        paths
    });
    paths.concat()
}

#[test]
fn the_validator_has_nothing_to_say() {
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
    paths.extend(names.iter().flat_map(|name| write_all(folder.path(), name, &taken(name))));
    let reports = answer(node("gltf_validate.mjs").args(&paths));
    let reports = reports.as_array().unwrap();
    assert_eq!(reports.len(), paths.len());
    for report in reports {
        assert_eq!(report["messages"].as_array().unwrap().len(), 0, "{report:#}");
    }
    assert_eq!(reports[0]["animationCount"], 1);
}

/// Ten times at which both hands are tracked.
fn seen_times(recording: &Recording) -> Vec<f64> {
    let mut sampler = recording.sampler();
    let mut is_seen = |time: &f64| {
        let frame = sampler.frame_at(*time);
        Hand::ALL.into_iter().all(|hand| frame.hand(hand).is_some_and(|hand| hand.tracked))
    };
    let times = recording.sampler().times_at_rate(7.0);
    let seen: Vec<_> = times.filter(|time| is_seen(time)).collect();
    seen.iter().copied().step_by(seen.len() / 10).take(10).collect()
}

/// Where Blender has the tips of both index fingers.
fn tips_in_blender(path: &Path, times: &[f64]) -> [Vec<[f32; 3]>; 2] {
    let names = Hand::ALL.map(|hand| format!("{hand}-index-finger-tip")).join(",");
    let times = times.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    serde_json::from_value(answer(blender("blender_glb.py").arg(path).args([names, times]))).unwrap()
}

#[test]
fn blender_has_the_tips_where_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let recording = demo();
    let times = seen_times(&recording);
    assert_eq!(times.len(), 10);
    for (way, options) in WAYS {
        let path = folder.path().join("demo.glb");
        let _ = write_glb(&recording, &options, File::create(&path).unwrap()).unwrap();
        for (hand, found) in Hand::ALL.into_iter().zip(tips_in_blender(&path, &times)) {
            for (time, found) in times.iter().zip(found) {
                let tip = recording.hand(hand).joint(Joint::IndexTip).pose_at(*time).unwrap();
                let tip = Space::RightHanded.vector(tip.position);
                let apart_m = tip.iter().zip(found).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt();
                assert!(apart_m < 0.001, "{way}: {hand} at {time}: {tip:?} {found:?}");
            }
        }
    }
}
