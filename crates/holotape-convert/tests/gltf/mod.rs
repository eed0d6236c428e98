//! glTF scenes round-trip, losses describe what viewers do not show, and invalid bytes do not break the reader.

mod any_recording;
mod malformed;

use std::collections::HashSet;
use std::path::Path;

use holotape::demo::DemoOptions;
use holotape::{
    BezierKey, BoolCurve, Curve, CurveRef, ErrorKind, Frame, Hand, HandCurves, Joint, LinearKey, PoseCurves, RayCurves,
    Recording, Sampler, Skeleton, WeightedMode, WrapMode,
};
use holotape_convert::gltf::{self, GltfOptions};
use holotape_convert::{Loss, LossKind, Losses, Timing};
use proptest::prelude::*;
use serde_json::{Value, json};

const FLAT: GltfOptions = GltfOptions::new();
const HIERARCHY: GltfOptions = GltfOptions::new().with_hierarchy(true);
const AHEAD: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

fn glb(recording: &Recording, options: &GltfOptions) -> (Vec<u8>, Losses) {
    let mut bytes = Vec::new();
    let losses = gltf::write_glb(recording, options, &mut bytes).unwrap();
    (bytes, losses)
}

/// The document of a `.gltf` file.
fn document(recording: &Recording, options: &GltfOptions) -> Value {
    let mut bytes = Vec::new();
    let _ = gltf::write_gltf(recording, options, &mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn read(bytes: &[u8]) -> Recording {
    let (recording, losses) = gltf::read(bytes).unwrap();
    assert!(losses.is_empty(), "{losses:?}");
    recording
}

fn kinds(losses: &Losses) -> Vec<LossKind> {
    losses.iter().map(Loss::kind).collect()
}

fn demo() -> Recording {
    DemoOptions::new().with_seconds(6.0).generate().unwrap()
}

/// Recordings of other programs and a demo, with names.
fn recordings() -> Vec<(String, Recording)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/valid");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let bins = paths.filter(|path| path.extension().is_some_and(|extension| extension == "bin"));
    let others = bins.map(|path| (path.display().to_string(), Recording::open(&path).unwrap()));
    others.chain([("demo".to_owned(), demo())]).collect()
}

/// All key times, and times outside of the recording.
fn key_times(recording: &Recording) -> Vec<f64> {
    let key_times = |curve: CurveRef<'_>| -> Vec<f64> {
        match curve {
            CurveRef::Float(curve) => curve.keys.iter().map(|key| key.time.into()).collect(),
            CurveRef::Bool(curve) => curve.keys.iter().map(|key| key.time.into()).collect(),
        }
    };
    let keys = recording.curves().flat_map(|(_, curve)| key_times(curve)).filter(|time| time.is_finite());
    let mut times: Vec<f64> = keys.chain([-1.0, 0.0, 100.0]).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

fn middles(times: &[f64]) -> Vec<f64> {
    times.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])).collect()
}

fn is_near(one: &[f32], other: &[f32], within: f32) -> bool {
    let is_near = |a: f32, b: f32| (a - b).abs() <= within * a.abs().max(1.0) || a.is_nan() && b.is_nan();
    one.iter().zip(other).all(|(a, b)| is_near(*a, *b))
}

fn is_near_rotation(one: [f32; 4], other: [f32; 4], within: f32) -> bool {
    is_near(&one, &other, within) || is_near(&one, &other.map(|value| -value), within)
}

