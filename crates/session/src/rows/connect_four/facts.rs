//! What the rules of Connect Four say about a move: fours that can be completed,
//! fours that can be forced, and cells that a side needs for one.
//!
//! A row is odd or even counted from 1 at the bottom; by that one knows which
//! side a cell falls to when the rest of the board fills up.

use games::connect_four::{Cell, Column, ConnectFour, Word};
use games::{Game, Player};

use crate::drawing::Drawn;
use crate::facts::{Explained, Fact};

/// The attacker's moves of a forced win that is looked for.
const FORCED_MOVES: u32 = 5;

impl<W: Word> Explained for ConnectFour<W> {
    fn facts(&self, played: Column, better: Column) -> Vec<Fact> {
        let name = |column: Column| self.move_name(column);
        let (mover, other) = (self.to_move(), !self.to_move());
        let after = self.after(played);
        if after.outcome().is_some() {
            return Vec::new();
        }
        if let Some(column) = self.winning_moves().next() {
            return vec![Fact::new("misses_four").with("column", name(column))];
        }
        let fours = after.wins(other).map(|column| {
            let kind = if column == played { "opens_four" } else { "leaves_four" };
            Fact::new(kind).with("column", name(column)).with("row", after.height(column) + 1)
        });
        let mut facts: Vec<Fact> = fours.collect();
        if !facts.is_empty() {
            return facts;
        }
        let line = |line: Vec<Column>| line.into_iter().map(name).collect::<Vec<_>>().join(" ");
        if let Some(columns) = forced_four(&after) {
            facts.push(Fact::new("allows_forced").with("line", line(columns)));
        }
        if let Some(columns) = forced_four(self).filter(|line| line[0] != played) {
            facts.push(Fact::new("misses_forced").with("line", line(columns)));
        }
        let cell = |fact: Fact, cells: W| {
            let (column, row) = self.places(cells).next()?;
            let parity = if row % 2 == 0 { "odd" } else { "even" };
            let fact = fact.with("column", name(Column(column))).with("row", row + 1);
            Some(fact.with("parity", parity))
        };
        // The cell above the stone is within the opponent's reach now.
        let above = after.landing() & self.threats(mover);
        let above = above & !self.landing();
        facts.extend(cell(Fact::new("gives_up"), above));
        if played != better {
            let built = self.after(better);
            let own = built.threats(mover) & !self.threats(mover) & !after.threats(mover);
            let own = if built.outcome().is_some() { W::default() } else { own };
            facts.extend(cell(Fact::new("misses_threat").with("by", name(better)), own));
            if after.is_legal(better) {
                let reply = after.after(better);
                let theirs = reply.threats(other) & !after.threats(other);
                let theirs = if reply.outcome().is_some() { W::default() } else { theirs };
                facts.extend(cell(Fact::new("allows_threat").with("by", name(better)), theirs));
            }
        }
        facts
    }

    /// The fours that are still possible through the two stones, where the better one
    /// has more of its own, or blocks more of the opponent's.
    fn counts(&self, played: Column, better: Column) -> Vec<Fact> {
        let fact = |(kind, player)| {
            let [n, more] = [played, better].map(|column| fours_through(self, column, player));
            let fact = Fact::new(kind).with("by", self.move_name(better));
            (n < more).then(|| fact.with("n", n).with("better", more))
        };
        let kinds = [("fewer_fours", self.to_move()), ("blocks_fewer", !self.to_move())];
        kinds.into_iter().filter_map(fact).collect()
    }

    /// The stones change owners: who is to move then has the opponent's, with as
    /// many cells left to fill.
    fn passed(&self) -> Option<Self> {
        self.outcome().is_none().then(|| self.with_stones_exchanged())
    }
}

/// The fours of a player that are still possible and go through the cell in which
/// the next stone of a column comes to lie.
fn fours_through<W: Word>(game: &ConnectFour<W>, column: Column, player: Player) -> usize {
    let at = (i32::from(column.0), i32::from(game.height(column)));
    let (columns, rows) = (i32::from(game.columns()), i32::from(game.rows()));
    let open = |(x, y): (i32, i32)| {
        (0..columns).contains(&x)
            && (0..rows).contains(&y)
            && [Cell::Empty, Cell::Stone(player)].contains(&game.cell(x as u8, y as u8))
    };
    let lines = [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter();
    let fours = lines.flat_map(|(dx, dy)| (0..4).map(move |back| (dx, dy, back)));
    fours
        .filter(|&(dx, dy, back)| {
            (-back..4 - back).all(|n| n == 0 || open((at.0 + n * dx, at.1 + n * dy)))
        })
        .count()
}

/// The shortest line in which the side to move completes a four whatever the
/// opponent does: each of its moves but the last threatens one, so each answer in
/// the line is the only one that does not lose at once.
fn forced_four<W: Word>(game: &ConnectFour<W>) -> Option<Vec<Column>> {
    (2..=FORCED_MOVES).find_map(|moves| forced_within(game, moves))
}

fn forced_within<W: Word>(game: &ConnectFour<W>, moves: u32) -> Option<Vec<Column>> {
    let attacker = game.to_move();
    if let Some(column) = game.winning_moves().next() {
        return Some(vec![column]);
    }
    if moves < 2 {
        return None;
    }
    let columns = (0..game.columns()).map(Column).filter(|&column| game.is_legal(column));
    for column in columns {
        let after = game.after(column);
        if after.outcome().is_some() || !after.winning_moves().is_empty() {
            continue;
        }
        let mut threats = after.wins(attacker);
        let Some(block) = threats.next() else { continue };
        let next = after.after(block);
        if next.outcome().is_some() {
            continue;
        }
        if let Some(rest) = forced_within(&next, moves - 1) {
            return Some([vec![column, block], rest].concat());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::open;

    fn facts(moves: &str, played: &str, better: &str) -> String {
        let mut session = open(&"connect-four".parse().unwrap());
        session.play(moves).unwrap();
        let line = |mv: &str| vec![mv.to_owned()];
        let facts = session.explain(&line(played), &line(better));
        serde_json::to_string(&facts).unwrap()
    }

    #[test]
    fn fours_are_seen_first() {
        assert_eq!(facts("112233", "1", "4"), r#"[{"kind":"misses_four","column":"4"}]"#);
        assert_eq!(facts("11223", "1", "4"), r#"[{"kind":"leaves_four","column":"4","row":1}]"#);
    }

    #[test]
    fn an_open_three_is_forced() {
        let told = facts("443", "7", "2");
        assert!(told.contains("allows_forced"), "{told}");
    }
}
