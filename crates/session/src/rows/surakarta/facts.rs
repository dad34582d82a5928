//! What the rules of Surakarta say about a move: which piece can be captured, over
//! which loops, and whether the capture can be answered.

use games::surakarta::geometry::ARCS;
use games::surakarta::{Move, Surakarta};
use games::{Game, MoveList};

use crate::drawing::Drawn;
use crate::facts::{Explained, Fact};

impl Explained for Surakarta {
    fn facts(&self, played: Move, better: Move) -> Vec<Fact> {
        let after = self.after(played);
        let mut facts = Vec::new();
        let mut answers = MoveList::new();
        after.captures(&mut answers);
        let mut before = MoveList::new();
        self.captures_of(!self.to_move(), &mut before);
        // The worst first: one that can't be answered, and one that is new.
        let rank = |mv: &Move| (can_retake(&after, *mv), before.contains(mv));
        if let Some(&mv) = answers.iter().min_by_key(|mv| rank(mv)) {
            let takes_back = self.is_capture(played) && mv.to == played.to;
            let kind = match (takes_back, before.contains(&mv), can_retake(&after, mv)) {
                (true, ..) => "retaken",
                (_, false, false) => "opens_loss",
                (_, false, true) => "opens_capture",
                (_, true, false) => "leaves_loss",
                (_, true, true) => "leaves_capture",
            };
            facts.push(capture(kind, &after, mv));
        }
        if self.is_capture(better) && !self.is_capture(played) {
            let free = !can_retake(self, better);
            facts.push(capture(if free { "misses_free" } else { "misses_capture" }, self, better));
        }
        // What can't be answered says more than what can.
        facts.sort_by_key(|fact| !matches!(fact.kind, "opens_loss" | "leaves_loss" | "misses_free"));
        facts
    }

    fn passed(&self) -> Option<Self> {
        let [first, second] = self.boards();
        let passed = Surakarta::from_boards(first, second, !self.to_move(), &self.setup()).ok()?;
        Some(passed.with_quiet(self.quiet())).filter(|game| game.outcome().is_none())
    }
}

/// Whether a capture can be answered by capturing on the same point.
fn can_retake(game: &Surakarta, mv: Move) -> bool {
    let mut answers = MoveList::new();
    game.after(mv).captures(&mut answers);
    answers.iter().any(|answer| answer.to == mv.to)
}

/// A capture with the loops of its shortest path.
fn capture(kind: &'static str, game: &Surakarta, mv: Move) -> Fact {
    let path = game.capture_path(mv).unwrap_or_default();
    let arc = |pair: &[games::surakarta::Point]| {
        ARCS.iter().find(|arc| arc.ends == [pair[0], pair[1]] || arc.ends == [pair[1], pair[0]])
    };
    let arcs: Vec<_> = path.windows(2).filter_map(arc).collect();
    let circuit = arcs.first().map_or("small", |arc| ["small", "large"][arc.circuit]);
    let (point, by) = (mv.to.to_string(), game.move_name(mv));
    let fact = Fact::new(kind).with("by", by).with("at", point);
    fact.with("loops", arcs.len()).with("circuit", circuit)
}

#[cfg(test)]
mod tests {
    use crate::open;

    #[test]
    fn a_capture_names_its_loop() {
        let mut session = open(&"surakarta".parse().unwrap());
        let line = "c5-c4 f2-e3 a5-a4 e2-f2 b5-b4 d2-e2 c4-c5 e3-f3 b4-a5 c1-d2 f5-e4 b1-c1 e4-f4 \
                    a2-a3";
        session.play(line).unwrap();
        let texts = |mv: &str| vec![mv.to_owned()];
        let facts = session.explain(&texts("a4-b3"), &texts("a4-b4"));
        let told = serde_json::to_string(&facts).unwrap();
        let kinds = ["opens_capture", "opens_loss"];
        assert!(kinds.contains(&facts[0].kind) && told.contains("b3"), "{told}");
        assert_eq!(facts[0].values["loops"], 1);
    }
}
