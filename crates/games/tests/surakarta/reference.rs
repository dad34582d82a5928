//! Surakarta a second time, slowly and plainly, sharing nothing with the fast
//! one: a board of letters, paths walked point by point with a direction, arcs
//! written down from the drawing, and its own end rules and history.

use std::collections::BTreeSet;

/// What the tests vary, in plain words.
#[derive(Clone, Debug)]
pub struct Rules {
    pub quiet: u32,
    pub repetition: u32,
    pub cap: u32,
    pub stall_is_draw: bool,
    pub repeater_loses: bool,
    pub nomove_counts: bool,
    pub standoff: bool,
}

impl Rules {
    pub fn usual() -> Rules {
        Rules {
            quiet: 100,
            repetition: 3,
            cap: 0,
            stall_is_draw: false,
            repeater_loses: false,
            nomove_counts: false,
            standoff: false,
        }
    }
}

/// (row, column), row 0 on top.
pub type Place = (usize, usize);

#[derive(Clone, Debug, PartialEq)]
pub struct Slow {
    /// `b`, `w` or `.`.
    pub board: [[char; 6]; 6],
    pub to_move: char,
    pub quiet: u32,
}

/// The end of a game: the winner's letter, or `=`, and the reason's words.
pub type End = (char, &'static str);

impl Slow {
    /// Reads the one-line form without digits' help: expands them first.
    pub fn read(text: &str) -> Slow {
        let mut words = text.split(' ');
        let mut board = [['.'; 6]; 6];
        for (row, line) in words.next().unwrap().split('/').enumerate() {
            let mut column = 0;
            for c in line.chars() {
                match c.to_digit(10) {
                    Some(n) => column += n as usize,
                    None => {
                        board[row][column] = c;
                        column += 1;
                    }
                }
            }
        }
        let to_move = words.next().unwrap().chars().next().unwrap();
        let quiet = words.next().map_or(0, |n| n.parse().unwrap());
        Slow { board, to_move, quiet }
    }

    fn enemy(side: char) -> char {
        if side == 'b' { 'w' } else { 'b' }
    }

    fn pieces(&self, side: char) -> Vec<Place> {
        let all = (0..6).flat_map(|r| (0..6).map(move |c| (r, c)));
        all.filter(|&(r, c)| self.board[r][c] == side).collect()
    }

    fn steps(&self, side: char) -> BTreeSet<(Place, Place)> {
        let mut found = BTreeSet::new();
        for (r, c) in self.pieces(side) {
            for dr in -1i32..=1 {
                for dc in -1i32..=1 {
                    let (nr, nc) = (r as i32 + dr, c as i32 + dc);
                    if (0..6).contains(&nr)
                        && (0..6).contains(&nc)
                        && self.board[nr as usize][nc as usize] == '.'
                    {
                        found.insert(((r, c), (nr as usize, nc as usize)));
                    }
                }
            }
        }
        found
    }

    /// Where one goes on, and in which direction, when walking off the board at
    /// this place; `None` where there is no arc. From the drawing: the ends of
    /// lines 1 and 4 and of lines 2 and 3 are joined round each corner.
    fn arc(place: Place, direction: (i32, i32)) -> Option<(Place, (i32, i32))> {
        let (r, c) = place;
        match direction {
            (0, -1) => match r {
                1 => Some(((0, 1), (1, 0))),
                2 => Some(((0, 2), (1, 0))),
                3 => Some(((5, 2), (-1, 0))),
                4 => Some(((5, 1), (-1, 0))),
                _ => None,
            },
            (0, 1) => match r {
                1 => Some(((0, 4), (1, 0))),
                2 => Some(((0, 3), (1, 0))),
                3 => Some(((5, 3), (-1, 0))),
                4 => Some(((5, 4), (-1, 0))),
                _ => None,
            },
            (-1, 0) => match c {
                1 => Some(((1, 0), (0, 1))),
                2 => Some(((2, 0), (0, 1))),
                3 => Some(((2, 5), (0, -1))),
                4 => Some(((1, 5), (0, -1))),
                _ => None,
            },
            (1, 0) => match c {
                1 => Some(((4, 0), (0, 1))),
                2 => Some(((3, 0), (0, 1))),
                3 => Some(((3, 5), (0, -1))),
                4 => Some(((4, 5), (0, -1))),
                _ => None,
            },
            _ => unreachable!("four directions"),
        }
    }

    pub fn captures(&self, side: char) -> BTreeSet<(Place, Place)> {
        let mut found = BTreeSet::new();
        for from in self.pieces(side) {
            for start in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                let (mut place, mut direction, mut arcs) = (from, start, 0);
                loop {
                    let (r, c) = (place.0 as i32 + direction.0, place.1 as i32 + direction.1);
                    if (0..6).contains(&r) && (0..6).contains(&c) {
                        place = (r as usize, c as usize);
                    } else if let Some((next, turned)) = Slow::arc(place, direction) {
                        (place, direction) = (next, turned);
                        arcs += 1;
                    } else {
                        break;
                    }
                    if place == from {
                        if direction == start {
                            break; // one full lap
                        }
                        continue; // the starting point counts as empty
                    }
                    let met = self.board[place.0][place.1];
                    if met == '.' {
                        continue;
                    }
                    if met != side && arcs > 0 {
                        found.insert((from, place));
                    }
                    break;
                }
            }
        }
        found
    }

    pub fn count(&self) -> char {
        let (b, w) = (self.pieces('b').len(), self.pieces('w').len());
        match b.cmp(&w) {
            std::cmp::Ordering::Greater => 'b',
            std::cmp::Ordering::Less => 'w',
            std::cmp::Ordering::Equal => '=',
        }
    }

    fn stalled(&self, rules: &Rules) -> char {
        if rules.stall_is_draw { '=' } else { self.count() }
    }

    /// How this position ends the game by itself.
    pub fn end(&self, rules: &Rules) -> Option<End> {
        for side in ['b', 'w'] {
            if self.pieces(side).is_empty() {
                return Some((Slow::enemy(side), "wiped out"));
            }
        }
        let mover = self.to_move;
        if self.steps(mover).is_empty() && self.captures(mover).is_empty() {
            let winner = if rules.nomove_counts { self.count() } else { Slow::enemy(mover) };
            return Some((winner, "no move"));
        }
        if rules.quiet > 0 && self.quiet >= rules.quiet {
            return Some((self.stalled(rules), "count after quiet plies"));
        }
        let total = self.pieces('b').len() + self.pieces('w').len();
        if rules.standoff
            && total < 24
            && self.captures('b').is_empty()
            && self.captures('w').is_empty()
        {
            return Some((self.count(), "nobody can capture"));
        }
        None
    }

    pub fn moves(&self, rules: &Rules) -> BTreeSet<(Place, Place)> {
        if self.end(rules).is_some() {
            return BTreeSet::new();
        }
        self.steps(self.to_move).union(&self.captures(self.to_move)).copied().collect()
    }

    pub fn play(&self, (from, to): (Place, Place)) -> Slow {
        let mut next = self.clone();
        let quiet = next.board[to.0][to.1] == '.';
        next.board[to.0][to.1] = next.board[from.0][from.1];
        next.board[from.0][from.1] = '.';
        next.to_move = Slow::enemy(self.to_move);
        next.quiet = if quiet { self.quiet + 1 } else { 0 };
        next
    }
}

/// How a whole game has ended at its last position, history included.
pub fn end_of_game(game: &[Slow], rules: &Rules) -> Option<End> {
    let last = game.last().unwrap();
    if let Some(end) = last.end(rules) {
        return Some(end);
    }
    let same = |other: &&Slow| other.board == last.board && other.to_move == last.to_move;
    let times = game.iter().filter(same).count() as u32;
    if rules.repetition > 0 && times >= rules.repetition {
        // The side to move now did not bring the position about.
        let winner = if rules.repeater_loses { last.to_move } else { last.stalled(rules) };
        return Some((winner, "repetition"));
    }
    if rules.cap > 0 && game.len() as u32 > rules.cap {
        return Some((last.count(), "move cap"));
    }
    None
}
