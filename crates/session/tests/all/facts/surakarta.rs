//! Surakarta on a grid of letters, with captures walked point by point and the
//! loops of the drawing written down.

use std::collections::BTreeSet;

use session::Fact;

use super::{Asked, number, text};

pub const GAMES: &[&str] = &["surakarta"];
pub const COMMON: &[&str] = &[
    "opens_loss",
    "opens_capture",
    "leaves_loss",
    "leaves_capture",
    "misses_free",
    "misses_capture",
    "retaken",
    "allows_fork",
    "misses_fork",
    "misses_attack",
    "fewer_guarded",
    "longer_reach",
    "shorter_reach",
];

type Place = (i32, i32);

#[derive(Clone)]
struct Grid([[char; 6]; 6]);

/// A way to capture: from, to, loops passed, and whether they are large ones.
type Capture = (Place, Place, i64, bool);

impl Grid {
    /// Reads the position's text; rows from the top.
    fn read(position: &str) -> Grid {
        let mut grid = [['.'; 6]; 6];
        for (row, line) in position.split(' ').next().unwrap().split('/').enumerate() {
            let mut column = 0;
            for c in line.chars() {
                match c.to_digit(10) {
                    Some(empty) => column += empty as usize,
                    None => {
                        grid[row][column] = c;
                        column += 1;
                    }
                }
            }
        }
        Grid(grid)
    }

    fn at(&self, (row, column): Place) -> Option<char> {
        let line = self.0.get(usize::try_from(row).ok()?)?;
        line.get(usize::try_from(column).ok()?).copied()
    }

    fn played(&self, (from, to): (Place, Place)) -> Grid {
        let mut next = self.clone();
        next.0[to.0 as usize][to.1 as usize] = self.at(from).unwrap();
        next.0[from.0 as usize][from.1 as usize] = '.';
        next
    }

    fn count(&self, side: char) -> i64 {
        self.0.iter().flatten().filter(|&&c| c == side).count() as i64
    }

    /// The loop from the end of a line: one turns the corner that is nearest, at the
    /// same distance from it. Lines 0 and 5 have none.
    fn over_loop((row, column): Place, (down, right): Place) -> Option<(Place, Place)> {
        let line = if down == 0 { row } else { column };
        if line == 0 || line == 5 {
            return None;
        }
        let near_start = line < 3;
        // Along a row one arrives in the column that is as far from its corner.
        let mirrored = if near_start { line } else { 5 - line };
        let (side, inward) = if near_start { (0, 1) } else { (5, -1) };
        Some(if down == 0 {
            let arrival = if right > 0 { 5 - mirrored } else { mirrored };
            ((side, arrival), (inward, 0))
        } else {
            let arrival = if down > 0 { 5 - mirrored } else { mirrored };
            ((arrival, side), (0, inward))
        })
    }

    fn captures(&self, side: char) -> Vec<Capture> {
        self.walk(side).0
    }

    /// All ways to capture, and the points, empty or with an enemy, that pieces
    /// come to over a loop.
    fn walk(&self, side: char) -> (Vec<Capture>, BTreeSet<Place>) {
        let (mut found, mut reached) = (Vec::new(), BTreeSet::new());
        let places = (0..6).flat_map(|row| (0..6).map(move |column| (row, column)));
        for from in places.filter(|&place| self.at(place) == Some(side)) {
            for start in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                let (mut place, mut direction, mut loops) = (from, start, 0);
                for _ in 0..24 {
                    let ahead = (place.0 + direction.0, place.1 + direction.1);
                    if self.at(ahead).is_some() {
                        place = ahead;
                    } else if let Some((next, turned)) = Grid::over_loop(place, direction) {
                        (place, direction) = (next, turned);
                        loops += 1;
                    } else {
                        break;
                    }
                    let met = self.at(place).unwrap();
                    if loops > 0 && met != side {
                        reached.insert(place);
                    }
                    if place == from || met == '.' {
                        continue;
                    }
                    if met != side && loops > 0 {
                        let line = if direction.0 == 0 { place.0 } else { place.1 };
                        found.push((from, place, loops, line == 2 || line == 3));
                    }
                    break;
                }
            }
        }
        (found, reached)
    }

    /// The steps of a side: to the eight neighbours that are empty.
    fn steps(&self, side: char) -> Vec<(Place, Place)> {
        let places = || (0..6).flat_map(|row| (0..6).map(move |column| (row, column)));
        let near = |a: Place, b: Place| (a.0 - b.0).abs().max((a.1 - b.1).abs()) == 1;
        let own = places().filter(|&from| self.at(from) == Some(side));
        own.flat_map(|from| {
            let free = places().filter(move |&to| near(from, to) && self.at(to) == Some('.'));
            free.map(move |to| (from, to))
        })
        .collect()
    }

    /// Whether a side can capture a piece so that nothing captures on that point.
    fn wins_piece(&self, side: char, other: char) -> bool {
        self.captures(side).iter().any(|&(from, to, ..)| {
            self.played((from, to)).captures(other).iter().all(|answer| answer.1 != to)
        })
    }

    /// Whether the other side is without a capture here, and after each of its steps
    /// `side` wins a piece.
    fn is_forked(&self, side: char, other: char) -> bool {
        let answers = self.steps(other);
        self.captures(other).is_empty()
            && !answers.is_empty()
            && answers.iter().all(|&step| self.played(step).wins_piece(side, other))
    }

    /// The pieces of a side on whose point it could capture if an enemy stood there.
    fn guarded(&self, side: char, other: char) -> i64 {
        let places = (0..6).flat_map(|row| (0..6).map(move |column| (row, column)));
        let own = places.filter(|&place| self.at(place) == Some(side));
        let guarded = own.filter(|&place| {
            let mut next = self.clone();
            next.0[place.0 as usize][place.1 as usize] = other;
            next.captures(side).iter().any(|one| one.1 == place)
        });
        guarded.count() as i64
    }
}

