//! Measures a viewer that records clients at 90 Hz each while others watch, or while others download and do not read.
//! `cargo xtask bench live` and `cargo xtask bench server` run it.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use holotape::Recording;
use holotape::demo::DemoOptions;
use holotape::stream::encode_frame;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const RATE_HZ: f64 = 90.0;

/// The maximum load of two recorders without watchers, as a fraction of one core.
const MAX_LOAD: f64 = 0.1;

/// The maximum time of a request to the page's state.
const MAX_LATENCY: Duration = Duration::from_millis(100);

/// The maximum memory of the server beyond the recordings.
const MAX_MEMORY_BYTES: u64 = 200_000_000;

/// How often the state is requested.
const PROBE_INTERVAL: Duration = Duration::from_millis(100);

/// The unit of times in `/proc`: 100 Hz on all systems that have it.
const TICK_SECS: f64 = 0.01;

/// Clients of one measurement.
#[derive(Clone, Copy)]
struct Load {
    recorders: u32,
    watchers: u32,
    /// Clients that request a CSV file of 60 s and never read.
    stalled: u32,
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let result = match &args[..] {
        [program, seconds, recorders, watchers, stalled] => {
            let parse = |text: &String| text.parse::<u32>();
            match (seconds.parse(), parse(recorders), parse(watchers), parse(stalled)) {
                (Ok(seconds), Ok(recorders), Ok(watchers), Ok(stalled)) => {
                    measure(Path::new(program), seconds, Load { recorders, watchers, stalled })
                }
                _ => Err("invalid number".into()),
            }
        }
        _ => Err("usage: server_load HOLOTAPE SECONDS RECORDERS WATCHERS STALLED".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("server_load: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A viewer process; killed when dropped.
struct Viewer {
    child: Child,
    port: u16,
}

impl Drop for Viewer {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn measure(program: &Path, seconds: f64, load: Load) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let viewer = start(program, folder.path())?;
    let records = records(seconds)?;
    let is_done = Arc::new(AtomicBool::new(false));
    let watched = Arc::new(AtomicU64::new(0));
    let mut helpers = Vec::new();
    for _ in 0..load.stalled {
        let (port, is_done) = (viewer.port, is_done.clone());
        helpers.push(thread::spawn(move || stall(port, &is_done)));
    }
    let (busy, (clients, latencies)) = measure_load(&viewer, || {
        let threads: Vec<_> = (0..load.recorders)
            .map(|n| {
                let (records, port) = (records.clone(), viewer.port);
                thread::spawn(move || send(port, n, &records))
            })
            .collect();
        for n in 0..load.watchers {
            let (port, take, is_done, watched) = (viewer.port, n % load.recorders, is_done.clone(), watched.clone());
            helpers.push(thread::spawn(move || watch(port, take, &is_done, &watched)));
        }
        let mut latencies = Vec::new();
        while !threads.iter().all(thread::JoinHandle::is_finished) {
            latencies.push(request_state(viewer.port)?);
            thread::sleep(PROBE_INTERVAL);
        }
        let joined = threads.into_iter().map(|thread| thread.join().map_err(|_| "a client has failed")?);
        Ok((joined.collect::<Result<Vec<_>>>()?, latencies))
    })?;
    is_done.store(true, Ordering::Relaxed);
    let Load { recorders, watchers, stalled } = load;
    println!("{recorders} recorders at {RATE_HZ} Hz, {watchers} watchers, {stalled} stalled downloads, {seconds} s:");
    println!("  load of the server: {:.1} % of one core", 100.0 * busy);
    let sent = records.len();
    for mut client in clients {
        let saved = client.stop()?;
        let name = saved["name"].as_str().ok_or_else(|| format!("not saved: {saved}"))?;
        check(&Recording::open(folder.path().join(name))?, &saved, sent)?;
        println!("  {name}: {sent} frames sent, {} saved", saved["frame_count"]);
    }
    if watchers > 0 {
        let fraction = watched.load(Ordering::Relaxed) as f64 / (f64::from(watchers) * sent as f64);
        println!("  frames that watchers received: {:.1} %", 100.0 * fraction);
    }
    let longest = report_latencies(latencies)?;
    let memory = peak_memory_bytes(&viewer)?;
    println!("  peak memory of the server: {:.0} MB", memory as f64 / 1e6);
    if watchers == 0 && stalled == 0 && busy > MAX_LOAD {
        return Err(format!("the load exceeds {} % of one core", 100.0 * MAX_LOAD).into());
    }
    if stalled > 0 && (longest > MAX_LATENCY || memory > MAX_MEMORY_BYTES) {
        return Err(format!("the limits are {MAX_LATENCY:?} and {} MB", MAX_MEMORY_BYTES / 1_000_000).into());
    }
    Ok(())
}

/// Prints the times of requests and returns the longest.
fn report_latencies(mut latencies: Vec<Duration>) -> Result<Duration> {
    latencies.sort();
    let longest = *latencies.last().ok_or("no request was made")?;
    let median = latencies[latencies.len() / 2];
    println!("  {} requests of /api/state: median {median:.1?}, longest {longest:.1?}", latencies.len());
    Ok(longest)
}

fn get(port: u16, path: &str) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")?;
    Ok(stream)
}

/// The time until the complete response.
fn request_state(port: u16) -> Result<Duration> {
    let start = Instant::now();
    let mut response = Vec::new();
    get(port, "/api/state")?.read_to_end(&mut response)?;
    if !response.starts_with(b"HTTP/1.1 200") {
        return Err(format!("the state was refused: {}", response.escape_ascii()).into());
    }
    Ok(start.elapsed())
}

/// Requests a large file and does not read it. Connects again when the server has closed the connection.
fn stall(port: u16, is_done: &AtomicBool) {
    while !is_done.load(Ordering::Relaxed) {
        let Ok(stream) = get(port, "/api/recordings/1/download?format=csv") else { continue };
        let is_open = |stream: &TcpStream| {
            stream.set_nonblocking(true).is_ok()
                && !matches!(stream.take_error(), Ok(Some(_)))
                && !matches!(stream.peek(&mut [0; 1]), Ok(0))
        };
        while !is_done.load(Ordering::Relaxed) && is_open(&stream) {
            thread::sleep(Duration::from_millis(500));
        }
    }
}

/// Opens the page as a browser does and watches a take.
fn watch(port: u16, take: u32, is_done: &AtomicBool, watched: &AtomicU64) {
    for path in ["/", "/viewer.js", "/api/state", "/api/recordings/1/curves"] {
        get(port, path).and_then(|mut stream| Ok(stream.read_to_end(&mut Vec::new())?)).ok();
    }
    let path = format!("/api/live/{}", take_id(take));
    while !is_done.load(Ordering::Relaxed) {
        let Ok(stream) = TcpStream::connect(("127.0.0.1", port)) else { continue };
        // The take may not have started.
        let Ok((mut socket, _)) = tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream) else {
            thread::sleep(Duration::from_millis(100));
            continue;
        };
        while !is_done.load(Ordering::Relaxed) {
            match socket.read() {
                Ok(Message::Text(_) | Message::Binary(_)) => _ = watched.fetch_add(1, Ordering::Relaxed),
                Ok(_) => {}
                Err(_) => break,
            }
        }
    }
}

fn take_id(n: u32) -> String {
    format!("bench{n:016}")
}

fn peak_memory_bytes(viewer: &Viewer) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", viewer.child.id()))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no peak memory")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? * 1024)
}