fn assert_same_frame(one: &Frame, other: &Frame, within: f32, what: &str) {
    let hands = |frame: &Frame| [frame.left.clone(), frame.right.clone()].map(Option::unwrap_or_default);
    let poses = |frame: &Frame| hands(frame).into_iter().flat_map(|hand| hand.joints).chain([frame.camera]);
    for (one, other) in poses(one).zip(poses(other)) {
        assert_eq!(one.is_some(), other.is_some(), "{what}");
        let Some((a, b)) = one.zip(other) else { continue };
        assert!(is_near(&a.position, &b.position, within), "{what}: {a:?} {b:?}");
        assert!(is_near_rotation(a.rotation, b.rotation, within), "{what}: {a:?} {b:?}");
    }
    assert_eq!(one.gaze.is_some(), other.gaze.is_some(), "{what}");
    if let Some((a, b)) = one.gaze.zip(other.gaze) {
        assert!(is_near(&a.origin, &b.origin, within), "{what}: {a:?} {b:?}");
        assert!(is_near(&a.direction, &b.direction, within), "{what}: {a:?} {b:?}");
    }
    let flags = |frame: &Frame| hands(frame).map(|hand| (hand.tracked, hand.pinching));
    assert_eq!(flags(one), flags(other), "{what}");
}

fn assert_same_at(times: &[f64], [mut one, mut other]: [Sampler; 2], within: f32, what: &str) {
    for &time in times {
        assert_same_frame(&one.frame_at(time), &other.frame_at(time), within, &format!("{what} at {time}"));
    }
}

fn assert_same_samples(one: &Recording, other: &Recording, within: f32, what: &str) {
    let times = key_times(one);
    for times in [&times, &middles(&times)] {
        let samplers = [one, other].map(|recording| recording.sampler().with_untracked_poses(true));
        assert_same_at(times, samplers, within, what);
    }
    let around = |recording: &Recording| (recording.format, recording.markers.clone(), recording.channels());
    assert_eq!(around(one), around(other), "{what}");
}

#[test]
fn both_containers_round_trip() {
    for (name, recording) in recordings() {
        let back = read(&glb(&recording, &FLAT).0);
        assert_same_samples(&recording, &back, 1e-6, &name);
        assert_eq!(back.duration_secs().to_bits(), recording.duration_secs().to_bits(), "{name}");
        assert_eq!(read(document(&recording, &FLAT).to_string().as_bytes()), back, "{name}");
    }
}

#[test]
fn poses_and_flags_round_trip_to_the_bit() {
    for (name, recording) in recordings() {
        let back = read(&glb(&recording, &FLAT).0);
        assert!(back.camera == recording.camera && back.hands == recording.hands, "{name}");
    }
}

#[test]
fn losses_start_with_what_happened_to_the_data() {
    let mut count = 0;
    for (name, recording) in recordings() {
        for options in [&FLAT, &HIERARCHY] {
            for loss in glb(&recording, options).1.iter().map(ToString::to_string) {
                let is_known = ["dropped ", "rounded ", "resampled "].iter().any(|start| loss.starts_with(start));
                assert!(is_known, "{name}: {loss}");
                count += 1;
            }
        }
    }
    assert!(count > 0);
}

/// The reported angle error of a hierarchy.
fn stated_deg(losses: &Losses) -> f64 {
    let message =
        losses.iter().map(ToString::to_string).find(|message| message.contains("parents")).unwrap_or_default();
    message.split(' ').find_map(|word| word.strip_suffix('°')?.parse().ok()).unwrap_or(0.001)
}

#[test]
fn hierarchy_round_trips_within_the_reported_error() {
    for (name, recording) in recordings() {
        let (bytes, losses) = glb(&recording, &HIERARCHY);
        let [mut one, mut other] = [recording.sampler(), read(&bytes).sampler()];
        for time in middles(&key_times(&recording)) {
            let hands = [one.frame_at(time), other.frame_at(time)].map(|frame| frame.right.unwrap_or_default());
            let joints = hands[0].joints.iter().flatten().zip(hands[1].joints.iter().flatten());
            for (a, b) in joints {
                assert!(
                    a.distance_m(b) < 2e-6 && a.angle_deg(b) <= stated_deg(&losses),
                    "{name} at {time}: {a:?} {b:?}"
                );
            }
        }
        let wrist_keys = recording.hand(Hand::Right).joint(Joint::Wrist).position[0].keys.len();
        assert!(stated_deg(&losses) > 0.001 || wrist_keys < 3, "{name}: {losses:?}");
    }
}

