//! The memory of a tree's nodes: one allocation, made once.
//!
//! Siblings lie together in blocks of eight, each block a struct of arrays of
//! three cache lines, so that selection reads eight children at a time in order. A
//! node is a lane of a block; its children are a range of blocks. Blocks are
//! allocated from front to back, so parents lie before their children but for what
//! threads take at the same time, which is what lets `compact` work in a pass or
//! two. Nothing here depends on a game, a formula or a thread: every field is
//! atomic and every access relaxed, except the link that publishes new children.

use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU16, AtomicU32, AtomicU64, AtomicUsize};
use std::sync::atomic::{Ordering, Ordering::Relaxed};

use super::proof::Proof;

/// Children in a block.
pub(super) const LANES: usize = 8;

/// One visit's value of 1 in the fixed-point sums. Sums stay below 2^51 for
/// 2^31 visits, which `select` relies on.
pub(super) const ONE: i64 = 1 << 16;

/// Eight siblings. Lanes without a move have the proof `Proof::ABSENT` and a
/// prior of minus infinity.
#[derive(Default)]
#[repr(C, align(64))]
pub(super) struct ChildBlock {
    /// First's results added up, in units of `ONE`.
    pub sum: [AtomicI64; LANES],
    /// Simulations through this node, those in flight included.
    pub visits: [AtomicU32; LANES],
    /// Bits of an `f32`: the policy's weight (0 without a policy), or minus
    /// infinity when the child must not be chosen.
    pub prior: [AtomicU32; LANES],
    /// A `Link` to the children.
    pub link: [AtomicU32; LANES],
    /// The code of the move that leads here.
    pub mv: [AtomicU16; LANES],
    /// A `Proof`.
    pub proof: [AtomicU16; LANES],
}

/// The prior of a child that must not be chosen.
pub(super) const EXCLUDED: u32 = f32::NEG_INFINITY.to_bits();

/// A node: block times eight plus lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node(pub u32);

impl Node {
    /// The root is always the first lane of the first block.
    pub const ROOT: Node = Node(0);

    pub fn block(self) -> usize {
        self.0 as usize / LANES
    }

    pub fn lane(self) -> usize {
        self.0 as usize % LANES
    }
}

/// Where a node's children are: the first block (27 bits) and their number of
/// blocks (5 bits). No blocks: a leaf. `BUSY`: a thread is expanding it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link(pub u32);

impl Link {
    pub const LEAF: Link = Link(0);
    pub const BUSY: Link = Link(31);
    const MAX_BLOCKS: usize = 1 << 27;

    pub fn to(first: usize, blocks: usize) -> Link {
        debug_assert!(first < Link::MAX_BLOCKS && (1..31).contains(&blocks));
        Link((first as u32) << 5 | blocks as u32)
    }

    /// The blocks of the children, if there are any.
    #[inline]
    pub fn open(self) -> Option<std::ops::Range<usize>> {
        let blocks = (self.0 & 31) as usize;
        let first = (self.0 >> 5) as usize;
        (blocks != 0 && blocks != 31).then_some(first..first + blocks)
    }
}

/// The memory of one tree.
pub(super) struct Pool {
    /// Zeroed by the system and not aligned to a cache line: for an aligned
    /// allocation the standard library writes the zeros itself, page by page, which
    /// took 60 ms for each new engine of 256 MB, where this takes microseconds.
    words: Box<[AtomicU64]>,
    /// Words before the first block, which begins a cache line.
    skip: usize,
    /// Blocks.
    len: usize,
    supply: Supply,
}

/// What changes about a pool, on a cache line of its own: the fields above are
/// read at every step.
#[derive(Default)]
#[repr(align(128))]
struct Supply {
    /// The first free block.
    next: AtomicUsize,
    full: AtomicBool,
}

/// So many words; `None` if the system refuses.
fn zeroed(words: usize) -> Option<Box<[AtomicU64]>> {
    let layout = Layout::array::<AtomicU64>(words).ok()?;
    // SAFETY: the layout is not empty, since there is a line for alignment at least.
    let address = unsafe { alloc_zeroed(layout) };
    if address.is_null() {
        return None;
    }
    let slice = std::ptr::slice_from_raw_parts_mut(address.cast(), words);
    // SAFETY: the allocator gave the memory for the layout of this slice, which a box
    // of it gives back; all-zero bytes are a valid `AtomicU64`.
    Some(unsafe { Box::from_raw(slice) })
}

