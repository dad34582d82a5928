//! Boards as data: all that a page needs to draw a game without knowing its
//! rules.
//!
//! A [`Geometry`] says once where the places of a board lie; a [`View`] says
//! after each move what stands on them. A move is a text and the one or two
//! places that a person touches to play it. Both may carry more for the script
//! that draws this game's board; nothing else looks at that.
//!
//! A game implements [`Drawn`] on its own types; [`BoardView`] is the same for
//! callers that hold a session and know no game.

use games::{Player, Record, Text, TextError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Playable;
use crate::session::GameSession;

/// Something on the board that can be touched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// Its name in moves ([`Drawn::places`]).
    pub id: String,
    /// What people call it.
    pub name: String,
    /// From the left, in units of the board.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// What else the board's script reads.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// Where everything lies on a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Geometry {
    /// The game's name, which is the name of the script that draws it.
    pub kind: &'static str,
    /// The size of the picture.
    pub width: f64,
    /// As above.
    pub height: f64,
    /// What can be touched.
    pub places: Vec<Place>,
    /// What else the board's script reads.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// What stands on the board.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct View {
    /// A character a cell in reading order: `1` for First's, `2` for Second's,
    /// `.` for empty, `#` for a hole. Points, boxes or cells by the game.
    pub cells: String,
    /// What each player has of what the game counts, First's first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<[u32; 2]>,
    /// The places of the move that led here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub last: Vec<String>,
    /// What else the board's script reads.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A move as a page shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveView {
    /// Its short form.
    pub text: String,
    /// As people write it.
    pub name: String,
    /// What a person touches to play it, in order: one place or two.
    pub places: Vec<String>,
    /// The cell in which its piece comes to lie, where that is not a place.
    pub landing: Option<usize>,
}

/// A way that a piece could travel, as far as it is free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trail {
    /// The places that it passes, from where the piece stands.
    pub places: Vec<String>,
    /// Whether it ends on a piece that can be captured.
    pub takes: bool,
}

/// A board that a person has put together. Nothing about it need be possible.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct EditedBoard {
    /// As in [`View::cells`].
    pub cells: String,
    /// Where places themselves are marked: `1` for each that is, else `0`, in the
    /// order of the geometry.
    #[serde(default)]
    pub edges: String,
    /// Who moves: 0 for First, 1 for Second.
    pub to_move: usize,
}

impl EditedBoard {
    /// Who moves.
    pub fn mover(&self) -> Player {
        if self.to_move == 0 { Player::First } else { Player::Second }
    }

    /// The rows of a board whose cells are this many in a row, in a game's own
    /// signs for First, Second, nothing and a hole, with slashes between them.
    pub fn rows(&self, columns: usize, signs: [char; 4]) -> String {
        let mut text = String::new();
        for (n, cell) in self.cells.chars().enumerate() {
            if n > 0 && n % columns == 0 {
                text.push('/');
            }
            let [first, second, empty, hole] = signs;
            text.push(match cell {
                '1' => first,
                '2' => second,
                '#' => hole,
                _ => empty,
            });
        }
        text
    }
}

/// A game that can be drawn.
pub trait Drawn: Text {
    /// Where everything lies on the board of this setup.
    fn geometry(&self) -> Geometry;

    /// What stands on the board; `before` is the position and the move that led
    /// here. [`View::last`] is filled in by the caller.
    fn view(&self, before: Option<(&Self, Self::Move)>) -> View;

    /// The places that a person touches to play a move: by default one, with the
    /// id of the move's text.
    fn places(&self, mv: Self::Move) -> Vec<String> {
        vec![self.move_text(mv)]
    }

    /// A move as people write it.
    fn move_name(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// The cell in which a move's piece would come to lie, if no place says so.
    fn landing_cell(&self, _mv: Self::Move) -> Option<usize> {
        None
    }

    /// The ways that pieces of both sides could travel, where a game has any that
    /// are not seen at a glance.
    fn trails(&self) -> Vec<Trail> {
        Vec::new()
    }

    /// The position of a board that a person has put together, or a sentence that
    /// says why there is none.
    fn from_board(_setup: &Self::Setup, _board: &EditedBoard) -> Result<Self, TextError> {
        Err(TextError::new("positions of this game can't be edited"))
    }

    /// The board as shapes of SVG in units of the geometry, for pages without the
    /// board's script, such as a notebook. By default its places, and a mark for
    /// each piece on them.
    fn shapes(&self, geometry: &Geometry, view: &View) -> String {
        let dot = |place: &Place, radius: f64, fill: &str| {
            format!("<circle cx='{}' cy='{}' r='{radius}' fill='{fill}'/>", place.x, place.y)
        };
        let mut shapes = String::new();
        for (place, cell) in geometry.places.iter().zip(view.cells.chars()) {
            shapes += &match colour(cell) {
                Some(fill) => dot(place, 0.38, fill),
                None => dot(place, 0.08, LINE),
            };
        }
        shapes
    }
}

/// The colour of lines and texts in drawings without a style sheet, readable on
/// light and dark pages.
pub(crate) const LINE: &str = "#8a8a8a";

/// The colour of a cell's piece.
pub(crate) fn colour(cell: char) -> Option<&'static str> {
    match cell {
        '1' => Some("#d94a38"),
        '2' => Some("#e8b923"),
        _ => None,
    }
}

