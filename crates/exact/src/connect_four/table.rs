//! The transposition table, shared by all threads.
//!
//! An entry is one word, so reading and writing it needs no lock: a thread sees
//! an old entry or a new one, never half of each. The key goes through a
//! reversible hash; its upper bits choose the place and its lower bits are kept
//! whole, so an entry never matches another position. Beside them it has both
//! bounds of the score, the best column, and the work behind the entry, by which
//! one of the two entries of a bucket is replaced.
//!
//! The table begins small enough for the processor's cache, so that short searches
//! stay fast, and grows as it fills. Since the bucket comes from the upper bits,
//! growing moves entries only upwards, in place.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::shape::Shape;
use crate::memory::Memory;

/// log2 of the buckets of the smallest table: 8 kB.
const SMALLEST: u32 = 9;
/// log2 of the factor by which the table grows.
const GROWTH: u32 = 3;
const BOUND_BITS: u32 = 6;
const BOUND_OFFSET: i32 = 32;
const BOUND_MASK: u64 = (1 << BOUND_BITS) - 1;
const MAX_WORK_BITS: u32 = 6;

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The score is at least this, for the player to move.
    pub lower: i32,
    /// The score is at most this, for the player to move.
    pub upper: i32,
    /// The column that was best, in the orientation of the key.
    pub column: u32,
}

/// The place of a position in the table. Valid until the table grows.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    bucket: usize,
    tag: u64,
}

/// Entries that a position may be in.
const WAYS: usize = 2;

/// A table for one shape of board.
pub struct TranspositionTable<S> {
    shape: S,
    buckets: Memory<WAYS>,
    /// log2 of the part of `buckets` in use.
    bits: u32,
}

impl<S: Shape> TranspositionTable<S> {
    /// A table of at most this many megabytes (of 2^20 bytes): the largest power
    /// of two that fits, and no less than half of one.
    pub fn new(shape: S, megabytes: usize) -> TranspositionTable<S> {
        let most = (megabytes << 20) / size_of::<[u64; WAYS]>();
        let bits = most.max(1).ilog2().clamp(smallest(&shape), shape.bits());
        let buckets = Memory::zeroed(1 << bits);
        TranspositionTable { shape, buckets, bits: smallest(&shape) }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        for bucket in &mut self.buckets[..1 << self.bits] {
            bucket.iter_mut().for_each(|word| *word.get_mut() = 0);
        }
        self.bits = smallest(&self.shape);
    }

    /// The number of entries that fit the part in use.
    pub fn capacity(&self) -> usize {
        2 << self.bits
    }

    /// Whether all of the memory is in use.
    pub fn is_full_size(&self) -> bool {
        1 << self.bits == self.buckets.len()
    }

    /// Takes more of the memory into use.
    pub fn grow(&mut self) {
        let growth = GROWTH.min(self.buckets.len().ilog2() - self.bits);
        for from in (0..1usize << self.bits).rev() {
            for word in [0, 1].map(|i| std::mem::take(self.buckets[from][i].get_mut())) {
                if word != 0 {
                    let tag = word >> (64 - self.tag_bits());
                    let more = tag >> (self.shape.bits() - self.bits - growth);
                    let to = (from << growth) | (more as usize & ((1 << growth) - 1));
                    let [one, two] = &mut self.buckets[to];
                    let free = if *one.get_mut() == 0 { one } else { two };
                    *free.get_mut() = word;
                }
            }
        }
        self.bits += growth;
    }

    /// The place of the position with this key.
    #[inline(always)]
    pub fn place(&self, key: u64) -> Place {
        let bits = self.shape.bits();
        let mask = u64::MAX >> (64 - bits);
        // Both steps can be undone within `bits` bits, so no two keys meet.
        let hash = (key ^ (key >> (bits / 2))).wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        let bucket = (hash >> (bits - self.bits)) as usize;
        Place { bucket, tag: hash << (64 - self.tag_bits()) }
    }

