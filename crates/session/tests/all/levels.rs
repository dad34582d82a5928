//! Levels are ordered: each is stronger than the ones below it. The matches of 200
//! games between neighbours are in `docs/board.md`; here is the quick part of them,
//! the same on every machine.

use games::{Player, Record, Rng};
use search::{Limits, SearchControl};
use session::engine::build;
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

/// Games of a pairing.
const GAMES: u64 = 30;

/// The share of the points that the first engine takes from the second.
struct Score<'a>([&'a str; 2]);

impl GameVisitor for Score<'_> {
    type Output = f64;

    fn visit<G: Playable>(self, start: G) -> f64 {
        let mut engines = self.0.map(|spec| {
            let spec: EngineSpec = spec.parse().unwrap();
            build::<G>(&spec, 1).unwrap()
        });
        let control = SearchControl::new(Limits::nodes(1_000_000));
        let mut points = 0.0;
        for game in 0..GAMES {
            // Pairs of games from one opening, sides changed.
            let mut rng = Rng::seeded(game / 2);
            let mut record = Record::new(start.clone());
            for _ in 0..4 {
                let mv = record.game().random_move(&mut rng).unwrap();
                record.play(mv).unwrap();
            }
            engines.iter_mut().for_each(|engine| engine.new_game(game));
            while record.outcome().is_none() {
                let swapped = game % 2 == 1;
                let first = (record.game().to_move() == Player::First) != swapped;
                let info = engines[usize::from(!first)].search(&record, &control);
                record.play(info.best.unwrap()).unwrap();
            }
            let result = record.outcome().unwrap().for_first();
            let own = if game % 2 == 1 { -result } else { result };
            points += f64::from(own + 1) / 2.0;
        }
        points / GAMES as f64
    }
}

#[test]
fn a_level_beats_the_one_two_below_it() {
    for game in GameSpec::all() {
        for level in [3, 5, 7] {
            let specs = [level, level - 2].map(|n| format!("level n={n} memory=3"));
            let score = game.visit(Score([&specs[0], &specs[1]]));
            assert!(score > 0.6, "{game}, level {level}: {score}");
        }
        let beginner = game.visit(Score(["level n=1 memory=3", "random"]));
        assert!((0.3..=0.8).contains(&beginner), "{game}: a beginner takes {beginner} from chance");
    }
}
