//! `boyi games`

use clap::Args;
use serde_json::json;
use session::ROWS;

use crate::position::print_line;

/// List the games and the syntax of their setups
#[derive(Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        if self.json {
            let list: Vec<_> = ROWS
                .iter()
                .map(|row| {
                    json!({ "name": row.name, "chinese": row.title.zh, "setups": row.setups })
                })
                .collect();
            return print_line(json!(list));
        }
        for row in ROWS {
            print_line(format!("{} ({})", row.name, row.title.zh))?;
            for line in row.setup_help {
                print_line(format!("  {line}"))?;
            }
            print_line(format!("  for example: {}\n", row.setups.join("; ")))?;
        }
        Ok(())
    }
}
