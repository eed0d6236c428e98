//! What becomes of work that nobody waits for any more.

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

/// A body that notes whether anybody began to read it.
struct Watched(Arc<AtomicBool>);

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.store(true, Ordering::Relaxed);
        Poll::Ready(None)
    }
}

/// One piece of work after the other, so that it is known when one is over.
fn one_by_one(test: impl Future<Output = ()>) {
    Builder::new_current_thread().max_blocking_threads(1).enable_all().build().unwrap().block_on(test);
}

/// Asks, and leaves as soon as there is nothing to do but wait.
async fn ask_and_leave(asked: impl Future) {
    tokio::select! {
        biased;
        _ = asked => panic!("answered before anybody could leave"),
        () = yield_now() => {}
    }
}

/// Nothing is worked on until the guard goes.
fn hold() -> mpsc::Sender<()> {
    let (release, held) = mpsc::channel::<()>();
    spawn_blocking(move || held.recv().ok());
    release
}

#[test]
fn nothing_is_kept_for_somebody_who_has_left() {
    one_by_one(async {
        let client = Client::editing(&demo(1.0));
        let held = hold();
        ask_and_leave(client.upload("left.bin", bytes_of(&demo(1.0)))).await;
        ask_and_leave(client.post("/api/takes/1/preview", json!({ "what": "repair" }))).await;
        drop(held);
        assert_eq!(client.take(2).await, Value::Null);
        client.upload("stayed.bin", bytes_of(&demo(1.0))).await.ok();
        assert_eq!(client.take(2).await["name"], "stayed.bin");
    });
}

#[test]
fn whoever_leaves_does_not_let_the_next_in() {
    one_by_one(async {
        let client = Client::of(&Viewer::new(ViewerOptions::new()));
        let held = hold();
        for _ in 0..2 {
            ask_and_leave(client.upload("left.bin", bytes_of(&demo(1.0)))).await;
        }
        let is_read = Arc::new(AtomicBool::new(false));
        ask_and_leave(client.upload("next.bin", Body::new(Watched(is_read.clone())))).await;
        assert!(!is_read.load(Ordering::Relaxed));
        drop(held);
        client.upload("later.bin", Body::new(Watched(is_read.clone()))).await.refused(422, "");
        assert!(is_read.load(Ordering::Relaxed));
    });
}
