//! Retrograde analysis: all placements of one material at once, backwards from the
//! results.
//!
//! Quiet steps keep the material, captures lead to smaller tables that are
//! already solved. So a pair of classes (either side to move) is solved by
//! itself: the placements that captures or the end of the game decide come
//! first, then, ply by ply, those that are decided one step away from them. A
//! placement is won if some move leads to a loss of the opponent, and lost if
//! all moves lead to wins of the opponent; for the latter each placement counts
//! its steps that are not yet refuted. Placements that are never reached can be
//! played on for ever by both sides.
//!
//! Under `stall=draw` those are draws. Under `stall=count` they are wins for the
//! side with more pieces, so only the weaker side wants to leave them: a second
//! pass finds from where it can force a draw.
//!
//! A pass goes by distance, and every placement of a distance is found before the
//! next begins, so the bytes do not depend on the number of threads.

use std::sync::atomic::{AtomicU8, Ordering};

use games::surakarta::Stall;
use games::surakarta::boards::captures;
use games::surakarta::geometry::{FULL, NEIGHBOURS};

use super::class::{Class, Placement};
use super::parallel::Workers;
use super::value::byte;

/// The solved values of smaller material.
pub trait SmallerTables: Sync {
    /// The byte of a placement; its material has fewer pieces.
    fn byte(&self, placement: Placement) -> u8;
}

/// One class being solved.
struct Half<'a> {
    class: &'a Class,
    /// The values as far as they are known.
    bytes: Vec<AtomicU8>,
    /// Steps that are not yet refuted.
    open: Vec<AtomicU8>,
    /// Bits: placements from which a capture draws.
    drawing: Vec<AtomicU8>,
}

/// A class and the one with the other side to move. They are the same class if
/// both sides have as many pieces.
pub struct Pair<'a> {
    halves: Vec<Half<'a>>,
    stall: Stall,
    workers: &'a Workers<'a>,
}

fn zeros(len: usize) -> Vec<AtomicU8> {
    let mut bytes = Vec::with_capacity(len);
    bytes.resize_with(len, || AtomicU8::new(0));
    bytes
}

impl<'a> Pair<'a> {
    /// Solves a class together with its turned one, or the class alone if it is
    /// its own. Returns the bytes of each, or `None` if it was stopped.
    pub fn solve(
        classes: &'a [Class],
        stall: Stall,
        smaller: &impl SmallerTables,
        workers: &'a Workers<'a>,
    ) -> Option<Vec<Vec<u8>>> {
        let halves = classes
            .iter()
            .map(|class| Half {
                class,
                bytes: zeros(class.len()),
                open: zeros(class.len()),
                drawing: zeros(class.len().div_ceil(8)),
            })
            .collect();
        let pair = Pair { halves, stall, workers };
        for half in &pair.halves {
            pair.init(half, smaller);
        }
        pair.propagate(byte::LOSS, byte::WIN, 0);
        pair.fill_stalls();
        if workers.stopped() {
            return None;
        }
        Some(
            pair.halves
                .into_iter()
                .map(|half| half.bytes.into_iter().map(AtomicU8::into_inner).collect())
                .collect(),
        )
    }