fn start(program: &Path, record_dir: &Path) -> Result<Viewer> {
    let mut command = Command::new(program);
    let recording = record_dir.join("downloaded.bin");
    let _ = DemoOptions::new().with_seconds(60.0).generate()?.save(&recording)?;
    command.args(["view", "--no-open", "--no-token", "--record-dir"]).arg(record_dir).arg(recording);
    command.stdout(Stdio::piped());
    let mut viewer = Viewer { child: command.spawn()?, port: 0 };
    let mut line = String::new();
    BufReader::new(viewer.child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let port = line.split('/').nth(2).and_then(|host| host.rsplit(':').next());
    viewer.port = port.ok_or_else(|| format!("no address in {line:?}"))?.parse()?;
    Ok(viewer)
}

/// Frames of a demo, as a headset would send them.
fn records(seconds: f64) -> Result<Vec<Vec<u8>>> {
    let recording = DemoOptions::new().with_seconds(60.0).generate()?;
    let mut sampler = recording.sampler();
    let count = (seconds * RATE_HZ).round() as u32;
    let frame = |n: u32| {
        let time = f64::from(n) / RATE_HZ;
        let mut frame = sampler.frame_at(time % 60.0);
        frame.time = time;
        encode_frame(&frame)
    };
    Ok((0..count).map(frame).collect())
}

/// Runs `work` and returns the viewer's load as a fraction of one core.
fn measure_load<T>(viewer: &Viewer, work: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let (started, before) = (Instant::now(), cpu_secs(viewer)?);
    let done = work()?;
    Ok(((cpu_secs(viewer)? - before) / started.elapsed().as_secs_f64(), done))
}

fn cpu_secs(viewer: &Viewer) -> Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", viewer.child.id()))?;
    // The name may contain any characters. After it: the state, ten numbers, then user and system time.
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
    let ticks = fields.map(str::parse::<f64>).sum::<std::result::Result<f64, _>>()?;
    Ok(ticks * TICK_SECS)
}