impl Pool {
    /// A pool within `bytes`, the bit sets of `compact` included; at least room for
    /// one root and its children. Where the system has less memory, the pool is
    /// smaller.
    pub fn new(bytes: usize) -> Pool {
        let mut len = (bytes / (size_of::<ChildBlock>() + 1)).clamp(64, Link::MAX_BLOCKS);
        let line = align_of::<ChildBlock>() / size_of::<AtomicU64>();
        let words = loop {
            match zeroed(len * (size_of::<ChildBlock>() / size_of::<AtomicU64>()) + line) {
                Some(words) => break words,
                None if len > 64 => len = (len / 2).max(64),
                // Where not even 12 kB are to be had, nothing goes on.
                None => handle_alloc_error(Layout::new::<[ChildBlock; 64]>()),
            }
        };
        let skip = words.as_ptr().align_offset(align_of::<ChildBlock>());
        assert!(skip < line, "there is a line to spare for alignment");
        let pool = Pool { words, skip, len, supply: Supply::default() };
        pool.clear();
        pool
    }

    /// Removes everything but an unvisited root.
    pub fn clear(&self) {
        self.supply.next.store(1, Relaxed);
        self.supply.full.store(false, Relaxed);
        for lane in 1..LANES {
            self.block(0).vacate(lane);
        }
        self.block(0).occupy(0, 0, 0.0);
    }

    /// All blocks, used or not.
    #[inline]
    fn all_blocks(&self) -> &[ChildBlock] {
        let first = self.words[self.skip..].as_ptr().cast::<ChildBlock>();
        // SAFETY: `new` allocated `len` blocks from this word on, which it aligned for
        // them; a block is atomic integers throughout, so any bits are valid and
        // shared access is sound; the words are never accessed as words.
        unsafe { std::slice::from_raw_parts(first, self.len) }
    }

    /// The block at an index below [`Pool::used`].
    #[inline]
    pub fn block(&self, index: usize) -> &ChildBlock {
        &self.all_blocks()[index]
    }

    /// A range of blocks: the children of a link.
    #[inline]
    pub fn blocks(&self, blocks: std::ops::Range<usize>) -> &[ChildBlock] {
        &self.all_blocks()[blocks]
    }

    /// Blocks allocated.
    pub fn used(&self) -> usize {
        self.supply.next.load(Relaxed).min(self.len)
    }

    /// All blocks.
    pub fn capacity(&self) -> usize {
        self.len
    }

    /// Whether an allocation has failed.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.supply.full.load(Relaxed)
    }

    /// Sets how much is used after compaction.
    pub fn set_used(&self, used: usize) {
        self.supply.next.store(used, Relaxed);
        self.supply.full.store(false, Relaxed);
    }

    /// At least `least` and up to `most` blocks, or `None` when there is no room.
    pub fn take(&self, least: usize, most: usize) -> Option<std::ops::Range<usize>> {
        if self.is_full() {
            return None;
        }
        let end = |first: usize| self.len.min(first + most);
        let grow = |first: usize| (first + least <= self.len).then(|| end(first));
        match self.supply.next.fetch_update(Relaxed, Relaxed, grow) {
            Ok(first) => Some(first..end(first)),
            Err(_) => {
                self.supply.full.store(true, Relaxed);
                None
            }
        }
    }

    /// Frees blocks, if they are the last ones allocated.
    pub fn give_back(&self, blocks: std::ops::Range<usize>) {
        if !blocks.is_empty() {
            // If they are not, they stay unused until the next compaction.
            let _idle =
                self.supply.next.compare_exchange(blocks.end, blocks.start, Relaxed, Relaxed);
        }
    }

    #[inline]
    pub fn visits(&self, node: Node) -> u32 {
        self.block(node.block()).visits[node.lane()].load(Relaxed)
    }

    #[inline]
    pub fn sum(&self, node: Node) -> i64 {
        self.block(node.block()).sum[node.lane()].load(Relaxed)
    }

    /// First's mean result, from -1 to 1; 0 before the first visit.
    pub fn mean(&self, node: Node) -> f64 {
        self.sum(node) as f64 / ONE as f64 / f64::from(self.visits(node).max(1))
    }

    #[inline]
    pub fn link(&self, node: Node) -> Link {
        Link(self.block(node.block()).link[node.lane()].load(Ordering::Acquire))
    }

    /// Publishes what a node's children are.
    pub fn set_link(&self, node: Node, link: Link) {
        self.block(node.block()).link[node.lane()].store(link.0, Ordering::Release);
    }

    /// Claims a leaf for expansion; false if it is no leaf any more.
    pub fn claim(&self, node: Node) -> bool {
        self.block(node.block()).link[node.lane()]
            .compare_exchange(Link::LEAF.0, Link::BUSY.0, Ordering::Acquire, Relaxed)
            .is_ok()
    }

    #[inline]
    pub fn proof(&self, node: Node) -> Proof {
        Proof(self.block(node.block()).proof[node.lane()].load(Relaxed))
    }

    pub fn mv(&self, node: Node) -> u16 {
        self.block(node.block()).mv[node.lane()].load(Relaxed)
    }

    /// The policy's weight of a node; 0 without a policy.
    pub fn prior(&self, node: Node) -> f32 {
        f32::from_bits(self.block(node.block()).prior[node.lane()].load(Relaxed))
    }

    /// Adds a value to a node's sum.
    #[inline]
    pub fn add_sum<const SHARED: bool>(&self, node: Node, value: i64) {
        let sum = &self.block(node.block()).sum[node.lane()];
        if SHARED {
            sum.fetch_add(value, Relaxed);
        } else {
            // Alone, a plain addition does, at a fraction of the cost.
            sum.store(sum.load(Relaxed) + value, Relaxed);
        }
    }

    /// Adds visits to a node and returns how many it had.
    #[inline]
    pub fn add_visits<const SHARED: bool>(&self, node: Node, count: u32) -> u32 {
        let visits = &self.block(node.block()).visits[node.lane()];
        if SHARED {
            visits.fetch_add(count, Relaxed)
        } else {
            let before = visits.load(Relaxed);
            visits.store(before.wrapping_add(count), Relaxed);
            before
        }
    }

    /// A node's children, in the order of expansion.
    pub fn children(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.link(node)
            .open()
            .unwrap_or(0..0)
            .flat_map(|block| (0..LANES).map(move |lane| Node((block * LANES + lane) as u32)))
            .filter(|&child| self.proof(child) != Proof::ABSENT)
    }

    /// The child that a move leads to.
    pub fn child(&self, node: Node, mv: u16) -> Option<Node> {
        self.children(node).find(|&child| self.mv(child) == mv)
    }
}

