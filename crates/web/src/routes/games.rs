//! Games: creating, listing and deleting them, moves and seats, side lines, records,
//! and the stream that tells what changes.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Body, Routes, Shared, blocking};
use crate::caller::Caller;
use crate::error::ApiError;
use crate::live_game::Command;
use crate::store::ListRequest;
use crate::tree::Spot;
use crate::{record, registry, stream};

/// Routes that answer at once.
pub fn routes() -> Routes {
    Routes::new()
        .route("/api/games", get(list).post(create))
        .route("/api/games/{id}", post(apply).delete(delete))
        .route("/api/games/{id}/keep", post(keep))
        .route("/api/games/{id}/legal", get(legal))
        .route("/api/games/{id}/line", get(line).post(vary))
        .route("/api/games/{id}/seat", post(seat))
        .route("/api/games/{id}/record", get(save))
}

/// The stream of a game's changes, which lasts as long as its page.
pub fn stream() -> Routes {
    Routes::new().route("/api/games/{id}/events", get(events))
}

async fn list(
    State(registry): Shared,
    caller: Caller,
    Query(request): Query<ListRequest>,
) -> Result<Response, ApiError> {
    Ok(Json(blocking(move || registry.list(&request, &caller)).await?).into_response())
}

#[derive(Deserialize)]
struct Keep {
    on: bool,
}

async fn keep(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Body(Keep { on }): Body<Keep>,
) -> Result<Json<Value>, ApiError> {
    blocking(move || registry.keep(&id, on, &caller)).await?;
    Ok(Json(json!({})))
}

async fn delete(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Json<Value>, ApiError> {
    blocking(move || registry.delete(&id, &caller)).await?;
    Ok(Json(json!({})))
}

async fn create(
    State(registry): Shared,
    caller: Caller,
    Body(request): Body<registry::Request>,
) -> Result<Json<Value>, ApiError> {
    let game = blocking(move || registry.create(request, &caller)).await?;
    Ok(Json(json!({ "id": game.id })))
}

async fn apply(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Body(command): Body<Command>,
) -> Result<Json<Value>, ApiError> {
    let work = move || {
        let (game, rights) = registry.find(&id, &caller)?;
        game.apply(command, rights)
    };
    blocking(work).await?;
    Ok(Json(json!({})))
}

/// What is asked about a player's seat.
#[derive(Deserialize)]
#[serde(untagged)]
enum SeatRequest {
    /// A new link that gives it to the first who opens it.
    Give { player: usize },
    /// The seat of a link.
    Take { link: String },
}

async fn seat(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Body(request): Body<SeatRequest>,
) -> Result<Json<Value>, ApiError> {
    let work = move || {
        let (game, rights) = registry.find(&id, &caller)?;
        match request {
            SeatRequest::Give { player } => {
                let seat = game.give_seat(player, rights)?;
                // Its reader may never have had the server's own link.
                let token = registry.app.guest_token.as_ref();
                let token = token.map_or(String::new(), |token| format!("token={token}&"));
                Ok(json!({ "link": format!("/g/{id}?{token}seat={seat}") }))
            }
            SeatRequest::Take { link } => Ok(json!({ "player": game.take_seat(&link, &caller)? })),
        }
    };
    Ok(Json(blocking(work).await?))
}

async fn legal(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Query(at): Query<Spot>,
) -> Result<Json<Value>, ApiError> {
    Ok(Json(blocking(move || registry.find(&id, &caller)?.0.legal_at(at)).await?))
}

#[derive(Deserialize)]
struct Through {
    node: u32,
}

async fn line(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Query(Through { node }): Query<Through>,
) -> Result<Json<Value>, ApiError> {
    Ok(Json(blocking(move || registry.find(&id, &caller)?.0.line(node)).await?))
}

/// A move to be added to a side line.
#[derive(Deserialize)]
struct SideMove {
    #[serde(flatten)]
    spot: Spot,
    r#move: String,
}

async fn vary(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Body(SideMove { spot, r#move }): Body<SideMove>,
) -> Result<Json<Spot>, ApiError> {
    let work = move || {
        let (game, rights) = registry.find(&id, &caller)?;
        game.vary(spot, &r#move, rights)
    };
    Ok(Json(blocking(work).await?))
}

#[derive(Deserialize)]
struct When {
    date: Option<String>,
}

async fn save(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Query(When { date }): Query<When>,
) -> Result<Response, ApiError> {
    let saved = blocking(move || record::of(&registry.find(&id, &caller)?.0, date)).await?;
    let name = format!("attachment; filename*=UTF-8''{}", record::percent(&saved.name));
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, saved.text).into_response())
}

#[derive(Deserialize)]
struct Tab {
    tab: String,
}

async fn events(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Query(Tab { tab }): Query<Tab>,
) -> Result<Response, ApiError> {
    if tab.is_empty() || tab.len() > 40 {
        return Err(ApiError::bad("a tab has a name of at most 40 characters"));
    }
    let (finder, asking) = (Arc::clone(&registry), caller.clone());
    let (game, _) = blocking(move || finder.find(&id, &asking)).await?;
    let open = registry.streams.open(&caller)?;
    Ok(stream::events(registry, game, tab, caller, open))
}
