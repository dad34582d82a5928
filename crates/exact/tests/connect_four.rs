//! The Connect Four solver against the game's rules, the published sets and our
//! own positions.

use std::collections::HashMap;
use std::path::Path;

use exact::ExactEngine;
use exact::connect_four::{
    AnySolver, Position, Solver, SolverEngine, Standard, WideSolver, plies_to_end, position_of,
};
use games::connect_four::{Column, ConnectFour, Setup};
use games::{Game, MoveList, Player, Record, Rng, Text};
use search::{Limits, Oracle, Score, SearchControl, Source};

fn unlimited() -> SearchControl<Column> {
    SearchControl::unlimited()
}

/// Plain minimax over the rules of `games`: the published score of each column.
struct Minimax(HashMap<ConnectFour<u64>, i32>);

impl Minimax {
    fn score(&mut self, game: &ConnectFour<u64>) -> i32 {
        if let Some(&score) = self.0.get(game) {
            return score;
        }
        let best = self.columns(game).into_iter().flatten().max().unwrap_or(0);
        self.0.insert(*game, best);
        best
    }

    fn columns(&mut self, game: &ConnectFour<u64>) -> Vec<Option<i32>> {
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let mut scores = vec![None; game.columns().into()];
        for mv in moves {
            let next = game.after(mv);
            scores[usize::from(mv.0)] = Some(match next.outcome() {
                Some(outcome) if outcome.winner.is_some() => {
                    (game.cells() - game.plies()).div_ceil(2) as i32
                }
                Some(_) => 0,
                None => -self.score(&next),
            });
        }
        scores
    }
}

/// A game after some random moves that is not over.
fn random_game(setup: &Setup, rng: &mut Rng, at_least: usize) -> Option<ConnectFour<u64>> {
    let mut game = ConnectFour::start(setup).unwrap();
    for _ in 0..at_least + rng.below(game.cells() as usize - at_least) {
        game.play(game.random_move(rng)?);
    }
    game.outcome().is_none().then_some(game)
}

#[test]
fn every_column_scores_as_plain_minimax_on_small_boards() {
    for text in ["4x4", "5x4", "4x5", "5x4 hole=3,1", "5x4 hole=2,3", "4x5 hole=1,5"] {
        let setup: Setup = text.parse().unwrap();
        let mut minimax = Minimax(HashMap::new());
        let mut solver = AnySolver::new(&setup, 1, 1).unwrap();
        let mut rng = Rng::seeded(11);
        let mut seen = 0;
        while seen < 60 {
            let Some(game) = random_game(&setup, &mut rng, 4) else { continue };
            let position = position_of(&game).unwrap();
            let columns = solver.columns(&position, &unlimited(), &mut |_| {});
            let scores: Vec<Option<i32>> =
                columns.iter().map(|bounds| bounds.map(|bounds| bounds.score().unwrap())).collect();
            assert_eq!(scores, minimax.columns(&game), "{text}: {}", game.position());

            let score = scores.iter().flatten().copied().max().unwrap();
            let solved = solver.solve(&position, &unlimited(), &mut |_| {});
            assert_eq!(solved.score(), Some(score));
            let mut best = solver.best(&position, score, &unlimited(), &mut |_| {});
            best.sort_unstable();
            let expected: Vec<u32> =
                (0..).zip(&scores).filter(|(_, s)| **s == Some(score)).map(|(c, _)| c).collect();
            assert_eq!(best, expected);
            seen += 1;
        }
    }
}

#[test]
fn the_best_line_ends_the_game_as_the_score_says() {
    let mut rng = Rng::seeded(12);
    let mut solver = Solver::new(16, 1);
    let mut seen = 0;
    while seen < 40 {
        let Some(mut game) = random_game(&Setup::default(), &mut rng, 20) else { continue };
        let position = position_of(&game).unwrap();
        let score = solver.score(&position);
        let line = solver.line(&position, score, &unlimited(), &mut |_| {});
        assert_eq!(line.len() as u32, plies_to_end(42, game.plies() as i32, score));
        let mover = game.to_move();
        for column in line {
            assert_eq!(game.outcome(), None);
            game.play(Column(column as u8));
        }
        let result = game.outcome().expect("the line is whole").for_first() * mover.sign();
        assert_eq!(result, score.signum());
        seen += 1;
    }
}

/// The lines `moves score` of a file, as far as it has so many.
fn lines(text: &str, first: usize) -> impl Iterator<Item = (Position, i32)> {
    text.lines().take(first).map(|line| {
        let (moves, score) = line.rsplit_once(' ').expect("moves and a score");
        (Position::parse(&Standard, moves).expect("legal moves"), score.parse().expect("a number"))
    })
}

