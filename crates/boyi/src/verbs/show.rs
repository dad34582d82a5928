//! `boyi show`

use clap::Args;
use serde_json::json;
use session::{GameVisitor, Playable};

use crate::position::{PositionArgs, outcome_json, player_word, print_line};

/// Print a position and its state
#[derive(Args)]
#[command(after_help = "\
Examples:
  boyi show surakarta
  boyi show 'connect-four 9x9 hole=5,1' --moves 5544
  boyi show dots-and-boxes --position 8fbda9a59ecd557
  boyi show surakarta --position 'b5/6/6/6/6/5w b' --json
")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        self.position.game.clone().visit(self)
    }
}

impl GameVisitor for Arguments {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<()> {
        let record = self.position.record(start)?;
        let game = record.game();
        if self.json {
            return print_line(json!({
                "game": self.position.game.to_string(),
                "position": game.position(),
                "moves": record.moves_text(),
                "to_move": player_word(game.to_move()),
                "lead": game.lead(),
                "legal": record.legal().len(),
                "outcome": outcome_json(record.outcome()),
            }));
        }
        print_line(game.render(record.last()).trim_end())?;
        print_line(format!("position: {}", game.position()))?;
        match record.outcome() {
            Some(outcome) => print_line(outcome),
            None => print_line(format!("legal moves: {}", record.legal().len())),
        }
    }
}
