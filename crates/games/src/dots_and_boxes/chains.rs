//! The chains and loops of a position.
//!
//! A box with one or two open sides is a bead on a string: taking it leads on
//! through its other open side. Strings of beads that are connected through
//! undrawn edges are chains, or loops if they close. An end of a chain leads off
//! the board, to a joint (a box with three or four open sides), or is open: its
//! last box can be taken at once.
//!
//! This finds the structure, not its value; sets are words, so nothing is
//! allocated. The terms are those of Berlekamp's book.

use arrayvec::ArrayVec;

use super::{DotsAndBoxes, edges_of};

/// All chains and loops of a position, each box in at most one of them, ordered
/// by their first boxes.
pub type Chains = ArrayVec<Chain, 64>;

/// Where a chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The edge after the last box leads off the board.
    Ground,
    /// It leads to this box, which has three or four open sides.
    Joint(usize),
    /// There is no such edge: the last box has one open side and can be taken.
    Open,
}

/// What a string of boxes looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A string with two ends.
    Chain([End; 2]),
    /// A ring: no ends.
    Loop,
}

/// One chain or loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    /// Its boxes, bit `row * columns + column`.
    pub boxes: u64,
    /// Its undrawn edges, those of its ends included.
    pub edges: u128,
    /// Chain or loop, and how it ends.
    pub shape: Shape,
}

impl Chain {
    /// The number of boxes.
    pub fn size(&self) -> u32 {
        self.boxes.count_ones()
    }

    /// Whether it closes.
    pub fn is_loop(&self) -> bool {
        self.shape == Shape::Loop
    }

    /// How many of its ends are open: 0 for a loop or an unopened chain, 1 for a
    /// half-open chain, 2 for a chain open at both ends such as an
    /// opened loop.
    pub fn open_ends(&self) -> usize {
        match self.shape {
            Shape::Loop => 0,
            Shape::Chain(ends) => ends.iter().filter(|&&end| end == End::Open).count(),
        }
    }

    /// Whether it is an unopened chain of three or more boxes: the kind that the
    /// long chain rule counts.
    pub fn is_long(&self) -> bool {
        !self.is_loop() && self.open_ends() == 0 && self.size() >= 3
    }

    /// Whether it touches nothing else: a loop, or a chain with no joint.
    pub fn is_independent(&self) -> bool {
        match self.shape {
            Shape::Loop => true,
            Shape::Chain(ends) => !ends.iter().any(|end| matches!(end, End::Joint(_))),
        }
    }
}

impl DotsAndBoxes {
    /// The chains and loops of this position.
    pub fn chains(&self) -> Chains {
        let mut beads: u64 = (0..self.geometry.boxes)
            .filter(|&number| matches!(self.open_sides(number), 1 | 2))
            .fold(0, |set, number| set | 1 << number);
        let mut chains = Chains::new();
        while beads != 0 {
            let chain = self.chain_through(beads.trailing_zeros() as usize);
            beads &= !chain.boxes;
            chains.push(chain);
        }
        chains
    }

