//! Limits on concurrent work. Short queues wait for their turn; what exceeds them is refused.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::http_error::HttpError;

/// The minimum speed of a client that sends an upload or reads a response, on average after the client timeout.
pub(super) const MIN_BYTES_PER_SEC: u64 = 32 << 10;

/// Uploads that are received at once. A slow one holds no other resource than the bytes that it has sent.
const MAX_UPLOADS: usize = 8;

/// All uploads that are received at once may take this many times the memory of the largest allowed one.
const MAX_LARGE_UPLOADS_RECEIVED: u64 = 2;

/// Files that are parsed at once, each in several times the memory of the file.
const MAX_PARSES: usize = 2;

const MAX_PREVIEWS: usize = 2;

/// Each download occupies a thread and the memory of its writer until the client has read it.
const MAX_DOWNLOADS: usize = 4;

/// Requests that wait for a parse, a preview or a download.
const MAX_WAITING: usize = 64;

/// Other work on recordings, which is short. More wait; their number is limited by that of the connections.
const MAX_REQUESTS: usize = 16;

/// The unit of the upload budget.
const BUDGET_UNIT_BYTES: u64 = 1 << 10;

pub(super) struct WorkLimits {
    uploads: Arc<Semaphore>,
    upload_budget: Arc<Semaphore>,
    parses: Queue,
    previews: Queue,
    downloads: Queue,
    requests: Arc<Semaphore>,
}

/// Limits work that may wait for its turn.
struct Queue {
    running: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    max_wait: Duration,
}

impl WorkLimits {
    pub(super) fn new(upload_limit_bytes: u64, max_wait: Duration) -> Self {
        let limit = |count| Arc::new(Semaphore::new(count));
        let queue = |count| Queue { running: limit(count), waiting: limit(MAX_WAITING), max_wait };
        let budget = upload_limit_bytes.saturating_mul(MAX_LARGE_UPLOADS_RECEIVED).div_ceil(BUDGET_UNIT_BYTES);
        let budget = usize::try_from(budget).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Self {
            uploads: limit(MAX_UPLOADS),
            upload_budget: limit(budget),
            parses: queue(MAX_PARSES),
            previews: queue(MAX_PREVIEWS),
            downloads: queue(MAX_DOWNLOADS),
            requests: limit(MAX_REQUESTS),
        }
    }

    pub(super) fn start_upload(&self) -> Result<UploadBudget, HttpError> {
        let upload = try_acquire(&self.uploads, 1, "uploads")?;
        Ok(UploadBudget { budget: self.upload_budget.clone(), _upload: upload, held: None, unused_bytes: 0 })
    }

    pub(super) async fn acquire_parse(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        self.parses.acquire("files to open").await
    }

    pub(super) async fn acquire_preview(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        self.previews.acquire("previews").await
    }

    pub(super) async fn acquire_download(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        self.downloads.acquire("downloads").await
    }

    pub(super) async fn acquire_request(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        acquire(&self.requests, "requests").await
    }
}

/// The share of an upload in the memory for all uploads. Grows with the received bytes.
pub(super) struct UploadBudget {
    budget: Arc<Semaphore>,
    _upload: OwnedSemaphorePermit,
    held: Option<OwnedSemaphorePermit>,
    /// Bytes of `held` that are free.
    unused_bytes: u64,
}

impl UploadBudget {
    /// Fails if all uploads together take too much memory.
    pub(super) fn add(&mut self, bytes: u64) -> Result<(), HttpError> {
        let missing = bytes.saturating_sub(self.unused_bytes).div_ceil(BUDGET_UNIT_BYTES);
        if missing > 0 {
            let units = u32::try_from(missing).unwrap_or(u32::MAX);
            let permit = try_acquire(&self.budget, units, "bytes of uploads")?;
            match &mut self.held {
                Some(held) => held.merge(permit),
                None => self.held = Some(permit),
            }
        }
        self.unused_bytes = self.unused_bytes + missing * BUDGET_UNIT_BYTES - bytes;
        Ok(())
    }
}

impl Queue {
    async fn acquire(&self, what: &str) -> Result<OwnedSemaphorePermit, HttpError> {
        let _waiting = try_acquire(&self.waiting, 1, what)?;
        timeout(self.max_wait, acquire(&self.running, what)).await.map_err(|_| busy(what))?
    }
}

async fn acquire(limit: &Arc<Semaphore>, what: &str) -> Result<OwnedSemaphorePermit, HttpError> {
    limit.clone().acquire_owned().await.map_err(|_| busy(what))
}

fn try_acquire(limit: &Arc<Semaphore>, count: u32, what: &str) -> Result<OwnedSemaphorePermit, HttpError> {
    limit.clone().try_acquire_many_owned(count).map_err(|_| busy(what))
}

fn busy(what: &str) -> HttpError {
    HttpError::new(StatusCode::SERVICE_UNAVAILABLE, format!("too many {what} at once: try again in a few seconds"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uploads_share_a_budget_of_bytes() {
        let limits = WorkLimits::new(10_000, Duration::ZERO);
        let mut first = limits.start_upload().unwrap();
        (0..100).for_each(|_| first.add(100).unwrap());
        let mut second = limits.start_upload().unwrap();
        second.add(10_000).unwrap();
        assert_eq!(limits.start_upload().unwrap().add(1000).unwrap_err().status(), StatusCode::SERVICE_UNAVAILABLE);
        drop(first);
        limits.start_upload().unwrap().add(1000).unwrap();
    }

    #[tokio::test]
    async fn work_over_a_limit_waits_and_is_refused() {
        let limits = Arc::new(WorkLimits::new(10_000, Duration::from_secs(3600)));
        let mut held = Vec::new();
        for _ in 0..MAX_DOWNLOADS {
            held.push(limits.acquire_download().await.unwrap());
        }
        let wait = || {
            let limits = limits.clone();
            tokio::spawn(async move { limits.acquire_download().await.map(drop) })
        };
        let waiting: Vec<_> = (0..MAX_WAITING).map(|_| wait()).collect();
        let refused = wait().await.unwrap().unwrap_err();
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        drop(held);
        for waiting in waiting {
            assert_eq!(waiting.await.unwrap(), Ok(()));
        }
        let impatient = WorkLimits::new(10_000, Duration::ZERO);
        let _all: Vec<_> = (0..MAX_DOWNLOADS).map(|_| impatient.downloads.running.try_acquire().unwrap()).collect();
        assert_eq!(impatient.acquire_download().await.unwrap_err().status(), StatusCode::SERVICE_UNAVAILABLE);
    }
}
