//! The laws of the tree search: it finds what plain minimax finds, whoever moves
//! how often; its statistics add up; a seed repeats it; its memory is kept.

use std::ops::ControlFlow;
use std::sync::Arc;

use games::dots_and_boxes::DotsAndBoxes;
use games::{Game, MoveList, Player, Record, Rng};
use search::rollout::{Cutoff, CutoffAt, CutoffValue, Policy, Rollout};
use search::tree::{
    Expand, FinalMove, Fpu, LeafEvaluator, MakeEvaluator, Observer, Parallel, Reward, Selection,
    TreeNode, TreeSearch, TreeSettings,
};
use search::{
    Engine, Evaluation, Evaluator, Heuristic, Leaf, Limits, Oracle, Score, SearchControl,
    SearchHints, SearchInfo, Source, Term, Verdict,
};

use crate::plain::{Alternating, Plain};
use crate::toys::{Heap, Number, Rooms, Thicket};

fn search<G: SearchHints>(
    engine: &mut TreeSearch<G>,
    record: &Record<G>,
    n: u64,
) -> SearchInfo<G::Move> {
    engine.search(record, &SearchControl::new(Limits::sims(n)))
}

fn fresh<G: SearchHints>(settings: TreeSettings, game: &G, n: u64) -> SearchInfo<G::Move> {
    search(&mut TreeSearch::new(settings, 7), &Record::new(game.clone()), n)
}

fn small() -> TreeSettings {
    TreeSettings { memory: 16, ..TreeSettings::default() }
}

fn moves<G: Game>(game: &G) -> MoveList<G::Move> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    list
}

/// First's true result, by trying everything.
fn truth<G: Game>(game: &G, memory: &mut std::collections::HashMap<G, i32>) -> i32 {
    if let Some(outcome) = game.outcome() {
        return outcome.for_first();
    }
    if let Some(&value) = memory.get(game) {
        return value;
    }
    let values = moves(game).into_iter().map(|mv| truth(&game.after(mv), memory));
    let all: Vec<i32> = values.collect();
    let value = match game.to_move() {
        Player::First => all.into_iter().max(),
        Player::Second => all.into_iter().min(),
    };
    memory.insert(game.clone(), value.unwrap());
    value.unwrap()
}

/// Dots and Boxes positions of a small board where a wrong move exists, after a
/// few random moves.
fn small_boards(setup: &str, plies: std::ops::Range<usize>, count: usize) -> Vec<DotsAndBoxes> {
    let setup = setup.parse().unwrap();
    let mut memory = Default::default();
    let mut found = Vec::new();
    for seed in 0.. {
        let mut rng = Rng::stream(0xd075, seed);
        let mut game = DotsAndBoxes::start(&setup).unwrap();
        for _ in 0..plies.start + rng.below(plies.len()) {
            if let Some(mv) = game.random_move(&mut rng) {
                game.play(mv);
            }
        }
        let value = truth(&game, &mut memory);
        if moves(&game).into_iter().any(|mv| truth(&game.after(mv), &mut memory) != value) {
            found.push(game);
        }
        if found.len() == count {
            return found;
        }
    }
    unreachable!()
}

/// How often the search's move keeps the true value; without proofs, that is by
/// convergence of the statistics alone.
fn right_moves<G>(boards: &[DotsAndBoxes], wear: impl Fn(DotsAndBoxes) -> G, proofs: bool) -> usize
where
    G: SearchHints + Game<Move = <DotsAndBoxes as Game>::Move>,
{
    let mut memory = Default::default();
    let settings = || TreeSettings { proofs, tactics: false, ..small() };
    boards
        .iter()
        .filter(|board| {
            let best = fresh(settings(), &wear(**board), 100_000).best.unwrap();
            truth(&board.after(best), &mut memory) == truth(*board, &mut memory)
        })
        .count()
}

#[test]
fn converges_to_the_exact_move_where_turning_at_every_ply_does_not() {
    // With eight edges or fewer to draw: emptier boards hold traps for which a
    // hundred thousand simulations are too few.
    for (setup, plies, proofs) in
        [("2x2", 4..9, true), ("2x3", 9..14, true), ("2x2", 4..9, false), ("2x3", 9..14, false)]
    {
        let boards = small_boards(setup, plies, 24);
        assert_eq!(right_moves(&boards, Plain, proofs), boards.len(), "{setup}");
        let wrong = |game: DotsAndBoxes| Alternating { claimed: game.to_move(), game };
        let found = right_moves(&boards, wrong, proofs);
        println!("{setup}: turning at every ply finds {found} of {}", boards.len());
        assert!(found < boards.len() - 3, "{setup}: turning at every ply finds {found}");
    }
}

