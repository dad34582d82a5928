//! Captures: along a circuit, over at least one arc, onto the first enemy met.
//!
//! Both circuits unrolled fit one word: a byte for each of the eight lines, in
//! the order of travel, with the line's six slots in its low bits; the small
//! circuit is the low half. A point that its circuit crosses twice has two bits.
//!
//! Between two occupied slots that follow each other on a circuit lies a gap.
//! A gap that holds an arc can be travelled both ways, so if its two ends belong
//! to different sides, each can capture the other. Each such gap is identified by
//! its far end, which is the first occupied slot of its line; so at most eight slots
//! matter, and whether the slot before each is ours comes from one subtraction a
//! circuit (the `o ^ (o - 2r)` of chess programming, with the ring laid out
//! twice to close it).
//!
//! One thing is left: a piece on a self-crossing may come round to its own point,
//! which counts as empty, and go on to the next piece. Only the piece itself can
//! pass there, so this works one way only.

use arrayvec::ArrayVec;

use super::geometry::{CIRCUITS, POINTS, Point, SIDE};
use super::moves::Move;

const EACH_LINE: u64 = 0x0101_0101_0101_0101;
const LOW: u64 = 0xffff_ffff;

/// The slots of each point, on both circuits.
pub(super) const SLOTS: [u64; POINTS] = {
    let mut slots = [0; POINTS];
    let mut i = 0;
    while i < 48 {
        slots[CIRCUITS[i / 24][i % 24].index()] |= 1 << bit_of(i / 24, i % 24);
        i += 1;
    }
    slots
};

/// The slots of each row's points, by the six bits of the row.
const ROWS: [[u64; 64]; SIDE] = {
    let mut rows = [[0; 64]; SIDE];
    let mut i = 0;
    while i < SIDE * 64 * SIDE {
        let (row, bits, column) = (i / 64 / SIDE, i / SIDE % 64, i % SIDE);
        if bits >> column & 1 == 1 {
            rows[row][bits] |= SLOTS[Point::at(row, column).index()];
        }
        i += 1;
    }
    rows
};

/// The point of each slot.
const POINT_OF: [Point; 64] = {
    let mut points = [Point::at(0, 0); 64];
    let mut i = 0;
    while i < 48 {
        points[bit_of(i / 24, i % 24)] = CIRCUITS[i / 24][i % 24];
        i += 1;
    }
    points
};

const fn bit_of(circuit: usize, slot: usize) -> usize {
    32 * circuit + slot / 6 * 8 + slot % 6
}

/// A point's second slot is the fifth of a line (fourth on the large circuit)
/// and the second (third) of the next: from one to the other over one arc, or
/// the long way over three.
const SHORT_WAY: u64 = 0x0404_0404_0202_0202;
const LONG_WAY: u64 = 0x0808_0808_1010_1010;

/// At most eight gaps, and two captures at most from each.
pub(super) type CaptureList = ArrayVec<Move, 16>;

/// The slots of a board.
#[inline]
pub(super) fn slots(board: u64) -> u64 {
    let row = |i: usize| ROWS[i][(board >> (SIDE * i)) as usize & 63];
    row(0) | row(1) | row(2) | row(3) | row(4) | row(5)
}

/// Both circuits as the side `own` sees them.
#[derive(Clone, Copy)]
pub(super) struct Rings {
    own: u64,
    all: u64,
    /// First occupied slots of their line whose gap ends on different sides.
    open: u64,
    /// Our first occupied slots of their line that may lead back to their point.
    loops: u64,
}

impl Rings {
    #[inline]
    pub fn of(own: u64, other: u64) -> Rings {
        let all = own | other;
        let first = all & ((!all & (EACH_LINE * 0x7f)) + EACH_LINE);
        let small = ours_before(own << 32 | own & LOW, all << 32 | all & LOW);
        let large = ours_before(own >> 32 | own & !LOW, all >> 32 | all & !LOW);
        let open = first & ((small >> 32 | large & !LOW) ^ own);
        // On the short way the slots behind the arc are free if this one is the
        // first of its line; those in front of it must be free as well. The long
        // way needs an empty line before this one; the rest is checked later.
        let (low, high) = (all as u32, (all >> 32) as u32);
        let (low_lines, high_lines) = (low + 0x3f3f_3f3f, high + 0x3f3f_3f3f);
        let blocked = u64::from(low.rotate_left(4)) & SHORT_WAY
            | u64::from(high.rotate_left(5) | high.rotate_left(6)) << 32 & SHORT_WAY
            | u64::from(low_lines.rotate_left(6)) & LONG_WAY
            | u64::from(high_lines.rotate_left(5)) << 32 & LONG_WAY;
        let loops = first & own & (SHORT_WAY | LONG_WAY) & !blocked;
        Rings { own, all, open, loops }
    }

