//! The transposition table: bounds of quiet positions, shared by all threads
//! without locks.
//!
//! An entry is one word, so a thread reads or writes it whole or not at all. A
//! key has at most 60 bits and is hashed once ([`mix`]) by invertible steps. The
//! lowest bits choose the bucket, and the entry keeps the others. So an entry
//! belongs to exactly one key: there are no collisions.
//!
//! A bucket is a cache line of eight entries. When it is full, the entry with the
//! least work is replaced.
//!
//! Memory costs when it is first touched, about a second for a gigabyte, and most
//! positions are solved in a few milliseconds. So a table begins with a small part
//! of its buckets and uses all of them after many nodes. Entries whose bucket
//! changes then are lost, which costs only time; in a game it could cost a proven win, so
//! there a table is whole from the beginning ([`TranspositionTable::warm_up`]).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::bounds::Bounds;
use super::canonical::MOST_EDGES;
use search::memory::Memory;

const WAYS: usize = 8;
const BOUND_BITS: u32 = 6;
const WORK_BITS: u32 = 6;
const DATA_BITS: u32 = 2 * BOUND_BITS + WORK_BITS;
/// Fewer buckets than this, and the rest of a key would not fit beside the data.
const LEAST_BITS: u32 = MOST_EDGES + DATA_BITS - 64;
/// The buckets to begin with: 16 MB.
const FIRST_BITS: u32 = 18;
/// Nodes after which all buckets are used: as many as half of the first entries.
const GROW_NODES: u64 = (WAYS as u64) << (FIRST_BITS - 1);

type Bucket = [AtomicU64; WAYS];

/// The shared table.
pub(super) struct TranspositionTable {
    buckets: Memory<Bucket>,
    /// The bits of a key that choose its bucket.
    mask: AtomicU64,
    /// Nodes searched since the table was empty.
    nodes: AtomicU64,
    /// The mask of an empty table.
    first: u64,
}

impl TranspositionTable {
    /// A table of at most so many megabytes, a power of two of them that the system
    /// has, and at least one.
    pub fn new(megabytes: usize) -> TranspositionTable {
        let most = (megabytes.max(1) << 20) / size_of::<Bucket>();
        let bits = most.ilog2().clamp(LEAST_BITS, 40);
        let buckets = Memory::zeroed(1 << bits, 1 << LEAST_BITS);
        let first = (buckets.len() as u64).min(1 << FIRST_BITS) - 1;
        TranspositionTable { buckets, mask: AtomicU64::new(first), nodes: AtomicU64::new(0), first }
    }

    /// Counts searched nodes, and uses all buckets once there were many.
    pub fn count_nodes(&self, nodes: u64) {
        if self.nodes.fetch_add(nodes, Relaxed) + nodes >= GROW_NODES {
            self.mask.store(self.buckets.len() as u64 - 1, Relaxed);
        }
    }

    /// Uses all buckets from now on, and touches their memory. In a game entries must not be
    /// lost to a table that grows: what was proven before a move is the proof of the next.
    pub fn warm_up(&mut self) {
        self.first = self.buckets.len() as u64 - 1;
        if *self.mask.get_mut() < self.first {
            self.buckets.populate();
            self.clear();
        }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        let used = *self.mask.get_mut() as usize;
        for entry in self.buckets[..=used].iter_mut().flatten() {
            *entry.get_mut() = 0;
        }
        *self.mask.get_mut() = self.first;
        *self.nodes.get_mut() = 0;
    }

    /// The stored bounds of a position with so many boxes, else the widest.
    #[inline]
    pub fn probe(&self, key: u64, boxes: i32) -> Bounds {
        let (bucket, tag) = self.place(key);
        for entry in bucket {
            let word = entry.load(Relaxed);
            if word >> DATA_BITS == tag && word != 0 {
                return unpack(word, boxes);
            }
        }
        Bounds::of_boxes(boxes)
    }

    /// Prefetches the bucket of a key that will be probed soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        self.buckets.prefetch(self.bucket(key));
    }

    /// Stores bounds that took so many nodes.
    pub fn store(&self, key: u64, boxes: i32, bounds: Bounds, nodes: u64) {
        let (bucket, tag) = self.place(key);
        // At least 1, so that no entry is the empty word.
        let work = u64::from(nodes.max(1).ilog2() + 1);
        let (mut weakest, mut least) = (&bucket[0], u64::MAX);
        for entry in bucket {
            let word = entry.load(Relaxed);
            if word >> DATA_BITS == tag && word != 0 {
                let joined = unpack(word, boxes).and(bounds);
                let work = work.max(word >> (2 * BOUND_BITS) & ((1 << WORK_BITS) - 1));
                entry.store(pack(tag, boxes, joined, work), Relaxed);
                return;
            }
            let work = word >> (2 * BOUND_BITS) & ((1 << WORK_BITS) - 1);
            if work < least {
                (weakest, least) = (entry, work);
            }
        }
        weakest.store(pack(tag, boxes, bounds, work), Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        (key & self.mask.load(Relaxed)) as usize
    }

    #[inline]
    fn place(&self, key: u64) -> (&Bucket, u64) {
        (&self.buckets[self.bucket(key)], key >> LEAST_BITS)
    }
}

