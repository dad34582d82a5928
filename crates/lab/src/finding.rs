//! Runs an experiment: its measurements, and the verdicts on the paper's claims.

use serde::Serialize;
use session::EngineSpec;

use crate::experiment::{Attack, Sweep};
use crate::matches::{GameCount, measure};
use crate::speed::Speed;
use crate::training::train;
use crate::wording::{BOUND, DIRECTION, NUMBER, PLACE, PLAN, RANGE, no_maximum, percent, played};
use crate::{
    Batch, Curve, Experiment, LabContext, LabError, LabEvent, Measure, Printed, Profile,
    SensitivityCurve, Study, Verdict, attack, find, judge_direction, judge_number, judge_place,
    judge_range, lengths, samples, speed,
};

/// The results of an experiment.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The experiment's name.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// The paper's numbers, as text.
    pub printed: String,
    /// How the paper measured them.
    pub method: String,
    /// What the paper leaves open.
    pub open: String,
    /// What was chosen instead.
    pub choice: String,
    /// What playing it has shown since.
    pub since: Option<String>,
    /// How much is played under the profile, as text; empty if nothing is.
    pub played: String,
    /// What is missing, if it can't be played yet.
    pub waits: Option<String>,
    /// Matches.
    pub measures: Vec<Measure>,
    /// Sweeps, one for each budget.
    pub curves: Vec<(String, Curve)>,
    /// What the paper leaves open, each with the shares over its choices.
    pub sensitivities: Vec<SensitivityCurve>,
    /// Other observations.
    pub facts: Vec<Fact>,
    /// The verdict on each claim.
    pub claims: Vec<Claim>,
    /// Whether all was played.
    pub finished: bool,
}

/// An observation that is neither a match nor a curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// What was observed.
    pub label: String,
    /// The observation.
    pub value: String,
}

/// A claim of the paper and the verdict on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// What it is about.
    pub about: String,
    /// What the paper prints.
    pub printed: String,
    /// Our result, with its interval.
    pub ours: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The rule of the verdict.
    pub rule: &'static str,
}

/// Runs an experiment under a profile, or what is missing of it.
pub fn run_experiment(
    experiment: &Experiment,
    profile: Profile,
    context: &mut LabContext,
) -> Result<Finding, LabError> {
    let mut finding = Finding {
        id: experiment.id.clone(),
        title: experiment.title.clone(),
        printed: experiment.printed.clone(),
        method: experiment.method.clone(),
        open: experiment.open.clone(),
        choice: experiment.choice.clone(),
        since: experiment.since.clone(),
        played: played(experiment, profile),
        waits: experiment.waits.clone(),
        measures: Vec::new(),
        curves: Vec::new(),
        sensitivities: Vec::new(),
        facts: Vec::new(),
        claims: Vec::new(),
        finished: true,
    };
    if experiment.batch.is_some() && context.samples.is_none() {
        let waits = "It needs the folder of the course's sample strategies, which only participants of \
            the course have: give it by --samples DIR.";
        finding.waits = Some(waits.to_owned());
    }
    if finding.waits.is_none() {
        finding.rows(experiment, profile, context)?;
        if let Some(sweep) = &experiment.sweep {
            finding.sweep(experiment, sweep, profile, context)?;
        }
        finding.sensitivities(experiment, profile, context)?;
        finding.lengths(experiment, profile, context)?;
        if let Some(attack) = &experiment.attack {
            finding.attack(experiment, attack, profile, context)?;
        }
        finding.times(experiment, profile, context)?;
        if let Some(batch) = &experiment.batch {
            finding.batch(experiment, batch, profile, context)?;
        }
    }
    Ok(finding)
}

impl Finding {
    /// The best value that the paper prints for what the experiment sweeps.
    pub fn printed_optimum(&self) -> Option<f64> {
        let found = find(std::slice::from_ref(&self.id)).ok()?;
        found.first()?.sweep.as_ref().map(|sweep| sweep.optimum)
    }