#[test]
fn hierarchy_round_trips_at_key_times() {
    for (name, mut recording) in recordings() {
        (recording.camera, recording.gaze) = (None, None);
        if let Some(hands) = &mut recording.hands {
            hands.left = HandCurves::new();
            (hands.right.tracked, hands.right.pinching) = (flag(&[(0.0, 1.0)]), BoolCurve::new());
        }
        let back = read(&glb(&recording, &HIERARCHY).0);
        assert_same_at(&key_times(&recording), [recording.sampler(), back.sampler()], 2e-6, &name);
    }
}

fn node<'a>(document: &'a Value, name: &str) -> &'a Value {
    let mut nodes = document["nodes"].as_array().unwrap().iter();
    nodes.find(|node| node["name"] == name).unwrap_or_else(|| panic!("missing node {name}"))
}

fn child_names(document: &Value, name: &str) -> Vec<String> {
    let children = node(document, name)["children"].as_array().unwrap().iter();
    let name = |child: &Value| document["nodes"][child.as_u64().unwrap() as usize]["name"].as_str().unwrap().to_owned();
    children.map(name).collect()
}

#[test]
fn joints_are_flat_nodes_with_shared_times() {
    let recording = demo();
    let document = document(&recording, &FLAT);
    for hand in Hand::ALL {
        let joints = Joint::ALL.into_iter().filter(|joint| *joint != Joint::None);
        let names = joints.map(|joint| format!("{hand}-{}", Skeleton::WebXr.joint_name(joint).unwrap_or("palm")));
        assert_eq!(child_names(&document, &format!("{hand}-hand")), names.collect::<Vec<_>>());
        let tip = recording.hand(hand).joint(Joint::IndexTip);
        let [x, y, z] = tip.position.each_ref().map(|curve| curve.keys.iter().next().unwrap().value);
        let translation = &node(&document, &format!("{hand}-index-finger-tip"))["translation"];
        assert_eq!(serde_json::from_value::<[f32; 3]>(translation.clone()).unwrap(), [x, y, -z]);
    }
    let nodes = document["nodes"].as_array().unwrap();
    assert_eq!(nodes.iter().map(|node| node["name"].as_str().unwrap()).collect::<HashSet<_>>().len(), nodes.len());
    let accessors = document["accessors"].as_array().unwrap().iter();
    assert!(accessors.filter(|accessor| accessor["type"] == "SCALAR").count() < 16);
}

#[test]
fn hierarchy_joints_are_children_of_their_parents() {
    let document = document(&demo(), &HIERARCHY);
    for joint in Joint::ALL.into_iter().filter(|joint| *joint != Joint::None) {
        let name = |joint: Joint| format!("left-{}", Skeleton::WebXr.joint_name(joint).unwrap_or("palm"));
        let parent = joint.parent().map_or("left-hand".to_owned(), name);
        assert!(child_names(&document, &parent).contains(&name(joint)), "{joint}");
    }
}

fn straight<const N: usize>(rows: &[(f32, [f32; N])]) -> [Curve; N] {
    std::array::from_fn(|n| rows.iter().map(|(time, row)| LinearKey::new(*time, row[n])).collect())
}

fn flag(keys: &[(f32, f32)]) -> BoolCurve {
    keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect()
}

/// A pose whose position has the same value in all components.
fn moving(rows: &[(f32, f32)]) -> PoseCurves {
    let positions: Vec<_> = rows.iter().map(|(time, value)| (*time, [*value; 3])).collect();
    let rotations: Vec<_> = rows.iter().map(|(time, _)| (*time, AHEAD)).collect();
    PoseCurves { position: straight(&positions), rotation: straight(&rotations) }
}

fn turning(rows: &[(f32, [f32; 4])]) -> PoseCurves {
    PoseCurves { position: straight(&[(0.0, [0.0; 3])]), rotation: straight(rows) }
}

fn with_camera(camera: PoseCurves) -> Recording {
    Recording { camera: Some(camera), ..Recording::default() }
}

fn with_wrist(wrist: PoseCurves) -> Recording {
    let mut recording = Recording::default();
    *recording.hand_mut(Hand::Left).joint_mut(Joint::Wrist) = wrist;
    recording
}

