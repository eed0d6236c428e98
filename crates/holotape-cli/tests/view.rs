//! `holotape view`: the server and exported pages.
#![cfg(feature = "viewer")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use holotape::demo::DemoOptions;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::common::{Run, holotape, project, run, signals, text, valid};

/// Lets the command use this folder instead of the one in which the system keeps the state of the user's programs.
fn with_state_dir<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    command.env(if cfg!(windows) { "LOCALAPPDATA" } else { "XDG_STATE_HOME" }, folder)
}

/// A running server, which is killed when dropped.
struct Serving {
    child: Child,
    port: u16,
    token: String,
}

impl Serving {
    fn start(command: &mut Command) -> Self {
        let mut child = signals::interruptible(command).stdout(Stdio::piped()).spawn().expect("starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("piped");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let (url, rest) = line.split_once("  ").unwrap_or_else(|| panic!("no address in {line:?}"));
        assert_eq!(rest, "(Ctrl-C stops it)\n");
        let (port, query) = url.strip_prefix("http://127.0.0.1:").and_then(|url| url.split_once('/')).expect("a URL");
        let token = query.strip_prefix("?token=").unwrap_or_default().to_owned();
        Self { child, port: port.parse().expect("a port"), token }
    }

    fn response(&self, path: &str, token: &str) -> Vec<u8> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("connected");
        let headers = format!("Host: 127.0.0.1:{}\r\nAuthorization: Bearer {token}\r\n", self.port);
        write!(stream, "GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").expect("sent");
        let mut response = Vec::new();
        stream.read_to_end(&mut response).expect("a response");
        response
    }

    /// Returns the body of the response for a path.
    fn get(&self, path: &str) -> Vec<u8> {
        let mut response = self.response(path, &self.token);
        assert!(response.starts_with(b"HTTP/1.1 200"), "{}", response.escape_ascii());
        let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("the end of headers");
        response.split_off(end + 4)
    }

    fn session(&self) -> Value {
        serde_json::from_slice(&self.get("/api/state")).expect("JSON")
    }

    fn names(&self) -> Vec<String> {
        let session = self.session();
        let takes = session["recordings"].as_array().expect("takes").iter();
        takes.map(|take| take["name"].as_str().expect("a name").to_owned()).collect()
    }

