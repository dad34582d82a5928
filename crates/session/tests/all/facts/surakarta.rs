//! Surakarta on a grid of letters, with captures walked point by point and the
//! loops of the drawing written down.

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
        let mut found = Vec::new();
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
        found
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
