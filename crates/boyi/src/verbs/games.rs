//! `boyi games`

use clap::Args;
use serde_json::json;
use session::GameSpec;

use crate::position::print_line;

/// List the games and how their setups are written
#[derive(Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let games = GameSpec::all();
        if self.json {
            let list: Vec<_> = games
                .iter()
                .map(|game| {
                    json!({
                        "name": game.name(),
                        "chinese": game.chinese_name(),
                        "setups": game.setups(),
                    })
                })
                .collect();
            return print_line(json!(list));
        }
        for game in games {
            print_line(format!("{} ({})", game.name(), game.chinese_name()))?;
            for line in game.setup_help() {
                print_line(format!("  {line}"))?;
            }
            print_line(format!("  for example: {}\n", game.setups().join("; ")))?;
        }
        Ok(())
    }
}
