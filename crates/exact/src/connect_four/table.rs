//! The transposition table, shared by all threads.
//!
//! An entry is one number as wide as the board's word. The key goes through a
//! reversible hash; its upper bits choose the place and its lower bits are kept
//! whole, so an entry never matches another position. Beside them it has both
//! bounds of the score, the best column, and the work behind the entry, by which
//! one of the two entries of a bucket is replaced.
//!
//! Reading and writing needs no lock. On 64 bits a thread sees an old entry or a
//! new one, never half of each. A wider entry is several words, of which the lowest
//! holds all that is known; halves of two entries match a third position only if
//! its hash happens to be made of theirs, which has 2^-64 or less of a chance, and
//! only where threads meet in that very moment.
//!
//! The table begins small enough for the processor's cache, so that short searches
//! stay fast, and grows as it fills. Since the bucket comes from the upper bits,
//! growing moves entries only upwards, in place.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use games::connect_four::{U192, Word};
use search::memory::{AtomicWords, Memory};

use super::search::{Node, Search};
use super::shape::{Free, Shape};

/// log2 of the buckets of the smallest table: 8 kB on 64 bits.
const SMALLEST: u32 = 9;
/// log2 of the factor by which the table grows.
const GROWTH: u32 = 3;
const MAX_WORK_BITS: u32 = 6;
/// The hash multiplies by as many of these words as the board has.
const MULTIPLIER: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

/// A word that entries can be made of.
pub trait TableWord: Word {
    /// An entry in memory.
    #[expect(private_bounds, reason = "only the words of this file have tables")]
    type Slot: Slot<Self>;
    /// Bits for one bound: half of the cells of the largest board, on either side
    /// of zero.
    const BOUND_BITS: u32;
    /// At least so many bits for the work, if the smallest table must grow for it.
    const MIN_WORK_BITS: u32;

    /// [`Shape::run`] of a board in this word.
    #[expect(private_interfaces, reason = "only the words of this file have tables")]
    fn run(search: &mut Search<'_, Free<Self>>, node: Node<Self>, alpha: i32) -> i32;
}

/// An entry in memory.
pub(super) trait Slot<W>: AtomicWords + Send + Sync + 'static {
    fn load(&self) -> W;
    fn store(&self, word: W);
    /// Faster than storing, for whole tables.
    fn clear(&mut self);
}

impl TableWord for u64 {
    type Slot = [AtomicU64; 1];
    const BOUND_BITS: u32 = 6;
    const MIN_WORK_BITS: u32 = 0;

    #[expect(private_interfaces, reason = "as in the trait")]
    fn run(search: &mut Search<'_, Free<Self>>, node: Node<Self>, alpha: i32) -> i32 {
        search.run(node, alpha)
    }
}

impl TableWord for u128 {
    type Slot = [AtomicU64; 2];
    const BOUND_BITS: u32 = 7;
    const MIN_WORK_BITS: u32 = 4;

    #[expect(private_interfaces, reason = "as in the trait")]
    fn run(search: &mut Search<'_, Free<Self>>, node: Node<Self>, alpha: i32) -> i32 {
        search.run(node, alpha)
    }
}

impl TableWord for U192 {
    /// One word is spare, so that a bucket is a cache line.
    type Slot = [AtomicU64; 4];
    const BOUND_BITS: u32 = 8;
    const MIN_WORK_BITS: u32 = 4;

    #[expect(private_interfaces, reason = "as in the trait")]
    fn run(search: &mut Search<'_, Free<Self>>, node: Node<Self>, alpha: i32) -> i32 {
        search.run(node, alpha)
    }
}

impl<W: Word, const N: usize> Slot<W> for [AtomicU64; N] {
    #[inline(always)]
    fn load(&self) -> W {
        let limb = |i: usize| if i < N { self[i].load(Relaxed) } else { 0 };
        W::from_limbs([limb(0), limb(1), limb(2)])
    }

    #[inline(always)]
    fn store(&self, word: W) {
        for (limb, value) in self.iter().zip(word.limbs()) {
            limb.store(value, Relaxed);
        }
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.iter_mut().for_each(|limb| *limb.get_mut() = 0);
    }
}

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
pub struct Place<W> {
    bucket: usize,
    /// The part of the hash that an entry keeps, where it keeps it: on top.
    tag: W,
}

