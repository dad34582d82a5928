//! The index of placements with given numbers of pieces.

use std::sync::Arc;

use games::bits::{deposit, extract};
use games::surakarta::geometry::{FULL, POINTS};
use games::surakarta::turn;

use super::subsets::{CHOOSE, Orbits, rank, unrank};

/// How many pieces the side to move and the other side have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    /// Pieces of the side to move.
    pub mover: usize,
    /// Pieces of the other side.
    pub other: usize,
}

impl Material {
    /// The same pieces with the other side to move.
    pub fn turned(self) -> Material {
        Material { mover: self.other, other: self.mover }
    }

    /// All pieces together.
    pub fn pieces(self) -> usize {
        self.mover + self.other
    }

    /// After the mover has captured: the other side moves, with a piece less.
    pub fn captured(self) -> Material {
        Material { mover: self.other - 1, other: self.mover }
    }
}

/// All placements of one material, numbered up to symmetry.
///
/// The larger of the two sets of pieces is reduced: only the smallest set of its
/// orbit occurs. If that set has symmetries of its own, the smallest image of
/// the other set is used, and the numbers of its other images stay unused. So
/// numbers and orbits of placements correspond one to one.
pub struct Class {
    /// The material of these placements.
    pub material: Material,
    orbits: Arc<Orbits>,
    /// How many ways there are to place the smaller set beside the larger.
    rest: usize,
}

/// The two sets of points of a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Points of the side to move.
    pub mover: u64,
    /// Points of the other side.
    pub other: u64,
}

impl Class {
    /// The placements of this material. `orbits` are those of its larger set.
    pub fn new(material: Material, orbits: Arc<Orbits>) -> Class {
        let (large, small) = sizes(material);
        Class { material, orbits, rest: CHOOSE[POINTS - large][small] as usize }
    }

    /// One more than the largest number.
    pub fn len(&self) -> usize {
        self.orbits.len() * self.rest
    }

    /// The larger set and the smaller one.
    fn sets(&self, placement: Placement) -> (u64, u64) {
        if self.material.mover >= self.material.other {
            (placement.mover, placement.other)
        } else {
            (placement.other, placement.mover)
        }
    }

    /// The number of a placement, the same for all its images, and how many
    /// symmetries leave it as it is.
    #[inline]
    pub fn number(&self, placement: Placement) -> (usize, u32) {
        let (large, small) = self.sets(placement);
        let (orbit, symmetry) = self.orbits.place(large);
        let free = FULL & !self.orbits.smallest(orbit);
        let small = turn(symmetry, small);
        let stabiliser = self.orbits.stabiliser(orbit);
        if stabiliser == 1 {
            return (orbit * self.rest + rank(extract(small, free)) as usize, 1);
        }
        let (least, same) = least_image(small, stabiliser);
        (orbit * self.rest + rank(extract(least, free)) as usize, same)
    }

    /// The placement with a number and how many symmetries leave it as it is;
    /// `None` for numbers that are not used.
    #[inline]
    pub fn placement(&self, number: usize) -> Option<(Placement, u32)> {
        let (orbit, rest) = (number / self.rest, number % self.rest);
        let large = self.orbits.smallest(orbit);
        let small = deposit(unrank(rest as u32, sizes(self.material).1), FULL & !large);
        let stabiliser = self.orbits.stabiliser(orbit);
        let mut same = 1;
        if stabiliser != 1 {
            let least;
            (least, same) = least_image(small, stabiliser);
            if least != small {
                return None;
            }
        }
        let placement = if self.material.mover >= self.material.other {
            Placement { mover: large, other: small }
        } else {
            Placement { mover: small, other: large }
        };
        Some((placement, same))
    }
}

/// The sizes of the larger and of the smaller set.
fn sizes(material: Material) -> (usize, usize) {
    (material.mover.max(material.other), material.mover.min(material.other))
}

/// The smallest image of a set under some symmetries, and how many of them
/// leave the set as it is.
fn least_image(set: u64, symmetries: u8) -> (u64, u32) {
    let mut least = set;
    let mut same = 0;
    for s in (0..8).filter(|s| symmetries >> s & 1 == 1) {
        let image = turn(s, set);
        least = least.min(image);
        same += u32::from(image == set);
    }
    (least, same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_orbits_correspond() {
        for (mover, other) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)] {
            let material = Material { mover, other };
            let class = Class::new(material, Arc::new(Orbits::of(mover.max(other))));
            let mut placements = 0;
            for number in 0..class.len() {
                let Some((placement, same)) = class.placement(number) else { continue };
                placements += 8 / same;
                assert_eq!(placement.mover.count_ones() as usize, mover);
                assert_eq!(placement.other.count_ones() as usize, other);
                assert_eq!(placement.mover & placement.other, 0);
                for s in 0..8 {
                    let image = Placement {
                        mover: turn(s, placement.mover),
                        other: turn(s, placement.other),
                    };
                    assert_eq!(class.number(image), (number, same), "{material:?} {number} {s}");
                }
            }
            assert_eq!(placements, CHOOSE[36][mover] * CHOOSE[36 - mover][other]);
        }
    }
}
