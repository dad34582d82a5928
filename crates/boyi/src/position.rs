//! Which position a verb is about: the arguments that most verbs share.

use std::io::Write;

use anyhow::Context;
use clap::Args;
use games::{Outcome, Player, Record};
use serde_json::{Value, json};
use session::{GameSpec, Playable, Session};

/// The game and the position.
#[derive(Args)]
pub struct PositionArgs {
    /// The game and its setup, quoted if it has several words
    #[arg(value_name = "GAME")]
    pub game: GameSpec,

    /// A position in its one-line form ('boyi show GAME' prints it)
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,

    /// Moves played from that position, or from the start
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    moves: Option<String>,
}

impl PositionArgs {
    /// The record that the arguments describe.
    pub fn record<G: Playable>(&self, start: G) -> anyhow::Result<Record<G>> {
        let begin = match &self.position {
            Some(text) => {
                G::parse(&start.setup(), text).with_context(|| "the position can't be read")?
            }
            None => start,
        };
        let mut record = Record::new(begin);
        if let Some(text) = &self.moves {
            record.play_text(text).with_context(|| "the moves can't be played")?;
        }
        Ok(record)
    }
}

impl PositionArgs {
    /// Makes a session the game that the arguments describe.
    pub fn set(&self, session: &mut Session) -> anyhow::Result<()> {
        if let Some(text) = &self.position {
            session.set(Some(text), &[]).with_context(|| "the position can't be read")?;
        }
        if let Some(text) = &self.moves {
            session.play(text).with_context(|| "the moves can't be played")?;
        }
        Ok(())
    }
}

/// Prints a line to standard output. Unlike `println!` it does not panic when
/// the reader has closed the pipe.
pub fn print_line(text: impl std::fmt::Display) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{text}")?;
    Ok(())
}

/// A player's name in machine-readable output.
pub fn player_word(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

/// An outcome in machine-readable output; `null` while the game goes on.
pub fn outcome_json(outcome: Option<Outcome>) -> Value {
    outcome.map_or(Value::Null, |outcome| {
        json!({ "winner": outcome.winner.map(player_word), "reason": outcome.reason.to_string() })
    })
}