    fn signal(mut self, signal: &str) -> Option<i32> {
        signals::send(signal, &self.child);
        self.child.wait().expect("ends").code()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn view(args: &[&str]) -> Command {
    let mut command = holotape();
    command.args(["view", "--no-open"]).args(args);
    command
}

fn broken() -> PathBuf {
    project("testdata/invalid/truncated_in_curve.bin")
}

/// Returns a folder with a recording of 1 s.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("take.bin");
    let recording = DemoOptions::new().with_seconds(1.0).generate().expect("a demo");
    assert!(recording.save(&path).expect("saved").is_empty());
    (folder, path)
}

fn table(folder: &Path) -> PathBuf {
    let path = folder.join("take.csv");
    fs::write(&path, "time,camera.position.x,heart.rate\n0,1,60\n").expect("written");
    path
}

#[test]
fn view_without_files_shows_a_demo() {
    let serving = Serving::start(&mut view(&[]));
    let session = serving.session();
    assert_eq!(session["recordings"][0]["duration_secs"], 12.0);
    assert_eq!(session["recordings"][0]["origin"], "demo");
    assert_eq!(session["can_edit"], false);
    assert!(serving.get("/").starts_with(b"<!doctype html>"));
    assert!(serving.get("/viewer.js").len() > 1000);
}

#[test]
fn token_is_random_chosen_or_not_required() {
    let is_allowed = |serving: &Serving, token: &str| {
        let response = serving.response("/api/state", token);
        assert!(response.starts_with(b"HTTP/1.1 200") || response.starts_with(b"HTTP/1.1 401"));
        response.starts_with(b"HTTP/1.1 200")
    };
    let (one, other) = (Serving::start(&mut view(&[])), Serving::start(&mut view(&[])));
    assert!(one.token.len() == 64 && one.token != other.token);
    assert!(is_allowed(&one, &one.token) && !is_allowed(&one, &other.token) && !is_allowed(&one, ""));
    let chosen = Serving::start(&mut view(&["--token", "chosen-by-the-user"]));
    assert_eq!(chosen.token, "chosen-by-the-user");
    assert!(is_allowed(&chosen, "chosen-by-the-user"));
    let open = Serving::start(&mut view(&["--no-token"]));
    assert_eq!(open.token, "");
    assert!(is_allowed(&open, ""));
    Run::new(&mut view(&["--token", "short"])).code(2).assert_stderr_contains("at least 16 letters");
    Run::new(&mut view(&["--no-token", "--lan"])).code(2).assert_stderr_contains("--no-token");
}

#[test]
fn devices_are_listed_and_revoked() {
    let folder = tempdir().expect("a folder");
    let devices = |args: &[&str]| {
        let mut command = holotape();
        Run::new(with_state_dir(command.arg("devices").args(args), folder.path()))
    };
    assert_eq!(devices(&[]).code(0).text(), "no paired devices\n");
    let listed = r#"[{"id": "0a1b2c3d", "name": "Meta Quest Browser", "address": "192.168.1.31",
        "paired_unix_secs": 1700000000, "last_seen_unix_secs": 1700000000, "token_digest": "0a1b2c3d"}]"#;
    fs::create_dir_all(folder.path().join("holotape")).expect("a folder");
    fs::write(folder.path().join("holotape/devices.json"), listed).expect("written");
    let table = devices(&[]).code(0).text().to_owned();
    assert!(table.starts_with("id") && table.contains("0a1b2c3d  Meta Quest Browser  192.168.1.31"), "{table}");
    devices(&["revoke", "ffffffff"]).code(2).assert_stderr_contains("no paired device has the id");
    devices(&["revoke"]).code(2);
    assert!(devices(&["revoke", "0a1b2c3d"]).code(0).text().starts_with("revoked 0a1b2c3d: Meta Quest Browser"));
    assert_eq!(devices(&["revoke", "--all"]).code(0).text(), "revoked 0 devices\n");
    fs::write(folder.path().join("holotape/devices.json"), "[{").expect("written");
    let damaged = devices(&[]).code(0).assert_stderr_contains("devices.json is damaged: all devices must pair again");
    assert_eq!(damaged.text(), "no paired devices\n");
    assert!(folder.path().join("holotape/devices.json.damaged").exists());
    devices(&[]).code(0).assert_stderr_empty();
}

#[test]
fn signal_ends_the_server_with_code_0() {
    for signal in signals::SIGNALS {
        assert_eq!(Serving::start(&mut view(&[])).signal(signal), Some(0), "{signal}");
    }
}

#[test]
fn files_of_all_formats_are_shown_in_order() {
    let (folder, path) = folder();
    let table = table(folder.path());
    let psi = project("testdata/import/psi");
    let mut command = view(&["--edit", text(&path), text(&table), text(&psi)]);
    let serving = Serving::start(command.stderr(Stdio::null()));
    assert_eq!(serving.names(), ["take.bin", "take.csv", "psi"]);
    assert_eq!(serving.session()["can_edit"], true);
    assert_eq!(serving.get("/api/recordings/1/download?format=bin"), fs::read(&path).expect("readable"));
}

#[test]
fn standard_input_is_shown() {
    let (_folder, path) = folder();
    let file = fs::File::open(path).expect("readable");
    let serving = Serving::start(view(&["-"]).stdin(file));
    assert_eq!(serving.names(), ["standard input"]);
}

#[test]
fn unreadable_files_are_listed_as_failures() {
    let (_folder, path) = folder();
    let serving = Serving::start(view(&[text(&broken()), text(&path)]).stderr(Stdio::null()));
    assert_eq!(serving.names(), ["take.bin"]);
    assert_eq!(serving.session()["failures"][0]["name"], "truncated_in_curve.bin");
}

