//! Who plays: engines that remember their games.
//!
//! The judge may play a game between this library and itself, with one copy of
//! it in memory. So there are two seats, each with a game and an engine. A call
//! belongs to the seat whose game the board continues; if there is none, a new
//! game takes the seat that was not used for longest.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use protocols::course::CourseBoard;
use search::Limits;
use session::rows::connect_four;
use session::{EngineSpec, Thinker, cpu_time, open};

use crate::Scene;

/// Megabytes for each tree: two of them stay far below the judge's 1 GB.
const MEMORY: &str = "200";
/// Of the judge's 3 s of CPU time.
const SECONDS: f64 = 2.7;
/// On a busy machine the wall clock runs faster than the CPU's. So much of it, as
/// a multiple of the CPU time, and the answer is given all the same: somebody is
/// waiting.
const PATIENCE: f64 = 2.0;
/// Seats: the two players of one game.
const SEATS: usize = 2;

struct Seat {
    board: CourseBoard,
    thinker: Box<dyn Thinker>,
    used: u64,
}

struct Room {
    seats: Vec<Seat>,
    calls: u64,
}

static ROOM: Mutex<Room> = Mutex::new(Room { seats: Vec::new(), calls: 0 });

/// When the judge asked, by both of its clocks.
pub struct Asked {
    at: Instant,
    cpu: Duration,
}

impl Asked {
    /// Just now.
    pub fn now() -> Asked {
        Asked { at: Instant::now(), cpu: cpu_time() }
    }
}

/// The column to play, counted from 0. `None` if the board makes no sense.
pub fn think(scene: &Scene, asked: &Asked) -> Option<usize> {
    let mut room = ROOM.lock().unwrap_or_else(PoisonError::into_inner);
    room.calls += 1;
    let calls = room.calls;
    // Taken out, so that a panic leaves no half-changed seat behind.
    let mut seat = room.take(scene)?;
    seat.used = calls;
    seat.board.see(&scene.board, scene.last).ok()?;
    let cpu = Duration::from_secs_f64(seconds());
    let time = cpu.mul_f64(PATIENCE).saturating_sub(asked.at.elapsed());
    let order = seat.board.order(Limits { time: Some(time), ..Limits::default() });
    let moves: Vec<&str> = order.moves.iter().map(String::as_str).collect();
    seat.thinker.set(order.start.as_deref(), &moves).ok()?;
    let enough = || cpu_time().saturating_sub(asked.cpu) >= cpu;
    let report = seat.thinker.think(&order.limits, &mut |_| match enough() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    let column = seat.board.play(report.best.as_deref()?)?;
    room.seats.push(seat);
    Some(column)
}

impl Room {
    /// The seat for this board, out of the room.
    fn take(&mut self, scene: &Scene) -> Option<Seat> {
        let fresh = CourseBoard::new(scene.rows, scene.columns, scene.hole).ok()?;
        let continues = |seat: &Seat| {
            seat.board.is_like(&fresh) && seat.board.continues(&scene.board, scene.last)
        };
        if let Some(at) = self.seats.iter().position(continues) {
            return Some(self.seats.swap_remove(at));
        }
        let oldest = (0..self.seats.len()).min_by_key(|&i| self.seats[i].used);
        let old = oldest.filter(|_| self.seats.len() >= SEATS);
        let old = old.map(|at| self.seats.swap_remove(at));
        let seed = self.calls;
        let thinker = match old {
            Some(mut old) if old.board.is_like(&fresh) => {
                old.thinker.new_game(seed);
                old.thinker
            }
            // An engine belongs to a board size; its memory goes before the new
            // one's comes.
            other => {
                drop(other);
                open(fresh.session().spec()).thinker(&engine(), seed).ok()?
            }
        };
        Some(Seat { board: fresh, thinker, used: 0 })
    }
}

fn seconds() -> f64 {
    let given = std::env::var("BOYI_COURSE_SECONDS").ok().and_then(|text| text.parse().ok());
    given.filter(|seconds| (0.001..=60.0).contains(seconds)).unwrap_or(SECONDS)
}

/// The best engine for Connect Four with one thread and bounded memory.
fn engine() -> EngineSpec {
    let given = std::env::var("BOYI_COURSE_ENGINE").ok().and_then(|text| text.parse().ok());
    let best = || connect_four::ROW.best.parse::<EngineSpec>().ok();
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
