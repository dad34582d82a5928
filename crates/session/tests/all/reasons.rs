//! How many mistakes get a reason: games of level 5 with itself, reviewed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use search::Limits;
use session::review::Reviewer;
use session::{EngineSpec, open};

/// Plays and reviews games; the marked moves, and those with a reason.
fn share(game: &str, games: u64, haste: u32) -> (u32, u32) {
    let (mut marked, mut explained) = (0, 0);
    let mut kinds = BTreeMap::new();
    for seed in 0..games {
        let mut session = open(&game.parse().unwrap());
        let level: EngineSpec = "level n=5 memory=16".parse().unwrap();
        let mut level = session.engine(&level, seed).unwrap();
        // A level sets its own limits below this one.
        let limits = Limits::nodes(1_000_000);
        while session.outcome().is_none() {
            let moves = session.moves();
            level.set(None, &moves.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
            let mv = level.search(&limits, None).best.unwrap();
            session.play(&format!("{mv},")).unwrap();
        }
        let analyst = session::engine::resolve(&"best".parse().unwrap(), session.spec().row());
        let mut analyst = analyst.unwrap();
        analyst.set(analyst.family().memory().unwrap(), "32").unwrap();
        if analyst.family().has("tactics") {
            analyst.set("tactics", "off").unwrap();
        }
        let mut engine = session.engine(&analyst, 1).unwrap();
        let reviewer = Reviewer::new(&mut engine, 16, || ControlFlow::Continue(()));
        let mut reviewer = reviewer.hasty(haste);
        let mut after = session.outcome().map(|end| f64::from(end.for_first() + 1) / 2.0);
        let moves = session.moves();
        while session.undo() {
            let played = &moves[session.moves().len()];
            let judged = reviewer.judge(&session, Some(played), after).unwrap();
            after = Some(judged.first);
            if judged.is_marked() {
                marked += 1;
                explained += u32::from(!judged.facts.is_empty());
                if judged.facts.is_empty() {
                    let (bad, good) = (judged.refutation.join(" "), judged.line.join(" "));
                    println!("no reason: {bad} rather than {good} in {}", session.position());
                }
                for fact in &judged.facts {
                    *kinds.entry(fact.kind).or_insert(0) += 1;
                }
            }
        }
        let plies = moves.len();
        println!("{game}, game {seed} of {plies} plies: {explained} of {marked} so far: {kinds:?}");
    }
    println!("{game}: {explained} of {marked} mistakes in {games} games have a reason: {kinds:?}");
    (explained, marked)
}

fn check(game: &str) {
    let games = std::env::var("BOYI_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let haste = std::env::var("BOYI_HASTE").ok().and_then(|n| n.parse().ok()).unwrap_or(8);
    let (explained, marked) = share(game, games, haste);
    assert!(f64::from(explained) >= 0.8 * f64::from(marked), "{explained} of {marked}");
}

#[test]
fn most_mistakes_on_a_small_board_get_a_reason() {
    let (explained, marked) = share("connect-four 5x4", 2, 4);
    assert!(marked > 0 && explained * 5 >= marked * 4, "{explained} of {marked}");
}

#[test]
#[ignore = "a hundred reviewed games, run by soak"]
fn most_mistakes_of_connect_four_get_a_reason() {
    check("connect-four");
}

#[test]
#[ignore = "a hundred reviewed games, run by soak"]
fn most_mistakes_of_dots_and_boxes_get_a_reason() {
    check("dots-and-boxes");
}

#[test]
#[ignore = "a hundred reviewed games, run by soak"]
fn most_mistakes_of_surakarta_get_a_reason() {
    check("surakarta");
}
