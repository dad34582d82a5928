//! Surakarta: pieces that step to any neighbour and capture over the arcs.
//!
//! The position is two boards of 36 bits, the side to move, the number of plies
//! since the last capture, and the end rules; 32 bytes in all. What it leaves to
//! the record is repetition and the cap on plies. It does not evaluate moves.
//!
//! First is Black (`b`), on top; Second is White (`w`). Read [`geometry`] for the
//! board, `rings` for captures, `steps` for the other moves,
//! and [`Setup`] for the end rules, which are decided in `docs/rules.md`.

pub mod boards;
pub mod geometry;
mod moves;
mod path;
mod random;
mod render;
mod rings;
mod setup;
mod steps;
mod symmetry;
mod text;

pub use geometry::Point;
pub use moves::Move;
pub use setup::{ForfeitRule, Repeat, Setup, Stall};
pub use symmetry::turn;

use crate::{Draw, Game, MoveList, Outcome, Player, Reason, Rng, SetupError, TextError, mix};
use geometry::{FULL, NEIGHBOURS};
use random::View;
use steps::Steps;

/// Pieces of each side at the start, and the most it can have.
pub const PIECES: u32 = 12;

/// A playout under rules that let a game go on for ever (`quiet=0`) gives up
/// after this many further plies without a capture, and the pieces are counted.
pub const PLAYOUT_PATIENCE: u16 = 1000;

/// A position.
///
/// ```
/// use games::surakarta::{Setup, Surakarta};
/// use games::{Game, Text};
///
/// let game = Surakarta::parse(&Setup::default(), "6/2b3/2b3/2bw2/6/6 b")?;
/// let mv = game.parse_move("c4xd3")?;
/// assert!(game.is_capture(mv));
/// assert_eq!(game.after(mv).outcome().unwrap().to_string(), "first wins (wiped out)");
/// # Ok::<(), games::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Surakarta {
    /// First's pieces and Second's, bit `row * 6 + column`.
    boards: [u64; 2],
    to_move: Player,
    /// Plies since the last capture; stops counting at the type's end.
    quiet: u16,
    rules: Setup,
}

impl Surakarta {
    /// The position with these boards (bit `row * 6 + column`) and no quiet plies
    /// yet. Says what is wrong if there can be no such position.
    pub fn from_boards(
        first: u64,
        second: u64,
        to_move: Player,
        setup: &Setup,
    ) -> Result<Surakarta, TextError> {
        setup.check()?;
        if (first | second) & !FULL != 0 {
            return Err(TextError::new("a board has a bit beyond its 36 points"));
        }
        if let Some(both) = geometry::points(first & second).next() {
            return Err(TextError::new(format!("both sides stand on {both}")));
        }
        for (name, board) in [("black", first), ("white", second)] {
            let count = board.count_ones();
            if count > PIECES {
                return Err(TextError::new(format!(
                    "{count} {name} pieces; a side has at most {PIECES}"
                )));
            }
        }
        if first | second == 0 {
            return Err(TextError::new("there is no piece on the board"));
        }
        Ok(Surakarta { boards: [first, second], to_move, quiet: 0, rules: *setup })
    }

    /// The same position with `quiet` plies since the last capture.
    pub fn with_quiet(self, quiet: u16) -> Surakarta {
        Surakarta { quiet, ..self }
    }

    /// The position if the mover could pass, which the rules do not allow: for
    /// searches that ask what the opponent threatens.
    #[inline]
    pub fn passed(self) -> Surakarta {
        Surakarta { to_move: !self.to_move, quiet: self.quiet.saturating_add(1), ..self }
    }

    /// First's pieces and Second's, bit `row * 6 + column`.
    #[inline]
    pub fn boards(&self) -> [u64; 2] {
        self.boards
    }

    /// The pieces of one side, bit `row * 6 + column`.
    #[inline]
    pub fn board(&self, player: Player) -> u64 {
        self.boards[player as usize]
    }

