//! What the rules of Surakarta say about a move: which piece can be captured, over
//! which loops, and whether the capture can be answered; quiet moves after which
//! some piece falls whatever the answer; and what can be counted: targets, guarded
//! pieces, points within reach.

use games::surakarta::geometry::{ARCS, points};
use games::surakarta::{Move, Point, Surakarta, boards};
use games::{Game, MoveList, Player};

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
        if !facts.iter().any(is_loss) {
            facts.extend(fork(&after).map(|by| Fact::new("allows_fork").with("by", after.move_name(by))));
            if is_fork(self, better) && !is_fork(self, played) {
                facts.push(Fact::new("misses_fork").with("by", self.move_name(better)));
            }
        }
        // What can't be answered says more than what can.
        facts.sort_by_key(|fact| match fact.kind {
            _ if is_loss(fact) => 0,
            "allows_fork" | "misses_fork" => 1,
            _ => 2,
        });
        facts
    }

    /// A target that only the better move attacks, and how many pieces are guarded
    /// and how many points are within reach over the loops after the two moves.
    fn counts(&self, played: Move, better: Move) -> Vec<Fact> {
        let (mover, other) = (self.to_move(), !self.to_move());
        let after = [played, better].map(|mv| self.after(mv));
        let by = self.move_name(better);
        let count = |kind, n: [usize; 2], worse: bool| {
            let fact = || Fact::new(kind).with("by", by.clone()).with("n", n[0]).with("better", n[1]);
            worse.then(fact)
        };
        let of = |what: fn(&Surakarta, Player) -> usize, player| {
            [what(&after[0], player), what(&after[1], player)]
        };
        let guarded = of(guarded, mover);
        let theirs = of(reach, other);
        let own = of(reach, mover);
        let facts = [
            misses_attack(&after[0], &after[1], mover).map(|fact| fact.with("move", by.clone())),
            count("fewer_guarded", guarded, guarded[0] < guarded[1]),
            count("longer_reach", theirs, theirs[0] > theirs[1]),
            count("shorter_reach", own, own[0] < own[1]),
        ];
        facts.into_iter().flatten().collect()
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

/// Whether a fact is about a capture that can't be answered.
fn is_loss(fact: &Fact) -> bool {
    matches!(fact.kind, "opens_loss" | "leaves_loss" | "misses_free")
}

/// Whether the side to move can capture a piece and not be recaptured.
fn can_win_piece(game: &Surakarta) -> bool {
    let mut captures = MoveList::new();
    game.captures(&mut captures);
    captures.iter().any(|&mv| !can_retake(game, mv))
}

/// Whether a step leaves the opponent without a capture and with no answer after
/// which every piece is safe or can be avenged.
fn is_fork(game: &Surakarta, mv: Move) -> bool {
    let next = game.after(mv);
    let mut captures = MoveList::new();
    next.captures(&mut captures);
    if game.is_capture(mv) || !captures.is_empty() {
        return false;
    }
    let mut answers = MoveList::new();
    next.steps(&mut answers);
    !answers.is_empty() && answers.iter().all(|&answer| can_win_piece(&next.after(answer)))
}

/// A fork of the side to move.
fn fork(game: &Surakarta) -> Option<Move> {
    let mut steps = MoveList::new();
    game.steps(&mut steps);
    steps.into_iter().find(|&mv| is_fork(game, mv))
}

/// A capture without recapture that a player has after the better move, if it were
/// its turn again, of a piece that it can't capture after the one played.
fn misses_attack(played: &Surakarta, better: &Surakarta, player: Player) -> Option<Fact> {
    let captures = |game: &Surakarta| {
        let mut captures = MoveList::new();
        game.captures_of(player, &mut captures);
        captures
    };
    let before = captures(played);
    let turn = Explained::passed(better)?;
    let is_new = |mv: &Move| before.iter().all(|old| old.to != mv.to);
    let mv = captures(better).into_iter().find(|mv| is_new(mv) && !can_retake(&turn, *mv))?;
    Some(capture("misses_attack", &turn, mv))
}

/// The pieces of a player on whose point one of its other pieces could capture if
/// an enemy stood there.
fn guarded(game: &Surakarta, player: Player) -> usize {
    let (own, other) = (game.board(player), game.board(!player));
    let is_guarded = |point: &Point| {
        let captures = boards::captures(own & !point.bit(), other | point.bit());
        captures.iter().any(|mv| mv.to == *point)
    };
    points(own).filter(is_guarded).count()
}

/// The points, empty or with an enemy, that a player's pieces reach over a loop.
fn reach(game: &Surakarta, player: Player) -> usize {
    let mut reached = 0u64;
    for from in points(game.board(player)) {
        for path in game.free_paths(from) {
            let arc = path.windows(2).position(|pair| arc(pair).is_some());
            let beyond = arc.map_or(path.len(), |arc| arc + 1);
            reached |= path[beyond..].iter().fold(0, |bits, point| bits | point.bit());
        }
    }
    (reached & !game.board(player)).count_ones() as usize
}

/// The loop from one point to the next on a path, if they are a loop's ends.
fn arc(pair: &[Point]) -> Option<&'static games::surakarta::geometry::Arc> {
    ARCS.iter().find(|arc| arc.ends == [pair[0], pair[1]] || arc.ends == [pair[1], pair[0]])
}

/// A capture with the loops of its shortest path.
fn capture(kind: &'static str, game: &Surakarta, mv: Move) -> Fact {
    let path = game.capture_path(mv).unwrap_or_default();
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
