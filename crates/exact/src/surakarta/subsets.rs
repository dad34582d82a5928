//! The index of sets of points: combinatorial ranks, and orbits under the eight
//! symmetries of the board.
//!
//! A placement of pieces is two sets of points. Tables hold one value for each
//! placement, so sets must be numbered without gaps, and all images of a set under
//! the symmetries must get one number.

use games::surakarta::geometry::POINTS;
use games::surakarta::turn;

/// The most pieces that one set of a table can have.
pub const MOST: usize = 8;

/// `CHOOSE[n][k]`: how many sets of k points out of n there are.
pub const CHOOSE: [[u32; MOST + 1]; POINTS + 1] = {
    let mut table = [[0; MOST + 1]; POINTS + 1];
    let mut n = 0;
    while n <= POINTS {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MOST && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// How many sets of so many points there are.
pub fn sets(size: usize) -> u32 {
    CHOOSE[POINTS][size]
}

/// The number of a set among all sets of its size, in the order of the sets as
/// binary numbers (the combinatorial number system).
#[inline]
pub fn rank(mut set: u64) -> u32 {
    let mut sum = 0;
    let mut k = 1;
    while set != 0 {
        sum += CHOOSE[set.trailing_zeros() as usize][k];
        set &= set - 1;
        k += 1;
    }
    sum
}

/// The set of `size` points with this [`rank`].
pub fn unrank(mut rank: u32, size: usize) -> u64 {
    let mut set = 0;
    let mut point = POINTS;
    for k in (1..=size).rev() {
        // Points come out in falling order, so the search goes on from the last.
        while CHOOSE[point][k] > rank {
            point -= 1;
        }
        rank -= CHOOSE[point][k];
        set |= 1 << point;
    }
    set
}

/// The sets of one size, gathered into orbits under the eight symmetries.
pub struct Orbits {
    /// For each rank: the number of its orbit, and in the lowest three bits the
    /// symmetry that leads to the orbit's smallest set.
    places: Vec<u32>,
    /// The smallest set of each orbit.
    sets: Vec<u64>,
    /// For each orbit, a bit for every symmetry that leaves its smallest set as
    /// it is; bit 0, the identity, is always set.
    stabilisers: Vec<u8>,
}

impl Orbits {
    /// All orbits of sets of `size` points. Some memory: four bytes a set.
    pub fn of(size: usize) -> Orbits {
        let count = sets(size) as usize;
        let mut orbits = Orbits {
            places: Vec::with_capacity(count),
            sets: Vec::with_capacity(count / 8 + 64),
            stabilisers: Vec::with_capacity(count / 8 + 64),
        };
        let mut set = (1u64 << size) - 1;
        for _ in 0..count {
            let (smallest, symmetry) =
                (0..8).map(|s| (turn(s, set), s as u32)).min().expect("there are eight");
            if smallest == set {
                let stabiliser = (0..8).filter(|&s| turn(s, set) == set).map(|s| 1 << s).sum();
                orbits.places.push((orbits.sets.len() as u32) << 3);
                orbits.sets.push(set);
                orbits.stabilisers.push(stabiliser);
            } else {
                // A smaller set has a smaller rank, so its place is known.
                let orbit = orbits.places[rank(smallest) as usize] & !7;
                orbits.places.push(orbit | symmetry);
            }
            set = next(set);
        }
        orbits
    }

    /// How many orbits there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// The orbit of a set, and the symmetry that leads to its smallest set.
    #[inline]
    pub fn place(&self, set: u64) -> (usize, usize) {
        let place = self.places[rank(set) as usize];
        ((place >> 3) as usize, (place & 7) as usize)
    }

    /// The smallest set of an orbit.
    #[inline]
    pub fn smallest(&self, orbit: usize) -> u64 {
        self.sets[orbit]
    }

    /// The symmetries that leave the smallest set of an orbit as it is, a bit
    /// each.
    #[inline]
    pub fn stabiliser(&self, orbit: usize) -> u8 {
        self.stabilisers[orbit]
    }
}

/// The next larger number with as many bits (the snoob of Hacker's Delight).
fn next(set: u64) -> u64 {
    if set == 0 {
        return 0;
    }
    let low = set & set.wrapping_neg();
    let ripple = set + low;
    ripple | (((set ^ ripple) >> 2) / low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_through_all_sets() {
        for size in 0..=4 {
            let mut set = (1u64 << size) - 1;
            for number in 0..sets(size) {
                assert_eq!(rank(set), number);
                assert_eq!(unrank(number, size), set);
                set = next(set);
            }
        }
        assert_eq!(CHOOSE[36][7], 8_347_680);
    }

    #[test]
    fn a_set_and_its_images_share_an_orbit() {
        for size in 1..=4 {
            let orbits = Orbits::of(size);
            let mut members = 0;
            for orbit in 0..orbits.len() {
                members += 8 / orbits.stabiliser(orbit).count_ones();
            }
            assert_eq!(members, sets(size), "orbits cover all sets");
            for number in (0..sets(size)).step_by(7) {
                let set = unrank(number, size);
                let (orbit, symmetry) = orbits.place(set);
                assert_eq!(turn(symmetry, set), orbits.smallest(orbit));
                assert!((0..8).all(|s| orbits.place(turn(s, set)).0 == orbit));
            }
        }
    }
}
