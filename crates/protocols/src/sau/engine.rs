//! The engine's side of the contest platform.

use std::time::{Duration, Instant};

use games::{Player, Rng};
use search::{Clock, Limits, SearchInfo};
use session::GameSpec;
use session::platform::{Mark, PlatformBoard, Received};

use super::settings::SauSettings;
use crate::{Action, ProtocolHandler, SearchRequest};

/// A game under way.
struct Play {
    board: PlatformBoard,
    me: Player,
    /// How our turn began, while we think or until the opponent answers.
    before: Option<Mark>,
    /// Our turn so far.
    turn: Vec<String>,
    /// Turns that the platform refused, from the same position.
    refused: Vec<Vec<String>>,
    /// What we think is best first, from the last thought.
    preferred: Vec<String>,
    thinking: bool,
}

/// Speaks for a contest engine.
pub struct Sau {
    game: GameSpec,
    settings: SauSettings,
    play: Option<Play>,
    games: u64,
    /// Our time in this game.
    used: Duration,
    asked: Instant,
}

impl Sau {
    /// Speaks for the engine that the settings name. `None` if the platform does
    /// not have the game.
    pub fn new(game: &GameSpec, settings: SauSettings) -> Option<Sau> {
        PlatformBoard::new(game)?;
        Some(Sau {
            game: game.clone(),
            settings,
            play: None,
            games: 0,
            used: Duration::ZERO,
            asked: Instant::now(),
        })
    }

    fn begin(&mut self, colour: &str) -> Vec<Action> {
        let me = match colour {
            "black" => Player::First,
            "white" => Player::Second,
            _ => return vec![Action::Log(format!("'{colour}' is no colour"))],
        };
        self.play = Some(Play {
            board: PlatformBoard::new(&self.game).expect("checked at the beginning"),
            me,
            before: None,
            turn: Vec::new(),
            refused: Vec::new(),
            preferred: Vec::new(),
            thinking: false,
        });
        self.used = Duration::ZERO;
        let seed = self.settings.seed.wrapping_add(self.games);
        self.games += 1;
        let mut actions = vec![Action::Cancel, Action::NewGame(seed)];
        if me == Player::First {
            actions.extend(self.our_turn());
        }
        actions
    }

    /// The opponent's turn arrived.
    fn take(&mut self, text: &str) -> Vec<Action> {
        let Some(play) = &mut self.play else {
            return vec![Action::Log("a move without a game".to_owned())];
        };
        if play.thinking {
            return vec![Action::Log("a move while it is our turn".to_owned())];
        }
        let mut actions = match play.board.receive(text, !play.me) {
            Received::Played => Vec::new(),
            Received::Applied(why) => vec![Action::Log(format!("applied all the same: {why}"))],
            Received::Nonsense(why) => return vec![Action::Log(format!("passed over: {why}"))],
        };
        play.refused.clear();
        actions.extend(self.our_turn());
        actions
    }

    /// Begins to think, unless the game is over on the board.
    fn our_turn(&mut self) -> Vec<Action> {
        self.asked = Instant::now();
        let Some(play) = &mut self.play else { return Vec::new() };
        if !play.board.resume() || play.board.session().to_move() != play.me {
            return vec![Action::Log("nothing to do: the game is over".to_owned())];
        }
        play.before = Some(play.board.mark());
        play.turn.clear();
        play.preferred.clear();
        vec![self.think()]
    }

    fn think(&mut self) -> Action {
        let limits = self.limits();
        let play = self.play.as_mut().expect("a game is under way");
        play.thinking = true;
        Action::Search(SearchRequest {
            game: self.game.clone(),
            start: play.board.start(),
            moves: play.board.session().moves(),
            limits,
        })
    }

    fn limits(&self) -> Limits {
        let SauSettings { total, reserve, most, sims, nodes, .. } = self.settings;
        let spent = self.used + self.asked.elapsed();
        let clock = total.map(|total| {
            // Never nothing: a hurried move is better than none.
            let left = total.saturating_sub(reserve + spent).max(Duration::from_millis(50));
            Clock { left: [left; 2], increment: [Duration::ZERO; 2] }
        });
        Limits { time: most, clock, nodes, sims, depth: None }
    }

