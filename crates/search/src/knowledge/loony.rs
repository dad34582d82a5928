//! The value of a Dots and Boxes endgame in which every move is loony.
//!
//! Such an endgame is a sum of separate chains and loops. The player to move opens
//! one of them; the responder takes its boxes, all of them or all but the last two
//! of a chain or four of a loop, which keeps the opponent on the move.
//! The value v(G) is the responder's boxes less the opener's with best play:
//!
//! v(nothing) = 0, and v(G) is the least over the components X of G of
//! |X| - t + |v(G without X) - t|, with t = 2 for a chain and 4 for a loop.
//!
//! The closed form for chains of three and more boxes and loops is Buzzard and
//! Ciere's (2014), the controlled value Berlekamp's. The 2021 paper on Dots and
//! Boxes prints both with errors; [`Variant::Printed`] is what it prints, so that
//! its results can be repeated, and [`Variant::Correct`] is what the recursion
//! confirms.
//!
//! There is no search here, and no positions with safe moves or opened chains.

use games::Game;
use games::dots_and_boxes::DotsAndBoxes;

use super::Variant;

/// One chain or loop with its number of boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Component {
    /// A chain of one or more boxes.
    Chain(u32),
    /// A loop: four or more boxes, an even number.
    Loop(u32),
}

impl Component {
    /// The boxes it has.
    pub fn size(self) -> u32 {
        match self {
            Component::Chain(size) | Component::Loop(size) => size,
        }
    }

    /// The boxes that keeping control gives away.
    pub fn price(self) -> i32 {
        match self {
            Component::Chain(_) => 2,
            Component::Loop(_) => 4,
        }
    }

    /// Whether the responder, to whom this component was opened, should leave its
    /// last boxes so that the opponent must open the rest too.
    pub fn keeps_control(self, rest: &Endgame, theory: Variant) -> bool {
        match theory {
            Variant::Correct => rest.value(Variant::Correct) > self.price(),
            // The paper exchanges the thresholds of chains and loops, and uses the
            // controlled value.
            Variant::Printed => rest.controlled(Variant::Printed) > 6 - self.price(),
        }
    }
}

/// A sum of separate unopened chains and loops, as far as its value depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Endgame {
    /// Chains of one box and of two boxes.
    short: [i32; 2],
    /// Chains of three or more boxes, and those of exactly three.
    long: i32,
    threes: i32,
    /// Loops, and those of exactly four boxes.
    loops: i32,
    fours: i32,
    /// Boxes in long chains and loops.
    size: i32,
}

impl FromIterator<Component> for Endgame {
    fn from_iter<I: IntoIterator<Item = Component>>(components: I) -> Endgame {
        components.into_iter().fold(Endgame::default(), Endgame::with)
    }
}

impl Endgame {
    /// The endgame that a position is, if it is one: every open box belongs to a
    /// chain between rims or to a loop, and nothing can be taken.
    pub fn of(game: &DotsAndBoxes) -> Option<Endgame> {
        let chains = game.chains();
        let strung = chains.iter().fold(0, |set, chain| set | chain.boxes);
        let all = (1u64 << game.setup().boxes()) - 1;
        if strung | game.closed() != all {
            return None;
        }
        if chains.iter().any(|chain| chain.open_ends() > 0) {
            return None;
        }
        // With no box of three open sides there are no joints.
        let component =
            |size, is_loop| if is_loop { Component::Loop(size) } else { Component::Chain(size) };
        Some(chains.iter().map(|chain| component(chain.size(), chain.is_loop())).collect())
    }

    /// The same with one component more.
    #[must_use]
    pub fn with(self, component: Component) -> Endgame {
        self.changed(component, 1)
    }

    /// The same without a component that it has.
    #[must_use]
    pub fn without(self, component: Component) -> Endgame {
        self.changed(component, -1)
    }

    fn changed(mut self, component: Component, by: i32) -> Endgame {
        match component {
            Component::Chain(size @ 1..=2) => self.short[size as usize - 1] += by,
            Component::Chain(size) => {
                self.long += by;
                self.threes += if size == 3 { by } else { 0 };
                self.size += by * size as i32;
            }
            Component::Loop(size) => {
                self.loops += by;
                self.fours += if size == 4 { by } else { 0 };
                self.size += by * size as i32;
            }
        }
        self
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.short == [0; 2] && self.size == 0
    }

    /// The controlled value c(G) of the long chains and loops, for the responder:
    /// the value of keeping control to the end.
    pub fn controlled(&self, theory: Variant) -> i32 {
        let bonus = match theory {
            _ if self.size == 0 => 0,
            Variant::Correct if self.loops > 0 && self.long == 0 => 8,
            Variant::Correct if self.loops > 0 && self.threes == self.long => 6,
            // The paper's cases do not mention other chains; the narrower of two
            // that apply is taken.
            Variant::Printed if self.loops > 0 && self.threes > 0 => 6,
            Variant::Printed if self.loops > 0 => 8,
            _ => 4,
        };
        self.size - 4 * self.long - 8 * self.loops + bonus
    }

    /// v(G): the responder's boxes less the opener's with best play.
    pub fn value(&self, theory: Variant) -> i32 {
        // The shortest is opened first, taken whole, and negates the value. So two
        // of a kind cancel out.
        let [ones, twos] = self.short;
        let mut value = self.long_value(theory);
        if twos % 2 != 0 {
            value = 2 - value;
        }
        if ones % 2 != 0 {
            value = 1 - value;
        }
        value
    }

    /// The cost of opening `component` of this endgame: the responder's boxes less
    /// the opener's in the whole of it with best play from there. The best component
    /// to open is the cheapest, and the shortest chain or the shortest loop is one
    /// of the cheapest.
    pub fn cost(&self, component: Component, theory: Variant) -> i32 {
        let rest = self.without(component).value(theory);
        match component {
            // Opened by the middle edge, two boxes can't be left.
            Component::Chain(size @ 1..=2) => size as i32 - rest,
            _ => component.size() as i32 - component.price() + (rest - component.price()).abs(),
        }
    }

    /// v of the long chains and loops.
    fn long_value(&self, theory: Variant) -> i32 {
        let Endgame { threes, loops, fours, size, .. } = *self;
        if size == 0 {
            return 0;
        }
        let controlled = self.controlled(theory);
        if controlled >= 2 {
            return controlled;
        }
        let excepted = (threes, fours, loops, size) == (2, 1, 1, 10);
        if controlled == 0 && fours > 0 && !excepted {
            return 0;
        }
        if threes == 0 || threes == 1 && size % 4 == 3 {
            // The paper omits the weight of four of a loop of four here but not in
            // the next condition, so that some endgames fall between the two.
            let weight = if theory == Variant::Printed { 1 } else { 4 };
            if controlled + weight * fours >= 2 {
                let folded = controlled.rem_euclid(8);
                return folded.min(8 - folded);
            }
            if controlled + 4 * fours < 2 {
                return match (size % 4, fours % 2) {
                    (1 | 3, 0) => 3,
                    (1 | 3, _) => 1,
                    (2, _) => 2,
                    (_, 0) => 4,
                    _ => 0,
                };
            }
        }
        if size % 2 == 1 { 1 } else { 2 }
    }
}

#[cfg(test)]
mod tests;