    /// Plies since the last capture, or since the start.
    #[inline]
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// Who stands on a point.
    #[inline]
    pub fn at(&self, point: Point) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.board(player) & point.bit() != 0)
    }

    /// Whether a legal move takes a piece.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.board(!self.to_move) & mv.to.bit() != 0
    }

    /// Appends the legal captures, each once, in the order in which
    /// [`Game::moves`] begins; none when the game is over.
    pub fn captures(&self, out: &mut MoveList<Move>) {
        if !self.decided() {
            out.extend(self.view(self.to_move).captures());
        }
    }

    /// Appends the legal moves that capture nothing, in the order of [`Game::moves`].
    pub fn steps(&self, out: &mut MoveList<Move>) {
        if !self.decided() {
            self.step_targets(self.to_move).each(|mv| out.push(mv));
        }
    }

    #[inline]
    fn step_targets(&self, player: Player) -> Steps {
        let [first, second] = self.boards;
        Steps::of(self.board(player), FULL & !(first | second))
    }

    /// The captures that `player` has on this board, or would have if it were
    /// its turn, whatever the end rules say.
    pub fn captures_of(&self, player: Player, out: &mut MoveList<Move>) {
        out.extend(self.view(player).captures());
    }

    #[inline]
    fn view(&self, player: Player) -> View {
        View::new(self.board(player), self.board(!player))
    }

    /// The outcome by counting pieces.
    fn count(&self, reason: Reason) -> Outcome {
        Outcome::by_lead(self.lead(), reason)
    }

    fn stall(&self, reason: Reason) -> Outcome {
        match self.rules.stall {
            Stall::Count => self.count(reason),
            Stall::Draw => Outcome::draw(reason),
        }
    }

    /// Whether the game is over for another reason than a missing move.
    #[inline]
    fn decided(&self) -> bool {
        let [first, second] = self.boards;
        first == 0
            || second == 0
            || self.quiet_too_long()
            || (self.rules.standoff && self.stands_off())
    }

    #[inline]
    fn quiet_too_long(&self) -> bool {
        self.rules.quiet != 0 && self.quiet >= self.rules.quiet
    }

    /// Some pieces are gone and neither side could capture.
    fn stands_off(&self) -> bool {
        let [first, second] = self.boards;
        (first | second).count_ones() < 2 * PIECES
            && Player::BOTH.iter().all(|&player| self.view(player).captures().is_empty())
    }

    fn is_stuck(&self) -> bool {
        !self.step_targets(self.to_move).any() && self.view(self.to_move).captures().is_empty()
    }
}

impl Game for Surakarta {
    type Move = Move;
    type Setup = Setup;

    fn start(setup: &Setup) -> Result<Surakarta, SetupError> {
        setup.check()?;
        let top = (1 << PIECES) - 1;
        let boards = [top, top << (geometry::POINTS as u32 - PIECES)];
        Ok(Surakarta { boards, to_move: Player::First, quiet: 0, rules: *setup })
    }

