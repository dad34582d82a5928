//! A finished game with the results of its searches, as compact bytes.
//!
//! A game is its moves: positions are replayed, which costs less than storing
//! them. Numbers have the precision they are stored in, so that a game read is
//! equal to the game written.

use games::{MoveList, Player};

use crate::encode::Encode;
use crate::varint;

/// The first byte of a game: the version of the format.
const VERSION: u8 = 2;
/// The version without policy surprise, which is still read.
const WITHOUT_SURPRISE: u8 = 1;
/// The value of a ply that was not searched.
const UNSEARCHED: i16 = i16::MIN;
/// A limit on lengths read from bytes, so that damaged ones allocate little.
const MAX_PLIES: u64 = 100_000;

/// One move with the result of its search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move's code.
    pub mv: u16,
    /// First's expected result by the search, in 32,767ths.
    value: i16,
    /// Each legal move's weight, in the game's order, in 65,535ths of the largest;
    /// empty if the ply has no policy target.
    policy: Vec<u16>,
    /// The divergence of the search's policy from the network's, in 4,096ths of
    /// a nat.
    surprise: u16,
}

impl Ply {
    /// A move that no search chose.
    pub fn unsearched(mv: u16) -> Ply {
        Ply { mv, value: UNSEARCHED, policy: Vec::new(), surprise: 0 }
    }

    /// A searched move: First's value and each legal move's weight, or no weights
    /// if the policy is no training target.
    pub fn searched(mv: u16, value: f32, policy: &[f32]) -> Ply {
        let top = policy.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        Ply {
            mv,
            value: (value.clamp(-1.0, 1.0) * 32_767.0).round() as i16,
            policy: policy.iter().map(|weight| (weight / top * 65_535.0).round() as u16).collect(),
            surprise: 0,
        }
    }

    /// The same with its policy surprise: the divergence, in nats, of the search's
    /// policy from the one before the search.
    pub fn with_surprise(self, nats: f32) -> Ply {
        Ply { surprise: (nats * 4096.0).round() as u16, ..self }
    }

    /// The policy surprise in nats; 0 if it is not known.
    pub fn surprise(&self) -> f32 {
        f32::from(self.surprise) / 4096.0
    }

    /// A move of a game from elsewhere, with each legal move's weight.
    pub fn recorded(mv: u16, policy: &[f32]) -> Ply {
        Ply { value: UNSEARCHED, ..Ply::searched(mv, 0.0, policy) }
    }

    /// First's expected result by the search, if the ply was searched.
    pub fn value(&self) -> Option<f32> {
        (self.value != UNSEARCHED).then(|| f32::from(self.value) / 32_767.0)
    }

    /// The move among the legal ones, if the ply is valid there.
    pub(super) fn legal_move<M: Copy + Into<u16>>(
        &self,
        legal: &[M],
    ) -> Result<M, GameFormatError> {
        let mv = legal.iter().find(|&&mv| mv.into() == self.mv);
        let mv = *mv.ok_or(GameFormatError("an illegal move"))?;
        if self.has_policy() && self.policy.len() != legal.len() {
            return Err(GameFormatError("a policy of another length"));
        }
        if self.has_policy() && self.policy.iter().all(|&weight| weight == 0) {
            return Err(GameFormatError("a policy that adds up to 0"));
        }
        Ok(mv)
    }

    /// Whether the ply has a policy target.
    pub fn has_policy(&self) -> bool {
        !self.policy.is_empty()
    }

    /// The policy target: each legal move's probability; empty if there is none.
    pub fn policy(&self) -> impl Iterator<Item = f32> + Clone + '_ {
        let sum: f32 = self.policy.iter().map(|&weight| f32::from(weight)).sum();
        self.policy.iter().map(move |&weight| f32::from(weight) / sum)
    }
}

/// A finished game to train on.
///
/// ```
/// use games::Game;
/// use games::connect_four::ConnectFour;
/// use learn::selfplay::{TrainingGame, random_game};
///
/// let start = ConnectFour::<u64>::start(&"4x4".parse().unwrap()).unwrap();
/// let game = random_game(&start, 1, 7);
/// let mut bytes = Vec::new();
/// game.write(&mut bytes);
/// assert_eq!(TrainingGame::read(&mut bytes.as_slice()), Ok(game));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// Distinct among the games of a run.
    pub id: u64,
    /// The text of the setup.
    pub setup: String,
    /// The moves from the setup's start.
    pub plies: Vec<Ply>,
    /// First's result: 1, 0 or -1.
    pub result: i8,
}