    fn rows(
        &mut self,
        experiment: &Experiment,
        profile: Profile,
        context: &mut LabContext,
    ) -> Result<(), LabError> {
        let size = experiment.size(profile);
        let run = match &experiment.train {
            Some(_) if context.stopped() || context.stored_only => None,
            Some(network) => train(experiment, network, profile, context)?,
            None => Some(Default::default()),
        };
        let Some(networks) = run else {
            self.finished = false;
            return Ok(());
        };
        for row in &experiment.rows {
            for &budget in &size.budgets {
                if context.stopped() {
                    self.finished = false;
                    return Ok(());
                }
                let games = GameCount::new(size.games, size.width, budget);
                let measure = measure(experiment, row, &networks, budget, games, context)?;
                let share = measure.of(crate::Side::Both);
                self.finished &= measure.finished;
                if share.games == 0 {
                    continue;
                }
                (context.on_event)(LabEvent::Message(&format!(
                    "  {}, {budget}: {}",
                    row.label,
                    percent(&share)
                )));
                for printed in &row.printed {
                    self.claim_share(&measure, printed);
                }
                self.measures.push(measure);
            }
        }
        Ok(())
    }

    fn claim_share(&mut self, measure: &Measure, printed: &Printed) {
        let share = measure.of(printed.of);
        let about = format!("{}, {}, {}", measure.label, printed.of, measure.budget);
        let claim = |verdict, rule, printed| Claim {
            about: about.clone(),
            printed,
            ours: percent(&share),
            verdict,
            rule,
        };
        if printed.is_for(&measure.budget) {
            let verdict = judge_number(share.share(), share.games, printed.share, printed.games);
            let exactly = format!("{:.2}%", 100.0 * printed.share);
            self.claims.push(claim(verdict, NUMBER, exactly));
        }
        // At a budget that the paper does not have, the direction is one claim.
        let claimed = self.claims.iter().any(|c| c.about == about && c.rule == DIRECTION);
        if !claimed
            && let Some(verdict) = judge_direction(share.share(), share.games, printed.share)
        {
            let side = if printed.share > 0.5 { "over 50%" } else { "under 50%" };
            self.claims.push(claim(verdict, DIRECTION, side.to_owned()));
        }
    }

    fn sweep(
        &mut self,
        experiment: &Experiment,
        sweep: &Sweep,
        profile: Profile,
        context: &mut LabContext,
    ) -> Result<(), LabError> {
        let size = experiment.size(profile);
        let values = size.values.as_ref().unwrap_or(&sweep.values);
        for budget in &size.budgets {
            let study = Study {
                game: experiment.game_named(None)?,
                engine: sweep.engine.parse()?,
                against: sweep.against.parse()?,
                limits: budget.limits(),
                plies: experiment.opening_plies,
                seed: context.seed,
            };
            let pairs = budget.games.unwrap_or(size.games).div_ceil(2);
            let curve = study.sweep(&sweep.parameter, values, pairs, sweep.degree, context)?;
            let (ours, verdict) = match curve.maximum() {
                Some(best) => (
                    format!("{:.3} [{:.3}, {:.3}]", best.x, best.interval.0, best.interval.1),
                    judge_place(best.interval, sweep.optimum, sweep.widest),
                ),
                None => (no_maximum(&curve), Verdict::Undecided),
            };
            (context.on_event)(LabEvent::Message(&format!(
                "  best {}, {budget}: {ours}",
                sweep.parameter
            )));
            self.claims.push(Claim {
                about: format!("best {}, {budget}", sweep.parameter),
                printed: sweep.optimum.to_string(),
                ours,
                verdict,
                rule: PLACE,
            });
            self.finished &= curve.finished;
            self.curves.push((budget.to_string(), curve));
        }
        Ok(())
    }

    fn lengths(
        &mut self,
        experiment: &Experiment,
        profile: Profile,
        context: &mut LabContext,
    ) -> Result<(), LabError> {
        let games = experiment.size(profile).games;
        for length in &experiment.lengths {
            let game = experiment.game_named(Some(&length.game))?;
            let (mean, error, longest) = lengths::random_games(&game, games);
            let (low, high) = (mean - error, mean + error);
            let ours = format!("{mean:.1} [{low:.1}, {high:.1}] plies in {games} games");
            (context.on_event)(LabEvent::Message(&format!("  {}: {ours}", length.label)));
            if let Some(over) = length.over {
                let verdict = match (low > over, high < over) {
                    (true, _) => Verdict::Reproduced,
                    (_, true) => Verdict::NotReproduced,
                    _ => Verdict::Undecided,
                };
                self.claims.push(Claim {
                    about: length.label.clone(),
                    printed: format!("over {over} plies"),
                    ours: ours.clone(),
                    verdict,
                    rule: BOUND,
                });
            }
            let value = format!("{ours}, the longest {longest}");
            self.facts.push(Fact { label: length.label.clone(), value });
        }
        Ok(())
    }

