//! Connect Four, on boards of several sizes, with or without a hole.

mod cfour_moves;
mod drawing;
mod facts;

use games::Player;
use games::connect_four::{ConnectFour, U192, bits_needed};

use crate::engine::Strength;
use crate::row::{Flip, GameRow, GtpForm, UciVariant, Words, read_setup};
use crate::session::open_as;
use crate::{GameSpec, GameVisitor, Session, playable};

playable!(ROW: ConnectFour<u64>, ConnectFour<u128>, ConnectFour<U192>);

/// What Connect Four is beyond its rules.
pub static ROW: GameRow = GameRow {
    aliases: &["connect4", "四子棋"],
    program_names: &["connect-four", "connect4", "四子棋"],
    tagline: Words::new(
        "Four in a row, any size, with or without a hole.",
        "四子连线，大小任选，可设禁点。",
    ),
    setups: &["connect-four", "connect-four 9x9", "connect-four 11x10 hole=3,4"],
    choices: &["7x6", "8x7", "9x9", "10x10", "11x10 hole=3,4", "12x12"],
    setup_help: &[
        "7x6               columns x rows, each from 4 to 12",
        "hole=COLUMN,ROW   a cell that stays empty, counted from 1 at the bottom left",
    ],
    any_board: Some("12x12"),
    best: "puct c=2 fpu=siblings rollout=prudent threats=4",
    levels: &[
        Strength::new(99, 1, 20),
        Strength::new(76, 1, 30),
        Strength::new(70, 2, 50),
        Strength::new(44, 3, 80),
        Strength::new(12, 3, 120),
        Strength::new(0, 1, 280),
        Strength::new(0, 1, 850),
        Strength::new(0, 1, 3_800),
        Strength::new(0, 1, 24_000),
        Strength::new(0, 1, 300_000),
    ],
    level_search: Some("uct c=0.5 rollout=prudent threats=0"),
    networks: &[
        ("connect-four", include_bytes!("../../../../../models/connect-four.safetensors")),
        (
            "connect-four-boards",
            include_bytes!("../../../../../models/connect-four-boards.safetensors"),
        ),
    ],
    books: &[
        include_str!("../../../../../books/connect-four.book"),
        include_str!("../../../../../books/connect-four-6x7.book"),
    ],
    solved_book: true,
    usual_plies: 50,
    bench: &[
        ("connect-four", 7),
        ("connect-four 9x9 hole=5,5", 6),
        ("connect-four 11x10 hole=3,4", 6),
        ("connect-four 12x12", 6),
    ],
    gtp: GtpForm { resize, read_move, write_move },
    uci: Some(UciVariant {
        name: "cfour",
        read_move: cfour_moves::read_move,
        read_position: cfour_moves::read_position,
        write_move: cfour_moves::write_move,
    }),
    flip: Flip::Mirror,
    // The largest type reads every setup; a game is played on the smallest that
    // holds it.
    read_setup: read_setup::<ConnectFour<U192>>,
    open,
    ..GameRow::new::<ConnectFour<U192>>(Words::new("Connect Four", "四子棋"))
};

/// The bits of a board.
fn bits(spec: &GameSpec) -> u32 {
    spec.setup::<ConnectFour<U192>>().map_or(0, |setup| bits_needed(&setup))
}

fn open(spec: &GameSpec) -> Session {
    match bits(spec) {
        0..=64 => open_as::<ConnectFour<u64>>(spec),
        65..=128 => open_as::<ConnectFour<u128>>(spec),
        _ => open_as::<ConnectFour<U192>>(spec),
    }
}

pub(super) fn visit<V: GameVisitor>(spec: &GameSpec, visitor: V) -> V::Output {
    match bits(spec) {
        0..=64 => visitor.visit(spec.begin::<ConnectFour<u64>>()),
        65..=128 => visitor.visit(spec.begin::<ConnectFour<u128>>()),
        _ => visitor.visit(spec.begin::<ConnectFour<U192>>()),
    }
}

/// GTP's one number is the number of columns.
fn resize(game: &GameSpec, size: u8) -> Result<GameSpec, games::TextError> {
    match game.setup::<ConnectFour<U192>>() {
        Some(setup) if setup.columns == size => Ok(game.clone()),
        _ => Err(GtpForm::unacceptable()),
    }
}

/// OpenSpiel names a move by its stone and its column counted from 0, `x3`.
fn read_move(word: &str) -> String {
    let column = word.strip_prefix(['x', 'o', 'X', 'O']).and_then(|rest| rest.parse::<u8>().ok());
    match column {
        Some(column) => (u32::from(column) + 1).to_string(),
        None => word.to_owned(),
    }
}

fn write_move(mover: Player, mv: &str) -> String {
    match mv.chars().next().and_then(|c| c.to_digit(36)) {
        Some(column) => format!("{}{}", ['x', 'o'][mover as usize], column.saturating_sub(1)),
        None => mv.to_owned(),
    }
}
