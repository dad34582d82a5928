//! `boyi analyse`

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use search::alpha_beta::{self, trace};
use search::{Limits, Runner, SearchInfo, Source};
use serde_json::{Value, json};
use session::book::BookSource;
use session::engine::{self, EngineSpec};
use session::{GameVisitor, Playable};

use crate::limits::LimitArgs;
use crate::position::{PositionArgs, print_line};

/// Analyse a position with an engine
#[derive(Args)]
#[command(after_help = "\
Scores are the mover's. Without a limit the search takes a second. What the engine's
book has for the position is printed first, and the search goes on without the book.

Examples:
  boyi analyse connect-four --moves 444 --st 3
  boyi analyse surakarta --engine 'uct c=0.23 cut=9 eval=matrix' --sims 20000
  boyi analyse 'dots-and-boxes 3x3' --engine best --json
  boyi analyse connect-four --engine uct --sims 200 --tree 2 --dot > tree.dot
  boyi analyse connect-four --engine 'alpha-beta depth=4' --tree 3
")]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,

    /// The engine; 'boyi engines' lists them
    #[arg(long, value_name = "SPEC", default_value = "best")]
    engine: EngineSpec,

    #[command(flatten)]
    limits: LimitArgs,

    /// Root moves to show
    #[arg(long, value_name = "N", default_value_t = 5)]
    top: usize,

    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Print JSON: a line for each report, the last one final
    #[arg(long)]
    json: bool,

    /// Print the tree to this depth instead: visits and means of a tree search,
    /// or plain alpha-beta with its windows and cut-offs
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=12))]
    tree: Option<u32>,

    /// Print the tree as DOT (graphviz) instead of JSON
    #[arg(long, requires = "tree")]
    dot: bool,
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        self.position.game.clone().visit(self)
    }

    /// One report as a line of text.
    fn line(info: &SearchInfo<String>) -> String {
        let work = if info.sims > 0 {
            format!("sims {}", info.sims)
        } else {
            format!("nodes {}", info.nodes)
        };
        let speed =
            info.nodes.max(info.sims) as f64 / info.elapsed.as_secs_f64().max(1e-9) / 1000.0;
        // A solver knows nothing until it knows everything.
        let Some(line) = info.lines.first() else {
            return format!("solving   {work}  {speed:.0} k/s");
        };
        format!(
            "depth {:2}  {work}  {speed:.0} k/s  score {}  win {:.1}%  pv {}",
            info.depth,
            info.score,
            100.0 * info.win_rate,
            line.pv.join(" "),
        )
    }

    /// The engine that analyses: without its book, whose answer would end the
    /// analysis, and with as many lines as are shown.
    fn analyst(&self) -> anyhow::Result<EngineSpec> {
        let mut engine = self.engine.clone();
        if engine.family().has("book") {
            engine.set("book", "off")?;
        }
        // An engine of a paper searches as the paper has it.
        let own = ["alpha-beta", "best"].contains(&engine.family().name);
        if own && !engine.is_given("multipv") {
            engine.set("multipv", &self.top.clamp(1, 256).to_string())?;
        }
        Ok(engine)
    }

    /// Prints what the engine's book has for the position.
    fn print_book<G: Playable>(
        &self,
        record: &games::Record<G>,
        limits: &Limits,
    ) -> anyhow::Result<()> {
        if !self.engine.family().has("book") {
            return Ok(());
        }
        let setup = record.game().setup();
        let book = BookSource::of(self.engine.text("book")).book::<G>(&setup);
        let Some(info) = book.and_then(|book| book.answer(record, limits)) else { return Ok(()) };
        let mut report = info.to_text(record.game());
        report.lines.truncate(self.top);
        if self.json {
            return print_line(json!(report));
        }
        for line in &report.lines {
            let games = match line.visits {
                0 => String::new(),
                games => format!("  games {games}"),
            };
            print_line(format!("book {:8} {:>12}{games}", line.mv, line.score.to_string()))?;
        }
        Ok(())
    }

    fn print_tree<G: Playable>(
        &self,
        record: &games::Record<G>,
        depth: u32,
        limits: &Limits,
    ) -> anyhow::Result<()> {
        let spec = engine::resolve(&self.engine, G::row())?;
        let game = record.game();
        match spec.family().name {
            "uct" | "puct" => {
                let Some(branch) = G::grow(&spec, record, limits, self.seed, depth)? else {
                    bail!("the move is forced, so there is no search tree; add tactics=off")
                };
                print_line(if self.dot { branch.dot(game) } else { branch.json(game) })
            }
            "alpha-beta" => {
                let plies =
                    limits.depth.or_else(|| spec.text("depth").parse().ok()).unwrap_or(depth);
                let branch = trace(game, &engine::evaluation::<G>(&spec)?, plies, depth);
                if self.dot {
                    let mut text = String::from("digraph tree {\n  node [shape=box];\n");
                    dot(game, &branch, &mut 0, &mut text);
                    return print_line(text + "}");
                }
                print_line(cut_offs(game, &branch))
            }
            other => bail!("{other} has no search tree; uct, puct and alpha-beta have one"),
        }
    }
}

