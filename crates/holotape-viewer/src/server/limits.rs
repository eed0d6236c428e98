//! Limits on concurrent work that needs much memory.

use std::sync::Arc;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::http_error::HttpError;

const MAX_UPLOADS: usize = 2;

/// Separate from uploads, because an upload may be slow.
const MAX_PREVIEWS: usize = 2;

pub(super) struct WorkLimits {
    uploads: Arc<Semaphore>,
    previews: Arc<Semaphore>,
}

impl Default for WorkLimits {
    fn default() -> Self {
        let queue = |limit| Arc::new(Semaphore::new(limit));
        Self { uploads: queue(MAX_UPLOADS), previews: queue(MAX_PREVIEWS) }
    }
}

impl WorkLimits {
    pub(super) async fn acquire_upload(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        acquire(&self.uploads).await
    }

    pub(super) async fn acquire_preview(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        acquire(&self.previews).await
    }
}

async fn acquire(queue: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, HttpError> {
    let closed = |_| HttpError::new(StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down");
    queue.clone().acquire_owned().await.map_err(closed)
}
