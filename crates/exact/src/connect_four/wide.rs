//! Endings on boards that no word of 64 bits holds.
//!
//! A board of 9 x 9 or 12 x 12 can't be solved from its start in practice, but
//! its last twenty cells can. This solver is plain where the other is fast: null
//! windows over the rules of `games`, on whatever word a board takes, forced
//! answers, a table that keeps whole positions (so none is ever taken for
//! another), and moves ordered by the threats they make. One thread.

use arrayvec::ArrayVec;
use games::connect_four::{Column, ConnectFour, Word};
use games::{Game, MoveList, Outcome};
use search::SearchControl;

use super::solver::{Bounds, SolveProgress};

/// How many nodes go by between two looks at the outside world.
const PACE: u64 = 1 << 10;

/// Solves endings of boards of one setup.
pub struct WideSolver<W: Word> {
    /// By key: the position and what is known of its score, for its mover.
    table: Vec<Option<(ConnectFour<W>, Bounds)>>,
    nodes: u64,
}

/// What a search looks at from time to time.
struct Outside<'a> {
    end: u64,
    control: &'a SearchControl<Column>,
    bounds: Bounds,
    progress: &'a mut dyn FnMut(&SolveProgress),
    halted: bool,
}

impl<W: Word> WideSolver<W> {
    /// A solver with a table of about so many megabytes.
    pub fn new(megabytes: usize) -> WideSolver<W> {
        let size = size_of::<Option<(ConnectFour<W>, Bounds)>>();
        let slots = ((megabytes << 20) / size).max(1 << 10);
        WideSolver { table: vec![None; slots], nodes: 0 }
    }

    /// Nodes entered since the solver was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The score of a position that is not over, for its mover, or what is known
    /// of it when the limits are reached.
    pub fn solve(
        &mut self,
        game: &ConnectFour<W>,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Bounds {
        let left = left(game);
        let mut bounds = Bounds { lower: -(left / 2), upper: (left + 1) / 2 };
        let end = self.last_node(control);
        while bounds.lower < bounds.upper {
            let alpha = 0.clamp(bounds.lower, bounds.upper - 1);
            let mut outside = Outside { end, control, bounds, progress, halted: false };
            let value = self.value(game, alpha, &mut outside);
            if outside.halted {
                break;
            }
            if value > alpha {
                bounds.lower = value;
            } else {
                bounds.upper = value;
            }
        }
        bounds
    }

    /// What is known of a stone in this column, for the player who plays it.
    pub fn column(
        &mut self,
        game: &ConnectFour<W>,
        mv: Column,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Bounds {
        let next = game.after(mv);
        let known = next.outcome().map(|end| end.winner.map_or(0, |_| (left(game) + 1) / 2));
        match known {
            Some(score) => Bounds { lower: score, upper: score },
            None => self.solve(&next, control, progress).turned(),
        }
    }

    /// The best columns, from the left, of a position whose score is known.
    /// Fewer, or none, if the limits are reached.
    pub fn best(
        &mut self,
        game: &ConnectFour<W>,
        score: i32,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Vec<Column> {
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let reaches = |&mv: &Column| self.reaches(game, mv, score, control, progress);
        moves.into_iter().filter(reaches).collect()
    }

    /// A line of best play to the end, from a position whose score is known.
    /// Shorter if the limits are reached.
    pub fn line(
        &mut self,
        game: &ConnectFour<W>,
        score: i32,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> Vec<Column> {
        let (mut game, mut score, mut line) = (*game, score, Vec::new());
        while game.outcome().is_none() {
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            let mut reaches = |&mv: &Column| self.reaches(&game, mv, score, control, progress);
            let Some(mv) = moves.into_iter().find(|mv| reaches(mv)) else { break };
            line.push(mv);
            game.play(mv);
            score = -score;
        }
        line
    }

    /// Whether a stone in this column reaches the position's score.
    fn reaches(
        &mut self,
        game: &ConnectFour<W>,
        mv: Column,
        score: i32,
        control: &SearchControl<Column>,
        progress: &mut impl FnMut(&SolveProgress),
    ) -> bool {
        let end = self.last_node(control);
        let bounds = Bounds { lower: score, upper: score };
        let mut outside = Outside { end, control, bounds, progress, halted: false };
        self.after(game, mv, score - 1, &mut outside) >= score && !outside.halted
    }

    /// The count of nodes at which the limits are reached.
    fn last_node(&self, control: &SearchControl<Column>) -> u64 {
        self.nodes.saturating_add(control.limits().nodes.unwrap_or(u64::MAX))
    }

    /// A bound of the score: above alpha a lower one, otherwise an upper one.
    fn value(&mut self, game: &ConnectFour<W>, alpha: i32, outside: &mut Outside) -> i32 {
        if game.winning_moves().is_empty() {
            self.search(game, alpha, outside)
        } else {
            (left(game) + 1) / 2
        }
    }

    /// Likewise of what a move is worth to the player who makes it.
    fn after(
        &mut self,
        game: &ConnectFour<W>,
        mv: Column,
        alpha: i32,
        outside: &mut Outside,
    ) -> i32 {
        let next = game.after(mv);
        match next.outcome() {
            Some(Outcome { winner: Some(_), .. }) => (left(game) + 1) / 2,
            Some(_) => 0,
            None => -self.value(&next, -alpha - 1, outside),
        }
    }

    /// Likewise of a position whose mover can't win at once.
    fn search(&mut self, game: &ConnectFour<W>, alpha: i32, outside: &mut Outside) -> i32 {
        let left = left(game);
        let must = game.opponent_threats();
        if must.len() > 1 {
            return -(left / 2);
        }
        let (least, most) = (-(left / 2), (left - 1) / 2);
        if most <= alpha {
            return most;
        }
        if least > alpha {
            return least;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(PACE) {
            let now = SolveProgress { bounds: outside.bounds, nodes: self.nodes };
            (outside.progress)(&now);
            outside.halted |= outside.control.should_stop();
        }
        outside.halted |= self.nodes > outside.end;
        if outside.halted {
            return 0;
        }
        let slot = (game.key() % self.table.len() as u64) as usize;
        let mut known = Bounds { lower: least, upper: most };
        if let Some((position, bounds)) = &self.table[slot]
            && position == game
        {
            known = *bounds;
            if known.lower > alpha {
                return known.lower;
            }
            if known.upper <= alpha {
                return known.upper;
            }
        }

        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let mut ordered: ArrayVec<(u32, Column), 12> = moves
            .into_iter()
            .filter(|&mv| must.is_empty() || must.contains(mv))
            .map(|mv| (game.after(mv).threats(game.to_move()).count(), mv))
            .collect();
        ordered.sort_by_key(|&(threats, _)| std::cmp::Reverse(threats));
        let mut best = i32::MIN;
        for (_, mv) in ordered {
            best = best.max(self.after(game, mv, alpha, outside));
            if outside.halted {
                return 0;
            }
            if best > alpha {
                break;
            }
        }
        if best > alpha {
            known.lower = known.lower.max(best);
        } else {
            known.upper = known.upper.min(best);
        }
        self.table[slot] = Some((*game, known));
        best
    }
}

/// Cells that are still empty.
fn left<W: Word>(game: &ConnectFour<W>) -> i32 {
    game.cells() as i32 - game.plies() as i32
}
