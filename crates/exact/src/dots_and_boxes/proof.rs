//! A board's value with its proof: bounds of the positions some plies deep, as
//! lines of text, from which the value of the start follows.
//!
//! The game tree is searched from the start by the question "does the value reach
//! this target?". Where so many edges are drawn that a position belongs to a line,
//! the tree ends: a line that answers the question is used, else the solver is
//! asked and a line is added. So the work is cut into pieces of seconds to minutes
//! within a table of any size, and every line that was written is kept. Lines
//! may be added by many processes, files joined and lines repeated: the bounds of
//! equal positions are intersected.
//!
//! Several threads search the tree at the same time, with one table and one set of
//! lines, in different orders: where all moves have to be refuted, it does not matter
//! which is the first, and threads that begin at different ends meet when they are done.
//!
//! Checking is the same search with nobody to ask. It relies on what the solver
//! relies on above the lines (`captures`, `quiet`, `cancel`, `canonical`), all
//! tested against enumeration, but on no transposition table; the lines themselves
//! are sampled and solved again.

mod text;
mod walk;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use games::Rng;
use games::dots_and_boxes::Edge;
use search::SearchControl;

use super::board::{Board, Position};
use super::bounds::Bounds;
use super::canonical::{Keys, MOST_EDGES};
use super::captures::Settled;
use super::moves::safe_order;
use super::quiet::{chains, safe_edges};
use super::search::Node;
use super::solver::Solver;
use walk::{Known, RefutationOrder, Walk};

/// Bounds of positions of one board that have a number of drawn edges.
pub struct Proof {
    board: Board,
    keys: Keys,
    /// A position with at least so many drawn edges belongs to a line.
    ply: u32,
    lines: Lines,
}

/// The lines of a proof.
#[derive(Default)]
struct Lines {
    bounds: HashMap<Position, Bounds>,
    /// Nodes of all lines.
    nodes: u64,
}

impl Lines {
    /// Adds a line; false if it contradicts another.
    fn add(&mut self, position: Position, bounds: Bounds, nodes: u64) -> bool {
        let known = self.bounds.entry(position).or_insert(bounds);
        *known = known.and(bounds);
        self.nodes += nodes;
        known.low <= known.high
    }
}

/// What the lines of a proof show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proven {
    /// The value of the start, for the first player, lies here.
    pub bounds: Bounds,
    /// Different positions with a line.
    pub lines: usize,
    /// Nodes of all lines.
    pub nodes: u64,
    /// An estimate of how much of the whole proof is done, from 0 to 1: by the
    /// moves done and left on the path to the first position without a line.
    pub share: f64,
}

impl Proof {
    /// A proof without lines for a board, whose lines belong to positions with so
    /// many drawn edges.
    pub fn new(rows: usize, cols: usize, ply: u32) -> Result<Proof, String> {
        let board = Board::new(rows, cols).map_err(|error| error.to_string())?;
        if board.edges() > MOST_EDGES {
            let edges = board.edges();
            return Err(format!("the board has {edges} edges; at most {MOST_EDGES} can be proven"));
        }
        if !(1..board.edges()).contains(&ply) {
            let most = board.edges() - 1;
            return Err(format!("lines at ply {ply} prove nothing here; 1 to {most} can be"));
        }
        let keys = Keys::new(&board, board.start()).map_err(|error| error.to_string())?;
        Ok(Proof { board, keys, ply, lines: Lines::default() })
    }

    /// A proof without lines, cut where a line takes the solver about a second; on
    /// larger boards where there are not too many lines.
    pub fn begin(rows: usize, cols: usize) -> Result<Proof, String> {
        let edges = Board::new(rows, cols).map_err(|error| error.to_string())?.edges();
        Proof::new(rows, cols, (edges / 6).max(edges.saturating_sub(41)).clamp(1, 10))
    }

    /// What the lines prove.
    pub fn check(&mut self) -> Proven {
        let known = Mutex::new(Known::new(std::mem::take(&mut self.lines)));
        let proven = Walk::new(self, &known, RefutationOrder::FIRST, |_, _, _| None).root();
        self.lines = Known::into_lines(known);
        proven
    }

