//! What is tried out beside a take.

use holotape::Recording;
use holotape::Tolerance;
use holotape::check::{RepairOptions, repair};
use holotape::optimize::{OptimizeOptions, optimize};
use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::{Value, json};

use crate::client::{Answer, Client, add_marker, bytes_of, demo, valid};

const LOST_W: &str = "mrtk27_rotation_w_lost.bin";

fn broken() -> Client {
    let viewer = Viewer::new(ViewerOptions::new().with_edit(true));
    let _ = viewer.open(valid(LOST_W)).unwrap();
    Client::of(&viewer)
}

async fn preview(client: &Client, request: Value) -> Answer {
    client.post("/api/takes/1/preview", request).await
}

fn optimizing() -> Value {
    json!({ "what": "optimize", "positionMm": 1.0, "angleDeg": 0.2 })
}

async fn accept(client: &Client, id: u64) -> Answer {
    client.edit(json!({ "op": "accept", "preview": id })).await
}

#[tokio::test]
async fn a_repair_is_the_librarys() {
    let client = broken();
    let told = preview(&client, json!({ "what": "repair" })).await.ok().json();
    let mut repaired = Recording::open(valid(LOST_W)).unwrap();
    let report = repair(&mut repaired, &RepairOptions::new());
    let lines: Vec<_> = report.to_string().lines().map(str::to_owned).collect();
    assert_eq!(told["report"], json!(lines));
    let take = &told["take"];
    assert_eq!((&take["id"], &take["previewOf"], &take["origin"]), (&2.into(), &1.into(), &"preview".into()));
    assert_eq!(take["name"], "mrtk27_rotation_w_lost-repaired.bin");
    assert!(client.bin(2).await == bytes_of(&repaired));
    assert!(client.bin(1).await == std::fs::read(valid(LOST_W)).unwrap());
}

#[tokio::test]
async fn findings_say_whether_a_repair_would_help() {
    let client = broken();
    let mendable = |told: &Value| {
        let findings = told["findings"].as_array().unwrap().iter();
        findings
            .filter(|finding| finding["mendable"] == true)
            .map(|finding| finding["code"].clone())
            .collect::<Vec<_>>()
    };
    assert!(mendable(&client.take(1).await).contains(&"rotation-w-lost".into()));
    let told = preview(&client, json!({ "what": "repair" })).await.ok().json();
    assert_eq!(mendable(&told["take"]), Vec::<Value>::new());
}

#[tokio::test]
async fn what_is_whole_needs_no_repair() {
    let client = Client::editing(&Recording::default());
    assert_eq!(preview(&client, json!({ "what": "repair" })).await.ok().json()["report"], json!(["nothing to repair"]));
}

#[tokio::test]
async fn an_optimized_take_is_the_librarys() {
    let recording = demo(2.0);
    let client = Client::editing(&recording);
    let told = preview(&client, optimizing()).await.ok().json();
    let mut expected = recording.clone();
    let report = optimize(&mut expected, &OptimizeOptions::new());
    assert!(client.bin(2).await == bytes_of(&expected));
    let fraction = 100.0 * report.keys_after as f64 / report.keys_before as f64;
    assert!(
        told["report"][0].as_str().unwrap().starts_with(&format!("{fraction:.1} % of the keys are left")),
        "{told}"
    );

    preview(&client, json!({ "what": "optimize", "positionMm": 5.0, "angleDeg": 1.0 })).await.ok();
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
async fn a_preview_takes_the_place_of_its_take() {
    let client = Client::editing(&demo(2.0));
    preview(&client, optimizing()).await.ok();
    let (before, after) = (client.bin(1).await, client.bin(2).await);
    let told = accept(&client, 2).await.ok().json();
    assert_eq!((&told["id"], &told["modified"], &told["previewOf"]), (&1.into(), &true.into(), &Value::Null));
    assert!(client.bin(1).await == after);
    client.get("/api/takes/2/tape").await.refused(404, "");
    client.edit(json!({ "op": "undo" })).await.ok();
    assert!(client.bin(1).await == before);
}

/// It would undo, without a word, what was done in between.
#[tokio::test]
async fn a_preview_of_what_has_changed_is_not_accepted() {
    let client = Client::editing(&demo(1.0));
    preview(&client, optimizing()).await.ok();
    client.edit(add_marker(0.5, "new")).await.ok();
    let before = client.bin(1).await;
    accept(&client, 2).await.refused(412, "has changed since");
    assert!(client.bin(1).await == before);
    client.edit(json!({ "op": "undo" })).await.ok();
    accept(&client, 2).await.ok();
}

#[tokio::test]
async fn a_preview_is_of_one_take_only() {
    let client = Client::editing(&demo(1.0));
    client.upload("other.bin", bytes_of(&demo(1.0))).await.ok();
    client.post("/api/takes/2/preview", optimizing()).await.ok();
    accept(&client, 3).await.refused(422, "no preview of this recording");
    client.post("/api/takes/3/preview", optimizing()).await.refused(422, "preview already");
    client.delete("/api/takes/3").await.ok();
    client.delete("/api/takes/3").await.refused(404, "");
}

#[tokio::test]
async fn there_are_only_so_many() {
    let client = Client::editing(&Recording::default());
    for _ in 0..16 {
        preview(&client, json!({ "what": "repair" })).await.ok();
    }
    preview(&client, json!({ "what": "repair" })).await.refused(507, "close one first");
}

#[tokio::test]
async fn strange_tolerances_do_no_harm() {
    let client = Client::editing(&demo(1.0));
    for (position, angle) in [(0.0, 0.0), (1e300, 1e300)] {
        preview(&client, json!({ "what": "optimize", "positionMm": position, "angleDeg": angle })).await.ok();
    }
    for (position, angle) in [(-1.0, 1.0), (1.0, -1.0)] {
        let asked = json!({ "what": "optimize", "positionMm": position, "angleDeg": angle });
        preview(&client, asked).await.refused(422, "below 0");
    }
    preview(&client, json!({ "what": "repair", "positionMm": 1.0 })).await.refused(422, "positionMm");
    preview(&client, json!({ "what": "optimize" })).await.refused(422, "positionMm");
    preview(&client, json!({ "what": "delete everything" })).await.refused(422, "");
}