    /// Appends the captures, each (from, to) once.
    #[inline]
    pub fn captures(&self, out: &mut CaptureList) {
        let mut add = |mv: Option<Move>| {
            if let Some(mv) = mv.filter(|mv| !out.contains(mv)) {
                out.push(mv);
            }
        };
        let mut rest = self.open;
        while rest != 0 {
            add(Some(self.across(rest.trailing_zeros())));
            rest &= rest - 1;
        }
        let mut rest = self.loops;
        while rest != 0 {
            let slot = rest.trailing_zeros();
            add(self.around(slot, false));
            add(self.around(slot, true));
            rest &= rest - 1;
        }
    }

    /// The number of candidates: at least as many as there are captures. Each
    /// capture is accepted for exactly one of them.
    #[inline]
    pub fn candidates(&self) -> usize {
        (self.open.count_ones() + 2 * self.loops.count_ones()) as usize
    }

    /// The capture of a candidate; `None` if there is none or an earlier candidate
    /// is the same capture.
    pub fn accept(&self, number: usize) -> Option<Move> {
        let mv = self.candidate(number)?;
        (0..number).all(|earlier| self.candidate(earlier) != Some(mv)).then_some(mv)
    }

    /// The capture of a candidate; several may be the same.
    fn candidate(&self, number: usize) -> Option<Move> {
        let nth = |slots: u64, n: usize| {
            (0..n).fold(slots, |rest, _| rest & rest.wrapping_sub(1)).trailing_zeros()
        };
        match number.checked_sub(self.open.count_ones() as usize) {
            None => Some(self.across(nth(self.open, number))),
            Some(number) => self.around(nth(self.loops, number / 2), number % 2 == 1),
        }
    }

    /// The capture across the gap that ends at an open slot.
    #[inline]
    fn across(&self, slot: u32) -> Move {
        let (here, there) = (point_of(slot), point_of(before(self.all, slot)));
        let ours = self.own >> slot & 1 == 1;
        if ours { Move { from: here, to: there } } else { Move { from: there, to: here } }
    }

    /// The capture by the piece on this slot if it comes round to its own point
    /// and goes on: out at its other slot and in here, or the other way.
    #[inline]
    fn around(&self, slot: u32, backwards: bool) -> Option<Move> {
        let from = point_of(slot);
        let other = before(self.all, slot);
        if other == slot || point_of(other) != from {
            return None;
        }
        let next = if backwards { before(self.all, other) } else { after(self.all, slot) };
        (self.own >> next & 1 == 0).then(|| Move { from, to: point_of(next) })
    }
}

/// Over a circuit laid out twice: the upper copy's occupied slots whose
/// predecessor is ours (other bits are noise).
#[inline]
fn ours_before(own: u64, all: u64) -> u64 {
    all ^ all.wrapping_sub(own << 1)
}

#[inline]
fn point_of(slot: u32) -> Point {
    POINT_OF[slot as usize & 63]
}

/// The occupied slot before an occupied one on its circuit, perhaps itself.
#[inline]
fn before(all: u64, slot: u32) -> u32 {
    let ring = ((all >> (slot & 32)) as u32).rotate_right(slot & 31);
    (slot + 31 - ring.leading_zeros()) & 31 | slot & 32
}

/// The occupied slot after an occupied one on its circuit, perhaps itself.
#[inline]
fn after(all: u64, slot: u32) -> u32 {
    let ring = ((all >> (slot & 32)) as u32).rotate_right((slot + 1) & 31);
    (slot + 1 + ring.trailing_zeros()) & 31 | slot & 32
}
