//! How a network sees Kalah: what would be `crates/learn/src/encode/kalah.rs`.

use games::{Game, Text};
use learn::net::Grid;
use learn::{Encode, Shape};

use super::rules::{Kalah, Pit};

/// Seeds, and the mover's lead everywhere.
const PLANES: usize = 2;

impl Encode for Kalah {
    const VERSION: u32 = 1;

    fn kind(&self) -> String {
        let setup = self.setup();
        format!("{} {}x{}", Self::NAME, setup.pits, setup.seeds)
    }

    fn shape(&self) -> Shape {
        let width = self.setup().pits.into();
        Shape { grid: Grid { height: 2, width }, planes: PLANES, moves: width, largest: None }
    }

    /// The mover's row in the order of sowing, and below it the other one.
    fn encode(&self, _last: Option<Pit>, planes: &mut [f32]) {
        let setup = self.setup();
        let seeds = 2.0 * f32::from(setup.pits) * f32::from(setup.seeds);
        let lead = (self.to_move().sign() * self.lead()) as f32 / seeds;
        let rows = [self.to_move(), !self.to_move()].map(|player| self.row(player));
        for (cell, &pit) in planes.chunks_mut(PLANES).zip(rows.into_iter().flatten()) {
            cell.copy_from_slice(&[f32::from(pit) / seeds, lead]);
        }
    }

    fn code(&self, pit: Pit) -> usize {
        pit.0.into()
    }
}
