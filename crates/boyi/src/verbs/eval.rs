//! `boyi eval`

use anyhow::bail;
use clap::Args;
use search::Heuristic;
use serde_json::json;
use session::engine::named_evaluation;
use session::{GameVisitor, Playable};

use crate::position::{PositionArgs, print_line};

/// Evaluate a position statically, term by term
#[derive(Args)]
#[command(after_help = "\
Counts are First's and Second's; points are First's, in hundredths of a piece or box.

Examples:
  boyi eval surakarta --moves 'b5-c4 e2-d3'
  boyi eval surakarta --eval nnue
  boyi eval surakarta --eval six --position 'bb4/1b4/6/6/4w1/4ww b'
  boyi eval connect-four --moves 443352
")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,

    /// The evaluation; 'boyi engines GAME' lists them
    #[arg(long, value_name = "NAME")]
    eval: Option<String>,

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
        let name = self.eval.as_deref().unwrap_or(G::EVALUATIONS[0].0);
        let eval = named_evaluation::<G>(name)?;
        if let Some(outcome) = record.outcome() {
            bail!("the game is over, so there is nothing to evaluate: {outcome}");
        }
        let game = record.game();
        let (points, expected) = (eval.evaluate(game), eval.expected(game));
        let parts = eval.terms(game);
        if self.json {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| json!({ "name": part.name, "first": part.counts[0], "second": part.counts[1], "weight": part.weight }))
                .collect();
            return print_line(
                json!({ "eval": name, "points": points, "expected": expected, "parts": parts }),
            );
        }
        print_line(format!(
            "{:30} {:>8} {:>8} {:>8} {:>10}",
            name, "first", "second", "weight", "points"
        ))?;
        for part in parts {
            let [first, second] = part.counts;
            let points = part.weight * (first - second);
            print_line(format!(
                "{:30} {first:>8} {second:>8} {:>8} {points:>10}",
                part.name, part.weight
            ))?;
        }
        print_line(format!("{:30} {:>8} {:>8} {:>8} {points:>10}", "first's points", "", "", ""))?;
        print_line(format!("first's expected result: {expected:+.3}"))
    }
}
