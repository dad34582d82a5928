//! The board of Dots and Boxes: edges to touch, boxes with owners, chains.

use games::dots_and_boxes::{DotsAndBoxes, Edge, Place as EdgePlace, edges_of};
use games::{Game, Text};
use serde_json::{Value, json};

use crate::drawing::{Drawn, Geometry, Place, View, fields, mark};

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

    fn move_name(&self, edge: Edge) -> String {
        self.edge_name(edge).unwrap_or_else(|| self.move_text(edge))
    }
}

#[cfg(test)]
mod tests {
    use crate::open;

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
