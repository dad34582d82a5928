//! The value of an endgame in which only separate chains and loops are left, by
//! theory instead of search.
//!
//! Berlekamp's controlled value decides most of these endgames; Buzzard and
//! Ciere (2014) gave the closed form for the rest. It is stated here as checked
//! against the recursion `v(G) = min over X of |X| - t + |v(G - X) - t|` (t = 2
//! for a chain, 4 for a loop), which the tests repeat. Chains of one or two boxes
//! come before all that: the shortest is opened first and costs its boxes.

/// A collection of separate chains and loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Endgame {
    /// Chains of one box.
    pub ones: i32,
    /// Chains of two boxes.
    pub twos: i32,
    /// Chains of three or more.
    pub chains: i32,
    /// Those of exactly three.
    pub threes: i32,
    /// Loops, all of four or more.
    pub loops: i32,
    /// Those of exactly four.
    pub fours: i32,
    /// Boxes in long chains and loops.
    pub size: i32,
}

impl Endgame {
    /// Adds a chain of so many boxes.
    #[inline]
    pub fn add_chain(&mut self, boxes: i32) {
        match boxes {
            1 => self.ones += 1,
            2 => self.twos += 1,
            _ => {
                self.chains += 1;
                self.threes += i32::from(boxes == 3);
                self.size += boxes;
            }
        }
    }

    /// Adds a loop of so many boxes.
    #[inline]
    pub fn add_loop(&mut self, boxes: i32) {
        self.loops += 1;
        self.fours += i32::from(boxes == 4);
        self.size += boxes;
    }

    /// The mover's boxes minus the opponent's: the mover has to open something.
    pub fn value(&self) -> i32 {
        // Each short chain turns the value: -(length + rest). Two of a kind
        // cancel out.
        let long = -self.responder();
        let after_twos = if self.twos % 2 == 1 { -(2 + long) } else { long };
        if self.ones % 2 == 1 { -(1 + after_twos) } else { after_twos }
    }

    /// v(G) of the long chains and loops alone, for whoever answers the opening.
    fn responder(&self) -> i32 {
        let Endgame { chains, threes, loops, fours, size, .. } = *self;
        if size == 0 {
            return 0;
        }
        let bonus = match (loops, chains) {
            (1.., 0) => 8,
            (1.., _) if threes == chains => 6,
            _ => 4,
        };
        let controlled = size - 4 * chains - 8 * loops + bonus;
        if controlled >= 2 {
            return controlled;
        }
        let exception = size == 10 && threes == 2 && fours == 1;
        if controlled == 0 && fours >= 1 && !exception {
            return 0;
        }
        if threes == 0 || threes == 1 && size % 4 == 3 {
            return if controlled + 4 * fours >= 2 {
                let folded = controlled.rem_euclid(8);
                folded.min(8 - folded)
            } else {
                match (size % 4, fours % 2) {
                    (1 | 3, 1) => 1,
                    (1 | 3, _) => 3,
                    (2, _) => 2,
                    (_, 1) => 0,
                    _ => 4,
                }
            };
        }
        if size % 2 == 1 { 1 } else { 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// The recursion, over every opening; a loop's length is negative here.
    fn recursion(parts: &[i32], known: &mut HashMap<Vec<i32>, i32>) -> i32 {
        if let Some(&value) = known.get(parts) {
            return value;
        }
        let mut best = if parts.is_empty() { 0 } else { i32::MAX };
        for i in 0..parts.len() {
            let mut rest = parts.to_vec();
            let part = rest.remove(i);
            let rest = recursion(&rest, known);
            let cost = match part {
                1 | 2 => part - rest,
                3.. => part - 2 + (rest - 2).abs(),
                _ => -part - 4 + (rest - 4).abs(),
            };
            best = best.min(cost);
        }
        known.insert(parts.to_vec(), best);
        best
    }

    fn each(parts: &mut Vec<i32>, left: i32, choices: &[i32], check: &mut dyn FnMut(&[i32])) {
        check(parts);
        for (i, &choice) in choices.iter().enumerate() {
            if choice.abs() <= left {
                parts.push(choice);
                each(parts, left - choice.abs(), &choices[i..], check);
                parts.pop();
            }
        }
    }

    #[test]
    fn the_closed_form_is_the_recursion() {
        let choices: Vec<i32> = (1..=22).chain((2..=11).map(|half| -2 * half)).collect();
        let mut known = HashMap::new();
        let mut seen = 0;
        each(&mut Vec::new(), 22, &choices, &mut |parts| {
            let mut endgame = Endgame::default();
            for &part in parts {
                if part > 0 { endgame.add_chain(part) } else { endgame.add_loop(-part) }
            }
            assert_eq!(endgame.value(), -recursion(parts, &mut known), "{parts:?}");
            seen += 1;
        });
        assert!(seen > 10_000, "{seen}");
    }
}