impl ChildBlock {
    /// Puts an unvisited child into a lane.
    pub fn occupy(&self, lane: usize, mv: u16, prior: f32) {
        self.sum[lane].store(0, Relaxed);
        self.visits[lane].store(0, Relaxed);
        self.prior[lane].store(prior.to_bits(), Relaxed);
        self.link[lane].store(Link::LEAF.0, Relaxed);
        self.mv[lane].store(mv, Relaxed);
        self.proof[lane].store(Proof::NONE.0, Relaxed);
    }

    /// Empties a lane.
    pub fn vacate(&self, lane: usize) {
        self.occupy(lane, u16::MAX, f32::NEG_INFINITY);
        self.proof[lane].store(Proof::ABSENT.0, Relaxed);
    }

    /// Copies one lane of another block.
    pub fn copy_lane(&self, lane: usize, from: &ChildBlock, other: usize) {
        self.sum[lane].store(from.sum[other].load(Relaxed), Relaxed);
        self.visits[lane].store(from.visits[other].load(Relaxed), Relaxed);
        self.prior[lane].store(from.prior[other].load(Relaxed), Relaxed);
        self.link[lane].store(from.link[other].load(Relaxed), Relaxed);
        self.mv[lane].store(from.mv[other].load(Relaxed), Relaxed);
        self.proof[lane].store(from.proof[other].load(Relaxed), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_fill_lines_and_stay_within_the_words() {
        assert_eq!((size_of::<ChildBlock>(), align_of::<ChildBlock>()), (192, 64));
        for bytes in [0, 100_000, 1 << 20] {
            let pool = Pool::new(bytes);
            let (first, last) = (pool.block(0), pool.block(pool.capacity() - 1));
            let words = pool.words.as_ptr_range();
            assert!(words.start.cast() <= std::ptr::from_ref(first));
            assert!(std::ptr::from_ref(last).wrapping_add(1) <= words.end.cast());
            assert!(size_of_val(&*pool.words) <= bytes.max(64 * 192 + 64));
            // What is written to one block is found there and in no other.
            (0..pool.capacity()).for_each(|i| pool.block(i).visits[7].store(i as u32, Relaxed));
            assert!(
                (0..pool.capacity()).all(|i| pool.block(i).visits[7].load(Relaxed) == i as u32)
            );
        }
    }

    #[test]
    fn a_pool_takes_what_the_system_has() {
        // More than any address space; the largest pool has 26 GB. The compiler may
        // leave out an allocation that nobody looks at.
        let refused = |words| std::hint::black_box(zeroed(words)).is_none();
        assert!(refused(usize::MAX / 16) && refused(1 << 58));
        let pool = Pool::new(usize::MAX);
        assert!((64..=Link::MAX_BLOCKS).contains(&pool.capacity()));
        assert!(pool.take(1, 1).is_some());
    }

    #[test]
    fn a_full_pool_says_so_and_gives_nothing_more() {
        let pool = Pool::new(0);
        let runs: Vec<_> = std::iter::from_fn(|| pool.take(8, 20)).collect();
        assert!(runs.iter().all(|run| (8..=20).contains(&run.len())));
        assert!(runs.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!(runs.last().map(|run| run.end), Some(pool.used()));
        assert!(pool.used() <= pool.capacity() && pool.used() + 8 > pool.capacity());
        assert!(pool.is_full() && pool.take(1, 1).is_none());
        // Only the last ones allocated can be freed.
        pool.give_back(runs[0].clone());
        assert_eq!(runs.last().map(|run| run.end), Some(pool.used()));
        pool.give_back(runs[runs.len() - 1].clone());
        assert_eq!(runs.last().map(|run| run.start), Some(pool.used()));
    }
}
