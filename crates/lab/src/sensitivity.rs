//! What a paper leaves open, tried one by one: the same match with each choice, and
//! whether the printed number comes out at one of them.
//!
//! A verdict on a single setting says little where the paper does not tell its own.
//! Here the question is another: is there a setting at which the number comes out,
//! and which settings are excluded.

use serde::Serialize;

use crate::experiment::Sensitivity;
use crate::matches::{GameCount, measure};
use crate::wording::{SENSITIVITY, percent, range};
use crate::{
    Claim, Experiment, Finding, LabContext, LabError, LabEvent, Measure, Printed, Profile, Side,
    Verdict, judge_number,
};

/// The shares over the choices for one thing that a paper leaves open.
#[derive(Clone, Debug, Serialize)]
pub struct SensitivityCurve {
    /// What is left open.
    pub open: String,
    /// What is compared.
    pub label: String,
    /// What the paper prints about it.
    pub printed: Vec<Printed>,
    /// The name of each choice, and its match.
    pub points: Vec<(String, Measure)>,
}

impl SensitivityCurve {
    /// Whose games are counted: those that the paper prints a share of.
    pub fn sides(&self) -> Vec<Side> {
        let mut sides: Vec<Side> = Vec::new();
        for printed in &self.printed {
            if !sides.contains(&printed.of) {
                sides.push(printed.of);
            }
        }
        if sides.is_empty() {
            sides.push(Side::Both);
        }
        sides
    }

    /// At which choices a printed share comes out; a share that is printed for a time
    /// a move counts at that time only.
    fn claim(&self, printed: &Printed) -> Claim {
        let verdicts: Vec<(&str, Verdict, f64)> = self
            .points
            .iter()
            .filter(|(_, measure)| printed.is_for(&measure.budget))
            .map(|(name, measure)| {
                let share = measure.of(printed.of);
                let verdict =
                    judge_number(share.share(), share.games, printed.share, printed.games);
                (name.as_str(), verdict, share.share())
            })
            .collect();
        let named = |wanted: Verdict| -> Vec<&str> {
            verdicts.iter().filter(|(_, verdict, _)| *verdict == wanted).map(|v| v.0).collect()
        };
        let (yes, open) = (named(Verdict::Reproduced), named(Verdict::Undecided));
        let range = range(&verdicts.iter().map(|v| v.2).collect::<Vec<_>>());
        let all = verdicts.len();
        let (verdict, ours) = match (yes.is_empty(), open.is_empty()) {
            _ if verdicts.is_empty() => (Verdict::Undecided, "nothing was played".to_owned()),
            (false, _) => {
                (Verdict::Reproduced, format!("{range}; comes out at {}", yes.join("; ")))
            }
            (true, true) => {
                (Verdict::NotReproduced, format!("{range}; comes out at none of {all}"))
            }
            (true, false) => {
                (Verdict::Undecided, format!("{range}; undecided at {}", open.join("; ")))
            }
        };
        Claim {
            about: format!("{}, {}, over {}", self.label, printed.of, self.open),
            printed: format!("{:.2}%", 100.0 * printed.share),
            ours,
            verdict,
            rule: SENSITIVITY,
        }
    }
}

impl Finding {
    /// Plays every choice for what the paper leaves open.
    pub(crate) fn sensitivities(
        &mut self,
        experiment: &Experiment,
        profile: Profile,
        context: &mut LabContext,
    ) -> Result<(), LabError> {
        if experiment.size(profile).choices > 0 {
            for sensitivity in &experiment.sensitivities {
                self.sensitivity(experiment, sensitivity, profile, context)?;
            }
        }
        Ok(())
    }

    fn sensitivity(
        &mut self,
        experiment: &Experiment,
        sensitivity: &Sensitivity,
        profile: Profile,
        context: &mut LabContext,
    ) -> Result<(), LabError> {
        let size = experiment.size(profile);
        let Sensitivity { open, label, printed, .. } = sensitivity;
        let mut curve = SensitivityCurve {
            open: open.clone(),
            label: label.clone(),
            printed: printed.clone(),
            points: Vec::new(),
        };
        for choice in &sensitivity.choices {
            if context.stopped() {
                self.finished = false;
                break;
            }
            let row = sensitivity.row(choice)?;
            let budget = sensitivity.budget(choice, profile, size);
            let games = GameCount::new(size.choices, size.width, budget);
            let measure = measure(experiment, &row, &Default::default(), budget, games, context)?;
            self.finished &= measure.finished;
            if measure.of(Side::Both).games == 0 {
                continue;
            }
            (context.on_event)(LabEvent::Message(&format!(
                "  {open}: {}: {}",
                choice.name,
                percent(&measure.of(Side::Both))
            )));
            curve.points.push((choice.name.clone(), measure));
        }
        self.claims.extend(curve.printed.iter().map(|printed| curve.claim(printed)));
        self.sensitivities.push(curve);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Share};

    fn curve(points: &[(&str, u64, f64)]) -> SensitivityCurve {
        let point = |&(name, games, points): &(&str, u64, f64)| {
            let measure = Measure {
                label: String::new(),
                game: String::new(),
                engines: Default::default(),
                budget: Budget::default(),
                first: Share { games, points },
                second: Share::default(),
                finished: true,
            };
            (name.to_owned(), measure)
        };
        let printed = Printed { of: Side::First, share: 0.22, games: Some(100), seconds: None };
        SensitivityCurve {
            open: "budget".to_owned(),
            label: "a against b".to_owned(),
            printed: vec![printed],
            points: points.iter().map(point).collect(),
        }
    }

    #[test]
    fn a_number_comes_out_where_a_choice_reproduces_it() {
        let claim = |points: &[(&str, u64, f64)]| {
            let curve = curve(points);
            let claim = curve.claim(&curve.printed[0]);
            (claim.verdict, claim.ours)
        };
        let (verdict, ours) =
            claim(&[("1000", 200, 0.0), ("4000", 200, 46.0), ("9000", 200, 90.0)]);
        assert_eq!(
            (verdict, ours.as_str()),
            (Verdict::Reproduced, "0.0 to 45.0%; comes out at 4000")
        );
        let (verdict, ours) = claim(&[("1000", 200, 0.0), ("9000", 200, 90.0)]);
        assert_eq!(verdict, Verdict::NotReproduced);
        assert_eq!(ours, "0.0 to 45.0%; comes out at none of 2");
        assert_eq!(claim(&[("1000", 200, 0.0), ("9000", 4, 1.0)]).0, Verdict::Undecided);
        assert_eq!(claim(&[]).0, Verdict::Undecided);
    }

    #[test]
    fn a_number_printed_for_a_time_is_compared_at_that_time_only() {
        let mut curve = curve(&[("5", 200, 46.0), ("20", 200, 90.0)]);
        for ((_, measure), seconds) in curve.points.iter_mut().zip([5.0, 20.0]) {
            measure.budget.seconds = Some(seconds);
        }
        let at = |seconds| Printed { seconds: Some(seconds), ..curve.printed[0].clone() };
        assert_eq!(curve.claim(&at(5.0)).verdict, Verdict::Reproduced);
        assert_eq!(curve.claim(&at(20.0)).ours, "45.0 to 45.0%; comes out at none of 1");
    }
}
