//! `boyi engines`

use clap::Args;
use serde_json::json;
use session::engine::{FAMILIES, Family, Preset};
use session::{GameRow, GameSpec, GameVisitor, Playable, ROWS};

use crate::position::print_line;

/// List the engines with their parameters; with a GAME, its evaluations and presets too
#[derive(Args)]
#[command(after_help = "\
An engine spec is one line, the same in every command: 'uct c=0.23 cut=9 eval=matrix threads=2'.

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

impl GameVisitor for Names {
    type Output = (Named, Named);

    fn visit<G: Playable>(self, _start: G) -> (Named, Named) {
        (G::EVALUATIONS, G::ORDERS)
    }
}

/// What a preset stands for, in each game that has it.
fn presets(family: &Family) -> impl Iterator<Item = (&'static GameRow, String)> {
    ROWS.iter().filter_map(|&row| Some((row, family.preset_in(row)?)))
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let plays = |family: &Family| {
            let game = self.game.as_ref().map(GameSpec::row);
            family.preset == Preset::None
                || game.is_none_or(|game| family.preset_in(game).is_some())
        };
        let families = FAMILIES.iter().filter(|family| plays(family));
        let names = self.game.as_ref().map(|game| game.visit(Names));
        if self.json {
            let list: Vec<_> = families
                .map(|family| {
                    let parameters: Vec<_> = family
                        .parameters
                        .iter()
                        .map(|p| json!({ "name": p.name, "default": p.default, "range": p.range(), "help": p.help }))
                        .collect();
                    let presets: serde_json::Map<_, _> =
                        presets(family).map(|(row, spec)| (row.name.to_owned(), json!(spec))).collect();
                    json!({ "name": family.name, "help": family.help, "parameters": parameters, "stands_for": presets })
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
            for (row, spec) in presets(family) {
                if self.game.as_ref().is_none_or(|chosen| chosen.name() == row.name) {
                    print_line(format!("  in {}: {spec}", row.name))?;
                }
            }
            // A preset takes the parameters of what it stands for.
            if family.preset == Preset::None {
                for p in &family.parameters {
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
