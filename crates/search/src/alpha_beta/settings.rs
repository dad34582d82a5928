//! Every switch of alpha-beta, and the presets.

/// Which of several equally good root moves is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieBreak {
    /// The first in the order of `Game::moves`: the same game every time.
    First,
    /// One of them by the seed, each with the same chance in a plain search: the
    /// root moves are shuffled, and the first best one wins.
    Random,
}

/// How the window goes down to the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowMode {
    /// Turned if the turn passed, as alpha-beta is defined.
    Correct,
    /// As the 2012 paper prints it: (beta, alpha) without a change of sign, and
    /// an evaluation that is always First's. It sees next to nothing.
    Paper2012,
}

/// What an alpha-beta search does. Plain data: a spec fills it in.
#[derive(Clone, Debug, PartialEq)]
pub struct AlphaBetaSettings {
    /// Plies to search at most, beside the limit of each think. Default none.
    pub depth: Option<u32>,
    /// Threads that search together on one table. Default 1, which is
    /// deterministic under a node or depth limit.
    pub threads: usize,
    /// Memory of the table in megabytes; 0 is no table. Default 64.
    pub table_mb: usize,
    /// Take a value from the table only if its depth is exactly the wanted one,
    /// so that the result is plain minimax's. Default off: deeper is better.
    pub exact_depth: bool,
    /// Iterative deepening. Default on. Off needs a depth and searches it at
    /// once.
    pub deepen: bool,
    /// Principal variation search: the first move with the whole window, the
    /// others with a scout. Default on.
    pub pvs: bool,
    /// Half the width of the first window around the last iteration's value, in
    /// hundredths of the game's unit; 0 is the full window. Default 40.
    pub aspiration: i32,
    /// Try the moves that `SearchHints::noisy_moves` lists before the others. Default
    /// on.
    pub noisy_first: bool,
    /// Try moves early that cut off at the same ply elsewhere. Default on.
    pub killers: bool,
    /// Order quiet moves by how often they cut off before. Default on.
    pub history: bool,
    /// Late move reductions: search late quiet moves less deep first. Default
    /// on.
    pub reductions: bool,
    /// Late move reductions by the product of the logarithms of depth and move
    /// number, divided by this; 0 is a table of steps. Default 0.
    pub reduction_divisor: f64,
    /// Reduce a move less, or more, by how often it cut off before. Default off.
    pub history_reductions: bool,
    /// Reverse futility pruning: a node whose evaluation exceeds beta by so much for
    /// each ply of depth is cut off; 0 is off. Default 0.
    pub reverse_futility: i32,
    /// Null-move pruning, where `SearchHints::null_move` allows it. Default off.
    pub null_move: bool,
    /// Futility pruning: at a node whose evaluation is below alpha by so much for
    /// each ply of depth, late quiet moves are left out; 0 is off. Default 0.
    pub futility: i32,
    /// Late move pruning: at shallow nodes only so many quiet moves, and the square of
    /// the depth, are searched; 0 is off. Default 0.
    pub late_pruning: u32,
    /// Search a node that the table does not know one ply less deep. Default off.
    pub internal_reductions: bool,
    /// The least depth at which the table's move is searched a ply deeper if all others
    /// are worse, and a node is cut off if others reach beta too; 0 is off. Default 0.
    pub singular: u32,
    /// Plies of noisy moves looked at beyond the horizon; 0 is off. The mover
    /// may also stop there and take the evaluation. Default 12.
    pub quiescence: u32,
    /// Whether a position that repeats on the way is scored by
    /// `Game::history_outcome`. Default on.
    pub repetition: bool,
    /// Play `SearchHints::forced_move` without search. Default on.
    pub tactics: bool,
    /// How many of the best root moves get an exact value; the others are only
    /// known to be worse. Default 1.
    pub lines: usize,
    /// Which of equally good moves is played. Default the first.
    pub ties: TieBreak,
    /// How the window is passed. Default right.
    pub window_mode: WindowMode,
    /// Positions a move at most, beside the limits of each search. Default none.
    pub nodes: Option<u64>,
}

impl Default for AlphaBetaSettings {
    fn default() -> AlphaBetaSettings {
        AlphaBetaSettings {
            depth: None,
            threads: 1,
            table_mb: 64,
            exact_depth: false,
            deepen: true,
            pvs: true,
            aspiration: 40,
            noisy_first: true,
            killers: true,
            history: true,
            reductions: true,
            reduction_divisor: 0.0,
            history_reductions: false,
            reverse_futility: 0,
            null_move: false,
            futility: 0,
            late_pruning: 0,
            internal_reductions: false,
            singular: 0,
            quiescence: 12,
            repetition: true,
            tactics: true,
            lines: 1,
            ties: TieBreak::First,
            window_mode: WindowMode::Correct,
            nodes: None,
        }
    }
}

impl AlphaBetaSettings {
    /// The papers' reference player: alpha-beta of a fixed depth and nothing
    /// else. Equal moves are drawn by the seed, because a match of a hundred
    /// games must not be one game a hundred times.
    pub fn plain(depth: u32) -> AlphaBetaSettings {
        AlphaBetaSettings {
            depth: Some(depth),
            threads: 1,
            table_mb: 0,
            exact_depth: false,
            deepen: false,
            pvs: false,
            aspiration: 0,
            noisy_first: false,
            killers: false,
            history: false,
            reductions: false,
            reduction_divisor: 0.0,
            history_reductions: false,
            reverse_futility: 0,
            null_move: false,
            futility: 0,
            late_pruning: 0,
            internal_reductions: false,
            singular: 0,
            quiescence: 0,
            repetition: false,
            tactics: false,
            lines: 1,
            ties: TieBreak::Random,
            window_mode: WindowMode::Correct,
            nodes: None,
        }
    }

    /// Everything that cannot change the value: the full search of a depth, as
    /// fast as it gets without reductions, quiescence or history of the game.
    pub fn exact(depth: u32) -> AlphaBetaSettings {
        AlphaBetaSettings {
            depth: Some(depth),
            exact_depth: true,
            reductions: false,
            quiescence: 0,
            repetition: false,
            tactics: false,
            ..AlphaBetaSettings::default()
        }
    }
}
