//! The 2012 paper's six factors, and its move ordering.

use games::surakarta::geometry::{ARCS, CIRCUITS, FULL, NEIGHBOURS, Point, points};
use games::surakarta::{Move, Surakarta};
use games::{Game, Player};

use super::board_value;

/// The factors of the 2012 paper that have a weight. The sixth, the attack
/// range, enters through the attack force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factors {
    /// 6 for each piece.
    pub pieces: bool,
    /// 1 for each empty neighbour of a piece.
    pub range: bool,
    /// 2 for each point of attack force: the sum of the attack ranges.
    pub force: bool,
    /// The matrix.
    pub board: bool,
    /// 5 for each arc it occupies and for each arc the enemy does not.
    pub arcs: bool,
}

impl Factors {
    /// All of them, as the paper has it.
    pub const ALL: Factors =
        Factors { pieces: true, range: true, force: true, board: true, arcs: true };
}

/// The value of one point of the six factors in hundredths of a piece: by its six
/// points and the average value of where it stands, a piece is about 36.
pub(super) const SIX_POINT: i32 = 3;

/// Each factor of one side, before its weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub pieces: i32,
    pub range: i32,
    pub attack_range: i32,
    pub board: i32,
    pub arcs: i32,
}

impl Side {
    pub fn of(game: &Surakarta, player: Player) -> Side {
        let (own, other) = (game.board(player), game.board(!player));
        let range = moving_range(own, other);
        Side {
            pieces: own.count_ones() as i32,
            range,
            attack_range: range + faced(own, other),
            board: board_value(own),
            arcs: occupied_arcs(own, other),
        }
    }

    pub fn value(&self, enemy: &Side, on: Factors) -> i32 {
        let free_arcs = ARCS.len() as i32 - enemy.arcs;
        6 * self.pieces * i32::from(on.pieces)
            + self.range * i32::from(on.range)
            + 2 * self.attack_range * i32::from(on.force)
            + self.board * i32::from(on.board)
            + 5 * (self.arcs + free_arcs) * i32::from(on.arcs)
    }
}

/// Empty neighbours, added up over the pieces.
fn moving_range(own: u64, other: u64) -> i32 {
    let empty = FULL & !own & !other;
    points(own).map(|point| (NEIGHBOURS[point.index()] & empty).count_ones() as i32).sum()
}

/// For each piece the directions in which the next piece is the enemy's.
fn faced(own: u64, other: u64) -> i32 {
    const LEFT: u64 = 0x4104_1041;
    const RIGHT: u64 = LEFT << 5;
    let empty = FULL & !own & !other;
    let shifts: [fn(u64) -> u64; 8] = [
        |b| b << 6,
        |b| b >> 6,
        |b| (b & !RIGHT) << 1,
        |b| (b & !LEFT) >> 1,
        |b| (b & !RIGHT) << 7,
        |b| (b & !LEFT) << 5,
        |b| (b & !RIGHT) >> 5,
        |b| (b & !LEFT) >> 7,
    ];
    let mut sum = 0;
    for shift in shifts {
        // The rays of all pieces at once; a ray goes on over empty points.
        let mut rays = shift(own) & FULL;
        while rays != 0 {
            sum += (rays & other).count_ones() as i32;
            rays = shift(rays & empty) & FULL;
        }
    }
    sum
}

/// The arcs that a side occupies. The paper does not define it; here: on the two
/// lines that an arc joins, the pieces nearest to it are this side's, and at
/// least one of the lines has a piece.
fn occupied_arcs(own: u64, other: u64) -> i32 {
    let mut sum = 0;
    for (before, after) in ARC_LINES {
        let nearest = |line: &[Point; 6]| {
            line.iter().map(|point| point.bit()).find(|bit| (own | other) & bit != 0)
        };
        let both = [nearest(&before), nearest(&after)];
        let ours = both.iter().flatten().all(|bit| own & bit != 0);
        sum += i32::from(ours && both.iter().any(Option::is_some));
    }
    sum
}

/// For each arc the two lines it joins, each from the arc on inwards.
const ARC_LINES: [([Point; 6], [Point; 6]); 8] = {
    let corner = CIRCUITS[0][0];
    let mut lines = [([corner; 6], [corner; 6]); 8];
    let mut i = 0;
    while i < 8 {
        let slots = CIRCUITS[i / 4];
        let begin = 6 * (i % 4);
        let mut j = 0;
        while j < 6 {
            lines[i].0[j] = slots[(begin + 23 - j) % 24];
            lines[i].1[j] = slots[begin + j];
            j += 1;
        }
        i += 1;
    }
    lines
};

/// The 2012 paper's move ordering. Its flow chart is lost; here a move comes
/// earlier by the arcs that the mover gains and the enemy loses by it.
pub(super) fn arcs_first(game: &Surakarta, mv: Move) -> i32 {
    let mover = game.to_move();
    let gain = |game: &Surakarta| {
        let (own, other) = (game.board(mover), game.board(!mover));
        occupied_arcs(own, other) - occupied_arcs(other, own)
    };
    (gain(&game.after(mv)) - gain(game)).clamp(-255, 255)
}

#[cfg(test)]
mod tests {
    use super::super::tests::position;
    use super::*;

    #[test]
    fn an_arc_belongs_to_the_side_that_is_alone_on_it() {
        // A lone piece on b6 controls the small arc of the corner from its own
        // line; the other lines of the small circuit are empty.
        let lone = position("1b4/6/6/6/6/5w b");
        let (own, other) = (lone.board(Player::First), lone.board(Player::Second));
        // Column b ends at two arcs; a piece on it is nearest to both.
        assert_eq!(occupied_arcs(own, other), 2);
        assert_eq!(occupied_arcs(other, own), 0, "a corner is on no circuit");
        // An enemy on the other line of the arc disputes it.
        let disputed = position("1b4/w5/6/6/6/6 b");
        assert_eq!(occupied_arcs(disputed.board(Player::First), disputed.board(Player::Second)), 1);
    }
}
