//! `boyi games`

use clap::Args;
use serde_json::json;
use session::GameSpec;

use crate::position::say;

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
            return say(json!(list));
        }
        for game in games {
            say(format!("{} ({})", game.name(), game.chinese_name()))?;
            for line in game.setup_help() {
                say(format!("  {line}"))?;
            }
            say(format!("  for example: {}\n", game.setups().join("; ")))?;
        }
        Ok(())
    }
}