#[test]
fn view_fails_if_no_file_is_readable() {
    Run::new(&mut view(&[text(&broken())])).code(1).assert_stderr_contains("truncated_in_curve.bin: ");
    Run::new(&mut view(&[text(&broken()), "no-such-file.bin"])).code(1).assert_stderr_contains("no-such-file.bin: ");
    Run::new(view(&[]).args(["--port", "70000"])).code(2);
}

#[test]
fn used_port_is_an_error() {
    let serving = Serving::start(&mut view(&[]));
    let port = serving.port.to_string();
    Run::new(view(&[]).args(["--port", &port]))
        .code(1)
        .assert_stderr_contains(&format!("127.0.0.1:{port}: address already in use\n"));
}

#[test]
fn exported_page_contains_its_recordings() {
    let (folder, path) = folder();
    let page = folder.path().join("page.html");
    run(["view", text(&path), text(&valid("mrtk28_all.bin")), "--export", text(&page)]).code(0).assert_stderr_empty();
    let html = fs::read_to_string(&page).expect("written");
    assert!(html.contains("take.bin") && html.contains("mrtk28_all.bin") && html.contains("holotape-curves-2"));
    run(["view", text(&path), "--export", text(&page)]).code(1).assert_stderr_contains("pass --force to overwrite it");
    run(["view", text(&path), "--export", text(&page), "--force"]).code(0).assert_stderr_empty();
    assert!(!fs::read_to_string(&page).expect("written").contains("mrtk28_all.bin"));
    assert!(
        run(["view", text(&path), "--export", "-"]).code(0).assert_stderr_empty().text().starts_with("<!doctype html>")
    );
}

#[test]
fn export_reports_unreadable_and_lossy_files() {
    let (folder, path) = folder();
    let page = |name: &str| folder.path().join(name);
    run(["view", text(&broken()), "--export", text(&page("none.html"))]).code(1);
    assert!(!page("none.html").exists());
    run(["view", text(&broken()), text(&path), "--export", text(&page("one.html"))])
        .code(1)
        .assert_stderr_contains("truncated_in_curve");
    assert!(page("one.html").exists());
    let table = table(folder.path());
    run(["view", text(&table), "--export", text(&page("table.html"))]).code(3).assert_stderr_contains("take.csv: ");
    run(["view", text(&path), "--export", text(&path), "--force"])
        .code(2)
        .assert_stderr_contains("unknown extension; use .html");
    run(["view", text(&path), "--export", text(&page("x.html")), "--edit"]).code(2).assert_stderr_contains("--edit");
}

/// A running `view --lan`, and its output.
struct LanServing {
    child: Child,
    printed: Vec<String>,
    port: u16,
    _state: TempDir,
}

