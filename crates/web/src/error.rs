//! Why a request was not done: a status and a sentence a person can act on.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use storage::Fault;

use crate::store::StoreError;

/// A request that was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct ApiError {
    /// For the browser.
    pub status: StatusCode,
    /// For the person.
    pub sentence: String,
}

impl ApiError {
    /// With this status.
    pub fn new(status: StatusCode, sentence: impl ToString) -> ApiError {
        ApiError { status, sentence: sentence.to_string() }
    }

    /// Something in the request is wrong.
    pub fn bad(sentence: impl ToString) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// It was right a moment ago.
    pub fn stale(sentence: impl ToString) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, sentence)
    }

    /// There is no such thing.
    pub fn missing() -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "there is no such game here")
    }

    /// Too much at once.
    pub fn busy() -> ApiError {
        let sentence = "too many searches are running; try again in a moment";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        let status = match &error {
            StoreError::Gone => StatusCode::NOT_FOUND,
            StoreError::Restored => StatusCode::CONFLICT,
            StoreError::Sql(error) if Fault::of(error) == Fault::Full => {
                StatusCode::INSUFFICIENT_STORAGE
            }
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ApiError::new(status, error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.sentence }))).into_response()
    }
}
