//! How long it takes from the switch of the analysis to certain values on the
//! screen. The figures are printed; the limits of the quick form are wide, for
//! machines that do other things at the same time.

use games::Rng;
use search::Limits;
use serde_json::json;

use crate::client::{begin, serve};
use crate::driver::{Browser, skipped};

/// Positions after twelve plies of games of `best` without its book, which differ
/// by their first two moves.
fn positions(count: u64) -> Vec<String> {
    let mut session = session::open(&"connect-four".parse().unwrap());
    let spec = "best book=off memory=32".parse().unwrap();
    let mut engine = session.engine(&spec, 1).unwrap();
    let one = |seed: u64| {
        let mut rng = Rng::seeded(seed);
        session.set(None, &[]).unwrap();
        engine.new_game(seed);
        for ply in 0..12 {
            let moves = session.moves();
            let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
            let legal = session.legal();
            let mv = match ply < 2 {
                true => legal[rng.below(legal.len())].clone(),
                false => {
                    engine.set(None, &moves).unwrap();
                    let limits = Limits {
                        sims: Some(2000),
                        ..Limits::time(std::time::Duration::from_millis(200))
                    };
                    engine.search(&limits, None).best.unwrap()
                }
            };
            session.play(&mv).unwrap();
            if session.outcome().is_some() {
                break;
            }
        }
        (session.outcome().is_none()).then(|| session.moves().join(""))
    };
    (0..).filter_map(one).take(count as usize).collect()
}

/// Milliseconds until so many marks are certain, measured in the page.
fn measure(browser: &Browser, marks: &str, count: usize) -> f64 {
    let script = format!(
        "const done = arguments[0];
         const began = performance.now();
         document.querySelector('#study').click();
         const look = () => document.querySelectorAll('{marks}').length >= {count}
             ? done(performance.now() - began) : requestAnimationFrame(look);
         look()"
    );
    browser.run_async(&script).as_f64().unwrap()
}

fn opened(browser: &Browser, game: &str, moves: Option<&str>) {
    let id = begin(browser.server, json!({ "game": game, "moves": moves }));
    browser.go(&format!("/g/{id}"));
    browser.wait("document.querySelector('.board.ready') !== null");
}

/// The median and the worst of some times; printed with the 90th percentile and the
/// load of the machine.
fn summary(name: &str, mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    let p90 = times[times.len() * 9 / 10];
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!(
        "{name}: {} positions, median {median:.0} ms, p90 {p90:.0} ms, worst {worst:.0} ms; load {}",
        times.len(),
        load.trim()
    );
    (median, worst)
}

fn columns(count: u64) -> (f64, f64) {
    let browser = Browser::open(serve(), 1200, 900, "en-US");
    let times = positions(count).into_iter().map(|moves| {
        opened(&browser, "connect-four", Some(&moves));
        let mut session = session::open(&"connect-four".parse().unwrap());
        session.play(&moves).unwrap();
        measure(&browser, ".column-score.certain", session.legal().len())
    });
    summary("connect-four after 12 plies", times.collect())
}

fn boxes() -> (f64, f64) {
    let browser = Browser::open(serve(), 1200, 900, "en-US");
    let times = (0..5).map(|_| {
        opened(&browser, "dots-and-boxes 3x3", None);
        measure(&browser, ".edge-score.certain", 24)
    });
    summary("dots-and-boxes 3x3", times.collect())
}

#[test]
fn certain_values_are_there_soon() {
    if skipped() {
        return;
    }
    let (_, worst) = columns(3);
    assert!(worst < 15_000.0, "{worst}");
    let (_, worst) = boxes();
    assert!(worst < 10_000.0, "{worst}");
}

#[test]
#[ignore = "fifty positions on a machine that does nothing else, run by soak"]
fn certain_values_of_fifty_positions_are_there_at_once() {
    if skipped() {
        return;
    }
    let (median, worst) = columns(50);
    assert!(median <= 200.0 && worst <= 1000.0, "{median} {worst}");
    let (median, _) = boxes();
    assert!(median <= 200.0, "{median}");
}

/// By the tables that come with the program.
#[test]
#[ignore = "on a machine that does nothing else, run by soak"]
fn table_values_are_there_at_once() {
    if skipped() {
        return;
    }
    let browser = Browser::open(serve(), 1200, 900, "en-US");
    let times = ["b5/1b4/4b1/6/1w4/4ww w", "6/2b3/2b1b1/6/1w1w2/5w b", "b4b/6/2b3/3w2/6/w4w w"];
    let times = times.iter().map(|position| {
        let id = begin(browser.server, json!({ "game": "surakarta", "position": position }));
        browser.go(&format!("/g/{id}"));
        browser.wait("document.querySelector('.board.ready') !== null");
        measure(&browser, ".piece-score.certain", 3)
    });
    let (median, _) = summary("surakarta with six pieces", times.collect());
    assert!(median <= 100.0, "{median}");
}