#[test]
fn proofs_equal_minimax_whoever_moves_how_often() {
    let (mut proven, mut all) = (0, 0);
    for seed in 0..60 {
        let game = Thicket::start(&Number(seed)).unwrap();
        let mut memory = Default::default();
        let value = truth(&game, &mut memory);
        for expand in [Expand::All, Expand::One, Expand::Necessary] {
            let info = fresh(TreeSettings { expand, ..small() }, &game, 100_000);
            all += 1;
            if let Score::Proven { result, .. } = info.score {
                proven += 1;
                assert_eq!(result * game.to_move().sign(), value, "{seed}");
                assert_eq!(info.source, Source::Solver);
                let after = game.after(info.best.unwrap());
                assert_eq!(truth(&after, &mut memory), value, "{seed}: the move");
            }
            // What is proven of single moves is true as well.
            for line in &info.lines {
                if let Score::Proven { result, .. } = line.score {
                    let true_value = truth(&game.after(line.mv), &mut memory);
                    assert_eq!(result * game.to_move().sign(), true_value, "{seed}: {line:?}");
                }
            }
        }
    }
    assert!(proven * 10 > all * 8, "{proven} of {all} are proven");
}

#[test]
fn a_forced_win_is_found_and_played_to_its_end() {
    // Nobody knows the heap's trick here: tactics are off.
    let settings = TreeSettings { tactics: false, ..small() };
    let mut engine = TreeSearch::new(settings, 3);
    let mut record = Record::new(Heap { left: 23, mover: Player::First });
    let mut rng = Rng::seeded(5);
    while record.outcome().is_none() {
        let mv = match record.game().to_move() {
            Player::First => {
                let info = search(&mut engine, &record, 100_000);
                assert!(matches!(info.score, Score::Proven { result: 1, .. }), "{info:?}");
                assert_eq!(info.win_rate, 1.0);
                info.best.unwrap()
            }
            Player::Second => record.game().random_move(&mut rng).unwrap(),
        };
        record.play(mv).unwrap();
    }
    assert_eq!(record.outcome().unwrap().winner, Some(Player::First));
    // A lost heap is known for lost, and still a move is made.
    let info = fresh(
        TreeSettings { tactics: false, ..small() },
        &Heap { left: 12, mover: Player::Second },
        100_000,
    );
    assert!(matches!(info.score, Score::Proven { result: -1, .. }) && info.best.is_some());
}

#[test]
fn obvious_moves_need_no_search() {
    let info = fresh(small(), &Heap { left: 2, mover: Player::First }, 1000);
    assert_eq!((info.best, info.source, info.sims), (Some(2), Source::Forced, 0));
}

#[test]
fn repetition_on_the_way_is_a_result() {
    for (rule, result) in [(0, 0), (1, 1), (2, -1)] {
        // From a room only the corridor (a draw) and the other room are open. The
        // player whom the repetition favours keeps to the rooms, the other one
        // has the corridor: so all is a draw, and nothing else is proven.
        let game = Rooms::start(&Number(rule)).unwrap();
        let info = fresh(small(), &game, 20_000);
        assert!(matches!(info.score, Score::Proven { result: 0, .. }), "{rule}: {info:?}");
        // With both rooms visited twice before, going on there ends the game.
        let mut record = Record::new(game);
        (0..3).for_each(|_| record.play(0).unwrap());
        let info = search(&mut TreeSearch::new(small(), 1), &record, 20_000);
        let mover = record.game().to_move();
        let best = (result * mover.sign()).max(0);
        assert!(matches!(info.score, Score::Proven { result, .. } if result == best), "{info:?}");
    }
}

/// Checks that the statistics of a tree add up: a node has what its children
/// have and what ended in itself; sums give the number of all simulations.
fn ended_inside<M>(branch: &TreeNode<M>) -> u64 {
    let below: u32 = branch.children.iter().map(|child| child.visits).sum();
    assert!(branch.visits >= below, "{} visits, {below} below", branch.visits);
    assert!(branch.mean.abs() <= 1.0, "{}", branch.mean);
    u64::from(branch.visits - below) + branch.children.iter().map(ended_inside).sum::<u64>()
}

