//! The viewer state and curve packs.

use std::io::Read;

use flate2::read::GzDecoder;
use holotape_viewer::{Viewer, ViewerOptions, curve_pack};
use tempfile::tempdir;

use crate::client::{Client, add_marker, demo, project, trim, valid};

#[tokio::test]
async fn state_lists_recordings_and_failures() {
    let viewer = Viewer::new(ViewerOptions::new().with_upload_limit_bytes(1234));
    viewer.add("demo.bin", demo(2.0)).unwrap();
    assert!(viewer.open(valid("mrtk28_all.bin")).unwrap().is_empty());
    assert!(viewer.open(project("testdata/invalid/empty.bin")).is_err());
    assert!(viewer.open("no/such/file.bin").is_err());
    let state = Client::new(&viewer).state().await;
    assert_eq!(state["can_edit"], false);
    assert_eq!(state["can_record"], true);
    assert_eq!(state["record_dir"], std::env::current_dir().unwrap().display().to_string());
    assert_eq!(state["upload_limit_bytes"], 1234);
    assert_eq!(state["version"], env!("CARGO_PKG_VERSION"));
    let recordings = state["recordings"].as_array().unwrap();
    let names: Vec<_> =
        recordings.iter().map(|recording| (&recording["name"], &recording["origin"], &recording["id"])).collect();
    assert_eq!(
        names,
        [(&"demo.bin".into(), &"demo".into(), &1.into()), (&"mrtk28_all.bin".into(), &"file".into(), &2.into())]
    );
    assert_eq!(recordings[0]["duration_secs"], 2.0);
    for state in ["modified", "can_undo", "can_redo"] {
        assert_eq!(recordings[0][state], false);
    }
    let failures = state["failures"].as_array().unwrap();
    assert_eq!(failures[0]["name"], "empty.bin");
    assert_eq!(failures[0]["message"], "the file is empty (header, byte 0)");
    assert_eq!(failures[1]["name"], "file.bin");
}

#[tokio::test]
async fn losses_of_an_import_are_listed() {
    let folder = tempdir().unwrap();
    let table = folder.path().join("take.csv");
    std::fs::write(&table, "time,camera.position.x,heart.rate\n0,1,60\n").unwrap();
    let viewer = Viewer::new(ViewerOptions::new());
    let losses = viewer.open(&table).unwrap();
    let info = Client::new(&viewer).recording(1).await["losses"].clone();
    assert_eq!(info[0], losses.iter().next().expect("a loss").to_string());
}

#[tokio::test]
async fn page_is_served() {
    let client = Client::new(&Viewer::new(ViewerOptions::new()));
    for (path, kind) in [("/", "text/html"), ("/viewer.js", "text/javascript"), ("/viewer.css", "text/css")] {
        let response = client.get(path).await.ok();
        assert_eq!(response.headers["content-type"], format!("{kind}; charset=utf-8"));
        assert!(!response.body.is_empty());
    }
}

#[tokio::test]
async fn curves_are_gzipped_and_have_a_revision() {
    let recording = demo(2.0);
    let client = Client::editing(&recording);
    let mut expected = Vec::new();
    curve_pack::write(&recording, &mut expected).unwrap();
    for path in
        ["/api/recordings/1/curves", "/api/recordings/1/curves?revision=0", "/api/recordings/1/curves?revision=0"]
    {
        let response = client.get(path).await.ok();
        assert_eq!(response.headers["content-encoding"], "gzip");
        let mut found = Vec::new();
        GzDecoder::new(&response.body[..]).read_to_end(&mut found).unwrap();
        assert!(found == expected, "{path}");
        assert_eq!(response.headers["holotape-decompressed-bytes"], expected.len().to_string());
    }
    client.get("/api/recordings/1/curves?revision=1").await.assert_error(410, "reload the page");

    let marked = client.edit(add_marker(1.0, "here")).await.ok().json();
    assert_eq!((&marked["revision"], &marked["curves_revision"]), (&1.into(), &0.into()));
    client.get("/api/recordings/1/curves?revision=0").await.ok();

    let trimmed = client.edit(trim(0.5, 1.0)).await.ok().json();
    let revision = trimmed["curves_revision"].as_u64().unwrap();
    assert_ne!(revision, 0);
    client.get("/api/recordings/1/curves?revision=0").await.assert_error(410, "");
    let shorter = client.get(&format!("/api/recordings/1/curves?revision={revision}")).await.ok();
    assert_ne!(shorter.body, gzipped_curves(&recording));

    let undone = client.edit(serde_json::json!({ "op": "undo" })).await.ok().json();
    assert_eq!(undone["curves_revision"], 0);
    assert_eq!(client.get("/api/recordings/1/curves?revision=0").await.ok().body, gzipped_curves(&recording));
}

#[tokio::test]
async fn overview_is_gzipped_and_has_the_revision_of_the_curves() {
    let recording = demo(40.0);
    let client = Client::editing(&recording);
    let expected = curve_pack::gzipped_overview(&recording).unwrap();
    assert!(expected.len() < gzipped_curves(&recording).len());
    for query in ["", "?revision=0", "?revision=0"] {
        let response = client.get(&format!("/api/recordings/1/curves/overview{query}")).await.ok();
        assert_eq!(response.headers["content-encoding"], "gzip");
        assert!(response.body == expected, "{query}");
        let mut pack = Vec::new();
        GzDecoder::new(&expected[..]).read_to_end(&mut pack).unwrap();
        assert_eq!(response.headers["holotape-decompressed-bytes"], pack.len().to_string());
    }
    client.get("/api/recordings/1/curves/overview?revision=1").await.assert_error(410, "reload the page");

    let trimmed = client.edit(trim(0.5, 39.0)).await.ok().json();
    client.get("/api/recordings/1/curves/overview?revision=0").await.assert_error(410, "");
    let path = format!("/api/recordings/1/curves/overview?revision={}", trimmed["curves_revision"]);
    assert_ne!(client.get(&path).await.ok().body, expected);
}

#[tokio::test]
async fn recording_with_many_keys_has_an_overview() {
    for (key_count, has_overview) in [(1 << 20, false), ((1 << 20) + 1, true)] {
        let mut camera = holotape::PoseCurves::default();
        let keys = (0..key_count).map(|n| holotape::LinearKey::new(n as f32 / 60.0, 0.0));
        camera.position[0].keys = holotape::Keys::Linear(keys.collect());
        let client = Client::editing(&holotape::Recording { camera: Some(camera), ..Default::default() });
        let info = client.recording(1).await;
        assert_eq!((&info["key_count"], &info["has_overview"]), (&key_count.into(), &has_overview.into()));
    }
}

fn gzipped_curves(recording: &holotape::Recording) -> Vec<u8> {
    curve_pack::gzipped(recording).unwrap()
}
