//! A corpus: a page about it, and takes by name and by nothing else.

use std::collections::BTreeMap;
use std::path::Path;

use axum::http::StatusCode;
use holotape_viewer::{ServedDataset, Viewer, ViewerOptions};
use serde_json::Value;
use tempfile::tempdir;

use crate::client::{Client, demo, project};

fn corpus(folder: &Path, count: usize) -> Client {
    let mut takes = BTreeMap::new();
    for number in 0..count {
        let path = folder.join(format!("{number}.bin"));
        assert!(demo(0.5).save(&path).expect("saved").is_empty());
        takes.insert(format!("p01/take {number}.bin"), path);
    }
    takes.insert("broken.bin".to_owned(), project("testdata/invalid/empty.bin"));
    let viewer = Viewer::new(ViewerOptions::new());
    viewer.set_corpus(ServedDataset { takes, page: "<!doctype html>report".to_owned(), script: "go()", style: "a{}" });
    Client::of(&viewer)
}

#[tokio::test]
async fn the_report_is_served_under_the_same_policy() {
    let folder = tempdir().unwrap();
    let client = corpus(folder.path(), 0);
    for (path, kind, body) in [
        ("/report", "text/html; charset=utf-8", "<!doctype html>report"),
        ("/report.js", "text/javascript; charset=utf-8", "go()"),
        ("/report.css", "text/css; charset=utf-8", "a{}"),
    ] {
        let answer = client.get(path).await;
        assert_eq!((answer.status, &answer.body[..]), (StatusCode::OK, body.as_bytes()), "{path}");
        assert_eq!(answer.headers["content-type"], kind);
        assert!(answer.headers["content-security-policy"].to_str().unwrap().contains("script-src 'self'"));
    }
    let without = Client::of(&Viewer::new(ViewerOptions::new()));
    for path in ["/report", "/report.js", "/report.css", "/api/session?take=a"] {
        assert_eq!(without.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

async fn session(client: &Client, name: &str) -> Value {
    let answer = client.get(&format!("/api/session?take={name}")).await;
    assert_eq!(answer.status, StatusCode::OK);
    serde_json::from_slice(&answer.body).unwrap()
}

#[tokio::test]
async fn a_take_is_opened_by_name_and_once() {
    let folder = tempdir().unwrap();
    let client = corpus(folder.path(), 2);
    let first = session(&client, "p01/take%201.bin").await;
    assert_eq!(first["takes"].as_array().unwrap().len(), 1);
    assert_eq!(first["takes"][0]["name"], "p01/take 1.bin");
    let second = session(&client, "p01/take%200.bin").await;
    assert_eq!(second["takes"].as_array().unwrap().len(), 1, "each has a page of its own");
    assert_eq!(session(&client, "p01/take%201.bin").await["takes"][0]["id"], first["takes"][0]["id"]);
    let id = &first["takes"][0]["id"];
    assert_eq!(client.get(&format!("/api/takes/{id}/tape")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn nothing_else_is_opened() {
    let folder = tempdir().unwrap();
    let client = corpus(folder.path(), 1);
    let path = folder.path().join("0.bin");
    for name in ["0.bin", path.to_str().unwrap(), "p01/../p01/take%200.bin", "p01/take%201.bin", ""] {
        let answer = client.get(&format!("/api/session?take={name}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{name}");
    }
    let broken = client.get("/api/session?take=broken.bin").await;
    assert_eq!(broken.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(String::from_utf8_lossy(&broken.body).contains("the file is empty"));
}

#[tokio::test]
async fn takes_that_were_opened_long_ago_make_room() {
    let folder = tempdir().unwrap();
    let client = corpus(folder.path(), 20);
    for number in 0..20 {
        let answer = client.get(&format!("/api/session?take=p01/take%20{number}.bin")).await;
        assert_eq!(answer.status, StatusCode::OK, "{number}");
    }
    assert_eq!(client.get("/api/takes/1/tape").await.status, StatusCode::NOT_FOUND);
    assert_eq!(client.get("/api/takes/20/tape").await.status, StatusCode::OK);
    // And can be opened again.
    assert_eq!(client.get("/api/session?take=p01/take%200.bin").await.status, StatusCode::OK);
}
