//! When a paper's number counts as reproduced.
//!
//! The rules were fixed before the short and full profiles were played; a smoke
//! run added that a handful of games decides nothing. All intervals are 95%.
//! A number is compared as a difference, because the paper's own games were a
//! sample too: the interval of the difference of two shares is Newcombe's, made
//! of the two Wilson intervals (R. Newcombe, 1998). No difference seen in an
//! interval too wide to see one is not a reproduction, but undecided.

use arena::statistics::wilson;
use serde::Serialize;

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Our result agrees, and could have disagreed.
    Reproduced,
    /// Our result disagrees.
    NotReproduced,
    /// Too little was played to decide.
    Undecided,
}

impl Verdict {
    /// As text.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::NotReproduced => "not reproduced",
            Verdict::Undecided => "undecided at this size",
        }
    }
}

/// A difference interval with a wider half than this decides nothing.
const WIDEST: f64 = 0.15;

/// Fewer games than this decide nothing: the intervals are made for samples.
const FEWEST: u64 = 20;

/// Whether our share agrees with a printed one over so many games
/// (taken as exact where the paper gives no number of games).
///
/// ```
/// use lab::{Verdict, judge_number};
///
/// assert_eq!(judge_number(0.79, 200, 0.81, Some(100)), Verdict::Reproduced);
/// assert_eq!(judge_number(0.50, 200, 0.81, Some(100)), Verdict::NotReproduced);
/// assert_eq!(judge_number(0.80, 10, 0.81, None), Verdict::Undecided);
/// ```
pub fn judge_number(ours: f64, games: u64, printed: f64, printed_games: Option<u64>) -> Verdict {
    let (low, high) = wilson(ours, games);
    let (their_low, their_high) = printed_games.map_or((printed, printed), |n| wilson(printed, n));
    let difference = ours - printed;
    let below = (ours - low).hypot(their_high - printed);
    let above = (high - ours).hypot(printed - their_low);
    if games < FEWEST {
        Verdict::Undecided
    } else if difference - below > 0.0 || difference + above < 0.0 {
        Verdict::NotReproduced
    } else if (below + above) / 2.0 <= WIDEST {
        Verdict::Reproduced
    } else {
        Verdict::Undecided
    }
}

/// Whether our share may lie between two printed ones, those of several batches.
pub fn judge_range(ours: f64, games: u64, between: [f64; 2]) -> Verdict {
    let (low, high) = wilson(ours, games);
    if games < FEWEST {
        Verdict::Undecided
    } else if high < between[0] || low > between[1] {
        Verdict::NotReproduced
    } else if (high - low) / 2.0 <= WIDEST {
        Verdict::Reproduced
    } else {
        Verdict::Undecided
    }
}

/// Whether our share lies on the same side of one half as the printed one, with
/// its whole interval. `None` if the printed one is one half.
pub fn judge_direction(ours: f64, games: u64, printed: f64) -> Option<Verdict> {
    let (low, high) = wilson(ours, games);
    let side = match (low > 0.5, high < 0.5) {
        _ if games < FEWEST => 0.0,
        (true, _) => 1.0,
        (_, true) => -1.0,
        _ => 0.0,
    };
    match side * (printed - 0.5) {
        _ if printed == 0.5 => None,
        product if product > 0.0 => Some(Verdict::Reproduced),
        product if product < 0.0 => Some(Verdict::NotReproduced),
        _ => Some(Verdict::Undecided),
    }
}

/// Whether a printed optimum lies in our interval, which must not be wider than
/// `widest` to reproduce it.
pub fn judge_place(interval: (f64, f64), printed: f64, widest: f64) -> Verdict {
    if !(interval.0..=interval.1).contains(&printed) {
        Verdict::NotReproduced
    } else if interval.1 - interval.0 <= widest {
        Verdict::Reproduced
    } else {
        Verdict::Undecided
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(judge_number(0.24, 1000, 0.22, Some(100)), Verdict::Reproduced);
        assert_eq!(judge_number(0.5, 1000, 0.22, Some(100)), Verdict::NotReproduced);
        assert_eq!(judge_number(0.0, 2, 0.22, Some(100)), Verdict::Undecided);
        assert_eq!(judge_number(1.0, 1, 0.19, Some(100)), Verdict::Undecided);
        assert_eq!(judge_number(0.5, 0, 0.22, Some(100)), Verdict::Undecided);
        // The paper's own error counts: the same numbers, taken as exact, disagree.
        assert_eq!(judge_number(0.27, 1000, 0.22, None), Verdict::NotReproduced);
        assert_eq!(judge_number(0.27, 1000, 0.22, Some(100)), Verdict::Reproduced);
    }

    #[test]
    fn ranges() {
        assert_eq!(judge_range(0.95, 100, [0.93, 0.98]), Verdict::Reproduced);
        assert_eq!(judge_range(0.6, 100, [0.93, 0.98]), Verdict::NotReproduced);
        assert_eq!(judge_range(0.9, 20, [0.93, 0.98]), Verdict::Reproduced);
        assert_eq!(judge_range(1.0, 10, [0.93, 0.98]), Verdict::Undecided);
    }

    #[test]
    fn directions() {
        assert_eq!(judge_direction(0.7, 100, 0.9), Some(Verdict::Reproduced));
        assert_eq!(judge_direction(0.3, 100, 0.9), Some(Verdict::NotReproduced));
        assert_eq!(judge_direction(0.3, 100, 0.1), Some(Verdict::Reproduced));
        assert_eq!(judge_direction(0.55, 100, 0.9), Some(Verdict::Undecided));
        assert_eq!(judge_direction(1.0, 2, 0.9), Some(Verdict::Undecided));
        assert_eq!(judge_direction(0.7, 100, 0.5), None);
    }

    #[test]
    fn places() {
        assert_eq!(judge_place((0.2, 0.3), 0.23, 0.2), Verdict::Reproduced);
        assert_eq!(judge_place((0.0, 1.0), 0.23, 0.2), Verdict::Undecided);
        assert_eq!(judge_place((0.5, 1.0), 0.23, 0.2), Verdict::NotReproduced);
    }
}
