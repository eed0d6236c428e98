//! Who may fill the memory next.

use std::sync::Arc;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http_error::HttpError;

/// How many files may be on their way at once.
const UPLOADS_AT_ONCE: usize = 2;

/// How many changes may be tried out at once. They have a queue of their own: a file may be long on its way.
const PREVIEWS_AT_ONCE: usize = 2;

pub(super) struct WorkLimits {
    uploads: Arc<Semaphore>,
    previews: Arc<Semaphore>,
}

impl Default for WorkLimits {
    fn default() -> Self {
        let queue = |at_once| Arc::new(Semaphore::new(at_once));
        Self { uploads: queue(UPLOADS_AT_ONCE), previews: queue(PREVIEWS_AT_ONCE) }
    }
}

impl WorkLimits {
    pub(super) async fn acquire_upload(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        try_acquire(&self.uploads).await
    }

    pub(super) async fn acquire_preview(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        try_acquire(&self.previews).await
    }
}

async fn try_acquire(queue: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, HttpError> {
    let closed = |_| HttpError::new(StatusCode::SERVICE_UNAVAILABLE, "holotape is about to end");
    queue.clone().acquire_owned().await.map_err(closed)
}
