//! The families of engines, with all their parameters.

use games::TextError;

use super::parameter::Kind::{Choice, Real, Whole, Words};
use super::parameter::{Parameter, SWITCH};
use crate::GameRow;

/// Engines that differ only in their parameters.
#[derive(Debug)]
pub struct Family {
    /// The first word of a spec.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub help: &'static str,
    /// What can be chosen.
    pub parameters: &'static [Parameter],
    /// What it stands for.
    pub preset: Preset,
}

/// What a preset stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Nothing: the family is an engine of its own.
    None,
    /// A paper's engine: its game, and the spec.
    Paper(&'static str, &'static str),
    /// The engine that each game's row names.
    Best,
}

impl Family {
    /// The parameter with this name; otherwise an error that names the known
    /// ones.
    pub fn parameter(&self, name: &str) -> Result<&'static Parameter, TextError> {
        self.parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name).collect();
            TextError::new(match known.is_empty() {
                true => format!("{} has no parameters, so '{name}' means nothing", self.name),
                false => {
                    format!("{} has no parameter '{name}'; it has {}", self.name, known.join(", "))
                }
            })
        })
    }

    /// The spec that the family stands for in a game; none if it is no preset, or
    /// not for this game.
    pub fn preset_in(&self, game: &GameRow) -> Option<&'static str> {
        match self.preset {
            Preset::None => None,
            Preset::Paper(name, spec) => (name == game.name).then_some(spec),
            Preset::Best => Some(game.best),
        }
    }

    /// The parameter that says how many megabytes an engine may take, if it
    /// takes any.
    pub fn memory(&self) -> Option<&'static str> {
        let names = self.parameters.iter().map(|parameter| parameter.name);
        names.into_iter().find(|name| ["memory", "table"].contains(name))
    }
}

const fn of(
    name: &'static str,
    default: &'static str,
    kind: super::parameter::Kind,
    help: &'static str,
) -> Parameter {
    Parameter { name, default, kind, help }
}

/// Of UCT and PUCT; they differ in the default of `select` and `c`.
macro_rules! tree_parameters {
    ($select:literal, $c:literal) => {
        &[
            of("c", $c, Real(0.0, 100.0, &[]), "weight of exploration"),
            of("select", $select, Choice(&["ucb1", "puct"]), "formula that chooses among children"),
            of("reward", "01", Choice(&["01", "pm1"]), "scale of values in the formula: 0 to 1, or -1 to 1"),
            of("fpu", "off", Real(-1.0, 1.0, &["off", "siblings"]), "value of an unvisited child for its mover; siblings: a little less than their mean; off: it comes first"),
            of("expand", "all", Choice(&["all", "one", "necessary"]), "how children enter: all at once, one at a time, the most necessary first"),
            of("rollout", "uniform", Choice(&["uniform", "forcing", "prudent", "weighted", "weighted-printed"]), "how rollouts choose moves"),
            of("rollouts", "1", Whole(1, 64, &[]), "rollouts at each leaf"),
            of("cut", "off", Whole(0, 10_000, &["off", "settled"]), "plies after which a rollout is judged by eval; settled: where eval needs no more play"),
            of("judge", "sign", Choice(&["sign", "value"]), "what a judgement is worth: a whole win, or its expected result"),
            of("zero", "half", Choice(&["half", "first", "second"]), "who gets a judgement of exactly zero"),
            of("eval", "default", Words, "evaluation that judges cut rollouts; 'boyi engines GAME' lists them"),
            of("net", "none", Words, "network that judges leaves, in place of rollouts: a file, or the name of one that comes with the program"),
            of("batch", "8", Whole(1, 1024, &[]), "leaves that a network judges together"),
            of("pick", "visits", Choice(&["visits", "mean", "temperature"]), "which move is played in the end"),
            of("temperature", "1", Real(0.01, 10.0, &[]), "for pick=temperature: 1 plays by visits, less plays the best more often"),
            of("proofs", "on", SWITCH, "whether certain results travel up the tree"),
            of("tables", "on", SWITCH, "whether endgame tables and solvers prove positions; needs proofs"),
    of("tactics", "on", SWITCH, "whether an obvious move is played without search"),
            of("narrow", "on", SWITCH, "whether a node gets only the children that could be best: an obvious move alone, none that loses at once"),
            of("history", "on", SWITCH, "whether repetitions are seen in the tree"),
            of("reuse", "on", SWITCH, "whether the tree is kept from move to move"),
            of("recycle", "on", SWITCH, "whether a full memory forgets its least visited part"),
            of("threads", "1", Whole(1, 256, &[]), "threads"),
            of("parallel", "tree", Choice(&["tree", "root", "leaf"]), "what several threads do: share a tree, grow their own, or play rollouts of one leaf"),
            of("memory", "256", Whole(1, 65_536, &[]), "megabytes for the tree"),
            of("sims", "off", Whole(1, 1_000_000_000_000, &["off"]), "simulations a move, beside other limits"),
        ]
    };
}

const UCT: &[Parameter] = tree_parameters!("ucb1", "0.7");
const PUCT: &[Parameter] = tree_parameters!("puct", "2");

