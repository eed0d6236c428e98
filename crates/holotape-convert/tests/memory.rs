//! Malicious text does not need more memory than a small multiple of its size.

use holotape::demo::DemoOptions;
use holotape::format::Channels;
use holotape::{CurveId, Recording, Result};
use holotape_convert::{Losses, Space, Timing, csv, gltf, iwer};
use serde_json::{Value, json};

use crate::alloc::peak_during;

/// A reader and its memory limit: a fixed amount plus a multiple of the input.
struct Reader {
    read: fn(&[u8]) -> Result<(Recording, Losses)>,
    fixed_bytes: usize,
    times: usize,
}

/// Four hundred columns start with capacity for a thousand cells. A cell of two bytes becomes a key of eight, in a list
/// that may have twice its length as capacity, and a cell of a batch before that.
const CSV: Reader = Reader { read: |bytes| csv::read(bytes, Space::Unity), fixed_bytes: 4 << 20, times: 20 };

/// The shortest frame has 18 bytes, and its seven keys 56.
const IWER: Reader = Reader { read: iwer::read, fixed_bytes: 256 << 10, times: 8 };

/// Four thousand nodes may be `{},` each.
const GLTF: Reader = Reader { read: gltf::read, fixed_bytes: 8 << 20, times: 8 };

impl Reader {
    #[track_caller]
    fn check(&self, text: &str) {
        let peak = peak_during(|| drop((self.read)(text.as_bytes())));
        let allowed = self.fixed_bytes + self.times * text.len();
        assert!(peak <= allowed, "{} bytes of input took {peak} bytes of memory", text.len());
    }
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

#[test]
fn tables_need_limited_memory() {
    let names: Vec<_> = CurveId::all(Channels::ALL).map(|id| id.to_string()).collect();
    let header = format!("time,{}\n", names.join(","));
    let row = |cell: &str| format!(",{cell}").repeat(names.len());
    for cell in ["1", "0", "", "x"] {
        CSV.check(&(header.clone() + &lines(2000, |n| format!("{n}{}\n", row(cell)))));
    }
    CSV.check(&(header.clone() + &"\n".repeat(200_000)));
    CSV.check(&(header.clone() + &"1\n".repeat(200_000)));
    CSV.check(&("time,left.tracked\n".to_owned() + &lines(200_000, |n| format!("{n},{}\n", n % 2))));
    CSV.check(&("curve,time,value\n".to_owned() + &lines(100_000, |n| format!("left.tracked,{n},0\n"))));
}

#[test]
fn action_recordings_need_limited_memory() {
    let document = |frames: String| format!(r#"{{"schema":[],"frames":[{frames}[1e9,0,0,0,0,0,0,1]]}}"#);
    IWER.check(&document(lines(50_000, |n| format!("[{n},0,0,0,0,0,0,1],"))));
    IWER.check(&document("[0,0,0,0,0,0,0,1],".repeat(50_000)));
    let input = json!({"handedness": "", "targetRayMode": "", "hasGrip": false, "hasHand": false, "hasGamepad": false});
    IWER.check(
        &json!({"schema": (0..20_000).map(|n| json!([n, input])).collect::<Vec<_>>(), "frames": []}).to_string(),
    );
}

#[test]
fn hands_with_short_numbers_need_limited_memory() {
    let recording = DemoOptions::new().with_seconds(0.0).generate().unwrap();
    let mut json = Vec::new();
    let _ = iwer::write(&recording, Timing::Keys, &mut json).unwrap();
    let document: Value = serde_json::from_slice(&json).unwrap();
    let joints: Vec<_> = (0..200).map(|n| u8::from(n % 8 == 6)).collect();
    let frame = |n| json!([n, 0, 0, 0, 0, 0, 0, 1, [0, 0, 0, 0, 0, 0, 0, 1, joints, [[0, 0, 0]]]]);
    let frames: Vec<_> = (0..2000).map(frame).collect();
    IWER.check(&json!({"schema": document["schema"], "frames": frames}).to_string());
}

#[test]
fn scenes_with_long_lists_need_limited_memory() {
    let lists =
        ["nodes", "materials", "images", "samplers", "scenes", "meshes", "accessors", "animations", "bufferViews"];
    let items = [
        json!({}),
        json!({"primitives": []}),
        json!({"componentType": 5126, "type": "SCALAR", "count": u32::MAX}),
        json!({"channels": [], "samplers": []}),
        json!({"buffer": 0, "byteLength": 1}),
    ];
    for list in lists {
        for item in &items {
            let asset = json!({"version": "2.0", "extras": {"holotape": {}}});
            GLTF.check(&json!({"asset": asset, list: vec![item; 100_000]}).to_string());
        }
    }
}
