//! The laws of every encoding.

use std::collections::HashSet;

use games::connect_four::{Column, ConnectFour, U192};
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
fn boards_of_every_size_share_a_network_and_have_their_own_shape() {
    let start = |setup: &str| ConnectFour::<U192>::start(&setup.parse().unwrap()).unwrap();
    let standard = ConnectFour::<u64>::start(&Default::default()).unwrap();
    let network = standard.shape().architecture();
    for setup in ["7x6", "4x12", "9x12 hole=1,1", "12x12 hole=6,7"] {
        let game = start(setup);
        assert_eq!((game.kind(), game.shape().architecture()), (standard.kind(), network));
        assert!(game.shape().fits(&network), "{setup}");
        let (rows, columns) = (usize::from(game.rows()), usize::from(game.columns()));
        let shape = game.shape();
        assert_eq!((shape.grid.height, shape.grid.width, shape.moves), (rows, columns, columns));
    }
    assert_eq!(planes(&start("7x6"), None), planes(&standard, None));
    let dense = Surakarta::start(&Default::default()).unwrap().shape().architecture();
    assert!(!standard.shape().fits(&dense));
}

/// The board with its left and right swapped, after the same moves from there.
fn mirrored(game: &ConnectFour<U192>, moves: &[u8]) -> ConnectFour<U192> {
    let mut setup = game.setup();
    let last = setup.columns - 1;
    setup.hole = setup.hole.map(|(column, row)| (last - column, row));
    let start = ConnectFour::start(&setup).unwrap();
    moves.iter().fold(start, |game, &column| game.after(Column(last - column)))
}

#[test]
fn a_mirrored_board_of_connect_four_has_mirrored_planes() {
    for seed in 0..60 {
        let mut rng = Rng::stream(0x3173, seed);
        let setup = <ConnectFour<U192> as Encode>::training_setup(&mut rng).unwrap();
        let mut game = ConnectFour::<U192>::start(&setup).unwrap();
        let mut played = Vec::new();
        loop {
            let other = mirrored(&game, &played);
            let shape = game.shape();
            assert_eq!(other.shape(), shape);
            let [mine, theirs] = [planes(&game, None), planes(&other, None)];
            let rows = mine.chunks(shape.grid.width * shape.planes);
            let flipped = rows.flat_map(|row| row.chunks(shape.planes).rev().flatten());
            assert!(flipped.eq(&theirs), "{setup:?} {played:?}");
            let Some(mv) = game.random_move(&mut rng) else { break };
            played.push(mv.0);
            game.play(mv);
        }
    }
}

#[test]
fn the_parities_of_connect_four_count_no_hole() {
    // The hole is the second cell of the first column, so its third is the second to
    // be filled.
    let mut game = ConnectFour::<u64>::start(&"4x4 hole=1,2".parse().unwrap()).unwrap();
    let plane = |game: &ConnectFour<u64>, k: usize| -> Vec<usize> {
        let shown = planes(game, None);
        (0..16).filter(|i| shown[i * 8 + k] == 1.0).collect()
    };
    assert_eq!(plane(&game, 4), [4]);
    assert_eq!(plane(&game, 5), [0, 1, 2, 3, 9, 10, 11, 12]);
    assert_eq!(plane(&game, 3), [0, 1, 2, 3]);
    assert_eq!((plane(&game, 6).len(), plane(&game, 7).len()), (16, 16), "First, 15 cells");
    game.play(Column(0));
    assert_eq!(plane(&game, 3), [1, 2, 3, 8]);
    assert_eq!((plane(&game, 6).len(), plane(&game, 7).len()), (0, 0), "Second, 14 cells");
}

#[test]
fn positions_on_different_boards_have_different_keys_in_a_cache() {
    let setups = ["7x6", "7x7", "6x6", "7x6 hole=1,1", "7x6 hole=1,2", "9x9", "12x12"];
    let start = |setup: &str| ConnectFour::<U192>::start(&setup.parse().unwrap()).unwrap();
    let keys: HashSet<u64> = setups.iter().map(|setup| start(setup).cache_key()).collect();
    assert_eq!(keys.len(), setups.len());
}
