//! A finished game with what the searches said, as compact bytes.
//!
//! A game is its moves: positions are found again by playing them, which costs
//! less than storing them. Numbers are kept in the precision they are stored in,
//! so that a game read is equal to the game written.

use games::{Game, MoveList, Player};

/// The first byte of a game.
const VERSION: u8 = 2;
/// That of games without surprises, which can still be read.
const WITHOUT_SURPRISE: u8 = 1;
/// The value of a ply that was not searched.
const UNSEARCHED: i16 = i16::MIN;
/// No game here is longer; a damaged length must not ask for the moon.
const MOST_PLIES: u64 = 100_000;

/// One move and what the search said before it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move's code.
    pub mv: u16,
    /// First's expected result by the search, in 32,767ths.
    value: i16,
    /// Each legal move's share, in the game's order, in 65,535ths of the largest;
    /// empty if there is nothing to learn.
    policy: Vec<u16>,
    /// How far the search's policy was from the network's, in 4,096ths of a nat.
    surprise: u16,
}

impl Ply {
    /// A move that no search chose.
    pub fn unsearched(mv: u16) -> Ply {
        Ply { mv, value: UNSEARCHED, policy: Vec::new(), surprise: 0 }
    }

    /// A searched move: First's value and each legal move's share, or none if
    /// the shares are not to be learnt.
    pub fn searched(mv: u16, value: f32, policy: &[f32]) -> Ply {
        let top = policy.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        Ply {
            mv,
            value: (value.clamp(-1.0, 1.0) * 32_767.0).round() as i16,
            policy: policy.iter().map(|share| (share / top * 65_535.0).round() as u16).collect(),
            surprise: 0,
        }
    }

    /// The same, with how far (in nats) the policy was from the one before the
    /// search.
    pub fn with_surprise(self, nats: f32) -> Ply {
        Ply { surprise: (nats * 4096.0).round() as u16, ..self }
    }

    /// How far, in nats, the search's policy was from the one before it; 0 if
    /// nobody said.
    pub fn surprise(&self) -> f32 {
        f32::from(self.surprise) / 4096.0
    }

    /// A move of a game that somebody else played, with each legal move's share.
    pub fn recorded(mv: u16, policy: &[f32]) -> Ply {
        Ply { value: UNSEARCHED, ..Ply::searched(mv, 0.0, policy) }
    }

    /// First's expected result by the search, if there was one.
    pub fn value(&self) -> Option<f32> {
        (self.value != UNSEARCHED).then(|| f32::from(self.value) / 32_767.0)
    }

    /// Whether there are shares to learn.
    pub fn has_policy(&self) -> bool {
        !self.policy.is_empty()
    }

    /// Each legal move's share, adding up to 1; empty if there is nothing to
    /// learn.
    pub fn policy(&self) -> impl Iterator<Item = f32> + Clone + '_ {
        let sum: f32 = self.policy.iter().map(|&share| f32::from(share)).sum();
        self.policy.iter().map(move |&share| f32::from(share) / sum)
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Distinct among the games of a run.
    pub id: u64,
    /// The text of the setup.
    pub setup: String,
    /// The moves from the setup's start.
    pub plies: Vec<Ply>,
    /// First's result: 1, 0 or -1.
    pub result: i8,
}

/// Bytes that are no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these bytes are no game of self-play: {0}")]
pub struct BytesError(&'static str);

impl Played {
    /// Appends the game as bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(VERSION);
        out.extend(self.id.to_le_bytes());
        number(out, self.setup.len() as u64);
        out.extend(self.setup.as_bytes());
        out.push(self.result as u8);
        number(out, self.plies.len() as u64);
        for ply in &self.plies {
            number(out, ply.mv.into());
            out.extend(ply.value.to_le_bytes());
            number(out, ply.policy.len() as u64);
            ply.policy.iter().for_each(|&share| number(out, share.into()));
            number(out, ply.surprise.into());
        }
    }

    /// Reads a game from the front of `bytes` and takes it off them. Says what is
    /// wrong if there is none; whether its moves are legal is for
    /// [`Played::check`] to say.
    pub fn read(bytes: &mut &[u8]) -> Result<Played, BytesError> {
        let surprising = match take(bytes, 1)? {
            [VERSION] => true,
            [WITHOUT_SURPRISE] => false,
            _ => return Err(BytesError("another version")),
        };
        let id = u64::from_le_bytes(take(bytes, 8)?.try_into().expect("eight bytes"));
        let length = read_number(bytes)?;
        let setup = take(bytes, length.min(1 << 20) as usize)?;
        let setup = String::from_utf8(setup.to_vec()).map_err(|_| BytesError("no text"))?;
        let result = take(bytes, 1)?[0] as i8;
        let count = read_number(bytes)?;
        if count > MOST_PLIES || !(-1..=1).contains(&result) {
            return Err(BytesError("a number out of range"));
        }
        let mut plies = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let mv = read_small(bytes)?;
            let value = i16::from_le_bytes(take(bytes, 2)?.try_into().expect("two bytes"));
            let shares = read_number(bytes)?;
            if shares > games::MAX_MOVES as u64 {
                return Err(BytesError("more moves than any position has"));
            }
            let policy = (0..shares).map(|_| read_small(bytes)).collect::<Result<_, _>>()?;
            let surprise = if surprising { read_small(bytes)? } else { 0 };
            plies.push(Ply { mv, value, policy, surprise });
        }
        Ok(Played { id, setup, plies, result })
    }

    /// Plays the game again, so that what came from outside is known to be
    /// legal before anybody learns from it.
    pub fn check<G: Game>(&self, start: &G) -> Result<(), BytesError> {
        let mut game = start.clone();
        for ply in &self.plies {
            let mut moves = MoveList::new();
            game.moves(&mut moves);
            let mv = moves.iter().find(|&&mv| mv.into() == ply.mv);
            let mv = *mv.ok_or(BytesError("an illegal move"))?;
            if ply.has_policy() && ply.policy.len() != moves.len() {
                return Err(BytesError("shares of other moves"));
            }
            if ply.has_policy() && ply.policy.iter().all(|&share| share == 0) {
                return Err(BytesError("shares that add up to nothing"));
            }
            game.play(mv);
        }
        Ok(())
    }

    /// For each ply, First's value to be learnt: what came of the game, blended
    /// with what the searches on the way there said. `lambda` is the share that
    /// each later ply adds; 1 is the result alone (Sutton's TD(λ), 1988).
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

    /// Who won, if anybody did.
    pub fn winner(&self) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| player.sign() == i32::from(self.result))
    }
}

/// Seven bits a byte, the lowest first.
fn number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 128 {
        out.push(n as u8 | 128);
        n >>= 7;
    }
    out.push(n as u8);
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], BytesError> {
    let (front, rest) = bytes.split_at_checked(count).ok_or(BytesError("cut short"))?;
    *bytes = rest;
    Ok(front)
}

fn read_number(bytes: &mut &[u8]) -> Result<u64, BytesError> {
    let mut n = 0;
    for shift in (0..63).step_by(7) {
        let byte = take(bytes, 1)?[0];
        n |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(n);
        }
    }
    Err(BytesError("a number without end"))
}

fn read_small(bytes: &mut &[u8]) -> Result<u16, BytesError> {
    u16::try_from(read_number(bytes)?).map_err(|_| BytesError("a number out of range"))
}
