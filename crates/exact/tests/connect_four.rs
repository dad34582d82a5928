//! The Connect Four solver against the game's rules, the published sets and our
//! own positions.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};

use exact::connect_four::{
    AnySolver, Free, Position, Solver, SolverEngine, Standard, TableWord, plies_to_end, position_of,
};
use exact::{ExactEngine, ExactKnowledge};
use games::connect_four::{Column, ConnectFour, Setup, U192};
use games::{Game, MoveList, Player, Record, Rng, Text};
use search::{Limits, Oracle, Score, SearchControl, SearchInfo, Source};

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

/// Compares a solver over this word with plain minimax on so many positions.
fn agrees<W: TableWord>(setup: &Setup, minimax: &mut Minimax, positions: usize, seed: u64) {
    let hole = setup.hole.map(|(column, row)| (column.into(), row.into()));
    let shape = Free::<W>::new(setup.columns.into(), setup.rows.into(), hole).unwrap();
    let mut solver = Solver::for_shape(shape, 1, 1);
    let mut rng = Rng::seeded(seed);
    let mut seen = 0;
    while seen < positions {
        let at_least = if setup.columns * setup.rows > 20 { 10 } else { 4 };
        let Some(game) = random_game(setup, &mut rng, at_least) else { continue };
        seen += 1;
        let position = position_of(&game);
        let scores = solver.scores(&position);
        assert_eq!(scores, minimax.columns(&game), "{setup}: {}", game.position());
        let score = scores.iter().flatten().copied().max().unwrap();
        assert_eq!(solver.score(&position), score);
        let mut best = solver.best(&position, score, &unlimited(), &mut |_| {});
        best.sort_unstable();
        let expected: Vec<u32> =
            (0..).zip(&scores).filter(|(_, s)| **s == Some(score)).map(|(c, _)| c).collect();
        assert_eq!(best, expected);
        let line = solver.line(&position, score, &unlimited(), &mut |_| {});
        assert_eq!(
            line.len() as u32,
            plies_to_end(game.cells() as i32, game.plies() as i32, score)
        );
    }
}

/// Which columns of a position are known after so many nodes.
fn known_columns(moves: &str, limit: u64) -> Vec<bool> {
    let mut record = Record::new(ConnectFour::<u64>::start(&"7x6".parse().unwrap()).unwrap());
    record.play_text(moves).unwrap();
    let mut solver = Solver::new(8, 1);
    let control = SearchControl::new(Limits::nodes(limit));
    let columns = solver.columns(&position_of(record.game()), &control, &mut |_| {});
    assert!(solver.nodes() < limit + 5_000, "{}", solver.nodes());
    columns.into_iter().map(|column| column.unwrap().score().is_some()).collect()
}

#[test]
fn a_hard_column_keeps_no_other_waiting() {
    let known = known_columns("116444446766", 300_000);
    let open = known.iter().position(|known| !known);
    let later = open.map(|open| known[open..].contains(&true));
    assert_eq!(later, Some(true), "a later column is known before an earlier one: {known:?}");
}

#[test]
fn every_word_scores_as_plain_minimax_on_small_boards() {
    let boards = [
        "4x4",
        "5x4",
        "4x5",
        "5x4 hole=3,1",
        "5x4 hole=2,3",
        "4x5 hole=1,5",
        "4x5 hole=2,2",
        "6x4 hole=4,2",
    ];
    for (seed, text) in (0..).zip(boards) {
        let setup: Setup = text.parse().unwrap();
        let mut minimax = Minimax(HashMap::new());
        agrees::<u64>(&setup, &mut minimax, 840, 3 * seed);
        agrees::<u128>(&setup, &mut minimax, 840, 3 * seed + 1);
        agrees::<U192>(&setup, &mut minimax, 840, 3 * seed + 2);
    }
}

#[test]
fn wider_words_search_the_same_tree() {
    let narrow = Free::<u64>::new(7, 6, None).unwrap();
    let (wide, widest) = (Free::<u128>::new(7, 6, None), Free::<U192>::new(7, 6, None));
    let (mut standard, mut narrow) = (Solver::new(16, 1), Solver::for_shape(narrow, 16, 1));
    let mut wide = Solver::for_shape(wide.unwrap(), 32, 1);
    let mut widest = Solver::for_shape(widest.unwrap(), 64, 1);
    let text = include_str!("../data/connect-four-7x6.txt");
    let mut nodes = 0;
    for line in text.lines().take(60) {
        let (moves, score) = line.rsplit_once(' ').unwrap();
        let setup = Setup::default();
        let game = ConnectFour::<u64>::parse(&setup, moves).unwrap();
        let score: i32 = score.parse().unwrap();
        assert_eq!(standard.score(&position_of(&game)), score);
        assert_eq!(narrow.score(&position_of(&game)), score);
        assert_eq!(wide.score(&position_of(&game)), score);
        assert_eq!(widest.score(&position_of(&game)), score);
        // The standard board and the same board by its masks are one search.
        assert_eq!(narrow.nodes(), standard.nodes());
        nodes = standard.nodes();
    }
    // Wider words have other hashes, so that other entries of the table go.
    for other in [wide.nodes(), widest.nodes()] {
        assert!(other.abs_diff(nodes) < nodes / 20, "{other} nodes, not about {nodes}");
    }
}