/// Entries that a position may be in.
const WAYS: usize = 2;

/// A table for one shape of board.
pub struct TranspositionTable<S: Shape> {
    shape: S,
    buckets: Memory<[<S::Word as TableWord>::Slot; WAYS]>,
    /// log2 of the part of `buckets` in use.
    bits: u32,
    /// The bits of an entry that hold its tag.
    tag_mask: S::Word,
}

impl<S: Shape> TranspositionTable<S> {
    const BOUND_BITS: u32 = <S::Word as TableWord>::BOUND_BITS;
    const BOUND_OFFSET: i32 = 1 << (Self::BOUND_BITS - 1);
    const BOUND_MASK: u64 = (1 << Self::BOUND_BITS) - 1;

    /// A table of at most this many megabytes (of 2^20 bytes): the largest power
    /// of two that fits and that the system has, and no less than the smallest table.
    pub fn new(shape: S, megabytes: usize) -> TranspositionTable<S> {
        let most = (megabytes << 20) / size_of::<[<S::Word as TableWord>::Slot; WAYS]>();
        let bits = most.max(1).ilog2().clamp(smallest(&shape), shape.bits());
        let buckets = Memory::zeroed(1 << bits, 1 << smallest(&shape));
        let tag_mask = !S::Word::default() << (S::Word::BITS - tag_bits(&shape));
        TranspositionTable { shape, buckets, bits: smallest(&shape), tag_mask }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        for bucket in &mut self.buckets[..1 << self.bits] {
            bucket.iter_mut().for_each(Slot::clear);
        }
        self.bits = smallest(&self.shape);
    }

    /// The number of entries that fit the part in use.
    pub fn capacity(&self) -> usize {
        WAYS << self.bits
    }

    /// Whether all of the memory is in use.
    pub fn is_full_size(&self) -> bool {
        1 << self.bits == self.buckets.len()
    }

    /// Takes more of the memory into use.
    pub fn grow(&mut self) {
        let growth = GROWTH.min(self.buckets.len().ilog2() - self.bits);
        // Where the bits that now choose the bucket lie in an entry.
        let place = S::Word::BITS - self.tag_bits() + self.shape.bits() - self.bits - growth;
        for from in (0..1usize << self.bits).rev() {
            let words = self.buckets[from].each_ref().map(Slot::load);
            self.buckets[from].iter_mut().for_each(Slot::clear);
            for word in words.into_iter().filter(|word| !word.is_empty()) {
                let more = (word >> place).low() as usize & ((1 << growth) - 1);
                let [one, two] = &self.buckets[(from << growth) | more];
                let free = if one.load().is_empty() { one } else { two };
                free.store(word);
            }
        }
        self.bits += growth;
    }

    /// The place of the position with this key.
    #[inline(always)]
    pub fn place(&self, key: S::Word) -> Place<S::Word> {
        let bits = self.shape.bits();
        // Both steps can be undone within `bits` bits, so no two keys meet.
        let hash = (key ^ (key >> (bits / 2))).times(S::Word::from_limbs(MULTIPLIER));
        let hash = hash & self.shape.used();
        let bucket = (hash >> (bits - self.bits)).low() as usize;
        Place { bucket, tag: hash << (S::Word::BITS - self.tag_bits()) }
    }

    /// Prefetches the bucket of a position that will be probed soon.
    #[inline(always)]
    pub fn prefetch(&self, place: Place<S::Word>) {
        self.buckets.prefetch(place.bucket);
    }

    /// The entry of the position at this place.
    #[inline(always)]
    pub fn get(&self, place: Place<S::Word>) -> Option<Entry> {
        let word = self.find(place)?.0.low();
        Some(Entry {
            lower: (word & Self::BOUND_MASK) as i32 - Self::BOUND_OFFSET,
            upper: (word >> Self::BOUND_BITS & Self::BOUND_MASK) as i32 - Self::BOUND_OFFSET,
            column: (word >> (2 * Self::BOUND_BITS)) as u32 & ((1 << self.column_bits()) - 1),
        })
    }

