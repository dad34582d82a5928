//! Surakarta, on its board of six lines and eight arcs.

mod drawing;
mod facts;
pub mod platform;

use exact::ExactKnowledge;
use games::surakarta::Surakarta;
use learn::nnue::Player;

use crate::engine::{Strength, alpha_beta_settings};
use crate::row::{ContestRecord, GameRow, GtpForm, SetupKind, Words};
use crate::{GameSpec, GameVisitor, playable};

playable!(ROW: Surakarta);

/// What Surakarta is beyond its rules.
pub static ROW: GameRow = GameRow {
    aliases: &["苏拉卡尔塔棋", "苏拉卡尔塔"],
    program_names: &["surakarta", "苏拉卡尔塔"],
    tagline: Words::new("Step anywhere, capture over the loops.", "八方走子，沿弧吃子。"),
    sides: [Words::new("Black", "黑方"), Words::new("White", "白方")],
    setup: SetupKind::Rules,
    setups: &[
        "surakarta",
        "surakarta quiet=80 stall=draw",
        "surakarta repetition=6 repeat=loses",
    ],
    choices: &["", "quiet=80 stall=draw", "repetition=6 repeat=loses"],
    setup_help: &[
        "quiet=100         plies without a capture that end the game (0: never)",
        "stall=count|draw  what a stalled game is worth: more pieces wins, or a draw",
        "repetition=3      occurrences of a position that stall the game (0: never)",
        "repeat=stall|loses  whether repeating stalls the game, or loses it",
        "nomove=loses|count  a side without a legal move loses, or pieces are counted",
        "cap=0             plies after which pieces are counted (0: never)",
        "clock=loses|count   a clock that runs out loses, or pieces are counted",
        "standoff=off|count  count when neither side can capture and a piece is gone",
    ],
    best: "alpha-beta eval=nnue rfp=70 null=on futility=120 lmp=8 iir=on singular=6",
    levels: &[
        Strength::new(98, 1, 20),
        Strength::new(100, 2, 30),
        Strength::new(91, 2, 50),
        Strength::new(97, 4, 80),
        Strength::new(91, 5, 120),
        Strength::new(97, 8, 200),
        Strength::new(74, 8, 300),
        Strength::new(88, 16, 500),
        Strength::new(57, 16, 800),
        Strength::new(34, 16, 1_200),
    ],
    level_search: Some("alpha-beta eval=matrix"),
    networks: &[("surakarta", include_bytes!("../../../../../models/surakarta.safetensors"))],
    train_evaluation: Some(|folder, settings, stop, log| {
        let player =
            Player { search: alpha_beta_settings(&ROW), oracle: Surakarta::node_oracle() };
        learn::nnue::run(folder, settings, &player, stop, log)
    }),
    books: &[include_str!("../../../../../books/surakarta.book")],
    bench: &[("surakarta", 5)],
    contest_record: Some(ContestRecord { format: "contest", extension: "txt" }),
    gtp: GtpForm {
        resize: |game, size| match size {
            6 => Ok(game.clone()),
            _ => Err(GtpForm::unacceptable()),
        },
        ..GtpForm::PLAIN
    },
    platform: Some(platform::FORM),
    first_on_top: true,
    ..GameRow::new::<Surakarta>(Words::new("Surakarta", "苏拉卡尔塔棋"))
};

pub(super) fn visit<V: GameVisitor>(spec: &GameSpec, visitor: V) -> V::Output {
    visitor.visit(spec.begin::<Surakarta>())
}
