//! Self-play, its games as bytes, and the replay buffer.

use std::collections::HashSet;

use games::connect_four::ConnectFour;
use games::dots_and_boxes::DotsAndBoxes;
use games::surakarta::Surakarta;
use games::{Game, MoveList, Rng};
use learn::net::Network;
use learn::replay::{Batch, ReplayBuffer, Shards};
use learn::selfplay::{
    Adjudicator, Ply, Resign, RootSearch, SelfPlaySettings, TrainingGame, Verifier, Worker,
    play_match, random_game,
};
use learn::{Encode, NetworkEvaluator};

fn network<G: Encode>(start: &G, seed: u64) -> Network<f32> {
    let mut rng = Rng::seeded(seed);
    let mut architecture = start.shape().architecture();
    (architecture.blocks, architecture.channels, architecture.value_hidden) = (1, 8, 16);
    Network::new(architecture, || rng.unit())
}

fn start<G: Game>(setup: &str) -> G {
    G::start(&setup.parse::<G::Setup>().unwrap()).unwrap()
}

fn fast(root: RootSearch) -> SelfPlaySettings {
    // Few random plies: the boards here are over after a dozen.
    SelfPlaySettings {
        games: 8,
        root,
        sims: 6,
        fast: 0.25,
        fast_sims: 2,
        random_plies: 8,
        ..SelfPlaySettings::default()
    }
}

const GUMBEL: RootSearch = RootSearch::Gumbel { considered: 4 };
const PUCT: RootSearch = RootSearch::Puct { c: 2.0, noise: 0.25 };

fn games<G: Encode>(start: &G, settings: &SelfPlaySettings, count: usize) -> Vec<TrainingGame> {
    let mut evaluator = NetworkEvaluator::new(&network(start, 5), 1 << 10);
    let mut worker = Worker::new(start.clone(), settings.clone(), 9, 0, 1);
    let mut games = Vec::new();
    while games.len() < count {
        games.extend(worker.step(&mut evaluator));
    }
    games
}

fn plays_legally<G: Encode>(setup: &str) {
    let start = start::<G>(setup);
    for (root, reuse) in [(GUMBEL, false), (PUCT, false), (GUMBEL, true), (PUCT, true)] {
        let settings = SelfPlaySettings { reuse, ..fast(root) };
        let played = games(&start, &settings, 12);
        let ids: HashSet<u64> = played.iter().map(|game| game.id).collect();
        assert_eq!(ids.len(), played.len());
        for game in &played {
            game.check(&start).unwrap();
            let searched = game.plies.iter().skip(settings.random_plies);
            assert!(searched.clone().all(|ply| ply.value().is_some()));
            for ply in &game.plies {
                let sum: f32 = ply.policy().sum();
                assert!(!ply.has_policy() || (sum - 1.0).abs() < 1e-3);
            }
            // The result is the board's, unless the game was given up or cut.
            let end = game.plies.iter().fold(start.clone(), |g, ply| g.after(ply.mv.into()));
            if let Some(outcome) = end.outcome() {
                assert_eq!(outcome.for_first(), i32::from(game.result));
            }
            // As bytes and back.
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            let mut rest = bytes.as_slice();
            assert_eq!(TrainingGame::read(&mut rest).as_ref(), Ok(game));
            assert!(rest.is_empty());
            for cut in 0..bytes.len() {
                assert!(TrainingGame::read(&mut &bytes[..cut]).is_err());
            }
        }
        assert_eq!(played, games(&start, &settings, 12), "a seed repeats");
    }
}

#[test]
fn games_are_legal_and_come_back_from_bytes() {
    plays_legally::<Surakarta>("quiet=20");
    plays_legally::<DotsAndBoxes>("2x3");
    plays_legally::<ConnectFour<u64>>("5x4");
}

#[test]
fn a_kept_tree_saves_evaluations_under_puct() {
    let start = start::<ConnectFour<u64>>("5x4");
    let evaluated = |reuse: bool| {
        let settings = SelfPlaySettings { reuse, fast: 0.0, sims: 40, ..fast(PUCT) };
        let mut evaluator = NetworkEvaluator::new(&network(&start, 5), 0);
        let mut worker = Worker::new(start, settings, 9, 0, 1);
        let (mut games, mut plies) = (0, 0);
        while games < 20 {
            for played in worker.step(&mut evaluator) {
                games += 1;
                plies += played.plies.len() as u64;
            }
        }
        evaluator.take_stats().evaluated / plies
    };
    let (fresh, kept) = (evaluated(false), evaluated(true));
    println!("evaluations a ply: {fresh}, with a kept tree {kept}");
    assert!(kept < fresh * 9 / 10, "{kept} a ply, without it {fresh}");
}

