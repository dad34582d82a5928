//! The atlas of Connect Four: what the empty board is worth, for every size and
//! every hole.
//!
//! A line of its file is one board, solved from the start, with tabs between the
//! fields: the board, First's value (+k: First wins with its k-th last stone, -k:
//! Second does), the stone that ends the game with best play, all best first
//! columns, and the nodes it took. A board and its mirror image are one line. This
//! module reads and writes lines and draws a size as a heat map; it solves nothing.

use std::fmt::{self, Write};
use std::str::FromStr;

use games::TextError;
use games::connect_four::Setup;

/// The first line of an atlas.
const HEAD: &str = "board\tvalue\tlast\tbest\tnodes";

/// One solved board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtlasLine {
    /// The board, with its hole in the left half.
    pub setup: Setup,
    /// First's value, the published score.
    pub value: i32,
    /// The number of the last stone with best play.
    pub last: u32,
    /// All best first columns, counted from 1.
    pub best: Vec<u32>,
    /// Nodes of the solve.
    pub nodes: u64,
}

/// A board's text. That of a setup leaves the standard size out.
pub fn board_text(setup: &Setup) -> String {
    let size = format!("{}x{}", setup.columns, setup.rows);
    match setup.hole {
        Some((column, row)) => format!("{size} hole={},{}", column + 1, row + 1),
        None => size,
    }
}

impl fmt::Display for AtlasLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let best: Vec<String> = self.best.iter().map(u32::to_string).collect();
        let (board, best) = (board_text(&self.setup), best.join(","));
        write!(f, "{board}\t{:+}\t{}\t{best}\t{}", self.value, self.last, self.nodes)
    }
}

impl FromStr for AtlasLine {
    type Err = TextError;

    fn from_str(line: &str) -> Result<AtlasLine, TextError> {
        let bad = || {
            TextError::new(format!("'{line}' is no line of an atlas: it has five fields with tabs"))
        };
        let [board, value, last, best, nodes] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(bad());
        };
        let best: Result<Vec<u32>, _> = best.split(',').map(str::parse).collect();
        Ok(AtlasLine {
            setup: board.parse()?,
            value: value.parse().map_err(|_| bad())?,
            last: last.parse().map_err(|_| bad())?,
            best: best.map_err(|_| bad())?,
            nodes: nodes.parse().map_err(|_| bad())?,
        })
    }
}

/// The lines of an atlas.
pub fn read(text: &str) -> Result<Vec<AtlasLine>, TextError> {
    text.lines().filter(|line| !line.is_empty() && *line != HEAD).map(str::parse).collect()
}

/// An atlas of these lines: by size, then without a hole, then by hole.
pub fn write(lines: &[AtlasLine]) -> String {
    let mut lines: Vec<&AtlasLine> = lines.iter().collect();
    lines.sort_by_key(|line| order(&line.setup));
    let mut text = format!("{HEAD}\n");
    for line in lines {
        let _ = writeln!(text, "{line}"); // a string takes every line
    }
    text
}

/// By cells, columns and hole.
fn order(setup: &Setup) -> (u16, u8, Option<(u8, u8)>) {
    (u16::from(setup.columns) * u16::from(setup.rows), setup.columns, setup.hole)
}

/// Every board of up to so many cells, the hole counted, in the order of an atlas:
/// without a hole, and with one in the left half or the middle column.
pub fn boards(cells: u32) -> Vec<Setup> {
    let sizes = (4..=12u8).flat_map(|columns| (4..=12u8).map(move |rows| (columns, rows)));
    let sizes = sizes.filter(|&(columns, rows)| u32::from(columns) * u32::from(rows) <= cells);
    let mut boards: Vec<Setup> = sizes
        .flat_map(|(columns, rows)| {
            let holes = (0..columns.div_ceil(2))
                .flat_map(move |column| (0..rows).map(move |row| Some((column, row))));
            [None].into_iter().chain(holes).map(move |hole| Setup { columns, rows, hole })
        })
        .collect();
    boards.sort_by_key(order);
    boards
}

