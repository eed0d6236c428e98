//! Response bodies that are sent while they are written.

use std::io::{self, BufWriter, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use tokio::sync::mpsc::{self, Receiver, Sender};

const CHUNK_BYTES: usize = 1 << 16;

/// Chunks that are buffered for a slow client.
const CHUNK_QUEUE_CAPACITY: usize = 4;

/// A body's writer, for a blocking thread, and its reader.
pub(super) fn pipe() -> (BodyWriter, BodyReader) {
    let (sender, receiver) = mpsc::channel(CHUNK_QUEUE_CAPACITY);
    (BodyWriter(sender), BodyReader(receiver))
}

pub(super) struct BodyWriter(Sender<io::Result<Bytes>>);

impl BodyWriter {
    /// Sends the output of `write`. If it fails, the response is truncated, which the client detects by its length.
    pub(super) fn send(self, write: impl FnOnce(&mut (dyn Write + Send)) -> holotape::Result<()>) {
        let mut out = BufWriter::with_capacity(CHUNK_BYTES, ChunkSender(&self.0));
        if let Err(error) = write(&mut out).and_then(|()| Ok(out.flush()?)) {
            // Fails if the client has disconnected.
            self.0.blocking_send(Err(io::Error::other(error))).ok();
        }
    }
}

/// Blocks while the queue is full.
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
    /// `length` is the exact length of the body.
    pub(super) fn into_body(self, length: u64) -> Body {
        Body::new(StreamedBody { receiver: self.0, remaining: length })
    }
}

struct StreamedBody {
    receiver: Receiver<io::Result<Bytes>>,
    remaining: u64,
}

impl HttpBody for StreamedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let polled = self.receiver.poll_recv(context);
        if let Poll::Ready(Some(Ok(chunk))) = &polled {
            self.remaining = self.remaining.saturating_sub(chunk.len() as u64);
        }
        polled.map(|chunk| Some(chunk?.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.remaining)
    }
}
