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
use session::engine::resolve;
use session::rows::connect_four;
use session::{EngineHandle, EngineSpec, cpu_time, open};

use crate::Scene;

/// Megabytes for each tree: two of them stay far below the judge's 1 GB.
const MEMORY: &str = "200";
/// Of the judge's 3 s of CPU time.
const SECONDS: f64 = 2.7;
/// On a busy machine the wall clock runs faster than the CPU's. So much of it, as
/// a multiple of the CPU time, and the answer is given all the same.
const PATIENCE: f64 = 2.0;
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
}

static ALL: Mutex<Players> = Mutex::new(Players { list: Vec::new(), calls: 0 });

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

/// The column to play, counted from 0. `None` if the board makes no sense.
pub fn choose_column(scene: &Scene, called: &CallTime) -> Option<usize> {
    let mut players = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    players.calls += 1;
    let calls = players.calls;
    // Taken out, so that a panic leaves no half-changed player behind.
    let mut player = players.take(scene)?;
    player.last_call = calls;
    player.board.see(&scene.board, scene.last).ok()?;
    let cpu = Duration::from_secs_f64(seconds());
    let time = cpu.mul_f64(PATIENCE).saturating_sub(called.at.elapsed());
    let request = player.board.request(Limits::time(time));
    let moves: Vec<&str> = request.moves.iter().map(String::as_str).collect();
    player.engine.set(request.start.as_deref(), &moves).ok()?;
    let last = called.cpu + cpu;
    let poll = move || match cpu_time() >= last {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let info = player.engine.search(&request.limits, Some(Box::new(poll)));
    let column = player.board.play(info.best.as_deref()?)?;
    players.list.push(player);
    Some(column)
}

impl Players {
    /// The player for this board, out of the list.
    fn take(&mut self, scene: &Scene) -> Option<Player> {
        let fresh = CourseBoard::new(scene.rows, scene.columns, scene.hole).ok()?;
        let continues = |player: &Player| {
            player.board.is_like(&fresh) && player.board.continues(&scene.board, scene.last)
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
    let best = || resolve(&"best".parse().ok()?, &connect_four::ROW).ok();
    let mut engine: EngineSpec = given
        .or_else(best)
        .unwrap_or_else(|| "uct rollout=weighted".parse().expect("there is such an engine"));
    for (name, value) in [("memory", MEMORY), ("threads", "1")] {
        if !engine.is_given(name) {
            let _ = engine.set(name, value); // not every engine has these
        }
    }
    engine
}