#[test]
fn visits_are_conserved_by_any_number_of_threads() {
    let start = Plain(DotsAndBoxes::start(&"3x3".parse().unwrap()).unwrap());
    for threads in [1, 2, 4] {
        for parallel in [Parallel::Tree, Parallel::Leaf] {
            let settings =
                TreeSettings { threads, parallel, memory: 64, ..TreeSettings::default() };
            let mut engine = TreeSearch::new(settings, 2);
            let n = if parallel == Parallel::Leaf { 2_000 } else { 60_000 };
            let info = search(&mut engine, &Record::new(start.clone()), n);
            assert!(info.sims >= n && info.sims < n + 4, "{} of {n}", info.sims);
            let tree = engine.export(u32::MAX).unwrap();
            assert_eq!(u64::from(tree.visits), info.sims);
            assert_eq!(ended_inside(&tree), info.sims);
            assert_eq!(info.lines.iter().map(|line| line.visits).sum::<u64>(), info.sims);
            // No virtual loss is left over: the root's mean is its children's.
            let sum: f64 = tree.children.iter().map(|c| c.mean * f64::from(c.visits)).sum();
            assert!((sum / info.sims as f64 - tree.mean).abs() < 1e-6);
        }
    }
}

#[test]
fn an_inner_node_has_one_visit_more_than_its_children() {
    let start = Plain(DotsAndBoxes::start(&"5x5".parse().unwrap()).unwrap());
    let settings = TreeSettings { proofs: false, ..small() };
    let mut engine = TreeSearch::new(settings, 2);
    search(&mut engine, &Record::new(start), 20_000);
    let tree = engine.export(u32::MAX).unwrap();
    let mut stack: Vec<&TreeNode<_>> = tree.children.iter().collect();
    let mut inner = 0;
    while let Some(branch) = stack.pop() {
        let below: u32 = branch.children.iter().map(|child| child.visits).sum();
        if below > 0 {
            assert_eq!(branch.visits, below + 1);
            inner += 1;
        }
        stack.extend(&branch.children);
    }
    assert!(inner > 50);
}

#[test]
fn a_seed_repeats_everything() {
    let start = Plain(DotsAndBoxes::start(&"4x4".parse().unwrap()).unwrap());
    let all = [
        TreeSettings::default(),
        TreeSettings { final_move: FinalMove::Temperature(1.0), ..small() },
        TreeSettings { memory: 1, ..small() },
        TreeSettings {
            selection: Selection::Puct { c: 2.0 },
            expand: Expand::Necessary,
            ..small()
        },
        TreeSettings { threads: 3, parallel: Parallel::Root, ..small() },
        TreeSettings { threads: 2, parallel: Parallel::Leaf, ..small() },
        TreeSettings {
            rollouts: 4,
            reward: Reward::PlusMinus,
            final_move: FinalMove::Mean,
            ..small()
        },
    ];
    for (i, settings) in all.into_iter().enumerate() {
        let run = |seed: u64| {
            let mut engine = TreeSearch::new(settings.clone(), seed);
            let info = search(&mut engine, &Record::new(start.clone()), 5_000);
            (info.best, info.lines, info.nodes, info.depth, engine.export(9))
        };
        assert_eq!(run(4), run(4), "{i}");
        assert_ne!(run(4).1, run(5).1, "{i}");
    }
}

#[test]
fn node_limits_are_exact_on_one_thread() {
    let start = Plain(DotsAndBoxes::start(&"4x4".parse().unwrap()).unwrap());
    let run = |nodes: u64| {
        let mut engine = TreeSearch::new(small(), 1);
        engine.search(&Record::new(start.clone()), &SearchControl::new(Limits::nodes(nodes)))
    };
    let (info, again) = (run(10_000), run(10_000));
    assert_eq!((info.sims, &info.lines), (again.sims, &again.lines));
    assert!((10_000..10_100).contains(&info.nodes), "{}", info.nodes);
}

