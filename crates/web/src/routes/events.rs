//! Contest days.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::routing::get;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Body, Routes, Shared, blocking};
use crate::caller::Caller;
use crate::error::ApiError;
use crate::events::{EventCommand, NewEvent};

pub fn routes() -> Routes {
    Routes::new()
        .route("/api/events", get(events_list).post(new_event))
        .route("/api/events/{id}", get(event).post(change_event))
        .route("/api/events/{id}/record", get(event_record))
}

async fn events_list(State(registry): Shared, caller: Caller) -> Result<Json<Value>, ApiError> {
    Ok(Json(blocking(move || Ok(registry.events.list(&caller))).await?))
}

async fn new_event(
    State(registry): Shared,
    caller: Caller,
    Body(new): Body<NewEvent>,
) -> Result<Json<Value>, ApiError> {
    let id = blocking(move || registry.events.create(new, &caller)).await?;
    Ok(Json(json!({ "id": id })))
}

async fn event(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Json<Value>, ApiError> {
    Ok(Json(blocking(move || registry.events.show(&id, &caller)).await?))
}

async fn change_event(
    State(registry): Shared,
    Path(id): Path<String>,
    caller: Caller,
    Body(command): Body<EventCommand>,
) -> Result<Json<Value>, ApiError> {
    let work = move || {
        registry.events.apply(&id, command, &caller)?;
        registry.events.show(&id, &caller)
    };
    Ok(Json(blocking(work).await?))
}

#[derive(Deserialize)]
struct WhichRecord {
    round: usize,
    table: usize,
    game: usize,
}

async fn event_record(
    State(registry): Shared,
    Path(id): Path<String>,
    Query(WhichRecord { round, table, game }): Query<WhichRecord>,
) -> Result<Json<Value>, ApiError> {
    let work = move || registry.events.record(&id, (round, table, game));
    Ok(Json(json!({ "text": blocking(work).await? })))
}
