//! `boyi match`: engines against each other, with statistics.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use arena::{
    Boards, DrawRule, Entrant, Forfeits, Format, LostWins, MatchConfig, MatchProgress, MatchReport,
    Openings, ResignRule, Rules, RunOptions, Schedule, Store, run, run_remotely, split_position,
};
use clap::Args;
use search::Limits;
use session::engine::{Options, ProgramOptions, ProgramProtocol, version};
use session::{EngineSpec, GameSpec, GameVisitor, Playable};

use crate::limits::{LimitArgs, RequireLimit, seconds};
use crate::match_options::{Participant, Streak, Test, TimeControl};
use crate::position::print_line;
use crate::progress::ProgressBar;
use crate::verbs::export::Target;
use crate::verbs::fleet::FleetArguments;

/// Play engines against each other, with statistics
#[derive(Args)]
#[command(after_help = "\
Games are played in pairs from one opening with colours swapped. Every finished pair is stored,
so the same command continues after an interruption, and shows the stored games once all are
played; --fresh plays them anew. Ctrl-C ends the match after the running games, a second one at
once. name=TEXT and tc=T+I in an engine's spec give it a name in the
report and a time control of its own.

Examples:
  boyi match surakarta --engine paper-000 --engine 'uct c=0.23' --games 200 --st 0.1
  boyi match connect-four --engine best --engine 'alpha-beta depth=6' --games 100 --sims 5000
  boyi match dots-and-boxes --engine best --engine paper-001 --games 400 --tc 10+0.1 --sprt elo0=0,elo1=10
  boyi match connect-four --boards random --engine best --engine paper-004 --games 200 --st 0.1
  boyi match surakarta --engine best --engine paper-000 --engine paper-003 --games 300 --st 0.1 --concurrency 2
  boyi match surakarta --engine best --engine paper-000 --engine paper-003 --engine uct --swiss --games 40 --st 0.1
  boyi match surakarta --engine best --engine paper-000 --games 1000 --sims 4000 --fleet nats://broker:4222 --concurrency 16
  boyi match connect-four --engine 'best name=slow tc=20+0.2' --engine 'best name=fast tc=10+0.1' --games 40
")]
pub struct Arguments {
    /// The game and its setup
    #[arg(value_name = "GAME")]
    game: GameSpec,

    /// An engine; at least two
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    engines: Vec<Participant>,

    /// Total games, rounded up to whole rounds of pairs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,

    #[command(flatten)]
    limits: LimitArgs,

    /// Time control: seconds per game and increment, such as 10+0.1
    #[arg(long, value_name = "T+I", conflicts_with = "st")]
    tc: Option<TimeControl>,

    /// Gauntlet: the first engine against all others, instead of a round robin
    #[arg(long)]
    gauntlet: bool,

    /// Swiss rounds: engines of about as many points meet, instead of a round robin
    #[arg(long, conflicts_with = "gauntlet")]
    swiss: bool,

    /// Whether all games use the given board, or each pair a random one
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Which::Given)]
    boards: Which,

    /// Concurrent games
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,

    #[command(flatten)]
    fleet: FleetArguments,

    /// Seed of openings and of the engines' random choices
    #[arg(long, value_name = "X", default_value_t = 1)]
    seed: u64,

    /// Random plies at the beginning of each pair
    #[arg(long, value_name = "N", default_value_t = 4)]
    opening_plies: u32,

    /// A file of openings instead: a line has moves, or 'position TEXT moves MOVES'; # begins a
    /// comment
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Stop when this SPRT has decided, such as elo0=0,elo1=5 (also alpha, beta, model)
    #[arg(long, value_name = "TEST")]
    sprt: Option<Test>,

    /// Adjudicate by the lead at this ply
    #[arg(long, value_name = "PLY")]
    cap: Option<u32>,

    /// Resign below this winning chance for so many moves, such as 0.02x4
    #[arg(long, value_name = "CHANCExMOVES")]
    resign: Option<Streak>,

    /// Adjudicate a draw when both engines are within this of equality for so many plies, such as 0.02x20
    #[arg(long, value_name = "WITHINxPLIES")]
    draw: Option<Streak>,

    /// Tolerance for late answers, in seconds
    #[arg(long, value_name = "S", default_value = "0.1", value_parser = seconds)]
    margin: Duration,

    /// Play all games anew, though the store has them; it keeps the earlier ones
    #[arg(long)]
    fresh: bool,

    /// The store of the games
    #[arg(long, value_name = "FILE", default_value = "boyi-matches.sqlite")]
    store: PathBuf,

    /// Write the games at the end: to a .jsonl or .csv file, or as contest records into a
    /// folder
    #[arg(long, value_name = "FILE|DIR")]
    export: Option<PathBuf>,

    /// Print JSON at the end
    #[arg(long)]
    json: bool,
}

