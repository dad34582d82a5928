//! Dots and Boxes on the contest platform: `2 AAABAA` is a turn of two edges; `A`
//! is horizontal with its dot row and its column, `B` vertical with its dot column
//! and its row. What comes after the last edge is not looked at, and neither is
//! the case of letters.

use games::dots_and_boxes::{DotsAndBoxes, Edge, Place, Setup, edges_of};
use games::{Game, Player, Text};

use crate::GameSpec;
use crate::platform::{PlatformBoard, PlatformForm, Received};

/// How the platform has it.
pub const FORM: PlatformForm = PlatformForm {
    example: "1 AAA",
    // One letter a row and a column is all the platform has.
    has: |game| setup_of(game).is_some_and(|setup| setup.rows.max(setup.columns) <= 25),
    read_turn: |game, text| {
        let edges = read_turn(&setup_of(game)?, text)?;
        Some(edges.iter().map(Edge::to_string).collect())
    },
    write_turn: |game, turn| {
        let edges: Vec<Edge> = turn.iter().filter_map(|mv| mv.parse().ok()).map(Edge).collect();
        setup_of(game).map_or_else(String::new, |setup| write_turn(&setup, &edges))
    },
    receive,
    // The game is over when every edge is drawn, there as here.
    resume: |_| {},
};

fn setup_of(game: &GameSpec) -> Option<Setup> {
    game.setup::<DotsAndBoxes>()
}

fn letter(index: usize) -> char {
    char::from(b'A' + index as u8)
}

fn index(letter: u8) -> usize {
    usize::from(letter.to_ascii_uppercase().wrapping_sub(b'A'))
}

/// A turn as the platform writes it.
pub fn write_turn(setup: &Setup, edges: &[Edge]) -> String {
    let mut text = format!("{} ", edges.len());
    for &edge in edges {
        match setup.place(edge) {
            Some(Place::Horizontal(row, column)) => {
                text.extend(['A', letter(row), letter(column)]);
            }
            Some(Place::Vertical(row, column)) => text.extend(['B', letter(column), letter(row)]),
            None => debug_assert!(false, "the edge is on the board"),
        }
    }
    text
}

/// Reads a turn: at least one edge of the board, none twice.
/// It need not be legal anywhere.
pub fn read_turn(setup: &Setup, text: &str) -> Option<Vec<Edge>> {
    let mut words = text.split_whitespace();
    let count: usize = words.next()?.parse().ok()?;
    let letters = words.next()?.as_bytes();
    if count == 0 || letters.len() / 3 != count || !letters.len().is_multiple_of(3) {
        return None;
    }
    let mut edges = Vec::new();
    for name in letters.chunks(3) {
        let place = match name[0].to_ascii_uppercase() {
            b'A' => Place::Horizontal(index(name[1]), index(name[2])),
            b'B' => Place::Vertical(index(name[2]), index(name[1])),
            _ => return None,
        };
        let edge = setup.edge(place)?;
        if edges.contains(&edge) {
            return None;
        }
        edges.push(edge);
    }
    Some(edges)
}

fn receive(board: &mut PlatformBoard, text: &str, player: Player) -> Received {
    let setup = setup_of(board.session().spec()).expect("a board of this game");
    let Some(edges) = read_turn(&setup, text) else {
        return Received::Nonsense("this is no turn".to_owned());
    };
    let game = DotsAndBoxes::parse(&setup, &board.session().position()).expect("our own text");
    let set = edges.iter().fold(0, |set, edge| set | edge.bit());
    let order = if is_turn(&game, &edges) { Some(edges) } else { legal_order(&game, set) };
    if let Some(order) = order.filter(|_| game.to_move() == player) {
        let moves: Vec<String> = order.iter().map(Edge::to_string).collect();
        if board.play(&moves.join(" ")).is_ok() {
            return Received::Played;
        }
    }
    let new = set & game.undrawn();
    if new == 0 {
        return Received::Nonsense("all these edges are drawn already".to_owned());
    }
    // Whatever the turn closed is its player's, and then it is our turn.
    let before = game.closed();
    let mut owned = [game.owned(Player::First), game.owned(Player::Second)];
    let drawn = game.drawn() | new;
    let after = DotsAndBoxes::from_parts(&setup, drawn, !player, owned).expect("still a board");
    owned[player as usize] |= after.closed() & !before;
    let after = DotsAndBoxes::from_parts(&setup, drawn, !player, owned).expect("closed boxes");
    board.rebuild(after.position());
    Received::Applied("not a whole legal turn".to_owned())
}