#[test]
fn the_best_line_ends_the_game_as_the_score_says() {
    let mut rng = Rng::seeded(12);
    let mut solver = Solver::new(16, 1);
    let mut seen = 0;
    while seen < 40 {
        let Some(mut game) = random_game(&Setup::default(), &mut rng, 20) else { continue };
        let position = position_of(&game);
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
        let theirs = next.outcome().is_none().then(|| solver.score(&position_of(&next)));
        let kept = theirs.map_or(result >= 0, |theirs| -theirs.signum() == result);
        assert!(kept, "{} {result}", game.position());
        let best = solver.score(&position_of(&game));
        let shortest = plies_to_end(42, game.plies() as i32, best);
        let plies = plies.expect("a result that is known has a bound");
        assert!(if result == 0 { plies == shortest } else { plies >= shortest });
        // A win comes no later with this very move.
        let takes = theirs.map_or(1, |theirs| plies_to_end(42, game.plies() as i32, -theirs));
        assert!(result <= 0 || plies >= takes, "{} takes {takes}, not {plies}", game.position());
        cut_short += u32::from(plies > shortest);
    }
    assert!(cut_short > 5, "{cut_short}");
}

#[test]
fn a_proven_win_is_published_with_a_move_that_wins() {
    // From a lost game on a board of the course: the column that is most central loses,
    // and it was played while the winning one was looked for.
    let setup: Setup = "11x10 hole=2,10".parse().unwrap();
    let moves = "87427774844a638864788447998133747aaa88b23223bb2b433737b8b4a";
    let mut record = Record::new(ConnectFour::<u128>::start(&setup).unwrap());
    for mv in moves.chars() {
        let mv = record.game().parse_move(&mv.to_string()).unwrap();
        record.play(mv).unwrap();
    }
    let published = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&published);
    let control =
        SearchControl::new(Limits::nodes(120_000)).observed(move |info: &SearchInfo<Column>| {
            seen.lock().unwrap().push((info.best.unwrap(), info.score));
            ControlFlow::Continue(())
        });
    let mut engine = SolverEngine::new(&setup, 16, 1).unwrap();
    let info = engine.answer(&record, &control).expect("the win is found");
    let won = |score| matches!(score, Score::Proven { result: 1, .. });
    let mut solver = AnySolver::new(&setup, 16, 1).unwrap();
    let columns = solver.columns(record.game(), &unlimited(), &mut |_| {});
    let wins = |mv: Column| columns[usize::from(mv.0)].is_some_and(|bounds| bounds.lower > 0);
    assert!(won(info.score) && wins(info.best.unwrap()));
    let published = published.lock().unwrap();
    let first = published.iter().position(|&(_, score)| won(score)).expect("it is published");
    assert!(first + 1 < published.len(), "the score was still being searched");
    assert!(published[first..].iter().all(|&(mv, score)| won(score) && wins(mv)));
    assert!(!wins(Column(5)), "the most central one loses");
}

#[test]
fn the_oracle_and_the_engine_say_what_minimax_says() {
    let setup: Setup = "5x4".parse().unwrap();
    let mut minimax = Minimax(HashMap::new());
    let mut engine = SolverEngine::new(&setup, 1, 1).unwrap();
    let adjudicator = ConnectFour::<u64>::adjudicator(&setup).expect("there is a solver");
    let mut rng = Rng::seeded(13);
    let mut seen = 0;
    while seen < 30 {
        let Some(game) = random_game(&setup, &mut rng, 4) else { continue };
        let columns = minimax.columns(&game);
        let score = columns.iter().flatten().copied().max().unwrap();
        let verdict = adjudicator.probe(&game, u64::MAX).unwrap();
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
}

#[test]
fn endings_of_large_boards_are_solved_and_long_games_bounded() {
    endings("9x9 hole=5,3");
    endings("12x12 hole=10,4");
}

fn endings(text: &str) {
    let setup: Setup = text.parse().unwrap();
    let start = ConnectFour::<U192>::start(&setup).unwrap();
    let mut solver = AnySolver::new(&setup, 8, 1).unwrap();
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
        for column in line {
            game.play(Column(column as u8));
        }
        let result = game.outcome().unwrap().for_first() * mover.sign();
        assert_eq!(result, score.signum());
        solved += 1;
    }
    let few = SearchControl::new(Limits::nodes(2_000));
    let bounds = solver.solve(&start, &few, &mut |_| {});
    assert!(bounds.lower < bounds.upper, "{bounds:?}");
}
