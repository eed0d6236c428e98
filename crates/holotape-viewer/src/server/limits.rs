//! Limits on concurrent work. Short queues wait for their turn; what exceeds them is refused.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::http_error::HttpError;
use crate::slots::{ClientAddress, Slot, Slots};

/// The minimum speed of a client that sends an upload or reads a response, on average after the client timeout.
pub(super) const MIN_BYTES_PER_SEC: u64 = 32 << 10;

/// Uploads that are received at once. A slow one holds no other resource than the bytes that it has sent.
const MAX_UPLOADS: usize = 8;

/// All uploads that are received at once may take this many times the memory of the largest allowed one, and those of one address
/// half of it.
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
    uploads: Slots,
    upload_budget: Arc<Slots>,
    parses: Queue,
    previews: Queue,
    downloads: Queue,
    requests: Slots,
}

/// Limits work that may wait for its turn.
struct Queue {
    running: Slots,
    waiting: Slots,
    max_wait: Duration,
}

impl WorkLimits {
    pub(super) fn new(upload_limit_bytes: u64, max_wait: Duration) -> Self {
        let queue =
            |what, count| Queue { running: Slots::new(what, count), waiting: Slots::new(what, MAX_WAITING), max_wait };
        let budget = upload_limit_bytes.div_ceil(BUDGET_UNIT_BYTES).saturating_mul(MAX_LARGE_UPLOADS_RECEIVED);
        let budget = usize::try_from(budget).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Self {
            uploads: Slots::new("uploads", MAX_UPLOADS),
            upload_budget: Arc::new(Slots::new("bytes of uploads", budget)),
            parses: queue("files to open", MAX_PARSES),
            previews: queue("previews", MAX_PREVIEWS),
            downloads: queue("downloads", MAX_DOWNLOADS),
            requests: Slots::new("requests", MAX_REQUESTS),
        }
    }

    pub(super) fn start_upload(&self, client: ClientAddress) -> Result<UploadBudget, HttpError> {
        let upload = self.uploads.try_acquire(client, 1)?;
        Ok(UploadBudget { budget: self.upload_budget.clone(), client, _upload: upload, held: None, unused_bytes: 0 })
    }

    pub(super) async fn acquire_parse(&self, client: ClientAddress) -> Result<Slot, HttpError> {
        self.parses.acquire(client).await
    }

    pub(super) async fn acquire_preview(&self, client: ClientAddress) -> Result<Slot, HttpError> {
        self.previews.acquire(client).await
    }

    pub(super) async fn acquire_download(&self, client: ClientAddress) -> Result<Slot, HttpError> {
        self.downloads.acquire(client).await
    }

    pub(super) async fn acquire_request(&self, client: ClientAddress) -> Result<Slot, HttpError> {
        self.requests.acquire(client, Duration::MAX).await
    }
}

/// The share of an upload in the memory for all uploads. Grows with the received bytes.
pub(super) struct UploadBudget {
    budget: Arc<Slots>,
    client: ClientAddress,
    _upload: Slot,
    held: Option<Slot>,
    /// Bytes of `held` that are free.
    unused_bytes: u64,
}

impl UploadBudget {
    /// Fails if all uploads, or those of the client, together take too much memory.
    pub(super) fn add(&mut self, bytes: u64) -> Result<(), HttpError> {
        let missing = bytes.saturating_sub(self.unused_bytes).div_ceil(BUDGET_UNIT_BYTES);
        if missing > 0 {
            let units = u32::try_from(missing).unwrap_or(u32::MAX);
            let slots = self.budget.try_acquire(self.client, units)?;
            match &mut self.held {
                Some(held) => held.merge(slots),
                None => self.held = Some(slots),
            }
        }
        self.unused_bytes = self.unused_bytes + missing * BUDGET_UNIT_BYTES - bytes;
        Ok(())
    }
}

impl Queue {
    async fn acquire(&self, client: ClientAddress) -> Result<Slot, HttpError> {
        let _waiting = self.waiting.try_acquire(client, 1)?;
        self.running.acquire(client, self.max_wait).await
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use super::*;

    /// Any client on this machine.
    const LOCAL: ClientAddress = ClientAddress::LOCAL;

    #[test]
    fn uploads_share_a_budget_of_bytes() {
        let limits = WorkLimits::new(10_000, Duration::ZERO);
        let mut first = limits.start_upload(LOCAL).unwrap();
        (0..100).for_each(|_| first.add(100).unwrap());
        let mut second = limits.start_upload(LOCAL).unwrap();
        second.add(10_000).unwrap();
        assert_eq!(
            limits.start_upload(LOCAL).unwrap().add(1000).unwrap_err().status(),
            StatusCode::SERVICE_UNAVAILABLE
        );
        drop(first);
        limits.start_upload(LOCAL).unwrap().add(1000).unwrap();
    }

    #[tokio::test]
    async fn work_over_a_limit_waits_and_is_refused() {
        let limits = Arc::new(WorkLimits::new(10_000, Duration::from_secs(3600)));
        let mut held = Vec::new();
        for _ in 0..MAX_DOWNLOADS {
            held.push(limits.acquire_download(LOCAL).await.unwrap());
        }
        let wait = || {
            let limits = limits.clone();
            tokio::spawn(async move { limits.acquire_download(LOCAL).await.map(drop) })
        };
        let waiting: Vec<_> = (0..MAX_WAITING).map(|_| wait()).collect();
        let refused = wait().await.unwrap().unwrap_err();
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        drop(held);
        for waiting in waiting {
            assert_eq!(waiting.await.unwrap(), Ok(()));
        }
        let impatient = WorkLimits::new(10_000, Duration::ZERO);
        let _all: Vec<_> =
            (0..MAX_DOWNLOADS).map(|_| impatient.downloads.running.try_acquire(LOCAL, 1).unwrap()).collect();
        assert_eq!(impatient.acquire_download(LOCAL).await.unwrap_err().status(), StatusCode::SERVICE_UNAVAILABLE);
    }

    #[test]
    fn one_address_cannot_use_the_whole_upload_budget() {
        let limits = WorkLimits::new(1500, Duration::ZERO);
        let [headset, other] = [2, 3].map(|last| ClientAddress::new([192, 168, 1, last].into()));
        let mut largest = limits.start_upload(headset).unwrap();
        largest.add(1500).unwrap();
        let refused = limits.start_upload(headset).unwrap().add(1000).unwrap_err();
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        limits.start_upload(other).unwrap().add(1500).unwrap();
    }
}
