//! Writes small inputs for every fuzz target to `work/TARGET/`: recordings with few keys in every format, records, journals,
//! sessions and requests.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use holotape::format::Channels;
use holotape::record::{Recorder, RecorderOptions};
use holotape::stream::{encode_event, encode_frame, encode_marker};
use holotape::{Frame, HandFrame, Joint, Pose, Ray, Recording};
use holotape_convert::compression::Compression;
use holotape_convert::gltf::{self, GltfOptions};
use holotape_convert::handsbin::{self, HandsbinOptions, HandsbinVersion};
use holotape_convert::parquet::{self, RowGroupWriter};
use holotape_convert::table::{self, TableKind, TableOptions};
use holotape_convert::{Timing, csv, from_frames, isaac, iwer};
use holotape_fuzz::http::TOKEN;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// Files of the test data that are small enough.
const RECORDINGS: [&str; 7] = [
    "valid/mrtk28_no_channels.bin",
    "valid/mrtk28_camera_only.bin",
    "valid/mrtk28_gaze_only.bin",
    "valid/mrtk28_three_frames.bin",
    "valid/empty10.bin",
    "regressions/fraction_rounds_to_one.bin",
    "regressions/resample_amplifies.bin",
];

const RECORDING_TARGETS: [&str; 8] = [
    "evaluation_is_finite_for_finite_curves",
    "index_matches_decoder",
    "opened_recording_operations",
    "opened_recording_round_trips",
    "opening_never_panics",
    "salvage_is_valid",
    "summary_matches_recording",
    "windows_match_recording",
];

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn add(target: &str, inputs: impl IntoIterator<Item = Vec<u8>>) -> Result {
    let folder = project().join("fuzz/found").join(target);
    fs::create_dir_all(&folder)?;
    for (n, input) in inputs.into_iter().enumerate() {
        fs::write(folder.join(format!("seed-{n}")), input)?;
    }
    Ok(())
}

fn testdata(name: &str) -> Result<Vec<u8>> {
    Ok(fs::read(project().join("testdata").join(name))?)
}

/// The first lines of a text, with their ends.
fn first_lines(text: &[u8], count: usize) -> Vec<u8> {
    text.split_inclusive(|byte| *byte == b'\n').take(count).flatten().copied().collect()
}

fn frames() -> [Frame; 2] {
    let hand = HandFrame { tracked: true, ..HandFrame::default() };
    let camera = Frame { time: 1.0, camera: Some(Pose::IDENTITY), ..Frame::default() };
    let gaze = Some(Ray { origin: [0.0, 1.6, 0.0], direction: [0.0, 0.0, 1.0] });
    [camera.clone(), Frame { time: 2.0, gaze, left: Some(hand.clone()), right: Some(hand), ..camera }]
}

/// A recording of [`frames`], and its journal.
fn record(channels: Channels) -> Result<(Recording, Vec<u8>)> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("take.journal");
    let options = RecorderOptions::new().with_max_rate_hz(None).with_channels(channels).with_journal(&path);
    let mut recorder = Recorder::start(options)?;
    for frame in frames() {
        recorder.push(&frame)?;
    }
    recorder.add_marker(1.5, "here")?;
    let recording = recorder.stop().recording;
    Ok((recording, fs::read(path)?))
}

/// A recording of the head with more keys than small windows have.
fn head_motion() -> Result<Recording> {
    let channels = Channels { hands: false, gaze: false, ..Channels::ALL };
    let mut recorder = Recorder::start(RecorderOptions::new().with_max_rate_hz(None).with_channels(channels))?;
    for n in 0..12_u8 {
        let camera = Pose { position: [0.1 * f32::from(n), 1.6, f32::from(n * n)], ..Pose::IDENTITY };
        recorder.push(&Frame { time: 0.1 * f64::from(n), camera: Some(camera), ..Frame::default() })?;
    }
    Ok(recorder.stop().recording)
}

