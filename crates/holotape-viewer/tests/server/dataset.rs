//! A served dataset: its report, and recordings that are opened by name only.

use std::collections::BTreeMap;
use std::path::Path;

use axum::http::StatusCode;
use holotape_viewer::{ServedDataset, Viewer, ViewerOptions};
use serde_json::Value;
use tempfile::tempdir;

use crate::client::{Client, demo, project};

fn dataset(folder: &Path, count: usize) -> Client {
    let mut recordings = BTreeMap::new();
    for number in 0..count {
        let path = folder.join(format!("{number}.bin"));
        assert!(demo(0.5).save(&path).expect("saved").is_empty());
        recordings.insert(format!("p01/take {number}.bin"), path);
    }
    recordings.insert("broken.bin".to_owned(), project("testdata/invalid/empty.bin"));
    let viewer = Viewer::new(ViewerOptions::new());
    viewer.set_dataset(ServedDataset {
        recordings,
        page: "<!doctype html>report".to_owned(),
        script: "go()",
        style: "a{}",
    });
    Client::new(&viewer)
}

#[tokio::test]
async fn report_has_the_same_security_policy() {
    let folder = tempdir().unwrap();
    let client = dataset(folder.path(), 0);
    for (path, kind, body) in [
        ("/report", "text/html; charset=utf-8", "<!doctype html>report"),
        ("/report.js", "text/javascript; charset=utf-8", "go()"),
        ("/report.css", "text/css; charset=utf-8", "a{}"),
    ] {
        let response = client.get(path).await;
        assert_eq!((response.status, &response.body[..]), (StatusCode::OK, body.as_bytes()), "{path}");
        assert_eq!(response.headers["content-type"], kind);
        assert!(response.headers["content-security-policy"].to_str().unwrap().contains("script-src 'self'"));
    }
    let without = Client::new(&Viewer::new(ViewerOptions::new()));
    for path in ["/report", "/report.js", "/report.css", "/api/state?recording=a"] {
        assert_eq!(without.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

async fn state(client: &Client, name: &str) -> Value {
    let response = client.get(&format!("/api/state?recording={name}")).await;
    assert_eq!(response.status, StatusCode::OK);
    serde_json::from_slice(&response.body).unwrap()
}

#[tokio::test]
async fn recording_is_opened_by_name_once() {
    let folder = tempdir().unwrap();
    let client = dataset(folder.path(), 2);
    let first = state(&client, "p01/take%201.bin").await;
    assert_eq!(first["recordings"].as_array().unwrap().len(), 1);
    assert_eq!(first["recordings"][0]["name"], "p01/take 1.bin");
    let second = state(&client, "p01/take%200.bin").await;
    assert_eq!(second["recordings"].as_array().unwrap().len(), 1, "only the requested one");
    assert_eq!(state(&client, "p01/take%201.bin").await["recordings"][0]["id"], first["recordings"][0]["id"]);
    let id = &first["recordings"][0]["id"];
    assert_eq!(client.get(&format!("/api/recordings/{id}/curves")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn files_outside_the_dataset_are_not_opened() {
    let folder = tempdir().unwrap();
    let client = dataset(folder.path(), 1);
    let path = folder.path().join("0.bin");
    for name in ["0.bin", path.to_str().unwrap(), "p01/../p01/take%200.bin", "p01/take%201.bin", ""] {
        let response = client.get(&format!("/api/state?recording={name}")).await;
        assert_eq!(response.status, StatusCode::NOT_FOUND, "{name}");
    }
    let broken = client.get("/api/state?recording=broken.bin").await;
    assert_eq!(broken.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(String::from_utf8_lossy(&broken.body).contains("the file is empty"));
}

#[tokio::test]
async fn oldest_recordings_are_closed_for_new_ones() {
    let folder = tempdir().unwrap();
    let client = dataset(folder.path(), 20);
    for number in 0..20 {
        let response = client.get(&format!("/api/state?recording=p01/take%20{number}.bin")).await;
        assert_eq!(response.status, StatusCode::OK, "{number}");
    }
    assert_eq!(client.get("/api/recordings/1/curves").await.status, StatusCode::NOT_FOUND);
    assert_eq!(client.get("/api/recordings/20/curves").await.status, StatusCode::OK);
    // And can be opened again.
    assert_eq!(client.get("/api/state?recording=p01/take%200.bin").await.status, StatusCode::OK);
}

#[tokio::test]
async fn two_pages_open_a_recording_once() {
    let folder = tempdir().unwrap();
    let client = dataset(folder.path(), 1);
    let (one, other) = tokio::join!(state(&client, "p01/take%200.bin"), state(&client, "p01/take%200.bin"));
    assert_eq!(one["recordings"][0]["id"], other["recordings"][0]["id"]);
    assert_eq!(client.state().await["recordings"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn recording_that_is_too_large_does_not_close_others() {
    let folder = tempdir().unwrap();
    let (small, large) = (folder.path().join("small.bin"), folder.path().join("large.bin"));
    assert!(demo(0.5).save(&small).unwrap().is_empty() && demo(30.0).save(&large).unwrap().is_empty());
    let limit = 2 * std::fs::metadata(&small).unwrap().len();
    assert!(std::fs::metadata(&large).unwrap().len() > 4 * limit);
    let viewer = Viewer::new(ViewerOptions::new().with_upload_limit_bytes(limit));
    let recordings = [("small.bin".to_owned(), small), ("large.bin".to_owned(), large)].into();
    viewer.set_dataset(ServedDataset { recordings, ..ServedDataset::default() });
    let client = Client::new(&viewer);
    let id = state(&client, "small.bin").await["recordings"][0]["id"].clone();
    assert!(!client.get("/api/state?recording=large.bin").await.status.is_success());
    assert_eq!(client.get(&format!("/api/recordings/{id}/curves")).await.status, StatusCode::OK);
}
