//! A game by numbers: moves as action numbers, positions as planes.
//!
//! Libraries of reinforcement learning and networks do not write moves as text.
//! A move's number is its code, the index of the move in a network's policy; where
//! OpenSpiel has the game it is OpenSpiel's number too. What
//! [`ErasedGame`](crate::ErasedGame) is in text, this is in numbers, for callers that hold a
//! session and know no game.

use games::{MoveList, PlayError, Record, Rng, TextError};
use learn::Shape;

use crate::Playable;
use crate::session::{GameSession, Session};

/// What can be done with a game by numbers.
pub trait Actions {
    /// The sizes of the game's planes and policy.
    fn shape(&self) -> Shape;

    /// The positions that share a network with this one, and the version of their
    /// encoding; see [`learn::Encode`].
    fn network_kind(&self) -> (String, u32);

    /// Appends the legal moves, in the game's order, to an empty list; none when the
    /// game is over.
    fn actions(&self, out: &mut MoveList<u16>);

    /// The legal moves as a set of bits, numbered by their action numbers, where the
    /// game has them so; see [`learn::Encode::legal_bits`].
    fn legal_bits(&self) -> Option<u128>;

    /// The moves played so far.
    fn played(&self) -> Vec<u16>;

    /// Plays a legal move.
    fn play_action(&mut self, action: i64) -> Result<(), TextError>;

    /// The text of a legal move.
    fn action_text(&self, action: i64) -> Result<String, TextError>;

    /// The number of a legal move, given as text.
    fn action_of(&self, text: &str) -> Result<u16, TextError>;

    /// The position as a network sees it, into [`Shape::inputs`] zeros in the order
    /// row, column, plane.
    fn encode(&self, planes: &mut [f32]);

    /// Writes 1 for each legal move into [`Shape::moves`] numbers, and 0 for the
    /// others.
    fn mask(&self, mask: &mut [i8]);

    /// How many symmetries the board has, the identity included.
    fn symmetries(&self) -> usize;

    /// The whole game, moves and all, under a symmetry.
    fn transform(&self, symmetry: usize) -> Result<Session, TextError>;

    /// A legal move's number under a symmetry.
    fn transform_action(&self, symmetry: usize, action: i64) -> Result<u16, TextError>;

    /// The number of move sequences of `depth` plies; see [`games::perft`].
    fn perft(&self, depth: u32) -> u64;

    /// Plays `count` random games from the position, and gives the sum of their
    /// results for First.
    fn playouts(&self, count: u64, seed: u64) -> i64;

    /// The position's hash, the same for what the rules call the same position.
    fn key(&self) -> u64;
}

/// A legal move by its number.
pub(crate) fn legal_move<G: Playable>(game: &G, action: i64) -> Result<G::Move, TextError> {
    let codes = game.move_codes();
    let code = u16::try_from(action).ok().filter(|&code| usize::from(code) < codes);
    let Some(code) = code else {
        return Err(TextError::new(format!(
            "there is no action {action}; actions go from 0 to {}",
            codes - 1
        )));
    };
    let mv = G::Move::from(code);
    match game.is_legal(mv) {
        true => Ok(mv),
        false => Err(TextError::new(format!("action {action} is not legal here"))),
    }
}

impl<G: Playable> GameSession<G> {
    fn legal_action(&self, action: i64) -> Result<G::Move, TextError> {
        if let Some(outcome) = self.record.outcome() {
            return Err(TextError::new(format!("the game is over: {outcome}")));
        }
        legal_move(self.record.game(), action)
    }

    fn check_symmetry(&self, symmetry: usize) -> Result<(), TextError> {
        let all = self.record.game().symmetries();
        match symmetry < all {
            true => Ok(()),
            false => Err(TextError::new(format!(
                "there is no symmetry {symmetry}; this board's go from 0 to {}",
                all - 1
            ))),
        }
    }
}

impl<G: Playable> Actions for GameSession<G> {
    fn shape(&self) -> Shape {
        self.record.game().shape()
    }

    fn network_kind(&self) -> (String, u32) {
        (self.record.game().kind(), G::VERSION)
    }

    fn actions(&self, out: &mut MoveList<u16>) {
        if self.record.outcome().is_none() {
            let mut moves = MoveList::new();
            self.record.game().moves(&mut moves);
            out.extend(moves.iter().map(|&mv| mv.into()));
        }
    }

    fn legal_bits(&self) -> Option<u128> {
        match self.record.outcome() {
            None => self.record.game().legal_bits(),
            Some(_) => self.record.game().legal_bits().map(|_| 0),
        }
    }

    fn played(&self) -> Vec<u16> {
        self.record.moves().iter().map(|&mv| mv.into()).collect()
    }

