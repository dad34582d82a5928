//! The table of what is known: bounds of quiet positions, shared by all threads
//! without locks.
//!
//! An entry is one word, so a thread reads or writes it whole or not at all. A
//! key has at most 60 bits; it is mixed by steps that can be undone, some of the
//! result chooses the bucket, and the entry keeps the others. So an entry
//! belongs to exactly one key, and nothing is ever answered for another one.
//!
//! A bucket is a cache line of eight entries. When it is full, the entry that
//! took the least work gives way.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::bounds::Bounds;
use super::canonical::MOST_EDGES;
use crate::memory::Memory;

const WAYS: usize = 8;
const BOUND_BITS: u32 = 6;
const EFFORT_BITS: u32 = 6;
const DATA_BITS: u32 = 2 * BOUND_BITS + EFFORT_BITS;
/// Fewer buckets than this, and the rest of a key would not fit beside the data.
const LEAST_BITS: u32 = MOST_EDGES + DATA_BITS - 64;

type Bucket = [AtomicU64; WAYS];

/// The shared table.
pub(super) struct Table {
    buckets: Memory<WAYS>,
    bits: u32,
}

impl Table {
    /// A table of at most so many megabytes, a power of two of them, and at
    /// least one.
    pub fn new(megabytes: usize) -> Table {
        let most = (megabytes.max(1) << 20) / size_of::<Bucket>();
        let bits = most.ilog2().clamp(LEAST_BITS, 40);
        Table { buckets: Memory::zeroed(1 << bits), bits }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for entry in self.buckets.iter_mut().flatten() {
            *entry.get_mut() = 0;
        }
    }

    /// What is known of a position with so many boxes.
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

    /// Has the memory for a key brought near, without waiting for it.
    #[inline]
    pub fn fetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.place(key).0;
            // SAFETY: a hint to the processor that reads nothing; the address is
            // that of a live bucket all the same.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Keeps what was found out with so many nodes of work.
    pub fn store(&self, key: u64, boxes: i32, bounds: Bounds, nodes: u64) {
        let (bucket, tag) = self.place(key);
        // At least 1, so that no entry is the empty word.
        let effort = u64::from(nodes.max(1).ilog2() + 1);
        let (mut weakest, mut least) = (&bucket[0], u64::MAX);
        for entry in bucket {
            let word = entry.load(Relaxed);
            if word >> DATA_BITS == tag && word != 0 {
                let joined = unpack(word, boxes).and(bounds);
                let effort = effort.max(word >> (2 * BOUND_BITS) & ((1 << EFFORT_BITS) - 1));
                entry.store(pack(tag, boxes, joined, effort), Relaxed);
                return;
            }
            let effort = word >> (2 * BOUND_BITS) & ((1 << EFFORT_BITS) - 1);
            if effort < least {
                (weakest, least) = (entry, effort);
            }
        }
        weakest.store(pack(tag, boxes, bounds, effort), Relaxed);
    }

    #[inline]
    fn place(&self, key: u64) -> (&Bucket, u64) {
        let mixed = mix(key);
        (&self.buckets[(mixed & ((1 << self.bits) - 1)) as usize], mixed >> self.bits)
    }
}

/// Bounds have the parity of the number of boxes, so half of their distance from
/// the lowest possible value says all.
#[inline]
fn pack(tag: u64, boxes: i32, bounds: Bounds, effort: u64) -> u64 {
    let code = |bound: i32| (bound + boxes) as u64 / 2;
    (tag << EFFORT_BITS | effort) << (2 * BOUND_BITS)
        | code(bounds.low) << BOUND_BITS
        | code(bounds.high)
}

#[inline]
fn unpack(word: u64, boxes: i32) -> Bounds {
    let bound = |code: u64| 2 * (code & ((1 << BOUND_BITS) - 1)) as i32 - boxes;
    Bounds { low: bound(word >> BOUND_BITS), high: bound(word) }
}

/// Scatters a key over all of its 60 bits; every step can be undone.
#[inline]
fn mix(key: u64) -> u64 {
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
        let (table, boxes) = (Table::new(1), 25);
        let keys: Vec<u64> = (0..400_000u64).map(|n| n << (n % 40) & ((1 << 60) - 1)).collect();
        for &key in &keys {
            table.store(key, boxes, of(key, boxes), 1 + key % 1000);
        }
        let found = keys.iter().filter(|&&key| {
            let known = table.probe(key, boxes);
            assert!(known == of(key, boxes) || known == Bounds::of_boxes(boxes));
            known != Bounds::of_boxes(boxes)
        });
        assert!(found.count() > 50_000);
    }

    #[test]
    fn what_is_learnt_of_a_position_adds_up() {
        let mut table = Table::new(0);
        table.store(7, 5, Bounds { low: -1, high: 5 }, 10);
        table.store(7, 5, Bounds { low: -5, high: 3 }, 1);
        assert_eq!(table.probe(7, 5), Bounds { low: -1, high: 3 });
        table.clear();
        assert_eq!(table.probe(7, 5), Bounds::of_boxes(5));
    }

    #[test]
    fn mixing_can_be_undone() {
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
