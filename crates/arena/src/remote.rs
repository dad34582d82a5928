//! Games of a match that are played elsewhere, one at a time: a game is its
//! configuration and its place in the schedule, so it comes out the same whoever plays
//! it, as far as its limits are counts and not times.
//!
//! Here is what the two sides say to each other, and who has which game; how it is
//! carried from one to the other is the caller's business.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use games::{Record, Text};
use search::{Engine, Runner};
use serde::{Deserialize, Serialize};

use crate::{
    GameConfig, GameDraft, GameResult, MatchConfig, ScheduledGame, play, replay, replay_text,
};

/// How long nothing may be heard of a game before another player gets it.
const LOAN: Duration = Duration::from_secs(5);
/// Time between two looks at a result that is waited for.
const TICK: Duration = Duration::from_millis(5);

/// A game to be played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameTask {
    /// Its number in this run of the match.
    pub id: u64,
    /// The match.
    pub config: MatchConfig,
    /// The game.
    pub game: ScheduledGame,
}

/// What a player says.
#[derive(Debug, Serialize, Deserialize)]
pub enum PlayerMessage {
    /// It wants a game. The answer is a [`GameTask`], or nothing.
    Free,
    /// This game is being played.
    Playing(u64),
    /// This game is finished.
    Played(u64, Box<PlayedGame>),
    /// This player can't play this game.
    Refused(u64, String),
}

/// A game on its way. A number that is written as text and read again may differ in
/// its last digit, so win rates travel as they are in memory: a game from elsewhere is
/// to the bit the one that would have been played here.
#[derive(Debug, Serialize, Deserialize)]
pub struct PlayedGame {
    game: GameResult,
    win_rates: Vec<u64>,
}

impl From<GameResult> for PlayedGame {
    fn from(game: GameResult) -> PlayedGame {
        let win_rates = game.plies.iter().map(|ply| ply.win_rate.to_bits()).collect();
        PlayedGame { game, win_rates }
    }
}

impl From<PlayedGame> for GameResult {
    fn from(played: PlayedGame) -> GameResult {
        let PlayedGame { mut game, win_rates } = played;
        for (ply, bits) in game.plies.iter_mut().zip(win_rates) {
            ply.win_rate = f64::from_bits(bits);
        }
        game
    }
}

/// Players elsewhere, as those who have a match see them: who has which game, and
/// what came back.
#[derive(Clone, Debug, Default)]
pub struct RemotePlayers(Arc<Mutex<Loans>>);

#[derive(Debug, Default)]
struct Loans {
    next: u64,
    waiting: VecDeque<GameTask>,
    lent: HashMap<u64, (GameTask, Instant)>,
    finished: HashMap<u64, GameResult>,
    /// Why players refused, each reason once.
    refusals: Vec<String>,
}

impl RemotePlayers {
    /// Numbers games from here on. Numbers of an earlier process should not come
    /// again.
    pub fn new(first: u64) -> RemotePlayers {
        RemotePlayers(Arc::new(Mutex::new(Loans { next: first, ..Loans::default() })))
    }

    fn lock(&self) -> MutexGuard<'_, Loans> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a game played. Calls `go_on` many times a second and gives up, with
    /// nothing, as soon as that says no.
    pub fn play(
        &self,
        config: &MatchConfig,
        game: &ScheduledGame,
        mut go_on: impl FnMut() -> bool,
    ) -> Option<GameResult> {
        let id = self.lock().add(config.clone(), *game);
        loop {
            if let Some(game) = self.lock().finished.remove(&id) {
                return Some(game);
            }
            if !go_on() {
                self.lock().forget(id);
                return None;
            }
            thread::sleep(TICK);
        }
    }