/// The character of a cell that belongs to a player, or to none.
pub fn mark(owner: Option<Player>) -> char {
    match owner {
        Some(Player::First) => '1',
        Some(Player::Second) => '2',
        None => '.',
    }
}

/// The fields of a JSON object, for what only a board's script reads.
pub fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// A game that is being played, as a page draws it.
pub trait BoardView {
    /// Where everything lies on its board.
    fn geometry(&self) -> Geometry;

    /// What stands on it.
    fn view(&self) -> View;

    /// The legal moves; none when the game is over.
    fn legal_moves(&self) -> Vec<MoveView>;

    /// The move that led here.
    fn last_move(&self) -> Option<MoveView>;

    /// A line of moves from here in short form, as far as it is legal.
    fn line(&self, moves: &[String]) -> Vec<MoveView>;

    /// See [`Drawn::trails`].
    fn trails(&self) -> Vec<Trail>;

    /// Begins anew with a board that a person has put together; on an error the
    /// game stays as it was.
    fn set_board(&mut self, board: &EditedBoard) -> Result<(), TextError>;

    /// The board as one SVG picture.
    fn svg(&self) -> String;
}

fn move_view<G: Drawn>(game: &G, mv: G::Move) -> MoveView {
    MoveView {
        text: game.move_text(mv),
        name: game.move_name(mv),
        places: game.places(mv),
        landing: game.landing_cell(mv),
    }
}

impl<G: Playable> GameSession<G> {
    /// The position and the move that led here.
    fn before(&self) -> Option<(&G, G::Move)> {
        let positions = self.record.positions();
        let mv = self.record.last()?;
        Some((&positions[positions.len() - 2], mv))
    }
}

impl<G: Playable> BoardView for GameSession<G> {
    fn geometry(&self) -> Geometry {
        self.record.game().geometry()
    }

    fn view(&self) -> View {
        let before = self.before();
        let last = before.map_or_else(Vec::new, |(game, mv)| game.places(mv));
        View { last, ..self.record.game().view(before) }
    }

    fn legal_moves(&self) -> Vec<MoveView> {
        let game = self.record.game();
        self.record.legal().into_iter().map(|mv| move_view(game, mv)).collect()
    }

    fn trails(&self) -> Vec<Trail> {
        self.record.game().trails()
    }

    fn set_board(&mut self, board: &EditedBoard) -> Result<(), TextError> {
        let game = G::from_board(&self.record.start().setup(), board)?;
        self.record = Record::new(game);
        Ok(())
    }

    fn last_move(&self) -> Option<MoveView> {
        self.before().map(|(game, mv)| move_view(game, mv))
    }

    fn line(&self, moves: &[String]) -> Vec<MoveView> {
        let mut game = self.record.game().clone();
        let mut line = Vec::with_capacity(moves.len());
        for text in moves {
            let Ok(mv) = game.parse_move(text) else { break };
            line.push(move_view(&game, mv));
            game.play(mv);
        }
        line
    }

    fn svg(&self) -> String {
        let (geometry, view) = (self.geometry(), self.view());
        let Geometry { width, height, .. } = geometry;
        let shapes = self.record.game().shapes(&geometry, &view);
        // A small board is drawn large and a large one small.
        let unit = (360.0 / width.max(height)).min(48.0);
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='{:.0}' height='{:.0}' \
             viewBox='-0.1 -0.1 {} {}'>{shapes}</svg>",
            unit * width,
            unit * height,
            width + 0.2,
            height + 0.2,
        )
    }
}

#[cfg(test)]
mod tests {
    use games::Rng;

    use crate::{GameSpec, open};

    #[test]
    fn every_move_touches_places_of_the_geometry() {
        let mut rng = Rng::seeded(3);
        for line in GameSpec::all().iter().flat_map(|spec| spec.row().setups) {
            let spec: GameSpec = line.parse().unwrap();
            let mut session = open(&spec);
            let geometry = session.geometry();
            assert_eq!(geometry.kind, spec.name());
            let ids: Vec<&str> = geometry.places.iter().map(|place| place.id.as_str()).collect();
            while session.outcome().is_none() {
                let legal = session.legal_moves();
                for mv in &legal {
                    assert!(mv.places.iter().all(|id| ids.contains(&id.as_str())), "{mv:?}");
                }
                let mv = &legal[rng.below(legal.len())];
                assert_eq!(session.line(std::slice::from_ref(&mv.text)).first(), Some(mv));
                session.play(&format!("{},", mv.text)).unwrap();
                assert_eq!(session.last_move().as_ref(), Some(mv));
                assert_eq!(session.view().last, mv.places);
            }
        }
    }
}
