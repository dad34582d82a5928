//! The row of Kalah and how it is drawn: what would be
//! `crates/session/src/rows/kalah.rs`.

use games::{Game, Player, Text};
use serde_json::json;
use session::row::{GameRow, Words};
use session::{Drawn, Explained, Geometry, Place, View, fields, mark, playable};

use super::rules::{Kalah, Pit};

playable!(ROW: Kalah);

/// What Kalah is beyond its rules.
pub static ROW: GameRow = GameRow {
    aliases: &["mancala"],
    tagline: Words::new("Sow, capture, sow again.", "播种取子，落仓再走。"),
    setups: &["kalah", "kalah 6x4", "kalah 3x2"],
    choices: &["4x3", "6x4"],
    setup_help: &["4x3               pits in a row x seeds in a pit"],
    best: "alpha-beta eval=stores",
    ..GameRow::new::<Kalah>(Words::new("Kalah", "播棋"))
};

/// First's row below from the left, Second's above from the right.
fn place(game: &Kalah, player: Player, pit: usize) -> Place {
    let (own, width) = (player as usize, usize::from(game.setup().pits));
    let column = [pit, width - 1 - pit][own];
    Place {
        id: format!("{}{}", ["a", "b"][own], pit + 1),
        name: (pit + 1).to_string(),
        x: column as f64 + 1.5,
        y: [1.5, 0.5][own],
        more: Default::default(),
    }
}

impl Explained for Kalah {}

impl Drawn for Kalah {
    fn geometry(&self) -> Geometry {
        let pits = usize::from(self.setup().pits);
        let row = |player| (0..pits).map(move |pit| place(self, player, pit));
        Geometry {
            kind: Kalah::NAME,
            width: pits as f64 + 2.0,
            height: 2.0,
            places: Player::BOTH.into_iter().flat_map(row).collect(),
            more: fields(json!({ "pits": pits })),
        }
    }

    /// `seeds`: the seeds of every place.
    fn view(&self, _before: Option<(&Kalah, Pit)>) -> View {
        let owner = |player: Player| {
            let seeds = self.row(player).iter();
            seeds.map(move |&seeds| mark((seeds > 0).then_some(player)))
        };
        let seeds: Vec<&u8> = Player::BOTH.iter().flat_map(|&player| self.row(player)).collect();
        View {
            cells: Player::BOTH.into_iter().flat_map(owner).collect(),
            score: Some(Player::BOTH.map(|player| self.score(player).into())),
            more: fields(json!({ "seeds": seeds })),
            ..View::default()
        }
    }

    fn places(&self, pit: Pit) -> Vec<String> {
        vec![place(self, self.to_move(), pit.0.into()).id]
    }
}