const ALPHA_BETA: &[Parameter] = &[
    of("depth", "off", Whole(1, 60, &["off"]), "plies to search at most"),
    of(
        "plain",
        "off",
        SWITCH,
        "nothing but alpha-beta of a fixed depth, as in the papers; equal moves by chance",
    ),
    of("eval", "default", Words, "evaluation; 'boyi engines GAME' lists them"),
    of("order", "none", Words, "opinion about the order of moves; 'boyi engines GAME' lists them"),
    of("table", "64", Whole(0, 65_536, &[]), "megabytes for the transposition table"),
    of("pvs", "on", SWITCH, "principal variation search"),
    of(
        "aspiration",
        "40",
        Whole(0, 10_000, &[]),
        "half the first window around the last value, in hundredths; 0: full",
    ),
    of("forcing", "on", SWITCH, "captures first"),
    of("killers", "on", SWITCH, "moves that cut off at the same ply come early"),
    of("history", "on", SWITCH, "quiet moves by how often they cut off"),
    of("reductions", "on", SWITCH, "late quiet moves are searched less deep first"),
    of("quiescence", "12", Whole(0, 60, &[]), "plies of captures beyond the horizon"),
    of("repetition", "on", SWITCH, "whether repetitions are seen"),
    of("tables", "on", SWITCH, "whether endgame tables are asked"),
    of("tactics", "on", SWITCH, "whether an obvious move is played without search"),
    of(
        "window",
        "right",
        Choice(&["right", "printed"]),
        "how the window is passed down; printed: as the 2012 paper has it, which is wrong",
    ),
    of("ties", "first", Choice(&["first", "random"]), "which of equally good moves is played"),
    of("threads", "1", Whole(1, 256, &[]), "threads that share the table"),
    of(
        "nodes",
        "off",
        Whole(1, 1_000_000_000_000, &["off"]),
        "positions a move, beside other limits",
    ),
];

/// Of an engine that may have a solver beside its search.
const MEMORY: Parameter = of(
    "memory",
    "auto",
    Whole(3, 65_536, &["auto"]),
    "megabytes in all, a third of them for a solver; auto: as much as serves one player",
);

const LEVEL: &[Parameter] = &[
    of("n", "5", Whole(1, 10, &[]), "1 for a beginner, 10 for full strength at little time"),
    MEMORY,
];

const PROGRAM: &[Parameter] = &[
    of("protocol", "ugi", Choice(&["ugi", "sau"]), "what it speaks: UGI, or as a contest engine"),
    of("command", "none", Words, "how it is started, as in command=\"./other --flag\""),
    of(
        "options",
        "none",
        Words,
        "what it is told by setoption, as in options=\"hash=64; threads=2\" (ugi)",
    ),
    of(
        "patience",
        "600",
        Real(0.1, 1e6, &[]),
        "seconds that it may take for a move where no time is given",
    ),
];

/// Every family, plain ones first, then presets.
pub const FAMILIES: &[Family] = &[
    Family { name: "random", help: "plays any legal move", parameters: &[], preset: Preset::None },
    Family {
        name: "uct",
        help: "tree search by UCB1, with rollouts",
        parameters: UCT,
        preset: Preset::None,
    },
    Family {
        name: "puct",
        help: "tree search by PUCT, with a network, rollouts or an evaluation",
        parameters: PUCT,
        preset: Preset::None,
    },
    Family {
        name: "alpha-beta",
        help: "iterative deepening with a table, reductions and quiescence",
        parameters: ALPHA_BETA,
        preset: Preset::None,
    },
    Family {
        name: "level",
        help: "the best engine weakened, from 1 to 10",
        parameters: LEVEL,
        preset: Preset::None,
    },
    Family {
        name: "program",
        help: "an outside program",
        parameters: PROGRAM,
        preset: Preset::None,
    },
    Family {
        name: "paper-000",
        help: "2025, Surakarta: UCT with rollouts cut after 9 plies and judged by the sign of an evaluation",
        parameters: UCT,
        preset: Preset::Paper(
            "surakarta",
            "uct c=0.23 reward=01 expand=all cut=9 judge=sign eval=matrix pick=mean proofs=off \
             tables=off tactics=off narrow=off history=off reuse=off recycle=off parallel=leaf",
        ),
    },
    Family {
        name: "paper-001",
        help: "2021, Dots and Boxes: UCT with chain and loop theory",
        parameters: UCT,
        preset: Preset::Paper(
            "dots-and-boxes",
            "uct c=0.4 reward=01 expand=all rollout=prudent cut=settled judge=sign eval=chains pick=mean proofs=off \
             tables=off tactics=on narrow=on history=off reuse=off recycle=off",
        ),
    },
    Family {
        name: "paper-002",
        help: "2020, Surakarta: PUCT with a residual network; give your own by net=FILE",
        parameters: PUCT,
        preset: Preset::Paper(
            "surakarta",
            "puct net=surakarta c=2 reward=pm1 fpu=0 expand=all pick=temperature temperature=0.1 proofs=off \
             tables=off tactics=off narrow=off history=off reuse=off recycle=off parallel=root sims=1600",
        ),
    },
    Family {
        name: "paper-003",
        help: "2012, Surakarta: alpha-beta with six factors and arcs first",
        parameters: ALPHA_BETA,
        preset: Preset::Paper(
            "surakarta",
            "alpha-beta eval=six order=arcs table=0 pvs=off aspiration=0 forcing=on killers=off history=off \
             reductions=off quiescence=0 repetition=off tables=off tactics=off ties=random",
        ),
    },
    Family {
        name: "paper-004",
        help: "2025, Connect Four: UCT with centre-weighted rollouts, win or block at once",
        parameters: UCT,
        preset: Preset::Paper(
            "connect-four",
            "uct c=1.2 reward=pm1 expand=necessary rollout=weighted pick=mean proofs=off tables=off \
             tactics=on narrow=off history=off reuse=off recycle=off",
        ),
    },
    Family {
        name: "best",
        help: "the strongest engine we have for a game",
        parameters: &[
            of("threads", "1", Whole(1, 256, &[]), "threads"),
            of(
                "book",
                "auto",
                Words,
                "opening book: auto for the one that comes with the program, off, or a file",
            ),
            MEMORY,
        ],
        preset: Preset::Best,
    },
];
