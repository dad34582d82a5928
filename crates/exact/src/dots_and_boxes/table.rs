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

const WAYS: usize = 8;
const BOUND_BITS: u32 = 6;
const EFFORT_BITS: u32 = 6;
const DATA_BITS: u32 = 2 * BOUND_BITS + EFFORT_BITS;
/// Fewer buckets than this, and the rest of a key would not fit beside the data.
const LEAST_BITS: u32 = MOST_EDGES + DATA_BITS - 64;

#[repr(align(64))]
struct Bucket([AtomicU64; WAYS]);

/// The shared table.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    bits: u32,
}

impl Table {
    /// A table of at most so many megabytes, a power of two of them, and at
    /// least one.
    pub fn new(megabytes: usize) -> Table {
        let most = (megabytes.max(1) << 20) / size_of::<Bucket>();
        let bits = most.ilog2().clamp(LEAST_BITS, 40);
        let empty = || Bucket([const { AtomicU64::new(0) }; WAYS]);
        Table { buckets: (0..1usize << bits).map(|_| empty()).collect(), bits }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for bucket in &mut self.buckets {
            for entry in &mut bucket.0 {
                *entry.get_mut() = 0;
            }
        }
    }

    /// What is known of a position with so many boxes.
    #[inline]
    pub fn probe(&self, key: u64, boxes: i32) -> Bounds {
        let (bucket, tag) = self.place(key);
        for entry in &bucket.0 {
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
        let (mut weakest, mut least) = (&bucket.0[0], u64::MAX);
        for entry in &bucket.0 {
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
