//! Recordings of IWER, and invalid documents.

use super::*;

/// A recording as IWER writes it: two hands with rays, grips and partial pinches, a controller, gaze.
fn foreign() -> Value {
    let names: Vec<_> = Joint::ALL.into_iter().rev().filter_map(|joint| Skeleton::WebXr.joint_name(joint)).collect();
    let hand = |side: &str| {
        json!({"handedness": side, "targetRayMode": "tracked-pointer", "profiles": ["oculus-hand"], "hasGrip": true,
               "hasHand": true, "jointSequence": names, "hasGamepad": true, "mapping": "", "numButtons": 1, "numAxes": 0})
    };
    let controller = json!({"handedness": "right", "targetRayMode": "tracked-pointer", "profiles": [], "hasGrip": true,
        "hasHand": false, "hasGamepad": true, "mapping": "xr-standard", "numButtons": 2, "numAxes": 1});
    let eyes = json!({"handedness": "none", "targetRayMode": "gaze", "profiles": [], "hasGrip": false, "hasHand": false,
        "hasGamepad": false});
    // Joint n in file order is n centimetres in front of the ray.
    let joints: Vec<_> = (0..25).flat_map(|n| [0.0, 0.0, -0.01 * f64::from(n), 0.0, 0.0, 0.0, 1.0, 0.01]).collect();
    let grip = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    // A rotation by 90° around y, rounded to 0.001: its forward direction is left.
    let left = json!([3, 1, 2, 3, 0, 0.707, 0, 0.707, grip, joints, [[1, 1, 0.5]]]);
    let other = json!([1, 0, 0, 0, 0, 0, 0, 1, grip, [null, [0, 0, 0], 0.25]]);
    let gaze = json!([2, 0, 1.6, 0, 0, 0.707, 0, 0.707]);
    json!({
        "schema": [[3, hand("left")], [1, controller], [2, eyes]],
        "frames": [
            [1000.5, 0, 1.6, 0, 0, 0, 0, 1, other, gaze],
            [1016.5, 0, 1.6, null, 0, 0, 0, 1, left, gaze],
            [1033.5, 0, 1.6, 0, 0, 0, 0, 1],
        ],
    })
}

fn read(document: &Value) -> holotape::Result<(Recording, Losses)> {
    iwer::read(&serde_json::to_vec(document).unwrap())
}

#[test]
fn recordings_of_iwer_are_read() {
    let (recording, losses) = read(&foreign()).unwrap();
    assert_eq!(recording.duration_secs(), 0.033);
    let mut sampler = recording.sampler();
    let times = [0.0, 0.016, 0.033].map(f32::into);
    let tracked = times.map(|time| sampler.frame_at(time).hand(Hand::Left).unwrap().tracked);
    assert_eq!(tracked, [false, true, false]);
    let frame = sampler.frame_at(times[1]);
    let left = frame.hand(Hand::Left).unwrap();
    assert!(left.pinching);
    // The last joint of the sequence is the wrist, 24 cm in front of a ray at (1, 2, 3) that looks left. Unity's z is
    // negated.
    let wrist = left.joint(Joint::Wrist).unwrap();
    let expected = Pose { position: [0.76, 2.0, -3.0], rotation: [0.0, -0.5_f32.sqrt(), 0.0, 0.5_f32.sqrt()] };
    assert!(wrist.distance_m(&expected) < 1e-6 && wrist.angle_deg(&expected) < 1e-3, "{wrist:?}");
    let little_tip = left.joint(Joint::PinkyTip).unwrap();
    assert!(little_tip.distance_m(&Pose { position: [1.0, 2.0, -3.0], ..expected }) < 1e-6, "{little_tip:?}");
    assert!((frame.gaze.unwrap().direction[0] + 1.0).abs() < 1e-6, "the gaze is to the left: {:?}", frame.gaze);
    assert_eq!(recording.camera.as_ref().unwrap().position[0].keys.len(), 2, "no key where a number is null");
    assert!(recording.hand(Hand::Right).joints.iter().all(|joint| joint.position[0].keys.is_empty()));

    assert_eq!(messages_of(&losses, LossKind::Unusable).len(), 1, "the head with null: {losses:?}");
    let message = messages_of(&losses, LossKind::Unsupported);
    for part in ["input 1 (right tracked-pointer) in 1 frame:", "radii", "rays and grips", "pinch strengths"] {
        assert!(message.iter().any(|message| message.contains(part)), "{part} in {message:?}");
    }
    assert_eq!(message.len(), 4, "{message:?}");
}

