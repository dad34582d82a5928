//! The laws that every game keeps, stated once. A game's test file calls them
//! for each of its setups.

#![allow(dead_code, reason = "a game without symmetries uses only a part")]

use std::collections::HashSet;
use std::str::FromStr;

use games::{Draw, Game, MoveList, Player, Record, Rng, Symmetric, Text, perft};

/// A setup from its text.
pub fn setup<G: Game>(text: &str) -> G::Setup {
    G::Setup::from_str(text).unwrap_or_else(|error| panic!("setup '{text}': {error}"))
}

/// The legal moves as a plain list.
pub fn moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    list.to_vec()
}

/// Plays `games` random games and calls `check` at each position before the
/// move, the last one included. A game longer than `cap` plies fails: random
/// games must end under the setup's end rules.
pub fn walk<G: Game>(
    setup: &G::Setup,
    games: u64,
    cap: usize,
    mut check: impl FnMut(&G, &mut Rng),
) {
    for seed in 0..games {
        let mut rng = Rng::stream(0x1a35, seed);
        let mut game = G::start(setup).expect("the setup is valid");
        for ply in 0.. {
            assert!(ply <= cap, "no end after {cap} plies: {game:?}");
            check(&game, &mut rng);
            match game.random_move(&mut rng) {
                Some(mv) => game.play(mv),
                None => break,
            }
        }
    }
}

/// The laws of `Game`, `Text` and `Record` on random games of one setup.
pub fn contract<G: Text>(setup_text: &str, games: u64) {
    let setup = setup::<G>(setup_text);
    assert_eq!(G::Setup::from_str(&setup.to_string()), Ok(setup.clone()), "setup text");
    let start = G::start(&setup).unwrap();
    assert_eq!(start.setup(), setup);
    assert_eq!(start.to_move(), Player::First);
    assert!(start.outcome().is_none());
    for depth in 1..=3 {
        assert_eq!(perft(&start, depth), slow_perft(&start, depth));
    }
    walk::<G>(&setup, games, 10_000, |game, rng| {
        one_position(game, rng);
    });
    for seed in 0..games.min(50) {
        one_record::<G>(&setup, seed);
    }
}

/// For games in which one number chooses a move: evenly spaced draws play every move
/// once, in the order of the list.
pub fn even_draws<G: Text>(setup_text: &str, games: u64) {
    walk::<G>(&setup::<G>(setup_text), games, 10_000, |game, _| {
        let list = moves(game);
        for (k, &mv) in list.iter().enumerate() {
            let draw = Draw((((2 * k as u128 + 1) << 63) / list.len() as u128) as u64);
            assert_eq!(game.clone().play_random(draw), Some(mv), "{game:?}");
        }
    });
}

fn slow_perft<G: Game>(game: &G, depth: u32) -> u64 {
    if depth == 0 {
        1
    } else {
        moves(game).into_iter().map(|mv| slow_perft(&game.after(mv), depth - 1)).sum()
    }
}

fn one_position<G: Text>(game: &G, rng: &mut Rng) {
    let list = moves(game);
    assert_eq!(
        list.is_empty(),
        game.outcome().is_some(),
        "moves are empty exactly at the end: {game:?}"
    );
    assert_eq!(list.len(), game.count_moves(), "{game:?}");
    assert_eq!(list.iter().collect::<HashSet<_>>().len(), list.len(), "no move twice: {game:?}");
    assert_eq!(moves(&game.clone()), list, "the order is fixed");
    for &mv in &list {
        assert!(game.is_legal(mv));
        let code: u16 = mv.into();
        assert!(usize::from(code) < game.move_codes());
        assert_eq!(G::Move::from(code), mv, "codes round-trip");
        let text = game.move_text(mv);
        assert_eq!(game.parse_move(&text), Ok(mv), "'{text}' in {game:?}");
    }
    let mut next = game.clone().on_board_of(&G::start(&game.setup()).unwrap());
    assert_eq!(&next, game, "the board of another position of the setup is the same");
    let played = next.play_random(rng.draw());
    for chosen in [game.random_move(rng), played] {
        assert_eq!(chosen.is_none(), list.is_empty());
        assert!(chosen.is_none_or(|mv| list.contains(&mv)));
    }
    assert_eq!(next, played.map_or_else(|| game.clone(), |mv| game.after(mv)));
    let text = game.position();
    let back = G::parse(&game.setup(), &text).unwrap_or_else(|error| panic!("'{text}': {error}"));
    assert_eq!(&back, game, "'{text}'");
    assert_eq!(back.key(), game.key(), "a key does not depend on how a position came about");
    assert!(!text.contains('\n'), "a position is one line");
    assert!(game.render(list.first().copied()).lines().count() > 2);
    // A playout ends the game, the same way for the same seed.
    let roll = |seed| game.clone().playout(&mut Rng::seeded(seed));
    let seed = rng.bits();
    assert_eq!(roll(seed), roll(seed));
}

