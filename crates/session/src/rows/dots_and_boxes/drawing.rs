//! The board of Dots and Boxes: edges to touch, boxes with owners, chains.

use games::dots_and_boxes::{DotsAndBoxes, Edge, Place as EdgePlace, Setup, edges_of};
use games::{Game, Player, Text, TextError};
use serde_json::{Value, json};

use crate::drawing::{Drawn, EditedBoard, Geometry, LINE, Place, View, colour, fields, mark};

impl Drawn for DotsAndBoxes {
    /// `across` of a place: whether the edge is horizontal.
    fn geometry(&self) -> Geometry {
        let setup = self.setup();
        let place = |number: usize| {
            let edge = Edge(number as u8);
            let (row, column, across) = match setup.place(edge).expect("on the board") {
                EdgePlace::Horizontal(row, column) => (row, column, true),
                EdgePlace::Vertical(row, column) => (row, column, false),
            };
            let (dx, dy) = if across { (0.5, 0.0) } else { (0.0, 0.5) };
            Place {
                id: number.to_string(),
                name: self.move_name(edge),
                x: column as f64 + 0.5 + dx,
                y: row as f64 + 0.5 + dy,
                more: fields(json!({ "across": across })),
            }
        };
        Geometry {
            kind: super::ROW.name,
            width: f64::from(setup.columns) + 1.0,
            height: f64::from(setup.rows) + 1.0,
            places: (0..setup.edges()).map(place).collect(),
            more: fields(json!({ "rows": setup.rows, "columns": setup.columns })),
        }
    }

    /// `edges`: `1` for each drawn edge, else `0`. `chains`: the chains and loops,
    /// each with the numbers of its boxes, its undrawn edges, whether it closes
    /// (`ring`), whether the long chain rule counts it (`long`), and whether its
    /// first box can be taken at once (`open`).
    fn view(&self, _before: Option<(&DotsAndBoxes, Edge)>) -> View {
        let setup = self.setup();
        let chains: Vec<Value> = self
            .chains()
            .iter()
            .map(|chain| {
                let boxes: Vec<usize> =
                    (0..setup.boxes()).filter(|&n| chain.boxes >> n & 1 != 0).collect();
                let edges: Vec<String> =
                    edges_of(chain.edges).map(|edge| edge.to_string()).collect();
                json!({
                    "boxes": boxes, "edges": edges, "ring": chain.is_loop(),
                    "long": chain.is_long(), "open": chain.open_ends() > 0,
                })
            })
            .collect();
        let edges: String = (0..setup.edges())
            .map(|number| if self.drawn() >> number & 1 != 0 { '1' } else { '0' })
            .collect();
        let mut more = fields(json!({ "edges": edges }));
        if !chains.is_empty() {
            more.insert("chains".to_owned(), json!(chains));
        }
        View {
            cells: (0..setup.boxes())
                .map(|number| match self.owner(number) {
                    None if self.closed() >> number & 1 != 0 => '#',
                    owner => mark(owner),
                })
                .collect(),
            score: Some(self.score()),
            more,
            ..View::default()
        }
    }

    fn from_board(setup: &Setup, board: &EditedBoard) -> Result<DotsAndBoxes, TextError> {
        let mask = |text: &str, sign: char| {
            let set = text.chars().enumerate().filter(|&(n, c)| n < 128 && c == sign);
            set.fold(0u128, |mask, (n, _)| mask | 1 << n)
        };
        let side = if board.mover() == Player::First { "first" } else { "second" };
        let [drawn, first, second] =
            [mask(&board.edges, '1'), mask(&board.cells, '1'), mask(&board.cells, '2')];
        DotsAndBoxes::parse(setup, &format!("{drawn:x} {side} {first:x} {second:x}"))
    }

    fn shapes(&self, geometry: &Geometry, view: &View) -> String {
        let setup = self.setup();
        let mut shapes = String::new();
        for (number, cell) in view.cells.chars().enumerate() {
            let columns = usize::from(setup.columns);
            let (x, y) = ((number % columns) as f64 + 0.5, (number / columns) as f64 + 0.5);
            if let Some(fill) = colour(cell) {
                shapes += &format!(
                    "<rect x='{x}' y='{y}' width='1' height='1' fill='{fill}' fill-opacity='0.6'/>"
                );
            }
        }
        for (number, place) in geometry.places.iter().enumerate() {
            if self.drawn() >> number & 1 == 0 {
                continue;
            }
            let across = place.more.get("across") == Some(&Value::Bool(true));
            let (dx, dy) = if across { (0.5, 0.0) } else { (0.0, 0.5) };
            let stroke = if view.last.contains(&place.id) { "#2f7d4f" } else { LINE };
            let Place { x, y, .. } = place;
            shapes += &format!(
                "<line x1='{}' y1='{}' x2='{}' y2='{}' stroke='{stroke}' stroke-width='0.09'/>",
                x - dx,
                y - dy,
                x + dx,
                y + dy
            );
        }
        for row in 0..=setup.rows {
            for column in 0..=setup.columns {
                let (x, y) = (f64::from(column) + 0.5, f64::from(row) + 0.5);
                shapes += &format!("<circle cx='{x}' cy='{y}' r='0.09' fill='{LINE}'/>");
            }
        }
        shapes
    }

    fn move_name(&self, edge: Edge) -> String {
        self.edge_name(edge).unwrap_or_else(|| self.move_text(edge))
    }
}

#[cfg(test)]
mod tests {
    use crate::drawing::EditedBoard;
    use crate::open;

    #[test]
    fn a_board_is_edited_or_refused_in_a_sentence() {
        let mut session = open(&"dots-and-boxes 2x2".parse().unwrap());
        session.play("a3h a2h a2v b2v b3h").unwrap();
        let (position, view) = (session.position(), session.view());
        let edges = view.more["edges"].as_str().unwrap().to_owned();
        let board = EditedBoard { cells: view.cells, edges, to_move: session.to_move() as usize };
        session.set_board(&board).unwrap();
        assert_eq!(session.position(), position);
        let open = EditedBoard { cells: "...2".to_owned(), ..board };
        let error = session.set_board(&open).unwrap_err().to_string();
        assert!(error.contains("3"), "{error}");
    }

    #[test]
    fn boxes_have_owners_and_chains() {
        let mut session = open(&"dots-and-boxes 1x2".parse().unwrap());
        assert_eq!(session.line(&["0".to_owned()])[0].name, "a2h");
        session.play("a1h a2h a1v b1v").unwrap();
        let view = session.view();
        assert_eq!((view.cells.as_str(), view.score), ("2.", Some([0, 1])));
        assert_eq!(view.more["edges"].as_str().unwrap().matches('1').count(), 4);
    }
}
