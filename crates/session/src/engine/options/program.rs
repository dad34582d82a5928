//! The options of an outside program.

use crate::engine::parameter::{Kind, Row, choice, named, number, parsed, word, words};

/// What an outside program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramProtocol {
    /// UGI.
    Ugi,
    /// UCI.
    Uci,
    /// GTP.
    Gtp,
    /// The contest platform's protocol.
    Sau,
}

/// Of an outside program.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramOptions {
    /// What it speaks.
    pub protocol: ProgramProtocol,
    /// How it is started; `none` if that was not said.
    pub command: String,
    /// What is sent by setoption; `none` for nothing.
    pub options: String,
    /// Seconds that it may take for a move where no time is given.
    pub patience: f64,
    /// The file to which the conversation is added; `none` for no log.
    pub log: String,
}

impl Default for ProgramOptions {
    fn default() -> ProgramOptions {
        ProgramOptions {
            protocol: ProgramProtocol::Ugi,
            command: "none".to_owned(),
            options: "none".to_owned(),
            patience: 600.0,
            log: "none".to_owned(),
        }
    }
}

pub(super) const PROGRAM: &[Row<ProgramOptions>] = &[
    choice!(
        "protocol",
        protocol,
        [
            "ugi" => ProgramProtocol::Ugi,
            "uci" => ProgramProtocol::Uci,
            "gtp" => ProgramProtocol::Gtp,
            "sau" => ProgramProtocol::Sau
        ],
        "what it speaks: UGI, UCI, GTP, or as a contest engine (sau)"
    ),
    words!("command", command, "how it is started, as in command=\"./other --flag\""),
    words!(
        "options",
        options,
        "what it is told by setoption, as in options=\"hash=64; threads=2\" (ugi, uci)"
    ),
    number!(
        "patience",
        patience,
        Kind::Real(0.1, 1e6, &[]),
        "seconds that it may take for a move where no time is given"
    ),
    words!("log", log, "a file to which every line sent and received is added"),
];