    /// The half with the other side to move.
    fn turned(&self, half: &Half) -> &Half<'a> {
        let material = half.class.material.turned();
        self.halves.iter().find(|other| other.class.material == material).expect("a pair is closed")
    }

    /// The values that captures and the lack of moves decide at once.
    fn init(&self, half: &Half, smaller: &impl SmallerTables) {
        self.workers.sum(half.class.len(), |numbers| {
            for number in numbers {
                let Some((placement, _)) = half.class.placement(number) else { continue };
                let best = best_capture(placement, smaller);
                let steps = count_steps(placement);
                half.open[number].store(steps, Ordering::Relaxed);
                if best == Some(byte::DRAW) {
                    half.drawing[number / 8].fetch_or(1 << (number % 8), Ordering::Relaxed);
                }
                let decided = match best {
                    Some(byte::WIN) => byte::WIN + 1,
                    None if steps == 0 => byte::LOSS,
                    Some(byte::LOSS) if steps == 0 => byte::LOSS + 1,
                    Some(_) if steps == 0 => byte::DRAW + 1,
                    _ => byte::NONE,
                };
                half.bytes[number].store(decided, Ordering::Relaxed);
            }
            0
        });
    }

    /// Propagates two results from distance `first` on: a step to a `sink` of the
    /// opponent makes a `source`, and a placement whose steps all lead to
    /// sources of the opponent becomes a sink, unless a capture draws and the
    /// sink is a loss.
    ///
    /// With loss and win these are the two sides of a decided game. In the pass of
    /// draws both are draws: the weaker side seeks them, the stronger cannot avoid
    /// them.
    fn propagate(&self, sink: u8, source: u8, first: u8) {
        for distance in first.. {
            assert!(distance < byte::FARTHEST, "a distance does not fit its byte");
            let mut found = 0;
            for half in &self.halves {
                let turned = self.turned(half);
                found += self.workers.sum(half.class.len(), |numbers| {
                    let mut found = 0;
                    for number in numbers {
                        let now = half.bytes[number].load(Ordering::Relaxed);
                        if now == sink + distance && self.seeks(turned, sink) {
                            found += 1;
                            self.gain(half, number, turned, source + distance + 1);
                        }
                        if now == source + distance && self.yields(turned, sink) {
                            found += 1;
                            self.refute(half, number, turned, sink, distance);
                        }
                    }
                    found
                });
            }
            // Captures decide at distance 1, so only before that can a gap be.
            if found == 0 && distance >= 1 {
                return;
            }
        }
    }

    /// Whether the side to move in this half gains by a step to a sink.
    fn seeks(&self, half: &Half, sink: u8) -> bool {
        sink == byte::LOSS || half.class.material.mover < half.class.material.other
    }

    /// Whether the side to move in this half falls to a sink when all its steps are
    /// refuted.
    fn yields(&self, half: &Half, sink: u8) -> bool {
        sink == byte::LOSS || half.class.material.mover > half.class.material.other
    }

    /// Every predecessor of this placement has a step that gains its result.
    fn gain(&self, half: &Half, number: usize, turned: &Half, value: u8) {
        let (placement, _) = half.class.placement(number).expect("only placements have values");
        each_step_back(placement, |before| {
            let (number, _) = turned.class.number(before);
            if turned.bytes[number].load(Ordering::Relaxed) == byte::NONE {
                turned.bytes[number].store(value, Ordering::Relaxed);
            }
        });
    }

    /// Every predecessor of this placement has one unrefuted step less.
    fn refute(&self, half: &Half, number: usize, turned: &Half, sink: u8, distance: u8) {
        let (placement, same) = half.class.placement(number).expect("only placements have values");
        // A placement with symmetries of its own is reached from fewer orbits,
        // each by several steps back; what counts is steps forward. Those are
        // to these as the symmetries of the one placement to the other's.
        each_orbit_back(placement, same, turned.class, |number, steps| {
            let open = turned.open[number].fetch_sub(steps, Ordering::Relaxed);
            if open == steps {
                let draws = turned.drawing[number / 8].load(Ordering::Relaxed) >> (number % 8) & 1;
                let known = turned.bytes[number].load(Ordering::Relaxed) != byte::NONE;
                if !known && (draws == 0 || sink == byte::DRAW) {
                    turned.bytes[number].store(sink + distance + 1, Ordering::Relaxed);
                }
            }
        });
    }

    /// Gives a value to what the pass of wins and losses has not reached.
    fn fill_stalls(&self) {
        let endless = |half: &Half| {
            let material = half.class.material;
            match self.stall {
                Stall::Draw => byte::DRAW,
                Stall::Count => match material.mover.cmp(&material.other) {
                    std::cmp::Ordering::Less => byte::LOSS,
                    std::cmp::Ordering::Equal => byte::DRAW,
                    std::cmp::Ordering::Greater => byte::WIN,
                },
            }
        };
        if self.halves.iter().any(|half| endless(half) != byte::DRAW) {
            self.exits_to_draws();
            self.propagate(byte::DRAW, byte::DRAW, 1);
        }
        for half in &self.halves {
            self.workers.sum(half.class.len(), |numbers| {
                for number in numbers {
                    if half.bytes[number].load(Ordering::Relaxed) != byte::NONE
                        || half.class.placement(number).is_none()
                    {
                        continue;
                    }
                    let draws =
                        half.drawing[number / 8].load(Ordering::Relaxed) >> (number % 8) & 1;
                    let value = match endless(half) {
                        byte::DRAW if draws == 1 => byte::DRAW + 1,
                        result => result + byte::STALL,
                    };
                    half.bytes[number].store(value, Ordering::Relaxed);
                }
                0
            });
        }
    }

    /// Where the pass of draws begins: the weaker side can capture into a draw,
    /// or the stronger has nothing else left. The stronger side's steps into
    /// lost placements are already refuted.
    fn exits_to_draws(&self) {
        for half in &self.halves {
            let weaker = half.class.material.mover < half.class.material.other;
            self.workers.sum(half.class.len(), |numbers| {
                for number in numbers {
                    let draws =
                        half.drawing[number / 8].load(Ordering::Relaxed) >> (number % 8) & 1;
                    if half.bytes[number].load(Ordering::Relaxed) == byte::NONE
                        && draws == 1
                        && (weaker || half.open[number].load(Ordering::Relaxed) == 0)
                    {
                        half.bytes[number].store(byte::DRAW + 1, Ordering::Relaxed);
                    }
                }
                0
            });
        }
    }
}