    /// The chain or loop that a box with one or two open sides belongs to.
    fn chain_through(&self, start: usize) -> Chain {
        let mut chain = Chain { boxes: 1 << start, edges: 0, shape: Shape::Loop };
        let mut ways = edges_of(self.box_edges(start) & !self.drawn);
        let mut ends = [End::Open; 2];
        for end in &mut ends {
            // Without an open side here, the start itself is the open end.
            let Some(mut edge) = ways.next() else { break };
            let mut number = start;
            *end = loop {
                chain.edges |= edge.bit();
                match self.boxes_of(edge).find(|&other| other != number) {
                    None => break End::Ground,
                    Some(next) if next == start => return chain,
                    Some(next) if self.open_sides(next) > 2 => break End::Joint(next),
                    Some(next) => {
                        chain.boxes |= 1 << next;
                        number = next;
                    }
                }
                match edges_of(self.box_edges(number) & !self.drawn & !edge.bit()).next() {
                    Some(onward) => edge = onward,
                    None => break End::Open,
                }
            };
        }
        chain.shape = Shape::Chain(ends);
        chain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots_and_boxes::{Edge, Place, Setup};
    use crate::{Game, Player, Rng};

    /// A board with every edge drawn but these.
    fn open(rows: u8, columns: u8, places: &[Place]) -> DotsAndBoxes {
        let setup = Setup { rows, columns };
        let all = (1 << setup.edges()) - 1;
        let open = places.iter().fold(0, |set, &place| set | setup.edge(place).unwrap().bit());
        DotsAndBoxes::from_parts(&setup, all & !open, Player::First, [0; 2]).unwrap()
    }

    use Place::{Horizontal as H, Vertical as V};

    #[test]
    fn a_row_is_a_chain_and_opens_from_its_end() {
        let row = open(1, 3, &[V(0, 0), V(0, 1), V(0, 2), V(0, 3)]);
        let [chain] = row.chains()[..] else { panic!() };
        assert_eq!(chain.shape, Shape::Chain([End::Ground; 2]));
        assert_eq!((chain.boxes, chain.edges), (0b111, row.undrawn()));
        assert!(chain.is_long() && chain.is_independent() && !chain.is_loop());
        let half = row.after(Setup::new(1, 3).edge(V(0, 0)).unwrap());
        let [chain] = half.chains()[..] else { panic!() };
        assert_eq!((chain.size(), chain.open_ends(), chain.is_long()), (3, 1, false));
        // Drawing an inner edge leaves two half-open ones.
        let split = row.after(Setup::new(1, 3).edge(V(0, 1)).unwrap());
        assert_eq!(split.chains().iter().map(Chain::size).collect::<Vec<_>>(), [1, 2]);
        assert!(split.chains().iter().all(|chain| chain.open_ends() == 1));
    }

    #[test]
    fn a_ring_is_a_loop_and_opens_at_both_ends() {
        let ring = open(2, 2, &[V(0, 1), V(1, 1), H(1, 0), H(1, 1)]);
        let [chain] = ring.chains()[..] else { panic!() };
        assert!(chain.is_loop() && chain.is_independent() && !chain.is_long());
        assert_eq!((chain.size(), chain.open_ends()), (4, 0));
        let opened = ring.after(Setup::new(2, 2).edge(H(1, 0)).unwrap());
        let [chain] = opened.chains()[..] else { panic!() };
        assert_eq!(chain.shape, Shape::Chain([End::Open; 2]));
        assert_eq!(chain.size(), 4);
    }

    #[test]
    fn a_joint_ends_three_chains() {
        // Box 1 of three joins the top, the left box and the right box.
        let joint = open(1, 3, &[H(0, 1), V(0, 0), V(0, 1), V(0, 2), V(0, 3)]);
        let chains = joint.chains();
        assert_eq!(chains.len(), 2);
        for chain in &chains {
            assert_eq!(chain.size(), 1);
            assert!(!chain.is_independent());
            let Shape::Chain(ends) = chain.shape else { panic!() };
            assert!(ends.contains(&End::Joint(1)) && ends.contains(&End::Ground));
        }
        assert!(DotsAndBoxes::start(&Setup::default()).unwrap().chains().is_empty());
    }

    /// The same by merging neighbouring beads until nothing changes, and by
    /// counting, on random positions.
    #[test]
    fn strings_are_the_connected_components_of_the_beads() {
        let mut seen = [0; 4];
        for (seed, (rows, columns)) in
            (0..600).zip([(1, 6), (3, 3), (5, 5), (4, 7)].into_iter().cycle())
        {
            let mut rng = Rng::stream(9, seed);
            let mut game = DotsAndBoxes::start(&Setup { rows, columns }).unwrap();
            while let Some(mv) = game.random_move(&mut rng) {
                check(&game, &mut seen);
                // Safe moves first, so that chains grow.
                let safe: Vec<Edge> = edges_of(game.safe()).collect();
                let mv = if safe.is_empty() { mv } else { safe[rng.below(safe.len())] };
                game.play(mv);
            }
        }
        assert!(seen.iter().all(|&n| n > 20), "every kind occurs: {seen:?}");
    }

    fn check(game: &DotsAndBoxes, seen: &mut [u32; 4]) {
        let boxes = game.setup().boxes();
        let is_bead = |b: usize| (1..=2).contains(&game.open_sides(b));
        let mut colour: Vec<usize> = (0..boxes).collect();
        for _ in 0..boxes {
            for edge in edges_of(game.undrawn()) {
                let sides: Vec<usize> = game.boxes_of(edge).filter(|&b| is_bead(b)).collect();
                if let [a, b] = sides[..] {
                    let least = colour[a].min(colour[b]);
                    (colour[a], colour[b]) = (least, least);
                }
            }
        }
        let chains = game.chains();
        let beads = (0..boxes).filter(|&b| is_bead(b)).fold(0u64, |set, b| set | 1 << b);
        assert_eq!(chains.iter().fold(0, |set, chain| set ^ chain.boxes), beads, "each bead once");
        for chain in &chains {
            let members: Vec<usize> = (0..boxes).filter(|&b| chain.boxes >> b & 1 != 0).collect();
            assert!(
                (0..boxes)
                    .filter(|&b| is_bead(b))
                    .all(|b| { (colour[b] == colour[members[0]]) == members.contains(&b) })
            );
            let edges = members.iter().fold(0, |set, &b| set | game.box_edges(b) & game.undrawn());
            assert_eq!(chain.edges, edges);
            // An edge leaves the string if it bounds only one of its boxes.
            let out = edges_of(edges)
                .filter(|&edge| game.boxes_of(edge).filter(|b| members.contains(b)).count() == 1);
            let (ground, joint): (Vec<Edge>, Vec<Edge>) =
                out.partition(|&edge| game.boxes_of(edge).count() == 1);
            let open = members.iter().filter(|&&b| game.open_sides(b) == 1).count();
            assert_eq!(chain.open_ends(), open);
            match chain.shape {
                Shape::Loop => {
                    assert_eq!((open, ground.len(), joint.len()), (0, 0, 0));
                    assert!(chain.size() >= 4 && chain.size() % 2 == 0);
                    seen[3] += 1;
                }
                Shape::Chain(ends) => {
                    assert_eq!(
                        ends.iter().filter(|&&end| end == End::Ground).count(),
                        ground.len()
                    );
                    assert_eq!(
                        ends.iter().filter(|&&end| matches!(end, End::Joint(_))).count(),
                        joint.len()
                    );
                    assert_eq!(chain.is_independent(), joint.is_empty());
                    assert_eq!(edges.count_ones() as usize, members.len() + 1 - open);
                    seen[open] += 1;
                }
            }
        }
    }
}