/// The side of a cell, and the room around the board, in units of the picture.
const CELL: u32 = 48;
const MARGIN: u32 = 8;

/// A size as a picture: each cell shows what the board is worth with its hole there,
/// below it the board without a hole. Cells that are not solved are white.
pub fn heat_map(columns: u8, rows: u8, lines: &[AtlasLine]) -> String {
    let (width, height) =
        (u32::from(columns) * CELL + 2 * MARGIN, u32::from(rows) * CELL + 2 * MARGIN + 24);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n"
    );
    let of = |hole: Option<(u8, u8)>| {
        lines.iter().find(|line| line.setup == Setup { columns, rows, hole })
    };
    for row in 0..rows {
        for column in 0..columns {
            // The right half is the mirror image of the left.
            let line = of(Some((column.min(columns - 1 - column), row)));
            let (x, y) =
                (MARGIN + u32::from(column) * CELL, MARGIN + u32::from(rows - 1 - row) * CELL);
            let colour =
                line.map_or("#ffffff".to_owned(), |line| colour(line.value, columns, rows));
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\" \
                 stroke=\"#555\"/>"
            );
            if let Some(line) = line {
                let (x, y) = (x + CELL / 2, y + CELL / 2 + 6);
                let _ = writeln!(
                    svg,
                    "<text x=\"{x}\" y=\"{y}\" font-size=\"16\">{}</text>",
                    signed(line.value)
                );
            }
        }
    }
    let whole = of(None).map_or("not solved".to_owned(), |line| signed(line.value));
    let (x, y) = (width / 2, height - MARGIN);
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"14\">{columns} x {rows}, without a hole {whole}</text>\n</svg>"
    );
    svg
}

fn signed(value: i32) -> String {
    if value == 0 { "0".to_owned() } else { format!("{value:+}") }
}

/// Blue where First wins, red where Second does, the stronger the sooner; grey for a
/// draw.
fn colour(value: i32, columns: u8, rows: u8) -> String {
    let most = (i32::from(columns) * i32::from(rows) / 4).max(1);
    let strength = value.abs().min(most) * 120 / most;
    let (full, faded) = (255 - strength / 3, 215 - strength);
    match value.signum() {
        1 => format!("#{faded:02x}{:02x}{full:02x}", faded + 20),
        -1 => format!("#{full:02x}{:02x}{faded:02x}", faded + 5),
        _ => "#dddddd".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_and_boards_are_met_once() {
        let line: AtlasLine = "5x4 hole=3,1\t-2\t16\t2,4\t7129".parse().unwrap();
        assert_eq!((line.setup.hole, line.value, &line.best[..]), (Some((2, 0)), -2, &[2, 4][..]));
        let text = write(std::slice::from_ref(&line));
        assert_eq!(read(&text).unwrap(), [line]);
        for bad in ["", "5x4\t1", "5x4\tx\t1\t1\t1", "3x4\t1\t1\t1\t1", "5x4\t1\t1\t\t1"] {
            assert!(bad.parse::<AtlasLine>().is_err(), "{bad}");
        }
        let all = boards(42);
        let standard = all.iter().filter(|setup| (setup.columns, setup.rows) == (7, 6));
        assert_eq!(standard.count(), 1 + 24, "24 classes of holes by mirror image");
        assert_eq!(
            all.len(),
            all.iter().map(board_text).collect::<std::collections::HashSet<_>>().len()
        );
        assert_eq!(board_text(&all[0]), "4x4");
    }

    #[test]
    fn a_picture_shows_both_halves() {
        let line: AtlasLine = "5x4 hole=1,4\t+3\t15\t3\t9".parse().unwrap();
        let picture = heat_map(5, 4, &[line]);
        assert_eq!(picture.matches("<rect").count(), 20);
        assert_eq!(picture.matches(">+3<").count(), 2);
        assert!(picture.contains("not solved"));
    }
}
