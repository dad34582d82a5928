//! Connect Four on a grid of characters.

use session::{Fact, Session};

use super::{Asked, number, text};

pub const GAMES: &[&str] = &["connect-four", "connect-four 6x5", "connect-four 7x7 hole=4,3"];
pub const COMMON: &[&str] = &[
    "misses_four",
    "leaves_four",
    "opens_four",
    "allows_forced",
    "misses_forced",
    "gives_up",
    "misses_threat",
    "allows_threat",
    "fewer_fours",
    "blocks_fewer",
];

/// Rows from the bottom, columns from the left.
#[derive(Clone)]
struct Grid(Vec<Vec<char>>);

impl Grid {
    fn of(session: &Session) -> Grid {
        let columns = session.geometry().width as usize;
        let cells: Vec<char> = session.view().cells.chars().collect();
        Grid(cells.chunks(columns).rev().map(<[char]>::to_vec).collect())
    }

    fn landing(&self, column: usize) -> Option<usize> {
        (0..self.0.len()).find(|&row| self.0[row][column] == '.')
    }

    fn columns(&self) -> Vec<usize> {
        (0..self.0[0].len()).filter(|&column| self.landing(column).is_some()).collect()
    }

    fn dropped(&self, column: usize, who: char) -> Grid {
        self.filled(column, self.landing(column).unwrap(), who)
    }

    fn filled(&self, column: usize, row: usize, who: char) -> Grid {
        let mut next = self.clone();
        next.0[row][column] = who;
        next
    }

    fn has_four(&self, who: char) -> bool {
        let at = |column: i32, row: i32| {
            let line = usize::try_from(row).ok().and_then(|row| self.0.get(row));
            let cell = line.and_then(|line| line.get(usize::try_from(column).ok()?));
            cell == Some(&who)
        };
        let (rows, columns) = (self.0.len() as i32, self.0[0].len() as i32);
        (0..rows).any(|row| {
            (0..columns).any(|column| {
                [(1, 0), (0, 1), (1, 1), (1, -1)]
                    .iter()
                    .any(|(dx, dy)| (0..4).all(|n| at(column + dx * n, row + dy * n)))
            })
        })
    }

    /// Whether a stone on this empty cell would complete a four.
    fn is_threat(&self, column: usize, row: usize, who: char) -> bool {
        self.0[row][column] == '.' && self.filled(column, row, who).has_four(who)
    }

    /// The fours of `who` through the next stone of a column, if nothing but stones of
    /// `who` were added.
    fn possible_fours(&self, column: usize, who: char) -> i64 {
        let row = self.landing(column).unwrap();
        let cells = |(dx, dy): (i32, i32), from: (i32, i32)| {
            [0, 1, 2, 3].map(|n| (from.0 + dx * n, from.1 + dy * n))
        };
        let (rows, columns) = (self.0.len() as i32, self.0[0].len() as i32);
        let mut count = 0;
        for direction in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for from in (0..columns).flat_map(|x| (0..rows).map(move |y| (x, y))) {
                let four = cells(direction, from);
                let inside = four.iter().all(|&(x, y)| x < columns && (0..rows).contains(&y));
                let free =
                    |&(x, y): &(i32, i32)| ['.', who].contains(&self.0[y as usize][x as usize]);
                let through = four.contains(&(column as i32, row as i32));
                count += i64::from(inside && through && four.iter().all(free));
            }
        }
        count
    }

    fn wins_at_once(&self, who: char) -> bool {
        self.columns().iter().any(|&column| self.dropped(column, who).has_four(who))
    }

    /// Whether a line forces a four for `who`, who is to move: every answer that
    /// the line does not have loses at once.
    fn is_forced(&self, line: &[usize], who: char, other: char) -> bool {
        let Some((&first, rest)) = line.split_first() else { return false };
        let after = self.dropped(first, who);
        if after.has_four(who) {
            return rest.is_empty();
        }
        let Some((&expected, rest)) = rest.split_first() else { return false };
        !after.columns().is_empty()
            && after.columns().into_iter().all(|answer| {
                let next = after.dropped(answer, other);
                !next.has_four(other)
                    && match answer == expected {
                        true => next.is_forced(rest, who, other),
                        false => next.wins_at_once(who),
                    }
            })
    }
}

fn column(name: &str) -> usize {
    name.parse::<usize>().unwrap() - 1
}

/// A move's text names column 10 by a letter.
fn column_of(mv: &str) -> usize {
    usize::from_str_radix(mv, 36).unwrap() - 1
}

fn columns(fact: &Fact) -> Vec<usize> {
    text(fact, "line").split(' ').map(column).collect()
}

pub fn holds(asked: &Asked, fact: &Fact) -> bool {
    let before = Grid::of(asked.session);
    let (own, other) = match asked.session.to_move() {
        games::Player::First => ('1', '2'),
        games::Player::Second => ('2', '1'),
    };
    let (played, better) = (column_of(&asked.played[0]), column_of(&asked.better[0]));
    let after = before.dropped(played, own);
    let place = || column(text(fact, "column"));
    let row = || number(fact, "row") as usize - 1;
    let parity = || text(fact, "parity") == ["odd", "even"][row() % 2];
    match fact.kind {
        "misses_four" => before.dropped(place(), own).has_four(own) && !after.has_four(own),
        "leaves_four" => {
            place() != played
                && after.landing(place()) == Some(row())
                && after.dropped(place(), other).has_four(other)
                && before.dropped(place(), other).has_four(other)
        }
        "opens_four" => {
            place() == played
                && after.landing(place()) == Some(row())
                && after.dropped(place(), other).has_four(other)
        }
        "allows_forced" => after.is_forced(&columns(fact), other, own),
        "misses_forced" => {
            columns(fact)[0] != played && before.is_forced(&columns(fact), own, other)
        }
        "gives_up" => {
            parity()
                && before.is_threat(place(), row(), own)
                && before.landing(place()) != Some(row())
                && after.landing(place()) == Some(row())
        }
        "misses_threat" => {
            let built = before.dropped(better, own);
            parity()
                && column(text(fact, "by")) == better
                && built.is_threat(place(), row(), own)
                && !before.is_threat(place(), row(), own)
                && !after.is_threat(place(), row(), own)
        }
        "allows_threat" => {
            let built = after.dropped(better, other);
            parity()
                && column(text(fact, "by")) == better
                && built.is_threat(place(), row(), other)
                && !after.is_threat(place(), row(), other)
        }
        kind @ ("fewer_fours" | "blocks_fewer") => {
            let who = if kind == "fewer_fours" { own } else { other };
            let [n, more] = [played, better].map(|column| before.possible_fours(column, who));
            n < more
                && [n, more] == [number(fact, "n"), number(fact, "better")]
                && column(text(fact, "by")) == better
        }
        kind @ ("line_lost" | "line_won") => {
            let mut grid = before;
            let sides = [own, other];
            for (i, column) in columns(fact).into_iter().enumerate() {
                grid = grid.dropped(column, sides[i % 2]);
            }
            grid.has_four(if kind == "line_lost" { other } else { own })
        }
        kind => panic!("unknown: {kind}"),
    }
}
