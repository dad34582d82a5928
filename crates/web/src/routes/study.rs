//! What is asked about a position: analysis, review, lines, the explorer, a traced
//! search, and positions without a game.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::matches::reading;
use super::{Body, Routes, Shared, blocking};
use crate::analysis::AnalysisRequest;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::position::{self, PositionRequest};
use crate::trace::Question;
use crate::tree::Spot;

pub fn routes() -> Routes {
    Routes::new()
        .route("/api/games/{id}/study", post(study))
        .route("/api/games/{id}/review", post(review))
        .route("/api/games/{id}/try", post(try_move))
        .route("/api/games/{id}/preview", post(preview))
        .route("/api/games/{id}/explore", get(explore))
        .route("/api/games/{id}/sample", post(sample))
        .route("/api/games/{id}/inside", post(trace))
        .route("/api/position", post(position))
}

async fn study(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Body(request): Body<AnalysisRequest>,
) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let (game, rights) = registry.find(&id, &caller)?;
        registry.tabs.study(&game, &request)?;
        // One who watches may analyse, and changes nothing by it.
        if rights.owns { game.remember_study(&request) } else { Ok(()) }
    })
    .await?;
    Ok(Json(json!({})))
}

async fn review(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Json<Value>, ApiError> {
    let work = move || {
        let (game, rights) = registry.find(&id, &caller)?;
        rights.participant()?;
        game.review()
    };
    blocking(work).await?;
    Ok(Json(json!({})))
}

#[derive(Deserialize)]
struct Attempt {
    ply: usize,
    r#move: String,
}

async fn try_move(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Body(Attempt { ply, r#move }): Body<Attempt>,
) -> Result<Json<Value>, ApiError> {
    let (game, _) = blocking(move || registry.find(&id, &caller)).await?;
    Ok(Json(game.try_move(ply, r#move).await?))
}

#[derive(Deserialize)]
struct LineFrom {
    #[serde(flatten)]
    spot: Spot,
    moves: Vec<String>,
}

async fn preview(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Body(LineFrom { spot, moves }): Body<LineFrom>,
) -> Result<Json<Value>, ApiError> {
    let work = move || Ok(json!(registry.find(&id, &caller)?.0.line_from(spot, &moves)?));
    Ok(Json(blocking(work).await?))
}

async fn explore(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Query(at): Query<Spot>,
) -> Result<Json<Value>, ApiError> {
    let games = Arc::clone(&registry);
    let session = blocking(move || games.find(&id, &caller)?.0.session_at(at)).await?;
    Ok(Json(reading(registry, move |registry| Ok(registry.matches.explore(&session))).await?))
}

async fn sample(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Body(at): Body<Spot>,
) -> Result<Json<Value>, ApiError> {
    let work = move || {
        let (game, rights) = registry.find(&id, &caller)?;
        rights.participant()?;
        game.sample(at)
    };
    blocking(work).await?;
    Ok(Json(json!({})))
}

async fn trace(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Body(question): Body<Question>,
) -> Result<Json<Value>, ApiError> {
    Ok(Json(blocking(move || registry.find(&id, &caller)?.0.trace(question)).await?))
}

async fn position(Body(request): Body<PositionRequest>) -> Result<Json<Value>, ApiError> {
    Ok(Json(blocking(move || position::describe(&request)).await?))
}
