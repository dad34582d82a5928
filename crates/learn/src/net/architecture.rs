//! The sizes of a network and of its output.

use serde::{Deserialize, Serialize};

/// A board's height and width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
}

impl Grid {
    /// The number of points.
    pub fn area(self) -> usize {
        self.height * self.width
    }
}

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Architecture {
    /// Rows of the board.
    pub height: usize,
    /// Columns of the board.
    pub width: usize,
    /// Planes of the input.
    pub planes: usize,
    /// Move codes of the policy.
    pub moves: usize,
    /// Residual blocks of two convolutions each.
    pub blocks: usize,
    /// Channels of the tower.
    pub channels: usize,
    /// Kernels of the policy head's 1 x 1 convolution.
    pub policy_kernels: usize,
    /// Kernels of the value head's 1 x 1 convolution.
    pub value_kernels: usize,
    /// Width of the value head's hidden layer.
    pub value_hidden: usize,
}

impl Architecture {
    /// The default: a tower of 6 blocks of 64 channels, under the paper's heads.
    pub fn new(grid: Grid, planes: usize, moves: usize) -> Self {
        Architecture {
            height: grid.height,
            width: grid.width,
            planes,
            moves,
            blocks: 6,
            channels: 64,
            policy_kernels: 4,
            value_kernels: 2,
            value_hidden: 256,
        }
    }

    /// The tower of the 2020 paper's published code, 256 channels wide.
    pub fn paper_002(grid: Grid, planes: usize, moves: usize) -> Self {
        Architecture { channels: 256, ..Self::new(grid, planes, moves) }
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        Grid { height: self.height, width: self.width }
    }

    /// Numbers of one position's input.
    pub fn inputs(&self) -> usize {
        self.grid().area() * self.planes
    }
}

/// A network's output for a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output<R> {
    /// The logit of each move code of each position.
    pub logits: Vec<R>,
    /// The mover's expected result of each position, from -1 to 1.
    pub values: Vec<R>,
}
