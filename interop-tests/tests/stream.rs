//! The Python client of the documentation records into holotape and listens to it over WebSockets.

use std::io::{self, BufRead, BufReader};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use holotape::demo::DemoOptions;
use holotape::record::Journal;
use holotape::{Hand, Joint, Recording};
use holotape_interop_tests::{holotape, json_output, python_at};
use serde_json::Value;
use socket2::{Domain, Socket, Type};
use tempfile::tempdir;

/// A running holotape server, killed when the test ends.
struct Served {
    child: Child,
    address: String,
    /// `?token=…`, or nothing.
    query: String,
}

impl Served {
    /// Starts holotape in a folder and reads the printed address.
    fn start(folder: &Path, args: &[&str]) -> Self {
        let mut command = holotape();
        let mut child = command
            .current_dir(folder)
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut line = String::new();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        match args[0] {
            "view" => BufReader::new(out).read_line(&mut line),
            _ => BufReader::new(err).read_line(&mut line),
        }
        .expect("an address");
        let url = line.split_once("//").and_then(|(_, rest)| rest.split_whitespace().next()?.split_once('/'));
        let (address, query) = url.unwrap_or_else(|| panic!("no address in {line:?}"));
        Self { child, address: address.to_owned(), query: query.to_owned() }
    }

    fn url(&self, path: &str) -> String {
        format!("ws://{}{path}{}", self.address, self.query)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn client() -> Command {
    python_at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/stream_client.py"))
}

/// Asserts that a recording has the client's hand, which circles once in 2 s.
fn assert_circle(path: &Path, frames: usize) {
    let recording = Recording::open(path).unwrap();
    let wrist = recording.hand(Hand::Right).joint(Joint::Wrist);
    assert_eq!(wrist.position[0].keys.len(), frames);
    assert_eq!(recording.markers.iter().map(|marker| &*marker.name).collect::<Vec<_>>(), ["begins"]);
    for n in 0..frames {
        let time = n as f64 / 90.0;
        let pose = wrist.pose_at(time).unwrap();
        let angle = std::f64::consts::PI * time;
        let expected = [0.2 + 0.1 * angle.cos(), 1.3 + 0.1 * angle.sin(), 0.4];
        for (value, expected) in pose.position.into_iter().zip(expected) {
            assert!((f64::from(value) - expected).abs() < 1e-5, "frame {n}: {:?}", pose.position);
        }
    }
}

#[test]
fn client_records_into_the_viewer() {
    let folder = tempdir().unwrap();
    let served = Served::start(folder.path(), &["view", "--no-open", "--record-dir", "takes"]);
    let saved = json_output(client().args(["record", &served.url("/api/live/record"), "--seconds", "1"]));
    assert_eq!(
        (&saved["type"], &saved["frame_count"], &saved["name"]),
        (&"saved".into(), &90.into(), &"circle.bin".into())
    );
    assert_circle(&folder.path().join("takes/circle.bin"), 90);
}

#[test]
fn client_records_into_a_file() {
    let folder = tempdir().unwrap();
    let mut served = Served::start(folder.path(), &["record", "round.bin", "--ws", "0"]);
    let saved = json_output(client().args(["record", &served.url("/"), "--seconds", "1"]));
    assert_eq!((&saved["type"], &saved["name"]), (&"saved".into(), &"round.bin".into()));
    assert!(served.child.wait().unwrap().success());
    assert_circle(&folder.path().join("round.bin"), 90);
}

#[test]
fn client_listens_to_a_player() {
    let folder = tempdir().unwrap();
    let recording = DemoOptions::new().with_seconds(2.0).generate().unwrap();
    assert!(recording.save(folder.path().join("reach.bin")).unwrap().is_empty());
    let served = Served::start(folder.path(), &["play", "reach.bin", "--ws", "0", "--rate", "30", "--speed", "2"]);
    let output = client().args(["listen", &served.url("/")]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let times = |what: &str| -> Vec<f64> {
        let lines = text.lines().filter(|line| line.contains(what));
        lines.map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect()
    };
    let frames = times(" frame of ");
    assert_eq!(frames.len(), 31, "{text}");
    for (n, time) in frames.iter().enumerate() {
        assert!((time - n as f64 / 15.0).abs() < 1e-6, "frame {n} is at {time}");
    }
    let markers: Vec<_> = recording.markers.iter().filter(|marker| marker.time <= recording.duration_secs()).collect();
    assert_eq!(text.lines().count() - frames.len(), markers.len());
    for marker in markers {
        assert!(text.contains(&format!("{:.6} {}\n", marker.time, marker.name)), "{} in {text}", marker.name);
    }
}

#[test]
fn killed_viewer_leaves_a_journal_that_can_be_recovered() {
    let folder = tempdir().unwrap();
    let mut served = Served::start(folder.path(), &["view", "--no-open"]);
    let mut python = client();
    python.args(["record", &served.url("/api/live/record"), "--seconds", "600"]);
    let mut python = python.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let journal = folder.path().join("circle.journal");
    wait_for_frames(&journal, 100);
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    python.kill().unwrap();
    python.wait().unwrap();
    let frames = Journal::open(&journal).unwrap().frame_count;
    assert!(frames >= 100, "{frames}");
    let repaired = holotape().current_dir(folder.path()).args(["repair", "circle.journal", "circle.bin"]).output();
    let repaired = repaired.unwrap();
    assert!(repaired.status.code().is_some_and(|code| code == 0 || code == 3), "{repaired:?}");
    assert_circle(&folder.path().join("circle.bin"), usize::try_from(frames).unwrap());
}

fn wait_for_frames(journal: &PathBuf, frames: u64) {
    for _ in 0..12_000 {
        if Journal::open(journal).is_ok_and(|journal| journal.frame_count >= frames) {
            return;
        }
        thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{} has no {frames} frames", journal.display());
}

/// Forwards bytes from one stream to another until the first one ends.
fn forward(from: &TcpStream, to: &TcpStream) {
    let (mut from, mut to) = (from, to);
    io::copy(&mut from, &mut to).ok();
    to.shutdown(Shutdown::Write).ok();
}

/// The port refuses connections at first, and later forwards them to a server.
#[test]
fn client_waits_for_the_server() {
    let folder = tempdir().unwrap();
    // The port stays reserved, and refuses connections until the socket listens.
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).unwrap();
    let address = socket.local_addr().unwrap().as_socket().unwrap();
    let mut python = client()
        .args(["record", &format!("ws://{address}/"), "--seconds", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut refused = BufReader::new(python.stderr.take().unwrap()).lines();
    let line = refused.next().unwrap().unwrap();
    assert!(line.starts_with("reconnecting: "), "{line}");
    let served = Served::start(folder.path(), &["record", "late.bin", "--ws", "0"]);
    socket.listen(1).unwrap();
    let incoming = TcpListener::from(socket).accept().unwrap().0;
    let outgoing = TcpStream::connect(&served.address).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| forward(&incoming, &outgoing));
        forward(&outgoing, &incoming);
    });
    let output = python.wait_with_output().unwrap();
    let saved: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&saved["type"], &saved["frame_count"]), (&"saved".into(), &90.into()));
    assert_circle(&folder.path().join("late.bin"), 90);
}
