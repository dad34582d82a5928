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

/// How the tower's output becomes a policy and a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Heads {
    /// By weights for every point, as in the 2020 paper: for one board size and any
    /// moves.
    #[default]
    Dense,
    /// By pooling, over each column for the policy and over the board for the value:
    /// for boards of every size, where a move is a column.
    Pooled,
}

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Architecture {
    /// Rows of the board; of the largest one under pooled heads.
    pub height: usize,
    /// Columns of the board; of the largest one under pooled heads.
    pub width: usize,
    /// Planes of the input.
    pub planes: usize,
    /// Move codes of the policy; of the largest board under pooled heads.
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
    /// What kind of heads it has.
    #[serde(default)]
    pub heads: Heads,
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
            heads: Heads::Dense,
        }
    }

    /// The default for boards of every size up to this one, where a move is a column.
    /// Pooled features are few, so there are more kernels than under the paper's heads.
    pub fn pooled(largest: Grid, planes: usize) -> Self {
        Architecture {
            policy_kernels: 32,
            value_kernels: 32,
            value_hidden: 64,
            heads: Heads::Pooled,
            ..Self::new(largest, planes, largest.width)
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

    /// Numbers of one position's input, on the largest board under pooled heads.
    pub fn inputs(&self) -> usize {
        self.grid().area() * self.planes
    }

    /// Whether it evaluates boards of this size.
    pub fn has_board(&self, grid: Grid) -> bool {
        match self.heads {
            Heads::Dense => grid == self.grid(),
            Heads::Pooled => {
                let within = |size: usize, largest: usize| (1..=largest).contains(&size);
                within(grid.height, self.height) && within(grid.width, self.width)
            }
        }
    }

    /// Logits of one position on a board of this size.
    pub fn logits_on(&self, grid: Grid) -> usize {
        match self.heads {
            Heads::Dense => self.moves,
            Heads::Pooled => grid.width,
        }
    }

    /// Inputs and outputs of the dense layers after the heads' convolutions: that of
    /// the policy, which pooled heads apply to each column, and the hidden one of the
    /// value.
    pub fn dense_layers(&self) -> [(usize, usize); 2] {
        let (kernels, hidden) = ([self.policy_kernels, self.value_kernels], self.value_hidden);
        let [policy, value] = match self.heads {
            Heads::Dense => kernels.map(|kernels| self.grid().area() * kernels),
            // A mean and a maximum of each kernel.
            Heads::Pooled => kernels.map(|kernels| 2 * kernels),
        };
        let logits = if self.heads == Heads::Dense { self.moves } else { 1 };
        [(policy, logits), (value, hidden)]
    }
}

/// A network's output for a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output<R> {
    /// The logit of each move code of each position, one position after another.
    pub logits: Vec<R>,
    /// The mover's expected result of each position, from -1 to 1.
    pub values: Vec<R>,
}
