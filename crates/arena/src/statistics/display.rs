//! Results as text, in the format of fastchess.

use std::fmt;

use super::{Estimate, Sprt, Tally};

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:.2} +/- {:.2}", self.value, self.error)
    }
}

impl fmt::Display for Tally {
    /// Four lines, from the viewpoint of the first engine; one without games, and a
    /// fifth where openings decided pairs.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(elo) = self.elo() else { return write!(f, "Games: 0") };
        let [ll, ld, _, wd, ww] = self.pairs;
        let (low, high) = self.wilson();
        writeln!(f, "Elo: {}, nElo: {}", elo.elo, elo.nelo)?;
        writeln!(
            f,
            "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {:.2}",
            100.0 * elo.los,
            100.0 * self.pair_draw_ratio(),
            (wd + ww) as f64 / (ll + ld) as f64
        )?;
        writeln!(
            f,
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %, Wilson {:.2} to {:.2} %)",
            self.games(),
            self.wins,
            self.losses,
            self.draws,
            self.points(),
            100.0 * self.score(),
            100.0 * low,
            100.0 * high
        )?;
        write!(f, "Ptnml(0-2): {:?}", self.pairs)?;
        match self.same_side {
            [0, 0] => Ok(()),
            [first, second] => write!(
                f,
                "\nPairs won whole by one side of the board: {first} by First, {second} by Second ({:.2} %)",
                100.0 * self.same_side_ratio()
            ),
        }
    }
}

impl Sprt {
    /// The line that shows a ratio between its bounds.
    pub fn line(&self, llr: f64) -> String {
        let (low, high) = self.bounds();
        format!("LLR: {llr:.2} ({low:.2}, {high:.2}) [{:.2}, {:.2}]", self.elo0, self.elo1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_fastchess() {
        let pairs = [34, 54, 63, 64, 75];
        let mut tally = Tally { wins: 273, losses: 181, draws: 126, pairs, same_side: [0; 2] };
        let expected = "\
Elo: 55.58 +/- 27.65, nElo: 57.94 +/- 28.28
LOS: 100.00 %, DrawRatio: 21.72 %, PairsRatio: 1.58
Games: 580, Wins: 273, Losses: 181, Draws: 126, Points: 336.0 (57.93 %, Wilson 53.87 to 61.88 %)
Ptnml(0-2): [34, 54, 63, 64, 75]";
        assert_eq!(tally.to_string(), expected);
        tally.same_side = [21, 8];
        let decided =
            "Pairs won whole by one side of the board: 21 by First, 8 by Second (10.00 %)";
        assert_eq!(tally.to_string(), format!("{expected}\n{decided}"));
        assert_eq!(Tally::default().to_string(), "Games: 0");
        let line = Sprt::new(0.0, 2.0).line(1.234);
        assert_eq!(line, "LLR: 1.23 (-2.94, 2.94) [0.00, 2.00]");
        let whitewash = Tally { wins: 2, pairs: [0, 0, 0, 0, 1], ..Tally::default() };
        assert!(whitewash.to_string().starts_with("Elo: inf +/- inf, nElo: inf +/- "));
    }
}
