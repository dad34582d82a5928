//! `boyi engines`

use clap::Args;
use serde_json::json;
use session::engine::FAMILIES;
use session::{GameSpec, Playable, Task};

use crate::position::print_line;

/// List the engines with their parameters; with a GAME, its evaluations and presets too
#[derive(Args)]
#[command(after_help = "\
An engine is one line, the same everywhere: 'uct c=0.23 cut=9 eval=matrix threads=2'.

Examples:
  boyi engines
  boyi engines surakarta
  boyi engines --json
")]
pub struct Arguments {
    /// The game and its setup
    #[arg(value_name = "GAME")]
    game: Option<GameSpec>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The evaluations and orders of a game.
struct Names;

type Named = &'static [(&'static str, &'static str)];

impl Task for Names {
    type Output = (Named, Named);

    fn run<G: Playable>(self, _start: G) -> (Named, Named) {
        (G::EVALUATIONS, G::ORDERS)
    }
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let plays = |family: &session::engine::Family| {
            let game = self.game.as_ref().map(GameSpec::name);
            family.stands_for.is_empty()
                || game.is_none()
                || family.stands_for.iter().any(|(name, _)| Some(*name) == game)
        };
        let families = FAMILIES.iter().filter(|family| plays(family));
        let names = self.game.as_ref().map(|game| game.run(Names));
        if self.json {
            let list: Vec<_> = families
                .map(|family| {
                    let parameters: Vec<_> = family
                        .parameters
                        .iter()
                        .map(|p| json!({ "name": p.name, "default": p.default, "range": p.range(), "help": p.help }))
                        .collect();
                    let stands_for: serde_json::Map<_, _> =
                        family.stands_for.iter().map(|(game, spec)| ((*game).to_owned(), json!(spec))).collect();
                    json!({ "name": family.name, "help": family.help, "parameters": parameters, "stands_for": stands_for })
                })
                .collect();
            return print_line(match names {
                None => json!({ "engines": list }),
                Some((evaluations, orders)) => {
                    json!({ "engines": list, "evaluations": evaluations, "orders": orders })
                }
            });
        }
        for family in families {
            print_line(format!("{}: {}", family.name, family.help))?;
            for (game, spec) in family.stands_for {
                if self.game.as_ref().is_none_or(|chosen| chosen.name() == *game) {
                    print_line(format!("  in {game}: {spec}"))?;
                }
            }
            // A preset takes the parameters of what it stands for.
            if family.stands_for.is_empty() {
                for p in family.parameters {
                    print_line(format!("  {}={}  {} ({})", p.name, p.default, p.help, p.range()))?;
                }
            }
            print_line("")?;
        }
        if let Some((evaluations, orders)) = names {
            for (title, list) in
                [("evaluations (eval=)", evaluations), ("orders of moves (order=)", orders)]
            {
                if !list.is_empty() {
                    print_line(format!("{title}:"))?;
                }
                for (name, help) in list {
                    print_line(format!("  {name}  {help}"))?;
                }
            }
        }
        Ok(())
    }
}
