//! Edits, undo and redo.

use holotape::edit::trim;
use holotape::format::Format;
use holotape::{Marker, Recording};
use serde_json::{Value, json};

use crate::client::{self, Client, add_marker, bytes_of, demo};

fn undo() -> Value {
    json!({ "op": "undo" })
}

fn redo() -> Value {
    json!({ "op": "redo" })
}

/// The same edit with the library.
type Change = fn(&mut Recording);

/// Edits of each kind.
fn edits() -> Vec<(Value, Change)> {
    vec![
        (add_marker(0.5, "ü \"quoted\""), |recording| recording.markers.add(0.5, "ü \"quoted\"")),
        (json!({ "op": "move-marker", "index": 0, "time": 2.5 }), |recording| _ = recording.markers.move_to(0, 2.5)),
        (client::trim(0.25, 3.0), |recording| *recording = trim(recording, 0.25..3.0).unwrap()),
        (json!({ "op": "rename-marker", "index": 1, "name": "" }), |recording| recording.markers[1].name.clear()),
        (json!({ "op": "remove-marker", "index": 0 }), |recording| _ = recording.markers.remove(0)),
        (client::trim(1.0, 2.0), |recording| *recording = trim(recording, 1.0..2.0).unwrap()),
        (add_marker(-1.0, "before"), |recording| recording.markers.add(-1.0, "before")),
    ]
}

#[tokio::test]
async fn edits_equal_those_of_the_library_and_can_be_undone() {
    let mut recording = demo(4.0);
    let client = Client::editing(&recording);
    let mut versions = vec![bytes_of(&recording)];
    for (edit, change) in edits() {
        let info = client.edit(edit.clone()).await.ok().json();
        change(&mut recording);
        versions.push(bytes_of(&recording));
        assert!(client.bin(1).await == *versions.last().unwrap(), "{edit}");
        assert_eq!(
            (&info["modified"], &info["can_undo"], &info["can_redo"]),
            (&true.into(), &true.into(), &false.into())
        );
        let names: Vec<_> = recording.markers.iter().map(|marker| json!(marker.name)).collect();
        let info_names: Vec<_> =
            info["markers"].as_array().unwrap().iter().map(|marker| marker["name"].clone()).collect();
        assert_eq!(info_names, names, "{edit}");
        assert_eq!(info["duration_secs"], json!(recording.duration_secs()));
    }
    for _ in 0..2 {
        for version in versions.iter().rev().skip(1) {
            client.edit(undo()).await.ok();
            assert!(client.bin(1).await == *version);
        }
        let first = client.recording(1).await;
        assert_eq!(
            (&first["modified"], &first["can_undo"], &first["can_redo"]),
            (&false.into(), &false.into(), &true.into())
        );
        client.edit(undo()).await.assert_error(422, "nothing to undo");
        for version in &versions[1..] {
            client.edit(redo()).await.ok();
            assert!(client.bin(1).await == *version);
        }
        client.edit(redo()).await.assert_error(422, "nothing to redo");
    }
}

#[tokio::test]
async fn new_edit_clears_redo() {
    let client = Client::editing(&demo(1.0));
    client.edit(add_marker(0.1, "first")).await.ok();
    client.edit(undo()).await.ok();
    assert_eq!(client.edit(add_marker(0.2, "second")).await.ok().json()["can_redo"], false);
    client.edit(redo()).await.assert_error(422, "");
}

#[tokio::test]
async fn revision_increases_with_every_change() {
    let client = Client::editing(&demo(1.0));
    let mut last = 0;
    for edit in [add_marker(0.1, "a"), undo(), redo(), client::trim(0.0, 0.5), undo(), redo()] {
        let revision = client.edit(edit).await.ok().json()["revision"].as_u64().unwrap();
        assert!(revision > last);
        last = revision;
    }
}

#[tokio::test]
async fn undo_is_limited_to_32_steps() {
    let client = Client::editing(&Recording::default());
    for n in 0..40 {
        client.edit(add_marker(f64::from(n), "m")).await.ok();
    }
    for _ in 0..32 {
        client.edit(undo()).await.ok();
    }
    client.edit(undo()).await.assert_error(422, "");
    assert_eq!(client.recording(1).await["markers"].as_array().unwrap().len(), 8);
}

#[tokio::test]
async fn invalid_edits_change_nothing() {
    let recording = demo(2.0);
    let count = recording.markers.len();
    let client = Client::editing(&recording);
    for (edit, message) in [
        (client::trim(1.5, 1.0), "invalid span"),
        (json!({ "op": "trim" }), "from"),
        (json!({ "op": "trim", "from": 0, "to": 1, "frm": 1 }), "frm"),
        (json!({ "op": "undo", "twice": true }), "twice"),
        (client::trim(5.0, 6.0), "it starts at 5 s, after the end of the recording"),
        (add_marker(1e300, "never"), "invalid time"),
        (json!({ "op": "move-marker", "index": count, "time": 0 }), "no marker with index"),
        (json!({ "op": "move-marker", "index": 0, "time": -1e300 }), "invalid time"),
        (json!({ "op": "rename-marker", "index": usize::MAX, "name": "x" }), "no marker with index"),
        (json!({ "op": "remove-marker", "index": count }), "no marker with index"),
        (json!({ "op": "accept", "preview": 1 }), "not a preview of this recording"),
    ] {
        client.edit(edit.clone()).await.assert_error(422, message);
    }
    client.edit(json!({ "op": "accept", "preview": 9 })).await.assert_error(404, "");
    assert!(client.bin(1).await == bytes_of(&recording));
    assert_eq!(client.recording(1).await["revision"], 0);
}