/// Which boards a match is played on.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Which {
    /// The board of GAME
    Given,
    /// Connect Four's course boards: 9 to 12 squared, a forbidden cell anywhere
    Random,
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        ensure!(self.engines.len() >= 2, "a match needs at least two engines: give --engine twice");
        match self.boards {
            Which::Given => self.game.clone().visit(self),
            Which::Random => {
                let all = self.game.any_board().with_context(|| {
                    format!("{} is not played on random boards", self.game.name())
                })?;
                ensure!(
                    self.game.is_default(),
                    "with --boards random no board is given: write '{}'",
                    self.game.name()
                );
                all.visit(self)
            }
        }
    }

    fn config<G: Playable>(&self, start: &G) -> anyhow::Result<MatchConfig> {
        let clock = self.tc.map(|TimeControl(clock)| clock);
        let limits = Limits { clock, ..self.limits.limits() };
        ensure!(
            !self.engines.iter().any(|engine| speaks_sau(&engine.spec))
                || (self.opening_plies == 0 && self.openings.is_none()),
            "a contest engine (protocol=sau) begins every game at the start: give --opening-plies 0"
        );
        let mut entrants = Vec::new();
        for Participant { spec, clock, .. } in &self.engines {
            let limits = match clock {
                None => limits,
                own => Limits { clock: *own, time: None, ..limits },
            };
            RequireLimit(spec, limits).visit(start.clone())?;
            G::engine(spec, start, 0)?;
            entrants.push(Entrant { spec: spec.to_string(), version: version(spec), limits });
        }
        let openings = match &self.openings {
            None => Openings::Random { plies: self.opening_plies },
            Some(path) => {
                let text = files::read_text(path, 64 << 20)
                    .with_context(|| format!("{} can't be read", path.display()))?;
                Openings::parse(&text)
            }
        };
        if let Openings::Listed(list) = &openings
            && list.iter().any(|opening| split_position(opening).0.is_some())
            && let Some(engine) =
                self.engines.iter().find(|engine| !takes_positions::<G>(&engine.spec))
        {
            bail!("'{}' can't begin at a position: give openings as moves", engine.spec);
        }
        let rules = Rules {
            margin: self.margin,
            cap: self.cap,
            resign: self.resign.map(|Streak(below, moves)| ResignRule {
                below,
                moves,
                both: false,
            }),
            draw: self.draw.map(|Streak(within, plies)| DrawRule { within, plies, after: 0 }),
        };
        rules.check().map_err(anyhow::Error::msg)?;
        let setup = match self.boards {
            Which::Given => start.setup(),
            Which::Random => G::Setup::default(),
        };
        Ok(MatchConfig {
            boards: match self.boards {
                Which::Given => Boards::Given,
                Which::Random => Boards::Drawn,
            },
            format: match (self.gauntlet, self.swiss) {
                (true, _) => Format::Gauntlet,
                (_, true) => Format::Swiss,
                _ => Format::RoundRobin,
            },
            openings,
            rules,
            ..MatchConfig::new::<G>(&setup, entrants, self.seed)
        })
    }

    /// What the engines are called in the report.
    fn names(&self) -> Vec<String> {
        let name = |engine: &Participant| match &engine.name {
            Some(name) => name.clone(),
            None => engine.spec.to_string(),
        };
        self.engines.iter().map(name).collect()
    }
}

