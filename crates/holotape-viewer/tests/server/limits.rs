//! Limits on concurrent work when clients disconnect.

use std::future::Future;
use std::sync::mpsc;

use holotape_viewer::{Viewer, ViewerOptions};
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::task::{spawn_blocking, yield_now};

use crate::client::{Client, bytes_of, demo};

/// Runs a test with one blocking thread, so that work runs in order.
fn run_sequentially(test: impl Future<Output = ()>) {
    Builder::new_current_thread().max_blocking_threads(1).enable_all().build().unwrap().block_on(test);
}

/// Sends a request and disconnects when it has to wait.
async fn send_and_disconnect(request: impl Future) {
    tokio::select! {
        biased;
        _ = request => panic!("completed without waiting"),
        () = yield_now() => {}
    }
}

/// Blocks the worker thread until the sender is dropped.
fn block_worker() -> mpsc::Sender<()> {
    let (release, held) = mpsc::channel::<()>();
    spawn_blocking(move || held.recv().ok());
    release
}

#[test]
fn results_for_disconnected_clients_are_dropped() {
    run_sequentially(async {
        let client = Client::editing(&demo(1.0));
        let held = block_worker();
        send_and_disconnect(client.upload("left.bin", bytes_of(&demo(1.0)))).await;
        send_and_disconnect(client.post("/api/recordings/1/preview", json!({ "op": "repair" }))).await;
        drop(held);
        assert_eq!(client.recording(2).await, Value::Null);
        client.upload("stayed.bin", bytes_of(&demo(1.0))).await.ok();
        assert_eq!(client.recording(2).await["name"], "stayed.bin");
    });
}

#[test]
fn permit_is_held_after_the_client_disconnects() {
    run_sequentially(async {
        let client = Client::new(&Viewer::new(ViewerOptions::new()));
        let held = block_worker();
        for _ in 0..2 {
            send_and_disconnect(client.upload("left.bin", bytes_of(&demo(1.0)))).await;
        }
        // With the two that left, these are all that may be received at once.
        let waiting: Vec<_> = (0..6)
            .map(|n| {
                let client = client.clone();
                tokio::spawn(async move { client.upload(&format!("{n}.bin"), "no recording").await })
            })
            .collect();
        for _ in 0..6 {
            yield_now().await;
        }
        client.upload("late.bin", "no recording").await.assert_error(503, "too many uploads at once");
        drop(held);
        for upload in waiting {
            assert_eq!(upload.await.expect("no panic").status, 422);
        }
    });
}
