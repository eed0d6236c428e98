//! `select` and `merge`, and markers.

use holotape::demo::DemoOptions;
use holotape::edit::{self, MergeOptions, Selection};
use holotape::format::{Channels, Format, Layout};
use holotape::{Hand, Joint, Marker, Markers, PoseId, Recording};

use crate::edit::kind;

fn demo(seed: u64) -> Recording {
    DemoOptions::new().with_seed(seed).with_seconds(1.0).generate().expect("a demo")
}

#[test]
fn select_keeps_only_the_selection() {
    let recording = demo(1);
    let part = edit::select(&recording, &"camera, right.IndexTip".parse().expect("parts"));
    assert_eq!((&part.camera, &part.gaze), (&recording.camera, &None));
    for (id, pose) in recording.poses() {
        let is_selected = [PoseId::Camera, PoseId::Joint(Hand::Right, Joint::IndexTip)].contains(&id);
        let left = part.poses().find(|(other, _)| *other == id).map(|(_, pose)| pose).expect("a pose");
        assert_eq!(left == pose, is_selected || pose.position[0].keys.is_empty(), "{id}");
        assert_eq!(left.rotation[3].keys.is_empty(), !is_selected || pose.position[0].keys.is_empty(), "{id}");
    }
    assert_eq!(part.hand(Hand::Right).tracked, recording.hand(Hand::Right).tracked);
    assert!(part.hand(Hand::Left).tracked.keys.is_empty(), "a hand without joints has no flags");
    assert_eq!((part.format, part.markers), (recording.format, recording.markers));
}

#[test]
fn select_removes_empty_channels() {
    let recording = demo(1);
    let channels = |names: &str| edit::select(&recording, &names.parse().expect("parts")).channels();
    let none = Channels { camera: false, hands: false, gaze: false };
    assert_eq!(channels("camera"), Channels { camera: true, ..none });
    assert_eq!(channels("gaze"), Channels { gaze: true, ..none });
    for hands in ["hands", "left", "Wrist", "left.Wrist"] {
        assert_eq!(channels(hands), Channels { hands: true, ..none }, "{hands}");
    }
    let head = edit::select(&recording, &Selection::from_names(["camera"]).expect("a part"));
    let nothing = edit::select(&head, &Selection::from_names(["hands"]).expect("a part"));
    assert_eq!(nothing.channels(), none, "a missing channel cannot be selected");
    assert_eq!(edit::select(&recording, &Selection::ALL), recording);
    assert_eq!(edit::select(&recording, &Selection::NONE).channels(), none);
}

#[test]
fn selection_and_its_inverse_make_the_recording() {
    for names in ["left", "camera,gaze", "IndexTip", "right.Wrist,left.Palm", "hands"] {
        let selection: Selection = names.parse().expect("parts");
        let others = selection.inverted();
        assert_ne!(selection.has_gaze(), others.has_gaze());
        for (id, _) in demo(1).poses() {
            assert_ne!(selection.has_pose(id), others.has_pose(id), "{id}");
        }
    }
    let without_thumbs = Selection::from_names(["ThumbTip"]).expect("a part").inverted();
    assert!(
        without_thumbs.has_hand(Hand::Left) && !without_thumbs.has_pose(PoseId::Joint(Hand::Left, Joint::ThumbTip))
    );
}

#[test]
fn unknown_names_are_rejected_with_a_hint() {
    for name in ["", "Camera", "IndexTop", "left.", "left.tracked", "camera.position.x", "left IndexTip", "camera,"] {
        assert!(name.parse::<Selection>().is_err(), "{name:?}");
    }
    let error = Selection::from_names(["camera", "IndexTop"]).expect_err("an error");
    assert!(
        error.to_string().starts_with("unknown body part or joint \"IndexTop\"; use camera, gaze, hands"),
        "{error}"
    );
    assert_eq!(kind(Selection::from_names(["x"])), holotape::ErrorKind::InvalidArgument);
}

#[test]
fn merge_uses_the_given_sources() {
    let recordings = [1, 2, 3, 4].map(demo);
    let [head, left, right, eyes] = &recordings;
    let options = MergeOptions::new().with_camera(head).with_hand(Hand::Left, left).with_hand(Hand::Right, right);
    let merged = edit::merge(&options.clone().with_gaze(eyes));
    assert_eq!((&merged.camera, &merged.gaze), (&head.camera, &eyes.gaze));
    assert_eq!(merged.hand(Hand::Left), left.hand(Hand::Left));
    assert_eq!(merged.hand(Hand::Right), right.hand(Hand::Right));
    let count: usize = recordings.iter().map(|recording| recording.markers.len()).sum();
    assert_eq!(merged.markers.len(), count);
    assert!(merged.markers.windows(2).all(|pair| pair[0].time <= pair[1].time));
    assert_eq!(edit::merge(&options.with_markers(&[])).markers, Markers::new());
}

#[test]
fn merge_takes_markers_of_a_source_once() {
    let recording = demo(1);
    let all = MergeOptions::new().with_camera(&recording).with_hands(&recording).with_gaze(&recording);
    assert_eq!(edit::merge(&all), recording);
    let empty = Recording::default();
    assert_eq!(edit::merge(&all.with_camera(&empty).with_hands(&empty).with_gaze(&empty)), empty);
    assert_eq!(edit::merge(&MergeOptions::new()), empty);
}

#[test]
fn merge_chooses_a_format_with_gaze() {
    let recording = demo(1);
    let old = Recording { format: Format { layout: Layout::Full10, marker_list: true }, ..recording.clone() };
    assert_eq!(edit::merge(&MergeOptions::new().with_camera(&old).with_hands(&recording)).format, old.format);
    assert_eq!(edit::merge(&MergeOptions::new().with_camera(&old).with_gaze(&recording)).format, recording.format);
}

#[test]
fn markers_are_found_in_any_order() {
    let marker = |time, name: &str| Marker { time, name: name.to_owned() };
    let mut markers: Markers =
        [marker(1.0, "a"), marker(2.0, "b"), marker(2.0, "c"), marker(3.0, "d")].into_iter().collect();
    assert_eq!(markers.move_to(0, 2.0), Some(2));
    let names = |markers: &Markers| markers.iter().map(|marker| marker.name.clone()).collect::<String>();
    assert_eq!(names(&markers), "bcad");
    assert_eq!(markers.move_to(3, -1.0), Some(0));
    assert_eq!(names(&markers), "dbca");
    assert_eq!(markers.move_to(4, 0.0), None);
    assert_eq!(markers.find("c"), Some(2));
    assert_eq!(markers.find("e"), None);
    assert_eq!(
        [-2.0, -1.0, 0.0, 2.0, 9.0].map(|time| markers.interval_at(time)),
        [None, Some(0), Some(0), Some(3), Some(3)]
    );
    let unsorted: Markers =
        [marker(5.0, "late"), marker(1.0, "early"), marker(f32::NAN, "never")].into_iter().collect();
    assert_eq!([0.0, 2.0, 7.0].map(|time| unsorted.interval_at(time)), [None, Some(1), Some(0)]);
}
