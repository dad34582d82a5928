//! What the rules of Dots and Boxes say about a move: boxes that it gives or
//! leaves, the chain that it opens, who has to move without a safe edge.

use std::collections::HashSet;

use games::dots_and_boxes::{DotsAndBoxes, Edge, edges_of};
use games::Game;

use crate::drawing::Drawn;
use crate::facts::{Explained, Fact};

impl Explained for DotsAndBoxes {
    fn facts(&self, played: Edge, better: Edge) -> Vec<Fact> {
        let after = self.after(played);
        let mut facts = Vec::new();
        if self.closing() & played.bit() == 0 {
            let left = takeable(self);
            if left > 0 {
                facts.push(Fact::new("leaves_boxes").with("n", left));
            }
            let given = takeable(&after);
            if given > left {
                facts.push(opened(self, played).with("n", given));
            }
            let safe = safe(self);
            if given > left && safe != 0 {
                let edge = if safe & better.bit() != 0 { Some(better) } else { edges_of(safe).next() };
                let edge = edge.map(|edge| self.move_name(edge));
                facts.push(Fact::new("had_safe").with("n", safe.count_ones()).with("edge", edge));
            }
        } else if after.outcome().is_none() && takeable(&after) == 0 && safe(&after) == 0 {
            let least = edges_of(after.undrawn()).map(|edge| takeable(&after.after(edge))).min();
            facts.push(Fact::new("must_open").with("n", least.unwrap_or(0)));
        }
        facts.extend(double_dealing(self, played));
        facts
    }

    /// How many long chains and safe edges there are after the two moves.
    fn counts(&self, played: Edge, better: Edge) -> Vec<Fact> {
        let [played, better] = [played, better].map(|edge| self.after(edge));
        let long =
            |game: &DotsAndBoxes| game.chains().iter().filter(|chain| chain.is_long()).count();
        let count = |kind, n: usize, more: usize| {
            (n != more).then(|| Fact::new(kind).with("n", n).with("better", more))
        };
        let edges = |game: &DotsAndBoxes| safe(game).count_ones() as usize;
        let chains = count("long_chains", long(&played), long(&better));
        chains.into_iter().chain(count("safe_edges", edges(&played), edges(&better))).collect()
    }

    fn passed(&self) -> Option<Self> {
        let owned = [games::Player::First, games::Player::Second].map(|player| self.owned(player));
        let other = !self.to_move();
        let passed = DotsAndBoxes::from_parts(&self.setup(), self.drawn(), other, owned).ok();
        passed.filter(|game| game.outcome().is_none())
    }
}

/// The boxes that the side to move can take in a row, one after another.
fn takeable(game: &DotsAndBoxes) -> u32 {
    take_all(game).closed().count_ones() - game.closed().count_ones()
}

/// The position after the side to move has taken all it can; in which order does
/// not matter.
fn take_all(game: &DotsAndBoxes) -> DotsAndBoxes {
    let mut game = *game;
    while let Some(edge) = edges_of(game.closing()).next() {
        game.play(edge);
    }
    game
}

/// The edges that neither take a box nor let the opponent take one.
fn safe(game: &DotsAndBoxes) -> u128 {
    game.safe() & !game.closing()
}

/// What an edge opens that lets the opponent take boxes.
fn opened(game: &DotsAndBoxes, edge: Edge) -> Fact {
    let chains = game.chains();
    let chain = chains.iter().find(|chain| chain.edges & edge.bit() != 0 && chain.open_ends() == 0);
    match chain {
        Some(chain) if chain.is_loop() => Fact::new("opens_loop").with("size", chain.size()),
        // A chain whose ends meet in one box may be left only with four boxes.
        Some(chain) if chain.is_long() && can_leave_two(&game.after(edge)) => {
            Fact::new("opens_chain").with("size", chain.size())
        }
        _ => Fact::new("gives_boxes"),
    }
}

/// Positions that [`can_leave_two`] looks at before it says no.
const LOOKS: usize = 300;

/// Whether the side to move can take boxes until two are left to be taken, and then
/// leave these two to the opponent. A yes is certain.
fn can_leave_two(game: &DotsAndBoxes) -> bool {
    let mut seen = HashSet::from([game.drawn()]);
    // The newest first: some order of taking the boxes usually does.
    let mut open = vec![*game];
    while let Some(game) = open.pop().filter(|_| seen.len() < LOOKS) {
        let leaves = |edge: Edge| takeable(&game.after(edge)) == 2;
        match takeable(&game) {
            0 | 1 => {}
            2 if edges_of(game.undrawn() & !game.closing()).any(leaves) => return true,
            _ => {
                let taken = edges_of(game.closing()).map(|edge| game.after(edge));
                open.extend(taken.filter(|next| seen.insert(next.drawn())));
            }
        }
    }
    false
}

/// The edge that would have left the last boxes of a chain or a loop to the
/// opponent, who has to move again after taking them, where the move took one.
fn double_dealing(game: &DotsAndBoxes, played: Edge) -> Option<Fact> {
    let left = takeable(game);
    if game.closing() & played.bit() == 0 || !matches!(left, 2 | 4) {
        return None;
    }
    let after = game.after(played);
    if after.outcome().is_some() || safe(&after) != 0 {
        return None;
    }
    let mut quiet = edges_of(game.undrawn() & !game.closing());
    let deals = |edge: &Edge| {
        let dealt = game.after(*edge);
        takeable(&dealt) == left && take_all(&dealt).outcome().is_none()
    };
    let edge = quiet.find(deals)?;
    Some(Fact::new("could_deal").with("n", left).with("edge", game.move_name(edge)))
}

#[cfg(test)]
mod tests {
    use crate::open;

    fn facts(game: &str, moves: &str, played: &str, better: &str) -> String {
        let mut session = open(&game.parse().unwrap());
        session.play(moves).unwrap();
        let line = |mv: &str| vec![mv.to_owned()];
        serde_json::to_string(&session.explain(&line(played), &line(better))).unwrap()
    }

    #[test]
    fn a_long_chain_is_opened() {
        // Three boxes in a row, open at both ends.
        let told = facts("dots-and-boxes 1x3", "0 1 2 3 4 5", "6", "7");
        assert_eq!(told, r#"[{"kind":"opens_chain","n":3,"size":3}]"#);
    }

    #[test]
    fn no_double_dealing_where_both_ends_of_a_chain_are_one_box() {
        let mut session = open(&"dots-and-boxes 4x4".parse().unwrap());
        session.set(Some("ddefffa2ff second 8000 22f"), &[]).unwrap();
        let facts = session.explain(&["33".to_owned()], &["12".to_owned()]);
        let kinds: Vec<&str> = facts.iter().map(|fact| fact.kind).collect();
        assert_eq!(kinds, ["leaves_boxes", "gives_boxes"]);
    }

    #[test]
    fn boxes_are_left_and_given() {
        let told = facts("dots-and-boxes 1x2", "0 2 4", "3", "5");
        assert!(told.starts_with(r#"[{"kind":"leaves_boxes","n":1}"#), "{told}");
    }
}
