//! Files that are dropped on the page.

use std::fs;

use holotape::{CurveMut, Hand, Keys, LinearKey, Recording, WrapMode};
use holotape_convert::gltf::{self, GltfOptions};
use holotape_convert::table::TableOptions;
use holotape_convert::{csv, from_slice, parquet};
use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::Value;

use crate::client::{Client, add_marker, bytes_of, demo, project};

fn client(limit_bytes: usize) -> Client {
    Client::of(&Viewer::new(ViewerOptions::new().with_upload_limit_bytes(limit_bytes as u64)))
}

const PLENTY: usize = 1 << 24;

#[tokio::test]
async fn any_kind_that_can_be_read_is_opened() {
    let recording = demo(1.0);
    let (mut json, mut table, mut glb) = (Vec::new(), Vec::new(), Vec::new());
    recording.write_json_to(&mut json).unwrap();
    let _ = csv::write(&recording, &TableOptions::new(), &mut table).unwrap();
    let _ = gltf::write_glb(&recording, &GltfOptions::new(), &mut glb).unwrap();
    let hl2ss = fs::read(project("testdata/import/hl2ss_spatial_input.bin")).unwrap();
    let client = client(PLENTY);
    for (id, bytes) in (1..).zip([bytes_of(&recording), json, table, glb, hl2ss]) {
        let opened = from_slice(&bytes).unwrap();
        let answer = client.upload("take.any", bytes).await;
        assert_eq!(answer.status, 201);
        let told = answer.json();
        assert_eq!((&told["id"], &told["origin"], &told["name"]), (&id.into(), &"upload".into(), &"take.any".into()));
        let losses: Vec<_> = opened.losses.iter().map(|loss| Value::from(loss.to_string())).collect();
        assert_eq!(told["losses"], Value::from(losses));
        assert!(client.bin(id).await == bytes_of(&opened.recording));
    }
}

#[tokio::test]
async fn broken_files_are_refused_in_the_words_of_the_library() {
    let client = client(PLENTY);
    let files = fs::read_dir(project("testdata/invalid")).unwrap().map(|entry| entry.unwrap().path());
    let mut count = 0;
    for path in files.filter(|path| path.extension().is_some_and(|extension| extension == "bin")) {
        let bytes = fs::read(&path).unwrap();
        let message = from_slice(&bytes).unwrap_err().to_string();
        client.upload("broken.bin", bytes).await.refused(422, &message);
        count += 1;
    }
    assert!(count > 10);
    client.upload("page.html", "<!doctype html>").await.refused(422, "");
    assert_eq!(client.session().await["takes"], Value::Array(Vec::new()));
    client.upload("whole.bin", bytes_of(&demo(1.0))).await.ok();
}

#[tokio::test]
async fn names_are_only_shown() {
    let client = client(PLENTY);
    for (name, shown) in [
        ("..%2F..%2Fetc%2Fpasswd", "passwd"),
        ("C%3A%5CUsers%5Ctake.bin", "take.bin"),
        ("%3Cimg%20src%3Dx%3E", "<img src=x>"),
        ("a%00%0D%0Ab", "ab"),
        ("", "recording"),
        ("%2F", "recording"),
    ] {
        assert_eq!(client.upload(name, bytes_of(&Recording::default())).await.ok().json()["name"], shown);
    }
}

#[tokio::test]
async fn larger_files_than_allowed_are_refused() {
    let bytes = bytes_of(&demo(1.0));
    client(bytes.len()).upload("a.bin", bytes.clone()).await.ok();
    client(bytes.len() - 1).upload("a.bin", bytes.clone()).await.refused(413, "larger than");
    client(0).upload("a.bin", "x").await.refused(413, "");
}

