//! Dots and Boxes as a list of edges and of boxes with four edges each, found by
//! where they lie.

use std::collections::HashSet;
use std::rc::Rc;

use session::{Fact, Session};

use super::{Asked, number, text};

pub const GAMES: &[&str] =
    &["dots-and-boxes", "dots-and-boxes 3x3", "dots-and-boxes 2x4", "dots-and-boxes 4x4"];
pub const COMMON: &[&str] = &[
    "leaves_boxes",
    "gives_boxes",
    "opens_chain",
    "opens_loop",
    "had_safe",
    "must_open",
    "could_deal",
    "safe_edges",
];

#[derive(Clone)]
struct Board {
    drawn: Vec<bool>,
    /// The edges of each box.
    boxes: Rc<Vec<Vec<usize>>>,
    /// The boxes at each edge.
    beside: Rc<Vec<Vec<usize>>>,
}

impl Board {
    fn of(session: &Session) -> Board {
        let geometry = session.geometry();
        let edges = session.view().more["edges"].as_str().unwrap().to_owned();
        let (rows, columns) = (geometry.height as usize - 1, geometry.width as usize - 1);
        let middles = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let around = |(row, column): (usize, usize)| {
            let (x, y) = (column as f64 + 1.0, row as f64 + 1.0);
            let near =
                |(_, place): &(usize, &session::Place)| (place.x - x).hypot(place.y - y) < 0.6;
            geometry.places.iter().enumerate().filter(near).map(|(i, _)| i).collect()
        };
        let drawn: Vec<bool> = edges.chars().map(|c| c == '1').collect();
        let boxes: Vec<Vec<usize>> = middles.map(around).collect();
        let at = |edge| (0..boxes.len()).filter(|&b| boxes[b].contains(&edge)).collect();
        let beside = Rc::new((0..drawn.len()).map(at).collect());
        Board { drawn, boxes: Rc::new(boxes), beside }
    }

    fn open(&self, number: usize) -> usize {
        self.boxes[number].iter().filter(|&&edge| !self.drawn[edge]).count()
    }

    fn closed(&self) -> usize {
        (0..self.boxes.len()).filter(|&number| self.open(number) == 0).count()
    }

    fn undrawn(&self) -> Vec<usize> {
        (0..self.drawn.len()).filter(|&edge| !self.drawn[edge]).collect()
    }

    fn with(&self, edge: usize) -> Board {
        let mut next = self.clone();
        next.drawn[edge] = true;
        next
    }

    fn closes(&self, edge: usize) -> bool {
        self.beside[edge].iter().any(|&b| self.open(b) == 1)
    }

    /// After taking all that can be taken, from the first edge or from the last.
    fn taken(&self, from_last: bool) -> Board {
        let mut board = self.clone();
        loop {
            let mut closing = board.undrawn();
            closing.retain(|&edge| board.closes(edge));
            let next = if from_last { closing.last() } else { closing.first() };
            let Some(&edge) = next else { return board };
            board = board.with(edge);
        }
    }

    fn takeable(&self) -> i64 {
        let taken = [false, true].map(|from_last| self.taken(from_last).closed());
        assert_eq!(taken[0], taken[1], "the order does not matter");
        (taken[0] - self.closed()) as i64
    }

    /// Whether one can take boxes until two are left to take, and then draw an edge
    /// that leaves these two to the other side.
    fn can_deal(&self) -> bool {
        let mut known = HashSet::from([self.drawn.clone()]);
        // The newest board first: where there is such an edge, a few suffice.
        let mut boards = vec![self.clone()];
        while let Some(board) = boards.pop() {
            let edges = board.undrawn();
            let (closing, quiet): (Vec<usize>, Vec<usize>) =
                edges.into_iter().partition(|&edge| board.closes(edge));
            match board.takeable() {
                ..2 => {}
                2 if quiet.iter().any(|&e| board.with(e).takeable() == 2) => return true,
                _ => {
                    let taken = closing.into_iter().map(|edge| board.with(edge));
                    boards.extend(taken.filter(|next| known.insert(next.drawn.clone())));
                }
            }
        }
        false
    }

    /// Edges that neither close a box nor leave one with a single open side.
    fn safe(&self) -> Vec<usize> {
        let mut safe = self.undrawn();
        safe.retain(|&edge| {
            let next = self.with(edge);
            self.beside[edge].iter().all(|&b| next.open(b) > 1)
        });
        safe
    }

