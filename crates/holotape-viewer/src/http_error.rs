//! Error responses.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use holotape::{Error, ErrorKind};

use crate::api::ApiError;

/// A status code and a message for the user.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HttpError {
    status: StatusCode,
    message: String,
}

impl HttpError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn unprocessable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// The body of a request did not arrive in time.
    pub(crate) fn body_timeout() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "request timed out: its body did not arrive; send it again")
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }
}

impl From<Error> for HttpError {
    fn from(error: Error) -> Self {
        match error.kind() {
            ErrorKind::Io => Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
            _ => Self::unprocessable(error.to_string()),
        }
    }
}

impl From<QueryRejection> for HttpError {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

impl From<JsonRejection> for HttpError {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        (self.status, Json(ApiError { message: self.message })).into_response()
    }
}
