//! Why a move is worse than another, as facts that are certain.
//!
//! A [`Fact`] is a kind and its values; the page has a sentence for each kind. A
//! fact is one of three things: what the rules say of the two moves
//! ([`Explained::facts`], a file per game), what happens in a concrete line, or
//! values that a solver or a table has proven. What a search believes is never
//! one. The law over random positions (`tests/all/facts.rs`) checks each kind
//! against plain boards of its own.

use games::Player;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::exact_moves::ExactMoves;
use crate::{Drawn, Playable};

/// Something certain about a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// What kind of fact: the key of its sentence.
    pub kind: &'static str,
    /// What stands in the sentence.
    #[serde(flatten)]
    pub values: Map<String, Value>,
}

impl Fact {
    /// A fact of some kind, without values yet.
    pub fn new(kind: &'static str) -> Fact {
        Fact { kind, values: Map::new() }
    }

    /// The same with one more value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Fact {
        self.values.insert(name.to_owned(), value.into());
        self
    }
}

/// A game whose rules explain moves.
pub trait Explained: Drawn {
    /// What the rules say about playing `played` where `better` could have been
    /// played, the most telling fact first. Both are legal and differ.
    fn facts(&self, _played: Self::Move, _better: Self::Move) -> Vec<Fact> {
        Vec::new()
    }

    /// How the two moves differ in what can be counted, for moves of which nothing
    /// more telling is certain.
    fn counts(&self, _played: Self::Move, _better: Self::Move) -> Vec<Fact> {
        Vec::new()
    }

    /// The position in which the other side is to move, so that a search shows what
    /// it threatens. The sides may have changed places in it. `None` where there
    /// is no such position, or the game would be over in it.
    fn passed(&self) -> Option<Self> {
        None
    }
}

/// The longest line that a sentence shows, in plies.
const LONGEST_LINE: usize = 8;

/// All that is certain about a move that was worse than another, given a line that
/// begins with each: facts of the rules, or else of the lines, or else counts. Empty
/// if a line begins with no legal move.
pub(crate) fn explain<G: Playable>(game: &G, played: &[String], better: &[String]) -> Vec<Fact> {
    let first = |line: &[String]| {
        let mv = game.parse_move(line.first()?).ok()?;
        game.is_legal(mv).then_some(mv)
    };
    let (Some(one), Some(other)) = (first(played), first(better)) else { return Vec::new() };
    if one == other {
        return Vec::new();
    }
    let mut facts = game.facts(one, other);
    if facts.is_empty() {
        facts.extend(line_fact(game, played, better));
    }
    if facts.is_empty() {
        facts = game.counts(one, other);
    }
    facts.truncate(2);
    facts
}

/// What happens in the two lines, if the first is the worse for the mover by what
/// the game counts, or by its end.
fn line_fact<G: Playable>(game: &G, played: &[String], better: &[String]) -> Option<Fact> {
    let mover = game.to_move();
    let [bad, good] = [played, better].map(|line| follow(game, mover, line));
    let fact = |kind, line: &Followed| Fact::new(kind).with("line", line.names.join(" "));
    if bad.result == Some(-1) {
        return Some(fact("line_lost", &bad));
    }
    if good.result == Some(1) && bad.result != Some(1) {
        return Some(fact("line_won", &good));
    }
    if bad.gain < good.gain && bad.gain < 0 {
        return Some(fact("line_loses", &bad).with("n", -bad.gain));
    }
    (bad.gain < good.gain && good.gain > 0).then(|| fact("line_gains", &good).with("n", good.gain))
}

/// A line that was played out.
struct Followed {
    names: Vec<String>,
    /// What the mover of its first position has won of what the game counts.
    gain: i32,
    /// Its result if the line ends the game: +1, 0 or -1 for that player.
    result: Option<i32>,
}

fn follow<G: Playable>(start: &G, player: Player, line: &[String]) -> Followed {
    let mut game = start.clone();
    let mut names = Vec::new();
    for text in &line[..line.len().min(LONGEST_LINE)] {
        let Some(mv) = game.parse_move(text).ok().filter(|&mv| game.is_legal(mv)) else { break };
        names.push(game.move_name(mv));
        game.play(mv);
    }
    let gain = player.sign() * (game.lead() - start.lead());
    let result = game.outcome().map(|outcome| player.sign() * outcome.for_first());
    Followed { names, gain, result }
}

impl ExactMoves {
    /// What is proven of two moves, if the first is certainly worse: both values,
    /// and with them their distances.
    pub fn fact(&self, played: &str, better: &str) -> Option<Fact> {
        let of = |mv: &str| self.moves.iter().find(|one| one.mv == mv);
        let (bad, good) = (of(played)?, of(better)?);
        let worse = match (bad.result, good.result) {
            (Some(bad_result), Some(good_result)) if bad_result != good_result => {
                bad_result < good_result
            }
            _ => self.measure == "boxes" && bad.high < good.low && bad.low == bad.high,
        };
        let value = |of: &crate::ExactMove| {
            let mut value = json!(of);
            value["measure"] = json!(self.measure);
            value
        };
        worse.then(|| Fact::new("proven").with("exact", value(bad)).with("better", value(good)))
    }
}
