//! Boards as data: all that a page needs to draw a game without knowing its
//! rules.
//!
//! A [`geometry`] says once where the places of a board lie; a [`View`] says
//! after each move what stands on them. A move is a text and the one or two
//! places that a person touches to play it.

use games::connect_four::{self, Cell, ConnectFour, U192};
use games::dots_and_boxes::{self, DotsAndBoxes, Edge, Place, edges_of};
use games::surakarta::geometry::ARCS;
use games::surakarta::{self, Point, Surakarta};
use games::{Player, Text, TextError};
use serde::Serialize;
use serde_json::{Value, json};
use session::GameSpec;

/// Room around the lines of a Surakarta board for its arcs, in units of the
/// distance between lines.
const ARC_ROOM: f64 = 2.1;

/// A chain or loop of Dots and Boxes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChainView {
    /// Numbers of its boxes.
    pub boxes: Vec<usize>,
    /// Ids of its undrawn edges.
    pub edges: Vec<String>,
    /// Whether it closes.
    pub ring: bool,
    /// Whether the long chain rule counts it.
    pub long: bool,
    /// Whether its first box can be taken at once.
    pub open: bool,
}

/// What stands on the board.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct View {
    /// A character a cell in reading order: `1` for First's, `2` for Second's,
    /// `.` for empty, `#` for a hole. Points, boxes or cells by the game.
    pub cells: String,
    /// Of Dots and Boxes: `1` for each drawn edge, else `0`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub edges: String,
    /// What each player has of what the game counts, First's first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<[u32; 2]>,
    /// The chains and loops of Dots and Boxes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<ChainView>,
    /// The places of the move that led here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub last: Vec<String>,
    /// The points that a Surakarta capture passed, start and target included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// The cell in which a Connect Four stone came to lie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub landed: Option<usize>,
    /// The cells of the four in a row that ended the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub four: Vec<usize>,
}

fn mark(player: Option<Player>) -> char {
    match player {
        Some(Player::First) => '1',
        Some(Player::Second) => '2',
        None => '.',
    }
}

/// Where everything lies on the board of a game.
pub fn geometry(spec: &GameSpec) -> Value {
    match spec {
        GameSpec::Surakarta(_) => surakarta_geometry(),
        GameSpec::DotsAndBoxes(setup) => dots_geometry(setup),
        GameSpec::ConnectFour(setup) => four_geometry(setup),
    }
}

fn surakarta_geometry() -> Value {
    let at = |point: Point| (point.column() as f64 + ARC_ROOM, point.row() as f64 + ARC_ROOM);
    let places: Vec<Value> = Point::all()
        .map(|point| {
            let (x, y) = at(point);
            json!({ "id": point.to_string(), "name": point.to_string(), "x": x, "y": y })
        })
        .collect();
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
    json!({
        "kind": "surakarta",
        "width": 5.0 + 2.0 * ARC_ROOM, "height": 5.0 + 2.0 * ARC_ROOM,
        "places": places, "arcs": arcs,
    })
}

fn dots_geometry(setup: &dots_and_boxes::Setup) -> Value {
    let places: Vec<Value> = (0..setup.edges())
        .map(|number| {
            let edge = Edge(number as u8);
            let (row, column, across) = match setup.place(edge).expect("on the board") {
                Place::Horizontal(row, column) => (row, column, true),
                Place::Vertical(row, column) => (row, column, false),
            };
            let (dx, dy) = if across { (0.5, 0.0) } else { (0.0, 0.5) };
            json!({
                "id": number.to_string(), "name": setup.edge_name(edge), "across": across,
                "x": column as f64 + 0.5 + dx, "y": row as f64 + 0.5 + dy,
            })
        })
        .collect();
    json!({
        "kind": "dots-and-boxes", "rows": setup.rows, "columns": setup.columns,
        "width": setup.columns + 1, "height": setup.rows + 1, "places": places,
    })
}

fn four_geometry(setup: &connect_four::Setup) -> Value {
    let places: Vec<Value> = (0..setup.columns)
        .map(|column| {
            let id = char::from(b"123456789abc"[usize::from(column)]).to_string();
            json!({
                "id": id, "name": (column + 1).to_string(),
                "x": f64::from(column) + 0.5, "y": f64::from(setup.rows) / 2.0,
            })
        })
        .collect();
    json!({
        "kind": "connect-four", "rows": setup.rows, "columns": setup.columns,
        "width": setup.columns, "height": setup.rows, "places": places,
    })
}