/// Whether a spec is that of a contest engine, which knows no other start than the
/// game's.
fn speaks_sau(spec: &EngineSpec) -> bool {
    matches!(
        spec.options(),
        Options::Program(ProgramOptions { protocol: ProgramProtocol::Sau, .. })
    )
}

/// Whether an engine can begin at any position.
fn takes_positions<G: Playable>(spec: &EngineSpec) -> bool {
    let Options::Program(program) = spec.options() else { return true };
    match program.protocol {
        ProgramProtocol::Ugi => true,
        ProgramProtocol::Uci => G::row().uci.is_none(),
        ProgramProtocol::Gtp | ProgramProtocol::Sau => false,
    }
}

impl GameVisitor for Arguments {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<()> {
        let mut config = self.config(&start)?;
        config.openings.check(&start).map_err(anyhow::Error::msg)?;
        let target = self.export.as_deref().map(Target::of).transpose()?;
        let specs: Vec<&EngineSpec> = self.engines.iter().map(|engine| &engine.spec).collect();
        let players = self.fleet.players(&specs)?;
        let mut store = Store::open(&self.store)?;
        let last = store.last_repetition(&config)?;
        config.repetition = last.map_or(0, |last| last + u32::from(self.fresh));
        static FINISH: AtomicBool = AtomicBool::new(false);
        static STOP: AtomicBool = AtomicBool::new(false);
        let engines = self.engines.clone();
        let factory: arena::Factory<G> = Arc::new(move |index| {
            G::engine(&engines[index].spec, &start, 0).map_err(|error| error.to_string())
        });
        let options = RunOptions {
            rounds: self.games.div_ceil(2 * Schedule::new(&config, 1).round_pairs()),
            concurrency: self.concurrency.into(),
            sprt: self.sprt.map(|test| test.0),
            finish: Some(&FINISH),
            ..RunOptions::default()
        };
        crate::interrupt::finish_then_stop(&FINISH, &STOP)?;
        let mut bar = ProgressBar::new();
        let names = self.names();
        let mut stored_before = 0;
        let progress = |progress: &MatchProgress| {
            if progress.pair.is_none() {
                stored_before = 2 * progress.stored;
            }
            let (standing, tally) = (progress.standing, progress.standing.of(0));
            let remark = match tally.games() {
                0 => String::new(),
                games => format!("{:.1} % of {games} games", 100.0 * tally.score()),
            };
            bar.update(&names[0], progress.stored, standing.scheduled, &remark);
        };
        let standing = match &players {
            Some((_, players)) => {
                let players = players.clone();
                run_remotely::<G>(&config, &options, players, &mut store, &STOP, progress)?
            }
            None => run::<G>(&config, &options, factory, &mut store, &STOP, progress)?,
        };
        bar.clear();
        let id = store.match_id(&config)?;
        let forfeits = Forfeits::of_match::<G>(&store, id, &config, standing.pairs)?;
        let lost_wins = LostWins::of_match::<G>(&store, id, &config, standing.pairs)?;
        let report = MatchReport::new(
            &config,
            &standing,
            options.sprt,
            &names,
            &forfeits,
            &lost_wins,
            stored_before,
        );
        if self.json {
            print_line(serde_json::to_string(&report)?)?;
        } else {
            print_line(format!("\n{report}"))?;
            if stored_before >= 2 * standing.pairs && standing.finished() {
                print_line(format!(
                    "All games come from {}; --fresh plays them anew.",
                    self.store.display()
                ))?;
            }
        }
        if let Some(target) = target {
            target.write(&store, id, &config, standing.pairs)?;
        }
        if !standing.finished() {
            eprintln!("{}", crate::interrupt::goes_on());
        }
        Ok(())
    }
}