#[test]
fn published_scores_come_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/connect-four");
    let sets = [
        ("L3_R1", 1000),
        ("L2_R1", 1000),
        ("L2_R2", 150),
        ("L1_R1", 300),
        ("L1_R2", 6),
        ("L1_R3", 0),
    ];
    let mut solver = Solver::new(64, 1);
    for (set, first) in sets {
        let Ok(text) = std::fs::read_to_string(folder.join(format!("Test_{set}"))) else {
            println!("the published set {set} is not here, so it is not compared");
            continue;
        };
        for (index, (position, score)) in lines(&text, first).enumerate() {
            solver.clear();
            assert_eq!(solver.score(&position), score, "{set}, line {}", index + 1);
        }
    }
}

#[test]
fn our_own_positions_come_out_in_a_mirror_and_on_threads() {
    let text = include_str!("../data/connect-four-7x6.txt");
    let (mut single, mut double) = (Solver::new(16, 1), Solver::new(16, 2));
    for (position, score) in lines(text, usize::MAX) {
        assert_eq!(single.score(&position), score, "{position:?}");
        let mirrored = position.mirrored(&Standard);
        single.clear();
        assert_eq!(single.score(&mirrored), score, "{mirrored:?}");
        assert_eq!(double.score(&position), score, "{position:?} on two threads");
    }
}

#[test]
fn an_interrupted_solve_knows_bounds_that_hold() {
    let text = include_str!("../data/connect-four-7x6.txt");
    let mut narrower = 0;
    for (position, score) in lines(text, 40) {
        for nodes in [0, 50, 500, 5_000] {
            let mut solver = Solver::new(16, 1);
            let control = SearchControl::new(Limits::nodes(nodes));
            let bounds = solver.solve(&position, &control, &mut |_| {});
            assert!((bounds.lower..=bounds.upper).contains(&score), "{position:?}: {bounds:?}");
            assert!(solver.nodes() <= nodes + 128, "{} of {nodes}", solver.nodes());
            narrower += u32::from(bounds.score().is_none() && bounds.upper - bounds.lower < 20);
        }
        // At the first report of progress, and before it began.
        let mut solver = Solver::new(16, 2);
        let control = unlimited();
        let bounds = solver.solve(&position, &control, &mut |_| control.stop());
        assert!((bounds.lower..=bounds.upper).contains(&score));
        let control = unlimited();
        control.stop();
        let bounds = solver.solve(&position, &control, &mut |_| {});
        assert!((bounds.lower..=bounds.upper).contains(&score));
        // And the table of before changes nothing.
        assert_eq!(solver.score(&position), score);
    }
    assert!(narrower > 0, "no interrupted solve had narrowed its bounds");
}

#[test]
fn a_known_win_is_kept_when_there_is_no_time_for_the_fastest() {
    let setup = Setup::default();
    let mut solver = Solver::new(16, 1);
    let mut rng = Rng::seeded(14);
    let (mut seen, mut cut_short) = (0, 0);
    while seen < 300 {
        let Some(game) = random_game(&setup, &mut rng, 12) else { continue };
        seen += 1;
        let mut engine = SolverEngine::new(&setup, 16, 1).unwrap();
        // Half of the nodes are the solver's.
        let control = SearchControl::new(Limits::nodes(6_000));
        let Some(info) = engine.answer(&Record::new(game), &control) else { continue };
        let Score::Proven { result, plies } = info.score else { panic!("what is exact is proven") };
        let next = game.after(info.best.unwrap());
        let theirs = position_of(&next).map(|position| solver.score(&position));
        let kept = theirs.map_or(result >= 0, |theirs| -theirs.signum() == result);
        assert!(kept, "{} {result}", game.position());
        cut_short += u32::from(plies.is_none());
    }
    assert!(cut_short > 5, "{cut_short}");
}

