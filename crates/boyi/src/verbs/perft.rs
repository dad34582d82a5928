//! `boyi perft`

use std::time::Instant;

use anyhow::ensure;
use clap::Args;
use games::{divide, perft};
use serde_json::{Map, Value, json};
use session::{GameVisitor, Playable};

use crate::position::{PositionArgs, print_line};

/// Count the move sequences of a given length
#[derive(Args)]
#[command(after_help = "\
The total is the last line. Lines that end early are not counted.

Examples:
  boyi perft surakarta 6
  boyi perft connect-four 8 --divide
  boyi perft surakarta 4 --position 'bw4/6/6/3bw1/5b/3bb1 b'
")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,

    /// Length of the sequences in plies
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,

    /// Split the count by the first move
    #[arg(long)]
    divide: bool,

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
        ensure!(self.depth > 0 || !self.divide, "--divide needs a depth of at least 1");
        let record = self.position.record(start)?;
        let game = record.game();
        let began = Instant::now();
        let parts: Vec<(String, u64)> = if self.divide {
            divide(game, self.depth).into_iter().map(|(mv, n)| (game.move_text(mv), n)).collect()
        } else {
            Vec::new()
        };
        let total =
            if self.divide { parts.iter().map(|(_, n)| n).sum() } else { perft(game, self.depth) };
        let seconds = began.elapsed().as_secs_f64();
        if self.json {
            let mut answer = json!({ "depth": self.depth, "total": total, "seconds": seconds });
            if self.divide {
                let map: Map<String, Value> =
                    parts.into_iter().map(|(mv, n)| (mv, json!(n))).collect();
                answer["divide"] = Value::Object(map);
            }
            return print_line(answer);
        }
        for (mv, n) in parts {
            print_line(format!("{mv} {n}"))?;
        }
        print_line(total)
    }
}
