//! Findings as text: the rules of the verdicts, numbers with their intervals, how
//! much was played.

use crate::experiment::Sweep;
use crate::{Budget, Curve, Experiment, Profile, Share, Size};

pub(crate) const NUMBER: &str = "not reproduced if the 95% interval of the difference to the printed share \
    leaves out 0; reproduced if it holds 0 and is at most 15 points to either side; undecided \
    otherwise, and below 20 games";
pub(crate) const DIRECTION: &str = "who is ahead: reproduced if our 95% interval lies wholly on the printed \
    side of 50%, not reproduced if wholly on the other; undecided below 20 games";
pub(crate) const PLACE: &str = "not reproduced if the printed value is outside our 95% bootstrap interval; \
    reproduced if it is inside one that is narrow enough; undecided otherwise, and where \
    the values score alike but for chance";
pub(crate) const RANGE: &str = "not reproduced if our 95% interval lies wholly outside of the printed range; \
    reproduced if it does not and is at most 15 points to either side; undecided otherwise, and \
    below 20 games";
pub(crate) const BOUND: &str = "reproduced if our 95% interval lies wholly above the printed bound, not \
    reproduced if wholly below";
pub(crate) const PLAN: &str = "reproduced if the best line of every depth tried from the printed one on holds \
    the whole plan, not reproduced if one does not; undecided if none was deep enough";

pub(crate) const SENSITIVITY: &str = "over what the paper leaves open: reproduced if the printed share \
    comes out at one of the choices, by the rule for a share; not reproduced if it does at none";

/// How much of an experiment is played under a profile, as text.
pub(crate) fn played(experiment: &Experiment, profile: Profile) -> String {
    let size = experiment.size(profile);
    let text = |budget: &Budget| match budget.games {
        Some(games) => format!("{budget} ({games} games)"),
        None => budget.to_string(),
    };
    let budgets: Vec<String> = size.budgets.iter().map(text).collect();
    let budgets = budgets.join("; ");
    let mut played = main_part(experiment, size, &budgets);
    if size.choices > 0 && !experiment.sensitivities.is_empty() {
        let open: Vec<&str> = experiment.sensitivities.iter().map(|s| s.open.as_str()).collect();
        played +=
            &format!(" Up to {} games with each choice for {}.", size.choices, open.join("; for "));
    }
    played.trim_start().to_owned()
}

/// The matches that the experiment is about.
fn main_part(experiment: &Experiment, size: &Size, budgets: &str) -> String {
    if let Some(sweep) = &experiment.sweep {
        let values = size.values.as_ref().unwrap_or(&sweep.values).len();
        let Sweep { engine, against, .. } = sweep;
        format!(
            "{} games at each of {values} values, {budgets}: {engine} against {against}.",
            size.games
        )
    } else if experiment.batch.is_some() {
        format!("A batch of {} games, {budgets} a move.", size.games)
    } else if let (false, Some(width)) = (budgets.is_empty(), size.width) {
        format!(
            "Up to {} games a row, {budgets} a move, until the intervals of the printed shares are \
             at most {:.0} points wide.",
            size.games,
            100.0 * width
        )
    } else if !budgets.is_empty() {
        format!("{} games a row, {budgets} a move.", size.games)
    } else {
        String::new()
    }
}

/// Why a curve has no maximum.
pub(crate) fn no_maximum(curve: &Curve) -> String {
    let scores: Vec<f64> =
        curve.samples.iter().filter(|s| s.count() > 0).map(|s| s.score()).collect();
    match scores[..] {
        [first, ..] if curve.finished && scores.iter().all(|&score| score == first) => {
            format!("no maximum: every value scores {:.1}%", 100.0 * first)
        }
        _ if curve.finished && curve.optimum.is_some() => {
            format!("no maximum: {}, which is no more than chance", range(&scores))
        }
        _ => "no maximum: too little was played".to_owned(),
    }
}

/// From the least to the greatest of some shares, in percent.
pub(crate) fn range(shares: &[f64]) -> String {
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let most = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    format!("{:.1} to {:.1}%", 100.0 * least, 100.0 * most)
}

/// A share with its interval, in percent.
pub(crate) fn percent(share: &Share) -> String {
    let (low, high) = share.interval();
    let games = share.games;
    format!("{:.1}% [{:.1}, {:.1}] of {games}", 100.0 * share.share(), 100.0 * low, 100.0 * high)
}