    /// Takes what a player says. Gives it a game, if it wants one, and tells a reason
    /// for refusing that was not heard before.
    pub fn receive(
        &self,
        message: PlayerMessage,
        now: Instant,
    ) -> (Option<GameTask>, Option<String>) {
        let mut loans = self.lock();
        match message {
            PlayerMessage::Free => return (loans.lend(now), None),
            PlayerMessage::Playing(id) => {
                if let Some((_, heard)) = loans.lent.get_mut(&id) {
                    *heard = now;
                }
            }
            PlayerMessage::Played(id, game) => loans.finish(id, (*game).into()),
            PlayerMessage::Refused(id, reason) => {
                let task = loans.lent.remove(&id).map(|(task, _)| task);
                loans.waiting.extend(task);
                if !loans.refusals.contains(&reason) {
                    loans.refusals.push(reason.clone());
                    return (None, Some(reason));
                }
            }
        }
        (None, None)
    }
}

impl Loans {
    fn add(&mut self, config: MatchConfig, game: ScheduledGame) -> u64 {
        let id = self.next;
        self.next = id.wrapping_add(1);
        self.waiting.push_back(GameTask { id, config, game });
        id
    }

    /// The next game for a player: one that nobody has, or one that was lent too long
    /// ago.
    fn lend(&mut self, now: Instant) -> Option<GameTask> {
        let late = self.lent.iter().filter(|(_, (_, heard))| now.duration_since(*heard) > LOAN);
        let late: Vec<u64> = late.map(|(&id, _)| id).collect();
        for id in late {
            let task = self.lent.remove(&id).map(|(task, _)| task);
            self.waiting.extend(task);
        }
        let task = self.waiting.pop_front()?;
        self.lent.insert(task.id, (task.clone(), now));
        Some(task)
    }

    /// The first result counts, also of a player that was given up.
    fn finish(&mut self, id: u64, game: GameResult) {
        let wanted = self.lent.contains_key(&id) || self.waiting.iter().any(|task| task.id == id);
        self.forget(id);
        if wanted {
            self.finished.insert(id, game);
        }
    }

    fn forget(&mut self, id: u64) {
        self.waiting.retain(|task| task.id != id);
        self.lent.remove(&id);
    }
}

/// The opening of a game, as text and as a record.
pub(crate) fn opening<G: Text>(
    config: &MatchConfig,
    scheduled: &ScheduledGame,
) -> Result<(String, Record<G>), String> {
    let start = config.start::<G>(scheduled)?;
    let record = config.openings.record(&start, scheduled)?;
    Ok((replay_text(&start, &record), record))
}

/// Plays one game of another process's match, with the engines of First and Second. Nothing
/// if `stop` is set before its end.
pub fn play_one<G: Text, E: Engine<G> + 'static>(
    config: &MatchConfig,
    scheduled: &ScheduledGame,
    engines: [E; 2],
    stop: &Arc<AtomicBool>,
) -> Result<Option<GameResult>, String> {
    let (opening, record) = opening::<G>(config, scheduled)?;
    let draft = Arc::new(GameDraft::new());
    draft.begin(scheduled, record.game().setup().to_string(), opening, Vec::new());
    let [mut first, mut second] = engines.map(Runner::new);
    let game = GameConfig {
        limits: scheduled.engines.map(|number| &config.engines[number].limits),
        rules: &config.rules,
        resumed: &[],
        seed: scheduled.seed,
    };
    let played = play(record, [&mut first, &mut second], &game, &draft, stop, |_, _| ());
    Ok(draft.take::<G>().filter(|_| played.is_some()))
}