fn one_record<G: Text>(setup: &G::Setup, seed: u64) {
    let mut rng = Rng::stream(0x2ec0, seed);
    let mut record = Record::new(G::start(setup).unwrap());
    let mut history = vec![record.clone()];
    while record.outcome().is_none() {
        let list = record.legal();
        let mv = list[rng.below(list.len())];
        record.play(mv).unwrap();
        history.push(record.clone());
    }
    assert!(record.legal().is_empty());
    assert!(
        record.play(*record.moves().last().unwrap()).is_err(),
        "nothing is played after the end"
    );
    // The text of a game plays the same game.
    let mut again = Record::new(G::start(setup).unwrap());
    again.play_text(&record.moves_text()).unwrap();
    assert_eq!(again, record);
    // Undo restores everything, redo brings it back.
    for before in history.iter().rev().skip(1) {
        assert!(again.undo());
        assert_eq!(again.game(), before.game());
        assert_eq!(again.moves(), before.moves());
        assert_eq!(again.outcome(), before.outcome());
    }
    assert!(!again.undo());
    while again.redo() {}
    assert_eq!(again, record);
    // A resignation ends it, undo takes that back alone.
    assert!(again.undo());
    let plies = again.moves().len();
    again.resign(Player::Second);
    assert_eq!(again.outcome().unwrap().winner, Some(Player::First));
    assert!(again.legal().is_empty() && !again.redo());
    assert!(again.undo());
    assert_eq!((again.moves().len(), again.outcome()), (plies, None));
}

/// The laws of `Symmetric` on random games of one setup: `count` symmetries
/// that form a group, commute with play and keep outcomes.
pub fn symmetry<G: Symmetric>(setup_text: &str, count: usize, games: u64) {
    let setup = setup::<G>(setup_text);
    walk::<G>(&setup, games, 10_000, |game, rng| {
        assert_eq!(game.symmetries(), count);
        assert_eq!(&game.transform(0), game, "symmetry 0 is the identity");
        let images: Vec<G> = (0..count).map(|s| game.transform(s)).collect();
        let canonical = game.canonical();
        assert_eq!(game.transform(canonical.1), canonical.0);
        for (s, image) in images.iter().enumerate() {
            assert_eq!(image.outcome(), game.outcome());
            assert_eq!(image.to_move(), game.to_move());
            assert_eq!(image.lead(), game.lead());
            assert_eq!(image.canonical().0, canonical.0, "one canonical form for all images");
            assert!(
                (0..count).any(|t| &image.transform(t) == game),
                "each symmetry has an inverse"
            );
            let mut turned: Vec<_> =
                moves(game).iter().map(|&mv| game.transform_move(s, mv)).collect();
            let mut list = moves(image);
            turned.sort();
            list.sort();
            assert_eq!(turned, list, "symmetry {s} turns the moves of {game:?}");
        }
        if let Some(mv) = game.random_move(rng) {
            for (s, image) in images.iter().enumerate() {
                assert_eq!(
                    game.after(mv).transform(s),
                    image.after(game.transform_move(s, mv)),
                    "symmetry {s} commutes with play in {game:?}"
                );
            }
        }
    });
}