#[test]
fn surprising_plies_are_sampled_more_often() {
    let start = start::<DotsAndBoxes>("2x2");
    // Twelve plies, one of which surprised three times as much as the others
    // together.
    let mut game = start;
    let mut plies = Vec::new();
    while game.outcome().is_none() {
        let mut moves = MoveList::new();
        game.moves(&mut moves);
        let even = vec![1.0; moves.len()];
        let nats = if plies.len() == 4 { 3.3 } else { 0.1 };
        plies.push(Ply::searched(moves[0].into(), 0.0, &even).with_surprise(nats));
        game.play(moves[0]);
    }
    assert!((plies[4].surprise() - 3.3).abs() < 1e-3);
    let count = plies.len() as u64;
    let setup = start.setup().to_string();
    let played = |id| TrainingGame { id, setup: setup.clone(), plies: plies.clone(), result: 1 };
    let mut uniform = ReplayBuffer::new(start, 1 << 20, 1.0);
    let mut half = ReplayBuffer::new(start, 1 << 20, 1.0).with_surprise(0.5);
    let games = 400;
    let [all, drawn] = [&mut uniform, &mut half]
        .map(|buffer| (0..games).map(|id| buffer.add(played(id))).sum::<u64>());
    assert_eq!(all, games * count);
    // As many in all, half of them as before and half by surprise.
    let share = drawn as f64 / all as f64;
    assert!((share - 1.0).abs() < 0.05, "{share}");
    let mut batch = Batch::default();
    half.sample(4000, &mut Rng::seeded(4), &mut batch);
    let moves = |target: &learn::net::Target| target.policy.len() as u64;
    let surprising = batch.targets.iter().filter(|target| moves(target) == count - 4).count();
    let share = surprising as f64 / batch.targets.len() as f64;
    let want = 0.5 / count as f64 + 0.5 * 0.75;
    assert!((share - want).abs() < 0.04, "{share} but {want}");
}

#[test]
fn games_from_before_surprises_can_be_read() {
    let plies = vec![Ply::searched(3, 0.5, &[1.0, 0.5]), Ply::unsearched(1)];
    let game = TrainingGame { id: 7, setup: "2x2".to_owned(), plies, result: -1 };
    let mut bytes = vec![1];
    bytes.extend(7u64.to_le_bytes());
    bytes.extend([3, b'2', b'x', b'2', 255, 2]);
    bytes.extend([3, 0, 64, 2, 255, 255, 3, 128, 128, 2]);
    bytes.extend([1, 0, 128, 0]);
    assert_eq!(TrainingGame::read(&mut bytes.as_slice()), Ok(game));
}

#[test]
fn damaged_bytes_are_refused_and_never_panic() {
    let start = start::<DotsAndBoxes>("2x2");
    let mut bytes = Vec::new();
    random_game(&start, 1, 7).write(&mut bytes);
    let mut rng = Rng::seeded(2);
    for _ in 0..20_000 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + rng.below(3) {
            let i = rng.below(damaged.len());
            damaged[i] = rng.bits() as u8;
        }
        if let Ok(played) = TrainingGame::read(&mut damaged.as_slice()) {
            let _ = played.check(&start);
        }
    }
}

#[test]
fn value_targets_blend_the_result_with_the_searches_values() {
    let plies = vec![Ply::unsearched(0), Ply::searched(1, 0.5, &[]), Ply::searched(2, -0.5, &[])];
    let game = TrainingGame { id: 0, setup: String::new(), plies, result: 1 };
    assert_eq!(game.values(1.0), [1.0; 3]);
    let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
    assert!(near(&game.values(0.5), &[0.375, 0.375, 0.25]), "{:?}", game.values(0.5));
    assert!(near(&game.values(0.0), &[0.5, 0.5, -0.5]));
}

