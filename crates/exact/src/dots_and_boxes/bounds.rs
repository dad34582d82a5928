//! Bounds of a value.

/// Bounds of a value for the mover, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least this.
    pub low: i32,
    /// At most this.
    pub high: i32,
}

impl Bounds {
    /// The widest bounds of a position with so many open boxes.
    #[inline]
    pub fn of_boxes(boxes: i32) -> Bounds {
        Bounds { low: -boxes, high: boxes }
    }

    /// A value known exactly.
    #[inline]
    pub fn exact(value: i32) -> Bounds {
        Bounds { low: value, high: value }
    }

    /// The value, if the bounds leave only one.
    pub fn value(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether it is known if the value reaches `target`.
    #[inline]
    pub(super) fn decide(self, target: i32) -> bool {
        self.low >= target || self.high < target
    }

    /// The same bounds for the other player.
    #[inline]
    pub fn turned(self) -> Bounds {
        Bounds { low: -self.high, high: -self.low }
    }

    /// The bounds of the better of two choices.
    #[inline]
    pub(super) fn or(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    /// The intersection.
    #[inline]
    pub(super) fn and(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
}
