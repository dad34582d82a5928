//! What a search knows, in words: [`search::Info`] with its moves as text.

use std::time::Duration;

use games::Text;
use search::{Info, Score, Source};
use serde::Serialize;

/// How good something is for the player to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Worth {
    /// Expected result, from -1 (lost) to 1 (won).
    Expected(f64),
    /// In the game's own unit.
    Points(f64),
    /// Certain: +1, 0 or -1, in so many plies where that is known.
    Proven {
        /// +1, 0 or -1.
        result: i32,
        /// Plies to the end with best play.
        plies: Option<u32>,
    },
}

impl From<Score> for Worth {
    fn from(score: Score) -> Worth {
        match score {
            Score::Expected(value) => Worth::Expected(value),
            Score::Points(points) => Worth::Points(points),
            Score::Proven { result, plies } => Worth::Proven { result, plies },
        }
    }
}

impl std::fmt::Display for Worth {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let word = |result: &i32| ["loses", "draws", "wins"][(result + 1) as usize];
        match self {
            Worth::Expected(value) => write!(f, "{value:+.3}"),
            Worth::Points(points) => write!(f, "{points:+.2}"),
            Worth::Proven { result, plies: Some(plies) } => {
                write!(f, "{} in {plies}", word(result))
            }
            Worth::Proven { result, plies: None } => f.write_str(word(result)),
        }
    }
}

/// One root move and what the search thinks of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineReport {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// For the player to move at the root.
    pub score: Worth,
    /// Visits in the tree, nodes in alpha-beta.
    pub visits: u64,
    /// The best continuation, beginning with the move.
    pub pv: Vec<String>,
}

/// What a search knows at some moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The move it would play now; none only if the game is over.
    pub best: Option<String>,
    /// For the player to move at the root.
    pub score: Worth,
    /// The mover's chance to win, from 0 to 1, draws counted half.
    pub win_rate: f64,
    /// Full iterations of alpha-beta, or the longest line of the tree.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Simulations of the tree.
    pub sims: u64,
    /// Time since the search began, in seconds.
    pub seconds: f64,
    /// Where the answer comes from: search, forced, solver, table or book.
    pub source: &'static str,
    /// Whether the opponent's move had been foreseen, if somebody thought about
    /// it.
    pub ponder_hit: Option<bool>,
    /// The root moves, best first.
    pub lines: Vec<LineReport>,
}

impl Report {
    /// The report of an info about the position `root`.
    pub fn of<G: Text>(root: &G, info: &Info<G>) -> Report {
        Report {
            best: info.best.map(|mv| root.move_text(mv)),
            score: info.score.into(),
            win_rate: info.win_rate,
            depth: info.depth,
            nodes: info.nodes,
            sims: info.sims,
            seconds: info.elapsed.as_secs_f64(),
            source: match info.source {
                Source::Search => "search",
                Source::Forced => "forced",
                Source::Solver => "solver",
                Source::Table => "table",
                Source::Book => "book",
            },
            ponder_hit: info.ponder_hit,
            lines: info
                .lines
                .iter()
                .map(|line| LineReport {
                    mv: root.move_text(line.mv),
                    score: line.score.into(),
                    visits: line.visits,
                    pv: line_texts(root, &line.pv),
                })
                .collect(),
        }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

/// A line of moves as texts, as far as they are legal one after another.
pub fn line_texts<G: Text>(root: &G, moves: &[G::Move]) -> Vec<String> {
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
