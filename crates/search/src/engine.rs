//! All the contact between a search and the world.

use std::ops::ControlFlow;
use std::time::Duration;

use games::{Game, Player, Record};

/// The clocks of a game, as the referee has them when the engine is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What each player has left, by `player as usize`.
    pub left: [Duration; 2],
    /// What each player gets after each of their moves.
    pub increment: [Duration; 2],
}

/// When to stop thinking. Several limits hold together; none at all means
/// "until the watch says stop".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time for this move.
    pub time: Option<Duration>,
    /// The game's clocks: the search decides how much of them to spend.
    pub clock: Option<Clock>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Simulations of the tree search.
    pub sims: Option<u64>,
    /// Plies of alpha-beta.
    pub depth: Option<u32>,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// A search that may err.
    #[default]
    Search,
    /// A forced move, found without search.
    Forced,
    /// A solver or a proof in the tree: certain.
    Solver,
    /// An endgame table: certain.
    Table,
    /// An opening book.
    Book,
}

/// How good a position is for the player to move in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// Expected result for the mover, from -1 (lost) to 1 (won).
    Expected(f64),
    /// An evaluation in the game's own unit (pieces, boxes), for the mover.
    Points(f64),
    /// Certain: the mover wins (+1), draws (0) or loses (-1), in so many plies
    /// where that is known.
    Proven {
        /// +1, 0 or -1 for the mover.
        result: i32,
        /// Plies to the end with best play, where known.
        plies: Option<u32>,
    },
}

/// One root move and what the search thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The move.
    pub mv: M,
    /// For the player to move at the root.
    pub score: Score,
    /// Visits in the tree; nodes below it in alpha-beta.
    pub visits: u64,
    /// The best continuation, beginning with `mv`.
    pub pv: Vec<M>,
}

/// Why an outside program gave no move, in words that follow its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It ended, could not be started again, or fell silent.
    Gone(String),
    /// Its answer is no legal move.
    Illegal(String),
    /// It used more time than its own rules allow, whatever the referee's clock
    /// says.
    Late(String),
}

impl Fault {
    /// An answer that can't be played, and why. A flood is shown in part.
    pub fn illegal(answer: &str, why: &dyn std::fmt::Display) -> Fault {
        let shown: String = answer.chars().take(80).collect();
        Fault::Illegal(format!("answered '{shown}': {why}"))
    }
}

/// What a search knows at some moment.
#[derive(Clone, Debug)]
pub struct Info<G: Game> {
    /// The move it would play now. `None` only if the game is over, or if an
    /// outside program is at fault.
    pub best: Option<G::Move>,
    /// What an outside program did wrong, where it gave no move; whoever referees
    /// decides what that means.
    pub fault: Option<Fault>,
    /// For the player to move at the root.
    pub score: Score,
    /// The mover's chance to win, from 0 to 1, draws counted half.
    pub win_rate: f64,
    /// Depth reached: full iterations of alpha-beta, longest line of the tree.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Simulations finished; 0 for alpha-beta.
    pub sims: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The root moves, best first. May be only the best one.
    pub lines: Vec<Line<G::Move>>,
    /// Where the answer comes from.
    pub source: Source,
    /// Whether the position was already being thought about on the opponent's
    /// time: `Some(true)` for a hit, `None` if there was no such thinking.
    pub ponder_hit: Option<bool>,
}

impl<G: Game> Info<G> {
    /// Knows nothing yet.
    pub fn new() -> Info<G> {
        Info {
            best: None,
            fault: None,
            score: Score::Expected(0.0),
            win_rate: 0.5,
            depth: 0,
            nodes: 0,
            sims: 0,
            elapsed: Duration::ZERO,
            lines: Vec::new(),
            source: Source::Search,
            ponder_hit: None,
        }
    }
}

impl<G: Game> Default for Info<G> {
    fn default() -> Info<G> {
        Info::new()
    }
}

/// Somebody who plays. One engine plays one game at a time, and may keep what
/// it learnt (tree, table) from move to move.
pub trait Engine<G: Game>: Send {
    /// Chooses a move for the record as it stands, which must not be over.
    ///
    /// `watch` is called at least every 5 ms of search with what is known so
    /// far; when it breaks, the search answers at once with the best it has. The
    /// answer comes within the limits plus 20 ms.
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G>;

    /// Thinks on the opponent's time, from the record as it stands with the
    /// opponent to move, until the watch breaks. What is found helps the next
    /// [`Engine::think`]. By default there is no such thinking.
    fn ponder(&mut self, _record: &Record<G>, _watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>) {
    }

    /// Forgets everything: another game begins. `seed` decides every random
    /// choice from here on.
    fn new_game(&mut self, seed: u64);
}

/// The part of a clock that belongs to one player.
impl Clock {
    /// Both players at the start of a game.
    pub fn new(base: Duration, increment: Duration) -> Clock {
        Clock { left: [base; 2], increment: [increment; 2] }
    }

    /// What `player` has left and gets after each move.
    pub fn of(&self, player: Player) -> (Duration, Duration) {
        (self.left[player as usize], self.increment[player as usize])
    }
}

/// An engine in a box is an engine: wrappers take either.
impl<G: Game> Engine<G> for Box<dyn Engine<G>> {
    fn think(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>,
    ) -> Info<G> {
        (**self).think(record, limits, watch)
    }

    fn ponder(&mut self, record: &Record<G>, watch: &mut dyn FnMut(&Info<G>) -> ControlFlow<()>) {
        (**self).ponder(record, watch);
    }

    fn new_game(&mut self, seed: u64) {
        (**self).new_game(seed);
    }
}