#[test]
fn sparse_recordings_round_trip_without_loss() {
    let one_key = with_camera(moving(&[(0.5, 1.0)]));
    assert_eq!(node(&document(&one_key, &FLAT), "camera")["translation"], json!([1.0, 1.0, -1.0]));
    let mut marked = Recording::default();
    marked.markers.add(0.5, "only \"this\"");
    let mut flags = Recording::default();
    flags.hand_mut(Hand::Left).pinching = flag(&[(1.0, 1.0)]);
    let half = with_camera(PoseCurves { rotation: PoseCurves::new().rotation, ..moving(&[(0.5, 1.0)]) });
    for recording in [Recording::default(), one_key, marked, flags, half] {
        let (bytes, losses) = glb(&recording, &FLAT);
        assert!(losses.is_empty(), "{losses:?}");
        assert_eq!(read(&bytes), recording);
    }
}

#[test]
fn untracked_hand_is_hidden() {
    let mut recording = with_wrist(moving(&[(0.0, 0.0), (9.0, 1.0)]));
    assert_eq!(node(&document(&recording, &FLAT), "left-hand")["scale"], json!([0.0, 0.0, 0.0]));
    recording.hand_mut(Hand::Left).tracked = flag(&[(0.0, 1.0), (2.0, 0.0), (3.0, 1.0)]);
    let document = document(&recording, &FLAT);
    let animation = &document["animations"][0];
    let mut channels = animation["channels"].as_array().unwrap().iter();
    let channel = channels.find(|channel| channel["target"]["path"] == "scale").unwrap();
    let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
    assert_eq!(sampler["interpolation"], "STEP");
    let times = &document["accessors"][sampler["input"].as_u64().unwrap() as usize];
    assert_eq!((&times["count"], &times["min"], &times["max"]), (&json!(3), &json!([0.0]), &json!([3.0])));
}

#[test]
fn tangents_are_sampled_and_reported() {
    let key = |time, value, slope| BezierKey {
        in_tangent: slope,
        out_tangent: slope,
        weighted_mode: WeightedMode::NONE,
        ..BezierKey::from(LinearKey::new(time, value))
    };
    let mut camera = moving(&[(0.0, 0.0), (2.0, 1.0)]);
    camera.position[1] = Curve::from_iter([key(0.0, 0.0, 3.0), key(2.0, 1.0, -2.0)]);
    let recording = with_camera(camera);
    let (bytes, losses) = glb(&recording, &FLAT);
    assert_eq!(kinds(&losses), [LossKind::Tangents]);
    // A parabola with -2.5 m/s²: within 1/60 s it deviates from a straight line by 2.5 / 8 / 60² m.
    let message = losses.iter().next().unwrap().to_string();
    assert!(message.contains("up to 0.087 mm"), "{message}");
    assert_eq!(read(&bytes), recording);
    let times = &document(&recording, &FLAT)["accessors"][0];
    assert_eq!(times["count"], json!(122), "every 1/60 s, and just before the last key");
}

#[test]
fn unsupported_keys_are_hidden_and_kept_in_extras() {
    let early = with_camera(moving(&[(-1.0, 0.0), (1.0, 2.0)]));
    let nan = with_camera(moving(&[(0.0, f32::NAN), (1.0, 2.0), (2.0, 1.0)]));
    let nowhen = with_camera(moving(&[(0.0, 0.0), (f32::NAN, 2.0), (2.0, 1.0)]));
    let nothing = with_camera(moving(&[(0.0, f32::INFINITY)]));
    for recording in [&early, &nan, &nowhen, &nothing] {
        let (bytes, losses) = glb(recording, &FLAT);
        assert!(kinds(&losses).contains(&LossKind::Unusable), "{losses:?}");
        assert_eq!(read(&bytes), *recording);
    }
    let halfway = json!([1.0, 1.0, -1.0]);
    assert_eq!(node(&document(&early, &FLAT), "camera")["translation"], halfway, "at time 0");
    assert_eq!(document(&nothing, &FLAT)["nodes"], Value::Null);
}

