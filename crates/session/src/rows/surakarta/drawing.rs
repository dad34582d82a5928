//! The board of Surakarta: points, and arcs around the corners.

use games::surakarta::geometry::ARCS;
use games::surakarta::{Move, Point, Setup, Surakarta};
use games::{Player, Text, TextError};
use serde_json::{Value, json};

use crate::drawing::{Drawn, EditedBoard, Geometry, LINE, Place, Trail, View, colour, fields, mark};

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

    fn shapes(&self, geometry: &Geometry, view: &View) -> String {
        let stroke = format!("fill='none' stroke='{LINE}' stroke-width='0.05'");
        let (near, far) = (ARC_ROOM, ARC_ROOM + 5.0);
        let mut shapes = String::new();
        for i in 0..6 {
            let at = ARC_ROOM + f64::from(i);
            shapes += &format!("<path d='M{near} {at}H{far}M{at} {near}V{far}' {stroke}/>");
        }
        for arc in &ARCS {
            // Three quarters of a circle about the nearest corner.
            let [(ax, ay), (bx, by)] = arc.ends.map(at);
            let corner = |v: f64| if v < ARC_ROOM + 2.5 { near } else { far };
            let (cx, cy) = (corner((ax + bx) / 2.0), corner((ay + by) / 2.0));
            let sweep = u8::from((ax - cx) * (by - cy) - (ay - cy) * (bx - cx) < 0.0);
            let radius = arc.circuit + 1;
            shapes += &format!(
                "<path d='M{ax} {ay}A{radius} {radius} 0 1 {sweep} {bx} {by}' {stroke}/>"
            );
        }
        for (place, cell) in geometry.places.iter().zip(view.cells.chars()) {
            let Some(fill) = colour(cell) else { continue };
            let last = view.last.contains(&place.id);
            let ring = if last { " stroke='#2f7d4f' stroke-width='0.08'" } else { "" };
            let Place { x, y, .. } = place;
            shapes += &format!("<circle cx='{x}' cy='{y}' r='0.36' fill='{fill}'{ring}/>");
        }
        shapes
    }

    fn places(&self, mv: Move) -> Vec<String> {
        vec![mv.from.to_string(), mv.to.to_string()]
    }

    fn trails(&self) -> Vec<Trail> {
        let pieces = Point::all().filter(|&point| self.at(point).is_some());
        let trails = pieces.flat_map(|piece| {
            self.free_paths(piece).into_iter().map(move |path| (piece, path))
        });
        let takes = |piece: Point, path: &[Point]| {
            let end = path.last().and_then(|&end| self.at(end));
            end.is_some() && end != self.at(piece)
        };
        trails
            .map(|(piece, path)| Trail {
                takes: takes(piece, &path),
                places: path.iter().map(Point::to_string).collect(),
            })
            .collect()
    }

    fn from_board(setup: &Setup, board: &EditedBoard) -> Result<Surakarta, TextError> {
        let side = if board.mover() == Player::First { 'b' } else { 'w' };
        Surakarta::parse(setup, &format!("{} {side}", board.rows(6, ['b', 'w', '.', '.'])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open;

    #[test]
    fn trails_that_take_are_the_captures() {
        let mut rng = games::Rng::seeded(11);
        let mut taken = 0;
        for _ in 0..40 {
            let mut session = open(&"surakarta".parse().unwrap());
            while session.outcome().is_none() {
                let trails = session.trails();
                let cells: Vec<char> = session.view().cells.chars().collect();
                let mover = if session.to_move() == games::Player::First { '1' } else { '2' };
                let owner = |name: &str| cells[Point::parse(name).unwrap().index()];
                let mut over_loops: Vec<String> = trails
                    .iter()
                    .filter(|trail| trail.takes && owner(&trail.places[0]) == mover)
                    .map(|trail| {
                        format!("{}x{}", trail.places[0], trail.places.last().unwrap())
                    })
                    .collect();
                over_loops.sort();
                over_loops.dedup();
                let legal = session.legal();
                let mut captures: Vec<String> =
                    legal.iter().filter(|mv| mv.contains('x')).cloned().collect();
                captures.sort();
                assert_eq!(over_loops, captures);
                taken += captures.len();
                session.play(&legal[rng.below(legal.len())]).unwrap();
            }
        }
        assert!(taken > 1000, "{taken}");
    }

    #[test]
    fn a_board_is_edited_or_refused_in_a_sentence() {
        let mut session = open(&"surakarta".parse().unwrap());
        let cells = format!("{}12{}", ".".repeat(20), ".".repeat(14));
        let board = EditedBoard { cells, to_move: 1, ..EditedBoard::default() };
        session.set_board(&board).unwrap();
        assert_eq!(session.position(), "6/6/6/2bw2/6/6 w 0");
        let crowd = EditedBoard { cells: "1".repeat(36), ..EditedBoard::default() };
        let error = session.set_board(&crowd).unwrap_err().to_string();
        assert!(error.contains("at most 12"), "{error}");
        assert!(session.set_board(&EditedBoard::default()).is_err());
        assert_eq!(session.position(), "6/6/6/2bw2/6/6 w 0", "it stays as it was");
    }

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