#[test]
fn missing_gaze_is_reported() {
    let mut foreign = foreign();
    let gaze = foreign["frames"][0][9].clone();
    foreign["frames"][1].as_array_mut().unwrap().pop();
    foreign["frames"][2].as_array_mut().unwrap().push(gaze);
    let (recording, losses) = read(&foreign).unwrap();
    assert_eq!(recording.gaze.unwrap().origin[0].keys.len(), 2);
    let absent = "interpolated over rows with missing values: gaze 1";
    assert!(messages_of(&losses, LossKind::Invented).iter().any(|message| message == absent), "{losses:?}");
}

#[test]
fn poses_without_rotation_are_dropped() {
    let frames = json!([[0, 0, 1.6, 0, 0, 0, 0, 1], [10, 0, 1.6, 0, 0, 0, 0, 0], [20, 0, 1.6, 0, 0, 0, 0, 1.0001]]);
    let (recording, losses) = read(&json!({"schema": [], "frames": frames})).unwrap();
    let times: Vec<_> = recording.camera.unwrap().rotation[3].keys.iter().map(|key| key.time).collect();
    assert_eq!(times, [0.0, 0.02]);
    assert_eq!(messages_of(&losses, LossKind::Unusable), ["dropped poses and rays with non-finite values: camera 1"]);

    let mut foreign = foreign();
    let ray = foreign["frames"][1][8].as_array_mut().unwrap();
    ray[4..8].fill(json!(0));
    let (recording, losses) = read(&foreign).unwrap();
    assert!(
        recording.hand(Hand::Left).joints.iter().all(|joint| joint.position[0].keys.is_empty()),
        "joints are relative to it"
    );
    assert!(messages_of(&losses, LossKind::Unusable)[0].contains("left 26"), "{losses:?}");
}

