//! Changes, there and back.

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

/// What the library does instead of the server.
type Change = fn(&mut Recording);

/// Changes of each sort.
fn edits() -> Vec<(Value, Change)> {
    vec![
        (add_marker(0.5, "ü \"quoted\""), |recording| recording.markers.add(0.5, "ü \"quoted\"")),
        (json!({ "op": "moveMarker", "index": 0, "time": 2.5 }), |recording| _ = recording.markers.move_to(0, 2.5)),
        (client::trim(0.25, 3.0), |recording| *recording = trim(recording, 0.25..3.0).unwrap()),
        (json!({ "op": "renameMarker", "index": 1, "name": "" }), |recording| recording.markers[1].name.clear()),
        (json!({ "op": "removeMarker", "index": 0 }), |recording| _ = recording.markers.remove(0)),
        (client::trim(1.0, 2.0), |recording| *recording = trim(recording, 1.0..2.0).unwrap()),
        (add_marker(-1.0, "before"), |recording| recording.markers.add(-1.0, "before")),
    ]
}

#[tokio::test]
async fn every_change_is_the_librarys_and_can_be_undone_and_redone() {
    let mut recording = demo(4.0);
    let client = Client::editing(&recording);
    let mut versions = vec![bytes_of(&recording)];
    for (edit, change) in edits() {
        let told = client.edit(edit.clone()).await.ok().json();
        change(&mut recording);
        versions.push(bytes_of(&recording));
        assert!(client.bin(1).await == *versions.last().unwrap(), "{edit}");
        assert_eq!(
            (&told["modified"], &told["canUndo"], &told["canRedo"]),
            (&true.into(), &true.into(), &false.into())
        );
        let names: Vec<_> = recording.markers.iter().map(|marker| json!(marker.name)).collect();
        let told_names: Vec<_> =
            told["markers"].as_array().unwrap().iter().map(|marker| marker["name"].clone()).collect();
        assert_eq!(told_names, names, "{edit}");
        assert_eq!(told["durationSecs"], json!(recording.duration_secs()));
    }
    for _ in 0..2 {
        for version in versions.iter().rev().skip(1) {
            client.edit(undo()).await.ok();
            assert!(client.bin(1).await == *version);
        }
        let first = client.take(1).await;
        assert_eq!(
            (&first["modified"], &first["canUndo"], &first["canRedo"]),
            (&false.into(), &false.into(), &true.into())
        );
        client.edit(undo()).await.refused(422, "nothing to undo");
        for version in &versions[1..] {
            client.edit(redo()).await.ok();
            assert!(client.bin(1).await == *version);
        }
        client.edit(redo()).await.refused(422, "nothing to redo");
    }
}

#[tokio::test]
async fn something_new_ends_what_was_undone() {
    let client = Client::editing(&demo(1.0));
    client.edit(add_marker(0.1, "first")).await.ok();
    client.edit(undo()).await.ok();
    assert_eq!(client.edit(add_marker(0.2, "second")).await.ok().json()["canRedo"], false);
    client.edit(redo()).await.refused(422, "");
}

#[tokio::test]
async fn revisions_only_grow() {
    let client = Client::editing(&demo(1.0));
    let mut last = 0;
    for edit in [add_marker(0.1, "a"), undo(), redo(), client::trim(0.0, 0.5), undo(), redo()] {
        let revision = client.edit(edit).await.ok().json()["revision"].as_u64().unwrap();
        assert!(revision > last);
        last = revision;
    }
}

#[tokio::test]
async fn the_way_back_has_an_end() {
    let client = Client::editing(&Recording::default());
    for n in 0..40 {
        client.edit(add_marker(f64::from(n), "m")).await.ok();
    }
    for _ in 0..32 {
        client.edit(undo()).await.ok();
    }
    client.edit(undo()).await.refused(422, "");
    assert_eq!(client.take(1).await["markers"].as_array().unwrap().len(), 8);
}

#[tokio::test]
async fn what_makes_no_sense_changes_nothing() {
    let recording = demo(2.0);
    let count = recording.markers.len();
    let client = Client::editing(&recording);
    for (edit, message) in [
        (client::trim(1.5, 1.0), "invalid span"),
        (json!({ "op": "trim" }), "from"),
        (json!({ "op": "trim", "from": 0, "to": 1, "frm": 1 }), "frm"),
        (json!({ "op": "undo", "twice": true }), "twice"),
        (client::trim(5.0, 6.0), "invalid span: 5 s to 6 s"),
        (add_marker(1e300, "never"), "no time"),
        (json!({ "op": "moveMarker", "index": count, "time": 0 }), "no marker number"),
        (json!({ "op": "moveMarker", "index": 0, "time": -1e300 }), "no time"),
        (json!({ "op": "renameMarker", "index": usize::MAX, "name": "x" }), "no marker number"),
        (json!({ "op": "removeMarker", "index": count }), "no marker number"),
        (json!({ "op": "accept", "preview": 1 }), "no preview of this recording"),
    ] {
        client.edit(edit.clone()).await.refused(422, message);
    }
    client.edit(json!({ "op": "accept", "preview": 9 })).await.refused(404, "");
    assert!(client.bin(1).await == bytes_of(&recording));
    assert_eq!(client.take(1).await["revision"], 0);
}

