//! The keys of the positions before a node: those of the record and those of the
//! line being searched, for repetition.

use games::{Game, Record};

/// Slots of the filter; a power of two.
const SLOTS: usize = 1 << 12;

/// The keys from the start of the record to the node being searched.
pub struct Path {
    keys: Vec<u64>,
    /// How many keys fall into each slot: most positions are new, and an empty
    /// slot shows that without a scan.
    filter: Box<[u16; SLOTS]>,
    root: usize,
}

/// How often a position has occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrences {
    /// Together, this time included.
    pub times: u32,
    /// Whether one of the earlier times is in the line being searched, its root
    /// included.
    pub in_search: bool,
}

impl Path {
    /// The keys up to the record's position.
    pub fn new<G: Game>(record: &Record<G>) -> Path {
        let mut path = Path {
            keys: Vec::new(),
            filter: Box::new([0; SLOTS]),
            root: record.positions().len() - 1,
        };
        record.positions().iter().for_each(|game| path.push(game.key()));
        path
    }

    /// Plies of the game up to a node at `ply` plies from the root.
    pub fn plies(&self, ply: usize) -> u32 {
        (self.root + ply) as u32
    }

    /// Descends from the position with this key.
    #[inline]
    pub fn push(&mut self, key: u64) {
        self.filter[slot(key)] += 1;
        self.keys.push(key);
    }

    /// Goes back one position.
    #[inline]
    pub fn pop(&mut self) {
        let key = self.keys.pop().expect("what was pushed");
        self.filter[slot(key)] -= 1;
    }

    /// Goes back to the root, from wherever a search was stopped.
    pub fn rewind(&mut self) {
        while self.keys.len() > self.root + 1 {
            self.pop();
        }
    }

    /// How often the position with this key, which is not pushed itself, has
    /// occurred.
    #[inline]
    pub fn occurrences(&self, key: u64) -> Occurrences {
        let mut found = Occurrences { times: 1, in_search: false };
        if self.filter[slot(key)] > 0 {
            for (index, _) in self.keys.iter().enumerate().filter(|&(_, &earlier)| earlier == key) {
                found.times += 1;
                found.in_search |= index >= self.root;
            }
        }
        found
    }
}

#[inline]
fn slot(key: u64) -> usize {
    key as usize % SLOTS
}
