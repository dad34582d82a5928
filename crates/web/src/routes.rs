//! What the page can ask for. Each answer is small; everything that changes by
//! itself comes over the event stream.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use crate::door::{self, Door};
use crate::inside::Question;
use crate::refusal::Refusal;
use crate::room::{self, Room};
use crate::study::Wish;
use crate::table::Command;
use crate::{assets, catalogue, record, stream};

/// The largest body; a game of 2,000 moves fits.
const BODY: usize = 64 * 1024;

type Shared = State<Arc<Room>>;

/// JSON whose refusal is a sentence.
struct Body<T>(T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Refusal> {
        let read = Json::<T>::from_request(request, state).await;
        read.map(|Json(value)| Body(value))
            .map_err(|error: JsonRejection| Refusal::new(error.status(), error.body_text()))
    }
}

/// Does work that locks and writes to disk away from the event loop.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let broken = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "something broke; try again");
    tokio::task::spawn_blocking(work).await.map_err(broken)?
}

/// All routes behind the door.
pub fn router(room: Arc<Room>, door: Door) -> Router {
    let quick = Router::new()
        .route("/", get(index))
        .route("/g/{id}", get(index))
        .route("/contest", get(index))
        .route("/arena", get(index))
        .route("/arena/{*rest}", get(index))
        .route("/page/{*path}", get(plain_file))
        .route("/{hash}/page/{*path}", get(file))
        .route("/api/catalog", get(catalog))
        .route("/api/games", get(recent).post(create))
        .route("/api/games/{id}", post(obey))
        .route("/api/games/{id}/legal", get(legal))
        .route("/api/games/{id}/study", post(study))
        .route("/api/games/{id}/review", post(review))
        .route("/api/games/{id}/inside", post(inside))
        .route("/api/games/{id}/record", get(save))
        .route("/api/arena", get(arena))
        .route("/api/arena/{store}/{number}", get(match_table).post(exhibit))
        .route("/api/reports/{id}", get(report))
        .route("/report/{id}", get(report_page))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::REQUEST_TIMEOUT,
            Duration::from_secs(10),
        ));
    Router::new()
        .route("/api/games/{id}/events", get(events))
        .merge(quick)
        .layer(RequestBodyLimitLayer::new(BODY))
        .layer(middleware::from_fn_with_state(Arc::new(door), door::guard))
        .with_state(room)
}

async fn index(headers: HeaderMap) -> Response {
    assets::index(&headers)
}

async fn file(Path((hash, path)): Path<(String, String)>, headers: HeaderMap) -> Response {
    assets::file(Some(&hash), &path, &headers)
}

async fn plain_file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    assets::file(None, &path, &headers)
}

async fn catalog(State(room): Shared) -> Json<Value> {
    Json(catalogue::json(room.house.means.threads))
}

async fn recent(State(room): Shared) -> Result<Response, Refusal> {
    Ok(Json(aside(move || room.recent()).await?).into_response())
}

async fn create(
    State(room): Shared,
    Body(request): Body<room::Request>,
) -> Result<Json<Value>, Refusal> {
    let table = aside(move || room.create(request)).await?;
    Ok(Json(json!({ "id": table.id })))
}

async fn obey(
    State(room): Shared,
    Path(id): Path<String>,
    Body(command): Body<Command>,
) -> Result<Json<Value>, Refusal> {
    aside(move || room.find(&id)?.obey(command)).await?;
    Ok(Json(json!({})))
}

#[derive(Deserialize)]
struct At {
    ply: usize,
}

async fn legal(
    State(room): Shared,
    Path(id): Path<String>,
    Query(at): Query<At>,
) -> Result<Json<Value>, Refusal> {
    Ok(Json(aside(move || room.find(&id)?.legal_at(at.ply)).await?))
}

async fn study(
    State(room): Shared,
    Path(id): Path<String>,
    Body(wish): Body<Wish>,
) -> Result<Json<Value>, Refusal> {
    aside(move || {
        let table = room.find(&id)?;
        room.tabs.study(&table, &wish)?;
        table.remember_study(&wish)
    })
    .await?;
    Ok(Json(json!({})))
}

async fn review(State(room): Shared, Path(id): Path<String>) -> Result<Json<Value>, Refusal> {
    aside(move || room.find(&id)?.review()).await?;
    Ok(Json(json!({})))
}

async fn inside(
    State(room): Shared,
    Path(id): Path<String>,
    Body(question): Body<Question>,
) -> Result<Json<Value>, Refusal> {
    Ok(Json(aside(move || room.find(&id)?.inside(question)).await?))
}

#[derive(Deserialize)]
struct When {
    date: Option<String>,
}

async fn save(
    State(room): Shared,
    Path(id): Path<String>,
    Query(When { date }): Query<When>,
) -> Result<Response, Refusal> {
    let saved = aside(move || room.find(&id).and_then(|table| record::of(&table, date))).await?;
    let name = format!("attachment; filename*=UTF-8''{}", record::percent(&saved.name));
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, saved.text).into_response())
}

async fn arena(State(room): Shared) -> Result<Json<Value>, Refusal> {
    Ok(Json(aside(move || Ok(room.gallery.list())).await?))
}

async fn match_table(
    State(room): Shared,
    Path((store, number)): Path<(String, i64)>,
) -> Result<Json<Value>, Refusal> {
    Ok(Json(aside(move || room.gallery.show(&store, number)).await?))
}

#[derive(Deserialize)]
struct Which {
    game: u64,
}

async fn exhibit(
    State(room): Shared,
    Path((store, number)): Path<(String, i64)>,
    Body(Which { game }): Body<Which>,
) -> Result<Json<Value>, Refusal> {
    let table = aside(move || room.exhibit(&store, number, game)).await?;
    Ok(Json(json!({ "id": table.id })))
}

async fn report(State(room): Shared, Path(id): Path<String>) -> Result<Json<Value>, Refusal> {
    Ok(Json(aside(move || room.gallery.report(&id)).await?))
}

/// A page that somebody's file brings: it may have style, and nothing else.
async fn report_page(State(room): Shared, Path(id): Path<String>) -> Result<Response, Refusal> {
    let text = aside(move || room.gallery.report_page(&id)).await?;
    let policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    Ok((headers, text).into_response())
}

#[derive(Deserialize)]
struct Tab {
    tab: String,
}

async fn events(
    State(room): Shared,
    Path(id): Path<String>,
    Query(Tab { tab }): Query<Tab>,
) -> Result<Response, Refusal> {
    if tab.is_empty() || tab.len() > 40 {
        return Err(Refusal::bad("a tab has a name of at most 40 characters"));
    }
    let (finder, id) = (Arc::clone(&room), id);
    let table = aside(move || finder.find(&id)).await?;
    Ok(stream::events(room, table, tab))
}