#[tokio::test]
async fn a_marker_takes_a_list_of_markers() {
    let recording = Recording { format: Format { marker_list: false, ..Format::default() }, ..Recording::default() };
    let client = Client::editing(&recording);
    client.edit(add_marker(1.0, "kept")).await.ok();
    assert_eq!(Recording::from_slice(&client.bin(1).await).unwrap().markers[0].name, "kept");
    client.edit(undo()).await.ok();
    assert!(client.bin(1).await == bytes_of(&recording));
}

/// The page has no place for them, and counts without them.
#[tokio::test]
async fn markers_at_no_time_are_not_counted() {
    let marker = |time, name: &str| Marker { time, name: name.to_owned() };
    let markers =
        vec![marker(f32::NAN, "nowhere"), marker(1.0, "one"), marker(f32::INFINITY, "beyond"), marker(2.0, "two")];
    let recording = Recording { markers: markers.into(), ..Recording::default() };
    let client = Client::editing(&recording);
    client.edit(json!({ "op": "renameMarker", "index": 1, "name": "renamed" })).await.ok();
    client.edit(json!({ "op": "removeMarker", "index": 0 })).await.ok();
    let left = Recording::from_slice(&client.bin(1).await).unwrap().markers;
    assert_eq!(left.iter().map(|marker| &*marker.name).collect::<Vec<_>>(), ["nowhere", "beyond", "renamed"]);
}

#[tokio::test]
async fn findings_follow_the_markers() {
    let client = Client::editing(&demo(1.0));
    let codes = |told: &Value| {
        let findings = told["findings"].as_array().unwrap().iter();
        findings.map(|finding| finding["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let outside = client.edit(add_marker(50.0, "late")).await.ok().json();
    assert!(codes(&outside).contains(&"markers-out-of-range".to_owned()), "{:?}", codes(&outside));
    let last = outside["markers"].as_array().unwrap().len() - 1;
    let inside = client.edit(json!({ "op": "moveMarker", "index": last, "time": 0.5 })).await.ok().json();
    assert!(!codes(&inside).contains(&"markers-out-of-range".to_owned()));
}

#[tokio::test]
async fn those_who_may_not_edit_are_told_how_they_could() {
    let viewer = holotape_viewer::Viewer::new(holotape_viewer::ViewerOptions::new());
    viewer.add("demo.bin", demo(1.0)).unwrap();
    let client = Client::of(&viewer);
    client.edit(add_marker(0.5, "no")).await.refused(403, "holotape view --edit");
    client.post("/api/takes/1/preview", json!({ "what": "repair" })).await.refused(403, "--edit");
    client.post("/api/takes/1/save", json!({ "name": "no" })).await.refused(403, "--edit");
}

/// In two windows, one shows what the other has changed: the marker of a number may be another there.
#[tokio::test]
async fn a_change_can_name_the_revision_that_it_is_meant_for() {
    let client = Client::editing(&demo(2.0));
    let at = |revision: u64, mut edit: Value| {
        edit["revision"] = revision.into();
        edit
    };
    client.edit(at(0, add_marker(0.1, "first window"))).await.ok();
    let before = client.take(1).await;
    for edit in [json!({ "op": "removeMarker", "index": 0 }), undo(), client::trim(0.0, 1.0), add_marker(0.2, "late")] {
        client.edit(at(0, edit)).await.refused(412, "this take was changed in another window: reload");
    }
    assert_eq!(client.take(1).await, before);
    client.edit(at(1, undo())).await.ok();
}

/// Markers are looked at without the curves, which tells the same as a look at everything.
#[tokio::test]
async fn what_is_told_after_a_change_is_what_is_told_of_the_file() {
    let client = Client::editing(&demo(3.0));
    for edit in [
        client::trim(0.5, 2.5),
        add_marker(50.0, "late"),
        add_marker(-1.0, "early"),
        json!({ "op": "renameMarker", "index": 0, "name": "a longer name than before" }),
        json!({ "op": "removeMarker", "index": 1 }),
        undo(),
    ] {
        let mut told = client.edit(edit.clone()).await.ok().json();
        let mut fresh = Client::editing(&Recording::from_slice(&client.bin(1).await).unwrap()).take(1).await;
        for state in ["revision", "tapeRevision", "modified", "canUndo", "canRedo"] {
            told[state] = Value::Null;
            fresh[state] = Value::Null;
        }
        assert_eq!(told, fresh, "{edit}");
        assert_eq!(told["bytes"], client.bin(1).await.len(), "{edit}");
    }
}
