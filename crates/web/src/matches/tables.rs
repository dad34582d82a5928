//! Matches as data for the page: the listing, and the table of one.

use arena::statistics::{Tally, ratings};
use arena::{Boards, GameResult, MatchConfig, MatchId, Openings, Store, StoreError};
use serde_json::{Value, json};
use session::{GameSpec, GameVisitor, Playable};

use super::MOST_ENGINES;
use super::sources::Source;
use crate::live_game::outcome_json;

/// The most matches of a store in the listing: the last ones.
const MOST_MATCHES: usize = 60;
/// The most games in a table: the last ones.
const MOST_GAMES: u64 = 60;
/// Bootstrap samples of a table of ratings, which is made anew at each look.
const RESAMPLES: u32 = 200;

/// A store in the listing; none if it is some other file.
pub fn store(source: &Source) -> Option<Value> {
    let listed = Store::open_read_only(&source.path).and_then(|store| {
        let matches = store.matches()?;
        let skipped = matches.len().saturating_sub(MOST_MATCHES);
        let listed: Result<Vec<Value>, StoreError> = matches[skipped..]
            .iter()
            .rev()
            .filter(|(_, config)| config.engines.len() <= MOST_ENGINES)
            .map(|(id, config)| entry(&store, *id, config))
            .collect();
        Ok((listed?, skipped))
    });
    let (matches, skipped, trouble) = match listed {
        Ok((matches, skipped)) => (matches, skipped, false),
        Err(StoreError::Foreign(_)) => return None,
        Err(_) => (Vec::new(), 0, true),
    };
    Some(json!({
        "id": source.id, "name": source.name, "changed": source.changed,
        "running": Store::is_locked(&source.path),
        "matches": matches, "skipped": skipped, "trouble": trouble,
    }))
}

fn entry(store: &Store, id: MatchId, config: &MatchConfig) -> Result<Value, StoreError> {
    let encounters = store.encounters(id, config)?;
    let games: u64 = encounters.iter().map(|encounter| encounter.tally.games()).sum();
    let first = Tally::of_engine(0, &encounters);
    Ok(json!({
        "number": id.number(), "game": game(config), "name": config.game,
        "engines": specs(config), "games": games,
        "score": (first.games() > 0).then(|| first.score()),
        "elo": first.elo().map(|elo| elo.elo),
    }))
}

/// All about one match.
pub fn whole(
    source: &Source,
    store: &Store,
    id: MatchId,
    config: &MatchConfig,
) -> Result<Value, StoreError> {
    let encounters = store.encounters(id, config)?;
    let engines = config.engines.len();
    let rated = match engines {
        3.. => ratings(engines, &encounters, RESAMPLES, config.seed),
        _ => Vec::new(),
    };
    let table: Vec<Value> = config
        .engines
        .iter()
        .enumerate()
        .map(|(number, entrant)| {
            let rating = rated.get(number).map(|one| json!([one.elo, one.low, one.high]));
            let mut row = json!(entrant); // spec, version and limits
            row["rating"] = json!(rating);
            row["tally"] = tally(&Tally::of_engine(number, &encounters));
            row
        })
        .collect();
    let meetings: Vec<Value> = encounters
        .iter()
        .map(|one| json!({ "engines": one.engines, "tally": tally(&one.tally) }))
        .collect();
    let games = store.latest(id, MOST_GAMES)?;
    let lengths = match config.game.parse::<GameSpec>() {
        Ok(spec) => spec.visit(Lengths(&games)),
        Err(_) => Vec::new(),
    };
    let latest: Vec<Value> =
        games.iter().enumerate().map(|(i, game)| line(game, lengths.get(i))).collect();
    Ok(json!({
        "store": source.name, "changed": source.changed,
        "running": Store::is_locked(&source.path),
        "number": id.number(), "game": game(config), "name": config.game, "seed": config.seed,
        "openings": openings(config), "table": table, "meetings": meetings, "latest": latest,
    }))
}

/// How many moves games have.
struct Lengths<'a>(&'a [GameResult]);

impl GameVisitor for Lengths<'_> {
    type Output = Vec<usize>;

    fn visit<G: Playable>(self, _: G) -> Vec<usize> {
        self.0
            .iter()
            .map(|played| G::split_moves(arena::split_position(&played.moves).1).len())
            .collect()
    }
}

/// A game in the list.
fn line(played: &GameResult, length: Option<&usize>) -> Value {
    json!({
        "index": played.index, "engines": played.engines, "outcome": outcome_json(played.outcome),
        "plies": length, "note": played.note,
    })
}

fn tally(tally: &Tally) -> Value {
    json!({
        "wins": tally.wins, "draws": tally.draws, "losses": tally.losses, "pairs": tally.pairs,
        "games": tally.games(), "points": tally.points(), "score": tally.score(),
        "wilson": tally.wilson(), "elo": tally.elo(),
    })
}

fn game(config: &MatchConfig) -> String {
    match config.boards {
        Boards::Given => format!("{} {}", config.game, config.setup).trim_end().to_owned(),
        Boards::Drawn => format!("{} --boards random", config.game),
    }
}

fn specs(config: &MatchConfig) -> Vec<&str> {
    config.engines.iter().map(|entrant| entrant.spec.as_str()).collect()
}

/// A list of openings can be long; how many there are is all one reads.
fn openings(config: &MatchConfig) -> Value {
    match &config.openings {
        Openings::Random { plies } => json!({ "random": plies }),
        Openings::Listed(lines) => json!({ "listed": lines.len() }),
    }
}
