//! Who stands where.
//!
//! Points decide, then Buchholz (the points of all opponents), then
//! Sonneborn-Berger (the points of the opponents one has beaten, half of those one
//! has drawn with), then won games, then the seed. A game that was not played
//! counts for the points alone. In a knockout the round that a team reached decides.

use crate::{Entry, Event, Format};

/// A line of the standings. Points are in halves.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Standing {
    /// From 1; teams that nothing but the seed separates share a rank.
    pub rank: usize,
    /// The team's number.
    pub team: usize,
    /// Twice the points.
    pub half_points: u32,
    /// Twice the points of all opponents.
    pub buchholz: u32,
    /// Four times the Sonneborn-Berger score.
    pub sonneborn_berger: u32,
    /// Won games, those of absent opponents not counted.
    pub wins: u32,
    /// In a knockout: how many rounds it has survived.
    pub survived: usize,
}

impl Standing {
    /// What decides, the most important first.
    fn key(&self) -> (usize, [u32; 4]) {
        let tie_breaks = [self.half_points, self.buchholz, self.sonneborn_berger, self.wins];
        (self.survived, tie_breaks)
    }
}

impl Event {
    /// Every team, the best first.
    pub fn standings(&self) -> Vec<Standing> {
        let points = crate::history::histories(self);
        let mut all: Vec<Standing> = points
            .iter()
            .map(|history| Standing {
                rank: 0,
                team: history.team,
                half_points: history.half_points,
                buchholz: 0,
                sonneborn_berger: 0,
                wins: 0,
                survived: 0,
            })
            .collect();
        for entry in self.rounds.iter().flat_map(|round| &round.entries) {
            match entry {
                Entry::Bye(team) => self.survive(&mut all[*team]),
                Entry::Table(pairing) => {
                    if let Some(side) = pairing.advances() {
                        self.survive(&mut all[pairing.teams[side]]);
                    }
                    for (number, game) in pairing.games.iter().enumerate() {
                        let Some(end) = game.end.as_ref().filter(|end| !end.is_forfeit()) else {
                            continue;
                        };
                        let [a, b] = pairing.sides(number);
                        let scores = end.winner.half_points();
                        for ((own, other), score) in [(a, b), (b, a)].into_iter().zip(scores) {
                            all[own].buchholz += points[other].half_points;
                            all[own].sonneborn_berger += score * points[other].half_points;
                            all[own].wins += u32::from(score == 2);
                        }
                    }
                }
            }
        }
        all.sort_by_key(|one| (std::cmp::Reverse(one.key()), one.team));
        for place in 0..all.len() {
            let tied = place > 0 && all[place].key() == all[place - 1].key();
            all[place].rank = if tied { all[place - 1].rank } else { place + 1 };
        }
        all
    }

    fn survive(&self, team: &mut Standing) {
        team.survived += usize::from(self.settings.format == Format::Knockout);
    }
}