/// Whether these edges, in this order, are a whole legal turn.
pub fn is_turn(game: &DotsAndBoxes, edges: &[Edge]) -> bool {
    let mut game = *game;
    let player = game.to_move();
    for &edge in edges {
        if game.to_move() != player || !game.is_legal(edge) {
            return false;
        }
        game.play(edge);
    }
    !edges.is_empty() && (game.to_move() != player || game.outcome().is_some())
}

/// The order in which a set of edges is a whole legal turn, if there is one.
///
/// A capture stays a capture whatever else is drawn, so taking any capture first
/// finds an order if one exists.
pub fn legal_order(game: &DotsAndBoxes, mut set: u128) -> Option<Vec<Edge>> {
    let mut game = *game;
    let player = game.to_move();
    let mut order = Vec::new();
    while set != 0 {
        let capture = edges_of(set & game.closing()).next();
        let edge = match capture {
            Some(edge) => edge,
            None if set.is_power_of_two() => edges_of(set).next()?,
            None => return None,
        };
        if !game.is_legal(edge) {
            return None;
        }
        game.play(edge);
        order.push(edge);
        set &= !edge.bit();
    }
    (game.to_move() != player || game.outcome().is_some()).then_some(order)
}

#[cfg(test)]
mod tests {
    use games::Rng;

    use super::*;

    #[test]
    fn a_turn_is_found_in_any_order_and_nothing_else_is_one() {
        let mut rng = Rng::seeded(5);
        let mut longest = 0;
        for _ in 0..300 {
            let mut game = DotsAndBoxes::start(&Default::default()).unwrap();
            while game.outcome().is_none() {
                let (before, player) = (game, game.to_move());
                let mut turn = Vec::new();
                while game.to_move() == player
                    && let Some(edge) = game.random_move(&mut rng)
                {
                    // Captures mostly, so that turns get long.
                    let closing = edges_of(game.closing()).next().filter(|_| rng.below(4) > 0);
                    let edge = closing.unwrap_or(edge);
                    game.play(edge);
                    turn.push(edge);
                }
                longest = longest.max(turn.len());
                let set = turn.iter().fold(0, |set, edge| set | edge.bit());
                assert!(is_turn(&before, &turn));
                let order = legal_order(&before, set).expect("it was a turn");
                let mut again = before;
                order.iter().for_each(|&edge| again.play(edge));
                assert_eq!(again, game);
                // A second edge that captures nothing is too much, and without
                // its closing edge a turn is too little.
                for edge in edges_of(game.undrawn() & !game.closing()) {
                    assert!(legal_order(&before, set | edge.bit()).is_none());
                }
                if turn.len() > 1 {
                    let captures = set & !order.last().unwrap().bit();
                    assert!(game.outcome().is_some() || legal_order(&before, captures).is_none());
                }
            }
        }
        assert!(longest > 5, "{longest}");
    }

    #[test]
    fn edges_are_row_then_column_if_horizontal_and_the_other_way_if_vertical() {
        let setup = Setup::default();
        let edges = read_turn(&setup, "4 AAAAFEBAABFE").unwrap();
        assert_eq!(edges, [Edge(0), Edge(29), Edge(30), Edge(59)]);
        assert_eq!(write_turn(&setup, &edges), "4 AAAAFEBAABFE");
        for bad in
            ["", "1", "0 ", "1 AAF", "1 AGA", "2 AAA", "1 AAAAAB", "2 AAAAAA", "1 CAA", "-1 AAA"]
        {
            assert_eq!(read_turn(&setup, bad), None, "{bad}");
        }
        for edge in (0..60).map(Edge) {
            assert_eq!(read_turn(&setup, &write_turn(&setup, &[edge])), Some(vec![edge]));
        }
    }
}