    /// Stores an entry after so many nodes of work. Of the two entries of the
    /// bucket the one with less work is replaced.
    #[inline(always)]
    pub fn put(&self, place: Place<S::Word>, known: Entry, nodes: u64) {
        let work = u64::from(nodes.max(1).ilog2()).min((1 << self.work_bits()) - 1);
        let data = work << (2 * Self::BOUND_BITS + self.column_bits())
            | u64::from(known.column) << (2 * Self::BOUND_BITS)
            | ((known.upper + Self::BOUND_OFFSET) as u64) << Self::BOUND_BITS
            | (known.lower + Self::BOUND_OFFSET) as u64;
        let slots = &self.buckets[place.bucket];
        let slot = self.find(place).map_or_else(
            || usize::from(self.work(&slots[1]) < self.work(&slots[0])),
            |(_, slot)| slot,
        );
        slots[slot].store(place.tag | S::Word::from_limbs([data, 0, 0]));
    }

    /// The entry with this tag and which of the two it is. No entry is zero,
    /// because its upper bound is not.
    #[inline(always)]
    fn find(&self, place: Place<S::Word>) -> Option<(S::Word, usize)> {
        let slots = &self.buckets[place.bucket];
        for (slot, entry) in slots.iter().enumerate() {
            let word = entry.load();
            if !word.is_empty() && ((word ^ place.tag) & self.tag_mask).is_empty() {
                return Some((word, slot));
            }
        }
        None
    }

    #[inline(always)]
    fn work(&self, slot: &<S::Word as TableWord>::Slot) -> u64 {
        let data: S::Word = slot.load();
        data.low() >> (2 * Self::BOUND_BITS + self.column_bits()) & ((1 << self.work_bits()) - 1)
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
        (S::Word::BITS - self.tag_bits() - 2 * Self::BOUND_BITS - self.column_bits())
            .min(MAX_WORK_BITS)
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
    let data = 2 * <S::Word as TableWord>::BOUND_BITS
        + column_bits(shape)
        + <S::Word as TableWord>::MIN_WORK_BITS;
    (shape.bits() - SMALLEST).min(S::Word::BITS - data)
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

    fn random_key<S: Shape>(shape: &S, rng: &mut Rng) -> S::Word {
        S::Word::from_limbs([rng.bits(), rng.bits(), rng.bits()]) & shape.used()
    }

    fn known(seed: u64) -> Entry {
        let lower = (seed % 19) as i32 - 18;
        Entry { lower, upper: lower + (seed % 5) as i32, column: (seed % 7) as u32 }
    }

    fn growing_keeps<W: TableWord>(columns: u32, rows: u32) {
        let shape = Free::<W>::new(columns, rows, None).unwrap();
        let mut table = TranspositionTable::new(shape, 16);
        let mut rng = Rng::seeded(5);
        let keys: HashSet<W> = (0..400).map(|_| random_key(&shape, &mut rng)).collect();
        for &key in &keys {
            table.put(table.place(key), known(key.low()), key.low() % 1000);
        }
        let kept = |table: &TranspositionTable<Free<W>>| {
            let get = |&key: &W| table.get(table.place(key)).map(|known| (key, known));
            let mut all: Vec<_> = keys.iter().filter_map(get).collect();
            all.sort_by_key(|&(key, _)| key);
            all
        };
        let before = kept(&table);
        assert!(before.len() > 300, "{columns}x{rows}: {} of 400 kept", before.len());
        assert!(before.iter().all(|&(key, found)| found == known(key.low())));
        while !table.is_full_size() {
            table.grow();
            assert_eq!(kept(&table), before, "{columns}x{rows}");
        }
        table.clear();
        assert!(kept(&table).is_empty());
    }

    #[test]
    fn growing_keeps_every_entry() {
        for (columns, rows) in [(8, 7), (9, 6), (12, 4), (7, 6), (4, 4)] {
            growing_keeps::<u64>(columns, rows);
        }
        for (columns, rows) in [(7, 6), (9, 9), (11, 5), (11, 10), (9, 12)] {
            growing_keeps::<u128>(columns, rows);
        }
        for (columns, rows) in [(7, 6), (9, 9), (10, 12), (12, 12)] {
            growing_keeps::<U192>(columns, rows);
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
