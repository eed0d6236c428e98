//! The thread that writes a take: the application's thread neither allocates nor writes files, and waits only if the
//! frame before is not in the journal yet.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use holotape::Frame;

use super::markers_file::MarkersFile;
use super::progress::Progress;
use super::take::{Take, TakeInfo};
use crate::config::RecordConfig;
use crate::log;

/// Frames that wait for a disk that was too slow to be waited for: five seconds at 90 frames per second, about 1 MB.
const QUEUE_LEN: usize = 450;

/// The longest time for which the application waits for a disk that does not answer.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// How often the file with markers is read.
const MARKERS_INTERVAL: Duration = Duration::from_millis(50);

/// Frames are sent as they are: a box would be an allocation per frame.
#[expect(clippy::large_enum_variant, reason = "see above")]
enum Message {
    Frame(Frame),
    Marker(f64, String),
    Finish(TakeInfo),
}

pub(super) struct Writer {
    sender: SyncSender<Message>,
    thread: Mutex<Option<JoinHandle<()>>>,
    progress: Arc<Progress>,
    /// Frames that did not fit into the queue.
    dropped: AtomicU64,
}

impl Writer {
    pub(super) fn start(config: RecordConfig) -> Self {
        let (sender, receiver) = sync_channel(QUEUE_LEN);
        let progress = Arc::new(Progress::new(MAX_WAIT));
        let written = EndsProgress(progress.clone());
        let write = move || write(config, &receiver, &written.0);
        let spawned = thread::Builder::new().name("holotape-writer".to_owned()).spawn(write);
        let thread = spawned.map_err(|error| log::warn(format_args!("nothing will be recorded: {error}"))).ok();
        Self { sender, thread: Mutex::new(thread), progress, dropped: AtomicU64::new(0) }
    }

    /// Hands a frame to the thread once the one before is in the journal. Counts it as lost if the disk is too slow.
    pub(super) fn push(&self, frame: Frame) {
        self.progress.send(|| {
            let sent = self.sender.try_send(Message::Frame(frame));
            sent.inspect_err(|_| _ = self.dropped.fetch_add(1, Ordering::Relaxed)).is_ok()
        });
    }

    pub(super) fn mark(&self, time_secs: f64, name: &str) {
        let _ = self.sender.try_send(Message::Marker(time_secs, name.to_owned()));
    }

    /// Saves the take and ends the thread. It must have ended before the loader unloads the library.
    pub(super) fn finish(&self, mut info: TakeInfo) {
        let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        let dropped = self.dropped.load(Ordering::Relaxed);
        if dropped > 0 {
            info.notes.push(format!("{dropped} frames were lost because the disk was too slow."));
        }
        if self.progress.was_too_slow() {
            info.notes.push("The disk took longer than a second for a frame.".to_owned());
        }
        let _ = self.sender.send(Message::Finish(info));
        let _ = thread.join();
    }
}

/// Reports the end of the writer however it ends, by a panic as well: the application must not wait for it.
struct EndsProgress(Arc<Progress>);

impl Drop for EndsProgress {
    fn drop(&mut self) {
        self.0.writer_ended();
    }
}

fn write(config: RecordConfig, messages: &Receiver<Message>, progress: &Progress) {
    let mut markers = config.markers.as_deref().map(MarkersFile::open);
    let mut take = Take::new(config);
    loop {
        match messages.recv_timeout(MARKERS_INTERVAL) {
            Ok(Message::Frame(frame)) => {
                take.push(&frame);
                progress.frame_written();
            }
            Ok(Message::Marker(time_secs, name)) => take.mark(time_secs, name),
            Ok(Message::Finish(info)) => {
                take.mark_now(markers.iter_mut().flat_map(MarkersFile::new_lines));
                return take.finish(info);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        take.mark_now(markers.iter_mut().flat_map(MarkersFile::new_lines));
    }
}
