//! Limits on concurrent work when clients disconnect.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use holotape_viewer::{Viewer, ViewerOptions};
use http_body::Frame;
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::task::{spawn_blocking, yield_now};

use crate::client::{Client, bytes_of, demo};

/// A body that records whether it was read.
struct TrackedBody(Arc<AtomicBool>);

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.store(true, Ordering::Relaxed);
        Poll::Ready(None)
    }
}

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
        let is_read = Arc::new(AtomicBool::new(false));
        send_and_disconnect(client.upload("next.bin", Body::new(TrackedBody(is_read.clone())))).await;
        assert!(!is_read.load(Ordering::Relaxed));
        drop(held);
        client.upload("later.bin", Body::new(TrackedBody(is_read.clone()))).await.assert_error(422, "");
        assert!(is_read.load(Ordering::Relaxed));
    });
}
