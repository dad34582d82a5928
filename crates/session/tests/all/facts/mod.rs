//! The law of facts: in random positions, with random moves and lines, every fact
//! holds on a plain board that shares nothing with the rules or the facts. A kind
//! that no board knows fails too.

mod connect_four;
mod dots_and_boxes;
mod surakarta;

use games::Rng;
use session::{Fact, Session, open};

/// A question that was asked: the position and the two lines.
pub struct Asked<'a> {
    pub session: &'a Session,
    pub played: &'a [String],
    pub better: &'a [String],
}

/// A random line from a position that begins with a move.
fn line(session: &Session, mv: &str, rng: &mut Rng) -> Vec<String> {
    let mut session = session.clone();
    let mut line = vec![mv.to_owned()];
    session.play(&format!("{mv},")).unwrap();
    for _ in 0..rng.below(9) {
        let legal = session.legal();
        if legal.is_empty() {
            break;
        }
        let mv = legal[rng.below(legal.len())].clone();
        session.play(&format!("{mv},")).unwrap();
        line.push(mv);
    }
    line
}

/// A random move, mostly one that gives nothing away at once, so that
/// chains and threats grow.
fn next(session: &Session, legal: &[String], rng: &mut Rng) -> String {
    let mut mv = legal[rng.below(legal.len())].clone();
    if legal.len() < 2 || rng.below(4) == 0 {
        return mv;
    }
    for _ in 0..6 {
        let other = legal.iter().find(|other| **other != mv).expect("two moves");
        let facts = session.explain(std::slice::from_ref(&mv), std::slice::from_ref(other));
        let gives = ["gives_boxes", "opens_chain", "opens_loop", "opens_four", "opens_loss"];
        if facts.iter().all(|fact| !gives.contains(&fact.kind)) {
            break;
        }
        mv = legal[rng.below(legal.len())].clone();
    }
    mv
}

/// Checks the facts of so many positions of games, and that these kinds occur.
fn check(games: &[&str], positions: usize, kinds: &[&str], holds: fn(&Asked, &Fact) -> bool) {
    let mut rng = Rng::seeded(16);
    let mut seen = std::collections::BTreeMap::new();
    let (mut asked, mut game) = (0, 0);
    while asked < positions {
        let mut session = open(&games[game % games.len()].parse().unwrap());
        game += 1;
        while session.outcome().is_none() && asked < positions {
            let legal = session.legal();
            if legal.len() > 1 {
                asked += 1;
                let one = rng.below(legal.len());
                let other = (one + 1 + rng.below(legal.len() - 1)) % legal.len();
                let played = line(&session, &legal[one], &mut rng);
                let better = line(&session, &legal[other], &mut rng);
                for fact in session.explain(&played, &better) {
                    let question = Asked { session: &session, played: &played, better: &better };
                    assert!(
                        holds(&question, &fact),
                        "{fact:?} of {} rather than {} in {}",
                        played.join(" "),
                        better.join(" "),
                        session.position()
                    );
                    *seen.entry(fact.kind).or_insert(0) += 1;
                }
            }
            let mv = next(&session, &legal, &mut rng);
            session.play(&format!("{mv},")).unwrap();
        }
    }
    println!("{asked} positions: {seen:?}");
    for kind in kinds {
        assert!(seen.contains_key(kind), "{kind} never occurred: {seen:?}");
    }
}

/// What stands in a fact as text.
pub fn text<'a>(fact: &'a Fact, name: &str) -> &'a str {
    fact.values[name].as_str().unwrap()
}

/// What stands in a fact as a number.
pub fn number(fact: &Fact, name: &str) -> i64 {
    fact.values[name].as_i64().unwrap()
}

/// Positions that are checked of each game, or as many as `BOYI_POSITIONS` says.
const POSITIONS: usize = 10_000;

macro_rules! laws {
    ($($game:ident: $law:ident;)*) => {$(
        #[test]
        fn $law() {
            let wanted = std::env::var("BOYI_POSITIONS").ok().and_then(|n| n.parse().ok());
            check($game::GAMES, wanted.unwrap_or(POSITIONS), $game::COMMON, $game::holds);
        }
    )*};
}

laws! {
    connect_four: connect_four_facts_hold_in_10000_positions;
    dots_and_boxes: dots_and_boxes_facts_hold_in_10000_positions;
    surakarta: surakarta_facts_hold_in_10000_positions;
}
