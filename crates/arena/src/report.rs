//! All that is known about a match at its end, as one value: the command line
//! prints it, and programs read it as JSON.

use std::fmt::{self, Write};

use serde::Serialize;

use crate::statistics::{Decision, Elo, Rating, Sprt, Tally, ratings};
use crate::{Forfeits, LostWins, MatchConfig, Standing};

/// The version of the JSON form. It changes when a field changes its meaning or
/// goes; new fields may come without.
pub const SCHEMA: &str = "boyi-match/1";

/// Bootstrap samples of the ratings.
const RESAMPLES: u32 = 1000;

/// A match and its results. In JSON an infinite number, such as the Elo of a
/// whitewash, is `null`.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport<'a> {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Everything that decides the games.
    pub settings: &'a MatchConfig,
    /// What each engine is called, by number.
    pub engines: Vec<EngineReport<'a>>,
    /// Every pairing with its results, in the order of the schedule.
    pub encounters: Vec<EncounterReport>,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtReport>,
    /// Pairs counted.
    pub pairs: u64,
    /// Pairs scheduled.
    pub scheduled: u64,
    /// Games that the store had before this run.
    pub stored_before: u64,
    /// Whether there is nothing left to play.
    pub finished: bool,
}

/// An engine of a match.
#[derive(Clone, Debug, Serialize)]
pub struct EngineReport<'a> {
    /// Its name in the report: what the user called it, or its spec.
    pub name: String,
    /// Its rating among all engines of the match.
    pub rating: Rating,
    /// Its results against all others together.
    pub results: Results,
    /// What it lost by faults.
    pub forfeits: &'a Forfeits,
    /// Wins that it had reported as proven and did not win.
    pub lost_wins: &'a LostWins,
}

/// Results with what they mean.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Results {
    /// Wins, losses, draws and the pentanomial counts of pairs.
    #[serde(flatten)]
    pub tally: Tally,
    /// Points per game, from 0 to 1.
    pub score: f64,
    /// The share of pairs that one side of the board won whole, from 0 to 1.
    pub same_side_ratio: f64,
    /// The 95% Wilson interval of the score.
    pub wilson: (f64, f64),
    /// Elo, normalized Elo and the likelihood of superiority; none without games.
    #[serde(flatten)]
    pub elo: Option<Elo>,
}

impl From<Tally> for Results {
    fn from(tally: Tally) -> Results {
        Results {
            tally,
            score: tally.score(),
            same_side_ratio: tally.same_side_ratio(),
            wilson: tally.wilson(),
            elo: tally.elo(),
        }
    }
}

/// The results of two engines, from the viewpoint of the first.
#[derive(Clone, Debug, Serialize)]
pub struct EncounterReport {
    /// The two engines by number.
    pub engines: [usize; 2],
    /// The first one's results.
    pub results: Results,
}

/// A sequential test and its state.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtReport {
    /// Its hypotheses, errors and model.
    #[serde(flatten)]
    pub test: Sprt,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// The bounds at which it decides.
    pub bounds: (f64, f64),
    /// What it has decided.
    pub decision: Decision,
}

impl<'a> MatchReport<'a> {
    /// The report of a match; `names`, `forfeits` and `lost_wins` are by engine.
    pub fn new(
        config: &'a MatchConfig,
        standing: &Standing,
        sprt: Option<Sprt>,
        names: &[String],
        forfeits: &'a [Forfeits],
        lost_wins: &'a [LostWins],
        stored_before: u64,
    ) -> MatchReport<'a> {
        let ratings = ratings(names.len(), &standing.encounters, RESAMPLES, config.seed);
        let faults = forfeits.iter().zip(lost_wins);
        let engines = names.iter().zip(faults).zip(ratings).enumerate();
        MatchReport {
            schema: SCHEMA,
            settings: config,
            engines: engines
                .map(|(number, ((name, (forfeits, lost_wins)), rating))| EngineReport {
                    name: name.clone(),
                    rating,
                    results: standing.of(number).into(),
                    forfeits,
                    lost_wins,
                })
                .collect(),
            encounters: standing
                .encounters
                .iter()
                .map(|e| EncounterReport { engines: e.engines, results: e.tally.into() })
                .collect(),
            sprt: sprt.map(|test| SprtReport {
                test,
                llr: standing.llr,
                bounds: test.bounds(),
                decision: standing.decision,
            }),
            pairs: standing.pairs,
            scheduled: standing.scheduled,
            stored_before,
            finished: standing.finished(),
        }
    }

    /// Who played whom with which score, the strongest first, as a table.
    fn crosstable(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        order.sort_by(|&a, &b| {
            self.engines[b].rating.elo.total_cmp(&self.engines[a].rating.elo).then(a.cmp(&b))
        });
        let width = self.engines.iter().map(|e| e.name.chars().count()).max().unwrap_or(0).min(40);
        let shown = |name: &str| name.chars().take(width).collect::<String>();
        write!(f, "{:>3} {:width$} {:>7} {:>17}  {:>6}", "", "", "Elo", "95 %", "score")?;
        for place in 1..=order.len() {
            write!(f, " {place:>9}")?;
        }
        for (place, &row) in order.iter().enumerate() {
            let EngineReport { name, rating, results, .. } = &self.engines[row];
            let interval = format!("[{:.0}, {:.0}]", rating.low, rating.high);
            let score = format!("{:.1} %", 100.0 * results.score);
            write!(
                f,
                "\n{:>3} {:width$} {:>7.0} {interval:>17}  ",
                place + 1,
                shown(name),
                rating.elo
            )?;
            write!(f, "{score:>6}")?;
            for &column in &order {
                write!(f, " {:>9}", self.cell(row, column))?;
            }
        }
        f.write_char('\n')
    }

    /// Points of games between two engines.
    fn cell(&self, row: usize, column: usize) -> String {
        let tally = self.encounters.iter().find_map(|e| match e.engines {
            engines if engines == [row, column] => Some(e.results.tally),
            engines if engines == [column, row] => Some(e.results.tally.swapped()),
            _ => None,
        });
        match tally {
            Some(tally) => format!("{:.1}/{}", tally.points(), tally.games()),
            None => "-".to_owned(),
        }
    }
}