#[tokio::test]
async fn adding_a_marker_adds_a_marker_list() {
    let recording = Recording { format: Format { marker_list: false, ..Format::default() }, ..Recording::default() };
    let client = Client::editing(&recording);
    client.edit(add_marker(1.0, "kept")).await.ok();
    assert_eq!(Recording::from_slice(&client.bin(1).await).unwrap().markers[0].name, "kept");
    client.edit(undo()).await.ok();
    assert!(client.bin(1).await == bytes_of(&recording));
}

#[tokio::test]
async fn marker_indices_skip_non_finite_times() {
    let marker = |time, name: &str| Marker { time, name: name.to_owned() };
    let markers =
        vec![marker(f32::NAN, "nowhere"), marker(1.0, "one"), marker(f32::INFINITY, "beyond"), marker(2.0, "two")];
    let recording = Recording { markers: markers.into(), ..Recording::default() };
    let client = Client::editing(&recording);
    client.edit(json!({ "op": "rename-marker", "index": 1, "name": "renamed" })).await.ok();
    client.edit(json!({ "op": "remove-marker", "index": 0 })).await.ok();
    let left = Recording::from_slice(&client.bin(1).await).unwrap().markers;
    assert_eq!(left.iter().map(|marker| &*marker.name).collect::<Vec<_>>(), ["nowhere", "beyond", "renamed"]);
}

#[tokio::test]
async fn findings_are_updated_after_marker_edits() {
    let client = Client::editing(&demo(1.0));
    let codes = |info: &Value| {
        let findings = info["findings"].as_array().unwrap().iter();
        findings.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let outside = client.edit(add_marker(50.0, "late")).await.ok().json();
    assert!(codes(&outside).contains(&"markers-out-of-range".to_owned()), "{:?}", codes(&outside));
    let last = outside["markers"].as_array().unwrap().len() - 1;
    let inside = client.edit(json!({ "op": "move-marker", "index": last, "time": 0.5 })).await.ok().json();
    assert!(!codes(&inside).contains(&"markers-out-of-range".to_owned()));
}

#[tokio::test]
async fn edits_without_permission_name_the_option() {
    let viewer = holotape_viewer::Viewer::new(holotape_viewer::ViewerOptions::new());
    viewer.add("demo.bin", demo(1.0)).unwrap();
    let client = Client::new(&viewer);
    client.edit(add_marker(0.5, "no")).await.assert_error(403, "holotape view --edit");
    client.post("/api/recordings/1/preview", json!({ "op": "repair" })).await.assert_error(403, "--edit");
    client.post("/api/recordings/1/save", json!({ "name": "no" })).await.assert_error(403, "--edit");
}

/// Another window may have changed the recording, so that marker indices differ.
#[tokio::test]
async fn edit_of_an_old_revision_is_rejected() {
    let client = Client::editing(&demo(2.0));
    let at = |revision: u64, mut edit: Value| {
        edit["revision"] = revision.into();
        edit
    };
    client.edit(at(0, add_marker(0.1, "first window"))).await.ok();
    let before = client.recording(1).await;
    for edit in [json!({ "op": "remove-marker", "index": 0 }), undo(), client::trim(0.0, 1.0), add_marker(0.2, "late")]
    {
        client.edit(at(0, edit)).await.assert_error(412, "changed in another window: reload");
    }
    assert_eq!(client.recording(1).await, before);
    client.edit(at(1, undo())).await.ok();
}

/// Marker edits reuse the details of the curves.
#[tokio::test]
async fn info_after_an_edit_equals_that_of_the_reopened_file() {
    let client = Client::editing(&demo(3.0));
    for edit in [
        client::trim(0.5, 2.5),
        add_marker(50.0, "late"),
        add_marker(-1.0, "early"),
        json!({ "op": "rename-marker", "index": 0, "name": "a longer name than before" }),
        json!({ "op": "remove-marker", "index": 1 }),
        undo(),
    ] {
        let mut info = client.edit(edit.clone()).await.ok().json();
        let mut fresh = Client::editing(&Recording::from_slice(&client.bin(1).await).unwrap()).recording(1).await;
        for state in ["revision", "curves_revision", "modified", "can_undo", "can_redo"] {
            info[state] = Value::Null;
            fresh[state] = Value::Null;
        }
        assert_eq!(info, fresh, "{edit}");
        assert_eq!(info["file_bytes"], client.bin(1).await.len(), "{edit}");
    }
}
