//! The games that a match plays at this moment.
//!
//! A match of this process is watched through its engines: each shows the record
//! that it was asked about before it searches. Of a match that another process
//! plays, the store has the journal of games limited by time.

use std::sync::{Mutex, PoisonError};

use arena::{MatchConfig, Ply, Schedule, replay_text};
use games::{Record, Text};
use search::{Engine, Limits, SearchControl, SearchInfo};
use serde_json::{Value, json};
use session::{GameSpec, GameVisitor, Playable};

/// The most games that are shown.
const MOST_GAMES: usize = 16;

/// A game in play, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveBoard {
    /// The engines of First and Second, as far as they have moved.
    pub engines: [Option<usize>; 2],
    /// The game's setup.
    pub setup: String,
    /// All moves, the opening included.
    pub moves: String,
}

/// The game of a match in this process, which plays one at a time.
#[derive(Debug, Default)]
pub struct LiveMatch {
    board: Mutex<LiveBoard>,
}

impl LiveMatch {
    /// What is on the board now; none before the first move is searched.
    pub fn board(&self) -> Option<LiveBoard> {
        let board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        board.engines.iter().any(Option::is_some).then(|| board.clone())
    }

    fn change(&self, change: impl FnOnce(&mut LiveBoard)) {
        change(&mut self.board.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// An engine that shows what it is asked about.
pub struct Watched<E> {
    pub engine: E,
    /// Its number in the match.
    pub index: usize,
    pub live: std::sync::Arc<LiveMatch>,
}

impl<G: Text, E: Engine<G>> Engine<G> for Watched<E> {
    fn search(
        &mut self,
        record: &Record<G>,
        control: &SearchControl<G::Move>,
    ) -> SearchInfo<G::Move> {
        let setup = record.game().setup();
        let start = G::start(&setup);
        let moves = start.map_or_else(|_| record.moves_text(), |start| replay_text(&start, record));
        let setup = setup.to_string();
        self.live.change(|board| {
            board.engines[record.game().to_move() as usize] = Some(self.index);
            (board.setup, board.moves) = (setup, moves);
        });
        self.engine.search(record, control)
    }

    fn guess(&self, record: &Record<G>, limits: &Limits) -> SearchInfo<G::Move> {
        self.engine.guess(record, limits)
    }

    fn static_guess(&self) -> fn(&G) -> Option<G::Move> {
        self.engine.static_guess()
    }

    fn ponder(&mut self, record: &Record<G>, control: &SearchControl<G::Move>) {
        self.engine.ponder(record, control);
    }

    fn new_game(&mut self, seed: u64) {
        self.live.change(|board| *board = LiveBoard::default());
        self.engine.new_game(seed);
    }

    fn is_anytime(&self) -> bool {
        self.engine.is_anytime()
    }
}

/// A game in play, drawn for the page; none where its moves are not legal.
pub fn json(config: &MatchConfig, index: Option<u64>, board: &LiveBoard) -> Option<Value> {
    let spec: GameSpec = format!("{} {}", config.game, board.setup).trim_end().parse().ok()?;
    let mut session = session::open(&spec);
    let (position, moves) = arena::split_position(&board.moves);
    session.set(position, &[]).ok()?;
    if !moves.is_empty() {
        session.play(moves).ok()?;
    }
    let last = session.last_move().map(|mv| mv.name);
    Some(json!({
        "index": index, "engines": board.engines, "game": spec.to_string(),
        "plies": session.moves().len(), "last": last, "to_move": session.to_move() as usize,
        "position": session.position(), "view": session.view(), "geometry": session.geometry(),
    }))
}

/// The games in a journal, as boards.
pub fn journaled(
    config: &MatchConfig,
    schedule: &Schedule,
    journal: Vec<(u64, Vec<Ply>)>,
) -> Vec<(u64, LiveBoard)> {
    let spec: Result<GameSpec, _> = config.game.parse();
    spec.map_or(Vec::new(), |spec| spec.visit(Journal { config, schedule, journal }))
}

struct Journal<'a> {
    config: &'a MatchConfig,
    schedule: &'a Schedule,
    journal: Vec<(u64, Vec<Ply>)>,
}

impl GameVisitor for Journal<'_> {
    type Output = Vec<(u64, LiveBoard)>;

    fn visit<G: Playable>(self, _: G) -> Self::Output {
        let boards = self.journal.into_iter().filter_map(|(index, plies)| {
            // A Swiss round that is paired in the other process can't be known here yet.
            let known = index / 2 < self.schedule.known_pairs();
            let scheduled = known.then(|| self.schedule.game(index))?;
            let start: G = self.config.start(&scheduled).ok()?;
            let mut record = self.config.openings.record(&start, &scheduled).ok()?;
            plies.iter().try_for_each(|ply| record.play_text(&ply.mv)).ok()?;
            let setup = record.game().setup().to_string();
            let engines = scheduled.engines.map(Some);
            Some((index, LiveBoard { engines, setup, moves: replay_text(&start, &record) }))
        });
        boards.take(MOST_GAMES).collect()
    }
}