impl fmt::Display for MatchReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = |number: usize| &self.engines[number].name;
        // In a Swiss match not all engines meet.
        let met = |e: &&EncounterReport| e.results.tally.games() > 0 || self.engines.len() == 2;
        for EncounterReport { engines: [a, b], results } in self.encounters.iter().filter(met) {
            writeln!(f, "{} against {}\n{}\n", name(*a), name(*b), results.tally)?;
        }
        for engine in self.engines.iter().filter(|engine| engine.forfeits.games() > 0) {
            writeln!(f, "Forfeits of {}: {}\n", engine.name, engine.forfeits)?;
        }
        for engine in self.engines.iter().filter(|engine| engine.lost_wins.games > 0) {
            let EngineReport { name, lost_wins, .. } = engine;
            writeln!(f, "Proven wins that {name} did not win: {lost_wins}\n")?;
        }
        if let Some(SprtReport { test, llr, decision, .. }) = self.sprt {
            let word = match decision {
                Decision::Open => "undecided",
                Decision::Null => "elo0 accepted",
                Decision::Better => "elo1 accepted",
            };
            writeln!(f, "{}: {word}", test.line(llr))?;
        }
        if self.engines.len() > 2 {
            writeln!(f, "Bradley-Terry ratings with 95 % intervals, and points of games:")?;
            self.crosstable(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use games::connect_four::ConnectFour;

    use super::*;
    use crate::statistics::Encounter;
    use crate::{Entrant, Schedule};

    fn report_of(tallies: &[([usize; 2], [u64; 5])], engines: usize) -> (MatchConfig, Standing) {
        let entrant = Entrant {
            spec: "uct".to_owned(),
            version: "1".to_owned(),
            limits: search::Limits { sims: Some(10), ..Default::default() },
        };
        let entrants = vec![entrant; engines];
        let config = MatchConfig::new::<ConnectFour<u64>>(&Default::default(), entrants, 1);
        let encounters = tallies.iter().map(|&(engines, pairs)| {
            let [ll, ld, d, wd, ww] = pairs;
            let (wins, losses) = (2 * ww + wd + d, 2 * ll + ld + d);
            let tally = Tally { wins, losses, draws: ld + wd, pairs, same_side: [d, 0] };
            Encounter { engines, tally }
        });
        let pairs = tallies.iter().map(|(_, pairs)| pairs.iter().sum::<u64>()).sum();
        let standing = Standing {
            encounters: encounters.collect(),
            pairs,
            scheduled: Schedule::new(&config, 4).pairs(),
            llr: 0.5,
            decision: Decision::Open,
        };
        (config, standing)
    }

    #[test]
    fn json_holds_every_figure_and_null_where_it_is_infinite() {
        let (config, standing) = report_of(&[([0, 1], [0, 0, 0, 0, 4])], 2);
        let names = ["a".to_owned(), "b".to_owned()];
        let forfeits = vec![Forfeits::default(); 2];
        let sprt = Some(Sprt::new(0.0, 5.0));
        let lost = vec![LostWins::default(); 2];
        let report = MatchReport::new(&config, &standing, sprt, &names, &forfeits, &lost, 2);
        let json: serde_json::Value = serde_json::to_value(&report).unwrap();
        assert_eq!(json["schema"], SCHEMA);
        let results = &json["encounters"][0]["results"];
        assert_eq!((results["wins"].as_u64(), results["score"].as_f64()), (Some(8), Some(1.0)));
        assert!(results["elo"]["value"].is_null(), "{results}");
        assert!(results["wilson"][0].as_f64().unwrap() > 0.6 && results["los"] == 1.0);
        assert_eq!(json["sprt"]["llr"], 0.5);
        assert!(json["sprt"]["bounds"][1].as_f64().unwrap() > 2.9);
        assert_eq!(json["engines"][1]["forfeits"]["crashes"], 0);
        assert_eq!(json["engines"][1]["lost_wins"]["games"], 0);
        assert_eq!(json["settings"]["engines"][0]["spec"], "uct");
        assert_eq!((&json["finished"], &json["stored_before"]), (&true.into(), &2.into()));
    }

    #[test]
    fn a_crosstable_has_the_strongest_first_and_both_viewpoints() {
        let played = [([0, 1], [3, 1, 0, 0, 0]), ([0, 2], [0, 2, 2, 0, 0])];
        let (config, standing) = report_of(&played, 3);
        let names = ["new", "old", "other"].map(str::to_owned);
        let forfeits = vec![Forfeits::default(); 3];
        let lost = vec![LostWins::default(); 3];
        let report = MatchReport::new(&config, &standing, None, &names, &forfeits, &lost, 0);
        let text = report.to_string();
        let rows: Vec<Vec<&str>> =
            text.lines().rev().take(3).map(|line| line.split_whitespace().collect()).collect();
        let [third, second, first] = &rows[..] else { panic!("{text}") };
        assert_eq!([first[1], second[1], third[1]], ["old", "other", "new"]);
        assert!(first.ends_with(&["-", "-", "7.5/8"]), "{text}");
        assert!(third.ends_with(&["0.5/8", "3.0/8", "-"]), "{text}");
    }
}
