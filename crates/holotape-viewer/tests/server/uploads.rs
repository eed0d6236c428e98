//! Uploads.

use std::fs;

use holotape::{CurveMut, Hand, Keys, LinearKey, Recording, WrapMode};
use holotape_convert::compression::Compression;
use holotape_convert::gltf::{self, GltfOptions};
use holotape_convert::table::TableOptions;
use holotape_convert::{csv, from_slice, parquet};
use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::{Value, json};

use crate::client::{Client, add_marker, bytes_of, demo, project};

fn client(limit_bytes: usize) -> Client {
    Client::new(&Viewer::new(ViewerOptions::new().with_upload_limit_bytes(limit_bytes as u64)))
}

const PLENTY: usize = 1 << 24;

#[tokio::test]
async fn all_readable_formats_can_be_uploaded() {
    let recording = demo(1.0);
    let (mut json, mut table, mut glb) = (Vec::new(), Vec::new(), Vec::new());
    recording.write_json_to(&mut json).unwrap();
    let _ = csv::write(&recording, &TableOptions::new(), &mut table).unwrap();
    let _ = gltf::write_glb(&recording, &GltfOptions::new(), &mut glb).unwrap();
    let other = [
        "import/hl2ss_spatial_input.bin",
        "handsbin/v2_plain_gaps.handsbin",
        "isaac/teleop_monado.mcap",
        "isaac/webxr.json",
        "import/egodex/reach/0.hdf5",
        "import/vision_pro/tracking.jsonl",
    ]
    .map(|name| fs::read(project("testdata").join(name)).unwrap());
    let client = client(PLENTY);
    for (id, bytes) in (1..).zip([bytes_of(&recording), json, table, glb].into_iter().chain(other)) {
        let opened = from_slice(&bytes).unwrap();
        let response = client.upload("take.any", bytes).await;
        assert_eq!(response.status, 201);
        let info = response.json();
        assert_eq!((&info["id"], &info["origin"], &info["name"]), (&id.into(), &"upload".into(), &"take.any".into()));
        let losses: Vec<_> = opened.losses.iter().map(|loss| Value::from(loss.to_string())).collect();
        assert_eq!(info["losses"], Value::from(losses));
        assert!(client.bin(id).await == bytes_of(&opened.recording));
    }
}

#[tokio::test]
async fn compressed_files_can_be_uploaded() {
    let bytes = bytes_of(&demo(1.0));
    let client = client(PLENTY);
    for (id, compression) in (1..).zip([Compression::Gzip, Compression::Zstd]) {
        let mut file = Vec::new();
        compression.write(&mut file, |out| Ok(out.write_all(&bytes)?)).unwrap();
        client.upload("broken.bin.zst", file[..file.len() - 1].to_vec()).await.assert_error(422, "data is truncated");
        assert_eq!(client.upload("take.bin.zst", file).await.status, 201);
        assert!(client.bin(id).await == bytes);
    }
}

#[tokio::test]
async fn upload_limit_applies_to_decompressed_files() {
    let mut file = Vec::new();
    Compression::Zstd.write(&mut file, |out| Ok(out.write_all(&vec![0; 1 << 20])?)).unwrap();
    let client = client(100_000);
    assert!(file.len() < 1000);
    client.upload("bomb.bin.zst", file).await.assert_error(422, "exceeds the limit of 100000 bytes");
}

#[tokio::test]
async fn invalid_uploads_get_the_message_of_the_reader() {
    let client = client(PLENTY);
    let files = fs::read_dir(project("testdata/invalid")).unwrap().map(|entry| entry.unwrap().path());
    let mut count = 0;
    for path in files.filter(|path| path.extension().is_some_and(|extension| extension == "bin")) {
        let bytes = fs::read(&path).unwrap();
        let message = from_slice(&bytes).unwrap_err().to_string();
        client.upload("broken.bin", bytes).await.assert_error(422, &message);
        count += 1;
    }
    assert!(count > 10);
    client.upload("page.html", "<!doctype html>").await.assert_error(422, "");
    assert_eq!(client.state().await["recordings"], Value::Array(Vec::new()));
    client.upload("whole.bin", bytes_of(&demo(1.0))).await.ok();
}

