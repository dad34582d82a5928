//! The options of a tree search.

use games::Player;
use search::Variant;
use search::rollout::{CutoffAt, CutoffValue, Policy};
use search::tree::{self, Expand, FinalMove, Fpu, Parallel, Reward, Selection};

use crate::engine::parameter::{
    Kind, Row, SWITCH, choice, named, number, optional, parsed, switch, word, words,
};

/// What a cut-off rollout counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutoffScoring {
    /// The sign of its evaluation, as if the game ended so.
    Sign,
    /// The expected result.
    Value,
}

/// Of a tree search.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeOptions {
    /// The search's own.
    pub settings: tree::TreeSettings,
    /// How rollouts choose moves.
    pub policy: Policy,
    /// Where rollouts are cut off.
    pub cutoff: Option<CutoffAt>,
    /// What a cut-off rollout counts for.
    pub scoring: CutoffScoring,
    /// Who gets an evaluation of exactly zero; `None`: neither.
    pub zero: Option<Player>,
    /// The evaluation of cut-off rollouts, by name; `default` for the game's.
    pub eval: String,
    /// The network that evaluates leaves, by name or file; `none` for rollouts.
    pub net: String,
    /// Leaves that a network evaluates together.
    pub batch: usize,
    /// For a final move by chance: 1 plays by visits.
    pub temperature: f64,
    /// Whether endgame tables prove positions.
    pub tables: bool,
}

impl Default for TreeOptions {
    fn default() -> TreeOptions {
        TreeOptions {
            settings: tree::TreeSettings::default(),
            policy: Policy::default(),
            cutoff: None,
            scoring: CutoffScoring::Sign,
            zero: None,
            eval: "default".to_owned(),
            net: "none".to_owned(),
            batch: 8,
            temperature: 1.0,
            tables: true,
        }
    }
}

impl TreeOptions {
    /// The defaults with the formula of PUCT.
    pub fn puct() -> TreeOptions {
        let selection = Selection::Puct { c: 2.0 };
        let settings = tree::TreeSettings { selection, ..tree::TreeSettings::default() };
        TreeOptions { settings, ..TreeOptions::default() }
    }

    /// What an evaluation at a cut-off counts for.
    pub fn cutoff_value(&self) -> CutoffValue {
        match self.scoring {
            CutoffScoring::Value => CutoffValue::Expected,
            CutoffScoring::Sign => CutoffValue::Sign { zero: self.zero },
        }
    }
}

/// How much less than its siblings an unvisited child counts for.
pub(in crate::engine) const BELOW_SIBLINGS: f32 = 0.2;

