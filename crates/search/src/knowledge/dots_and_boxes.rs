//! What searches know of Dots and Boxes: boxes that are always taken, and what
//! chains and loops are worth.

use games::dots_and_boxes::{Chain, DotsAndBoxes, Edge, edges_of};
use games::{Game, MoveList};

use super::loony::{Endgame, Part as Piece, Theory};
use super::{Evaluated, Heuristic, Knowledge, Part};

impl Knowledge for DotsAndBoxes {
    /// Edges that close a box.
    fn forcing(&self, out: &mut MoveList<Edge>) {
        out.extend(edges_of(self.closing()));
    }

    /// A box that is always taken: one whose last edge leads off the board, to
    /// a box with three or more open sides, or to another box that can be taken;
    /// or the first box of an opened chain of three or more, after which the
    /// choice to leave the last two is still there (five or more for a loop, of
    /// which four may be left).
    fn obvious(&self) -> Option<Edge> {
        edges_of(self.closing()).find(|&edge| self.is_free(edge))
    }
}

/// What this room asks of a position beyond its rules.
trait Captures {
    fn is_free(&self, edge: Edge) -> bool;
}

impl Captures for DotsAndBoxes {
    /// Whether drawing this closing edge can't be wrong.
    fn is_free(&self, edge: Edge) -> bool {
        let closes = self.boxes_of(edge).find(|&number| self.open_sides(number) == 1);
        let beyond = self.boxes_of(edge).find(|&number| Some(number) != closes);
        match beyond.map(|number| (number, self.open_sides(number))) {
            None => true,
            Some((_, 1 | 3 | 4)) => true,
            Some((number, _)) => {
                let chains = self.chains();
                let chain = chains.iter().find(|chain| chain.boxes >> number & 1 == 1);
                let spare = chain.map_or(0, |chain| 2 * chain.open_ends() as u32);
                chain.is_some_and(|chain: &Chain| chain.size() > spare)
            }
        }
    }
}

/// The papers' chain theory: boxes so far, and what the rest is worth once no
/// safe move is left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chains {
    /// As it is, or as the 2021 paper prints it.
    pub theory: Theory,
}

impl Chains {
    /// What the player to move, who must open something, loses by it.
    fn price(&self, game: &DotsAndBoxes) -> i32 {
        let chains = game.chains();
        let strung = chains.iter().fold(0, |set, chain| set | chain.boxes);
        let joints = game.setup().boxes() as u32 - (strung | game.closed()).count_ones();
        // An endgame with joints is no sum of chains. The shortest arm of each is
        // opened first and the others become one chain through the joint, so
        // counting the joints to the longest chain comes close.
        let longest = chains.iter().filter(|chain| !chain.is_loop()).map(Chain::size).max();
        let mut joined = false;
        let pieces = chains.iter().map(|chain| match chain.is_loop() {
            true => Piece::Loop(chain.size()),
            false if !joined && Some(chain.size()) == longest => {
                joined = true;
                Piece::Chain(chain.size() + joints)
            }
            false => Piece::Chain(chain.size()),
        });
        pieces.collect::<Endgame>().value(self.theory)
    }
}

impl Heuristic<DotsAndBoxes> for Chains {
    fn points(&self, game: &DotsAndBoxes) -> i32 {
        let rest = if self.settled(game) { -game.to_move().sign() * self.price(game) } else { 0 };
        100 * (game.lead() + rest)
    }

    fn scale(&self) -> f64 {
        300.0
    }

    /// No safe move is left, and nothing to take: the theory's ground.
    fn settled(&self, game: &DotsAndBoxes) -> bool {
        game.safe() == 0 && game.closing() == 0
    }

    fn parts(&self, game: &DotsAndBoxes) -> Vec<Part> {
        let [first, second] = game.score().map(f64::from);
        let mut parts = vec![Part { name: "boxes", counts: [first, second], weight: 100.0 }];
        if self.settled(game) {
            let mut counts = [0.0; 2];
            counts[!game.to_move() as usize] = f64::from(self.price(game));
            parts.push(Part { name: "chains and loops", counts, weight: 100.0 });
        }
        parts
    }
}

impl Evaluated for DotsAndBoxes {
    type Eval = Chains;

    const EVALUATIONS: &'static [(&'static str, &'static str)] = &[
        ("chains", "boxes so far and the value of the loony endgame"),
        ("chains-printed", "the same with the 2021 paper's formulas as printed"),
    ];

    fn evaluation(name: &str) -> Option<Chains> {
        match name {
            "chains" => Some(Chains { theory: Theory::Correct }),
            "chains-printed" => Some(Chains { theory: Theory::Printed }),
            _ => None,
        }
    }
}
