//! A board that takes what it receives as a fact.
//!
//! Whatever the platform passes on has happened on its board. A legal turn is
//! played, in whatever order it came. Another one, such as a capture from a
//! corner, is applied all the same: the position after it may not be reachable by
//! our rules, so the game goes on as one that began there. The same is done when
//! our rules say that the game is over and the platform plays on.

use games::dots_and_boxes::{DotsAndBoxes, Edge, edges_of};
use games::surakarta::{Setup, Surakarta};
use games::{Game, Player, Text, TextError};

use super::words;
use crate::{GameSpec, Session, open};

/// What became of a turn that was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// Legal, and played.
    Played,
    /// Not legal by our rules, and applied all the same.
    Applied(String),
    /// Nothing that could have happened on this board.
    Nonsense(String),
}

/// A game as the platform sees it.
pub struct Board {
    session: Box<dyn Session>,
    /// Where the game began, if not at the setup's start.
    start: Option<String>,
}

/// A place to come back to.
#[derive(Clone, Debug)]
pub struct Mark {
    start: Option<String>,
    moves: Vec<String>,
}

impl Board {
    /// A new game; `None` if the platform does not have it.
    pub fn new(game: &GameSpec) -> Option<Board> {
        match game {
            GameSpec::ConnectFour(_) => None,
            // One letter a row and a column is all the platform has.
            GameSpec::DotsAndBoxes(setup) if setup.rows.max(setup.columns) > 25 => None,
            _ => Some(Board { session: open(game), start: None }),
        }
    }

    /// The game by our rules.
    pub fn session(&self) -> &dyn Session {
        self.session.as_ref()
    }

    /// Where the game began, if not at the setup's start.
    pub fn start(&self) -> Option<String> {
        self.start.clone()
    }

    /// Remembers how the game stands.
    pub fn mark(&self) -> Mark {
        Mark { start: self.start.clone(), moves: self.session.moves() }
    }

    /// Comes back to a mark.
    pub fn restore(&mut self, mark: &Mark) {
        let moves: Vec<&str> = mark.moves.iter().map(String::as_str).collect();
        self.session.set(mark.start.as_deref(), &moves).expect("this was the game before");
        self.start = mark.start.clone();
    }

    /// Plays a legal move of our own.
    pub fn play(&mut self, mv: &str) -> Result<(), TextError> {
        self.session.play(mv)
    }

    /// Goes on from another position.
    fn rebuild(&mut self, position: String) {
        if self.session.set(Some(&position), &[]).is_ok() {
            self.start = Some(position);
        }
    }

    /// If our rules call the game over by a count that the platform does not
    /// make, goes on from the same pieces. False if it is over on the board.
    pub fn go_on(&mut self) -> bool {
        if self.session.outcome().is_none() {
            return true;
        }
        if let GameSpec::Surakarta(setup) = self.session.spec()
            && let Ok(game) = Surakarta::parse(setup, &self.session.position())
        {
            let position = game.with_quiet(0).position();
            self.rebuild(position);
        }
        self.session.outcome().is_none()
    }

    /// Our turn, from moves in short form, as the platform writes it.
    pub fn words(&self, turn: &[String]) -> String {
        match self.session.spec() {
            GameSpec::Surakarta(_) => {
                let [mv] = turn else { return String::new() };
                // `b5-c4`: file from the left, rank from the bottom.
                let point = |name: &str| {
                    let bytes = name.as_bytes();
                    let row = b'A' + (b'6' - bytes[1]);
                    [bytes[0].to_ascii_uppercase(), row].map(char::from)
                };
                point(&mv[..2]).into_iter().chain(point(&mv[3..])).collect()
            }
            GameSpec::DotsAndBoxes(setup) => {
                let edges: Vec<Edge> =
                    turn.iter().filter_map(|mv| mv.parse().ok()).map(Edge).collect();
                words::turn(setup, &edges)
            }
            GameSpec::ConnectFour(_) => String::new(),
        }
    }

