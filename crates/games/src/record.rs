//! A game being played: its history, checked moves with undo, and the end rules
//! that depend on the history.

use crate::{Game, MoveList, Outcome, Player, Reason, Text, TextError};

/// Why a move was not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// The move is not legal in this position.
    #[error("that move is not legal here")]
    Illegal,
}

/// One game from its start to where it stands, with undo and redo.
///
/// Positions are small, so the record keeps every one: undo restores exactly
/// what was, by construction. A game that a referee ended ([`Record::end`])
/// stays ended until it is undone.
///
/// ```
/// use games::surakarta::{Setup, Surakarta};
/// use games::{Game, Record};
///
/// let mut record = Record::new(Surakarta::start(&Setup::default())?);
/// record.play_text("c5-c4 d2-d3")?;
/// assert_eq!((record.moves().len(), record.moves_text().as_str()), (2, "c5-c4 d2-d3"));
/// assert!(record.undo() && record.redo());
/// let error = record.play_text("c4-c4").unwrap_err().to_string();
/// assert_eq!(error, "move 1 ('c4-c4'): c4 is your own piece");
/// # Ok::<(), games::TextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<G: Game> {
    /// The start and the position after each move; one longer than `moves`.
    positions: Vec<G>,
    moves: Vec<G::Move>,
    /// How many of `moves` are played; the rest can be redone.
    played: usize,
    declared: Option<Outcome>,
}

impl<G: Game> Record<G> {
    /// A game that begins at `start`, which need not be the setup's start.
    pub fn new(start: G) -> Record<G> {
        Record { positions: vec![start], moves: Vec::new(), played: 0, declared: None }
    }

    /// The position as it stands.
    pub fn game(&self) -> &G {
        &self.positions[self.played]
    }

    /// The position from which this record began.
    pub fn start(&self) -> &G {
        &self.positions[0]
    }

    /// The moves played so far, without those undone.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves[..self.played]
    }

    /// The positions so far: the start and one after each move played.
    pub fn positions(&self) -> &[G] {
        &self.positions[..=self.played]
    }

    /// The move that led here.
    pub fn last(&self) -> Option<G::Move> {
        self.moves().last().copied()
    }

    /// How often the position as it stands has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        let key = self.game().key();
        self.positions().iter().filter(|game| game.key() == key).count() as u32
    }

    /// How the game ended: by the position, by its history, or as declared.
    pub fn outcome(&self) -> Option<Outcome> {
        let declared = self.declared.or_else(|| self.game().outcome());
        if !G::USES_HISTORY {
            return declared;
        }
        declared.or_else(|| self.game().history_outcome(self.played as u32, self.occurrences()))
    }

    /// The legal moves; none when the game is over, for whatever reason.
    pub fn legal(&self) -> MoveList<G::Move> {
        let mut list = MoveList::new();
        if self.outcome().is_none() {
            self.game().moves(&mut list);
        }
        list
    }

    /// Plays a move if it is legal and the game goes on; else nothing changes.
    /// Moves that could have been redone are forgotten, unless the move is the
    /// one that would have been redone.
    pub fn play(&mut self, mv: G::Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayError::Over(outcome));
        }
        if !self.game().is_legal(mv) {
            return Err(PlayError::Illegal);
        }
        if self.moves.get(self.played) != Some(&mv) {
            self.moves.truncate(self.played);
            self.positions.truncate(self.played + 1);
            // Half a game at once: growing in small steps from a copy of the start
            // took longer than the moves.
            if self.positions.len() == self.positions.capacity() {
                self.positions.reserve(32);
                self.moves.reserve(32);
            }
            self.positions.push(self.game().after(mv));
            self.moves.push(mv);
        }
        self.played += 1;
        Ok(())
    }

    /// Takes the last move back. False if there is none. A declared end is taken
    /// back first, alone.
    pub fn undo(&mut self) -> bool {
        if self.declared.take().is_some() {
            return true;
        }
        if self.played == 0 {
            return false;
        }
        self.played -= 1;
        true
    }

    /// Plays the move that was undone last. False if there is none.
    pub fn redo(&mut self) -> bool {
        if self.played == self.moves.len() || self.declared.is_some() {
            return false;
        }
        self.played += 1;
        true
    }

    /// Ends the game from outside. A game that is over stays as it ended.
    pub fn end(&mut self, outcome: Outcome) {
        if self.outcome().is_none() {
            self.declared = Some(outcome);
        }
    }

    /// `player` gives up.
    pub fn resign(&mut self, player: Player) {
        self.end(Outcome::win(!player, Reason::Resigned));
    }

    /// `player`'s clock has run out; the setup says what that means.
    pub fn flag(&mut self, player: Player) {
        self.end(self.game().on_time(player));
    }
}

impl<G: Text> Record<G> {
    /// The moves played, as text that [`Record::play_text`] takes back.
    pub fn moves_text(&self) -> String {
        let texts: Vec<String> =
            self.positions.iter().zip(self.moves()).map(|(game, &mv)| game.move_text(mv)).collect();
        G::join_moves(&texts)
    }

    /// Plays a list of moves given as text. At the first one that can't be
    /// played it says which and why, and the record stays as it was.
    pub fn play_text(&mut self, text: &str) -> Result<(), TextError> {
        let mut next = self.clone();
        for (i, word) in G::split_moves(text).into_iter().enumerate() {
            let place = || format!("move {} ('{word}')", i + 1);
            if let Some(outcome) = next.outcome() {
                return Err(TextError::new(format!("the game is over: {outcome}")).within(place()));
            }
            let mv = next.game().parse_move(word).map_err(|error| error.within(place()))?;
            next.play(mv).map_err(|error| TextError::new(error.to_string()).within(place()))?;
        }
        *self = next;
        Ok(())
    }
}