    /// The boxes with two open sides that are connected to one, itself included.
    fn string(&self, start: usize) -> Vec<usize> {
        let mut found = vec![start];
        let mut next = 0;
        while next < found.len() {
            for other in 0..self.boxes.len() {
                let joined = self.boxes[found[next]]
                    .iter()
                    .any(|edge| !self.drawn[*edge] && self.boxes[other].contains(edge));
                if joined && matches!(self.open(other), 1 | 2) && !found.contains(&other) {
                    found.push(other);
                }
            }
            next += 1;
        }
        found
    }

    /// Whether a string of boxes is unopened, and how many edges it has.
    fn edges_of_unopened(&self, string: &[usize]) -> Option<usize> {
        let mut edges: Vec<usize> = string
            .iter()
            .flat_map(|&number| self.boxes[number].clone())
            .filter(|&edge| !self.drawn[edge])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        string.iter().all(|&number| self.open(number) == 2).then_some(edges.len())
    }

    fn long_chains(&self) -> i64 {
        let mut seen = vec![false; self.boxes.len()];
        let mut count = 0;
        for start in 0..self.boxes.len() {
            if seen[start] || !matches!(self.open(start), 1 | 2) {
                continue;
            }
            let string = self.string(start);
            string.iter().for_each(|&number| seen[number] = true);
            let chain = self.edges_of_unopened(&string) == Some(string.len() + 1);
            count += i64::from(chain && string.len() >= 3);
        }
        count
    }
}

pub fn holds(asked: &Asked, fact: &Fact) -> bool {
    let board = Board::of(asked.session);
    let edge = |mv: &str| mv.parse::<usize>().unwrap();
    let named = |name: &str| {
        let geometry = asked.session.geometry();
        geometry.places.iter().position(|place| place.name == name).unwrap()
    };
    let (played, better) = (edge(&asked.played[0]), edge(&asked.better[0]));
    let after = board.with(played);
    let gives = || {
        !board.closes(played)
            && after.takeable() == number(fact, "n")
            && after.takeable() > board.takeable()
    };
    // The unopened string that the edge belongs to.
    let opens = |more: usize| {
        let beside = board.beside[played].iter().copied();
        let mut strings = beside.filter(|&b| board.open(b) == 2).map(|b| board.string(b));
        strings.any(|string| {
            string.len() as i64 == number(fact, "size")
                && board.edges_of_unopened(&string) == Some(string.len() + more)
        })
    };
    match fact.kind {
        "leaves_boxes" => !board.closes(played) && board.takeable() == number(fact, "n"),
        "gives_boxes" => gives(),
        "opens_chain" => gives() && opens(1) && number(fact, "size") >= 3 && after.can_deal(),
        "opens_loop" => gives() && opens(0),
        "had_safe" => {
            let safe = board.safe();
            safe.len() as i64 == number(fact, "n") && safe.contains(&named(text(fact, "edge")))
        }
        "must_open" => {
            let least = after.undrawn().into_iter().map(|edge| after.with(edge).takeable()).min();
            board.closes(played)
                && after.safe().is_empty()
                && after.takeable() == 0
                && least == Some(number(fact, "n"))
        }
        "could_deal" => {
            let dealt = board.with(named(text(fact, "edge")));
            !board.closes(named(text(fact, "edge")))
                && board.takeable() == number(fact, "n")
                && dealt.takeable() == number(fact, "n")
                && !dealt.taken(false).undrawn().is_empty()
        }
        "long_chains" => {
            after.long_chains() == number(fact, "n")
                && board.with(better).long_chains() == number(fact, "better")
        }
        "safe_edges" => {
            after.safe().len() as i64 == number(fact, "n")
                && board.with(better).safe().len() as i64 == number(fact, "better")
        }
        kind @ ("line_loses" | "line_gains" | "line_lost" | "line_won") => {
            let mut board = board.clone();
            let (mut own_turn, mut lead) = (true, 0);
            for name in text(fact, "line").split(' ') {
                let next = board.with(named(name));
                let taken = (next.closed() - board.closed()) as i64;
                lead += if own_turn { taken } else { -taken };
                own_turn = own_turn == (taken > 0);
                board = next;
            }
            let over = board.undrawn().is_empty();
            let before = asked.session.lead() * asked.session.to_move().sign();
            let end = i64::from(before) + lead;
            match kind {
                "line_loses" => lead == -number(fact, "n"),
                "line_gains" => lead == number(fact, "n"),
                "line_lost" => over && end < 0,
                _ => over && end > 0,
            }
        }
        kind => panic!("unknown: {kind}"),
    }
}
