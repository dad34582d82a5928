//! The value of a placement, in one byte.

use std::fmt;

/// The value of a placement for the side to move, with best play by both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The mover loses.
    Loss(Distance),
    /// A draw.
    Draw(Distance),
    /// The mover wins.
    Win(Distance),
}

/// When the next capture or the end of the game comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// In so many plies with best play: the side that wants the result minimises
    /// the distance, the other maximises it. 0 means that the game is over, 1 that
    /// the next ply captures.
    Plies(u8),
    /// Never: the result is that of an endless game under the stall rule.
    Stall,
}

impl Value {
    /// +1, 0 or -1 for the mover.
    pub fn sign(self) -> i32 {
        match self {
            Value::Loss(_) => -1,
            Value::Draw(_) => 0,
            Value::Win(_) => 1,
        }
    }

    /// The distance of the result.
    pub fn distance(self) -> Distance {
        match self {
            Value::Loss(distance) | Value::Draw(distance) | Value::Win(distance) => distance,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let word = match self {
            Value::Loss(_) => "loss",
            Value::Draw(_) => "draw",
            Value::Win(_) => "win",
        };
        match self.distance() {
            Distance::Plies(plies) => write!(f, "{word} in {plies}"),
            Distance::Stall => write!(f, "{word} by stall"),
        }
    }
}

/// A [`Value`] in a byte: the result in the two highest bits, the distance in
/// the others. Zero is not a value.
pub mod byte {
    use super::{Distance, Value};

    /// Not known, or the number of no placement.
    pub const NONE: u8 = 0;
    /// The mover loses; add the distance.
    pub const LOSS: u8 = 1 << 6;
    /// A draw; add the distance.
    pub const DRAW: u8 = 2 << 6;
    /// The mover wins; add the distance.
    pub const WIN: u8 = 3 << 6;
    /// The distance of a stall.
    pub const STALL: u8 = 63;
    /// The largest distance in plies.
    pub const FARTHEST: u8 = 62;
    /// The bits of the result.
    pub const RESULT: u8 = 3 << 6;

    /// The value of a byte.
    pub fn value(byte: u8) -> Option<Value> {
        let distance = match byte & !RESULT {
            STALL => Distance::Stall,
            plies => Distance::Plies(plies),
        };
        match byte & RESULT {
            LOSS => Some(Value::Loss(distance)),
            DRAW => Some(Value::Draw(distance)),
            WIN => Some(Value::Win(distance)),
            _ => None,
        }
    }
}