fn main() -> Result {
    let (recording, journal) = record(Channels::ALL)?;
    let (small, small_journal) = record(Channels { hands: false, gaze: false, ..Channels::ALL })?;
    let mut files = RECORDINGS.into_iter().map(testdata).collect::<Result<Vec<_>>>()?;
    files.push(recording.to_vec()?.0);
    files.push(head_motion()?.to_vec()?.0);
    for target in RECORDING_TARGETS {
        add(target, files.iter().cloned())?;
    }
    add("journals_never_panic", [journal, small_journal])?;
    let records = frames().iter().map(encode_frame).collect::<Vec<_>>();
    let texts = [encode_marker(1.0, "here"), encode_event(1.0, r#"{"time":1,"event":"started"}"#)];
    add("records_round_trip", records.into_iter().chain(texts))?;
    let json = json(&small)?;
    add("json_round_trips", [json.clone()])?;
    let imports = imports(&small)?;
    for (target, inputs) in &imports {
        add(&format!("{target}_imports_are_valid"), inputs.iter().cloned())?;
    }
    let smallest = imports.into_iter().filter_map(|(_, inputs)| inputs.into_iter().min_by_key(Vec::len));
    add("detected_imports_are_valid", smallest.chain([json, testdata("valid/mrtk28_no_channels.bin")?]))?;
    add("take_sessions_keep_their_records", sessions())?;
    add("http_requests_get_safe_responses", requests())
}

fn json(recording: &Recording) -> Result<Vec<u8>> {
    let mut json = Vec::new();
    recording.write_json_to(&mut json)?;
    Ok(json)
}

/// The name of an importer, and inputs for it.
type Inputs = (&'static str, Vec<Vec<u8>>);

/// Inputs for every importer.
fn imports(recording: &Recording) -> Result<Vec<Inputs>> {
    let mut written = [const { Vec::new() }; 7];
    let [frames_csv, keys_csv, keys_parquet, glb, gltf, isaac, iwer] = &mut written;
    let keys = TableOptions::new().with_table(TableKind::Keys);
    let _ = csv::write(recording, &TableOptions::new(), &mut *frames_csv)?;
    let _ = csv::write(recording, &keys, &mut *keys_csv)?;
    let _ = parquet::write(recording, &keys, &mut *keys_parquet)?;
    let _ = gltf::write_glb(recording, &GltfOptions::new(), &mut *glb)?;
    let _ = gltf::write_gltf(recording, &GltfOptions::new(), &mut *gltf)?;
    let _ = isaac::write(recording, Timing::Keys, &mut *isaac)?;
    let _ = iwer::write(recording, Timing::Keys, &mut *iwer)?;
    let [frames_csv, keys_csv, keys_parquet, glb, gltf, isaac, iwer] = written;
    let psi =
        |stream: &str, lines| Ok::<_, Box<dyn Error>>(first_lines(&testdata(&format!("import/{stream}"))?, lines));
    let mut hl2ss = testdata("import/hl2ss_spatial_input.bin")?;
    hl2ss.truncate(hl2ss.len() / 5 * 2);
    Ok(vec![
        ("csv", vec![first_lines(&frames_csv, 4), first_lines(&keys_csv, 12)]),
        ("parquet", vec![keys_parquet, few_columns(recording)?]),
        ("gltf", vec![glb, gltf]),
        ("isaac", vec![isaac, isaac_hands()?]),
        ("isaac_webxr", vec![first_frames("isaac/webxr.json", 2)?]),
        ("iwer", vec![iwer]),
        ("handsbin", handsbins()?),
        ("hl2ss", vec![hl2ss]),
        (
            "psi",
            vec![
                psi("psi/Head/Head.txt", 2)?,
                psi("psi/Eyes/Eyes.txt", 3)?,
                psi("psi/Hands/Left.txt", 1)?,
                psi("psi_stereokit/Hands/Left.txt", 2)?,
                psi("holoassist/Export_py/Head/Head_sync.txt", 2)?,
                psi("holoassist/Export_py/Hands/Left_sync.txt", 1)?,
            ],
        ),
        ("stream_recorder", vec![psi("stream_recorder_head_hand_eye.csv", 2)?]),
        ("compressed", compressed(recording)?),
        ("egodex", vec![testdata("import/egodex/hand.hdf5")?, testdata("import/egodex/compressed_hand.hdf5")?]),
        ("vision_pro", vec![short_tracking_file()]),
        ("aria_mps", aria_tables()?),
    ])
}

/// Compressed files: one and two members or frames, a skippable frame, a truncated file and a bomb.
fn compressed(recording: &Recording) -> Result<Vec<Vec<u8>>> {
    let (bytes, _) = recording.to_vec()?;
    let compress = |compression: Compression, contents: &[u8]| -> Result<Vec<u8>> {
        let mut file = Vec::new();
        compression.write(&mut file, |out| Ok(out.write_all(contents)?))?;
        Ok(file)
    };
    let mut files = vec![[&b"\x50\x2a\x4d\x18\x01\0\0\0!"[..], &compress(Compression::Zstd, &bytes)?].concat()];
    for compression in [Compression::Gzip, Compression::Zstd] {
        let (first, second) = bytes.split_at(bytes.len() / 2);
        let whole = compress(compression, &bytes)?;
        files.push([compress(compression, first)?, compress(compression, second)?].concat());
        files.push(whole[..whole.len() * 2 / 3].to_vec());
        files.push(compress(compression, &vec![0; 2 << 20])?);
        files.push(whole);
    }
    files.push(compress(Compression::Gzip, &json(recording)?)?);
    Ok(files)
}

/// Unity hand captures with few frames: one hand and head in version 1 and 2, gestures and aim without joints, and empty ones.
fn handsbins() -> Result<Vec<Vec<u8>>> {
    let joints = [Some(Pose::IDENTITY); Joint::COUNT];
    let hand = HandFrame { tracked: true, pinching: true, joints };
    let lost = Frame { time: 0.5, left: Some(HandFrame::default()), ..Frame::default() };
    let found = |time| Frame { time, camera: Some(Pose::IDENTITY), left: Some(hand.clone()), ..Frame::default() };
    let (recording, _) = from_frames([found(0.0), lost, found(1.0)]);
    let mut files = vec![testdata("handsbin/v1_empty.handsbin")?, testdata("handsbin/v2_empty.handsbin")?];
    for version in HandsbinVersion::ALL {
        let mut file = Vec::new();
        let _ = handsbin::write(&recording, &HandsbinOptions::new().with_version(version), &mut file)?;
        files.push(file);
    }
    files.push(gestures_and_aim());
    Ok(files)
}

/// A frame with a complete gestures block and a complete aim block, after the header of a file without frames.
fn gestures_and_aim() -> Vec<u8> {
    let mut file = Vec::new();
    let _ = handsbin::write(&Recording::default(), &HandsbinOptions::new(), &mut file);
    file.truncate(file.len() - 4);
    let ints = |values: &[i32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    let blocks = [ints(&[1, 4 | 16, 0, 0, 0]), ints(&[1, 0x3ff]), vec![0; 4 * 28 + 3 * 4], vec![1; 3], ints(&[1, 34])];
    file.extend(blocks.concat());
    file.extend([0; 12 + 16 + 28]);
    file
}

/// A log of one frame with both hands.
fn isaac_hands() -> Result<Vec<u8>> {
    let (recording, _) = from_frames(&frames()[1..]);
    let mut log = Vec::new();
    let _ = isaac::write(&recording, Timing::Keys, &mut log)?;
    Ok(log)
}

/// A document with a frame per line, with its first frames.
fn first_frames(name: &str, count: usize) -> Result<Vec<u8>> {
    let mut text = first_lines(&testdata(name)?, count + 1);
    let end = text.iter().rposition(|byte| *byte == b',').ok_or("no frames")?;
    text.truncate(end);
    text.extend_from_slice(b"]}");
    Ok(text)
}

/// Frames of a Vision Pro with few joints.
fn short_tracking_file() -> Vec<u8> {
    let matrix = "[1,0,0,0,0,1,0,0,0,0,1,0,0.1,1.5,-0.2,1]";
    let hand = format!("{{\"wrist\":{matrix},\"indexTip\":{matrix},\"middleKnuckle\":{matrix},\"forearmArm\":null}}");
    let line =
        |n: u8| format!("{{\"timestamp\":{n}.5,\"headMatrix\":{matrix},\"leftHand\":{hand},\"videoWidth\":0}}\n");
    format!("{}{}{{\"timestamp\":3}}\n", line(0), line(1)).into_bytes()
}

/// The tables of Aria MPS, and all of them.
fn aria_tables() -> Result<Vec<Vec<u8>>> {
    let names = ["hand_tracking/hand_tracking_results", "slam/closed_loop_trajectory", "eye_gaze/general_eye_gaze"];
    let table = |name: &str| Ok(first_lines(&testdata(&format!("import/aria_mps/{name}.csv"))?, 3));
    let tables = names.into_iter().map(table).collect::<Result<Vec<_>>>()?;
    let folder = tables.join(&0);
    Ok(tables.into_iter().chain([folder]).collect())
}

/// A Parquet file with the first columns of the frames: the time and the camera's pose.
fn few_columns(recording: &Recording) -> Result<Vec<u8>> {
    let batch = table::batches(recording, &TableOptions::new())?.next().ok_or("no frames")??;
    let batch = batch.project(&[0, 1, 2, 3])?;
    let mut writer = RowGroupWriter::new(Vec::new(), batch.schema(), Default::default())?;
    writer.push(batch);
    writer.end_group()?;
    Ok(writer.finish()?)
}

/// Steps of a session: `common/take_session.rs` of the tests defines them.
fn sessions() -> Vec<Vec<u8>> {
    let text = |slot: u8, json: &str| [&[slot << 4 | 2, json.len() as u8], json.as_bytes()].concat();
    let steps: [&[u8]; 7] = [
        // Connects, sends a frame, a marker and a frame as JSON, waits for the acknowledgement and stops.
        &[0, 0, 4, 0x1b, 7, 4, b'h', b'e', b'r', b'e', 8, 40, 14, 40, 12],
        // Disconnects, reconnects and discards.
        &[0, 0, 4, 0x19, 9, 14, 10, 0, 1, 4, 0x19, 13],
        // A second connection takes over; a third one is rejected.
        &[0, 0, 4, 0x19, 0x10, 0, 0x20, 0, 14, 80, 0x14, 0x19, 0x1c],
        // The active connection answers the ping.
        &[0, 0, 4, 0x19, 0x10, 1, 11, 0x1a, 12],
        // The take waits for a client, too long.
        &[0, 0, 4, 0x19, 9, 14, 255],
        // Missing records, and another take.
        &[0, 254, 0x10, 253, 0x20, 255, 0, 252, 14, 60],
        &[0, 0, 3, 5, 2, 0, 0, 0, 0, 12],
    ];
    let mut sessions: Vec<_> = steps.map(<[u8]>::to_vec).into();
    let messages = [
        r#"{"time":0.5,"camera":{"position":[0,1,0],"rotation":[0,0,0,1]}}"#,
        r#"{"time":1,"marker":"here"}"#,
        r#"{"time":1,"event":"started"}"#,
        r#"{"type":"hello","take_id":"0123456789abcdef","acked_records":0}"#,
    ];
    sessions.extend(messages.map(|message| [vec![0, 0], text(0, message), vec![12]].concat()));
    sessions
}

/// Requests of all routes, with and without the token.
fn requests() -> Vec<Vec<u8>> {
    let lines = [
        "GET / HTTP/1.1",
        "GET /viewer.css HTTP/1.1",
        "GET /api/state HTTP/1.1",
        "GET /api/recordings/1/curves?revision=0 HTTP/1.1",
        "GET /api/recordings/1/download?format=csv HTTP/1.1",
        "GET /api/recordings/1/download?format=json&from=0.2&to=0.8 HTTP/1.1",
        "DELETE /api/recordings/1 HTTP/1.1",
        "GET /api/live HTTP/1.1",
        "GET /api/live/record HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "GET /report HTTP/1.1",
        "HEAD /?recording=take.bin HTTP/1.1",
    ];
    let bodies = [
        ("1/edit", r#"{"op":"trim","from":0.2,"to":0.8,"revision":0}"#),
        ("1/edit", r#"{"op":"add-marker","time":0.5,"name":"there"}"#),
        ("1/edit", r#"{"op":"move-marker","index":0,"time":0.25}"#),
        ("1/edit", r#"{"op":"undo"}"#),
        ("1/preview", r#"{"op":"optimize","position_m":0.001,"rotation_deg":0.2}"#),
        ("1/preview", r#"{"op":"repair"}"#),
        ("1/save", r#"{"name":"other.bin","replace":true}"#),
        ("?name=table.csv", "time,camera.position.x\n0,1\n1,2\n"),
    ];
    let host = "Host: 127.0.0.1:8000";
    let bearer = format!("Authorization: Bearer {TOKEN}");
    let mut requests: Vec<_> = lines.map(|line| format!("{line}\r\n{host}\r\n{bearer}\r\n\r\n")).into();
    requests.extend(bodies.map(|(path, body)| {
        let path = if path.starts_with('?') { path.to_owned() } else { format!("/{path}") };
        let length = body.len();
        format!(
            "POST /api/recordings{path} HTTP/1.1\r\n{host}\r\n{bearer}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        )
    }));
    requests.push(format!("GET /?token={TOKEN} HTTP/1.1\r\n{host}\r\nAccept: text/html\r\n\r\n"));
    requests.push(format!("GET /api/state HTTP/1.1\r\n{host}\r\nSec-Fetch-Site: cross-site\r\n\r\n"));
    requests.push(format!("GET /api/state HTTP/1.1\r\n{host}\r\nOrigin: http://127.0.0.1:8000\r\n\r\n").repeat(2));
    requests.into_iter().map(String::into_bytes).collect()
}