    /// Takes a turn of `player` in the platform's words.
    pub fn receive(&mut self, text: &str, player: Player) -> Received {
        match self.session.spec().clone() {
            GameSpec::Surakarta(setup) => self.receive_move(&setup, text, player),
            GameSpec::DotsAndBoxes(setup) => match words::read_turn(&setup, text) {
                Some(edges) => self.receive_turn(&setup, &edges, player),
                None => Received::Nonsense("this is no turn".to_owned()),
            },
            GameSpec::ConnectFour(_) => Received::Nonsense("the platform lacks this".to_owned()),
        }
    }

    fn receive_move(&mut self, setup: &Setup, text: &str, player: Player) -> Received {
        let Some(mv) = words::read_surakarta(text) else {
            return Received::Nonsense("this is no move".to_owned());
        };
        self.go_on();
        let game = Surakarta::parse(setup, &self.session.position()).expect("our own text");
        if game.to_move() == player
            && game.is_legal(mv)
            && self.session.play(&game.move_text(mv)).is_ok()
        {
            return Received::Played;
        }
        let mut boards = game.boards();
        let (own, other) = (player as usize, !player as usize);
        let (from, to) = (mv.from.bit(), mv.to.bit());
        if boards[own] & from == 0 || boards[own] & to != 0 {
            return Received::Nonsense(format!("nobody can go from {} to {}", mv.from, mv.to));
        }
        boards[own] ^= from | to;
        boards[other] &= !to;
        match Surakarta::from_boards(boards[0], boards[1], !player, setup) {
            Ok(game) => self.rebuild(game.position()),
            Err(error) => return Received::Nonsense(error.to_string()),
        }
        Received::Applied(format!("{} to {} is not legal here", mv.from, mv.to))
    }

    fn receive_turn(
        &mut self,
        setup: &games::dots_and_boxes::Setup,
        edges: &[Edge],
        player: Player,
    ) -> Received {
        let game = DotsAndBoxes::parse(setup, &self.session.position()).expect("our own text");
        let set = edges.iter().fold(0, |set, edge| set | edge.bit());
        let order =
            if is_turn(&game, edges) { Some(edges.to_vec()) } else { legal_order(&game, set) };
        if let Some(order) = order.filter(|_| game.to_move() == player) {
            let moves: Vec<String> = order.iter().map(Edge::to_string).collect();
            if self.session.play(&moves.join(" ")).is_ok() {
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
        let after = DotsAndBoxes::from_parts(setup, drawn, !player, owned).expect("still a board");
        owned[player as usize] |= after.closed() & !before;
        let after = DotsAndBoxes::from_parts(setup, drawn, !player, owned).expect("closed boxes");
        self.rebuild(after.position());
        Received::Applied("not a whole legal turn".to_owned())
    }
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
    fn a_capture_from_a_corner_is_applied_and_the_game_goes_on() {
        let mut board = Board::new(&"surakarta".parse().unwrap()).unwrap();
        // Black steps out of a corner's way, then takes over no arc at all.
        assert_eq!(board.receive("BBBC", Player::First), Received::Played);
        assert_eq!(board.receive("AEAD", Player::Second), Received::Played);
        let told = board.receive("AAFF", Player::First);
        assert!(matches!(told, Received::Applied(_)), "{told:?}");
        assert_eq!((board.session().to_move(), board.session().lead()), (Player::Second, 1));
        assert!(board.start().is_some() && !board.session().legal().is_empty());
        assert!(matches!(board.receive("CCDD", Player::Second), Received::Nonsense(_)));
    }

    #[test]
    fn the_platform_plays_on_where_we_would_stop() {
        let game = "surakarta quiet=2".parse().unwrap();
        let mut board = Board::new(&game).unwrap();
        assert_eq!(board.receive("BBBC", Player::First), Received::Played);
        assert_eq!(board.receive("AEAD", Player::Second), Received::Played);
        assert!(board.session().outcome().is_some());
        assert_eq!(board.receive("BCBD", Player::First), Received::Played);
        assert!(board.go_on());
    }
}
