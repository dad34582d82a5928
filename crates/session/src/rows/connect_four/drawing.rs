//! The board of Connect Four: columns to touch, cells that stones fall into.

use games::connect_four::{Cell, Column, ConnectFour, Setup, Word};
use games::{Game, Player, Text, TextError};
use serde_json::json;

use crate::drawing::{Drawn, EditedBoard, Geometry, Place, View, colour, fields, mark};

impl<W: Word> Drawn for ConnectFour<W> {
    fn geometry(&self) -> Geometry {
        let setup = self.setup();
        let place = |column: u8| Place {
            id: char::from(b"123456789abc"[usize::from(column)]).to_string(),
            name: self.move_name(Column(column)),
            x: f64::from(column) + 0.5,
            y: f64::from(setup.rows) / 2.0,
            more: Default::default(),
        };
        Geometry {
            kind: super::ROW.name,
            width: setup.columns.into(),
            height: setup.rows.into(),
            places: (0..setup.columns).map(place).collect(),
            more: fields(json!({ "rows": setup.rows, "columns": setup.columns })),
        }
    }

    /// `landed`: the cell in which the last stone came to lie. `four`: the cells
    /// of the four in a row that ended the game.
    fn view(&self, before: Option<(&Self, Column)>) -> View {
        let setup = self.setup();
        let rows = (0..setup.rows).rev();
        let cells: Vec<char> = rows
            .flat_map(|row| (0..setup.columns).map(move |column| (column, row)))
            .map(|(column, row)| match self.cell(column, row) {
                Cell::Stone(player) => mark(Some(player)),
                Cell::Hole => '#',
                Cell::Empty => '.',
            })
            .collect();
        let mut more = serde_json::Map::new();
        if let Some(cell) = before.and_then(|(game, column)| game.landing_cell(column)) {
            more.insert("landed".to_owned(), json!(cell));
        }
        let four = lines_of_four(&cells, setup.columns.into(), setup.rows.into());
        if !four.is_empty() {
            more.insert("four".to_owned(), json!(four));
        }
        View { cells: cells.into_iter().collect(), more, ..View::default() }
    }

    fn move_name(&self, column: Column) -> String {
        (column.0 + 1).to_string()
    }

    fn from_board(setup: &Setup, board: &EditedBoard) -> Result<Self, TextError> {
        let (columns, rows) = (usize::from(setup.columns), usize::from(setup.rows));
        if board.cells.chars().count() != columns * rows {
            return Err(TextError::new(format!(
                "this board has {rows} rows of {columns} cells, not {} cells",
                board.cells.chars().count()
            )));
        }
        let side = if board.mover() == Player::First { 'x' } else { 'o' };
        let rows = board.rows(setup.columns.into(), ['x', 'o', '.', '#']);
        Self::parse(setup, &format!("{rows} {side}"))
    }

    fn shapes(&self, geometry: &Geometry, view: &View) -> String {
        let (width, height) = (geometry.width, geometry.height);
        let mut shapes =
            format!("<rect width='{width}' height='{height}' rx='0.2' fill='#3b6ea8'/>");
        let columns = usize::from(self.setup().columns);
        let landed = view.more.get("landed").and_then(serde_json::Value::as_u64);
        for (i, cell) in view.cells.chars().enumerate() {
            let (x, y) = ((i % columns) as f64 + 0.5, (i / columns) as f64 + 0.5);
            let fill = match cell {
                '#' => "#1d3a5c",
                cell => colour(cell).unwrap_or("#f2f2f2"),
            };
            let ring = if landed == Some(i as u64) { " stroke='#222' stroke-width='0.06'" } else { "" };
            shapes += &format!("<circle cx='{x}' cy='{y}' r='0.4' fill='{fill}'{ring}/>");
        }
        shapes
    }

    fn landing_cell(&self, column: Column) -> Option<usize> {
        let setup = self.setup();
        let from_top = (setup.rows - 1).checked_sub(self.height(column))?;
        Some(usize::from(from_top) * usize::from(setup.columns) + usize::from(column.0))
    }
}

/// The cells of every line of four or more equal stones.
fn lines_of_four(cells: &[char], columns: usize, rows: usize) -> Vec<usize> {
    let stone = |column: usize, row: usize| {
        let on = column < columns && row < rows;
        on.then(|| cells[row * columns + column]).filter(|c| matches!(c, '1' | '2'))
    };
    let mut found = Vec::new();
    for start in 0..columns * rows {
        let (column, row) = (start % columns, start / columns);
        let Some(colour) = stone(column, row) else { continue };
        for (dc, dr) in [(1, 0), (0, 1), (1, 1), (usize::MAX, 1)] {
            let step =
                |n: usize| (column.wrapping_add(dc.wrapping_mul(n)), row.wrapping_add(dr * n));
            if (1..4).all(|n| stone(step(n).0, step(n).1) == Some(colour)) {
                found.extend((0..4).map(|n| step(n).1 * columns + step(n).0));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open;

    fn of(game: &str, moves: &str) -> View {
        let mut session = open(&game.parse().unwrap());
        session.play(moves).unwrap();
        session.view()
    }

    #[test]
    fn a_stone_lands_beside_the_hole() {
        let view = of("connect-four 5x4 hole=3,1", "3 3 4 4");
        assert_eq!(view.cells, ".....|..2..|..12.|..#1.".replace('|', ""));
    }

    #[test]
    fn a_stone_lands_where_it_was_said_to() {
        let mut session = open(&"connect-four 12x5 hole=11,2".parse().unwrap());
        for mv in ["b", "b", "b", "1", "c", "b"] {
            let before = session.view().cells;
            let landing = session.line(&[mv.to_owned()])[0].landing;
            session.play(mv).unwrap();
            let view = session.view();
            let changed = before.chars().zip(view.cells.chars()).position(|(old, new)| old != new);
            assert_eq!(landing, changed);
            assert_eq!(view.more["landed"], json!(changed));
        }
    }

    #[test]
    fn a_board_is_edited_or_refused_in_a_sentence() {
        let mut session = open(&"connect-four 5x4 hole=3,1".parse().unwrap());
        session.play("3 3 4 4").unwrap();
        let (position, cells) = (session.position(), session.view().cells);
        let board = |cells: &str, to_move| EditedBoard {
            cells: cells.to_owned(),
            edges: String::new(),
            to_move,
        };
        session.set_board(&board(&cells, 0)).unwrap();
        assert_eq!(session.position(), position);
        for (cells, to_move, part) in [
            (cells.as_str(), 1, "there must be one x more"),
            (".....|1.2..|..12.|..#1.", 0, "hangs in the air"),
            (".....|..2..|..12.|1.11.", 0, "no stone can lie in the hole"),
            ("..", 0, "rows"),
        ] {
            let error = session.set_board(&board(&cells.replace('|', ""), to_move)).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn four_in_a_row_is_found_on_the_edge() {
        let view = of("connect-four", "1 2 1 2 1 2 1");
        assert_eq!(view.more["four"], json!([14, 21, 28, 35]));
        assert_eq!(view.more["landed"], json!(14));
    }
}