fn place(name: &str) -> Place {
    let [file, rank] = name.as_bytes() else { panic!("{name} is no point") };
    (i32::from(b'6' - rank), i32::from(file - b'a'))
}

fn ends(mv: &str) -> (Place, Place) {
    let (from, to) = mv.split_once(['-', 'x']).unwrap();
    (place(from), place(to))
}

pub fn holds(asked: &Asked, fact: &Fact) -> bool {
    let before = Grid::read(&asked.session.position());
    let (own, other) = match asked.session.to_move() {
        games::Player::First => ('b', 'w'),
        games::Player::Second => ('w', 'b'),
    };
    let played = ends(&asked.played[0]);
    let after = before.played(played);
    // The capture that the fact names, by the loops that it names.
    let captures = |grid: &Grid, side: char| {
        let (from, to) = ends(text(fact, "by"));
        let loops = number(fact, "loops");
        to == place(text(fact, "at"))
            && grid.captures(side).contains(&(from, to, loops, text(fact, "circuit") == "large"))
    };
    let was_possible = || {
        let (from, to) = ends(text(fact, "by"));
        before.captures(other).iter().any(|one| (one.0, one.1) == (from, to))
    };
    let answered = |grid: &Grid, side: char| {
        let (from, to) = ends(text(fact, "by"));
        let next = grid.played((from, to));
        next.count(side) > 0 && next.captures(side).iter().any(|one| one.1 == to)
    };
    match fact.kind {
        "opens_loss" => captures(&after, other) && !was_possible() && !answered(&after, own),
        "opens_capture" => captures(&after, other) && !was_possible() && answered(&after, own),
        "leaves_loss" => captures(&after, other) && was_possible() && !answered(&after, own),
        "leaves_capture" => captures(&after, other) && was_possible() && answered(&after, own),
        "retaken" => {
            before.at(played.1) == Some(other)
                && ends(text(fact, "by")).1 == played.1
                && captures(&after, other)
        }
        kind @ ("misses_free" | "misses_capture") => {
            ends(text(fact, "by")) == ends(&asked.better[0])
                && captures(&before, own)
                && answered(&before, other) == (kind == "misses_capture")
                && before.at(played.1) == Some('.')
        }
        "allows_fork" => {
            let (from, to) = ends(text(fact, "by"));
            after.steps(other).contains(&(from, to))
                && after.played((from, to)).is_forked(other, own)
        }
        "misses_fork" => {
            let better = ends(&asked.better[0]);
            ends(text(fact, "by")) == better
                && before.steps(own).contains(&better)
                && before.played(better).is_forked(own, other)
                && !(before.steps(own).contains(&played) && after.is_forked(own, other))
        }
        "misses_attack" => {
            let better = ends(&asked.better[0]);
            let built = before.played(better);
            let (_, to) = ends(text(fact, "by"));
            ends(text(fact, "move")) == better
                && captures(&built, own)
                && !answered(&built, other)
                && after.captures(own).iter().all(|one| one.1 != to)
        }
        kind @ ("fewer_guarded" | "longer_reach" | "shorter_reach") => {
            let better = ends(&asked.better[0]);
            let count = |grid: &Grid| match kind {
                "fewer_guarded" => grid.guarded(own, other),
                "longer_reach" => grid.walk(other).1.len() as i64,
                _ => grid.walk(own).1.len() as i64,
            };
            let [n, more] = [after.clone(), before.played(better)].map(|grid| count(&grid));
            [n, more] == [number(fact, "n"), number(fact, "better")]
                && ends(text(fact, "by")) == better
                && if kind == "longer_reach" { n > more } else { n < more }
        }
        kind @ ("line_loses" | "line_gains" | "line_lost" | "line_won") => {
            let mut grid = before.clone();
            for mv in text(fact, "line").split(' ') {
                grid = grid.played(ends(mv));
            }
            let lead = |grid: &Grid| grid.count(own) - grid.count(other);
            let gain = lead(&grid) - lead(&before);
            match kind {
                "line_loses" => gain == -number(fact, "n"),
                "line_gains" => gain == number(fact, "n"),
                // Who wins a game that is over is the referee's to say.
                _ => {
                    let mut session = asked.session.clone();
                    for mv in text(fact, "line").split(' ') {
                        session.play(mv).unwrap();
                    }
                    let outcome = session.outcome().expect("the line ends the game");
                    let result = outcome.for_first() * asked.session.to_move().sign();
                    result == if kind == "line_lost" { -1 } else { 1 }
                }
            }
        }
        kind => panic!("unknown: {kind}"),
    }
}
