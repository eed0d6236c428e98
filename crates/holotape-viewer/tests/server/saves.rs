//! Saving, and what must not be written.

use std::fs;
use std::path::Path;

use axum::http::Method;
use holotape::Recording;
use holotape::format::{Format, Layout};
use holotape_convert::compression::Compression;
use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::client::{Client, Response, add_marker, bytes_of, demo, files_in, request, trim};

/// A directory with a recording.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("take.bin"), bytes_of(&demo(2.0))).unwrap();
    fs::write(folder.path().join("notes.txt"), "not a recording").unwrap();
    folder
}

fn client(folder: &Path, edit: bool) -> Client {
    let viewer = Viewer::new(ViewerOptions::new().with_edit(edit));
    let _ = viewer.open(folder.join("take.bin")).unwrap();
    Client::new(&viewer)
}

async fn save(client: &Client, name: &str, replace: bool) -> Response {
    client.post("/api/recordings/1/save", json!({ "name": name, "replace": replace })).await
}

#[tokio::test]
async fn recording_is_saved_next_to_its_file() {
    let folder = folder();
    let client = client(folder.path(), true);
    client.edit(trim(0.5, 1.5)).await.ok();
    let saved = save(&client, "part", false).await.ok().json();
    let path = folder.path().join("part.bin");
    assert_eq!(saved, json!({ "path": path.display().to_string(), "losses": [] }));
    assert!(fs::read(path).unwrap() == client.bin(1).await);
    assert!(fs::read(folder.path().join("take.bin")).unwrap() == bytes_of(&demo(2.0)));
    assert_eq!(files_in(folder.path()).len(), 3);
}

#[tokio::test]
async fn recording_is_compressed_if_its_name_says_so() {
    let folder = folder();
    let client = client(folder.path(), true);
    client.edit(trim(0.5, 1.5)).await.ok();
    for (name, compression) in [("part.bin.zst", Compression::Zstd), ("part.json.gz", Compression::Gzip)] {
        save(&client, name, false).await.ok();
        let imported = holotape_convert::open(folder.path().join(name)).unwrap();
        assert_eq!(imported.compression, compression);
        assert!(bytes_of(&imported.recording) == client.bin(1).await);
    }
    let viewer = Viewer::new(ViewerOptions::new().with_edit(true));
    let path = folder.path().join("part.bin.zst");
    let _ = viewer.open(&path).unwrap();
    let client = Client::new(&viewer);
    client.edit(add_marker(0.5, "new")).await.ok();
    save(&client, "part.bin.zst", true).await.ok();
    let imported = holotape_convert::open(&path).unwrap();
    assert_eq!((imported.compression, imported.recording.markers.len()), (Compression::Zstd, 1));
}

#[tokio::test]
async fn existing_file_is_replaced_only_on_request() {
    let folder = folder();
    let client = client(folder.path(), true);
    client.edit(add_marker(1.0, "new")).await.ok();
    for name in ["take.bin", "take"] {
        save(&client, name, false).await.assert_error(409, "file already exists");
    }
    assert_eq!(client.recording(1).await["modified"], true);
    assert!(fs::read(folder.path().join("take.bin")).unwrap() == bytes_of(&demo(2.0)));
    save(&client, "take.bin", true).await.ok();
    assert!(fs::read(folder.path().join("take.bin")).unwrap() == client.bin(1).await);
}

#[tokio::test]
async fn modified_means_changed_since_the_last_save() {
    let folder = folder();
    let client = client(folder.path(), true);
    let modified = async || client.recording(1).await["modified"].clone();
    client.edit(add_marker(1.0, "a")).await.ok();
    assert_eq!(modified().await, true);
    save(&client, "a.bin", false).await.ok();
    assert_eq!(modified().await, false);
    client.edit(json!({ "op": "undo" })).await.ok();
    assert_eq!(modified().await, true);
    client.edit(json!({ "op": "redo" })).await.ok();
    assert_eq!(modified().await, false);
}

#[tokio::test]
async fn json_saves_have_no_losses() {
    let folder = tempdir().unwrap();
    let mut recording = demo(1.0);
    recording.format = Format { layout: Layout::Full10, ..recording.format };
    let mut json = Vec::new();
    recording.write_json_to(&mut json).unwrap();
    fs::write(folder.path().join("take.json"), &json).unwrap();
    let viewer = Viewer::new(ViewerOptions::new().with_edit(true));
    let _ = viewer.open(folder.path().join("take.json")).unwrap();
    let client = Client::new(&viewer);
    let losses = save(&client, "a.bin", false).await.ok().json()["losses"].clone();
    assert!(losses[0].as_str().unwrap().contains("gaze"), "{losses}");
    assert_eq!(save(&client, "b.JSON", false).await.ok().json()["losses"], json!([]));
    assert!(Recording::from_json_slice(&fs::read(folder.path().join("b.JSON")).unwrap()).unwrap() == recording);
}

