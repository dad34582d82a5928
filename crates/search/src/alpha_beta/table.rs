//! The transposition table: one for all threads, without locks.
//!
//! An entry is two words, the packed data and the key XORed with it. A torn
//! write of two threads leaves words that do not belong together, and then the
//! XOR does not give the key back: the entry is simply not found (Hyatt's
//! lockless hashing). Four entries share a cache line. The table never grows.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::memory::{AtomicWords, Memory};

/// How a stored value bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this: the search failed high.
    Lower,
    /// The value is at most this: the search failed low.
    Upper,
}

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code of the best move, if one is known.
    pub best: Option<u16>,
    /// For the mover, distances counted from this position.
    pub value: i16,
    /// How it bounds the true value.
    pub bound: Bound,
    /// Plies searched below; [`COMPLETE`] if every line was searched to the end of
    /// the game.
    pub depth: u8,
}

/// The depth of a value that depends on no horizon.
pub const COMPLETE: u8 = u8::MAX;

/// No move has this code.
const NO_MOVE: u16 = u16::MAX;

/// Generations wrap after this many searches.
const GENERATIONS: u8 = 64;

impl Entry {
    fn pack(self, generation: u8) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.best.unwrap_or(NO_MOVE))
            | u64::from(self.value as u16) << 16
            | u64::from(self.depth) << 32
            | u64::from(generation) << 40
            | bound << 46
    }

    /// `None` for a word that no entry packs to, such as that of an empty slot.
    fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 46 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        let best = data as u16;
        Some(Entry {
            best: (best != NO_MOVE).then_some(best),
            value: (data >> 16) as u16 as i16,
            bound,
            depth: depth_of(data),
        })
    }
}

fn depth_of(data: u64) -> u8 {
    (data >> 32) as u8
}

fn generation_of(data: u64) -> u8 {
    (data >> 40) as u8 % GENERATIONS
}

/// The high word of key * count spreads keys evenly over any count.
#[inline]
fn place(key: u64, count: usize) -> usize {
    ((u128::from(key) * count as u128) >> 64) as usize
}

#[derive(Default)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Four entries, a cache line.
#[derive(Default)]
#[repr(C)]
struct Bucket([Slot; 4]);

// SAFETY: it is eight atomic words.
unsafe impl AtomicWords for Bucket {}

/// The table.
pub struct TranspositionTable {
    /// `None` stores nothing.
    buckets: Option<Memory<Bucket>>,
    generation: AtomicU64,
}

impl TranspositionTable {
    /// A table of at most `megabytes`, less where the system has less memory; 0 gives
    /// one that stores nothing.
    pub fn new(megabytes: usize) -> TranspositionTable {
        let count = megabytes.saturating_mul(1 << 20) / size_of::<Bucket>();
        let buckets = (count > 0).then(|| Memory::zeroed(count, 1));
        TranspositionTable { buckets, generation: AtomicU64::new(0) }
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        size_of_val::<[Bucket]>(self.buckets())
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        self.buckets.as_deref().unwrap_or(&[])
    }

    /// Takes its memory from the system, which else is done when it is first used.
    pub fn populate(&self) {
        if let Some(buckets) = &self.buckets {
            buckets.populate();
        }
    }

    /// Removes all entries.
    pub fn clear(&self) {
        // Most new games come before the first search: nothing to clear then.
        if self.generation.swap(0, Relaxed) == 0 {
            return;
        }
        for slot in self.buckets().iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
    }