pub(super) const TREE: &[Row<TreeOptions>] = &[
    Row {
        name: "c",
        kind: Kind::Real(0.0, 100.0, &[]),
        help: "weight of exploration; 1 by default with a network",
        get: |options| match options.settings.selection {
            Selection::Ucb1 { c } | Selection::Puct { c } => c.to_string(),
        },
        set: |options, text| match &mut options.settings.selection {
            Selection::Ucb1 { c } | Selection::Puct { c } => *c = parsed(text),
        },
    },
    Row {
        name: "select",
        kind: Kind::Choice(&["ucb1", "puct"]),
        help: "formula that chooses among children",
        get: |options| match options.settings.selection {
            Selection::Ucb1 { .. } => "ucb1".to_owned(),
            Selection::Puct { .. } => "puct".to_owned(),
        },
        set: |options, text| {
            let (Selection::Ucb1 { c } | Selection::Puct { c }) = options.settings.selection;
            options.settings.selection = match text {
                "puct" => Selection::Puct { c },
                _ => Selection::Ucb1 { c },
            };
        },
    },
    choice!(
        "reward",
        settings.reward,
        ["01" => Reward::ZeroOne, "pm1" => Reward::PlusMinus],
        "scale of values in the formula: 0 to 1, or -1 to 1"
    ),
    Row {
        name: "fpu",
        kind: Kind::Real(-1.0, 1.0, &["off", "siblings"]),
        help: "value of an unvisited child for its mover; siblings: a little less than their mean, the default with a network; off: it comes first",
        get: |options| match options.settings.fpu {
            Fpu::Infinite => "off".to_owned(),
            Fpu::Reduction(_) => "siblings".to_owned(),
            Fpu::Absolute(value) => value.to_string(),
        },
        set: |options, text| {
            options.settings.fpu = match text {
                "off" => Fpu::Infinite,
                "siblings" => Fpu::Reduction(BELOW_SIBLINGS),
                value => Fpu::Absolute(parsed(value)),
            };
        },
    },
    choice!(
        "expand",
        settings.expand,
        ["all" => Expand::All, "one" => Expand::One, "necessary" => Expand::Necessary],
        "how children enter: all at once, one at a time, the most necessary first"
    ),
    choice!(
        "rollout",
        policy,
        [
            "uniform" => Policy::Uniform,
            "forcing" => Policy::NoisyFirst,
            "prudent" => Policy::Safe,
            "weighted" => Policy::Weighted(Variant::Correct),
            "weighted-printed" => Policy::Weighted(Variant::Printed)
        ],
        "how rollouts choose moves"
    ),
    number!("rollouts", settings.rollouts, Kind::Whole(1, 64, &[]), "rollouts at each leaf"),
    Row {
        name: "cut",
        kind: Kind::Whole(0, 10_000, &["off", "settled"]),
        help: "plies after which a rollout is judged by eval; settled: where eval needs no more play",
        get: |options| match options.cutoff {
            None => "off".to_owned(),
            Some(CutoffAt::Quiet) => "settled".to_owned(),
            Some(CutoffAt::Plies(plies)) => plies.to_string(),
        },
        set: |options, text| {
            options.cutoff = match text {
                "off" => None,
                "settled" => Some(CutoffAt::Quiet),
                plies => Some(CutoffAt::Plies(parsed(plies))),
            };
        },
    },
    choice!(
        "judge",
        scoring,
        ["sign" => CutoffScoring::Sign, "value" => CutoffScoring::Value],
        "what a judgement is worth: a whole win, or its expected result"
    ),
    choice!(
        "zero",
        zero,
        ["half" => None, "first" => Some(Player::First), "second" => Some(Player::Second)],
        "who gets a judgement of exactly zero"
    ),
    words!("eval", eval, "evaluation that judges cut rollouts; 'boyi engines GAME' lists them"),
    words!(
        "net",
        net,
        "network that judges leaves, in place of rollouts: a file, or the name of one that comes with the program"
    ),
    number!("batch", batch, Kind::Whole(1, 1024, &[]), "leaves that a network judges together"),
    Row {
        name: "pick",
        kind: Kind::Choice(&["visits", "mean", "temperature"]),
        help: "which move is played in the end",
        get: |options| match options.settings.final_move {
            FinalMove::Visits => "visits".to_owned(),
            FinalMove::Mean => "mean".to_owned(),
            FinalMove::Temperature(_) => "temperature".to_owned(),
        },
        set: |options, text| {
            options.settings.final_move = match text {
                "mean" => FinalMove::Mean,
                "temperature" => FinalMove::Temperature(options.temperature),
                _ => FinalMove::Visits,
            };
        },
    },
    Row {
        name: "temperature",
        kind: Kind::Real(0.01, 10.0, &[]),
        help: "for pick=temperature: 1 plays by visits, less plays the best more often",
        get: |options| options.temperature.to_string(),
        set: |options, text| {
            options.temperature = parsed(text);
            if let FinalMove::Temperature(temperature) = &mut options.settings.final_move {
                *temperature = options.temperature;
            }
        },
    },
    switch!("proofs", settings.proofs, "whether certain results travel up the tree"),
    switch!("tables", tables, "whether endgame tables and solvers prove positions; needs proofs"),
    switch!("tactics", settings.tactics, "whether an obvious move is played without search"),
    switch!(
        "narrow",
        settings.prune_children,
        "whether a node gets only the children that could be best: an obvious move alone, none that loses at once"
    ),
    number!(
        "threats",
        settings.threats,
        Kind::Whole(0, 100_000, &[]),
        "positions that a search for a win by threats alone looks at in a new node; needs proofs"
    ),
    switch!("history", settings.history, "whether repetitions are seen in the tree"),
    switch!("reuse", settings.reuse, "whether the tree is kept from move to move"),
    switch!("recycle", settings.recycle, "whether a full memory forgets its least visited part"),
    number!("threads", settings.threads, Kind::Whole(1, 256, &[]), "threads"),
    choice!(
        "parallel",
        settings.parallel,
        ["tree" => Parallel::Tree, "root" => Parallel::Root, "leaf" => Parallel::Leaf],
        "what several threads do: share a tree, grow their own, or play rollouts of one leaf"
    ),
    number!("memory", settings.memory, Kind::Whole(1, 65_536, &[]), "megabytes for the tree"),
    optional!(
        "sims",
        settings.sims,
        1..=1_000_000_000_000 or "off",
        "simulations a move, beside other limits"
    ),
];