/// Why bytes are no valid game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these bytes are no valid self-play game: {0}")]
pub struct GameFormatError(pub(super) &'static str);

impl TrainingGame {
    /// Appends the game as bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(VERSION);
        out.extend(self.id.to_le_bytes());
        varint::write(out, self.setup.len() as u64);
        out.extend(self.setup.as_bytes());
        out.push(self.result as u8);
        varint::write(out, self.plies.len() as u64);
        for ply in &self.plies {
            varint::write(out, ply.mv.into());
            out.extend(ply.value.to_le_bytes());
            varint::write(out, ply.policy.len() as u64);
            ply.policy.iter().for_each(|&weight| varint::write(out, weight.into()));
            varint::write(out, ply.surprise.into());
        }
    }

    /// Reads a game from the front of `bytes` and advances them. Whether its moves
    /// are legal is checked by [`TrainingGame::check`].
    pub fn read(bytes: &mut &[u8]) -> Result<TrainingGame, GameFormatError> {
        let has_surprise = match take(bytes, 1)? {
            [VERSION] => true,
            [WITHOUT_SURPRISE] => false,
            _ => return Err(GameFormatError("an unknown version")),
        };
        let id = u64::from_le_bytes(take(bytes, 8)?.try_into().expect("eight bytes"));
        let length = read_varint(bytes)?;
        let setup = take(bytes, length.min(1 << 20) as usize)?;
        let setup = String::from_utf8(setup.to_vec())
            .map_err(|_| GameFormatError("a setup that is not UTF-8"))?;
        let result = take(bytes, 1)?[0] as i8;
        let count = read_varint(bytes)?;
        if count > MAX_PLIES || !(-1..=1).contains(&result) {
            return Err(GameFormatError("a number out of range"));
        }
        let mut plies = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let mv = read_u16(bytes)?;
            let value = i16::from_le_bytes(take(bytes, 2)?.try_into().expect("two bytes"));
            let weights = read_varint(bytes)?;
            if weights > games::MAX_MOVES as u64 {
                return Err(GameFormatError("more moves than any position has"));
            }
            let policy = (0..weights).map(|_| read_u16(bytes)).collect::<Result<_, _>>()?;
            let surprise = if has_surprise { read_u16(bytes)? } else { 0 };
            plies.push(Ply { mv, value, policy, surprise });
        }
        Ok(TrainingGame { id, setup, plies, result })
    }

    /// Where the game starts: at `start`, or at the start of another setup with the
    /// same network.
    pub fn start<G: Encode>(&self, start: &G) -> Result<G, GameFormatError> {
        if self.setup == start.setup().to_string() {
            return Ok(start.clone());
        }
        let setup = self.setup.parse().ok().and_then(|setup: G::Setup| G::start(&setup).ok());
        let other = setup.ok_or(GameFormatError("a setup that the game does not have"))?;
        match other.kind() == start.kind() {
            true => Ok(other),
            false => Err(GameFormatError("a board of another network")),
        }
    }

    /// Replays the game, so that games from outside are known to be legal before
    /// they are trained on. It starts as [`TrainingGame::start`] says.
    pub fn check<G: Encode>(&self, start: &G) -> Result<(), GameFormatError> {
        let mut game = self.start(start)?;
        for ply in &self.plies {
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            game.play(ply.legal_move(&moves)?);
        }
        Ok(())
    }

    /// First's value target at each ply: the result, blended with the values of
    /// the searches on the way there. `lambda` weighs the later plies; 1 is the
    /// result alone (Sutton's TD(λ), 1988).
    pub fn values(&self, lambda: f32) -> Vec<f32> {
        let mut target = f32::from(self.result);
        let mut values = vec![target; self.plies.len()];
        for (ply, place) in self.plies.iter().zip(&mut values).rev() {
            if let Some(value) = ply.value() {
                target = lambda * target + (1.0 - lambda) * value;
            }
            *place = target;
        }
        values
    }

    /// The number of plies with a policy target.
    pub fn policy_plies(&self) -> u64 {
        self.plies.iter().filter(|ply| ply.has_policy()).count() as u64
    }

    /// The winner; none in a draw.
    pub fn winner(&self) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| player.sign() == i32::from(self.result))
    }
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], GameFormatError> {
    let (front, rest) = bytes.split_at_checked(count).ok_or(GameFormatError("cut short"))?;
    *bytes = rest;
    Ok(front)
}

fn read_varint(bytes: &mut &[u8]) -> Result<u64, GameFormatError> {
    varint::read(bytes).ok_or(GameFormatError("a number cut short"))
}

fn read_u16(bytes: &mut &[u8]) -> Result<u16, GameFormatError> {
    u16::try_from(read_varint(bytes)?).map_err(|_| GameFormatError("a number out of range"))
}
