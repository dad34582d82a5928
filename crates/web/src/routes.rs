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

use crate::analysis::AnalysisRequest;
use crate::auth::{self, Auth};
use crate::caller::Caller;
use crate::error::ApiError;
use crate::events::{EventCommand, NewEvent};
use crate::live_game::Command;
use crate::matches::control::{MatchCommand, NewMatch};
use crate::position::PositionRequest;
use crate::registry::{self, GameRegistry};
use crate::store::ListRequest;
use crate::trace::Question;
use crate::tree::Spot;
use crate::{assets, catalogue, position, record, stream};

/// The largest body; a game of 2,000 moves fits.
const BODY: usize = 64 * 1024;

type Shared = State<Arc<GameRegistry>>;

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
    let quick = Router::new()
        .route("/", get(index))
        .route("/g/{id}", get(index))
        .route("/contest", get(index))
        .route("/games", get(index))
        .route("/edit", get(index))
        .route("/learn/{game}", get(index))
        .route("/rules/{game}", get(index))
        .route("/arena", get(index))
        .route("/events", get(index))
        .route("/event/{id}", get(index))
        .route("/arena/{*rest}", get(index))
        .route("/page/{*path}", get(plain_file))
        .route("/{hash}/page/{*path}", get(file))
        .route("/api/catalog", get(catalog))
        .route("/api/games", get(list).post(create))
        .route("/api/games/{id}", post(apply).delete(delete))
        .route("/api/games/{id}/keep", post(keep))
        .route("/api/games/{id}/legal", get(legal))
        .route("/api/games/{id}/line", get(line).post(vary))
        .route("/api/games/{id}/seat", post(seat))
        .route("/api/games/{id}/study", post(study))
        .route("/api/games/{id}/review", post(review))
        .route("/api/games/{id}/try", post(try_move))
        .route("/api/games/{id}/preview", post(preview))
        .route("/api/games/{id}/explore", get(explore))
        .route("/api/games/{id}/sample", post(sample))
        .route("/api/games/{id}/inside", post(trace))
        .route("/api/games/{id}/record", get(save))
        .route("/api/position", post(position))
        .route("/api/events", get(events_list).post(new_event))
        .route("/api/events/{id}", get(event).post(change_event))
        .route("/api/events/{id}/record", get(event_record))
        .route("/api/arena", get(arena).post(start_match))
        .route("/api/arena/{store}/{number}", get(match_table).post(open_game))
        .route("/api/arena/{store}/{number}/live", get(live_games))
        .route("/api/arena/{store}/{number}/run", post(run_match))
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
        .layer(middleware::from_fn_with_state(Arc::new(auth), auth::guard))
        .with_state(registry)
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

async fn catalog(State(registry): Shared) -> Json<Value> {
    Json(catalogue::json(registry.app.engine_limits.threads))
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

/// Reads the matches folder when it is this request's turn.
async fn reading<T: Send + 'static>(
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
