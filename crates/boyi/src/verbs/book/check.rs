//! `boyi book check`: whether a book lacks anything, and whether what is certain
//! in it agrees with itself and with the solver.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::bail;
use exact::SolverOptions;
use games::{MoveList, Player};
use search::Score;
use serde_json::json;
use session::book::{Book, Method, MoveSource, Origin, walk};
use session::{GameVisitor, Playable};

use super::{STOP, book};
use crate::interrupt::set_on_interrupt;
use crate::position::print_line;

/// What to check.
pub struct Check {
    /// The book; by default the bundled one.
    pub file: Option<PathBuf>,
    /// How many entries to compute again.
    pub again: usize,
    /// Whether to print JSON.
    pub json: bool,
}

impl GameVisitor for Check {
    type Output = anyhow::Result<()>;

    fn visit<G: Playable>(self, start: G) -> anyhow::Result<()> {
        set_on_interrupt(&STOP)?;
        let book = book::<G>(self.file.as_deref(), &start.setup())?;
        let survey = Survey::of(&*book, &start);
        let faults = disagreements(&*book);
        let again = self.again(&*book, &survey)?;
        if self.json {
            return print_line(json!({
                "plies": book.plies(), "made": book.made(), "positions": book.len(),
                "by_ply": survey.by_ply.values().map(Vec::len).collect::<Vec<_>>(),
                "missing": survey.missing, "disagreements": faults.len(), "again": again,
            }));
        }
        print_line(format!(
            "{} positions to {} plies, by {}",
            book.len(),
            book.plies(),
            book.made()
        ))?;
        for (ply, games) in &survey.by_ply {
            print_line(format!("  ply {ply}: {}", games.len()))?;
        }
        for fault in &faults {
            print_line(fault)?;
        }
        if !faults.is_empty() {
            bail!("{} positions disagree with their successors", faults.len());
        }
        if survey.missing > 0 {
            print_line(format!(
                "unfinished: {} positions of the repertoire are missing",
                survey.missing
            ))
        } else {
            let again =
                if again > 0 { format!(", and {again} were found again") } else { String::new() };
            print_line(format!("the repertoire is complete, and all proven values agree{again}"))
        }
    }
}

impl Check {
    /// Solves some entries again.
    fn again<G: Playable>(&self, book: &Book<G>, survey: &Survey<G>) -> anyhow::Result<usize> {
        let solved = survey.by_ply.values().rev().flatten().filter(|game| {
            book.choices(game).first().is_some_and(|choice| choice.origin == Origin::Solver)
        });
        let options = SolverOptions { megabytes: 512, threads: 1 };
        let mut source = None;
        let mut count = 0;
        for game in solved.take(self.again) {
            let source = match &mut source {
                Some(source) => source,
                none => none.insert(MoveSource::<G>::new(&Method::Solve(options), book.setup())?),
            };
            let Some(found) = source.ask(game, || STOP.load(Relaxed)) else { break };
            let known = book.choices(game)[0];
            if (found.mv, found.score) != (known.mv, known.score) {
                bail!("{}: the book is wrong", game.position());
            }
            count += 1;
        }
        Ok(count)
    }
}

/// The positions of a repertoire.
struct Survey<G> {
    /// The positions of the book by their plies, each once.
    by_ply: BTreeMap<u32, Vec<G>>,
    /// How many positions of the repertoire are not in the book.
    missing: usize,
}

impl<G: Playable> Survey<G> {
    fn of(book: &Book<G>, start: &G) -> Survey<G> {
        let mut survey = Survey { by_ply: BTreeMap::new(), missing: 0 };
        let _always = walk(start, book.plies(), |ply, game| {
            let choice = book.choices(game).first().map(|choice| choice.mv);
            match choice {
                // The one that was asked about: another image may have another of the
                // best moves.
                Some(_) => survey.by_ply.entry(ply).or_default().push(game.canonical().0),
                None => survey.missing += 1,
            }
            ControlFlow::Continue(choice)
        });
        survey
    }
}

/// Proven values that the book's own later positions contradict.
fn disagreements<G: Playable>(book: &Book<G>) -> Vec<String> {
    let mut faults = Vec::new();
    for game in book.positions() {
        let Some(choice) = book.choices(game).into_iter().next() else { continue };
        let Score::Proven { result, .. } = choice.score else { continue };
        let mover = game.to_move();
        if let Some(worth) = worst(book, &game.after(choice.mv), mover)
            && worth != result
        {
            let word = choice.score;
            faults.push(format!(
                "{}: {} {word}, but its successors give {worth:+}",
                game.position(),
                game.move_text(choice.mv)
            ));
        }
    }
    faults
}

/// The worst result of `owner` as far as the book has every reply.
fn worst<G: Playable>(book: &Book<G>, game: &G, owner: Player) -> Option<i32> {
    if let Some(outcome) = game.outcome() {
        return Some(outcome.winner.map_or(0, |winner| if winner == owner { 1 } else { -1 }));
    }
    if game.to_move() == owner {
        return match book.choices(game).first()?.score {
            Score::Proven { result, .. } => Some(result),
            _ => None,
        };
    }
    let mut moves = MoveList::new();
    game.moves(&mut moves);
    let answers = moves.iter().map(|&mv| worst(book, &game.after(mv), owner));
    answers.collect::<Option<Vec<_>>>()?.into_iter().min()
}
