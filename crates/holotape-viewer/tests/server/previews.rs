//! Previews of repair and optimize.

use holotape::Recording;
use holotape::Tolerance;
use holotape::check::{RepairOptions, repair};
use holotape::optimize::{OptimizeOptions, optimize};
use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::{Value, json};

use crate::client::{Client, Response, add_marker, bytes_of, demo, valid};

const LOST_W: &str = "mrtk27_rotation_w_lost.bin";

fn broken() -> Client {
    let viewer = Viewer::new(ViewerOptions::new().with_edit(true));
    let _ = viewer.open(valid(LOST_W)).unwrap();
    Client::new(&viewer)
}

async fn preview(client: &Client, request: Value) -> Response {
    client.post("/api/recordings/1/preview", request).await
}

fn optimizing() -> Value {
    json!({ "op": "optimize", "position_m": 0.001, "rotation_deg": 0.2 })
}

async fn accept(client: &Client, id: u64) -> Response {
    client.edit(json!({ "op": "accept", "preview": id })).await
}

#[tokio::test]
async fn repair_preview_equals_repair_of_the_library() {
    let client = broken();
    let info = preview(&client, json!({ "op": "repair" })).await.ok().json();
    let mut repaired = Recording::open(valid(LOST_W)).unwrap();
    let report = repair(&mut repaired, &RepairOptions::new());
    let lines: Vec<_> = report.to_string().lines().map(str::to_owned).collect();
    assert_eq!(info["report"], json!(lines));
    let recording = &info["recording"];
    assert_eq!(
        (&recording["id"], &recording["preview_of"], &recording["origin"]),
        (&2.into(), &1.into(), &"preview".into())
    );
    assert_eq!(recording["name"], "mrtk27_rotation_w_lost-repaired.bin");
    assert!(client.bin(2).await == bytes_of(&repaired));
    assert!(client.bin(1).await == std::fs::read(valid(LOST_W)).unwrap());
}

#[tokio::test]
async fn repairable_findings_are_gone_after_repair() {
    let client = broken();
    let repairable = |info: &Value| {
        let findings = info["findings"].as_array().unwrap().iter();
        findings
            .filter(|finding| finding["repairable"] == true)
            .map(|finding| finding["code"].clone())
            .collect::<Vec<_>>()
    };
    assert!(repairable(&client.recording(1).await).contains(&"rotation-w-lost".into()));
    let info = preview(&client, json!({ "op": "repair" })).await.ok().json();
    assert_eq!(repairable(&info["recording"]), Vec::<Value>::new());
}

#[tokio::test]
async fn valid_recording_has_nothing_to_repair() {
    let client = Client::editing(&Recording::default());
    assert_eq!(preview(&client, json!({ "op": "repair" })).await.ok().json()["report"], json!(["nothing to repair"]));
}

#[tokio::test]
async fn optimize_preview_equals_optimize_of_the_library() {
    let recording = demo(2.0);
    let client = Client::editing(&recording);
    let info = preview(&client, optimizing()).await.ok().json();
    let mut expected = recording.clone();
    let report = optimize(&mut expected, &OptimizeOptions::new());
    assert!(client.bin(2).await == bytes_of(&expected));
    let fraction = 100.0 * report.keys_after as f64 / report.keys_before as f64;
    assert!(info["report"][0].as_str().unwrap().starts_with(&format!("{fraction:.1} % of the keys kept")), "{info}");

    preview(&client, json!({ "op": "optimize", "position_m": 0.005, "rotation_deg": 1.0 })).await.ok();
    let mut expected = recording;
    let head = Tolerance { position_m: 0.01, rotation_deg: 1.0 };
    let options = OptimizeOptions::new()
        .with_joint(Tolerance { position_m: 0.005, rotation_deg: 1.0 })
        .with_camera(head)
        .with_gaze(Tolerance { position_m: head.position_m, rotation_deg: 1.0 });
    let _ = optimize(&mut expected, &options);
    assert!(client.bin(3).await == bytes_of(&expected));
}

#[tokio::test]
async fn accepted_preview_replaces_its_recording() {
    let client = Client::editing(&demo(2.0));
    preview(&client, optimizing()).await.ok();
    let (before, after) = (client.bin(1).await, client.bin(2).await);
    let info = accept(&client, 2).await.ok().json();
    assert_eq!((&info["id"], &info["modified"], &info["preview_of"]), (&1.into(), &true.into(), &Value::Null));
    assert!(client.bin(1).await == after);
    client.get("/api/recordings/2/curves").await.assert_error(404, "");
    client.edit(json!({ "op": "undo" })).await.ok();
    assert!(client.bin(1).await == before);
}

/// It would silently undo later edits.
#[tokio::test]
async fn outdated_preview_is_not_accepted() {
    let client = Client::editing(&demo(1.0));
    preview(&client, optimizing()).await.ok();
    client.edit(add_marker(0.5, "new")).await.ok();
    let before = client.bin(1).await;
    accept(&client, 2).await.assert_error(412, "has changed since");
    assert!(client.bin(1).await == before);
    client.edit(json!({ "op": "undo" })).await.ok();
    accept(&client, 2).await.ok();
}

#[tokio::test]
async fn preview_belongs_to_one_recording() {
    let client = Client::editing(&demo(1.0));
    client.upload("other.bin", bytes_of(&demo(1.0))).await.ok();
    client.post("/api/recordings/2/preview", optimizing()).await.ok();
    accept(&client, 3).await.assert_error(422, "not a preview of this recording");
    client.post("/api/recordings/3/preview", optimizing()).await.assert_error(422, "already a preview");
    client.delete("/api/recordings/3").await.ok();
    client.delete("/api/recordings/3").await.assert_error(404, "");
}

#[tokio::test]
async fn number_of_previews_is_limited() {
    let client = Client::editing(&Recording::default());
    for _ in 0..16 {
        preview(&client, json!({ "op": "repair" })).await.ok();
    }
    preview(&client, json!({ "op": "repair" })).await.assert_error(507, "close one first");
}

#[tokio::test]
async fn extreme_tolerances_are_accepted_and_negative_ones_rejected() {
    let client = Client::editing(&demo(1.0));
    for (position, angle) in [(0.0, 0.0), (1e300, 1e300)] {
        preview(&client, json!({ "op": "optimize", "position_m": position, "rotation_deg": angle })).await.ok();
    }
    for (position, angle) in [(-1.0, 1.0), (1.0, -1.0)] {
        let request = json!({ "op": "optimize", "position_m": position, "rotation_deg": angle });
        preview(&client, request).await.assert_error(422, "0 or greater");
    }
    preview(&client, json!({ "op": "repair", "position_m": 1.0 })).await.assert_error(422, "position_m");
    preview(&client, json!({ "op": "optimize" })).await.assert_error(422, "position_m");
    preview(&client, json!({ "op": "delete everything" })).await.assert_error(422, "");
}
