//! Self-play, its games as bytes, and the pool that is drawn from.

use std::collections::HashSet;

use games::connect_four::ConnectFour;
use games::dots_and_boxes::DotsAndBoxes;
use games::surakarta::Surakarta;
use games::{Game, MoveList, Rng};
use learn::net::Network;
use learn::replay::{Batch, Pool, Shards};
use learn::selfplay::{Played, Root, Settings, Worker, play_match, random_game};
use learn::{Encode, Judge};

fn network<G: Encode>(start: &G, seed: u64) -> Network<f32> {
    let mut rng = Rng::seeded(seed);
    let mut architecture = start.shape().architecture();
    (architecture.blocks, architecture.channels, architecture.value_hidden) = (1, 8, 16);
    Network::new(architecture, &mut || rng.unit())
}

fn start<G: Game>(setup: &str) -> G {
    G::start(&setup.parse::<G::Setup>().unwrap()).unwrap()
}

fn quick(root: Root) -> Settings {
    // Few random plies: the boards here are over after a dozen.
    Settings {
        games: 8,
        root,
        sims: 6,
        quick: 0.25,
        quick_sims: 2,
        random_plies: 8,
        ..Settings::default()
    }
}

const GUMBEL: Root = Root::Gumbel { considered: 4 };
const PUCT: Root = Root::Puct { c: 2.0, noise: 0.25 };

fn games<G: Encode>(start: &G, settings: &Settings, count: usize) -> Vec<Played> {
    let mut judge = Judge::new(&network(start, 5), 1 << 10);
    let mut worker = Worker::new(start.clone(), settings.clone(), 9, 0, 1);
    let mut games = Vec::new();
    while games.len() < count {
        worker.step(&mut judge, &mut |played| games.push(played));
    }
    games
}

