//! A game of a match as a live game: its moves, what the engines thought,
//! who they were and how it ended. People look at it; no engine goes on with it.

use arena::{GameResult, MatchConfig};
use games::TextError;
use session::GameSpec;

use crate::error::ApiError;
use crate::live_game::{MOST_PLIES, first_chance};
use crate::settings::Settings;
use crate::store::{Ended, StoredGame, StoredPly};

/// The longest name in a strip; a spec can be longer.
const MOST_NAME: usize = 80;

/// What a live game needs. A store is a file from outside: its game is played anew,
/// and refused where the rules refuse it.
pub fn saved(config: &MatchConfig, played: &GameResult) -> Result<StoredGame, ApiError> {
    let bad = |error: TextError| ApiError::bad(format!("the game can't be replayed: {error}"));
    let spec: GameSpec =
        format!("{} {}", config.game, played.setup).trim_end().parse().map_err(bad)?;
    let mut session = session::open(&spec);
    let (position, moves) = arena::split_position(&played.moves);
    session.set(position, &[]).and_then(|()| session.play(moves)).map_err(bad)?;
    let moves = session.moves();
    if moves.len() > MOST_PLIES {
        return Err(ApiError::bad(format!("a game here has at most {MOST_PLIES} moves")));
    }
    let ended = session.outcome().is_none().then(|| Ended {
        winner: played.outcome.winner.map(|winner| winner as usize),
        reason: played.outcome.reason.to_string(),
    });
    // No engine evaluated the opening.
    let opening = moves.len().saturating_sub(played.plies.len());
    let mut replay = session::open(&spec);
    replay.set(position, &[]).map_err(bad)?;
    let mut plies = Vec::new();
    for (number, mv) in moves.iter().enumerate() {
        let mover = replay.to_move();
        replay.play(mv).map_err(bad)?;
        let thought = number.checked_sub(opening).and_then(|at| played.plies.get(at));
        let eval = thought
            .map(|ply| first_chance(mover, ply.win_rate))
            .filter(|chance| (0.0..=1.0).contains(chance));
        plies.push(StoredPly { mv: mv.clone(), eval, left: None });
    }
    let name = |engine: usize| {
        let spec = config.engines.get(engine).map_or("", |entrant| entrant.spec.as_str());
        spec.chars().filter(|c| !c.is_control()).take(MOST_NAME).collect()
    };
    let names = Some(played.engines.map(name));
    Ok(StoredGame {
        id: crate::id::fresh(),
        spec: spec.to_string(),
        start: position.map(str::to_owned),
        settings: Settings { names, ..Settings::default() },
        clocks: None,
        played: moves.len(),
        ended,
        review: None,
        plies,
        ..StoredGame::default()
    })
}
