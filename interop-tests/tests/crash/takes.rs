//! `view --record-dir`: takes that clients record.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use holotape::Recording;
use holotape::stream::Record;
use serde_json::{Value, json};
use tungstenite::{Bytes, Message, WebSocket};

use crate::journal::{check_journal, recording_of, records, written_records};
use crate::states::{State, replay};
use crate::trace::{Op, Trace};
use crate::tree::{Tree, write_paths};
use crate::{folder, strace};

struct Client(WebSocket<TcpStream>);

impl Client {
    fn connect(port: u16, take_id: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("a server");
        // Fails a test that waits for a message that never comes.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        let address = format!("ws://127.0.0.1:{port}/api/live/record");
        let mut client = Self(tungstenite::client(address, stream).expect("a connection").0);
        let hello = json!({ "type": "hello", "take_id": take_id, "acked_records": 0, "name": "reach" });
        client.0.send(hello.to_string().into()).expect("sent");
        client.wait_for("ready");
        client
    }

    fn send(&mut self, record: &Record) {
        self.0.send(Message::Binary(Bytes::from(record.encode()))).expect("sent");
    }

    fn wait_for(&mut self, kind: &str) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().expect("a message") {
                let message: Value = serde_json::from_str(&text).expect("JSON");
                if message["type"] == kind {
                    return message;
                }
                assert_ne!(message["type"], "error", "{message}");
            }
        }
    }

    fn stop(&mut self) -> String {
        self.0.send(json!({ "type": "stop" }).to_string().into()).expect("sent");
        let saved = self.wait_for("saved");
        // The server closes the connection once its call has returned, and is in the log.
        while !matches!(self.0.read(), Ok(Message::Close(_)) | Err(_)) {}
        saved["name"].as_str().expect("a name").to_owned()
    }
}

/// Records two takes of one name at the same time, then kills the server.
fn record_two(root: &Path, record_dir: &Path, records: &[Record]) -> Trace {
    let log = folder();
    let log = log.path().join("log");
    let initial = Tree::read(root);
    let mut command = strace::traced_holotape(&log);
    command.args(["view", "--no-open", "--no-token", "--record-dir"]).arg(record_dir).current_dir(root);
    let mut server = command.stdout(Stdio::piped()).spawn().expect("strace");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let port = line.strip_prefix("http://127.0.0.1:").and_then(|line| line.split('/').next()?.parse().ok());
    let port = port.unwrap_or_else(|| panic!("no address in {line:?}"));
    let mut clients = [1, 2].map(|number| Client::connect(port, &format!("take{number:016}")));
    let (start, rest) = records.split_at(records.len() / 2);
    for record in start {
        clients.iter_mut().for_each(|client| client.send(record));
    }
    // So that the trace has acknowledgements before the end.
    clients.iter_mut().for_each(|client| drop(client.wait_for("ack")));
    for record in rest {
        clients.iter_mut().for_each(|client| client.send(record));
    }
    assert_eq!(clients.each_mut().map(Client::stop), ["reach.bin", "reach-2.bin"]);
    let text = fs::read_to_string(&log).expect("a log");
    let process = text.split(' ').next().expect("the process of the first call");
    assert!(Command::new("kill").args(["-KILL", process]).status().expect("runs").success());
    server.wait().expect("ends");
    Trace::new(root, initial, &strace::read(&log))
}

/// What clients were sent about a take before a crash.
#[derive(Default)]
struct Reported {
    acked_records: u64,
    is_saved: bool,
}

/// The messages in bytes that were sent: several WebSocket frames can be in one call.
fn messages(data: &[u8]) -> Vec<Value> {
    let starts = data.windows(8).enumerate().filter(|(_, part)| *part == b"{\"type\":");
    let parse = |start| serde_json::Deserializer::from_slice(&data[start..]).into_iter().next()?.ok();
    starts.filter_map(|(start, _)| parse(start)).collect()
}

/// The messages about a take, by its name, before a point.
fn reported(trace: &Trace, point: usize, name: &str) -> Reported {
    let sends = trace.ops[..point].iter().filter_map(|op| match op {
        Op::Send { to, data } => Some((*to, data)),
        _ => None,
    });
    let (mut reported, mut connection) = (Reported::default(), None);
    for (to, message) in sends.flat_map(|(to, data)| messages(data).into_iter().map(move |message| (to, message))) {
        match message["type"].as_str() {
            Some("ready") if message["name"] == name => connection = Some(to),
            Some("ack") if connection == Some(to) => {
                reported.acked_records = message["record_count"].as_u64().expect("a number");
            }
            Some("saved") if message["name"] == name => reported.is_saved = true,
            _ => {}
        }
    }
    reported
}

#[test]
fn takes_are_in_their_journal_or_saved_after_a_crash() {
    let (root, records) = (folder(), records(40));
    // The server creates the folder.
    let record_dir = root.path().join("takes");
    let trace = record_two(root.path(), &record_dir, &records);
    let new = ["reach.bin", "reach-2.bin"].map(|name| fs::read(record_dir.join(name)).expect("saved"));
    for new in &new {
        assert!(Recording::from_slice(new).expect("a recording") == recording_of(&records, None));
    }
    for name in ["reach.bin", "reach-2.bin"] {
        let all = reported(&trace, trace.ops.len(), name);
        assert!(all.is_saved && all.acked_records > 0, "{name}");
    }
    let states = replay("takes of the server", &trace, |State { point, loss, paths }| {
        let at = format!("{loss:?} after {point} operations");
        let folder = folder();
        write_paths(paths, folder.path());
        for (name, new) in ["reach", "reach-2"].into_iter().zip(&new) {
            let file = format!("{name}.bin");
            let content = paths.get(&format!("takes/{file}")).map(|content| content.as_deref().expect("a file"));
            assert!(content.is_none_or(|content| content == new), "{at}: {name} is neither missing nor complete");
            let reported = reported(&trace, *point, &file);
            assert!(content.is_some() || !reported.is_saved, "{at}: {name} was reported as saved, but is not durable");
            let written = written_records(&trace, *point, &format!("{name}.journal"));
            assert!(reported.acked_records <= written as u64, "{at}: {} are acknowledged", reported.acked_records);
            if content.is_none() {
                let journal = folder.path().join("takes").join(format!("{name}.journal"));
                check_journal(&at, *loss, &journal, &records, written);
            }
        }
    });
    assert!(states >= 600, "{states} states");
}
