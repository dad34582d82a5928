//! Matches and reports of the matches folder, and matches that this server plays.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Body, Routes, Shared, blocking};
use crate::caller::Caller;
use crate::error::ApiError;
use crate::matches::control::{MatchCommand, NewMatch};
use crate::registry::GameRegistry;

pub fn routes() -> Routes {
    Routes::new()
        .route("/api/arena", get(arena).post(start_match))
        .route("/api/arena/{store}/{number}", get(match_table).post(open_game))
        .route("/api/arena/{store}/{number}/live", get(live_games))
        .route("/api/arena/{store}/{number}/run", post(run_match))
        .route("/api/reports/{id}", get(report))
        .route("/report/{id}", get(report_page))
}

/// Reads the matches folder when it is this request's turn.
pub async fn reading<T: Send + 'static>(
    registry: Arc<GameRegistry>,
    work: impl FnOnce(&GameRegistry) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let permit = registry.matches.reader().await?;
    let work = move || {
        // A request that is given up keeps its turn until its work has ended.
        let _permit = permit;
        work(&registry)
    };
    blocking(work).await
}

async fn arena(State(registry): Shared, caller: Caller) -> Result<Json<Value>, ApiError> {
    let work = move |registry: &GameRegistry| {
        let mut list = registry.matches.list();
        list["starts"] = json!(caller.is_operator && registry.matches.control.can_start());
        Ok(list)
    };
    Ok(Json(reading(registry, work).await?))
}

/// Only the operator makes the machine play matches.
fn operator(caller: &Caller) -> Result<(), ApiError> {
    let sentence = "only the operator of this server starts and stops matches";
    let refused = || ApiError::new(StatusCode::FORBIDDEN, sentence);
    caller.is_operator.then_some(()).ok_or_else(refused)
}

async fn start_match(
    State(registry): Shared,
    caller: Caller,
    Body(new): Body<NewMatch>,
) -> Result<Json<Value>, ApiError> {
    operator(&caller)?;
    let work = move |registry: &GameRegistry| {
        let number = registry.matches.control.start(&new)?;
        registry.matches.started(number)
    };
    Ok(Json(reading(registry, work).await?))
}

async fn run_match(
    State(registry): Shared,
    Path((store, number)): Path<(String, i64)>,
    caller: Caller,
    Body(command): Body<MatchCommand>,
) -> Result<Json<Value>, ApiError> {
    operator(&caller)?;
    let work = move |registry: &GameRegistry| registry.matches.command(&store, number, command);
    reading(registry, work).await?;
    Ok(Json(json!({})))
}

async fn live_games(
    State(registry): Shared,
    Path((store, number)): Path<(String, i64)>,
) -> Result<Json<Value>, ApiError> {
    let work = move |registry: &GameRegistry| registry.matches.live(&store, number);
    Ok(Json(reading(registry, work).await?))
}

async fn match_table(
    State(registry): Shared,
    Path((store, number)): Path<(String, i64)>,
) -> Result<Json<Value>, ApiError> {
    let work = move |registry: &GameRegistry| registry.matches.show(&store, number);
    Ok(Json(reading(registry, work).await?))
}

#[derive(Deserialize)]
struct Which {
    game: u64,
}

async fn open_game(
    State(registry): Shared,
    Path((store, number)): Path<(String, i64)>,
    caller: Caller,
    Body(Which { game }): Body<Which>,
) -> Result<Json<Value>, ApiError> {
    let work = move |registry: &GameRegistry| registry.open_game(&store, number, game, &caller);
    let game = reading(registry, work).await?;
    Ok(Json(json!({ "id": game.id })))
}

async fn report(State(registry): Shared, Path(id): Path<String>) -> Result<Json<Value>, ApiError> {
    let work = move |registry: &GameRegistry| registry.matches.report(&id);
    Ok(Json(reading(registry, work).await?))
}

/// A page from a file of the matches folder: it may have style, and nothing else.
async fn report_page(
    State(registry): Shared,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let work = move |registry: &GameRegistry| registry.matches.report_page(&id);
    let text = reading(registry, work).await?;
    let policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    Ok((headers, text).into_response())
}
