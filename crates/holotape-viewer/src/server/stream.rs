//! Bodies that are sent while they are written.

use std::io::{self, BufWriter, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use tokio::sync::mpsc::{self, Receiver, Sender};

const CHUNK_BYTES: usize = 1 << 16;

/// So many chunks wait for whoever reads slowly.
const CHUNK_QUEUE_CAPACITY: usize = 4;

/// Both ends of a body: where it is written, on a thread that may wait, and where it is sent from.
pub(super) fn pipe() -> (BodyWriter, BodyReader) {
    let (sender, receiver) = mpsc::channel(CHUNK_QUEUE_CAPACITY);
    (BodyWriter(sender), BodyReader(receiver))
}

pub(super) struct BodyWriter(Sender<io::Result<Bytes>>);

impl BodyWriter {
    /// Sends what is written, as it comes. If that fails, the answer is cut off: its length tells that there should be more.
    pub(super) fn send(self, write: impl FnOnce(&mut dyn Write) -> holotape::Result<()>) {
        let mut out = BufWriter::with_capacity(CHUNK_BYTES, ChunkSender(&self.0));
        if let Err(error) = write(&mut out).and_then(|()| Ok(out.flush()?)) {
            // Whoever has gone need not know.
            self.0.blocking_send(Err(io::Error::other(error))).ok();
        }
    }
}

/// Waits while too much waits to be read.
struct ChunkSender<'a>(&'a Sender<io::Result<Bytes>>);

impl Write for ChunkSender<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let chunk = &bytes[..bytes.len().min(CHUNK_BYTES)];
        let sent = self.0.blocking_send(Ok(Bytes::copy_from_slice(chunk)));
        sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(chunk.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) struct BodyReader(Receiver<io::Result<Bytes>>);

impl BodyReader {
    /// The body, which will be so long.
    pub(super) fn into_body(self, length: u64) -> Body {
        Body::new(Streamed { receiver: self.0, left: length })
    }
}

struct Streamed {
    receiver: Receiver<io::Result<Bytes>>,
    left: u64,
}

impl HttpBody for Streamed {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let polled = self.receiver.poll_recv(context);
        if let Poll::Ready(Some(Ok(chunk))) = &polled {
            self.left = self.left.saturating_sub(chunk.len() as u64);
        }
        polled.map(|chunk| Some(chunk?.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
