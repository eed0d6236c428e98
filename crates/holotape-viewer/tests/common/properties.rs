//! Properties of the server that hold for arbitrary requests. The fuzz target and the test check the same function.

use std::cell::RefCell;
use std::convert::Infallible;
use std::env;
use std::fs;
use std::io;
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::http::header::{CONTENT_SECURITY_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS};
use axum::http::{Request, StatusCode};
use axum::response::Response;
use holotape::format::Channels;
use holotape::{Frame, Pose, Recording, record};
use holotape_viewer::{AccessToken, Viewer, ViewerOptions};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use percent_encoding::percent_decode;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::runtime::{self, Runtime};
use tower::ServiceExt;

const PORT: u16 = 8000;
/// The inputs of the fuzz target have it.
pub const TOKEN: &str = "fuzz-access-token";

/// As the server's.
const MAX_HEAD_BYTES: usize = 1 << 16;

/// The server answers arbitrary bytes without an internal error. Its responses have the security headers, and without the
/// token they contain nothing.
pub fn http_requests_get_safe_responses(bytes: &[u8]) {
    thread_local! {
        static RUNTIME: RefCell<Runtime> =
            RefCell::new(runtime::Builder::new_current_thread().enable_time().build().expect("a runtime"));
    }
    clear_folder();
    let viewer = Viewer::new(ViewerOptions::new().with_edit(true).with_upload_limit_bytes(1 << 16));
    viewer.add("take.bin", SMALL_RECORDING.clone()).expect("fits into its format");
    let router = viewer.router(PORT, Some(AccessToken::new(TOKEN).expect("a token")));
    let has_token = percent_decode(bytes).collect::<Vec<_>>().windows(TOKEN.len()).any(|part| part == TOKEN.as_bytes());
    let mut sent = Vec::new();
    let stream = ScriptedStream { received: bytes, sent: &mut sent };
    RUNTIME.with_borrow(|runtime| runtime.block_on(serve(stream, &router, has_token)));
    assert!(sent.is_empty() || sent.starts_with(b"HTTP/1."), "{}", sent.escape_ascii());
}

/// Saved files of one run must not exist in the next one. Recordings are saved in the current directory.
fn clear_folder() {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a folder");
        env::set_current_dir(folder.path()).expect("exists");
        folder
    });
    for entry in fs::read_dir(FOLDER.path()).expect("exists") {
        fs::remove_file(entry.expect("readable").path()).expect("only files are saved");
    }
}

/// Without hands: checking their curves would take most of the time.
static SMALL_RECORDING: LazyLock<Recording> = LazyLock::new(|| {
    let channels = Channels { hands: false, gaze: false, ..Channels::ALL };
    let options = record::RecorderOptions::new().with_max_rate_hz(None).with_channels(channels);
    let mut recorder = record::Recorder::start(options).expect("starts without a journal");
    for time in [0.0, 0.5, 1.0] {
        recorder.push(&Frame { time, camera: Some(Pose::IDENTITY), ..Frame::default() }).expect("records");
    }
    recorder.add_marker(0.5, "here").expect("records");
    recorder.stop().recording
});

async fn serve(stream: ScriptedStream<'_>, router: &Router, has_token: bool) {
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        let router = router.clone();
        async move {
            let response = router.oneshot(request.map(Body::new)).await?;
            check(&response, has_token);
            Ok::<_, Infallible>(response)
        }
    });
    // Errors concern the client. WebSockets are not upgraded: they are tested without a network.
    let _ = http1::Builder::new().max_buf_size(MAX_HEAD_BYTES).serve_connection(TokioIo::new(stream), service).await;
}

fn check(response: &Response, has_token: bool) {
    let (status, headers) = (response.status(), response.headers());
    assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(headers.contains_key(CONTENT_SECURITY_POLICY) && headers.contains_key(X_CONTENT_TYPE_OPTIONS));
    assert!(has_token || (status.is_client_error() && !headers.contains_key(SET_COOKIE)), "{status} without a token");
}

/// A connection whose client sends all bytes, closes its side and reads everything.
struct ScriptedStream<'a> {
    received: &'a [u8],
    sent: &'a mut Vec<u8>,
}

impl AsyncRead for ScriptedStream<'_> {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let count = self.received.len().min(buffer.remaining());
        let (now, later) = self.received.split_at(count);
        buffer.put_slice(now);
        self.received = later;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ScriptedStream<'_> {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.sent.extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