/// An error sentence if a game from elsewhere is not the one that was scheduled, or
/// not legal.
pub(crate) fn check_game<G: Text>(
    config: &MatchConfig,
    scheduled: &ScheduledGame,
    game: &GameResult,
) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("game {} came back with {what}", scheduled.index + 1));
    let (opening, record) = opening::<G>(config, scheduled)?;
    let place = (game.index, game.engines, game.seed);
    if place != (scheduled.index, scheduled.engines, scheduled.seed) {
        return wrong("another place in the schedule");
    }
    if game.opening != opening || game.setup != record.game().setup().to_string() {
        return wrong("another opening");
    }
    let start = config.start::<G>(scheduled)?;
    match replay(&start, &game.moves) {
        Ok(record) if record.outcome().is_none_or(|outcome| outcome == game.outcome) => Ok(()),
        Ok(_) => wrong("a result that its moves do not have"),
        Err(error) => wrong(&format!("moves that can't be played: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use games::connect_four::ConnectFour;
    use games::{Outcome, Player, Reason};

    use super::*;
    use crate::{Entrant, Ply, Schedule};

    type Four = ConnectFour<u64>;

    fn config() -> MatchConfig {
        let entrant = Entrant {
            spec: "random".to_owned(),
            version: "1".to_owned(),
            limits: Default::default(),
        };
        MatchConfig::new::<Four>(&Default::default(), vec![entrant; 2], 1)
    }

    fn game(index: u64) -> ScheduledGame {
        Schedule::new(&config(), 4).game(index)
    }

    fn result(game: &ScheduledGame) -> GameResult {
        GameResult {
            index: game.index,
            engines: game.engines,
            seed: game.seed,
            setup: String::new(),
            opening: String::new(),
            moves: "4".to_owned(),
            plies: Vec::new(),
            outcome: Outcome::win(Player::First, Reason::Crashed),
            note: "a \"note\"".to_owned(),
        }
    }

    #[test]
    fn a_game_is_lent_once_and_again_when_its_player_falls_silent() {
        let players = RemotePlayers::new(5);
        let ids = [0, 1].map(|index| players.lock().add(config(), game(index)));
        let begun = Instant::now();
        let lend = |now| players.receive(PlayerMessage::Free, now).0;
        let (first, second) = (lend(begun).unwrap(), lend(begun).unwrap());
        assert_eq!([first.id, second.id], ids);
        assert!(lend(begun + LOAN).is_none(), "both are being played");
        let later = begun + LOAN + Duration::from_millis(1);
        let say = |message| players.receive(message, later).1;
        say(PlayerMessage::Playing(second.id));
        assert_eq!(lend(later).expect("nothing was heard of it").id, first.id);
        // The first player was only slow: its result counts, the other's is dropped.
        let played = || PlayerMessage::Played(first.id, Box::new(result(&first.game).into()));
        say(played());
        assert_eq!(players.lock().finished.remove(&first.id), Some(result(&first.game)));
        say(played());
        assert!(players.lock().finished.is_empty());
        let refused = || PlayerMessage::Refused(second.id, "another version".to_owned());
        assert_eq!(say(refused()).as_deref(), Some("another version"));
        assert_eq!(lend(later).unwrap().id, second.id, "for another player");
        assert_eq!(say(refused()), None, "told once");
        // Nobody waits for it any more.
        assert_eq!(players.play(&config(), &game(2), || false), None);
        assert_eq!(lend(later).map(|task| task.id), Some(second.id));
        assert!(lend(later).is_none());
    }

    #[test]
    fn what_is_said_comes_back_as_it_was() {
        let mut rng = games::Rng::seeded(1);
        let mut game = result(&game(3));
        game.plies = (0..1000)
            .map(|_| Ply {
                mv: "4".to_owned(),
                micros: 1,
                win_rate: rng.unit(),
                score: "0.1".to_owned(),
                depth: 1,
                nodes: 2,
                sims: 3,
            })
            .collect();
        let said = PlayerMessage::Played(7, Box::new(game.clone().into()));
        let text = serde_json::to_string(&said).unwrap();
        let Ok(PlayerMessage::Played(7, heard)) = serde_json::from_str(&text) else {
            panic!("{text}")
        };
        assert_eq!(GameResult::from(*heard), game);
    }

    #[test]
    fn only_the_scheduled_game_is_taken() {
        let check = |change: fn(&mut GameResult)| {
            let mut game_back = result(&game(0));
            change(&mut game_back);
            check_game::<Four>(&config(), &game(0), &game_back)
        };
        assert_eq!(check(|_| ()), Ok(()));
        assert!(check(|game| game.index = 1).is_err());
        assert!(check(|game| game.seed = 1).is_err());
        assert!(check(|game| game.opening = "4".to_owned()).is_err());
        assert!(check(|game| game.moves = "9".to_owned()).unwrap_err().contains("can't be played"));
        // First has four in a column.
        assert!(check(|game| game.moves = "1212121".to_owned()).unwrap_err().contains("result"));
    }
}
