//! Malformed and foreign files.

use super::*;

#[test]
fn foreign_files_and_newer_versions_are_distinguished() {
    let foreign = br#"{"asset":{"version":"2.0","generator":"another program"}}"#;
    assert_eq!(gltf::read(foreign).unwrap_err().kind(), ErrorKind::NotARecording);
    let mut document = document(&demo(), &FLAT);
    document["asset"]["extras"]["holotape"]["holotape"] = json!(2);
    assert_eq!(gltf::read(document.to_string().as_bytes()).unwrap_err().kind(), ErrorKind::UnsupportedVersion);
}

fn small() -> Recording {
    let mut recording = with_wrist(moving(&[(0.0, 0.0), (1.0, 1.0)]));
    *recording.hand_mut(Hand::Left).joint_mut(Joint::Palm) = moving(&[(0.0, 1.0), (1.0, 1.0)]);
    Recording { camera: Some(moving(&[(0.0, 0.0), (1.0, 2.0)])), ..recording }
}

/// Truncates the buffer after the animation. The meshes after it are never read.
fn without_meshes(mut bytes: Vec<u8>, animation_bytes: u32) -> Vec<u8> {
    let json_length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let chunk = 20 + json_length;
    bytes.truncate(chunk + 8 + animation_bytes as usize);
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes[chunk..chunk + 4].copy_from_slice(&animation_bytes.to_le_bytes());
    bytes
}

#[test]
fn damaged_bytes_do_not_panic() {
    let animation_bytes = document(&small(), &HIERARCHY)["bufferViews"][0]["byteLength"].as_u64().unwrap();
    let bytes = without_meshes(glb(&small(), &HIERARCHY).0, animation_bytes as u32);
    assert!(gltf::read(&bytes).is_ok());
    for length in 0..bytes.len() {
        assert!(gltf::read(&bytes[..length]).is_err(), "{length}");
    }
    for (at, flip) in (0..bytes.len()).flat_map(|at| [0x01, 0x10, 0x80].map(|flip| (at, flip))) {
        let mut broken = bytes.clone();
        broken[at] ^= flip;
        let _ = gltf::read(&broken);
    }
}

#[test]
fn inconsistent_documents_are_rejected() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 13] = [
        ("does not exist", |document| document["animations"][0]["samplers"][0]["output"] = json!(999)),
        ("out of the buffer", |document| document["accessors"][0]["count"] = json!(u64::MAX)),
        ("out of the buffer", |document| document["accessors"][0]["byteOffset"] = json!(u64::MAX)),
        ("out of the buffer", |document| document["bufferViews"][0]["byteLength"] = json!(1_u64 << 60)),
        ("expected float vectors", |document| document["accessors"][1]["componentType"] = json!(5123)),
        ("sampler does not exist", |document| document["animations"][0]["channels"][0]["sampler"] = json!(999)),
        ("not LINEAR", |document| document["animations"][0]["samplers"][0]["interpolation"] = json!("STEP")),
        ("times and", |document| document["accessors"][0]["count"] = json!(1)),
        ("not strictly increasing", |document| document["accessors"][0]["byteOffset"] = json!(32)),
        ("twice", |document| {
            let channel = document["animations"][0]["channels"][0].clone();
            document["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
        }),
        ("no animation with the same key times", |document| {
            let nodes = document["nodes"].as_array_mut().unwrap();
            let [wrist, palm] =
                ["left-wrist", "left-palm"].map(|name| nodes.iter().position(|node| node["name"] == name).unwrap());
            (nodes[wrist]["children"], nodes[palm]["children"]) = (json!([palm]), json!([wrist]));
        }),
        ("no such channel", |document| document["asset"]["extras"]["holotape"]["channels"]["camera"] = json!(false)),
        ("separate file", |document| document["buffers"][0]["uri"] = json!("numbers.bin")),
    ];
    let document = document(&small(), &HIERARCHY);
    for (message, change) in changes {
        let mut changed = document.clone();
        change(&mut changed);
        let error = gltf::read(changed.to_string().as_bytes()).unwrap_err();
        assert!(error.to_string().contains(message), "{message}: {error}");
    }
}

#[test]
fn shared_buffers_do_not_amplify_memory() {
    let mut document = document(&demo(), &FLAT);
    // Only the camera's times and values; every position refers to those of the camera.
    let animation = &mut document["animations"][0];
    let shared = animation["samplers"][0].clone();
    animation["samplers"] = json!(vec![shared; animation["samplers"].as_array().unwrap().len()]);
    animation["channels"].as_array_mut().unwrap().retain(|channel| channel["target"]["path"] == "translation");
    let uri = document["buffers"][0]["uri"].as_str().unwrap();
    let start = uri.find(',').unwrap() + 1;
    document["buffers"][0]["uri"] = json!(uri[..start + 16_000]);
    document["bufferViews"][0]["byteLength"] = json!(12_000);
    let error = gltf::read(document.to_string().as_bytes()).unwrap_err();
    assert!(error.to_string().contains("larger than the buffer"), "{error}");
}

#[test]
fn unknown_animation_channels_are_reported() {
    let mut document = document(&small(), &FLAT);
    let mut nodes = document["nodes"].as_array_mut().unwrap().iter_mut();
    nodes.find(|node| node["name"] == "left-palm").unwrap()["name"] = json!("teapot");
    let (recording, losses) = gltf::read(document.to_string().as_bytes()).unwrap();
    assert_eq!(kinds(&losses), [LossKind::Unsupported]);
    assert!(recording.hand(Hand::Left).joint(Joint::Palm).pose_at(0.0).is_none());
}