/// The places that a person touches to play a move.
pub fn places(spec: &GameSpec, mv: &str) -> Vec<String> {
    match spec {
        GameSpec::Surakarta(_) if mv.len() == 5 && mv.is_ascii() => {
            vec![mv[..2].to_owned(), mv[3..].to_owned()]
        }
        _ => vec![mv.to_owned()],
    }
}

/// The cell in which a stone of Connect Four would come to lie.
pub fn landing(spec: &GameSpec, view: &View, mv: &str) -> Option<usize> {
    let GameSpec::ConnectFour(setup) = spec else { return None };
    let column = usize::try_from(mv.chars().next()?.to_digit(13)?.checked_sub(1)?).ok()?;
    let cells =
        (0..usize::from(setup.rows)).rev().map(|row| row * usize::from(setup.columns) + column);
    cells.into_iter().find(|&cell| view.cells.as_bytes().get(cell) == Some(&b'.'))
}

/// A move as people write it in this game.
pub fn name(spec: &GameSpec, mv: &str) -> String {
    match spec {
        GameSpec::DotsAndBoxes(setup) => {
            let number = mv.parse().ok();
            number.and_then(|n| setup.edge_name(Edge(n))).unwrap_or_else(|| mv.to_owned())
        }
        GameSpec::ConnectFour(_) => match mv {
            "a" => "10".to_owned(),
            "b" => "11".to_owned(),
            "c" => "12".to_owned(),
            other => other.to_owned(),
        },
        GameSpec::Surakarta(_) => mv.to_owned(),
    }
}

/// The board at a position, given the position and the move before it.
pub fn view(
    spec: &GameSpec,
    before: Option<(&str, &str)>,
    position: &str,
) -> Result<View, TextError> {
    let last = before.map_or_else(Vec::new, |(_, mv)| places(spec, mv));
    let view = match spec {
        GameSpec::Surakarta(setup) => surakarta_view(setup, before, position)?,
        GameSpec::DotsAndBoxes(setup) => dots_view(setup, position)?,
        GameSpec::ConnectFour(setup) => four_view(setup, before, position)?,
    };
    Ok(View { last, ..view })
}

fn surakarta_view(
    setup: &surakarta::Setup,
    before: Option<(&str, &str)>,
    position: &str,
) -> Result<View, TextError> {
    let game = Surakarta::parse(setup, position)?;
    let path = match before {
        Some((position, mv)) => {
            let game = Surakarta::parse(setup, position)?;
            game.capture_path(game.parse_move(mv)?).unwrap_or_default()
        }
        None => Vec::new(),
    };
    Ok(View {
        cells: Point::all().map(|point| mark(game.at(point))).collect(),
        score: Some(game.boards().map(u64::count_ones)),
        path: path.iter().map(Point::to_string).collect(),
        ..View::default()
    })
}

fn dots_view(setup: &dots_and_boxes::Setup, position: &str) -> Result<View, TextError> {
    let game = DotsAndBoxes::parse(setup, position)?;
    let chains = game.chains();
    Ok(View {
        cells: (0..setup.boxes())
            .map(|number| match game.owner(number) {
                None if game.closed() >> number & 1 != 0 => '#',
                owner => mark(owner),
            })
            .collect(),
        edges: (0..setup.edges())
            .map(|number| if game.drawn() >> number & 1 != 0 { '1' } else { '0' })
            .collect(),
        score: Some(game.score()),
        chains: chains
            .iter()
            .map(|chain| ChainView {
                boxes: (0..setup.boxes()).filter(|&n| chain.boxes >> n & 1 != 0).collect(),
                edges: edges_of(chain.edges).map(|edge| edge.to_string()).collect(),
                ring: chain.is_loop(),
                long: chain.is_long(),
                open: chain.open_ends() > 0,
            })
            .collect(),
        ..View::default()
    })
}

fn four_cells(setup: &connect_four::Setup, position: &str) -> Result<Vec<char>, TextError> {
    let game = ConnectFour::<U192>::parse(setup, position)?;
    let mut cells = Vec::with_capacity(144);
    for row in (0..setup.rows).rev() {
        for column in 0..setup.columns {
            cells.push(match game.cell(column, row) {
                Cell::Stone(player) => mark(Some(player)),
                Cell::Hole => '#',
                Cell::Empty => '.',
            });
        }
    }
    Ok(cells)
}