fn plays_legally<G: Encode>(setup: &str) {
    let start = start::<G>(setup);
    for (root, reuse) in [(GUMBEL, false), (PUCT, false), (GUMBEL, true), (PUCT, true)] {
        let settings = Settings { reuse, ..quick(root) };
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
            assert_eq!(Played::read(&mut rest).as_ref(), Ok(game));
            assert!(rest.is_empty());
            for cut in 0..bytes.len() {
                assert!(Played::read(&mut &bytes[..cut]).is_err());
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
fn a_kept_tree_saves_judgements_under_puct() {
    let start = start::<ConnectFour<u64>>("5x4");
    let judged = |reuse: bool| {
        let settings = Settings { reuse, quick: 0.0, sims: 40, ..quick(PUCT) };
        let mut judge = Judge::new(&network(&start, 5), 0);
        let mut worker = Worker::new(start, settings, 9, 0, 1);
        let (mut games, mut plies) = (0, 0);
        while games < 20 {
            worker.step(&mut judge, &mut |played| {
                games += 1;
                plies += played.plies.len() as u64;
            });
        }
        judge.take_tally().judged / plies
    };
    let (fresh, kept) = (judged(false), judged(true));
    println!("judgements a ply: {fresh}, with a kept tree {kept}");
    assert!(kept < fresh * 9 / 10, "{kept} a ply, without it {fresh}");
}

#[test]
fn what_surprised_is_drawn_more_often() {
    use learn::selfplay::Ply;
    let start = start::<DotsAndBoxes>("2x2");
    // Twelve lines in a row, one of which surprised three times as much as the
    // others together.
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
    let played = |id| Played { id, setup: String::new(), plies: plies.clone(), result: 1 };
    let mut even = Pool::new(start, 1 << 20, 1.0);
    let mut half = Pool::new(start, 1 << 20, 1.0).with_surprise(0.5);
    let games = 400;
    let [all, drawn] =
        [&mut even, &mut half].map(|pool| (0..games).map(|id| pool.add(played(id))).sum::<u64>());
    assert_eq!(all, games * count);
    // As many in all, half of them as before and half by surprise.
    let share = drawn as f64 / all as f64;
    assert!((share - 1.0).abs() < 0.05, "{share}");
    let mut batch = Batch::default();
    half.draw(4000, &mut Rng::seeded(4), &mut batch);
    let moves = |target: &learn::net::Target| target.policy.len() as u64;
    let surprising = batch.targets.iter().filter(|target| moves(target) == count - 4).count();
    let share = surprising as f64 / batch.targets.len() as f64;
    let want = 0.5 / count as f64 + 0.5 * 0.75;
    assert!((share - want).abs() < 0.04, "{share} but {want}");
}

#[test]
fn games_from_before_surprises_can_be_read() {
    use learn::selfplay::Ply;
    let plies = vec![Ply::searched(3, 0.5, &[1.0, 0.5]), Ply::unsearched(1)];
    let game = Played { id: 7, setup: "2x2".to_owned(), plies, result: -1 };
    let mut bytes = vec![1];
    bytes.extend(7u64.to_le_bytes());
    bytes.extend([3, b'2', b'x', b'2', 255, 2]);
    bytes.extend([3, 0, 64, 2, 255, 255, 3, 128, 128, 2]);
    bytes.extend([1, 0, 128, 0]);
    assert_eq!(Played::read(&mut bytes.as_slice()), Ok(game));
}

#[test]
fn hostile_bytes_are_refused_and_never_panic() {
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
        if let Ok(played) = Played::read(&mut damaged.as_slice()) {
            let _ = played.check(&start);
        }
    }
}

#[test]
fn values_blend_the_result_with_what_searches_said() {
    use learn::selfplay::Ply;
    let plies = vec![Ply::unsearched(0), Ply::searched(1, 0.5, &[]), Ply::searched(2, -0.5, &[])];
    let game = Played { id: 0, setup: String::new(), plies, result: 1 };
    assert_eq!(game.values(1.0), [1.0; 3]);
    let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
    assert!(near(&game.values(0.5), &[0.375, 0.375, 0.25]), "{:?}", game.values(0.5));
    assert!(near(&game.values(0.0), &[0.5, 0.5, -0.5]));
}

#[test]
fn what_is_drawn_is_what_was_played() {
    let start = start::<DotsAndBoxes>("2x2");
    let played = games(&start, &quick(GUMBEL), 6);
    let mut pool = Pool::new(start, 1 << 20, 1.0);
    let added: u64 = played.iter().map(|game| pool.add(game.clone())).sum();
    let learnt = played.iter().flat_map(|game| &game.plies).filter(|ply| ply.has_policy());
    assert_eq!((added, pool.len()), (learnt.count() as u64, added));

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
    pool.draw(200, &mut Rng::seeded(4), &mut batch);
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
fn a_pool_forgets_the_oldest_games() {
    let start = start::<DotsAndBoxes>("2x2");
    let mut pool = Pool::new(start, 30, 1.0);
    for id in 0..50 {
        pool.add(random_game(&start, 1, id));
        assert!(pool.len() <= 30 + 12);
    }
    assert!(pool.len() >= 30);
}

#[test]
fn shards_come_back_and_damage_is_noticed() {
    let folder = std::env::temp_dir().join(format!("boyi-shards-{}", std::process::id()));
    let start = start::<ConnectFour<u64>>("4x4");
    let games: Vec<Played> = (0..20).map(|id| random_game(&start, 3, id)).collect();
    let mut shards = Shards::open(&folder).unwrap();
    shards.write(&games[..12]).unwrap();
    shards.write(&games[12..]).unwrap();
    std::fs::write(folder.join("games-000002.zst.77.part"), b"half").unwrap();
    let mut again = Shards::open(&folder).unwrap();
    assert_eq!(again.numbers().unwrap(), [0, 1]);
    let read: Vec<Played> =
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
    let told = again.read(0).unwrap_err().to_string();
    assert!(told.contains("damaged"), "{told}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_match_counts_every_game_and_likes_nobody() {
    let start = start::<ConnectFour<u64>>("4x4");
    let net = network(&start, 5);
    let [mut a, mut b] = [Judge::new(&net, 0), Judge::new(&net, 64)];
    let score = play_match(&start, &quick(GUMBEL), [&mut a, &mut b], 10, 3);
    assert_eq!(score.iter().sum::<u32>(), 20);
    // The same network on both sides: what one game gives, its twin takes.
    assert_eq!(score[0], score[2]);
}

#[test]
fn what_is_certain_ends_a_game_unless_nobody_is_asked() {
    use search::{Budget, Oracle, Source, Verdict};

    /// Knows that Second wins once half of the board is full.
    struct Half;
    impl Oracle<ConnectFour<u64>> for Half {
        fn probe(
            &self,
            game: &ConnectFour<u64>,
            budget: &Budget,
        ) -> Option<Verdict<<ConnectFour<u64> as Game>::Move>> {
            assert_eq!(budget.nodes, 7);
            let winner = Some(games::Player::Second);
            let source = Source::Solver;
            let verdict = Verdict { winner, score: -1, plies: None, best: None, source };
            (game.plies() >= 8).then_some(verdict)
        }
    }
    let start = start::<ConnectFour<u64>>("4x4");
    for exact in [0, 7] {
        let settings = Settings { exact, random_plies: 4, ..quick(GUMBEL) };
        let mut worker =
            Worker::new(start, settings, 9, 0, 1).with_oracle(Some(std::sync::Arc::new(Half)));
        let mut judge = Judge::new(&network(&start, 5), 0);
        let mut games = Vec::new();
        while games.len() < 20 {
            worker.step(&mut judge, &mut |played| games.push(played));
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
    let play = |memory: usize| {
        let mut judge = Judge::new(&net, memory);
        let mut worker = Worker::new(start, quick(PUCT), 9, 0, 1);
        let mut games = Vec::new();
        (0..400).for_each(|_| worker.step(&mut judge, &mut |played| games.push(played)));
        (games, judge.take_tally())
    };
    let ((plain, never), (cached, often)) = (play(0), play(1 << 12));
    assert_eq!(plain, cached);
    assert_eq!(never.remembered, 0);
    assert!(often.remembered > 0 && often.judged < never.judged);
}
