//! The report as one HTML page that needs no other file.

use std::fmt::Write;

use super::{Provenance, choice_plot, escape, sweep_plot};
use crate::{Claim, Finding, Measure, Profile, Share, Side, Verdict};

pub(super) const STYLE: &str = "
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; }
th, td { border-bottom: 1px solid #ddd; padding: .3rem .6rem; text-align: left; vertical-align: top; }
td.n { font-variant-numeric: tabular-nums; white-space: nowrap; }
td.wide { min-width: 14rem; font-variant-numeric: tabular-nums; }
.reproduced { color: #175; font-weight: 600; }
.not-reproduced { color: #a20; font-weight: 600; }
.undecided { color: #666; }
dt { font-weight: 600; } dd { margin: 0 0 .4rem 0; }
.scroll { overflow-x: auto; } svg { max-width: 100%; height: auto; }
code { font-size: .85em; overflow-wrap: anywhere; } small { color: #666; }
p.rules { color: #666; font-size: .85em; } figure { margin: 1rem 0; }
p.caution { border-left: 3px solid #c90; padding-left: .6rem; }
";

/// The findings as a page of HTML.
pub fn page(findings: &[Finding], profile: Profile, made: &Provenance) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Boyi: the papers' experiments</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>The papers' experiments</h1>\n\
         <p>Profile <b>{}</b>, version {}. Shares are points by game for the engine named first, \
         with 95% Wilson intervals; a draw is half a point. What is said about a claim follows \
         the rule below its table, which was fixed before the short and full profiles were \
         played. Where a paper leaves its budget open, each of ours gets a verdict of its \
         own.</p>\n{}{}",
        profile.name(),
        env!("CARGO_PKG_VERSION"),
        provenance(made),
        caution(profile),
    );
    let _ = write!(out, "{}", summary(findings));
    for finding in findings {
        section(&mut out, finding);
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// By what, where and when it was made.
fn provenance(made: &Provenance) -> String {
    let Provenance { date, commit, machine, signature, seed } = made;
    let [date, commit, machine, signature] = [date, commit, machine, signature].map(|s| escape(s));
    format!(
        "<p>Written on {date} by commit <code>{commit}</code> (bench signature \
         <code>{signature}</code>) on {machine}; seed {seed}. Rows limited by simulations, positions \
         or depth give the same games again; rows limited by time do not, and nor do those of a \
         network that was trained for them.</p>\n"
    )
}

/// A warning about the verdicts of a small profile.
fn caution(profile: Profile) -> &'static str {
    match profile {
        Profile::Smoke => {
            "<p class=\"caution\">The smoke profile only shows that everything runs: a handful of \
             games decides nothing.</p>\n"
        }
        Profile::Short => {
            "<p class=\"caution\">The short profile thinks about a move for a fraction of a \
             second, so a number that does not come out here may come out under <b>full</b>; \
             who is ahead and how long games last depends less on that.</p>\n"
        }
        Profile::Medium | Profile::Full => "",
    }
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::NotReproduced => "not-reproduced",
        Verdict::Undecided => "undecided",
    }
}

fn summary(findings: &[Finding]) -> String {
    let mut out = "<table><tr><th>experiment<th>about<th>verdicts</tr>\n".to_owned();
    for finding in findings {
        let counts = [Verdict::Reproduced, Verdict::NotReproduced, Verdict::Undecided].map(|v| {
            let count = finding.claims.iter().filter(|claim| claim.verdict == v).count();
            match count {
                0 => String::new(),
                n => format!("<span class=\"{}\">{n} {}</span> ", class(v), v.words()),
            }
        });
        let word = match (&finding.waits, finding.claims.is_empty()) {
            (Some(_), _) => "waits".to_owned(),
            (None, true) => "our own experiment, no verdict".to_owned(),
            (None, false) => counts.concat(),
        };
        let (id, title) = (&finding.id, escape(&finding.title));
        let unfinished = if finding.finished { "" } else { " <b>(unfinished)</b>" };
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#{id}\">{id}</a><td>{title}<td>{word}{unfinished}</tr>"
        );
    }
    out + "</table>\n"
}

fn section(out: &mut String, finding: &Finding) {
    let _ = writeln!(
        out,
        "<h2 id=\"{id}\">{id}: {}</h2>\n<dl>",
        escape(&finding.title),
        id = finding.id
    );
    let notes = [
        ("The paper prints", &finding.printed),
        ("Its method", &finding.method),
        ("It leaves open", &finding.open),
        ("Our choice", &finding.choice),
        ("Played here", &finding.played),
    ];
    for (name, text) in notes.into_iter().filter(|(_, text)| !text.is_empty()) {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escape(text));
    }
    if let Some(since) = &finding.since {
        let _ = writeln!(out, "<dt>What playing it has shown</dt><dd>{}</dd>", escape(since));
    }
    out.push_str("</dl>\n");
    if let Some(waits) = &finding.waits {
        let _ = writeln!(out, "<p><b>Not played yet.</b> {}</p>", escape(waits));
    }
    if !finding.finished {
        out.push_str("<p><b>Unfinished:</b> the same command goes on.</p>\n");
    }
    claims(out, &finding.claims);
    measures(out, &finding.measures);
    let printed = finding.printed_optimum();
    for (budget, curve) in &finding.curves {
        let fitted = match curve.maximum() {
            Some(_) => format!(
                ", a polynomial of degree {} and its maximum with the 95% bootstrap interval (green)",
                curve.degree
            ),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "<figure>{}<figcaption>Share by {} at {}: points with 95% intervals{fitted}; the paper's \
             best value (dashed).</figcaption></figure>",
            sweep_plot(curve, printed),
            escape(&curve.parameter),
            escape(budget)
        );
    }
    for curve in &finding.sensitivities {
        let _ = writeln!(
            out,
            "<figure>{}<figcaption>{}, share of the first by {}: points with 95% intervals; the \
             paper's numbers (dashed).</figcaption></figure>",
            choice_plot(curve),
            escape(&curve.label),
            escape(&curve.open),
        );
        let matches: Vec<Measure> = curve.points.iter().map(|(_, m)| m.clone()).collect();
        measures(out, &matches);
    }
    if !finding.facts.is_empty() {
        out.push_str("<table><tr><th>looked at<th>seen</tr>\n");
        for fact in &finding.facts {
            let (label, value) = (escape(&fact.label), escape(&fact.value));
            let _ = writeln!(out, "<tr><td>{label}<td>{value}</tr>");
        }
        out.push_str("</table>\n");
    }
}

fn claims(out: &mut String, claims: &[Claim]) {
    if claims.is_empty() {
        return;
    }
    out.push_str("<div class=\"scroll\"><table><tr><th>claim<th>printed<th>ours<th>verdict</tr>\n");
    let mut rules: Vec<&str> = Vec::new();
    for claim in claims {
        let known = rules.iter().position(|rule| *rule == claim.rule);
        let rule = known.unwrap_or_else(|| {
            rules.push(claim.rule);
            rules.len() - 1
        });
        let _ = writeln!(
            out,
            "<tr><td class=\"wide\">{}<td class=\"n\">{}<td class=\"wide\">{}<td class=\"n\"><span \
             class=\"{}\">{}</span> <small>by rule {}</small></tr>",
            escape(&claim.about),
            escape(&claim.printed),
            escape(&claim.ours),
            class(claim.verdict),
            claim.verdict.words(),
            rule + 1
        );
    }
    out.push_str("</table></div>\n<p class=\"rules\">");
    for (number, rule) in (1..).zip(rules) {
        let _ = writeln!(out, "Rule {number}: {rule}.<br>");
    }
    out.push_str("</p>\n");
}

fn measures(out: &mut String, measures: &[Measure]) {
    if measures.is_empty() {
        return;
    }
    let cell = |share: Share| {
        let (low, high) = share.interval();
        let share = 100.0 * share.share();
        format!("<td class=\"n\">{share:.1}% [{:.1}, {:.1}]", 100.0 * low, 100.0 * high)
    };
    out.push_str(
        "<div class=\"scroll\"><table><tr><th>match<th>budget a move<th>games<th>moving first\
         <th>moving second<th>in all</tr>\n",
    );
    for measure in measures {
        let _ = writeln!(
            out,
            "<tr><td>{}<br><small>{}: <code>{}</code> against <code>{}</code></small><td>{}<td \
             class=\"n\">{}{}{}{}</tr>",
            escape(&measure.label),
            escape(&measure.game),
            escape(&measure.engines[0]),
            escape(&measure.engines[1]),
            measure.budget,
            measure.of(Side::Both).games,
            cell(measure.first),
            cell(measure.second),
            cell(measure.of(Side::Both)),
        );
    }
    out.push_str("</table></div>\n");
}