#[test]
fn unsorted_keys_and_steps_round_trip_without_loss() {
    let unsorted = with_camera(moving(&[(2.0, 4.0), (0.0, 0.0), (1.0, 1.0)]));
    let jump = with_camera(moving(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]));
    for recording in [unsorted, jump] {
        let (bytes, losses) = glb(&recording, &FLAT);
        assert!(losses.is_empty(), "{losses:?}");
        assert_eq!(read(&bytes), recording);
    }
}

fn turn(degrees: f32) -> [f32; 4] {
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    [0.0, sin, 0.0, cos]
}

#[test]
fn slerp_deviation_is_reported_if_visible() {
    let turned = |degrees| with_camera(turning(&[(0.0, AHEAD), (1.0, turn(degrees))]));
    assert!(glb(&turned(8.0), &FLAT).1.is_empty());
    assert!(glb(&turned(30.0), &FLAT).1.is_empty(), "0.032° is not visible");
    assert!(!glb(&turned(40.0), &FLAT).1.is_empty(), "0.077°");
    let (bytes, losses) = glb(&turned(120.0), &FLAT);
    assert_eq!(kinds(&losses), [LossKind::Resampled]);
    // A quarter along the chord of a 60° arc is at atan(sin 60° / (3 + cos 60°)) = 13.898°. The rotation is twice that,
    // 2.204° less than 30°.
    assert!(losses.iter().next().unwrap().to_string().contains("2.204°"), "{losses:?}");
    assert_eq!(read(&bytes), turned(120.0));
}

#[test]
fn untracked_motion_is_not_reported() {
    let mut recording = with_wrist(turning(&[(0.0, AHEAD), (1.0, AHEAD), (5.0, turn(60.0))]));
    recording.hand_mut(Hand::Left).tracked = flag(&[(0.0, 1.0), (1.0, 0.0), (5.0, 1.0)]);
    assert!(glb(&recording, &FLAT).1.is_empty());
    recording.hand_mut(Hand::Left).tracked.keys.truncate(1);
    assert_eq!(kinds(&glb(&recording, &FLAT).1), [LossKind::Resampled]);
}

#[test]
fn non_unit_rotations_round_trip() {
    let long = |degrees, length: f32| turn(degrees).map(|value| value * length);
    let keys = [(0.0, long(0.0, 1.0)), (1.0, long(80.0, 3.0)), (2.0, [0.0; 4]), (3.0, long(-20.0, 1.0))];
    let recording = with_camera(turning(&keys));
    assert_eq!(read(&glb(&recording, &FLAT).0), recording);
}

#[test]
fn rate_determines_the_key_count() {
    let recording = demo();
    let (bytes, losses) = glb(&recording, &FLAT.with_timing(Timing::Rate(10.0)));
    assert_eq!(read(&bytes).camera.unwrap().position[0].keys.len(), 61);
    assert!(kinds(&losses).contains(&LossKind::Resampled));
    let invalid = FLAT.with_timing(Timing::Rate(0.0));
    let error = gltf::write_glb(&recording, &invalid, Vec::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn gaze_round_trips_for_any_direction() {
    let around: Vec<_> = (0..40_u8).map(|n| (f32::from(n) / 10.0, f32::from(n) * 0.7)).collect();
    let around: Vec<_> = around.into_iter().map(|(time, angle)| (time, [angle.sin(), 0.0, angle.cos()])).collect();
    let nowhere: Vec<_> = around.iter().map(|(time, _)| (*time, [0.0; 3])).collect();
    let long: Vec<_> = around.iter().map(|(time, way)| (*time, way.map(|value| value * (1.0 + time)))).collect();
    for directions in [around, nowhere, long] {
        let gaze = RayCurves { origin: straight(&[(0.0, [1.0, 2.0, 3.0])]), direction: straight(&directions) };
        let recording = Recording { gaze: Some(gaze), ..Recording::default() };
        assert_same_samples(&recording, &read(&glb(&recording, &FLAT).0), 1e-6, "gaze");
    }
}