    /// Another turn than those refused, without much thought.
    fn another(&mut self) -> Vec<Action> {
        let Some(play) = &mut self.play else {
            return vec![Action::Log("an error without a game".to_owned())];
        };
        let Some(before) = play.before.clone().filter(|_| !play.turn.is_empty()) else {
            return vec![Action::Log("an error, but we sent nothing".to_owned())];
        };
        play.refused.push(std::mem::take(&mut play.turn));
        let mut rng = Rng::seeded(play.refused.len() as u64);
        let mut found = None;
        // First what we liked, then anything, then in despair the first again.
        let liked = std::mem::take(&mut play.preferred);
        for attempt in 0..200 {
            play.board.restore(&before);
            let turn = complete_turn(&mut play.board, play.me, liked.get(attempt), &mut rng);
            let mut sorted = turn.clone();
            sorted.sort();
            let known = play.refused.iter().any(|refused| {
                let mut refused = refused.clone();
                refused.sort();
                refused == sorted
            });
            if !known {
                found = Some(turn);
                break;
            }
        }
        play.preferred = liked;
        let turn = match found {
            Some(turn) => turn,
            None => {
                play.board.restore(&before);
                complete_turn(&mut play.board, play.me, None, &mut rng)
            }
        };
        play.turn = turn;
        vec![Action::Send(format!("move {}", play.board.write_turn(&play.turn)))]
    }
}

/// Plays a legal turn, beginning with the given move, and returns its moves.
fn complete_turn(
    board: &mut PlatformBoard,
    me: Player,
    first: Option<&String>,
    rng: &mut Rng,
) -> Vec<String> {
    let mut turn = Vec::new();
    while board.session().outcome().is_none() && board.session().to_move() == me {
        let legal = board.session().legal();
        let wanted = first.filter(|mv| turn.is_empty() && legal.contains(mv));
        let mv = wanted.cloned().unwrap_or_else(|| legal[rng.below(legal.len())].clone());
        board.play(&mv).expect("a legal move");
        turn.push(mv);
    }
    turn
}

impl ProtocolHandler for Sau {
    fn on_line(&mut self, line: &str) -> Vec<Action> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let mut actions = vec![Action::Log(format!("< {line}"))];
        actions.extend(match word {
            // No clock runs before the first game.
            "name?" => vec![
                Action::Send(format!("name {}", self.settings.name)),
                Action::Prepare(self.game.clone()),
            ],
            "new" => self.begin(rest.trim()),
            "move" => self.take(rest),
            "error" => self.another(),
            "end" => {
                self.play = None;
                vec![Action::Cancel]
            }
            "quit" => vec![Action::Quit],
            "" => return Vec::new(),
            _ => vec![Action::Log("passed over: unknown".to_owned())],
        });
        actions
    }

    fn on_result(&mut self, info: &SearchInfo<String>) -> Vec<Action> {
        let Some(play) = &mut self.play else { return Vec::new() };
        play.thinking = false;
        if play.turn.is_empty() {
            play.preferred = info.lines.iter().map(|line| line.mv.clone()).collect();
        }
        let legal = play.board.session().legal();
        let best = info.best.clone().filter(|mv| legal.contains(mv));
        let Some(mv) = best.or_else(|| legal.first().cloned()) else {
            return vec![Action::Log("no legal move".to_owned())];
        };
        play.board.play(&mv).expect("a legal move");
        play.turn.push(mv);
        let session = play.board.session();
        if session.to_move() == play.me && session.outcome().is_none() {
            return vec![self.think()];
        }
        self.used += self.asked.elapsed();
        let words = play.board.write_turn(&play.turn);
        let note = format!("> move {words}, {:.1} s used", self.used.as_secs_f64());
        vec![Action::Send(format!("move {words}")), Action::Log(note)]
    }

    fn finishes_its_search(&self) -> bool {
        false
    }
}