#[test]
fn the_oracle_and_the_engine_say_what_minimax_says() {
    let setup: Setup = "5x4".parse().unwrap();
    let mut minimax = Minimax(HashMap::new());
    let mut engine = SolverEngine::new(&setup, 1, 1).unwrap();
    let mut rng = Rng::seeded(13);
    let mut seen = 0;
    while seen < 30 {
        let Some(game) = random_game(&setup, &mut rng, 4) else { continue };
        let columns = minimax.columns(&game);
        let score = columns.iter().flatten().copied().max().unwrap();
        let verdict = engine.probe(&game, u64::MAX).unwrap();
        assert_eq!(verdict.score, game.to_move().sign() * score);
        assert_eq!(verdict.winner.map_or(0, Player::sign), verdict.score.signum());
        assert_eq!(columns[usize::from(verdict.best.unwrap().0)], Some(score));
        assert_eq!(verdict.source, Source::Solver);
        let record = Record::new(game);
        let info = engine.answer(&record, &unlimited()).unwrap();
        assert_eq!(columns[usize::from(info.best.unwrap().0)], Some(score));
        assert!(
            matches!(info.score, Score::Proven { result, plies } if result == score.signum() && plies == verdict.plies)
        );
        seen += 1;
    }
    // A board that is not the oracle's own, and a budget that is too small.
    let other = ConnectFour::<u64>::start(&Setup::default()).unwrap();
    assert_eq!(engine.probe(&other, u64::MAX), None);
    let wide = SolverEngine::new(&Setup::default(), 1, 1).unwrap();
    assert_eq!(wide.probe(&other, 1_000), None);
    assert!(SolverEngine::new(&"9x9".parse().unwrap(), 1, 1).is_none());
}

#[test]
fn the_plain_solver_of_larger_boards_agrees_with_the_fast_one() {
    let mut rng = Rng::seeded(31);
    let go_on = &mut |_: &_| {};
    for (text, at_least) in [("5x4", 6), ("4x5 hole=2,2", 4), ("7x6", 24), ("8x6 hole=3,4", 28)] {
        let setup: Setup = text.parse().unwrap();
        let mut fast = AnySolver::new(&setup, 1, 1).unwrap();
        let mut plain = WideSolver::new(4);
        let mut seen = 0;
        while seen < 60 {
            let Some(game) = random_game(&setup, &mut rng, at_least) else { continue };
            seen += 1;
            let position = position_of(&game).unwrap();
            let score = fast.solve(&position, &unlimited(), go_on).score().unwrap();
            let found = plain.solve(&game, &unlimited(), go_on);
            assert_eq!(found.score(), Some(score), "{text} {}", game.position());
            let mut best = fast.best(&position, score, &unlimited(), &mut |_| {});
            best.sort_unstable();
            let columns: Vec<u32> = best.into_iter().collect();
            let plainly = plain.best(&game, score, &unlimited(), &mut |_| {});
            assert_eq!(plainly.iter().map(|c| u32::from(c.0)).collect::<Vec<_>>(), columns);
            let each = fast.columns(&position, &unlimited(), go_on);
            for (column, known) in (0..).map(Column).zip(each) {
                let Some(known) = known else { continue };
                assert_eq!(plain.column(&game, column, &unlimited(), go_on), known, "{text}");
            }
            let line = plain.line(&game, score, &unlimited(), &mut |_| {});
            let plies = plies_to_end(game.cells() as i32, game.plies() as i32, score);
            assert_eq!(line.len() as u32, plies, "{text} {}", game.position());
        }
    }
}

#[test]
fn endings_of_a_large_board_are_solved_and_long_games_bounded() {
    let setup: Setup = "9x9 hole=5,3".parse().unwrap();
    let start = ConnectFour::<u128>::start(&setup).unwrap();
    let mut solver = WideSolver::new(8);
    let mut rng = Rng::seeded(37);
    let mut solved = 0;
    while solved < 5 {
        let mut game = start;
        while game.outcome().is_none() && game.cells() - game.plies() > 16 {
            // Nobody lets the other win, so that games get this long.
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            let safe: Vec<Column> = moves
                .into_iter()
                .filter(|&mv| game.after(mv).outcome().is_none())
                .filter(|&mv| game.after(mv).winning_moves().is_empty())
                .collect();
            if safe.is_empty() {
                break;
            }
            game.play(safe[rng.below(safe.len())]);
        }
        if game.outcome().is_some() || game.cells() - game.plies() > 16 {
            continue;
        }
        let go_on = &mut |_: &_| {};
        let score = solver.solve(&game, &unlimited(), go_on).score().unwrap();
        // The line of best play is a proof that anybody can follow.
        let line = solver.line(&game, score, &unlimited(), &mut |_| {});
        let mover = game.to_move();
        for mv in line {
            game.play(mv);
        }
        let result = game.outcome().unwrap().for_first() * mover.sign();
        assert_eq!(result, score.signum());
        solved += 1;
    }
    let few = SearchControl::new(Limits::nodes(2_000));
    let bounds = solver.solve(&start, &few, &mut |_| {});
    assert!(bounds.lower < bounds.upper, "{bounds:?}");
}
