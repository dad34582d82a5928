//! `boyi moves`

use clap::Args;
use serde_json::json;
use session::{GameVisitor, Playable};

use crate::position::{PositionArgs, print_line};

/// List the legal moves of a position
#[derive(Args)]
#[command(after_help = "\
Examples:
  boyi moves surakarta
  boyi moves connect-four --moves 444444
  boyi moves 'dots-and-boxes 2x2' --json
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
        let texts: Vec<String> =
            record.legal().into_iter().map(|mv| record.game().move_text(mv)).collect();
        if self.json {
            return print_line(json!(texts));
        }
        texts.into_iter().try_for_each(print_line)
    }
}