/// Bounds have the parity of the number of boxes, so half of their distance from
/// the lowest possible value is stored.
#[inline]
fn pack(tag: u64, boxes: i32, bounds: Bounds, work: u64) -> u64 {
    let code = |bound: i32| (bound + boxes) as u64 / 2;
    (tag << WORK_BITS | work) << (2 * BOUND_BITS)
        | code(bounds.low) << BOUND_BITS
        | code(bounds.high)
}

#[inline]
fn unpack(word: u64, boxes: i32) -> Bounds {
    let bound = |code: u64| 2 * (code & ((1 << BOUND_BITS) - 1)) as i32 - boxes;
    Bounds { low: bound(word >> BOUND_BITS), high: bound(word) }
}

/// Hashes a key over all of its 60 bits; every step is invertible.
#[inline]
pub(super) fn mix(key: u64) -> u64 {
    const ALL: u64 = (1 << MOST_EDGES) - 1;
    let mut mixed = key ^ key >> 31;
    mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) & ALL;
    mixed ^= mixed >> 29;
    mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) & ALL;
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bounds that belong to one key.
    fn of(key: u64, boxes: i32) -> Bounds {
        let low = (key.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40) as i32 % (boxes + 1);
        Bounds { low: 2 * low - boxes, high: boxes - 2 * (low / 3) }.and(Bounds::of_boxes(boxes))
    }

    #[test]
    fn an_entry_answers_for_its_own_key_alone() {
        // Far more keys than entries, many of them close neighbours.
        let boxes = 25;
        let keys: Vec<u64> =
            (0..400_000u64).map(|n| mix(n << (n % 40) & ((1 << 60) - 1))).collect();
        let count = |table: &TranspositionTable| {
            let found = keys.iter().filter(|&&key| {
                let known = table.probe(key, boxes);
                assert!(known == of(key, boxes) || known == Bounds::of_boxes(boxes));
                known != Bounds::of_boxes(boxes)
            });
            found.count()
        };
        for (megabytes, least) in [(1, 50_000), (64, 300_000)] {
            let table = TranspositionTable::new(megabytes);
            let fill = || {
                for &key in &keys {
                    table.store(key, boxes, of(key, boxes), 1 + key % 1000);
                }
            };
            fill();
            assert!(count(&table) > least);
            // With more buckets some are lost, but none is mistaken for another.
            table.count_nodes(GROW_NODES);
            assert!(count(&table) > least / 8);
            fill();
            assert!(count(&table) > least);
        }
    }

    #[test]
    fn a_warm_table_loses_nothing_by_growing() {
        let mut table = TranspositionTable::new(64);
        table.warm_up();
        let keys: Vec<u64> = (0..200_000).map(mix).collect();
        for &key in &keys {
            table.store(key, 25, of(key, 25), 1);
        }
        let known = |table: &TranspositionTable| -> Vec<Bounds> {
            keys.iter().map(|&key| table.probe(key, 25)).collect()
        };
        let before = known(&table);
        assert!(before.iter().filter(|&&known| known != Bounds::of_boxes(25)).count() > 150_000);
        table.count_nodes(GROW_NODES);
        table.warm_up();
        assert_eq!(known(&table), before);
        // Nor after it was cleared.
        table.clear();
        assert!(known(&table).iter().all(|&known| known == Bounds::of_boxes(25)));
        for &key in &keys {
            table.store(key, 25, of(key, 25), 1);
        }
        table.count_nodes(GROW_NODES);
        assert_eq!(known(&table), before);
    }

    #[test]
    fn bounds_of_one_position_are_joined() {
        let mut table = TranspositionTable::new(0);
        table.store(7, 5, Bounds { low: -1, high: 5 }, 10);
        table.store(7, 5, Bounds { low: -5, high: 3 }, 1);
        assert_eq!(table.probe(7, 5), Bounds { low: -1, high: 3 });
        table.clear();
        assert_eq!(table.probe(7, 5), Bounds::of_boxes(5));
        table.count_nodes(GROW_NODES);
        table.store(7, 5, Bounds { low: -1, high: 5 }, 10);
        table.clear();
        assert_eq!(table.probe(7, 5), Bounds::of_boxes(5));
    }

    #[test]
    fn mixing_is_invertible() {
        // Multiplying by an odd number and folding the upper half down are both
        // one to one; here it is seen on all keys of few edges.
        let mut mixed: Vec<u64> =
            (0..1 << 20).map(|n| mix((n * 0x0000_0001_0010_0401) >> 4)).collect();
        let mut keys: Vec<u64> =
            (0..1u64 << 20).map(|n| (n * 0x0000_0001_0010_0401) >> 4).collect();
        mixed.sort_unstable();
        mixed.dedup();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(mixed.len(), keys.len());
        assert!(mixed.iter().all(|&key| key < 1 << MOST_EDGES));
    }
}