#[test]
fn frames_may_precede_the_schema() {
    let document = foreign();
    let text = format!(r#"{{"frames":{},"more":[{{}}],"schema":{}}}"#, document["frames"], document["schema"]);
    assert_eq!(iwer::read(text.as_bytes()).unwrap(), read(&document).unwrap());
}

/// A change that makes a document invalid.
type Change = dyn Fn(&mut Value);

#[test]
fn errors_name_frame_and_input() {
    let change = |change: &Change| {
        let mut document = foreign();
        change(&mut document);
        let error = read(&document).expect_err("wrong");
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
        error.to_string()
    };
    let cases: [(&Change, &str); 16] = [
        (&|it| it["frames"][1][8][0] = json!(7), "frame 1, input 7: not in the schema"),
        (&|it| it["frames"][1][8][8] = json!([0, 0]), "frame 1, input 3: expected 7 numbers for the grip, found 2"),
        (
            &|it| it["frames"][1][8][9] = json!(vec![0.5; 199]),
            "frame 1, input 3: expected 200 numbers for the joints, found 199",
        ),
        (&|it| it["frames"][1][8][9] = json!(vec![0.5; 201]), "frame 1, input 3: too many items in the joints"),
        (&|it| it["frames"][0][8][9] = json!([[0, 0, 0]]), "frame 0, input 1: expected 2 buttons and 1 axes"),
        (&|it| it["frames"][0][8][9] = json!([[0, 0], null, 0]), "frame 0, input 1: invalid length 2"),
        (
            &|it| it["frames"][0][8] = json!([1, 0, 0, 0, 0, 0, 0, 1]),
            "frame 0, input 1: fewer fields than in the schema",
        ),
        (
            &|it| it["frames"][0][9] = json!([2, 0, 0, 0, 0, 0, 0, 1, []]),
            "frame 0, input 2: too many items in the input",
        ),
        (&|it| it["frames"][2] = json!([1, 2, 3]), "frame 2: expected 7 numbers for the pose of the head, found 2"),
        (&|it| it["frames"][2] = json!([null]), "frame 2: invalid type: null"),
        (&|it| it["frames"][2] = json!({}), "frame 2: invalid type: map"),
        (&|it| it["frames"][1][8][1] = json!("x"), "frame 1, input 3: invalid type: string"),
        (&|it| it["schema"][0][1]["jointSequence"][4] = json!("palm"), "schema: input 3: unknown WebXR joint \"palm\""),
        (&|it| it["schema"][0][1]["jointSequence"][4] = json!("wrist"), "duplicate joint \"wrist\" in jointSequence"),
        (&|it| it["schema"][0][1]["jointSequence"] = json!(null), "schema: invalid type: null"),
        (&|it| it["schema"] = json!(null), "schema: invalid type: null"),
    ];
    for (case, message) in cases {
        let error = change(case);
        assert!(
            error.contains(message) && error.contains(" at line 1 column "),
            "{error:?} does not contain {message:?}"
        );
    }
    assert!(change(&|it| _ = it.as_object_mut().unwrap().remove("frames")).contains("missing frames"));
    assert!(change(&|it| _ = it.as_object_mut().unwrap().remove("schema")).contains("missing schema"));
}

#[test]
fn truncated_documents_are_errors_with_a_location() {
    let bytes = serde_json::to_vec(&foreign()).unwrap();
    for end in 0..bytes.len() {
        let error = iwer::read(&bytes[..end]).expect_err("truncated");
        assert_eq!(error.kind(), ErrorKind::Truncated, "{end}: {error}");
    }
    let (bytes, _) = written(&demo(), Timing::Keys);
    let error = iwer::read(&bytes[..bytes.len() / 2]).unwrap_err().to_string();
    assert!(error.starts_with("frame 3"), "{error}");
}

#[test]
fn malicious_documents_do_not_panic() {
    let deep = "[".repeat(100_000);
    let texts = [
        format!(r#"{{"schema":[],"frames":{deep}"#),
        format!(r#"{{"schema":[],"more":{deep}"#),
        r#"{"schema":[[0,{"handedness":"left","targetRayMode":"","hasGrip":false,"hasHand":false,"hasGamepad":true,"numButtons":18446744073709551615,"numAxes":0}]],"frames":[[0,0,0,0,0,0,0,1,[0,0,0,0,0,0,0,1,[]]]]}"#.to_owned(),
        r#"{"schema":[],"frames":[[1e999,0,0,0,0,0,0,1]]}"#.to_owned(),
        "[]".to_owned(),
        r#"{"schema":[],"frames":[]} x"#.to_owned(),
    ];
    for text in texts {
        assert!(iwer::read(text.as_bytes()).is_err(), "{}", &text[..text.len().min(80)]);
    }
    let (recording, losses) = read(&json!({"schema": [], "frames": []})).unwrap();
    assert_eq!((recording, losses.is_empty()), (Recording::default(), true));
    let far = json!({"schema": [], "frames": [[0, 0, 0, 0, 0, 0, 0, 1], [1e300, 0, 0, 0, 0, 0, 0, 1], [5, 1e300, 0, 0, 0, 0, 0, 0]]});
    let (recording, losses) = read(&far).unwrap();
    assert_eq!(recording.duration_secs(), 0.0);
    let message = [
        "dropped rows that are not after the one before: camera 1",
        "dropped poses and rays with non-finite values: camera 1",
    ];
    assert_eq!(messages_of(&losses, LossKind::Unusable), message);
}