    fn play_action(&mut self, action: i64) -> Result<(), TextError> {
        let code = u16::try_from(action).unwrap_or(u16::MAX);
        if usize::from(code) < self.record.game().move_codes() {
            match self.record.play(G::Move::from(code)) {
                Ok(()) => return Ok(()),
                Err(PlayError::Illegal | PlayError::Over(_)) => {}
            }
        }
        // Why it was not played.
        self.legal_action(action).map(drop)
    }

    fn action_text(&self, action: i64) -> Result<String, TextError> {
        Ok(self.record.game().move_text(self.legal_action(action)?))
    }

    fn action_of(&self, text: &str) -> Result<u16, TextError> {
        let mv = self.record.game().parse_move(text.trim())?;
        self.legal_action(u16::into(mv.into())).map(Into::into)
    }

    fn encode(&self, planes: &mut [f32]) {
        self.record.game().encode(self.record.last(), planes);
    }

    fn mask(&self, mask: &mut [i8]) {
        match self.record.outcome() {
            None => self.record.game().mask(mask),
            Some(_) => mask.fill(0),
        }
    }

    fn symmetries(&self) -> usize {
        self.record.game().symmetries()
    }

    fn transform(&self, symmetry: usize) -> Result<Session, TextError> {
        self.check_symmetry(symmetry)?;
        let mut record = Record::new(self.record.start().transform(symmetry));
        for (game, &mv) in self.record.positions().iter().zip(self.record.moves()) {
            let played = record.play(game.transform_move(symmetry, mv));
            played.map_err(|error| TextError::new(error.to_string()))?;
        }
        Ok(Session::of_record(record))
    }

    fn transform_action(&self, symmetry: usize, action: i64) -> Result<u16, TextError> {
        self.check_symmetry(symmetry)?;
        let mv = self.legal_action(action)?;
        Ok(self.record.game().transform_move(symmetry, mv).into())
    }

    fn perft(&self, depth: u32) -> u64 {
        Playable::perft(self.record.game(), depth)
    }

    fn playouts(&self, count: u64, seed: u64) -> i64 {
        Playable::playouts(self.record.game(), count, &mut Rng::seeded(seed))
    }

    fn key(&self) -> u64 {
        self.record.game().key()
    }
}

#[cfg(test)]
mod tests {
    use games::{MoveList, Rng};

    use crate::{GameSpec, open};

    #[test]
    fn numbers_and_texts_name_the_same_moves() {
        let mut rng = Rng::seeded(5);
        for line in GameSpec::all().iter().flat_map(|spec| spec.row().setups) {
            let mut session = open(&line.parse().unwrap());
            let shape = session.shape();
            while session.outcome().is_none() {
                let mut actions = MoveList::new();
                session.actions(&mut actions);
                let mut mask = vec![2; shape.moves];
                session.mask(&mut mask);
                let marked: Vec<u16> =
                    (0..shape.moves).filter(|&i| mask[i] == 1).map(|i| i as u16).collect();
                let mut listed = actions.to_vec();
                listed.sort_unstable();
                assert_eq!(marked, listed, "{line}");
                if let Some(bits) = session.legal_bits() {
                    let of_bits: Vec<u16> = (0..128).filter(|i| bits >> i & 1 == 1).collect();
                    assert_eq!(of_bits, listed, "{line}");
                }
                for (text, &action) in session.legal().iter().zip(&actions) {
                    assert_eq!(&session.action_text(action.into()).unwrap(), text);
                    assert_eq!(session.action_of(text).unwrap(), action);
                }
                let action = actions[rng.below(actions.len())];
                let symmetry = rng.below(session.symmetries());
                let mut other = session.transform(symmetry).unwrap();
                let mirrored = session.transform_action(symmetry, action.into()).unwrap();
                session.play_action(action.into()).unwrap();
                other.play_action(mirrored.into()).unwrap();
                assert_eq!(session.transform(symmetry).unwrap().position(), other.position());
                assert_eq!(session.played().last(), Some(&action));
            }
            let mut none = MoveList::new();
            session.actions(&mut none);
            assert!(none.is_empty());
            assert_eq!(session.legal_bits().unwrap_or(0), 0);
            assert!(session.play_action(0).unwrap_err().to_string().contains("over"));
        }
    }

    #[test]
    fn wrong_numbers_are_explained() {
        let mut session = open(&"connect-four".parse().unwrap());
        let told = |error: games::TextError| error.to_string();
        assert_eq!(
            told(session.play_action(7).unwrap_err()),
            "there is no action 7; actions go from 0 to 6"
        );
        assert!(told(session.play_action(-1).unwrap_err()).contains("no action -1"));
        session.play("444444").unwrap();
        assert_eq!(told(session.play_action(3).unwrap_err()), "action 3 is not legal here");
        assert!(session.transform(2).is_err());
    }
}