#[tokio::test]
async fn unsafe_names_write_nothing() {
    let folder = folder();
    fs::create_dir(folder.path().join("inner")).unwrap();
    fs::rename(folder.path().join("take.bin"), folder.path().join("inner/take.bin")).unwrap();
    let inner = folder.path().join("inner");
    let client = client(&inner, true);
    let absolute = folder.path().join("out.bin").display().to_string();
    for name in ["../out.bin", "..", ".", "", " ", "a/b", "a\\b", "..\\out.bin", "C:out.bin", "a\0b", "nul", &absolute]
    {
        save(&client, name, true).await.assert_error(422, "");
    }
    assert_eq!(files_in(&inner).len(), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[tokio::test]
async fn directories_are_not_replaced() {
    let folder = folder();
    fs::create_dir(folder.path().join("folder.bin")).unwrap();
    let client = client(folder.path(), true);
    save(&client, "folder.bin", true).await.assert_error(422, "is not a file");
    save(&client, "folder", false).await.assert_error(422, "is not a file");
}

#[tokio::test]
async fn missing_directory_is_reported() {
    let folder = folder();
    let client = client(folder.path(), true);
    fs::remove_dir_all(folder.path()).unwrap();
    save(&client, "take.bin", true).await.assert_error(500, "missing folder");
}

#[tokio::test]
async fn file_changed_on_disk_does_not_change_the_open_recording() {
    let folder = folder();
    let client = client(folder.path(), true);
    fs::write(folder.path().join("take.bin"), "something else").unwrap();
    save(&client, "take.bin", false).await.assert_error(409, "");
    assert_eq!(fs::read(folder.path().join("take.bin")).unwrap(), b"something else");
    save(&client, "take.bin", true).await.ok();
    assert!(fs::read(folder.path().join("take.bin")).unwrap() == bytes_of(&demo(2.0)));
}

#[tokio::test]
async fn read_only_server_changes_nothing_on_disk() {
    let folder = folder();
    let before = files_in(folder.path());
    let client = client(folder.path(), false);
    let name = json!({ "name": "take.bin", "replace": true });
    let bodies: [Value; 5] = [
        json!({ "op": "trim", "from": 0, "to": 1 }),
        add_marker(1.0, "x"),
        json!({ "op": "repair" }),
        name.clone(),
        json!({ "name": "new.bin", "replace": false }),
    ];
    client.upload("take.bin", bytes_of(&demo(1.0))).await.ok();
    for id in [1, 2] {
        for what in ["edit", "preview", "save"] {
            for body in &bodies {
                client.post(&format!("/api/recordings/{id}/{what}"), body.clone()).await.assert_error(403, "--edit");
            }
        }
        for kind in ["bin", "glb", "csv"] {
            client.get(&format!("/api/recordings/{id}/download?format={kind}&from=0&to=0.5")).await.ok();
        }
        client.get(&format!("/api/recordings/{id}/curves")).await.ok();
        client.delete(&format!("/api/recordings/{id}")).await;
    }
    for path in ["/", "/viewer.js", "/viewer.css", "/api/state", "/take.bin", "/api/recordings"] {
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            client.send(request(method, path).body(name.to_string().into()).unwrap()).await;
        }
    }
    assert!(files_in(folder.path()) == before);
}

// On Windows, links need a privilege that users do not have.
#[cfg(unix)]
#[tokio::test]
async fn symbolic_links_are_not_followed() {
    use std::os::unix::fs::symlink;

    let (folder, out) = (folder(), tempdir().unwrap());
    let there = out.path().join("there.txt");
    fs::write(&there, "theirs").unwrap();
    symlink(out.path().join("new.txt"), folder.path().join("dangling.bin")).unwrap();
    symlink(&there, folder.path().join("link.bin")).unwrap();
    let client = client(folder.path(), true);
    for name in ["dangling.bin", "link.bin"] {
        for replace in [false, true] {
            save(&client, name, replace).await.assert_error(422, "is a symbolic link");
        }
    }
    assert_eq!(files_in(out.path()), [("there.txt".to_owned(), b"theirs".to_vec())]);
}

#[cfg(unix)]
#[tokio::test]
async fn recording_opened_through_a_link_is_saved_to_its_target() {
    let (folder, out) = (folder(), tempdir().unwrap());
    let target = out.path().join("target.bin");
    fs::rename(folder.path().join("take.bin"), &target).unwrap();
    std::os::unix::fs::symlink(&target, folder.path().join("take.bin")).unwrap();
    let client = client(folder.path(), true);
    client.edit(add_marker(1.0, "new")).await.ok();
    save(&client, "take.bin", true).await.ok();
    assert!(fs::read(target).unwrap() == client.bin(1).await);
}

#[tokio::test]
async fn reserved_and_long_names_are_rejected() {
    let folder = folder();
    let client = client(folder.path(), true);
    for (name, message) in
        [(&*"x".repeat(300), "name too long"), ("a?.bin", "?"), ("a\u{202e}nib", "invisible characters")]
    {
        save(&client, name, true).await.assert_error(422, message);
    }
    assert_eq!(files_in(folder.path()).len(), 2);
}