    /// Adds lines, on so many threads, until the value of the start is proven or the search
    /// is told to stop; `write` is given each new line, with its end, and what is proven by
    /// then.
    pub fn extend(
        &mut self,
        solver: &Solver,
        threads: usize,
        control: &SearchControl<Edge>,
        write: &mut (impl FnMut(&str, &Proven) -> Result<(), String> + Send),
    ) -> Result<Proven, String> {
        let writer = Mutex::new(write);
        loop {
            let known = Mutex::new(Known::new(std::mem::take(&mut self.lines)));
            let (failed, ended) = (Mutex::new(Ok(())), AtomicBool::new(false));
            let ask = |position: Position, target: i32, proven: &Proven| {
                if ended.load(Relaxed) {
                    return None;
                }
                let (bounds, nodes) = solver.decide(position, target, control);
                if !bounds.decide(target) {
                    return None;
                }
                let Bounds { low, high } = bounds;
                let line = format!("{:x} {low} {high} {nodes}\n", solver.board().drawn(position));
                let mut write = writer.lock().unwrap_or_else(PoisonError::into_inner);
                let written = write(&line, proven);
                let is_written = written.is_ok();
                if written.is_err() {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = written;
                }
                is_written.then_some((bounds, nodes))
            };
            let search = |number: usize| {
                let order = RefutationOrder { number, of: threads.max(1) };
                let proven = Walk::new(self, &known, order, ask).root();
                // One that is done, or can't go on, ends the others.
                ended.store(true, Relaxed);
                proven
            };
            let search = &search;
            let proven = thread::scope(|scope| {
                let others: Vec<_> =
                    (1..threads).map(|number| scope.spawn(move || search(number))).collect();
                let own = search(0);
                let proven =
                    others.into_iter().map(|other| other.join().expect("a search does not panic"));
                proven.fold(
                    own,
                    |one, other| if other.bounds.value().is_some() { other } else { one },
                )
            });
            self.lines = Known::into_lines(known);
            failed.into_inner().unwrap_or_else(PoisonError::into_inner)?;
            // With all lines from the beginning, other questions may be asked.
            let whole = self.check();
            if proven.bounds.value().is_none() || whole.bounds.value().is_some() {
                return Ok(whole);
            }
        }
    }

    /// Solves so many lines again, chosen at random, and names the first that is
    /// wrong. Gives the number of lines that were solved before a stop.
    pub fn sample(
        &self,
        solver: &Solver,
        count: usize,
        rng: &mut Rng,
        control: &SearchControl<Edge>,
    ) -> Result<usize, String> {
        let mut lines: Vec<(&Position, &Bounds)> = self.lines.bounds.iter().collect();
        // The order of a hash map is not the same twice.
        lines.sort_unstable_by_key(|(position, _)| **position);
        for done in 0..count.min(lines.len()) {
            let chosen = done + rng.below(lines.len() - done);
            lines.swap(done, chosen);
            let (&position, bounds) = lines[done];
            for (target, reached) in [(bounds.low, true), (bounds.high + 2, false)] {
                let (found, _) = solver.decide(position, target, control);
                if !found.decide(target) {
                    return Ok(done);
                }
                if (found.low >= target) != reached {
                    let drawn = self.board.drawn(position);
                    return Err(format!("the line of {drawn:x} is wrong"));
                }
            }
        }
        Ok(count.min(lines.len()))
    }

    /// A quiet position in the form in which it has a line, with the bounds that
    /// need none.
    fn node(&self, position: Position) -> Node {
        let mut node = Node::reduced(&self.board, &self.keys, position);
        node.position = self.keys.position(&self.board, node.position);
        node
    }

    fn has_line(&self, position: Position) -> bool {
        position.edges() + self.ply <= self.board.edges()
    }

