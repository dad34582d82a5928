//! The board of Surakarta: points, and arcs around the corners.

use games::surakarta::geometry::ARCS;
use games::surakarta::{Move, Point, Surakarta};
use serde_json::{Value, json};

use crate::drawing::{Drawn, Geometry, Place, View, fields, mark};

/// Room around the lines for the arcs, in units of the distance between lines.
const ARC_ROOM: f64 = 2.1;

fn at(point: Point) -> (f64, f64) {
    (point.column() as f64 + ARC_ROOM, point.row() as f64 + ARC_ROOM)
}

impl Drawn for Surakarta {
    fn geometry(&self) -> Geometry {
        let place = |point: Point| {
            let (x, y) = at(point);
            let id = point.to_string();
            Place { name: id.clone(), id, x, y, more: Default::default() }
        };
        let arcs: Vec<Value> = ARCS
            .iter()
            .map(|arc| {
                let [(ax, ay), (bx, by)] = arc.ends.map(at);
                // An arc is three quarters of a circle about the nearest corner.
                let near = |v: f64| if v < ARC_ROOM + 2.5 { ARC_ROOM } else { ARC_ROOM + 5.0 };
                let (cx, cy) = (near((ax + bx) / 2.0), near((ay + by) / 2.0));
                let cross = (ax - cx) * (by - cy) - (ay - cy) * (bx - cx);
                json!({
                    "ends": arc.ends.map(|point| point.to_string()),
                    "radius": (arc.circuit + 1),
                    "clockwise": cross < 0.0,
                })
            })
            .collect();
        Geometry {
            kind: super::ROW.name,
            width: 5.0 + 2.0 * ARC_ROOM,
            height: 5.0 + 2.0 * ARC_ROOM,
            places: Point::all().map(place).collect(),
            more: fields(json!({ "arcs": arcs })),
        }
    }

    /// `path`: the points that a capture passed, start and target included.
    fn view(&self, before: Option<(&Surakarta, Move)>) -> View {
        let path = before.and_then(|(game, mv)| game.capture_path(mv)).unwrap_or_default();
        let path: Vec<String> = path.iter().map(Point::to_string).collect();
        View {
            cells: Point::all().map(|point| mark(self.at(point))).collect(),
            score: Some(self.boards().map(u64::count_ones)),
            more: match path.is_empty() {
                true => Default::default(),
                false => fields(json!({ "path": path })),
            },
            ..View::default()
        }
    }

    fn places(&self, mv: Move) -> Vec<String> {
        vec![mv.from.to_string(), mv.to.to_string()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open;

    #[test]
    fn a_capture_has_its_path() {
        let mut session = open(&"surakarta".parse().unwrap());
        let start = session.view();
        assert_eq!(start.cells, format!("{}{}{}", "1".repeat(12), ".".repeat(12), "2".repeat(12)));
        assert!(start.more.is_empty() && start.last.is_empty());
        let line = "c5-c4 f2-e3 a5-a4 e2-f2 b5-b4 d2-e2 c4-c5 e3-f3 b4-a5 c1-d2 f5-e4 b1-c1 e4-f4 \
                    a2-a3 a4-b3 b2xb3";
        session.play(line).unwrap();
        let view = session.view();
        assert_eq!(view.score, Some([11, 12]));
        assert_eq!(view.more["path"], json!(["b2", "a2", "b1", "b2", "b3"]));
        assert_eq!(view.last, ["b2", "b3"]);
    }
}