impl LanServing {
    fn start(args: &[&str]) -> Self {
        let state = tempdir().expect("a folder");
        let mut command = view(&["--lan"]);
        with_state_dir(command.args(args), state.path()).stdout(Stdio::piped());
        let mut child = signals::interruptible(&mut command).spawn().expect("starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines().map(|line| line.expect("text"));
        let mut printed = Vec::new();
        for line in lines {
            printed.push(line);
            if printed.last().is_some_and(|line| line == "Ctrl-C stops it") {
                break;
            }
        }
        let port = printed.iter().find_map(|line| line.strip_prefix("https://")?.strip_suffix('/')?.rsplit_once(':'));
        let port = port.unwrap_or_else(|| panic!("no address in {printed:?}")).1.parse().expect("a port");
        Self { child, printed, port, _state: state }
    }

    /// Sends a request without TLS.
    fn get_without_tls(&self, to: &str) -> String {
        let mut stream = TcpStream::connect((to, self.port)).expect("connected");
        write!(stream, "GET / HTTP/1.1\r\nHost: {to}:{}\r\n\r\n", self.port).expect("sent");
        stream.shutdown(std::net::Shutdown::Write).expect("sent");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("a response");
        response
    }
}

impl Drop for LanServing {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[test]
fn lan_prints_address_code_and_fingerprint() {
    let serving = LanServing::start(&["--port", "0", "--edit"]);
    let printed = &serving.printed;
    let after = |message: &str| {
        let index = printed
            .iter()
            .position(|line| line == message)
            .unwrap_or_else(|| panic!("{message:?} is not in {printed:?}"));
        &printed[index + 1..]
    };
    assert!(after("Open this on the headset:")[0].starts_with("https://"), "{printed:?}");
    let code = &after("and type this code:")[0];
    assert!(code.len() == 7 && code.replace(' ', "").parse::<u32>().is_ok(), "{code:?}");
    let fingerprint = after("certificate. Its fingerprint:")[..4].join(":");
    let bytes: Vec<_> = fingerprint.split(':').map(|byte| u8::from_str_radix(byte, 16)).collect();
    assert!(bytes.len() == 32 && bytes.iter().all(Result::is_ok), "{fingerprint:?}");
    let local = format!("on this machine: https://localhost:{}/?token=", serving.port);
    assert!(printed.iter().any(|line| line.starts_with(&local)), "{printed:?}");
    // QR code and colours are for terminals only.
    let all = printed.join("\n");
    assert!(!all.contains(['\u{1b}', '█', '▀']), "{all}");
    let response = serving.get_without_tls("127.0.0.1");
    assert!(response.contains(&format!("Location: https://127.0.0.1:{}/\r\n", serving.port)), "{response}");
    #[cfg(target_os = "linux")]
    assert!(serving.get_without_tls("127.0.0.2").starts_with("HTTP/1.1 307"));
}

#[test]
fn signal_ends_the_lan_server_with_code_0() {
    let mut serving = LanServing::start(&["--port", "0"]);
    signals::send("-INT", &serving.child);
    assert_eq!(serving.child.wait().expect("ends").code(), Some(0));
}

#[test]
fn lan_rejects_used_ports_and_export() {
    let serving = LanServing::start(&["--port", "0"]);
    let port = serving.port.to_string();
    let state = tempdir().expect("a folder");
    let mut taken = view(&["--lan", "--port", &port]);
    Run::new(with_state_dir(&mut taken, state.path())).code(1).assert_stderr_contains(&format!("0.0.0.0:{port}: "));
    run(["view", "--lan", "--export", "page.html"]).code(2).assert_stderr_contains("--lan");
}

/// Views and downloads a recording of 10 minutes.
#[cfg(target_os = "linux")]
#[test]
fn memory_stays_under_three_times_the_file() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("ten.bin");
    let demo = DemoOptions::new().with_seconds(600.0).with_rate_hz(18.4).generate().expect("a demo");
    assert!(demo.save(&path).expect("saved").is_empty());
    let size = path.metadata().expect("readable").len();
    assert!(size > 25_000_000);
    let serving = Serving::start(&mut view(&[text(&path)]));
    for path in ["/", "/viewer.js", "/viewer.css", "/api/state"] {
        serving.get(path);
    }
    assert!(serving.get("/api/recordings/1/curves").len() < size as usize / 3);
    assert_eq!(serving.get("/api/recordings/1/download?format=bin").len(), size as usize);
    let status = fs::read_to_string(format!("/proc/{}/status", serving.child.id())).expect("readable");
    let kib = |name: &str| -> u64 {
        let value = status.lines().find_map(|line| line.strip_prefix(name)).expect("a value");
        value.trim().trim_end_matches(" kB").parse().expect("a number")
    };
    // Without the pages of the program itself, which are larger if it is not optimized.
    let peak_kib = kib("VmHWM:") - kib("RssFile:");
    assert!(peak_kib * 1024 < 3 * size, "{peak_kib} KiB for {size} bytes");
}