#[test]
fn memory_is_kept_and_a_full_pool_still_thinks() {
    let start = Plain(DotsAndBoxes::start(&"5x5".parse().unwrap()).unwrap());
    for (recycle, threads) in [(true, 1), (false, 1), (true, 4)] {
        let settings = TreeSettings { memory: 1, recycle, threads, ..small() };
        let mut engine = TreeSearch::new(settings, 1);
        let info = search(&mut engine, &Record::new(start.clone()), 100_000);
        assert_eq!(info.sims, 100_000);
        assert!(engine.bytes() <= 1 << 20);
        // How lately the tree was tidied is by chance where threads share it.
        assert!(threads > 1 || engine.bytes_used() > engine.bytes() / 4);
        assert!(engine.bytes_used() <= engine.bytes());
        // What is forgotten is forgotten below: the root's moves keep all.
        assert_eq!(info.lines.iter().map(|line| line.visits).sum::<u64>(), 100_000);
        ended_inside(&engine.export(u32::MAX).unwrap());
    }
}

#[test]
fn the_tree_is_reused_after_both_sides_moves() {
    let start = Plain(DotsAndBoxes::start(&"3x3".parse().unwrap()).unwrap());
    let mut record = Record::new(start);
    let mut engine = TreeSearch::new(TreeSettings { proofs: false, ..small() }, 1);
    let info = search(&mut engine, &record, 30_000);
    let pv = &info.lines[0].pv;
    let whole = engine.export(u32::MAX).unwrap();
    let below = |branch: &TreeNode<_>, mv| {
        branch.children.iter().find(|child| child.mv == Some(mv)).unwrap().clone()
    };
    let kept = below(&below(&whole, pv[0]), pv[1]);
    record.play(pv[0]).unwrap();
    record.play(pv[1]).unwrap();
    // No simulation more: the statistics are those of the subtree.
    search(&mut engine, &record, 0);
    let now = engine.export(u32::MAX).unwrap();
    assert!(kept.visits > 10);
    assert_eq!((now.visits, now.mean, &now.children), (kept.visits, kept.mean, &kept.children));
    // And it goes on growing as a sound tree.
    search(&mut engine, &record, 5_000);
    let grown = engine.export(u32::MAX).unwrap();
    assert_eq!(grown.visits, kept.visits + 5_000);
    ended_inside(&grown);
    // Another game, or a setting without reuse, begins anew.
    engine.new_game(1);
    search(&mut engine, &record, 100);
    assert_eq!(engine.export(0).unwrap().visits, 100);
    let mut forgetful = TreeSearch::new(TreeSettings { reuse: false, ..small() }, 1);
    (0..2).for_each(|_| drop(search(&mut forgetful, &record, 100)));
    assert_eq!(forgetful.export(0).unwrap().visits, 100);
}

