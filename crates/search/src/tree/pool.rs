//! Where the nodes of a tree live: one block of memory, taken once.
//!
//! Siblings lie together in groups of eight, each group a struct of arrays of
//! three cache lines, so that selection reads what it compares in a straight
//! line and eight children at a time. A node is a lane of a group; its children
//! are a run of groups. Groups are handed out from front to back, so parents lie
//! before their children but for what threads take at the same time, which is
//! what lets `compact` tidy up in a pass or two. Nothing here knows a game, a
//! formula or a thread: every field is atomic and every access relaxed, except
//! the link that publishes new children.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU16, AtomicU32, AtomicU64, AtomicUsize};
use std::sync::atomic::{Ordering, Ordering::Relaxed};

use super::proof::Proof;

/// Children in a group.
pub(super) const LANES: usize = 8;

/// One visit's value of 1 in the fixed-point sums. Sums stay below 2^51 for
/// 2^31 visits, which `select` relies on.
pub(super) const ONE: i64 = 1 << 16;

/// Eight siblings. Lanes without a move have the proof `Proof::ABSENT` and a
/// prior of minus infinity.
#[derive(Default)]
#[repr(C, align(64))]
pub(super) struct Eight {
    /// First's results added up, in units of `ONE`.
    pub sum: [AtomicI64; LANES],
    /// Playouts that went through here, those in flight included.
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

/// A node: group times eight plus lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node(pub u32);

impl Node {
    /// The root is always the first lane of the first group.
    pub const ROOT: Node = Node(0);

    pub fn group(self) -> usize {
        self.0 as usize / LANES
    }

    pub fn lane(self) -> usize {
        self.0 as usize % LANES
    }
}

/// Where a node's children are: the first group (27 bits) and their number of
/// groups (5 bits). No groups: a leaf. `BUSY`: somebody is making them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link(pub u32);

impl Link {
    pub const LEAF: Link = Link(0);
    pub const BUSY: Link = Link(31);
    const MOST_GROUPS: usize = 1 << 27;

    pub fn to(first: usize, groups: usize) -> Link {
        debug_assert!(first < Link::MOST_GROUPS && (1..31).contains(&groups));
        Link((first as u32) << 5 | groups as u32)
    }

    /// The groups of the children, if there are any.
    #[inline]
    pub fn open(self) -> Option<std::ops::Range<usize>> {
        let groups = (self.0 & 31) as usize;
        let first = (self.0 >> 5) as usize;
        (groups != 0 && groups != 31).then_some(first..first + groups)
    }
}

/// The memory of one tree.
pub(super) struct Pool {
    /// Zeroed by the system and not aligned to a cache line, for the standard
    /// library writes aligned zeros itself, page by page: that took 60 ms for
    /// each new engine of 256 MB, where this takes microseconds.
    words: Box<[AtomicU64]>,
    /// Words before the first group, which begins a cache line.
    skip: usize,
    /// Groups.
    len: usize,
    supply: Supply,
}

/// What changes about a pool, on a cache line of its own: the fields above are
/// read at every step.
#[derive(Default)]
#[repr(align(128))]
struct Supply {
    /// The first group that nobody has.
    next: AtomicUsize,
    full: AtomicBool,
}

impl Pool {
    /// A pool within `bytes`, the tidying's own bits included; at least room for
    /// one root and its children.
    pub fn new(bytes: usize) -> Pool {
        let len = (bytes / (size_of::<Eight>() + 1)).clamp(64, Link::MOST_GROUPS);
        let line = align_of::<Eight>() / size_of::<AtomicU64>();
        let words = len * (size_of::<Eight>() / size_of::<AtomicU64>()) + line;
        // SAFETY: zero is a valid atomic integer.
        let words = unsafe { Box::<[AtomicU64]>::new_zeroed_slice(words).assume_init() };
        let skip = words.as_ptr().align_offset(align_of::<Eight>());
        assert!(skip < line, "there is a line to spare for alignment");
        let pool = Pool { words, skip, len, supply: Supply::default() };
        pool.clear();
        pool
    }

    /// Forgets everything but an unvisited root.
    pub fn clear(&self) {
        self.supply.next.store(1, Relaxed);
        self.supply.full.store(false, Relaxed);
        for lane in 1..LANES {
            self.group(0).vacate(lane);
        }
        self.group(0).occupy(0, 0, 0.0);
    }

    /// All groups, used or not.
    #[inline]
    fn groups(&self) -> &[Eight] {
        let first = self.words[self.skip..].as_ptr().cast::<Eight>();
        // SAFETY: `new` made room for `len` groups from this aligned word on; a
        // group is atomic integers all through, like the words, so any bits are
        // valid and sharing is sound; nobody looks at the words as words.
        unsafe { std::slice::from_raw_parts(first, self.len) }
    }

    /// The group at an index below [`Pool::used`].
    #[inline]
    pub fn group(&self, index: usize) -> &Eight {
        &self.groups()[index]
    }