    /// Another search begins: entries of earlier ones are replaced first.
    pub fn next_generation(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    fn generation(&self) -> u8 {
        (self.generation.load(Relaxed) % u64::from(GENERATIONS)) as u8
    }

    #[inline]
    fn bucket(&self, key: u64) -> Option<&[Slot; 4]> {
        let buckets = self.buckets();
        buckets.get(place(key, buckets.len())).map(|bucket| &bucket.0)
    }

    /// Asks for the bucket of a key, which is to be probed soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if let Some(buckets) = &self.buckets {
            buckets.prefetch(place(key, buckets.len()));
        }
    }

    /// The entry of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key)?.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key { Entry::unpack(data) } else { None }
        })
    }

    /// Stores an entry in the place of the same position, or else of the least
    /// valuable one: a shallow entry of an old search.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let Some(bucket) = self.bucket(key) else { return };
        let now = self.generation();
        let mut place = &bucket[0];
        let mut least = i32::MAX;
        for slot in bucket {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key {
                // A cut-off without a best move must not erase one.
                if entry.best.is_none() {
                    entry.best = Entry::unpack(data).and_then(|old| old.best);
                }
                place = slot;
                break;
            }
            let age = (now + GENERATIONS - generation_of(data)) % GENERATIONS;
            let worth =
                if data == 0 { i32::MIN } else { i32::from(depth_of(data)) - 8 * i32::from(age) };
            if worth < least {
                least = worth;
                place = slot;
            }
        }
        let data = entry.pack(now);
        place.check.store(key ^ data, Relaxed);
        place.data.store(data, Relaxed);
    }

    /// How full it is with this search's entries, in thousandths, from a sample.
    pub fn fill(&self) -> u32 {
        let now = self.generation();
        let sample = || self.buckets().iter().take(250).flat_map(|bucket| &bucket.0);
        let used = sample()
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| data != 0 && generation_of(data) == now)
            .count();
        (used * 1000 / sample().count().max(1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::mix;

    fn entry(n: u64) -> Entry {
        Entry {
            best: (!n.is_multiple_of(5)).then_some(n as u16 & 0x7fff),
            value: (n >> 7) as i16,
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][n as usize % 3],
            depth: (n >> 23) as u8,
        }
    }

    #[test]
    fn packing_loses_nothing_and_an_empty_word_is_no_entry() {
        for n in 0..10_000 {
            let entry = entry(mix(n, 1));
            assert_eq!(Entry::unpack(entry.pack((n % 64) as u8)), Some(entry));
        }
        assert_eq!(Entry::unpack(0), None);
    }

    #[test]
    fn it_keeps_its_size_and_finds_what_it_keeps() {
        for megabytes in [0, 1, 3, 16] {
            let table = TranspositionTable::new(megabytes);
            assert_eq!(table.bytes(), megabytes << 20);
            for n in 0..1000 {
                table.store(mix(n, 7), entry(mix(n, 2)));
            }
            let found = (0..1000).filter(|&n| {
                let found = table.probe(mix(n, 7));
                assert!(found.is_none() || found == Some(entry(mix(n, 2))));
                found.is_some()
            });
            assert_eq!(found.count(), if megabytes == 0 { 0 } else { 1000 });
            assert_eq!(table.probe(0), None);
        }
    }

    #[test]
    fn the_new_and_the_deep_stay() {
        let table = TranspositionTable::new(1);
        // Keys of one bucket differ in their low bits only.
        let at = |depth| Entry { best: Some(1), value: 0, bound: Bound::Exact, depth };
        table.next_generation();
        (0..4).for_each(|key| table.store(key, at(10 + key as u8)));
        table.store(9, at(1));
        assert!(table.probe(0).is_none(), "the shallowest goes");
        table.next_generation();
        table.next_generation();
        (20..23).for_each(|key| table.store(key, at(1)));
        assert!(table.probe(3).is_some() && table.probe(9).is_none() && table.probe(1).is_none());
        table.clear();
        assert!((0..30).all(|key| table.probe(key).is_none()));
    }

    #[test]
    fn threads_never_read_what_no_thread_wrote() {
        let table = TranspositionTable::new(1);
        std::thread::scope(|scope| {
            for thread in 0..2u64 {
                let table = &table;
                scope.spawn(move || {
                    for n in 0..300_000u64 {
                        // A few buckets, so that the threads collide all the time.
                        let key = mix(n % 61, 3) >> 50;
                        table.store(key, entry(mix(key, n % 7 + thread)));
                        let other = mix((n + 30) % 61, 3) >> 50;
                        if let Some(found) = table.probe(other) {
                            let written = (0..8).any(|k| {
                                let one = entry(mix(other, k));
                                Entry { best: found.best, ..one } == found
                            });
                            assert!(written, "{found:?}");
                        }
                    }
                });
            }
        });
    }
}