    fn batch(
        &mut self,
        experiment: &Experiment,
        batch: &Batch,
        profile: Profile,
        context: &mut LabContext,
    ) -> Result<(), LabError> {
        let size = experiment.size(profile);
        for &budget in &size.budgets {
            let batched = samples::play(experiment, batch, budget, size.games, context)?;
            let share = batched.all.of(crate::Side::Both);
            let about = format!("{} {}, {budget}", batch.engine, batched.all.label);
            (context.on_event)(LabEvent::Message(&format!("  {about}: {}", percent(&share))));
            let [low, high] = batch.between;
            self.claims.push(Claim {
                about,
                printed: format!("{:.0} to {:.0}%", 100.0 * low, 100.0 * high),
                ours: percent(&share),
                verdict: judge_range(share.share(), share.games, batch.between),
                rule: RANGE,
            });
            let faults = batched.forfeits.len();
            let mut value = format!("{faults} of {} games", batched.played);
            if let Some(first) = batched.forfeits.first() {
                value += &format!(", the first by {first}");
            }
            self.facts.push(Fact { label: "decided by a fault".to_owned(), value });
            self.finished &= batched.all.finished;
            self.measures.extend([batched.all, batched.strongest]);
        }
        Ok(())
    }

    fn times(
        &mut self,
        experiment: &Experiment,
        profile: Profile,
        context: &mut LabContext,
    ) -> Result<(), LabError> {
        let games = experiment.size(profile).games;
        for name in &experiment.timed {
            if context.stopped() {
                self.finished = false;
                break;
            }
            let Some(Speed { bits, cells }) =
                speed::compare(&experiment.game_named(Some(name))?, games)
            else {
                return Err(experiment.fault("only boards of Connect Four are timed"));
            };
            let label = format!("random games on the bit board, {name}");
            let value = format!(
                "{:.0} times as fast as on the reference board of the tests ({bits:.0} against \
                 {cells:.0} games a second, one thread)",
                bits / cells
            );
            (context.on_event)(LabEvent::Message(&format!("  {label}: {value}")));
            self.facts.push(Fact { label, value });
        }
        Ok(())
    }

    fn attack(
        &mut self,
        experiment: &Experiment,
        plan: &Attack,
        profile: Profile,
        context: &mut LabContext,
    ) -> Result<(), LabError> {
        let game = experiment.game_named(None)?;
        let mut found = Vec::new();
        for depth in &experiment.size(profile).depths {
            if context.stopped() {
                self.finished = false;
                break;
            }
            let mut engine: EngineSpec = plan.engine.parse()?;
            engine.set("depth", &depth.to_string())?;
            let line = attack::best_line(&game, &engine)?;
            let follows = attack::follows(&line, &plan.plans);
            let value = format!(
                "{}: {}",
                if follows { "the plan" } else { "another line" },
                line.join(" ")
            );
            (context.on_event)(LabEvent::Message(&format!("  depth {depth}: {value}")));
            self.facts.push(Fact { label: format!("best line at depth {depth}"), value });
            if *depth >= plan.depth {
                found.push((*depth, follows));
            }
        }
        let with: Vec<String> =
            found.iter().filter(|(_, yes)| *yes).map(|(depth, _)| depth.to_string()).collect();
        self.claims.push(Claim {
            about: "alpha-beta finds the plan by itself".to_owned(),
            printed: format!("at every depth from {} on", plan.depth),
            ours: match (found.len(), with.len()) {
                (0, _) => "no depth tried was deep enough".to_owned(),
                (tried, 0) => format!("at none of {tried} such depths tried"),
                (tried, _) => format!("at depths {} of {tried} tried", with.join(", ")),
            },
            verdict: match (found.is_empty(), found.iter().all(|(_, yes)| *yes)) {
                (true, _) => Verdict::Undecided,
                (_, true) => Verdict::Reproduced,
                (_, false) => Verdict::NotReproduced,
            },
            rule: PLAN,
        });
        Ok(())
    }
}