struct Client {
    socket: WebSocket<TcpStream>,
}

fn send(port: u16, n: u32, records: &[Vec<u8>]) -> Result<Client> {
    let stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    let (socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}/api/live/record"), stream)
        .map_err(|error| error.to_string())?;
    let mut client = Client { socket };
    let hello = json!({ "type": "hello", "take_id": take_id(n), "acked_records": 0, "name": format!("bench {n}") });
    client.socket.send(hello.to_string().into())?;
    let ready = client.next_json()?;
    if ready["type"] != "ready" {
        return Err(ready.to_string().into());
    }
    let started = Instant::now();
    for (n, record) in (0_u32..).zip(records) {
        let due = Duration::from_secs_f64(f64::from(n) / RATE_HZ);
        thread::sleep(due.saturating_sub(started.elapsed()));
        client.socket.send(Message::Binary(record.clone().into()))?;
        client.drain_inbound()?;
    }
    Ok(client)
}

impl Client {
    fn next_json(&mut self) -> Result<Value> {
        loop {
            if let Message::Text(text) = self.socket.read()? {
                return Ok(serde_json::from_str(&text)?);
            }
        }
    }

    /// Reads all acknowledgements, and answers pings.
    fn drain_inbound(&mut self) -> Result<()> {
        self.socket.get_ref().set_nonblocking(true)?;
        let result = loop {
            match self.socket.read() {
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        self.socket.get_ref().set_nonblocking(false)?;
        Ok(result?)
    }

    fn stop(&mut self) -> Result<Value> {
        self.socket.send(json!({ "type": "stop" }).to_string().into())?;
        loop {
            let message = self.next_json()?;
            if message["type"] != "ack" {
                return Ok(message);
            }
        }
    }
}

/// Checks that every frame is a key of the camera at the right time.
fn check(recording: &Recording, saved: &Value, sent: usize) -> Result<()> {
    let camera = recording.camera.as_ref().ok_or("no camera was saved")?;
    let times: Vec<_> = camera.position[0].keys.iter().map(|key| key.time).collect();
    if saved["frame_count"] != sent || times.len() != sent {
        return Err(format!("{sent} frames were sent, {} are saved", times.len()).into());
    }
    let wrong = (0_u32..).zip(&times).find(|(n, time)| (f64::from(*n) / RATE_HZ) as f32 != **time);
    wrong.map_or(Ok(()), |(n, time)| Err(format!("frame {n} is at {time} s").into()))
}