    /// A run of groups: the children that a link opens.
    #[inline]
    pub fn run(&self, groups: std::ops::Range<usize>) -> &[Eight] {
        &self.groups()[groups]
    }

    /// Groups handed out.
    pub fn used(&self) -> usize {
        self.supply.next.load(Relaxed).min(self.len)
    }

    /// Groups there are.
    pub fn capacity(&self) -> usize {
        self.len
    }

    /// Whether somebody asked for more than there is.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.supply.full.load(Relaxed)
    }

    /// Says how much is used after tidying.
    pub fn set_used(&self, used: usize) {
        self.supply.next.store(used, Relaxed);
        self.supply.full.store(false, Relaxed);
    }

    /// At least `least` and up to `most` groups, or `None` when there is no room.
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

    /// Takes groups back, if they are the last ones handed out.
    pub fn give_back(&self, groups: std::ops::Range<usize>) {
        if !groups.is_empty() {
            // If they are not, they lie idle until the next tidying.
            let _idle =
                self.supply.next.compare_exchange(groups.end, groups.start, Relaxed, Relaxed);
        }
    }

    #[inline]
    pub fn visits(&self, node: Node) -> u32 {
        self.group(node.group()).visits[node.lane()].load(Relaxed)
    }

    #[inline]
    pub fn sum(&self, node: Node) -> i64 {
        self.group(node.group()).sum[node.lane()].load(Relaxed)
    }

    /// First's mean result, from -1 to 1; 0 before the first visit.
    pub fn mean(&self, node: Node) -> f64 {
        self.sum(node) as f64 / ONE as f64 / f64::from(self.visits(node).max(1))
    }

    #[inline]
    pub fn link(&self, node: Node) -> Link {
        Link(self.group(node.group()).link[node.lane()].load(Ordering::Acquire))
    }

    /// Publishes what a node's children are.
    pub fn set_link(&self, node: Node, link: Link) {
        self.group(node.group()).link[node.lane()].store(link.0, Ordering::Release);
    }

    /// Makes a leaf busy; false if it is no leaf any more.
    pub fn claim(&self, node: Node) -> bool {
        self.group(node.group()).link[node.lane()]
            .compare_exchange(Link::LEAF.0, Link::BUSY.0, Ordering::Acquire, Relaxed)
            .is_ok()
    }

    #[inline]
    pub fn proof(&self, node: Node) -> Proof {
        Proof(self.group(node.group()).proof[node.lane()].load(Relaxed))
    }

    pub fn mv(&self, node: Node) -> u16 {
        self.group(node.group()).mv[node.lane()].load(Relaxed)
    }

    /// Adds a value to a node's sum.
    #[inline]
    pub fn add_sum<const SHARED: bool>(&self, node: Node, value: i64) {
        let sum = &self.group(node.group()).sum[node.lane()];
        if SHARED {
            sum.fetch_add(value, Relaxed);
        } else {
            // Alone, a plain addition does, at a fraction of the cost.
            sum.store(sum.load(Relaxed) + value, Relaxed);
        }
    }

    /// Adds visits to a node and says how many it had.
    #[inline]
    pub fn add_visits<const SHARED: bool>(&self, node: Node, count: u32) -> u32 {
        let visits = &self.group(node.group()).visits[node.lane()];
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
            .flat_map(|group| (0..LANES).map(move |lane| Node((group * LANES + lane) as u32)))
            .filter(|&child| self.proof(child) != Proof::ABSENT)
    }

    /// The child that a move leads to.
    pub fn child(&self, node: Node, mv: u16) -> Option<Node> {
        self.children(node).find(|&child| self.mv(child) == mv)
    }
}

impl Eight {
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

    /// Takes over one lane of another group.
    pub fn copy_lane(&self, lane: usize, from: &Eight, other: usize) {
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
        assert_eq!((size_of::<Eight>(), align_of::<Eight>()), (192, 64));
        for bytes in [0, 100_000, 1 << 20] {
            let pool = Pool::new(bytes);
            let (first, last) = (pool.group(0), pool.group(pool.capacity() - 1));
            let words = pool.words.as_ptr_range();
            assert!(words.start.cast() <= std::ptr::from_ref(first));
            assert!(std::ptr::from_ref(last).wrapping_add(1) <= words.end.cast());
            assert!(size_of_val(&*pool.words) <= bytes.max(64 * 192 + 64));
            // What is written to one group is found there and in no other.
            (0..pool.capacity()).for_each(|i| pool.group(i).visits[7].store(i as u32, Relaxed));
            assert!(
                (0..pool.capacity()).all(|i| pool.group(i).visits[7].load(Relaxed) == i as u32)
            );
        }
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
        // Only the last ones handed out can be given back.
        pool.give_back(runs[0].clone());
        assert_eq!(runs.last().map(|run| run.end), Some(pool.used()));
        pool.give_back(runs[runs.len() - 1].clone());
        assert_eq!(runs.last().map(|run| run.start), Some(pool.used()));
    }
}
