//! A look inside the two searches, for students: a small tree search step
//! by step, and a small alpha-beta with its windows and cut-offs.
//!
//! The page gets it all at once and shows it at the reader's pace, so nothing
//! waits here. Sizes are bounded by what a person can follow.

use games::{Record, TextError};
use search::alpha_beta::{self, NodeKind, trace};
use search::tree::{Observer, TreeSearch, TreeSettings};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use session::{Drawn, GameVisitor, Playable};

use crate::error::ApiError;
use crate::live_game::LiveGame;
use crate::tree::Spot;

/// Which search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// UCT with random rollouts.
    Tree,
    /// Plain alpha-beta.
    AlphaBeta,
}

/// What a page asks.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Question {
    /// Which search.
    pub search: Search,
    /// The position.
    #[serde(flatten)]
    pub spot: Spot,
    /// Decides the rollouts.
    #[serde(default)]
    pub seed: u64,
}

/// Simulations shown; as many as one cares to step through.
const SIMULATIONS: u64 = 60;

/// An alpha-beta tree with more positions than this is shown a ply less deep.
const POSITIONS: u64 = 400;

/// One simulation of the tree search.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Simulation {
    /// The moves selected, from the root.
    pub path: Vec<String>,
    /// Children that the leaf got, if it got any.
    pub expanded: Option<usize>,
    /// First's result, from -1 to 1.
    pub value: f64,
    /// Whether that is certain.
    pub proven: bool,
    /// Nodes that the result was added to.
    pub backed_up: usize,
}

struct Recorder<G> {
    before: G,
    current: Simulation,
}

impl<G: Drawn> Observer<G> for Recorder<G> {
    fn selected(&mut self, mv: G::Move, position: &G) {
        self.current.path.push(self.before.move_name(mv));
        self.before = position.clone();
    }

    fn expanded(&mut self, children: usize) {
        self.current.expanded = Some(children);
    }

    fn evaluated(&mut self, value: f64) {
        self.current.value = value;
    }

    fn proven(&mut self, result: i32) {
        self.current.value = result.into();
        self.current.proven = true;
    }

    fn backed_up(&mut self, nodes: usize) {
        self.current.backed_up = nodes;
    }
}

struct Look<'a> {
    question: Question,
    start: Option<&'a str>,
    moves: &'a [String],
}

impl GameVisitor for Look<'_> {
    type Output = Result<Value, TextError>;

    fn visit<G: Playable>(self, start: G) -> Result<Value, TextError> {
        let begin = match self.start {
            Some(text) => G::parse(&start.setup(), text)?,
            None => start,
        };
        let mut record = Record::new(begin);
        record.play_text(&self.moves.join(" "))?;
        if let Some(outcome) = record.outcome() {
            return Err(TextError::new(format!("the game is over: {outcome}")));
        }
        Ok(match self.question.search {
            Search::Tree => self.tree(&record),
            Search::AlphaBeta => self.alpha_beta(record.game()),
        })
    }
}

impl Look<'_> {
    fn tree<G: Playable>(&self, record: &Record<G>) -> Value {
        let settings = TreeSettings { memory: 4, tactics: false, ..TreeSettings::default() };
        let mut search = TreeSearch::<G>::new(settings, self.question.seed);
        let current: Vec<Simulation> = (0..SIMULATIONS)
            .map(|index| {
                let before = record.game().clone();
                let mut recorder = Recorder { before, current: Simulation::default() };
                search.step(record, index, &mut recorder);
                recorder.current
            })
            .collect();
        json!({ "search": "tree", "mover": record.game().to_move() as usize, "simulations": current })
    }

    fn alpha_beta<G: Playable>(&self, game: &G) -> Value {
        let heuristic =
            G::evaluation(G::EVALUATIONS[0].0).expect("every game has its first evaluation");
        let found = (1..=4)
            .map(|depth| (depth, trace(game, &heuristic, depth, depth)))
            .take_while(|(depth, branch)| *depth == 1 || branch.nodes <= POSITIONS)
            .last();
        let (depth, branch) = found.expect("one ply is always shown");
        let tree = self.branch(game, &branch);
        json!({ "search": "alpha-beta", "depth": depth, "nodes": branch.nodes, "tree": tree })
    }

    /// A branch for the page. `game` is the position at its parent, or at the
    /// root for the root.
    fn branch<G: Playable>(&self, game: &G, branch: &alpha_beta::TraceNode<G::Move>) -> Value {
        let here = branch.mv.map_or_else(|| game.clone(), |mv| game.after(mv));
        let (visit, skipped) = match branch.kind {
            NodeKind::End => ("end", 0),
            NodeKind::Leaf => ("leaf", 0),
            NodeKind::All => ("all", 0),
            NodeKind::Cut { skipped } => ("cut", skipped),
        };
        let children: Vec<Value> =
            branch.children.iter().map(|child| self.branch(&here, child)).collect();
        json!({
            "move": branch.mv.map(|mv| game.move_name(mv)),
            "mover": branch.mover as usize,
            "alpha": branch.window.alpha, "beta": branch.window.beta, "value": branch.value,
            "visit": visit, "skipped": skipped, "children": children,
        })
    }
}

impl LiveGame {
    /// A look inside a search of a position of this game.
    pub fn trace(&self, question: Question) -> Result<Value, ApiError> {
        let (_, start, _) = self.notation();
        let moves = self.session_at(question.spot)?.moves();
        self.spec
            .visit(Look { question, start: start.as_deref(), moves: &moves })
            .map_err(ApiError::bad)
    }
}
