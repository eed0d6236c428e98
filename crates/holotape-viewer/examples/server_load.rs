//! Measures the CPU load of a viewer that records two clients at 90 Hz each. `cargo xtask bench live` runs it.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use holotape::Recording;
use holotape::demo::DemoOptions;
use holotape::stream::encode_frame;
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const CLIENTS: u32 = 2;
const RATE_HZ: f64 = 90.0;

/// The maximum load, as a fraction of one core.
const MAX_LOAD: f64 = 0.1;

/// The unit of times in `/proc`: 100 Hz on all systems that have it.
const TICK_SECS: f64 = 0.01;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [program, seconds] = &args[..] else {
        eprintln!("live_load HOLOTAPE SECONDS");
        return ExitCode::from(2);
    };
    match seconds.parse().map_err(Into::into).and_then(|seconds| measure(Path::new(program), seconds)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("live_load: {error}");
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

fn measure(program: &Path, seconds: f64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let viewer = start(program, folder.path())?;
    let idle_secs = 5.0;
    let idle = measure_load(&viewer, || {
        thread::sleep(Duration::from_secs_f64(idle_secs));
        Ok(())
    })?;
    println!("idle: {:.2} % of one core", 100.0 * idle.0);
    let records = records(seconds)?;
    let (busy, clients) = measure_load(&viewer, || {
        let threads: Vec<_> = (0..CLIENTS)
            .map(|n| {
                let (records, port) = (records.clone(), viewer.port);
                thread::spawn(move || send(port, n, &records))
            })
            .collect();
        let joined = threads.into_iter().map(|thread| thread.join().map_err(|_| "a client has failed")?);
        joined.collect::<Result<Vec<_>>>()
    })?;
    println!("{CLIENTS} clients, {RATE_HZ} Hz for {seconds} s: {:.2} % of one core", 100.0 * busy);
    for mut client in clients {
        let saved = client.stop()?;
        let name = saved["name"].as_str().ok_or_else(|| format!("not saved: {saved}"))?;
        check(&Recording::open(folder.path().join(name))?, &saved, records.len())?;
        println!("{name}: {} frames sent, {} saved", records.len(), saved["frame_count"]);
    }
    if busy > MAX_LOAD {
        return Err(format!("the load exceeds {} % of one core", 100.0 * MAX_LOAD).into());
    }
    Ok(())
}

fn start(program: &Path, record_dir: &Path) -> Result<Viewer> {
    let mut command = Command::new(program);
    command.args(["view", "--no-open", "--record-dir"]).arg(record_dir).stdout(Stdio::piped());
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
    let hello = json!({ "type": "hello", "take_id": format!("bench{n:016}"), "acked_records": 0, "name": format!("bench {n}") });
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