#[test]
fn samples_are_positions_of_the_games() {
    let start = start::<DotsAndBoxes>("2x2");
    let played = games(&start, &fast(GUMBEL), 6);
    let mut buffer = ReplayBuffer::new(start, 1 << 20, 1.0);
    let added: u64 = played.iter().map(|game| buffer.add(game.clone())).sum();
    let targets = played.iter().flat_map(|game| &game.plies).filter(|ply| ply.has_policy());
    assert_eq!((added, buffer.len()), (targets.count() as u64, added));

    // Every position with its target, under every symmetry.
    let mut known = HashSet::new();
    for game in &played {
        let mut position = start;
        for ply in &game.plies {
            let mut moves = MoveList::new();
            position.moves(&mut moves);
            for s in 0..8 {
                let turned = games::Symmetric::transform(&position, s);
                let mut planes = vec![0.0; turned.shape().inputs()];
                turned.encode(None, &mut planes);
                let value = f32::from(game.result) * position.to_move().sign() as f32;
                let mut policy: Vec<(usize, u32)> = (moves.iter().zip(ply.policy()))
                    .map(|(&mv, share)| {
                        let mv = games::Symmetric::transform_move(&position, s, mv);
                        (turned.code(mv), share.to_bits())
                    })
                    .collect();
                policy.sort_unstable();
                let bits: Vec<u32> = planes.iter().map(|x| x.to_bits()).collect();
                known.insert((bits, value.to_bits(), policy));
            }
            position.play(ply.mv.into());
        }
    }
    let mut batch = Batch::default();
    buffer.sample(200, &mut Rng::seeded(4), &mut batch);
    let inputs = start.shape().inputs();
    for (planes, target) in batch.planes.chunks_exact(inputs).zip(&batch.targets) {
        let bits: Vec<u32> = planes.iter().map(|x| x.to_bits()).collect();
        let mut policy: Vec<_> = target.policy.iter().map(|(c, p)| (*c, p.to_bits())).collect();
        policy.sort_unstable();
        assert!(known.contains(&(bits, target.value.to_bits(), policy)));
    }
    assert_eq!(batch.targets.len(), 200);
}

#[test]
fn a_buffer_drops_the_oldest_games() {
    let start = start::<DotsAndBoxes>("2x2");
    let mut buffer = ReplayBuffer::new(start, 30, 1.0);
    for id in 0..50 {
        buffer.add(random_game(&start, 1, id));
        assert!(buffer.len() <= 30 + 12);
    }
    assert!(buffer.len() >= 30);
}

#[test]
fn shards_come_back_and_damage_is_noticed() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let start = start::<ConnectFour<u64>>("4x4");
    let games: Vec<TrainingGame> = (0..20).map(|id| random_game(&start, 3, id)).collect();
    let mut shards = Shards::open(folder).unwrap();
    shards.write(&games[..12]).unwrap();
    shards.write(&games[12..]).unwrap();
    std::fs::write(folder.join("games-000002.zst.77.part"), b"half").unwrap();
    let mut again = Shards::open(folder).unwrap();
    assert_eq!(again.numbers().unwrap(), [0, 1]);
    let read: Vec<TrainingGame> =
        [0, 1].into_iter().flat_map(|number| again.read(number).unwrap()).collect();
    assert_eq!(read, games);
    again.write(&games[..1]).unwrap();
    assert_eq!(again.numbers().unwrap(), [0, 1, 2]);

    let path = folder.join("games-000000.zst");
    let whole = std::fs::read(&path).unwrap();
    for i in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[i] ^= 0x20;
        std::fs::write(&path, &damaged).unwrap();
        // The unpacked length, in bytes 12 to 20, may err upwards.
        assert!(again.read(0).is_err() || (12..20).contains(&i), "byte {i}");
    }
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let error = again.read(0).unwrap_err().to_string();
    assert!(error.contains("damaged"), "{error}");
}

#[test]
fn a_match_counts_every_game_and_is_fair() {
    let start = start::<ConnectFour<u64>>("4x4");
    let net = network(&start, 5);
    let [mut a, mut b] = [NetworkEvaluator::new(&net, 0), NetworkEvaluator::new(&net, 64)];
    let score = play_match(&start, &fast(GUMBEL), [&mut a, &mut b], 10, 3);
    assert_eq!(score.iter().sum::<u32>(), 20);
    // The same network on both sides: a pair's games have opposite results.
    assert_eq!(score[0], score[2]);
}

