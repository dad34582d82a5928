//! Every experiment runs whole under the smallest profile, goes on where it
//! stopped, and is reported.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use arena::Store;
use lab::{Finding, LabContext, Profile, Side, Verdict, all, find, report, run_experiment};
use tempfile::TempDir;

fn run_all(store: Store, stop: &AtomicBool, folder: &Path) -> (Vec<Finding>, Store) {
    let folder = folder.to_owned();
    let mut context = LabContext {
        store,
        concurrency: 2,
        seed: 1,
        stored_only: false,
        stop,
        on_event: &mut |_| (),
        folder,
        remote: None,
        samples: None,
    };
    let findings = all().into_iter();
    let findings = findings.map(|e| run_experiment(&e, Profile::Smoke, &mut context).unwrap());
    let findings = findings.collect();
    (findings, context.store)
}

fn table(findings: &[Finding]) -> Vec<Vec<String>> {
    let csv = report::csv(findings);
    csv.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn everything_runs_and_is_reported() {
    let go = AtomicBool::new(false);
    let folder = TempDir::new().unwrap();
    let (findings, store) = run_all(Store::in_memory().unwrap(), &go, folder.path());
    assert!(findings.iter().all(|finding| finding.finished));
    for finding in &findings {
        for measure in &finding.measures {
            assert_eq!(measure.of(Side::Both).games, 2, "{}: {}", finding.id, measure.label);
            let (first, second) = (measure.first, measure.second);
            let mover = first.points + (second.games as f64 - second.points);
            assert_eq!(measure.of(Side::Mover).points, mover);
        }
        // Two games decide nothing about a share.
        for claim in finding.claims.iter().filter(|claim| claim.printed.ends_with('%')) {
            assert_eq!(claim.verdict, Verdict::Undecided, "{}", claim.about);
        }
    }

    // Random games are cheap, so this claim is decided even here.
    let lengths = findings.iter().find(|finding| finding.id == "000-random-games").unwrap();
    assert_ne!(lengths.claims[0].verdict, Verdict::Undecided);

    // With everything in the store a second run plays nothing, even if it is
    // told to stop at once, and finds the same.
    let stopped = AtomicBool::new(true);
    let mut context = LabContext {
        store,
        concurrency: 1,
        seed: 1,
        stored_only: false,
        stop: &stopped,
        on_event: &mut |_| (),
        folder: folder.path().to_owned(),
        remote: None,
        samples: None,
    };
    let (figure, before) = (find(&["000-figure-7".to_owned()]).unwrap(), &findings[1]);
    let again = run_experiment(&figure[0], Profile::Smoke, &mut context).unwrap();
    assert_eq!(again.curves, before.curves);
    // Likewise if it is only to read, and what was never played is left out.
    context.stored_only = true;
    let table_1 = &find(&["000-table-1".to_owned()]).unwrap()[0];
    let again = run_experiment(table_1, Profile::Smoke, &mut context).unwrap();
    assert_eq!(again.measures, findings[2].measures);
    assert!(again.finished && again.sensitivities.len() == table_1.sensitivities.len());
    let other = run_experiment(table_1, Profile::Short, &mut context).unwrap();
    assert!(!other.finished && other.measures.is_empty());
    context.stored_only = false;
    let (again, _) = run_all(context.store, &go, folder.path());
    assert_eq!(table(&again), table(&findings));

    let made = report::Provenance {
        date: "2026-01-02".to_owned(),
        commit: "0123456789ab".to_owned(),
        machine: "R&D, 2 threads".to_owned(),
        signature: "0f0f".to_owned(),
        seed: 7,
    };
    let page = report::page(&findings, Profile::Smoke, &made);
    for finding in &findings {
        assert!(page.contains(&format!("<h2 id=\"{}\">", finding.id)));
    }
    for part in ["2026-01-02", "0123456789ab", "R&amp;D, 2 threads", "0f0f", "seed 7"] {
        assert!(page.contains(part), "the page says {part}");
    }
    let pictures = findings.iter().map(|f| f.curves.len() + f.sensitivities.len());
    assert_eq!(page.matches("<svg").count(), pictures.sum::<usize>());
    let choices = |f: &Finding| f.sensitivities.iter().map(|s| s.points.len()).sum::<usize>();
    assert!(findings.iter().map(choices).sum::<usize>() > 20, "sensitivities are played");
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "src=", "url(", "@import", "<script"] {
        assert!(!outside.contains(word), "the page must stand alone, without {word}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&report::json(&findings, Profile::Smoke, &made)).unwrap();
    assert_eq!(json["experiments"].as_array().unwrap().len(), findings.len());
    assert_eq!(json["made"]["seed"], 7);
    let commas =
        |line: &str| line.split('"').step_by(2).map(|part| part.matches(',').count()).sum();
    let columns: HashSet<usize> = report::csv(&findings).lines().map(commas).collect();
    assert_eq!(columns, HashSet::from([10]), "every line of the table has its 11 cells");
}

#[test]
fn told_to_stop_nothing_is_played() {
    let folder = TempDir::new().unwrap();
    let (findings, _) = run_all(Store::in_memory().unwrap(), &AtomicBool::new(true), folder.path());
    assert!(findings.iter().all(|finding| finding.measures.is_empty()));
    assert!(findings.iter().any(|finding| !finding.finished));
}

#[test]
fn experiments_by_name() {
    let ids = |name: &str| -> Vec<String> {
        find(&[name.to_owned()]).unwrap().into_iter().map(|e| e.id).collect()
    };
    assert_eq!(ids("000").len(), 7);
    assert_eq!(ids("001-table-1"), ["001-table-1"]);
    assert_eq!(find(&[]).unwrap().len(), all().len());
    let error = find(&["005".to_owned()]).unwrap_err().to_string();
    assert!(error.contains("000-figure-4"), "{error}");
}

#[test]
fn every_profile_makes_sense() {
    for experiment in all() {
        for profile in [Profile::Smoke, Profile::Short, Profile::Medium, Profile::Full] {
            let size = experiment.size(profile);
            let id = &experiment.id;
            assert_eq!(size.games % 2, 0, "{id}: games come in pairs");
            let plays = !experiment.rows.is_empty()
                || experiment.sweep.is_some()
                || experiment.batch.is_some();
            assert_eq!(plays, !size.budgets.is_empty(), "{id}: matches need a budget");
            assert_eq!(experiment.attack.is_some(), !size.depths.is_empty(), "{id}");
            assert_eq!(size.choices % 2, 0, "{id}: games come in pairs");
            let values = size.values.iter().chain(experiment.sweep.as_ref().map(|s| &s.values));
            for value in values.flatten() {
                let sweep = experiment.sweep.as_ref().unwrap();
                let mut engine: session::EngineSpec = sweep.engine.parse().unwrap();
                engine.set(&sweep.parameter, &value.to_string()).unwrap();
            }
        }
    }
}