fn four_view(
    setup: &connect_four::Setup,
    before: Option<(&str, &str)>,
    position: &str,
) -> Result<View, TextError> {
    let cells = four_cells(setup, position)?;
    let landed = match before {
        Some((position, _)) => {
            let old = four_cells(setup, position)?;
            old.iter().zip(&cells).position(|(old, new)| old != new)
        }
        None => None,
    };
    let four = lines_of_four(&cells, setup.columns.into(), setup.rows.into());
    Ok(View { cells: cells.iter().collect(), landed, four, ..View::default() })
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

    fn of(game: &str, moves: &str) -> View {
        let spec: GameSpec = game.parse().unwrap();
        let mut session = session::open(&spec);
        let mut before = None;
        for mv in moves.split(' ').filter(|mv| !mv.is_empty()) {
            let position = session.position();
            session.play(mv).unwrap();
            before = Some((position, session.moves().pop().unwrap()));
        }
        let before = before.as_ref().map(|(position, mv)| (position.as_str(), mv.as_str()));
        view(&spec, before, &session.position()).unwrap()
    }

    #[test]
    fn a_surakarta_capture_has_its_path() {
        let start = of("surakarta", "");
        assert_eq!(start.cells, format!("{}{}{}", "1".repeat(12), ".".repeat(12), "2".repeat(12)));
        let line = "c5-c4 f2-e3 a5-a4 e2-f2 b5-b4 d2-e2 c4-c5 e3-f3 b4-a5 c1-d2 f5-e4 b1-c1 e4-f4 \
                    a2-a3 a4-b3 b2xb3";
        let view = of("surakarta", line);
        assert_eq!(view.score, Some([11, 12]));
        assert_eq!(view.path, ["b2", "a2", "b1", "b2", "b3"]);
        assert_eq!(view.last, ["b2", "b3"]);
    }

    #[test]
    fn a_stone_lands_beside_the_hole_and_four_are_found() {
        let view = of("connect-four 5x4 hole=3,1", "3 3 4 4");
        assert_eq!(view.cells, ".....|..2..|..12.|..#1.".replace('|', ""));
    }

    #[test]
    fn a_stone_lands_where_it_was_said_to() {
        let spec: GameSpec = "connect-four 12x5 hole=11,2".parse().unwrap();
        let mut session = session::open(&spec);
        for mv in ["b", "b", "b", "1", "c", "b"] {
            let (before, position) =
                (view(&spec, None, &session.position()).unwrap(), session.position());
            session.play(mv).unwrap();
            let after = view(&spec, Some((&position, mv)), &session.position()).unwrap();
            assert_eq!(landing(&spec, &before, mv), after.landed);
        }
    }

    #[test]
    fn four_in_a_row_is_found_on_the_edge() {
        let view = of("connect-four", "1 2 1 2 1 2 1");
        assert_eq!(view.four, [14, 21, 28, 35]);
        assert_eq!(view.landed, Some(14));
    }

    #[test]
    fn boxes_have_owners_and_chains() {
        let view = of("dots-and-boxes 1x2", "a1h a2h a1v b1v");
        assert_eq!((view.cells.as_str(), view.score), ("2.", Some([0, 1])));
        assert_eq!(view.edges.matches('1').count(), 4);
        let spec: GameSpec = "dots-and-boxes 1x2".parse().unwrap();
        assert_eq!(name(&spec, "0"), "a2h");
    }

    #[test]
    fn every_move_touches_places_of_the_geometry() {
        for line in ["surakarta", "dots-and-boxes 3x2", "connect-four 12x4 hole=2,2"] {
            let spec: GameSpec = line.parse().unwrap();
            let geometry = geometry(&spec);
            let ids: Vec<&str> = geometry["places"]
                .as_array()
                .unwrap()
                .iter()
                .map(|p| p["id"].as_str().unwrap())
                .collect();
            for mv in session::open(&spec).legal() {
                assert!(places(&spec, &mv).iter().all(|id| ids.contains(&id.as_str())), "{mv}");
            }
        }
    }
}