#[test]
fn an_oracle_adjudicates_games_unless_it_is_switched_off() {
    use search::{Oracle, Source, Verdict};

    /// Knows that Second wins once half of the board is full.
    struct Half;
    impl Oracle<ConnectFour<u64>> for Half {
        fn probe(
            &self,
            game: &ConnectFour<u64>,
            nodes: u64,
        ) -> Option<Verdict<<ConnectFour<u64> as Game>::Move>> {
            assert_eq!(nodes, 7);
            let winner = Some(games::Player::Second);
            let source = Source::Solver;
            let verdict = Verdict { winner, score: -1, plies: None, best: None, source };
            (game.plies() >= 8).then_some(verdict)
        }
    }
    let start = start::<ConnectFour<u64>>("4x4");
    for exact in [0, 7] {
        let settings = SelfPlaySettings { exact, random_plies: 4, ..fast(GUMBEL) };
        let mut worker = Worker::new(start, settings, 9, 0, 1)
            .with_adjudicator(Adjudicator::new(Some(std::sync::Arc::new(Half))));
        let mut evaluator = NetworkEvaluator::new(&network(&start, 5), 0);
        let mut games = Vec::new();
        while games.len() < 20 {
            games.extend(worker.step(&mut evaluator));
        }
        let short = games
            .iter()
            .all(|game| game.plies.len() < 8 || (game.plies.len(), game.result) == (8, -1));
        assert_eq!(short, exact == 7);
    }
}

#[test]
fn a_cache_changes_no_game() {
    let start = start::<Surakarta>("quiet=20");
    let net = network(&start, 5);
    let play = |cache_size: usize| {
        let mut evaluator = NetworkEvaluator::new(&net, cache_size);
        let mut worker = Worker::new(start, fast(PUCT), 9, 0, 1);
        let mut games = Vec::new();
        (0..400).for_each(|_| games.extend(worker.step(&mut evaluator)));
        (games, evaluator.take_stats())
    };
    let ((plain, never), (cached, often)) = (play(0), play(1 << 12));
    assert_eq!(plain, cached);
    assert_eq!(never.cache_hits, 0);
    assert!(often.cache_hits > 0 && often.evaluated < never.evaluated);
}

fn verifies<G: Encode>(setup: &str) {
    let start = start::<G>(setup);
    let mut resigned = 0;
    for root in [GUMBEL, PUCT] {
        let settings = SelfPlaySettings {
            max_plies: 40,
            resign: Some(Resign { below: 0.05, moves: 2, check: 0.3 }),
            ..fast(root)
        };
        let verifier = Verifier { start: &start, settings: &settings, seed: 9 };
        let valid = |game: &TrainingGame| verifier.check(game, |_| None);
        for game in games(&start, &settings, 24) {
            assert_eq!(valid(&game), Ok(()), "{game:?}");
            let after = |plies: &[Ply]| {
                plies.iter().fold(start.clone(), |game, ply| {
                    let mut moves = MoveList::new();
                    game.moves(&mut moves);
                    game.after(*moves.iter().find(|&&mv| mv.into() == ply.mv).unwrap())
                })
            };
            let ended = after(&game.plies).outcome().is_some();
            resigned += u32::from(!ended && game.plies.len() < settings.max_plies);
            for result in [-1, 0, 1] {
                let forged = TrainingGame { result, ..game.clone() };
                assert_eq!(valid(&forged).is_ok(), result == game.result);
            }
            let plies = &game.plies;
            let shorter = TrainingGame { plies: plies[..plies.len() - 1].to_vec(), ..game.clone() };
            assert!(valid(&shorter).is_err(), "{game:?}");
            let longer = [&plies[..], &plies[plies.len() - 1..]].concat();
            let longer = TrainingGame { plies: longer, ..game.clone() };
            assert!(valid(&longer).is_err(), "{setup} {longer:?}");
            for forged in [
                TrainingGame { plies: Vec::new(), ..game.clone() },
                TrainingGame { setup: format!("{} ", game.setup), ..game.clone() },
            ] {
                assert!(valid(&forged).is_err());
            }
            // What an oracle ends is valid where the oracle agrees.
            let cut = TrainingGame { result: 0, ..shorter };
            let drawn = verifier.check(&cut, |_| Some(None));
            assert!(drawn.is_ok() || plies.len() < 10, "{drawn:?}");
        }
    }
    assert!(resigned > 0, "some games end by resignation");
}

#[test]
fn a_game_is_verified_by_recomputing_it() {
    verifies::<ConnectFour<u64>>("4x4");
    verifies::<DotsAndBoxes>("2x2");
    verifies::<Surakarta>("");
}