/// The best result that a capture brings the mover, as the bits of a result;
/// `None` if there is no capture.
pub fn best_capture(placement: Placement, smaller: &impl SmallerTables) -> Option<u8> {
    let mut best = None;
    for mv in captures(placement.mover, placement.other) {
        let next = after(placement, mv.from.bit(), mv.to.bit());
        let result = if next.mover == 0 {
            byte::WIN
        } else {
            match smaller.byte(next) & byte::RESULT {
                byte::LOSS => byte::WIN,
                byte::WIN => byte::LOSS,
                draw => draw,
            }
        };
        best = best.max(Some(result));
    }
    best
}

/// The placement after the mover's piece went from one point to another: the
/// other side moves.
#[inline]
pub fn after(placement: Placement, from: u64, to: u64) -> Placement {
    Placement { mover: placement.other & !to, other: placement.mover & !from | to }
}

fn count_steps(placement: Placement) -> u8 {
    let empty = FULL & !placement.mover & !placement.other;
    each_bit(placement.mover).map(|from| (neighbours_of(from) & empty).count_ones() as u8).sum()
}

/// Every placement from which a step of the other side leads here.
#[inline]
fn each_step_back(placement: Placement, mut take: impl FnMut(Placement)) {
    let empty = FULL & !placement.mover & !placement.other;
    for to in each_bit(placement.other) {
        for from in each_bit(neighbours_of(to) & empty) {
            take(Placement { mover: placement.other & !to | from, other: placement.mover });
        }
    }
}

/// The numbers of the placements from which a step leads here, each once, with
/// how many of its steps do. `same` is how many symmetries `placement` has.
fn each_orbit_back(
    placement: Placement,
    same: u32,
    class: &Class,
    mut take: impl FnMut(usize, u8),
) {
    if same == 1 {
        each_step_back(placement, |before| {
            let (number, symmetries) = class.number(before);
            take(number, symmetries as u8);
        });
        return;
    }
    let mut found: Vec<(usize, u32)> = Vec::new();
    each_step_back(placement, |before| found.push(class.number(before)));
    found.sort_unstable();
    for group in found.chunk_by(|a, b| a.0 == b.0) {
        let (number, symmetries) = group[0];
        take(number, (group.len() as u32 * symmetries / same) as u8);
    }
}

/// The bits of a set, one by one.
#[inline]
pub fn each_bit(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set &= set.wrapping_sub(1);
        (bit != 0).then_some(bit)
    })
}

/// The points beside the one point of a set.
#[inline]
pub fn neighbours_of(point: u64) -> u64 {
    NEIGHBOURS[point.trailing_zeros() as usize]
}