/// Columns of one value each are a few bytes, and as long as one likes.
#[tokio::test]
async fn small_files_that_unpack_to_large_ones_are_refused() {
    let mut recording = demo(1.0);
    for curve in recording.curves_mut() {
        if let CurveMut::Float(curve) = curve {
            let keys = (0..4000).map(|n| LinearKey::new(n as f32 / 60.0, 1.0));
            curve.keys = Keys::Linear(keys.collect());
        }
    }
    let mut table = Vec::new();
    let _ = parquet::write(&recording, &TableOptions::new(), &mut table).unwrap();
    assert!(table.len() < 1 << 20, "{}", table.len());
    client(1 << 20).upload("small.parquet", table.clone()).await.refused(422, "unpacked");
    client(PLENTY).upload("small.parquet", table).await.ok();
}

#[tokio::test]
async fn only_so_many_are_open_at_once() {
    let client = client(PLENTY);
    for _ in 0..16 {
        client.upload("a.bin", bytes_of(&Recording::default())).await.ok();
    }
    client.upload("a.bin", bytes_of(&Recording::default())).await.refused(507, "close one first");
    assert_eq!(client.delete("/api/takes/3").await.status, 204);
    assert_eq!(client.upload("a.bin", bytes_of(&Recording::default())).await.ok().json()["id"], 17);
}

#[tokio::test]
async fn only_so_much_is_open_at_once() {
    let bytes = bytes_of(&demo(1.0));
    let client = client(bytes.len());
    for _ in 0..4 {
        client.upload("a.bin", bytes.clone()).await.ok();
    }
    client.upload("a.bin", bytes.clone()).await.refused(507, "MB");
    client.delete("/api/takes/1").await.ok();
    client.upload("a.bin", bytes).await.ok();
}

#[tokio::test]
async fn what_the_viewer_was_started_with_stays() {
    let client = Client::editing(&demo(1.0));
    client.delete("/api/takes/1").await.refused(403, "cannot be closed");
    client.edit(add_marker(0.5, "still there")).await.ok();
}

/// Times that no clock shows and numbers that are none: valid files, which somebody may drop.
#[tokio::test]
async fn strange_recordings_are_shown_all_the_same() {
    let client = client(PLENTY);
    for time in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30] {
        let mut recording = demo(1.0);
        for curve in recording.curves_mut() {
            if let CurveMut::Float(curve) = curve {
                curve.keys = Keys::Linear(vec![LinearKey::new(0.0, 1.0), LinearKey::new(time, time)]);
            }
        }
        let info = client.upload("strange.bin", bytes_of(&recording)).await.ok().json();
        assert!(info["durationSecs"].is_number(), "{time}: {}", info["durationSecs"]);
        client.get(&format!("/api/takes/{}/tape", info["id"])).await.ok();
        assert!(client.bin(info["id"].as_u64().unwrap()).await == bytes_of(&recording), "{time}");
    }
}

/// A few keys that repeat for days would be millions of fixations.
#[tokio::test]
async fn short_files_give_no_endless_answers() {
    let mut recording = demo(2.0);
    for curve in recording.gaze.as_mut().unwrap().direction.iter_mut() {
        curve.post_wrap = WrapMode::LOOP;
    }
    recording.camera.as_mut().unwrap().position[0].keys = Keys::Linear(vec![LinearKey::new(30_000.0, 0.0)]);
    let info = client(PLENTY).upload("days.bin", bytes_of(&recording)).await.ok().json();
    assert_eq!((&info["durationSecs"], &info["fixations"]), (&30_000.0.into(), &Value::Array(Vec::new())));

    let mut recording = demo(2.0);
    let blinks = |count| (0..count).map(|n| LinearKey::new(n as f32 / 100.0, (n % 2) as f32)).collect::<Vec<_>>();
    recording.hand_mut(Hand::Left).tracked.keys = blinks(39_000);
    recording.hand_mut(Hand::Right).tracked.keys = blinks(41_000);
    let info = client(PLENTY).upload("blinks.bin", bytes_of(&recording)).await.ok().json();
    let count = |hand: &str| info[hand]["tracked"].as_array().unwrap().len();
    assert_eq!((count("left"), count("right")), (19_500, 0));
}
