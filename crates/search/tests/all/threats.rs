//! Rows of threats in the tree: wins of the mover at the root, and of the opponent in
//! nodes that are visited often.

use games::connect_four::{ConnectFour, U192};
use games::{Game, Record};
use search::rollout::{Policy, Rollout};
use search::tree::{LeafEvaluator, TreeSearch, TreeSettings};
use search::{Engine, Limits, Score, SearchControl};

type Board = ConnectFour<U192>;

fn after(setup: &str, moves: &str) -> Record<Board> {
    let start = Board::start(&setup.parse().expect("a setup")).expect("a board");
    let mut record = Record::new(start);
    record.play_text(moves).expect("legal moves");
    record
}

fn search(record: &Record<Board>, threats: u32, sims: u64) -> Score {
    let settings = TreeSettings { threats, memory: 64, ..TreeSettings::default() };
    let rollout = Rollout { policy: Policy::Safe, cutoff: None };
    let mut engine = TreeSearch::new(settings, 1).with_evaluator(LeafEvaluator::Rollout(rollout));
    engine.search(record, &SearchControl::new(Limits::sims(sims))).score
}

/// Every move lets the opponent win by threats alone, up to sixteen plies later. With
/// four positions a node and no more in those that are visited often, twenty times as
/// many simulations called it won.
#[test]
fn a_loss_to_rows_of_threats_is_proven_on_a_large_board() {
    let record = after("12x12 hole=10,4", "777939374");
    let score = search(&record, 4, 20_000);
    assert!(matches!(score, Score::Proven { result: -1, .. }), "{score:?}");
}

/// What the tree proves about short games by threats, the tree without them proves too.
#[test]
fn proofs_with_and_without_threats_agree() {
    let mut proven = 0;
    for seed in 0..60 {
        let mut rng = games::Rng::stream(23, seed);
        let mut record = after("5x4 hole=3,2", "");
        for _ in 0..8 {
            let Some(mv) = record.game().random_move(&mut rng) else { break };
            record.play(mv).expect("legal");
        }
        if record.outcome().is_some() {
            continue;
        }
        let [with, without] = [8, 0].map(|threats| search(&record, threats, 30_000));
        if let (Score::Proven { result: a, .. }, Score::Proven { result: b, .. }) = (with, without)
        {
            assert_eq!(a, b, "after {}", record.moves_text());
            proven += 1;
        }
    }
    assert!(proven > 20, "{proven} positions proven both ways");
}
