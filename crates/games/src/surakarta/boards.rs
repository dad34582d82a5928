//! Captures on bare boards, without a game around them: for table builds, which
//! visit billions of placements and need no end rules.

use arrayvec::ArrayVec;

use super::Move;
use super::rings::{CaptureList, Rings, slots};

/// The captures of the side on `own` against the side on `other`, each once.
#[inline]
pub fn captures(own: u64, other: u64) -> ArrayVec<Move, 16> {
    let mut list = CaptureList::new();
    Rings::of(slots(own), slots(other)).captures(&mut list);
    list
}
