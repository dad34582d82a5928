//! The players: engines that remember their games.
//!
//! The judge may play a game between this library and itself, with one copy of
//! it in memory. So there are two players, each with a game and an engine. A call
//! belongs to the player whose game the board continues; if there is none, a new
//! game goes to the player that was not used for longest.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use protocols::course::CourseBoard;
use search::Limits;
use session::{EngineHandle, EngineSpec, cpu_time, open};

use crate::JudgePosition;

/// Megabytes for each engine, tree and solver: two of them stay far below the
/// judge's 1 GB.
const MEMORY: &str = "300";
/// Of the judge's 3 s, by the CPU's clock and by the wall clock, whichever it counts.
const SECONDS: f64 = 2.7;
/// At least so much of that is used, however late earlier answers were.
const LEAST_PART: f64 = 0.3;
/// What an answer was late by counts a little less with every move.
const FORGETTING: f64 = 0.9;
/// Both players of one game.
const PLAYERS: usize = 2;

struct Player {
    board: CourseBoard,
    engine: EngineHandle,
    last_call: u64,
}

struct Players {
    list: Vec<Player>,
    calls: u64,
    /// By how much answers came after the time planned for them: on a busy machine
    /// a thread waits for a core.
    lateness: Duration,
}

static ALL: Mutex<Players> =
    Mutex::new(Players { list: Vec::new(), calls: 0, lateness: Duration::ZERO });

/// When the judge called, by both of its clocks.
pub struct CallTime {
    at: Instant,
    cpu: Duration,
}

impl CallTime {
    /// Just now.
    pub fn now() -> CallTime {
        CallTime { at: Instant::now(), cpu: cpu_time() }
    }
}

/// The column to play, counted from 0. `None` if the board makes no sense. No
/// thread is left behind: a judge may unload the library, or charge its next call
/// for what still runs.
pub fn choose_column(position: &JudgePosition, called: &CallTime) -> Option<usize> {
    let mut players = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    players.calls += 1;
    let calls = players.calls;
    // Taken out, so that a panic leaves no half-changed player behind.
    let mut player = players.take(position)?;
    player.last_call = calls;
    player.board.see(&position.board, position.last).ok()?;
    let cpu = Duration::from_secs_f64(seconds());
    let wall = cpu.saturating_sub(players.lateness).max(cpu.mul_f64(LEAST_PART));
    let request = player.board.request(Limits::time(wall.saturating_sub(called.at.elapsed())));
    let moves: Vec<&str> = request.moves.iter().map(String::as_str).collect();
    player.engine.set(request.start.as_deref(), &moves).ok()?;
    let last = called.cpu + cpu;
    let poll = move || match cpu_time() >= last {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let info = player.engine.search(&request.limits, Some(Box::new(poll)));
    player.engine.stop();
    let lost = player.engine.has_panicked(); // waits for the thread
    let late = called.at.elapsed().saturating_sub(wall);
    players.lateness = late.max(players.lateness.mul_f64(FORGETTING));
    let column = player.board.play(info.best.as_deref()?)?;
    if !lost {
        players.list.push(player);
    }
    Some(column)
}

impl Players {
    /// The player for this board, out of the list.
    fn take(&mut self, position: &JudgePosition) -> Option<Player> {
        let fresh = CourseBoard::new(position.rows, position.columns, position.hole).ok()?;
        let continues = |player: &Player| {
            player.board.is_like(&fresh) && player.board.continues(&position.board, position.last)
        };
        if let Some(at) = self.list.iter().position(continues) {
            return Some(self.list.swap_remove(at));
        }
        let oldest = (0..self.list.len()).min_by_key(|&i| self.list[i].last_call);
        let old = oldest.filter(|_| self.list.len() >= PLAYERS);
        let old = old.map(|at| self.list.swap_remove(at));
        let seed = self.calls;
        let engine = match old {
            Some(mut old) if old.board.is_like(&fresh) => {
                old.engine.new_game(seed);
                old.engine
            }
            // An engine belongs to a board size; its memory goes before the new
            // one's comes.
            other => {
                drop(other);
                open(fresh.session().spec()).engine(&engine_spec(), seed).ok()?
            }
        };
        Some(Player { board: fresh, engine, last_call: 0 })
    }
}

fn seconds() -> f64 {
    let given = std::env::var("BOYI_COURSE_SECONDS").ok().and_then(|text| text.parse().ok());
    given.filter(|seconds| (0.001..=60.0).contains(seconds)).unwrap_or(SECONDS)
}

/// The best engine for Connect Four with one thread and bounded memory.
fn engine_spec() -> EngineSpec {
    let given = std::env::var("BOYI_COURSE_ENGINE").ok().and_then(|text| text.parse().ok());
    let mut engine: EngineSpec =
        given.unwrap_or_else(|| "best".parse().expect("there is such an engine"));
    for (name, value) in [("memory", MEMORY), ("threads", "1")] {
        if !engine.is_given(name) {
            let _ = engine.set(name, value); // not every engine has these
        }
    }
    engine
}
