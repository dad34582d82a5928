//! The options of alpha-beta.

use search::alpha_beta::{self, TieBreak, WindowMode};

use crate::engine::parameter::{
    Kind, Row, SWITCH, choice, named, number, optional, parsed, switch, word, words,
};

/// Of alpha-beta.
#[derive(Clone, Debug, PartialEq)]
pub struct AlphaBetaOptions {
    /// The search's own.
    pub settings: alpha_beta::AlphaBetaSettings,
    /// Whether all but the depth is as the papers have it.
    pub plain: bool,
    /// The evaluation, by name; `default` for the game's.
    pub eval: String,
    /// An opinion about the order of moves, by name; `none` for none.
    pub order: String,
    /// Whether endgame tables are asked.
    pub tables: bool,
}

impl Default for AlphaBetaOptions {
    fn default() -> AlphaBetaOptions {
        AlphaBetaOptions {
            settings: alpha_beta::AlphaBetaSettings::default(),
            plain: false,
            eval: "default".to_owned(),
            order: "none".to_owned(),
            tables: true,
        }
    }
}

pub(super) const ALPHA_BETA: &[Row<AlphaBetaOptions>] = &[
    optional!("depth", settings.depth, 1..=60 or "off", "plies to search at most"),
    switch!(
        "plain",
        plain,
        "nothing but alpha-beta of a fixed depth, as in the papers; equal moves by chance"
    ),
    words!("eval", eval, "evaluation; 'boyi engines GAME' lists them"),
    words!("order", order, "opinion about the order of moves; 'boyi engines GAME' lists them"),
    number!(
        "table",
        settings.table_mb,
        Kind::Whole(0, 65_536, &[]),
        "megabytes for the transposition table"
    ),
    switch!("pvs", settings.pvs, "principal variation search"),
    number!(
        "aspiration",
        settings.aspiration,
        Kind::Whole(0, 10_000, &[]),
        "half the first window around the last value, in hundredths; 0: full"
    ),
    switch!("forcing", settings.noisy_first, "captures first"),
    switch!("killers", settings.killers, "moves that cut off at the same ply come early"),
    switch!("history", settings.history, "quiet moves by how often they cut off"),
    switch!("reductions", settings.reductions, "late quiet moves are searched less deep first"),
    number!(
        "lmr",
        settings.reduction_divisor,
        Kind::Real(0.0, 10.0, &[]),
        "reductions by logarithms of depth and move number, divided by this; 0: by steps"
    ),
    switch!(
        "lmr-history",
        settings.history_reductions,
        "reduce less what cut off before, and more what failed"
    ),
    number!(
        "rfp",
        settings.reverse_futility,
        Kind::Whole(0, 10_000, &[]),
        "reverse futility: hundredths a ply that an evaluation above beta cuts off; 0: off"
    ),
    switch!("null", settings.null_move, "null-move pruning, where the game allows it"),
    number!(
        "futility",
        settings.futility,
        Kind::Whole(0, 10_000, &[]),
        "hundredths a ply below alpha at which quiet moves are left out; 0: off"
    ),
    number!(
        "lmp",
        settings.late_pruning,
        Kind::Whole(0, 1_000, &[]),
        "late move pruning: quiet moves searched at least, beside the depth's square; 0: off"
    ),
    switch!("iir", settings.internal_reductions, "nodes without a table entry one ply less deep"),
    number!(
        "singular",
        settings.singular,
        Kind::Whole(0, 60, &[]),
        "least depth at which a move far better than all others is searched deeper; 0: off"
    ),
    number!(
        "quiescence",
        settings.quiescence,
        Kind::Whole(0, 60, &[]),
        "plies of captures beyond the horizon"
    ),
    switch!("repetition", settings.repetition, "whether repetitions are seen"),
    switch!("tables", tables, "whether endgame tables are asked"),
    switch!("tactics", settings.tactics, "whether an obvious move is played without search"),
    choice!(
        "window",
        settings.window_mode,
        ["right" => WindowMode::Correct, "printed" => WindowMode::Paper2012],
        "how the window is passed down; printed: as the 2012 paper has it, which is wrong"
    ),
    choice!(
        "ties",
        settings.ties,
        ["first" => TieBreak::First, "random" => TieBreak::Random],
        "which of equally good moves is played"
    ),
    number!("threads", settings.threads, Kind::Whole(1, 256, &[]), "threads that share the table"),
    optional!(
        "nodes",
        settings.nodes,
        1..=1_000_000_000_000 or "off",
        "positions a move, beside other limits"
    ),
    number!(
        "multipv",
        settings.lines,
        Kind::Whole(1, 256, &[]),
        "root moves that get a value and a line of their own"
    ),
];
