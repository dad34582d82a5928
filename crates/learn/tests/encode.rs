//! The laws of every encoding.

use std::collections::HashSet;

use games::connect_four::{ConnectFour, U192};
use games::dots_and_boxes::DotsAndBoxes;
use games::surakarta::Surakarta;
use games::{Game, MoveList, Player, Rng};
use learn::Encode;

fn planes<G: Encode>(game: &G, last: Option<G::Move>) -> Vec<f32> {
    let mut planes = vec![0.0; game.shape().inputs()];
    game.encode(last, &mut planes);
    planes
}

/// Random games with the move before each position.
fn walk<G: Encode>(setup: &str, mut check: impl FnMut(&G, Option<(&G, G::Move)>)) {
    let setup = setup.parse::<G::Setup>().unwrap();
    for seed in 0..20 {
        let mut rng = Rng::stream(0xe2c0, seed);
        let mut game = G::start(&setup).unwrap();
        let mut before: Option<(G, G::Move)> = None;
        loop {
            check(&game, before.as_ref().map(|(game, mv)| (game, *mv)));
            let Some(mv) = game.random_move(&mut rng) else { break };
            let next = game.after(mv);
            before = Some((std::mem::replace(&mut game, next), mv));
        }
    }
}

fn moves<G: Game>(game: &G) -> MoveList<G::Move> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    list
}

fn laws<G: Encode>(setup: &str) {
    let mut seen = std::collections::HashMap::new();
    walk::<G>(setup, |game, before| {
        let last = before.map(|(_, mv)| mv);
        let shape = game.shape();
        let shown = planes(game, last);
        // Injective, within the policy, and the same cells under a symmetry.
        let codes: HashSet<usize> = moves(game).iter().map(|&mv| game.code(mv)).collect();
        assert_eq!(codes.len(), moves(game).len());
        assert!(codes.iter().all(|&code| code < shape.moves));
        for s in 0..game.symmetries() {
            let turned = game.transform(s);
            assert_eq!(turned.shape(), shape);
            assert_eq!(turned.kind(), game.kind());
            let mine: HashSet<usize> = moves(&turned).iter().map(|&mv| turned.code(mv)).collect();
            let list = moves(game);
            let images = list.iter().map(|&mv| turned.code(game.transform_move(s, mv)));
            assert_eq!(mine, images.collect());
            // A symmetry moves numbers about and changes none.
            let last = before.map(|(before, mv)| before.transform_move(s, mv));
            let sorted = |mut planes: Vec<f32>| {
                planes.sort_by(f32::total_cmp);
                planes
            };
            assert_eq!(sorted(planes(&turned, last)), sorted(shown.clone()));
        }
        // What differs for the rules is shown as different.
        let bits: Vec<u32> = shown.iter().map(|x| x.to_bits()).collect();
        let other = seen.entry(bits).or_insert_with(|| game.clone());
        assert_eq!(moves(other), moves(game), "{other:?} and {game:?} look the same");
        assert_eq!(other.to_move().sign() * other.lead(), game.to_move().sign() * game.lead());
    });
}

#[test]
fn every_game_keeps_the_laws() {
    laws::<Surakarta>("");
    laws::<DotsAndBoxes>("3x3");
    laws::<DotsAndBoxes>("5x5");
    laws::<DotsAndBoxes>("2x4");
    laws::<ConnectFour<u64>>("");
    laws::<ConnectFour<u64>>("4x4");
    laws::<ConnectFour<U192>>("12x9 hole=3,4");
    laws::<ConnectFour<U192>>("9x10");
}

#[test]
fn a_swap_of_colours_is_not_seen() {
    // But for the paper's ninth plane, which says whether the mover is First.
    walk::<Surakarta>("", |game, before| {
        let [first, second] = game.boards();
        let swapped =
            Surakarta::from_boards(second, first, !game.to_move(), &game.setup()).unwrap();
        let last = before.map(|(_, mv)| mv);
        let pairs = planes(game, last).into_iter().zip(planes(&swapped, last));
        for (i, (mine, theirs)) in pairs.enumerate() {
            assert_eq!(mine == theirs, i % 9 != 8);
        }
    });
    walk::<DotsAndBoxes>("3x4", |game, _| {
        let owned = Player::BOTH.map(|player| game.owned(!player));
        let swapped =
            DotsAndBoxes::from_parts(&game.setup(), game.drawn(), !game.to_move(), owned).unwrap();
        assert_eq!(planes(game, None), planes(&swapped, None));
    });
}

#[test]
fn the_paper_s_nine_planes_are_drawn_as_printed() {
    use games::Text;
    let game = Surakarta::parse(&Default::default(), "b5/1w4/2b3/6/6/5w w").unwrap();
    let last = game.after(game.parse_move("f1-f2").unwrap()).parse_move("c4-d4").unwrap();
    let shown = planes(&game, Some(last));
    let plane = |k: usize| -> Vec<usize> { (0..36).filter(|i| shown[i * 9 + k] == 1.0).collect() };
    let expected: [&[usize]; 8] = [&[7, 35], &[0, 14], &[7], &[], &[], &[14], &[14], &[15]];
    for (k, cells) in expected.iter().enumerate() {
        assert_eq!(plane(k), *cells, "plane {k}");
    }
    assert!(plane(8).is_empty(), "Second moves");
}

#[test]
fn boards_of_the_course_share_a_network_and_others_do_not() {
    let start = |setup: &str| ConnectFour::<U192>::start(&setup.parse().unwrap()).unwrap();
    let [a, b] = ["9x12 hole=1,1", "12x9"].map(start);
    assert_eq!((a.kind(), a.shape()), (b.kind(), b.shape()));
    assert_ne!(a.kind(), start("7x6").kind());
    assert_eq!(start("7x6").kind(), ConnectFour::<u64>::start(&Default::default()).unwrap().kind());
}
