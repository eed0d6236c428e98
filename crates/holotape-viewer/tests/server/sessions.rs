//! What the page is told at first, and the tapes that it asks for.

use std::io::Read;

use flate2::read::GzDecoder;
use holotape_viewer::{Viewer, ViewerOptions, curve_pack};
use tempfile::tempdir;

use crate::client::{Client, add_marker, demo, project, trim, valid};

#[tokio::test]
async fn a_session_lists_what_was_opened_and_what_was_not() {
    let viewer = Viewer::new(ViewerOptions::new().with_upload_limit_bytes(1234));
    viewer.add("demo.bin", demo(2.0)).unwrap();
    assert!(viewer.open(valid("mrtk28_all.bin")).unwrap().is_empty());
    assert!(viewer.open(project("testdata/invalid/empty.bin")).is_err());
    assert!(viewer.open("no/such/file.bin").is_err());
    let session = Client::of(&viewer).session().await;
    assert_eq!(session["edit"], false);
    assert_eq!(session["live"], true);
    assert_eq!(session["takesFolder"], std::env::current_dir().unwrap().display().to_string());
    assert_eq!(session["uploadLimitBytes"], 1234);
    assert_eq!(session["version"], env!("CARGO_PKG_VERSION"));
    let takes = session["takes"].as_array().unwrap();
    let names: Vec<_> = takes.iter().map(|take| (&take["name"], &take["origin"], &take["id"])).collect();
    assert_eq!(
        names,
        [(&"demo.bin".into(), &"demo".into(), &1.into()), (&"mrtk28_all.bin".into(), &"file".into(), &2.into())]
    );
    assert_eq!(takes[0]["durationSecs"], 2.0);
    for state in ["modified", "canUndo", "canRedo"] {
        assert_eq!(takes[0][state], false);
    }
    let failures = session["failures"].as_array().unwrap();
    assert_eq!(failures[0]["name"], "empty.bin");
    assert_eq!(failures[0]["error"], "the file is empty (header, byte 0)");
    assert_eq!(failures[1]["name"], "file.bin");
}

#[tokio::test]
async fn what_a_foreign_file_loses_is_told() {
    let folder = tempdir().unwrap();
    let table = folder.path().join("take.csv");
    std::fs::write(&table, "time,camera.position.x,heart.rate\n0,1,60\n").unwrap();
    let viewer = Viewer::new(ViewerOptions::new());
    let losses = viewer.open(&table).unwrap();
    let told = Client::of(&viewer).take(1).await["losses"].clone();
    assert_eq!(told[0], losses.iter().next().expect("a column that is no curve").to_string());
}

#[tokio::test]
async fn the_page_is_served() {
    let client = Client::of(&Viewer::new(ViewerOptions::new()));
    for (path, kind) in [("/", "text/html"), ("/viewer.js", "text/javascript"), ("/viewer.css", "text/css")] {
        let answer = client.get(path).await.ok();
        assert_eq!(answer.headers["content-type"], format!("{kind}; charset=utf-8"));
        assert!(!answer.body.is_empty());
    }
}

#[tokio::test]
async fn tapes_are_zipped_and_have_a_revision() {
    let recording = demo(2.0);
    let client = Client::editing(&recording);
    let mut expected = Vec::new();
    curve_pack::write(&recording, &mut expected).unwrap();
    for path in ["/api/takes/1/tape", "/api/takes/1/tape?revision=0", "/api/takes/1/tape?revision=0"] {
        let answer = client.get(path).await.ok();
        assert_eq!(answer.headers["content-encoding"], "gzip");
        let mut found = Vec::new();
        GzDecoder::new(&answer.body[..]).read_to_end(&mut found).unwrap();
        assert!(found == expected, "{path}");
    }
    client.get("/api/takes/1/tape?revision=1").await.refused(410, "load the page again");

    let marked = client.edit(add_marker(1.0, "here")).await.ok().json();
    assert_eq!((&marked["revision"], &marked["tapeRevision"]), (&1.into(), &0.into()));
    client.get("/api/takes/1/tape?revision=0").await.ok();

    let trimmed = client.edit(trim(0.5, 1.0)).await.ok().json();
    let revision = trimmed["tapeRevision"].as_u64().unwrap();
    assert_ne!(revision, 0);
    client.get("/api/takes/1/tape?revision=0").await.refused(410, "");
    let shorter = client.get(&format!("/api/takes/1/tape?revision={revision}")).await.ok();
    assert_ne!(shorter.body, client_tape(&recording));

    let undone = client.edit(serde_json::json!({ "op": "undo" })).await.ok().json();
    assert_eq!(undone["tapeRevision"], 0);
    assert_eq!(client.get("/api/takes/1/tape?revision=0").await.ok().body, client_tape(&recording));
}

fn client_tape(recording: &holotape::Recording) -> Vec<u8> {
    curve_pack::gzipped(recording).unwrap()
}
