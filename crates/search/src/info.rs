//! What a search found: one type from the search to JSON, whether its moves are a
//! game's own or text.

use std::fmt;
use std::time::Duration;

use games::Text;
use serde::{Serialize, Serializer};

use crate::Fault;

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
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

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Source::Search => "search",
            Source::Forced => "forced",
            Source::Solver => "solver",
            Source::Table => "table",
            Source::Book => "book",
        })
    }
}

/// How good a position is for the player to move in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
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
        /// Plies to the end, where known: with best play where a solver or a table
        /// says so, at most so many where a search's own lines prove it.
        plies: Option<u32>,
    },
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let word = |result: &i32| ["loses", "draws", "wins"][(result + 1) as usize];
        match self {
            Score::Expected(value) => write!(f, "{value:+.3}"),
            Score::Points(points) => write!(f, "{points:+.2}"),
            Score::Proven { result, plies: Some(plies) } => {
                write!(f, "{} in {plies}", word(result))
            }
            Score::Proven { result, plies: None } => f.write_str(word(result)),
        }
    }
}

/// One root move and what the search found of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line<M> {
    /// The move.
    #[serde(rename = "move")]
    pub mv: M,
    /// For the player to move at the root.
    pub score: Score,
    /// Visits in the tree; nodes below it in alpha-beta.
    pub visits: u64,
    /// The best continuation, beginning with `mv`.
    pub pv: Vec<M>,
}

/// What a search knows at some moment, about moves of type `M`: a game's own, or
/// their texts.
///
/// ```
/// use games::{Game, connect_four::{Column, ConnectFour, Setup}};
/// use search::SearchInfo;
///
/// let root = ConnectFour::<u64>::start(&Setup::default()).unwrap();
/// let info = SearchInfo { best: Some(Column(3)), ..SearchInfo::default() };
/// assert_eq!(info.to_text(&root).best.as_deref(), Some("4"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchInfo<M> {
    /// The move it would play now. `None` only if the game is over, or if an
    /// outside program is at fault.
    pub best: Option<M>,
    /// What an outside program did wrong, where it gave no move; the referee
    /// decides what that means.
    #[serde(skip)]
    pub fault: Option<Fault>,
    /// For how long the thread or the program that had to answer was ready to run
    /// and got no core; zero where the system does not tell.
    #[serde(skip)]
    pub stalled: Duration,
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
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub elapsed: Duration,
    /// Where the answer comes from.
    pub source: Source,
    /// Whether the position was already being searched on the opponent's time:
    /// `Some(true)` for a hit, `None` if there was no pondering.
    pub ponder_hit: Option<bool>,
    /// The root moves, best first. May be only the best one.
    pub lines: Vec<Line<M>>,
}

fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl<M> Default for SearchInfo<M> {
    /// Knows nothing yet.
    fn default() -> SearchInfo<M> {
        SearchInfo {
            best: None,
            fault: None,
            stalled: Duration::ZERO,
            score: Score::Expected(0.0),
            win_rate: 0.5,
            depth: 0,
            nodes: 0,
            sims: 0,
            elapsed: Duration::ZERO,
            source: Source::Search,
            ponder_hit: None,
            lines: Vec::new(),
        }
    }
}

impl<M> SearchInfo<M> {
    /// The same about other moves: `map` turns a line of moves from the root.
    pub fn map_moves<N>(&self, map: impl Fn(&[M]) -> Vec<N>) -> SearchInfo<N> {
        let one = |mv: &M| map(std::slice::from_ref(mv)).into_iter().next();
        let line = |line: &Line<M>| {
            let (score, visits) = (line.score, line.visits);
            Some(Line { mv: one(&line.mv)?, score, visits, pv: map(&line.pv) })
        };
        SearchInfo {
            best: self.best.as_ref().and_then(one),
            fault: self.fault.clone(),
            stalled: self.stalled,
            score: self.score,
            win_rate: self.win_rate,
            depth: self.depth,
            nodes: self.nodes,
            sims: self.sims,
            elapsed: self.elapsed,
            source: self.source,
            ponder_hit: self.ponder_hit,
            lines: self.lines.iter().filter_map(line).collect(),
        }
    }

    /// The same with moves as text, from the position `root`.
    pub fn to_text<G: Text<Move = M>>(&self, root: &G) -> SearchInfo<String>
    where
        M: Copy,
    {
        self.map_moves(|moves| line_text(root, moves))
    }
}

/// A line of moves as texts, as far as they are legal one after another.
pub fn line_text<G: Text>(root: &G, moves: &[G::Move]) -> Vec<String> {
    let mut game = root.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        if !game.is_legal(mv) {
            break;
        }
        texts.push(game.move_text(mv));
        game.play(mv);
    }
    texts
}