    /// The moves of a quiet position, the most promising first.
    fn moves(&self, node: &Node) -> Vec<Settled> {
        let (board, position) = (&self.board, node.position);
        let degrees = board.degrees(position);
        let mut moves: Vec<(u16, Settled)> = safe_edges(board, position, &degrees)
            .single_edges()
            .map(|edge| {
                let beside = board.beside(edge);
                let chained = board.between(position, beside & degrees.three, degrees.two).edges();
                let inner = (beside & board.inner).count_ones();
                let order = safe_order(beside.count_ones(), inner, chained, 0);
                (order, Settled { gain: 0, handout: 0, rest: position.without(edge) })
            })
            .collect();
        let open = |chain: &super::quiet::Chain| (0, chain.opened(board, position, &degrees));
        moves.extend(chains(board, position, &degrees).iter().map(open));
        moves.sort_by_key(|&(order, _)| std::cmp::Reverse(order));
        moves.into_iter().map(|(_, settled)| settled).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solver(rows: usize, cols: usize) -> Solver {
        Solver::new(rows, cols, 16, 1).unwrap()
    }

    /// A whole proof of a board as text.
    fn proven(rows: usize, cols: usize, ply: u32, threads: usize) -> String {
        let mut proof = Proof::new(rows, cols, ply).unwrap();
        let mut text = proof.head();
        let control = SearchControl::unlimited();
        let all = proof.extend(&solver(rows, cols), threads, &control, &mut |line, proven| {
            assert!((0.0..=1.0).contains(&proven.share));
            text += line;
            Ok(())
        });
        assert_eq!(all.unwrap(), Proof::read(&text).unwrap().check());
        text
    }

    #[test]
    fn lines_prove_the_values_of_boards() {
        let boards = [(2, 3, 3, -2), (3, 3, 4, -3), (3, 4, 5, 0)];
        for ((rows, cols, ply, value), threads) in
            boards.into_iter().flat_map(|board| [1, 2, 5].map(|threads| (board, threads)))
        {
            let text = proven(rows, cols, ply, threads);
            let mut proof = Proof::read(&text).unwrap();
            let found = proof.check();
            assert_eq!(found.bounds.value(), Some(value), "{rows}x{cols}");
            assert_eq!(found.share, 1.0);
            // A position may have a line for each of two questions.
            assert!(found.lines <= text.lines().count() - 3);
            let (solver, control) = (solver(rows, cols), SearchControl::unlimited());
            let again = proof.sample(&solver, usize::MAX, &mut Rng::seeded(1), &control);
            assert_eq!(again, Ok(found.lines));
        }
    }

    #[test]
    fn every_line_is_needed_and_a_wrong_one_is_found() {
        let text = proven(3, 3, 4, 1);
        let lines: Vec<&str> = text.lines().collect();
        let control = SearchControl::unlimited();
        for left_out in 3..lines.len() {
            let mut rest: Vec<&str> = lines.clone();
            let line = rest.remove(left_out);
            let mut proof = Proof::read(&rest.join("\n")).unwrap();
            let open = proof.check();
            assert!(open.bounds.low <= -3 && open.bounds.high >= -3);
            // Another line may happen to do as well; else the missing one, or one that
            // does instead of it, is added.
            let mut added = 0;
            let mut count = |_: &str, _: &Proven| {
                added += 1;
                Ok(())
            };
            let whole = proof.extend(&solver(3, 3), 1, &control, &mut count).unwrap();
            assert_eq!(whole.bounds.value(), Some(-3));
            assert_eq!(added > 0, open.bounds.value().is_none(), "{line}");
        }
        for line in &lines[3..] {
            let fields: Vec<&str> = line.split(' ').collect();
            let [low, high] = [1, 2].map(|field| fields[field].parse::<i32>().unwrap());
            // Every line says something, on one side or the other.
            let other = if low > -8 { low - 2 } else { high + 2 };
            let wrong =
                format!("{}{} {other} {other} 1", Proof::new(3, 3, 4).unwrap().head(), fields[0]);
            let Ok(proof) = Proof::read(&wrong) else { continue };
            let again = proof.sample(&solver(3, 3), 1, &mut Rng::seeded(1), &control);
            assert!(again.unwrap_err().contains("is wrong"));
        }
    }

    #[test]
    fn a_proof_goes_on_where_it_was_stopped() {
        let whole = proven(3, 3, 4, 1);
        let mut proof = Proof::new(3, 3, 4).unwrap();
        let mut text = proof.head();
        let control = SearchControl::unlimited();
        let mut left = 5;
        let stopped = proof.extend(&solver(3, 3), 1, &control, &mut |line, _| {
            text += line;
            left -= 1;
            if left == 0 { Err("the disk is full".to_owned()) } else { Ok(()) }
        });
        assert_eq!(stopped, Err("the disk is full".to_owned()));
        assert!(whole.starts_with(&text));
        let mut proof = Proof::read(&text).unwrap();
        proof
            .extend(&solver(3, 3), 1, &control, &mut |line, _| {
                text += line;
                Ok(())
            })
            .unwrap();
        let places = |text: &str| -> Vec<String> {
            text.lines().map(|line| line.rsplit_once(' ').unwrap().0.to_owned()).collect()
        };
        assert_eq!(places(&text)[..8], places(&whole)[..8]);
        assert_eq!(Proof::read(&text).unwrap().check().bounds.value(), Some(-3));
        // Two files joined are one proof.
        let both = whole + text.split_inclusive('\n').skip(3).collect::<String>().as_str();
        assert_eq!(Proof::read(&both).unwrap().check().bounds.value(), Some(-3));
    }

    #[test]
    fn what_is_no_proof_is_refused_in_a_sentence() {
        let head = "boyi-proof 1\nboard 3x3\nply 4\n";
        for (text, said) in [
            (String::new(), "begins with 'boyi-proof'"),
            ("boyi-proof 2".into(), "version 1"),
            ("boyi-proof 1\nboard 3\nply 4".into(), "no board"),
            ("boyi-proof 1\nboard 9x9\nply 4".into(), "cannot be solved"),
            ("boyi-proof 1\nboard 6x6\nply 4".into(), "at most 60"),
            ("boyi-proof 1\nboard 3x3\nply 24".into(), "1 to 23"),
            (format!("{head}12"), "line 4: '12' is not"),
            (format!("{head}g -1 1 5"), "no mask"),
            (format!("{head}1 -1 1 5"), "no position of this proof"),
            (format!("{head}ffffffffff -1 1 5"), "there is no edge"),
        ] {
            let error = Proof::read(&text).err().unwrap();
            assert!(error.contains(said), "{error}");
        }
        let text = proven(2, 3, 3, 1);
        let line = text.lines().nth(3).unwrap();
        let drawn = line.split(' ').next().unwrap();
        for (bounds, said) in [("-1 1", "6 boxes"), ("8 8", "6 boxes"), ("2 0", "6 boxes")] {
            let error = Proof::read(&format!("{text}{drawn} {bounds} 1")).err().unwrap();
            assert!(error.contains(said), "{error}");
        }
        let error = Proof::read(&format!("{text}{drawn} -6 -6 1\n{drawn} 6 6 1")).err().unwrap();
        assert!(error.contains("contradict"), "{error}");
    }
}