#[test]
fn pondering_reports_hits_and_misses() {
    let start = Plain(DotsAndBoxes::start(&"3x3".parse().unwrap()).unwrap());
    let mut engine = TreeSearch::new(small(), 1);
    let mut record = Record::new(start);
    assert_eq!(search(&mut engine, &record, 100).ponder_hit, None);
    let control = SearchControl::unlimited().observed(|info: &SearchInfo<_>| {
        if info.sims > 2_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    engine.ponder(&record, &control);
    assert!(control.newest().sims > 2_000);
    let reply = record.legal()[0];
    record.play(reply).unwrap();
    assert_eq!(search(&mut engine, &record, 100).ponder_hit, Some(true));
    assert_eq!(search(&mut engine, &record, 100).ponder_hit, None);
    // Another game than the one thought about.
    let stopped = SearchControl::unlimited();
    stopped.stop();
    engine.ponder(&record, &stopped);
    let other = Record::new(Plain(DotsAndBoxes::start(&"4x4".parse().unwrap()).unwrap()));
    assert_eq!(search(&mut engine, &other, 100).ponder_hit, Some(false));
}

/// Prefers large move codes and sees a win for whoever made the last move.
struct Network {
    batches: Arc<std::sync::Mutex<Vec<usize>>>,
}

impl Evaluator<Thicket> for Network {
    fn evaluate(&mut self, batch: &[Leaf<Thicket>], out: &mut Vec<Evaluation>) {
        self.batches.lock().unwrap().push(batch.len());
        out.clear();
        out.extend(batch.iter().map(|leaf| {
            let count = moves(&leaf.game).len();
            let policy = (0..count).map(|i| (i + 1) as f32 / (count * (count + 1) / 2) as f32);
            let value =
                if leaf.last.is_some() { -0.1 * leaf.game.to_move().sign() as f32 } else { 0.0 };
            Evaluation { value, policy: policy.collect() }
        }));
    }
}

#[test]
fn a_batch_evaluator_fits_in() {
    let game = Thicket::start(&Number(3)).unwrap();
    let value = truth(&game, &mut Default::default());
    for (batch, threads) in [(1, 1), (8, 1), (8, 2)] {
        let batches = Arc::new(std::sync::Mutex::new(Vec::new()));
        let noted = batches.clone();
        let settings = TreeSettings {
            selection: Selection::Puct { c: 2.0 },
            fpu: Fpu::Absolute(0.0),
            threads,
            ..small()
        };
        let make: MakeEvaluator<Thicket> =
            Arc::new(move || Box::new(Network { batches: noted.clone() }));
        let network = LeafEvaluator::Evaluator { make, batch };
        let mut engine = TreeSearch::new(settings.clone(), 1).with_evaluator(network.clone());
        let first = search(&mut engine, &Record::new(game.clone()), 1);
        assert_eq!(first.best, moves(&game).last().copied(), "the policy's first choice");
        let mut engine = TreeSearch::new(settings, 1).with_evaluator(network);
        let info = search(&mut engine, &Record::new(game.clone()), 1_000);
        let tree = engine.export(u32::MAX).unwrap();
        assert_eq!(u64::from(tree.visits), info.sims);
        assert_eq!(ended_inside(&tree), info.sims);
        let info = search(&mut engine, &Record::new(game.clone()), 3_000_000);
        let Score::Proven { result, .. } = info.score else { panic!("{info:?}") };
        assert_eq!(result * game.to_move().sign(), value);
        let batches = batches.lock().unwrap();
        assert!(batches.iter().all(|&n| n <= batch) && batches.contains(&batch));
    }
}

/// Counts plies since the start: First is ahead by as many points.
struct Flat(i32);

impl<G: Game> Heuristic<G> for Flat {
    fn evaluate(&self, _: &G) -> i32 {
        self.0
    }
    fn scale(&self) -> f64 {
        100.0
    }
    fn is_quiet(&self, _: &G) -> bool {
        true
    }
    fn terms(&self, _: &G) -> Vec<Term> {
        Vec::new()
    }
}

#[test]
fn rollouts_end_or_are_judged() {
    let game = Plain(DotsAndBoxes::start(&"2x2".parse().unwrap()).unwrap());
    let mut rng = Rng::seeded(1);
    for policy in [Policy::Uniform, Policy::NoisyFirst, Policy::Weighted(search::Variant::Correct)]
    {
        let whole = Rollout { policy, cutoff: None };
        assert!([-1.0, 0.0, 1.0].contains(&whole.play(game.clone(), &mut rng)));
        let mut result = |points, at, value| {
            let cutoff = Some(Cutoff { at, heuristic: Arc::new(Flat(points)), value });
            Rollout { policy, cutoff }.play(game.clone(), &mut rng)
        };
        let sign = |zero| CutoffValue::Sign { zero };
        for at in [CutoffAt::Plies(0), CutoffAt::Plies(3), CutoffAt::Quiet] {
            assert_eq!(result(5, at, sign(None)), 1.0);
            assert_eq!(result(-5, at, sign(Some(Player::First))), -1.0);
            assert_eq!(result(0, at, sign(None)), 0.0);
            assert_eq!(result(0, at, sign(Some(Player::First))), 1.0);
            assert_eq!(result(0, at, sign(Some(Player::Second))), -1.0);
            assert!((result(100, at, CutoffValue::Expected) - 0.462).abs() < 0.001);
        }
        // The game ends before the cut.
        assert!([-1.0, 0.0, 1.0].contains(&result(7, CutoffAt::Plies(99), CutoffValue::Expected)));
    }
}

/// Knows heaps of up to `most`.
struct Table {
    most: u16,
    moves: bool,
}

impl Oracle<Heap> for Table {
    fn probe(&self, game: &Heap, _: u64) -> Option<Verdict<u16>> {
        (game.left <= self.most).then(|| {
            let wins = !game.left.is_multiple_of(4);
            Verdict {
                winner: Some(if wins { game.mover } else { !game.mover }),
                score: 0,
                plies: None,
                best: None,
                source: Source::Table,
            }
        })
    }

    fn best_move(&self, record: &Record<Heap>) -> Option<SearchInfo<u16>> {
        let left = record.game().left;
        let known = self.moves && left <= self.most && !left.is_multiple_of(4);
        let (best, source) = (Some(left % 4), Source::Table);
        known.then(|| SearchInfo { best, source, ..SearchInfo::default() })
    }
}

#[test]
fn an_oracle_proves_leaves_and_answers_at_the_root() {
    let game = Heap { left: 23, mover: Player::First };
    let settings = || TreeSettings { tactics: false, ..small() };
    let with = |most, moves, n| {
        let oracle = Arc::new(Table { most, moves });
        let mut engine = TreeSearch::new(settings(), 7).with_oracle(oracle);
        search(&mut engine, &Record::new(game.clone()), n)
    };
    let alone = fresh(settings(), &game, 1_000_000);
    let helped = with(17, false, 1_000_000);
    for info in [&alone, &helped] {
        assert_eq!(info.best, Some(3));
        assert!(matches!(info.score, Score::Proven { result: 1, .. }));
    }
    assert!(helped.sims * 10 < alone.sims, "{} and {}", helped.sims, alone.sims);
    let known = with(40, true, 1000);
    assert_eq!((known.best, known.source, known.sims), (Some(3), Source::Table, 0));
    // Without a move to play, the root is searched.
    assert_eq!(with(40, false, 1000).best, Some(3));
}

#[derive(Default)]
struct Notes(Vec<String>);

impl<G: Game> Observer<G> for Notes {
    fn selected(&mut self, mv: G::Move, _: &G) {
        self.0.push(format!("selected {mv:?}"));
    }
    fn expanded(&mut self, children: usize) {
        self.0.push(format!("expanded {children}"));
    }
    fn evaluated(&mut self, _: f64) {
        self.0.push("evaluated".into());
    }
    fn backed_up(&mut self, nodes: usize) {
        self.0.push(format!("backed up {nodes}"));
    }
}

#[test]
fn a_simulation_can_be_watched_step_by_step() {
    let record = Record::new(Heap { left: 20, mover: Player::First });
    let mut engine = TreeSearch::new(TreeSettings { expand: Expand::One, ..small() }, 1);
    let mut notes = Notes::default();
    engine.step(&record, 0, &mut notes);
    assert_eq!(notes.0, ["expanded 3", "selected 1", "evaluated", "backed up 2"]);
    for index in 1..4 {
        notes.0.clear();
        engine.step(&record, index, &mut notes);
    }
    assert_eq!(notes.0.last().unwrap(), "backed up 3", "the fourth goes deeper");
    assert_eq!(engine.export(0).unwrap().visits, 4);
}

#[test]
fn the_observer_sees_a_move_at_any_moment_and_can_stop() {
    let start = Plain(DotsAndBoxes::start(&"5x5".parse().unwrap()).unwrap());
    for threads in [1, 2] {
        for parallel in [Parallel::Tree, Parallel::Root, Parallel::Leaf] {
            let settings = TreeSettings { threads, parallel, ..small() };
            let mut engine = TreeSearch::new(settings, 1);
            let mut calls = 0;
            let control = SearchControl::unlimited().observed(move |info: &SearchInfo<_>| {
                calls += 1;
                assert!(info.best.is_some());
                let enough = calls >= 3 && info.sims > 0;
                if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let info = engine.search(&Record::new(start.clone()), &control);
            assert!(info.best.is_some() && info.sims > 0);
        }
    }
    // Without a single simulation there is still a move.
    assert!(fresh(small(), &start, 0).best.is_some());
}

#[test]
fn the_tree_can_be_written_down() {
    let start = DotsAndBoxes::start(&"2x2".parse().unwrap()).unwrap();
    let mut engine = TreeSearch::new(small(), 1);
    search(&mut engine, &Record::new(Plain(start)), 500);
    let tree = engine.export(2).unwrap();
    let nodes = 1 + tree.children.iter().map(|child| 1 + child.children.len()).sum::<usize>();
    assert!(tree.children.iter().all(|child| child.children.iter().all(|c| c.children.is_empty())));
    let dot = tree.dot(&start);
    assert_eq!(dot.matches(" -> ").count(), nodes - 1);
    assert_eq!(dot.matches("label=").count(), nodes);
    let json = tree.json(&start);
    assert!(json.starts_with("{\"move\":null,\"visits\":500,"), "{json}");
    assert_eq!(json.matches("\"visits\":").count(), nodes);
    for (open, close) in [('{', '}'), ('[', ']')] {
        assert_eq!(json.matches(open).count(), json.matches(close).count());
    }
}
