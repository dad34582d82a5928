//! What a spec says, typed: the options of each kind of engine, and the table of
//! their parameters.
//!
//! Options are plain data without a game: names of evaluations, networks and books
//! stay names until an engine is built.

use games::Player;
use search::Variant;
use search::alpha_beta::{self, TieBreak, WindowMode};
use search::rollout::{CutoffAt, CutoffValue, Policy};
use search::tree::{self, Expand, FinalMove, Fpu, Parallel, Reward, Selection};

use super::parameter::{
    Kind, Parameter, Row, SWITCH, choice, named, number, optional, parsed, switch, word, words,
};

/// Everything that a spec says about an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Options {
    /// Plays at random.
    Random,
    /// Tree search.
    Tree(TreeOptions),
    /// Alpha-beta.
    AlphaBeta(AlphaBetaOptions),
    /// The best engine, weakened.
    Level(LevelOptions),
    /// An outside program.
    Program(ProgramOptions),
    /// The best engine of a game.
    Best(BestOptions),
}

impl Options {
    /// The parameters with these options as their defaults.
    pub(super) fn parameters(&self) -> Vec<Parameter> {
        fn list<S>(rows: &[Row<S>], options: &S) -> Vec<Parameter> {
            let parameter = |row: &Row<S>| Parameter {
                name: row.name,
                default: (row.get)(options),
                kind: row.kind,
                help: row.help,
            };
            rows.iter().map(parameter).collect()
        }
        match self {
            Options::Random => Vec::new(),
            Options::Tree(options) => list(TREE, options),
            Options::AlphaBeta(options) => list(ALPHA_BETA, options),
            Options::Level(options) => list(LEVEL, options),
            Options::Program(options) => list(PROGRAM, options),
            Options::Best(options) => list(BEST, options),
        }
    }

    /// Sets a parameter to a text that fits it.
    pub(super) fn set(&mut self, name: &str, text: &str) {
        fn apply<S>(rows: &[Row<S>], options: &mut S, name: &str, text: &str) {
            if let Some(row) = rows.iter().find(|row| row.name == name) {
                (row.set)(options, text);
            }
        }
        match self {
            Options::Random => {}
            Options::Tree(options) => apply(TREE, options, name, text),
            Options::AlphaBeta(options) => apply(ALPHA_BETA, options, name, text),
            Options::Level(options) => apply(LEVEL, options, name, text),
            Options::Program(options) => apply(PROGRAM, options, name, text),
            Options::Best(options) => apply(BEST, options, name, text),
        }
    }
}

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
const BELOW_SIBLINGS: f32 = 0.2;

const TREE: &[Row<TreeOptions>] = &[
    Row {
        name: "c",
        kind: Kind::Real(0.0, 100.0, &[]),
        help: "weight of exploration",
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
        help: "value of an unvisited child for its mover; siblings: a little less than their mean; off: it comes first",
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

const ALPHA_BETA: &[Row<AlphaBetaOptions>] = &[
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

/// The row of the memory of an engine that may have a solver beside its search.
macro_rules! memory {
    () => {
        optional!(
            "memory",
            memory,
            3..=65_536 or "auto",
            "megabytes in all, a third of them for a solver; auto: as much as serves one player"
        )
    };
}

/// Of a level of strength.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelOptions {
    /// From 1 to 10.
    pub level: u32,
    /// Careless turns in a hundred; `None` for the level's own number, as below.
    pub careless: Option<u32>,
    /// Moves that it looks at on a careless turn.
    pub sample_size: Option<u32>,
    /// Nodes of a search on any other turn.
    pub nodes: Option<u64>,
    /// Megabytes in all; `None` for as much as serves one player.
    pub memory: Option<u64>,
}

impl Default for LevelOptions {
    fn default() -> LevelOptions {
        LevelOptions { level: 5, careless: None, sample_size: None, nodes: None, memory: None }
    }
}

const LEVEL: &[Row<LevelOptions>] = &[
    number!(
        "n",
        level,
        Kind::Whole(1, 10, &[]),
        "1 for a beginner, 10 for a strong player that answers at once"
    ),
    optional!(
        "careless",
        careless,
        0..=100 or "auto",
        "turns in a hundred on which it looks at few moves; auto: as the level says"
    ),
    optional!("glances", sample_size, 1..=1_000 or "auto", "moves that it looks at on such a turn"),
    optional!("nodes", nodes, 1..=1_000_000_000 or "auto", "nodes of a search on any other turn"),
    memory!(),
];

/// What an outside program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramProtocol {
    /// UGI.
    Ugi,
    /// UCI.
    Uci,
    /// GTP.
    Gtp,
    /// The contest platform's protocol.
    Sau,
}

/// Of an outside program.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramOptions {
    /// What it speaks.
    pub protocol: ProgramProtocol,
    /// How it is started; `none` if that was not said.
    pub command: String,
    /// What is sent by setoption; `none` for nothing.
    pub options: String,
    /// Seconds that it may take for a move where no time is given.
    pub patience: f64,
    /// The file to which the conversation is added; `none` for no log.
    pub log: String,
}

impl Default for ProgramOptions {
    fn default() -> ProgramOptions {
        ProgramOptions {
            protocol: ProgramProtocol::Ugi,
            command: "none".to_owned(),
            options: "none".to_owned(),
            patience: 600.0,
            log: "none".to_owned(),
        }
    }
}

const PROGRAM: &[Row<ProgramOptions>] = &[
    choice!(
        "protocol",
        protocol,
        [
            "ugi" => ProgramProtocol::Ugi,
            "uci" => ProgramProtocol::Uci,
            "gtp" => ProgramProtocol::Gtp,
            "sau" => ProgramProtocol::Sau
        ],
        "what it speaks: UGI, UCI, GTP, or as a contest engine (sau)"
    ),
    words!("command", command, "how it is started, as in command=\"./other --flag\""),
    words!(
        "options",
        options,
        "what it is told by setoption, as in options=\"hash=64; threads=2\" (ugi, uci)"
    ),
    number!(
        "patience",
        patience,
        Kind::Real(0.1, 1e6, &[]),
        "seconds that it may take for a move where no time is given"
    ),
    words!("log", log, "a file to which every line sent and received is added"),
];

/// Of the best engine of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct BestOptions {
    /// Threads; `None` for one for each core.
    pub threads: Option<usize>,
    /// The opening book: `auto`, `off` or a file.
    pub book: String,
    /// Megabytes in all; `None` for as much as serves one player.
    pub memory: Option<u64>,
    /// Root moves that get a value of their own; a tree search has one for each.
    pub multipv: usize,
}

impl Default for BestOptions {
    fn default() -> BestOptions {
        BestOptions { threads: Some(1), book: "auto".to_owned(), memory: None, multipv: 1 }
    }
}

impl BestOptions {
    /// The number of threads on this machine.
    pub fn thread_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores)
    }
}

const BEST: &[Row<BestOptions>] = &[
    optional!("threads", threads, 1..=256 or "auto", "threads; auto: one for each core"),
    words!(
        "book",
        book,
        "opening book: auto for the one that comes with the program, off, or a file"
    ),
    memory!(),
    number!(
        "multipv",
        multipv,
        Kind::Whole(1, 256, &[]),
        "root moves that get a value and a line of their own, where the search is alpha-beta"
    ),
];
