//! What reaches the disk, and what does not.

use std::fs;
use std::path::Path;

use axum::http::Method;
use holotape::Recording;
use holotape::format::{Format, Layout};
use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::client::{Answer, Client, add_marker, bytes_of, demo, files_in, request, trim};

/// A folder with a recording in it, which is shown.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("take.bin"), bytes_of(&demo(2.0))).unwrap();
    fs::write(folder.path().join("notes.txt"), "not a recording").unwrap();
    folder
}

fn client(folder: &Path, edit: bool) -> Client {
    let viewer = Viewer::new(ViewerOptions::new().with_edit(edit));
    let _ = viewer.open(folder.join("take.bin")).unwrap();
    Client::of(&viewer)
}

async fn save(client: &Client, name: &str, replace: bool) -> Answer {
    client.post("/api/takes/1/save", json!({ "name": name, "replace": replace })).await
}

#[tokio::test]
async fn a_take_is_saved_beside_the_file_that_it_came_from() {
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
async fn a_file_is_replaced_only_when_that_is_meant() {
    let folder = folder();
    let client = client(folder.path(), true);
    client.edit(add_marker(1.0, "new")).await.ok();
    for name in ["take.bin", "take"] {
        save(&client, name, false).await.refused(409, "file already exists");
    }
    assert_eq!(client.take(1).await["modified"], true);
    assert!(fs::read(folder.path().join("take.bin")).unwrap() == bytes_of(&demo(2.0)));
    save(&client, "take.bin", true).await.ok();
    assert!(fs::read(folder.path().join("take.bin")).unwrap() == client.bin(1).await);
}

#[tokio::test]
async fn modified_means_since_it_was_saved() {
    let folder = folder();
    let client = client(folder.path(), true);
    let modified = async || client.take(1).await["modified"].clone();
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
async fn documents_keep_what_files_cannot() {
    let folder = tempdir().unwrap();
    let mut recording = demo(1.0);
    recording.format = Format { layout: Layout::Full10, ..recording.format };
    let mut json = Vec::new();
    recording.write_json_to(&mut json).unwrap();
    fs::write(folder.path().join("take.json"), &json).unwrap();
    let viewer = Viewer::new(ViewerOptions::new().with_edit(true));
    let _ = viewer.open(folder.path().join("take.json")).unwrap();
    let client = Client::of(&viewer);
    let losses = save(&client, "a.bin", false).await.ok().json()["losses"].clone();
    assert!(losses[0].as_str().unwrap().contains("gaze"), "{losses}");
    assert_eq!(save(&client, "b.JSON", false).await.ok().json()["losses"], json!([]));
    assert!(Recording::from_json_slice(&fs::read(folder.path().join("b.JSON")).unwrap()).unwrap() == recording);
}

#[tokio::test]
async fn nothing_is_saved_elsewhere() {
    let folder = folder();
    fs::create_dir(folder.path().join("inner")).unwrap();
    fs::rename(folder.path().join("take.bin"), folder.path().join("inner/take.bin")).unwrap();
    let inner = folder.path().join("inner");
    let client = client(&inner, true);
    let absolute = folder.path().join("out.bin").display().to_string();
    for name in ["../out.bin", "..", ".", "", " ", "a/b", "a\\b", "..\\out.bin", "C:out.bin", "a\0b", "nul", &absolute]
    {
        save(&client, name, true).await.refused(422, "");
    }
    assert_eq!(files_in(&inner).len(), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[tokio::test]
async fn what_is_there_and_no_file_stays() {
    let folder = folder();
    fs::create_dir(folder.path().join("folder.bin")).unwrap();
    let client = client(folder.path(), true);
    save(&client, "folder.bin", true).await.refused(422, "is no file");
    save(&client, "folder", false).await.refused(422, "is no file");
}

#[tokio::test]
async fn a_folder_that_has_gone_is_told() {
    let folder = folder();
    let client = client(folder.path(), true);
    fs::remove_dir_all(folder.path()).unwrap();
    save(&client, "take.bin", true).await.refused(500, "missing folder");
}

#[tokio::test]
async fn a_file_that_changed_on_disk_is_no_other_recording() {
    let folder = folder();
    let client = client(folder.path(), true);
    fs::write(folder.path().join("take.bin"), "something else").unwrap();
    save(&client, "take.bin", false).await.refused(409, "");
    assert_eq!(fs::read(folder.path().join("take.bin")).unwrap(), b"something else");
    save(&client, "take.bin", true).await.ok();
    assert!(fs::read(folder.path().join("take.bin")).unwrap() == bytes_of(&demo(2.0)));
}

/// Whatever is asked of a server that only shows, the folder of the recording stays as it is.
#[tokio::test]
async fn without_leave_to_edit_nothing_on_disk_changes() {
    let folder = folder();
    let before = files_in(folder.path());
    let client = client(folder.path(), false);
    let name = json!({ "name": "take.bin", "replace": true });
    let bodies: [Value; 5] = [
        json!({ "op": "trim", "from": 0, "to": 1 }),
        add_marker(1.0, "x"),
        json!({ "what": "repair" }),
        name.clone(),
        json!({ "name": "new.bin", "replace": false }),
    ];
    client.upload("take.bin", bytes_of(&demo(1.0))).await.ok();
    for id in [1, 2] {
        for what in ["edit", "preview", "save"] {
            for body in &bodies {
                client.post(&format!("/api/takes/{id}/{what}"), body.clone()).await.refused(403, "--edit");
            }
        }
        for kind in ["bin", "glb", "csv"] {
            client.get(&format!("/api/takes/{id}/download?as={kind}&from=0&to=0.5")).await.ok();
        }
        client.get(&format!("/api/takes/{id}/tape")).await.ok();
        client.delete(&format!("/api/takes/{id}")).await;
    }
    for path in ["/", "/viewer.js", "/viewer.css", "/api/session", "/take.bin", "/api/takes"] {
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            client.send(request(method, path).body(name.to_string().into()).unwrap()).await;
        }
    }
    assert!(files_in(folder.path()) == before);
}

#[cfg(unix)]
#[tokio::test]
async fn links_lead_nothing_out_of_the_folder() {
    use std::os::unix::fs::symlink;

    let (folder, out) = (folder(), tempdir().unwrap());
    let there = out.path().join("there.txt");
    fs::write(&there, "theirs").unwrap();
    symlink(out.path().join("new.txt"), folder.path().join("dangling.bin")).unwrap();
    symlink(&there, folder.path().join("link.bin")).unwrap();
    let client = client(folder.path(), true);
    for name in ["dangling.bin", "link.bin"] {
        for replace in [false, true] {
            save(&client, name, replace).await.refused(422, "is a link to another place");
        }
    }
    assert_eq!(files_in(out.path()), [("there.txt".to_owned(), b"theirs".to_vec())]);
}

/// Whoever gave the link means the file behind it.
#[cfg(unix)]
#[tokio::test]
async fn a_take_that_was_opened_by_a_link_is_saved_behind_it() {
    let (folder, out) = (folder(), tempdir().unwrap());
    let behind = out.path().join("behind.bin");
    fs::rename(folder.path().join("take.bin"), &behind).unwrap();
    std::os::unix::fs::symlink(&behind, folder.path().join("take.bin")).unwrap();
    let client = client(folder.path(), true);
    client.edit(add_marker(1.0, "new")).await.ok();
    save(&client, "take.bin", true).await.ok();
    assert!(fs::read(behind).unwrap() == client.bin(1).await);
}

#[tokio::test]
async fn names_that_no_system_holds_are_refused_before_anything_is_written() {
    let folder = folder();
    let client = client(folder.path(), true);
    for (name, message) in [(&*"x".repeat(300), "shorter"), ("a?.bin", "?"), ("a\u{202e}nib", "cannot be seen")] {
        save(&client, name, true).await.refused(422, message);
    }
    assert_eq!(files_in(folder.path()).len(), 2);
}
