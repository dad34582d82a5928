//! Dots and Boxes, on boards of any size.

mod drawing;
mod facts;
pub mod platform;

use games::dots_and_boxes::{DotsAndBoxes, Setup};

use crate::engine::Strength;
use crate::row::{ContestRecord, GameRow, GtpForm, Overlay, Words};
use crate::{GameSpec, GameVisitor, playable};

playable!(ROW: DotsAndBoxes);

/// What Dots and Boxes is beyond its rules.
pub static ROW: GameRow = GameRow {
    aliases: &["dots", "点格棋"],
    program_names: &["dots", "点格棋"],
    tagline: Words::new("Close boxes, mind the chains.", "围格得分，长链定胜负。"),
    setups: &["dots-and-boxes", "dots-and-boxes 3x4", "dots-and-boxes 7x7"],
    choices: &["5x5", "3x3", "3x4", "4x4", "6x6", "7x7"],
    setup_help: &["5x5               rows x columns of boxes, up to 128 edges (7x7, 7x8)"],
    best: "uct c=0.4 cut=settled judge=sign eval=chains rollout=prudent",
    levels: &[
        Strength::new(82, 1, 20),
        Strength::new(56, 1, 30),
        Strength::new(62, 2, 50),
        Strength::new(62, 3, 80),
        Strength::new(44, 3, 120),
        Strength::new(28, 3, 200),
        Strength::new(15, 3, 300),
        Strength::new(6, 3, 500),
        Strength::new(2, 3, 950),
        Strength::new(0, 1, 2_900),
    ],
    level_search: Some("uct c=0.4 cut=settled judge=sign eval=chains rollout=prudent"),
    networks: &[("dots-and-boxes", include_bytes!("../../../../../models/dots-and-boxes.safetensors"))],
    books: &[include_str!("../../../../../books/dots-and-boxes.book")],
    usual_plies: 50,
    bench: &[("dots-and-boxes", 4), ("dots-and-boxes 7x7", 3)],
    contest_record: Some(ContestRecord { format: "json", extension: "json" }),
    gtp: GtpForm {
        resize: |_, size| {
            let setup = Setup::new(size, size);
            setup.check()?;
            Ok(GameSpec::of::<DotsAndBoxes>(&setup))
        },
        ..GtpForm::PLAIN
    },
    platform: Some(platform::FORM),
    overlays: &[Overlay { name: "chains", title: Words::new("Chains", "链") }],
    ..GameRow::new::<DotsAndBoxes>(Words::new("Dots and Boxes", "点格棋"))
};

pub(super) fn visit<V: GameVisitor>(spec: &GameSpec, visitor: V) -> V::Output {
    visitor.visit(spec.begin::<DotsAndBoxes>())
}