#[tokio::test]
async fn upload_names_are_not_used_as_paths() {
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
async fn uploads_over_the_limit_are_rejected() {
    let bytes = bytes_of(&demo(1.0));
    client(bytes.len()).upload("a.bin", bytes.clone()).await.ok();
    client(bytes.len() - 1).upload("a.bin", bytes.clone()).await.assert_error(413, "too large");
    client(0).upload("a.bin", "x").await.assert_error(413, "");
}

/// A column with a single repeated value compresses to a few bytes.
#[tokio::test]
async fn decompressed_size_is_limited() {
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
    client(1 << 20).upload("small.parquet", table.clone()).await.assert_error(422, "unpacked");
    client(PLENTY).upload("small.parquet", table).await.ok();
}

#[tokio::test]
async fn number_of_uploads_is_limited() {
    let client = client(PLENTY);
    for _ in 0..16 {
        client.upload("a.bin", bytes_of(&Recording::default())).await.ok();
    }
    client.upload("a.bin", bytes_of(&Recording::default())).await.assert_error(507, "close one first");
    assert_eq!(client.delete("/api/recordings/3").await.status, 204);
    assert_eq!(client.upload("a.bin", bytes_of(&Recording::default())).await.ok().json()["id"], 17);
}

#[tokio::test]
async fn total_size_of_uploads_is_limited() {
    let bytes = bytes_of(&demo(1.0));
    let client = client(bytes.len());
    for _ in 0..4 {
        client.upload("a.bin", bytes.clone()).await.ok();
    }
    client.upload("a.bin", bytes.clone()).await.assert_error(507, "MB");
    client.delete("/api/recordings/1").await.ok();
    client.upload("a.bin", bytes).await.ok();
}

#[tokio::test]
async fn recordings_from_the_command_line_cannot_be_closed() {
    let client = Client::editing(&demo(1.0));
    client.delete("/api/recordings/1").await.assert_error(403, "cannot be closed");
    client.edit(add_marker(0.5, "still there")).await.ok();
}

/// Infinite times and non-finite values are valid in a file.
#[tokio::test]
async fn recordings_with_extreme_times_can_be_opened() {
    let client = client(PLENTY);
    for time in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30] {
        let mut recording = demo(1.0);
        for curve in recording.curves_mut() {
            if let CurveMut::Float(curve) = curve {
                curve.keys = Keys::Linear(vec![LinearKey::new(0.0, 1.0), LinearKey::new(time, time)]);
            }
        }
        let info = client.upload("strange.bin", bytes_of(&recording)).await.ok().json();
        assert!(info["duration_secs"].is_number(), "{time}: {}", info["duration_secs"]);
        client.get(&format!("/api/recordings/{}/curves", info["id"])).await.ok();
        assert!(client.bin(info["id"].as_u64().unwrap()).await == bytes_of(&recording), "{time}");
    }
}

/// A few keys that repeat for days contain millions of fixations.
#[tokio::test]
async fn repeating_curves_do_not_produce_endless_fixations() {
    let mut recording = demo(2.0);
    for curve in recording.gaze.as_mut().unwrap().direction.iter_mut() {
        curve.post_wrap = WrapMode::LOOP;
    }
    recording.camera.as_mut().unwrap().position[0].keys = Keys::Linear(vec![LinearKey::new(30_000.0, 0.0)]);
    let info = client(PLENTY).upload("days.bin", bytes_of(&recording)).await.ok().json();
    assert_eq!((&info["duration_secs"], &info["fixations"]), (&30_000.0.into(), &Value::Array(Vec::new())));
    assert_eq!(info["fixation_count"], Value::Null);

    let mut recording = demo(2.0);
    let blinks = |count| (0..count).map(|n| LinearKey::new(n as f32 / 100.0, (n % 2) as f32)).collect::<Vec<_>>();
    recording.hand_mut(Hand::Left).tracked.keys = blinks(39_000);
    recording.hand_mut(Hand::Right).tracked.keys = blinks(41_000);
    let info = client(PLENTY).upload("blinks.bin", bytes_of(&recording)).await.ok().json();
    let count = |hand: &str| info[hand]["tracked"].as_array().unwrap().len();
    assert_eq!((count("left"), count("right")), (19_500, 0));
}

#[tokio::test]
async fn figures_include_spans_that_are_too_many_to_send() {
    let mut recording = demo(2.0);
    let keys = (0..=50_000).map(|n| LinearKey::new(n as f32 / 64.0, (n % 2) as f32)).collect::<Vec<_>>();
    recording.hand_mut(Hand::Right).tracked.keys = keys.clone();
    recording.hand_mut(Hand::Right).pinching.keys = keys;
    let info = client(PLENTY).upload("blinks.bin", bytes_of(&recording)).await.ok().json();
    let right = &info["right"];
    assert_eq!((&right["tracked"], &right["pinching"]), (&json!([]), &json!([])));
    // The last span ends with the recording.
    assert_eq!((&right["tracking_loss_count"], &right["pinch_count"]), (&json!(24_999), &json!(25_000)));
    assert_eq!(right["tracked_secs"], 25_000.0 / 64.0);
}