    /// Prefetches the bucket of a position that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, place: Place) {
        self.buckets.prefetch(place.bucket);
    }

    /// The entry of the position at this place.
    #[inline(always)]
    pub fn get(&self, place: Place) -> Option<Entry> {
        let word = self.find(place)?.0;
        Some(Entry {
            lower: (word & BOUND_MASK) as i32 - BOUND_OFFSET,
            upper: (word >> BOUND_BITS & BOUND_MASK) as i32 - BOUND_OFFSET,
            column: (word >> (2 * BOUND_BITS)) as u32 & ((1 << self.column_bits()) - 1),
        })
    }

    /// Stores an entry after so many nodes of work. Of the two entries of the
    /// bucket the one with less work is replaced.
    #[inline(always)]
    pub fn put(&self, place: Place, known: Entry, nodes: u64) {
        let work = u64::from(nodes.max(1).ilog2()).min((1 << self.work_bits()) - 1);
        let word = place.tag
            | work << (2 * BOUND_BITS + self.column_bits())
            | u64::from(known.column) << (2 * BOUND_BITS)
            | ((known.upper + BOUND_OFFSET) as u64) << BOUND_BITS
            | (known.lower + BOUND_OFFSET) as u64;
        let slots = &self.buckets[place.bucket];
        let slot = self.find(place).map_or_else(
            || usize::from(self.work(&slots[1]) < self.work(&slots[0])),
            |(_, slot)| slot,
        );
        slots[slot].store(word, Relaxed);
    }

    /// The entry with this tag and which of the two it is. No entry is zero,
    /// because its upper bound is not.
    #[inline(always)]
    fn find(&self, place: Place) -> Option<(u64, usize)> {
        let slots = &self.buckets[place.bucket];
        for (slot, entry) in slots.iter().enumerate() {
            let word = entry.load(Relaxed);
            if word != 0 && (word ^ place.tag) >> (64 - self.tag_bits()) == 0 {
                return Some((word, slot));
            }
        }
        None
    }

    #[inline(always)]
    fn work(&self, entry: &AtomicU64) -> u64 {
        entry.load(Relaxed) >> (2 * BOUND_BITS + self.column_bits()) & ((1 << self.work_bits()) - 1)
    }

    #[inline(always)]
    fn tag_bits(&self) -> u32 {
        tag_bits(&self.shape)
    }

    #[inline(always)]
    fn column_bits(&self) -> u32 {
        column_bits(&self.shape)
    }

    #[inline(always)]
    fn work_bits(&self) -> u32 {
        (64 - self.tag_bits() - 2 * BOUND_BITS - self.column_bits()).min(MAX_WORK_BITS)
    }
}

#[inline(always)]
fn column_bits<S: Shape>(shape: &S) -> u32 {
    if shape.columns() <= 8 { 3 } else { 4 }
}

/// Bits of the hash that an entry keeps: all but those that the bucket implies
/// even in the smallest table.
#[inline(always)]
fn tag_bits<S: Shape>(shape: &S) -> u32 {
    (shape.bits() - SMALLEST).min(64 - 2 * BOUND_BITS - column_bits(shape))
}

/// log2 of the buckets of the smallest table for this shape.
#[inline(always)]
fn smallest<S: Shape>(shape: &S) -> u32 {
    shape.bits() - tag_bits(shape)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use games::Rng;

    use super::super::shape::{Free, Standard};
    use super::*;

    fn known(seed: u64) -> Entry {
        let lower = (seed % 19) as i32 - 18;
        Entry { lower, upper: lower + (seed % 5) as i32, column: (seed % 7) as u32 }
    }

    #[test]
    fn growing_keeps_every_entry() {
        let shapes = [(8, 7), (9, 6), (12, 4), (7, 6), (4, 4)];
        for shape in shapes.map(|(columns, rows)| Free::new(columns, rows, None).unwrap()) {
            let mut table = TranspositionTable::new(shape, 4);
            let mut rng = Rng::seeded(5);
            let mask = u64::MAX >> (64 - shape.bits());
            let keys: HashSet<u64> = (0..400).map(|_| rng.bits() & mask).collect();
            for &key in &keys {
                table.put(table.place(key), known(key), key % 1000);
            }
            let kept = |table: &TranspositionTable<Free>| {
                let get = |&key: &u64| table.get(table.place(key)).map(|known| (key, known));
                let mut all: Vec<_> = keys.iter().filter_map(get).collect();
                all.sort_by_key(|&(key, _)| key);
                all
            };
            let before = kept(&table);
            assert!(before.len() > 300, "{} of 400 kept", before.len());
            assert!(before.iter().all(|&(key, found)| found == known(key)));
            while !table.is_full_size() {
                table.grow();
                assert_eq!(kept(&table), before);
            }
            table.clear();
            assert!(kept(&table).is_empty());
        }
    }

    #[test]
    fn no_entry_matches_another_position() {
        let mut table = TranspositionTable::new(Standard, 1);
        let mut rng = Rng::seeded(8);
        let key = |rng: &mut Rng| rng.bits() >> 15;
        let keys: Vec<u64> = (0..20_000).map(|_| key(&mut rng)).collect();
        for round in 0..2 {
            for &key in &keys {
                table.put(table.place(key), known(key), 1);
            }
            for &key in &keys {
                assert!(table.get(table.place(key)).is_none_or(|found| found == known(key)));
            }
            for _ in 0..20_000 {
                let other = key(&mut rng);
                assert!(keys.contains(&other) || table.get(table.place(other)).is_none());
            }
            if round == 0 {
                table.grow();
            }
        }
    }

    #[test]
    fn the_entry_with_more_work_stays() {
        let table = TranspositionTable::new(Standard, 1);
        let bucket = table.place(1).bucket;
        let mut keys = (1..).filter(|&key| table.place(key).bucket == bucket);
        let [a, b, c] = std::array::from_fn(|_| keys.next().unwrap());
        table.put(table.place(a), known(a), 5_000);
        table.put(table.place(b), known(b), 10);
        table.put(table.place(c), known(c), 3);
        assert!(table.get(table.place(a)).is_some());
        assert!(table.get(table.place(b)).is_none());
        assert_eq!(table.get(table.place(c)), Some(known(c)));
    }
}