/// The lines that are printed while a search goes on.
struct ProgressPrinter {
    json: bool,
    depth: u32,
    printed: Instant,
    failed: Option<anyhow::Error>,
    over: bool,
}

impl ProgressPrinter {
    fn new(json: bool) -> ProgressPrinter {
        ProgressPrinter { json, depth: 0, printed: Instant::now(), failed: None, over: false }
    }

    /// Prints a result if it is deeper or the last one was a while ago; breaks if
    /// it can't be printed.
    fn show<G: Playable>(&mut self, info: &SearchInfo<G::Move>, root: &G) -> ControlFlow<()> {
        let deeper = info.depth > self.depth && info.sims == 0;
        if !self.over && (deeper || self.printed.elapsed() > Duration::from_millis(500)) {
            (self.depth, self.printed) = (info.depth, Instant::now());
            let report = info.to_text(root);
            let line = if self.json { json!(report).to_string() } else { Arguments::line(&report) };
            if let Err(error) = print_line(line) {
                self.failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// An alpha-beta tree as JSON; values and windows are the mover's.
fn cut_offs<G: Playable>(game: &G, branch: &alpha_beta::TraceNode<G::Move>) -> Value {
    let here = branch.mv.map_or_else(|| game.clone(), |mv| game.after(mv));
    let children: Vec<Value> = branch.children.iter().map(|child| cut_offs(&here, child)).collect();
    json!({
        "move": branch.mv.map(|mv| game.move_text(mv)),
        "mover": crate::position::player_word(branch.mover),
        "alpha": branch.window.alpha,
        "beta": branch.window.beta,
        "value": branch.value,
        "left": format!("{:?}", branch.kind),
        "nodes": branch.nodes,
        "children": children,
    })
}

fn dot<G: Playable>(
    game: &G,
    branch: &alpha_beta::TraceNode<G::Move>,
    next: &mut usize,
    out: &mut String,
) {
    let here = branch.mv.map_or_else(|| game.clone(), |mv| game.after(mv));
    let own = *next;
    let name = branch.mv.map_or("root".to_owned(), |mv| game.move_text(mv));
    out.push_str(&format!(
        "  n{own} [label=\"{name}\\n{} [{}, {}]\\n{:?}\"];\n",
        branch.value, branch.window.alpha, branch.window.beta, branch.kind
    ));
    for child in &branch.children {
        *next += 1;
        out.push_str(&format!("  n{own} -> n{next};\n"));
        dot(&here, child, next, out);
    }
}

impl GameVisitor for Arguments {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<()> {
        let record = self.position.record(start)?;
        if let Some(outcome) = record.outcome() {
            bail!("the game is over, so there is nothing to analyse: {outcome}");
        }
        let limits = self.limits.or_one_second();
        if let Some(depth) = self.tree {
            return self.print_tree(&record, depth, &limits);
        }
        let mut runner = Runner::new(G::engine(&self.analyst()?, record.game(), self.seed)?);
        self.print_book(&record, &limits)?;
        let progress = Arc::new(Mutex::new(ProgressPrinter::new(self.json)));
        let (shown, root) = (Arc::clone(&progress), record.game().clone());
        let info = runner.search_observed(&record, &limits, move |info| {
            shown.lock().expect("no holder panics").show(info, &root)
        });
        // The engine may still be about to publish: what it says now is too late.
        let mut progress = progress.lock().expect("no holder panics");
        progress.over = true;
        if let Some(error) = progress.failed.take() {
            return Err(error);
        }
        drop(progress);
        let mut report = info.to_text(record.game());
        report.lines.truncate(self.top);
        if self.json {
            return print_line(json!(report));
        }
        print_line(Arguments::line(&report))?;
        for line in &report.lines {
            print_line(format!(
                "  {:8} {:>12}  visits {:>9}  {}",
                line.mv,
                line.score.to_string(),
                line.visits,
                line.pv.join(" ")
            ))?;
        }
        let best = report.best.unwrap_or_default();
        match report.source {
            Source::Search => print_line(format!("best {best}")),
            source => print_line(format!("best {best} ({source})")),
        }
    }
}