    fn setup(&self) -> Setup {
        self.rules
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    /// Captures first, then steps by direction.
    fn moves(&self, out: &mut MoveList<Move>) {
        if self.decided() {
            return;
        }
        let view = self.view(self.to_move);
        out.extend(view.captures());
        view.steps().each(|mv| out.push(mv));
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        // In registers: an index into the boards would send both through memory, and
        // what copies the position next would wait for it.
        let second = 0u64.wrapping_sub(self.to_move as u64);
        let (steps, to) = (mv.from.bit() | mv.to.bit(), mv.to.bit());
        let [a, b] = self.boards;
        let taken = (a & second | b & !second) & to;
        self.boards =
            [(a ^ steps & !second) & !(to & second), (b ^ steps & second) & !(to & !second)];
        self.quiet = if taken == 0 { self.quiet.saturating_add(1) } else { 0 };
        self.to_move = !self.to_move;
    }

    /// What the board says goes before what the counter says: a side without
    /// pieces, a side without moves, quiet plies, a standoff.
    fn outcome(&self) -> Option<Outcome> {
        let [first, second] = self.boards;
        if first == 0 {
            Some(Outcome::win(Player::Second, Reason::WipedOut))
        } else if second == 0 {
            Some(Outcome::win(Player::First, Reason::WipedOut))
        } else if self.is_stuck() {
            Some(match self.rules.nomove {
                ForfeitRule::Loses => Outcome::win(!self.to_move, Reason::NoMove),
                ForfeitRule::Count => self.count(Reason::NoMove),
            })
        } else if self.quiet_too_long() {
            Some(self.stall(Reason::QuietPlies))
        } else if self.rules.standoff && self.stands_off() {
            Some(self.count(Reason::Standoff))
        } else {
            None
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        let [first, second] = self.boards;
        mix(first, second << 1 | self.to_move as u64)
    }

    fn move_codes(&self) -> usize {
        Move::CODES
    }

    #[inline]
    fn lead(&self) -> i32 {
        let [first, second] = self.boards.map(|board| board.count_ones() as i32);
        first - second
    }

    fn history_outcome(&self, plies: u32, occurrences: u32) -> Option<Outcome> {
        let Setup { repetition, repeat, cap, .. } = self.rules;
        if repetition != 0 && occurrences >= u32::from(repetition) {
            Some(match repeat {
                Repeat::Stall => self.stall(Reason::Repetition),
                // The turn always passes, so the last move was the other side's.
                Repeat::Loses => Outcome::win(self.to_move, Reason::Repetition),
            })
        } else if cap != 0 && plies >= u32::from(cap) {
            Some(self.count(Reason::MoveCap))
        } else {
            None
        }
    }

    fn on_time(&self, player: Player) -> Outcome {
        match self.rules.clock {
            ForfeitRule::Loses => Outcome::win(!player, Reason::Time),
            ForfeitRule::Count => self.count(Reason::Time),
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        let (own, other) = (self.board(self.to_move), self.board(!self.to_move));
        let (from, to) = (mv.from.bit(), mv.to.bit());
        if own & from == 0 || own & to != 0 || self.decided() {
            return false;
        }
        if other & to == 0 {
            NEIGHBOURS[mv.from.index()] & to != 0
        } else {
            self.view(self.to_move).captures().contains(&mv)
        }
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.decided() {
            return 0;
        }
        let view = self.view(self.to_move);
        view.steps().count() + view.captures().len()
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        if self.decided() { None } else { self.view(self.to_move).pick(|n| rng.below(n)) }
    }

    #[inline]
    fn play_random(&mut self, mut draw: Draw) -> Option<Move> {
        if self.decided() {
            return None;
        }
        let mv = self.view(self.to_move).pick(|n| {
            let number = draw.below(n);
            draw = draw.another();
            number
        })?;
        self.play(mv);
        Some(mv)
    }

    /// The game that [`Game::random_move`] and [`Game::play`] give with the same
    /// generator. Under `quiet=0` it gives up after [`PLAYOUT_PATIENCE`] quiet plies.
    fn playout(mut self, rng: &mut Rng) -> Outcome {
        let limit = match self.rules.quiet {
            0 => self.quiet.saturating_add(PLAYOUT_PATIENCE),
            limit => limit,
        };
        if self.rules.standoff {
            // Rare, and it generates both sides' captures at every ply.
            while self.quiet < limit {
                let Some(mv) = self.random_move(rng) else { break };
                self.play(mv);
            }
        } else {
            self.roll(limit, rng);
        }
        self.outcome().unwrap_or_else(|| self.count(Reason::QuietPlies))
    }
}

impl Surakarta {
    /// Plays random moves until a side has no pieces or no move, or `limit` quiet
    /// plies are reached.
    fn roll(&mut self, limit: u16, rng: &mut Rng) {
        let mut view = self.view(self.to_move);
        while view.own != 0 && view.other != 0 && self.quiet < limit {
            let Some(mv) = view.pick(|n| rng.below(n)) else { break };
            self.quiet = if view.make(mv) { 0 } else { self.quiet + 1 };
            self.to_move = !self.to_move;
        }
        self.boards[self.to_move as usize] = view.own;
        self.boards[!self.to_move as usize] = view.other;
    }
}
