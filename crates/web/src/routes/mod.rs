//! What the page can ask for, by topic. Each answer is small; everything that
//! changes by itself comes over the event stream.

mod events;
mod games;
mod matches;
mod study;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router, middleware};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use crate::auth::{self, Auth};
use crate::error::ApiError;
use crate::registry::GameRegistry;
use crate::{assets, catalogue};

/// The largest body; a game of 2,000 moves fits.
const BODY: usize = 64 * 1024;

/// Addresses of the page's views; the page itself tells them apart.
const VIEWS: [&str; 11] = [
    "/",
    "/g/{id}",
    "/contest",
    "/games",
    "/edit",
    "/learn/{game}",
    "/rules/{game}",
    "/arena",
    "/arena/{*rest}",
    "/events",
    "/event/{id}",
];

type Shared = State<Arc<GameRegistry>>;
type Routes = Router<Arc<GameRegistry>>;

/// JSON whose error is a sentence.
struct Body<T>(T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        let read = Json::<T>::from_request(request, state).await;
        read.map(|Json(value)| Body(value))
            .map_err(|error: JsonRejection| ApiError::new(error.status(), error.body_text()))
    }
}

/// Does work that locks and writes to disk away from the event loop.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let broken = |_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "something broke; try again");
    tokio::task::spawn_blocking(work).await.map_err(broken)?
}

/// All routes, behind [`auth::guard`].
pub fn router(registry: Arc<GameRegistry>, auth: Auth) -> Router {
    let views = VIEWS.iter().fold(Routes::new(), |routes, view| routes.route(view, get(index)));
    let quick = views
        .route("/page/{*path}", get(plain_file))
        .route("/{hash}/page/{*path}", get(file))
        .route("/api/catalog", get(catalog))
        .merge(games::routes())
        .merge(study::routes())
        .merge(events::routes())
        .merge(matches::routes())
        .layer(TimeoutLayer::with_status_code(
            StatusCode::REQUEST_TIMEOUT,
            Duration::from_secs(10),
        ));
    games::stream()
        .merge(quick)
        .fallback(missing)
        .layer(RequestBodyLimitLayer::new(BODY))
        .layer(middleware::from_fn_with_state(Arc::new(auth), auth::guard))
        .with_state(registry)
}

async fn index(uri: Uri, headers: HeaderMap) -> Response {
    assets::index(uri.path(), &headers)
}

/// Of an address that has nothing the page says so, and the rest in a sentence.
async fn missing(method: Method, uri: Uri) -> Response {
    if method != Method::GET || uri.path().starts_with("/api/") {
        return ApiError::new(StatusCode::NOT_FOUND, "there is nothing at this address")
            .into_response();
    }
    // Without the reader's headers, so that it is never "not modified".
    (StatusCode::NOT_FOUND, assets::index(uri.path(), &HeaderMap::new())).into_response()
}

async fn file(Path((hash, path)): Path<(String, String)>, headers: HeaderMap) -> Response {
    assets::file(Some(&hash), &path, &headers)
}

async fn plain_file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    assets::file(None, &path, &headers)
}

async fn catalog(State(registry): Shared) -> Json<Value> {
    Json(catalogue::json(registry.app.engine_limits.threads))
}
