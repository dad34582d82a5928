//! UGI, the Universal Game Interface, and UCI for the variant `cfour`: the same
//! conversation in two dialects.
//!
//! UGI is UCI without chess: the runner knows no rules and asks the engine whose
//! turn it is and how the game ended. Known runners send the whole game before
//! every question, hundreds of times a game, so what is the same is not read
//! again; and one of them hangs unless `bestmove` has exactly two words.
//!
//! | dialect | moves | mate | games |
//! | --- | --- | --- | --- |
//! | UGI | our short form | in plies | all |
//! | UCI | drops, `P@d1` | in moves | Connect Four |
//!
//! Beyond the protocol, `go sims N` limits a tree search by its simulations, and
//! the options `Engine`, `Game` and `Seed` choose what plays what. `MultiPV` is
//! UCI's: so many lines, each an `info` with its number.

use std::time::Duration;

use games::{Outcome, Player, TextError};
use search::{Clock, Limits, Score, SearchInfo};
use session::engine::{Kind, Parameter};
use session::program::{Dialect, centipawns};
use session::row::UciVariant;
use session::{EngineSpec, GameSpec, Session, open};

use crate::{Action, ProtocolHandler, SearchRequest};

/// The engine's side of the conversation.
///
/// ```
/// use protocols::{Action, Dialect, ProtocolHandler, Ugi};
///
/// let mut ugi = Ugi::new(Dialect::Ugi, &"surakarta".parse()?, "best".parse()?, 1);
/// ugi.on_line("position startpos moves b5-c4");
/// assert_eq!(ugi.on_line("query p1turn"), [Action::Send("response false".to_owned())]);
/// # Ok::<(), games::TextError>(())
/// ```
pub struct Ugi {
    dialect: Dialect,
    session: Session,
    /// Where the game began, if not at the setup's start.
    start: Option<String>,
    engine: EngineSpec,
    seed: u64,
    /// Lines to tell of; UCI's MultiPV.
    lines: usize,
    /// Whether the answer has to wait for `stop`.
    infinite: bool,
    /// An answer that waits.
    held: Option<SearchInfo<String>>,
}

impl Ugi {
    /// Speaks for an engine at a game.
    pub fn new(dialect: Dialect, game: &GameSpec, engine: EngineSpec, seed: u64) -> Ugi {
        let (session, lines) = (open(game), lines_of(&engine).unwrap_or(1));
        Ugi { dialect, session, start: None, engine, seed, lines, infinite: false, held: None }
    }

    fn introduce(&self) -> Vec<Action> {
        let word = self.dialect.word();
        let mut lines = vec![
            format!("id name Boyi {}", env!("CARGO_PKG_VERSION")),
            "id author the Boyi authors".to_owned(),
            format!("option name Engine type string default {}", self.engine),
            format!("option name Game type string default {}", self.session.spec()),
            format!("option name Seed type string default {}", self.seed),
            format!("option name MultiPV type spin default {} min 1 max {MOST_LINES}", self.lines),
        ];
        if let Some(UciVariant { name, .. }) = self.variant() {
            lines.push(format!("option name UCI_Variant type combo default {name} var {name}"));
        }
        let parameters = self.engine.family().parameters.iter();
        let parameters = parameters.filter(|parameter| parameter.name != LINES);
        lines.extend(parameters.map(|parameter| option_line(parameter, &self.engine)));
        lines.push(format!("{word}ok"));
        lines.into_iter().map(Action::Send).collect()
    }

    fn set_option(&mut self, words: &[&str]) -> Result<Vec<Action>, TextError> {
        let wrong = || TextError::new("an option is set by 'setoption name N value V'");
        let ["name", rest @ ..] = words else { return Err(wrong()) };
        let value_at = rest.iter().position(|word| *word == "value").ok_or_else(wrong)?;
        let (name, value) = (rest[..value_at].join(" "), rest[value_at + 1..].join(" "));
        match name.to_ascii_lowercase().as_str() {
            "engine" => self.set_engine(value.parse()?),
            "game" => {
                let game = self.session.spec().read(&value)?;
                self.dialect.check(&game)?;
                open(&game).check_engine(&self.engine)?;
                self.session = open(&game);
                self.start = None;
                Ok(Vec::new())
            }
            "seed" => {
                self.seed = value.parse().map_err(|_| {
                    TextError::new(format!("'{value}' is no seed; a seed is a whole number"))
                })?;
                Ok(vec![Action::NewGame(self.seed)])
            }
            LINES => {
                let lines = value.parse().ok().filter(|lines| (1..=MOST_LINES).contains(lines));
                self.lines = lines.ok_or_else(|| {
                    TextError::new(format!("MultiPV is a number from 1 to {MOST_LINES}"))
                })?;
                let mut engine = self.engine.clone();
                if !engine.family().has(LINES) {
                    return Ok(Vec::new());
                }
                engine.set(LINES, &value)?;
                self.set_engine(engine)
            }
            "uci_variant" => {
                let known = self.session.spec().row();
                let name = known.uci.map_or(known.name, |variant| variant.name);
                match value == name || known.is_named(&value) {
                    true => Ok(Vec::new()),
                    false => Err(TextError::new(format!("'{value}' is unknown; {name} is known"))),
                }
            }
            _ => {
                let mut engine = self.engine.clone();
                let known = engine.family().parameters.iter();
                let found = known.map(|one| one.name).find(|one| one.eq_ignore_ascii_case(&name));
                engine.set(found.unwrap_or(&name), &value)?;
                self.set_engine(engine)
            }
        }
    }

    fn set_engine(&mut self, mut engine: EngineSpec) -> Result<Vec<Action>, TextError> {
        match lines_of(&engine) {
            Some(lines) if engine.is_given(LINES) || lines == self.lines => self.lines = lines,
            Some(_) => engine.set(LINES, &self.lines.to_string())?,
            None => {}
        }
        self.session.check_engine(&engine)?;
        self.engine = engine.clone();
        Ok(vec![Action::Engine(engine)])
    }

    /// `startpos` or `fen F`, then perhaps `moves ...`.
    fn set_position(&mut self, words: &[&str]) -> Result<(), TextError> {
        let moves_at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let start = match &words[..moves_at] {
            ["startpos"] => None,
            ["fen", fen @ ..] => Some(self.read_position(&fen.join(" "))?),
            _ => return Err(TextError::new("a position is 'startpos' or 'fen F'")),
        };
        let moves = words.get(moves_at + 1..).unwrap_or_default();
        self.set_moves(start.as_deref(), &self.read_moves(moves)?)?;
        self.start = start;
        Ok(())
    }

    fn set_moves(&mut self, start: Option<&str>, moves: &[String]) -> Result<(), TextError> {
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        self.session.set(start, &moves)
    }

    /// The game as a variant of chess, if that is what is spoken.
    fn variant(&self) -> Option<UciVariant> {
        self.session.spec().row().uci.filter(|_| self.dialect == Dialect::Uci)
    }

    fn read_position(&self, text: &str) -> Result<String, TextError> {
        self.variant().map_or_else(|| Ok(text.to_owned()), |variant| (variant.read_position)(text))
    }

    fn read_moves(&self, words: &[&str]) -> Result<Vec<String>, TextError> {
        match self.variant() {
            Some(variant) => words.iter().map(|word| (variant.read_move)(word)).collect(),
            None => Ok(words.iter().map(|&word| word.to_owned()).collect()),
        }
    }

    /// Moves on top of what is played.
    fn add_moves(&mut self, words: &[&str]) -> Result<(), TextError> {
        let mut moves = self.session.moves();
        moves.extend(self.read_moves(words)?);
        let start = self.start.clone();
        self.set_moves(start.as_deref(), &moves)
    }

    fn go(&mut self, words: &[&str]) -> Vec<Action> {
        let limits = limits(words, self.dialect);
        self.infinite = words.contains(&"infinite");
        self.held = None;
        if self.session.outcome().is_some() {
            self.infinite = false;
            return vec![Action::Send("bestmove 0000".to_owned())];
        }
        vec![Action::Search(SearchRequest {
            game: self.session.spec().clone(),
            start: self.start.clone(),
            moves: self.session.moves(),
            limits: if self.infinite { Limits::default() } else { limits },
        })]
    }

    fn query(&self, words: &[&str]) -> Vec<Action> {
        let answer = match words {
            ["p1turn"] => (self.session.to_move() == Player::First).to_string(),
            ["gameover"] => self.session.outcome().is_some().to_string(),
            ["result"] => result_word(self.session.outcome()).to_owned(),
            _ => return error_lines("a query asks for p1turn, gameover or result"),
        };
        vec![Action::Send(format!("response {answer}"))]
    }

    /// A line of moves as the dialect writes it, for the game as it was thought
    /// about.
    fn line(&self, moves: &[String]) -> String {
        let Some(variant) = self.variant() else { return moves.join(" ") };
        let session = &self.session;
        let words = moves.iter().enumerate();
        let words = words.map(|(i, mv)| (variant.write_move)(session, &moves[..i], mv));
        words.collect::<Vec<_>>().join(" ")
    }

    /// An `info` for each line that is wanted and known, the best first.
    fn info(&self, info: &SearchInfo<String>) -> Vec<Action> {
        let millis = info.elapsed.as_millis() as u64;
        let nodes = info.nodes.max(info.sims);
        let one = |number: &str, score: Score, pv: &[String]| {
            let score = score_words(score, self.dialect);
            let pv = if pv.is_empty() { String::new() } else { format!(" pv {}", self.line(pv)) };
            let depth = info.depth;
            Action::Send(format!(
                "info depth {depth}{number} score {score} nodes {nodes} time {millis}{pv}"
            ))
        };
        let known = &info.lines[..info.lines.len().min(self.lines)];
        if self.lines == 1 || known.is_empty() {
            let pv = info.lines.first().map_or(&[][..], |line| &line.pv);
            return vec![one("", info.score, pv)];
        }
        let numbered = known.iter().enumerate();
        numbered
            .map(|(i, line)| one(&format!(" multipv {}", i + 1), line.score, &line.pv))
            .collect()
    }

    fn best(&self, info: &SearchInfo<String>) -> Action {
        let mv = info.best.as_ref().map(|mv| self.line(std::slice::from_ref(mv)));
        Action::Send(format!("bestmove {}", mv.as_deref().unwrap_or("0000")))
    }

    /// Says what waited for `stop`, or stops the search.
    fn stop(&mut self) -> Vec<Action> {
        self.infinite = false;
        match self.held.take() {
            Some(info) => vec![self.best(&info)],
            None => vec![Action::Stop],
        }
    }
}

/// The parameter of engines that says how many lines they search, in lower case.
const LINES: &str = "multipv";

/// The most lines.
const MOST_LINES: usize = 256;

/// How many lines an engine searches, if that is a choice.
fn lines_of(engine: &EngineSpec) -> Option<usize> {
    engine.family().has(LINES).then(|| engine.value(LINES))
}

fn error_lines(text: impl std::fmt::Display) -> Vec<Action> {
    vec![Action::Send(format!("info string {text}"))]
}

impl ProtocolHandler for Ugi {
    fn on_line(&mut self, line: &str) -> Vec<Action> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { return Vec::new() };
        let done = |result: Result<(), TextError>| match result {
            Ok(()) => Vec::new(),
            Err(error) => error_lines(error),
        };
        match first {
            "isready" => vec![
                Action::Prepare(self.session.spec().clone()),
                Action::Send("readyok".to_owned()),
            ],
            "setoption" => self.set_option(rest).unwrap_or_else(error_lines),
            "uginewgame" | "ucinewgame" => {
                self.start = None;
                let _ = self.session.set(None, &[]);
                vec![Action::NewGame(self.seed)]
            }
            "position" => done(self.set_position(rest)),
            "moves" => done(self.add_moves(rest)),
            "go" => self.go(rest),
            "query" => self.query(rest),
            "stop" => self.stop(),
            "quit" => vec![Action::Quit],
            "debug" | "ponderhit" | "register" => Vec::new(),
            word if word == self.dialect.word() => self.introduce(),
            word => {
                let start: String = word.chars().take(40).collect();
                error_lines(format_args!("'{start}' is no command of this protocol"))
            }
        }
    }

    fn on_progress(&mut self, info: &SearchInfo<String>) -> Vec<Action> {
        self.info(info)
    }

    fn on_result(&mut self, info: &SearchInfo<String>) -> Vec<Action> {
        let mut actions = self.info(info);
        if self.infinite {
            self.held = Some(info.clone());
        } else {
            actions.push(self.best(info));
        }
        actions
    }
}

/// The limits that `go` gives; unknown words are passed over.
pub fn limits(words: &[&str], dialect: Dialect) -> Limits {
    let number = |name: &str| -> Option<u64> {
        let at = words.iter().position(|word| *word == name)?;
        // A clock that ran over is sent as a negative number.
        let value = words.get(at + 1)?.parse::<i64>().ok()?;
        Some(value.max(0) as u64)
    };
    let millis = |name: String| number(&name).map(Duration::from_millis);
    let [first, second] = dialect.clocks();
    let times = [millis(format!("{first}time")), millis(format!("{second}time"))];
    let increment = [first, second].map(|side| millis(format!("{side}inc")).unwrap_or_default());
    let clock = match times {
        [None, None] => None,
        [one, other] => {
            let left = [one.or(other), other.or(one)].map(Option::unwrap_or_default);
            Some(Clock { left, increment })
        }
    };
    Limits {
        time: millis("movetime".to_owned()),
        clock,
        nodes: number("nodes"),
        sims: number("sims"),
        depth: number("depth").map(|depth| depth.clamp(1, 1000) as u32),
    }
}

/// A score as UCI has it, for the mover: centipawns, or plies to the end.
fn score_words(score: Score, dialect: Dialect) -> String {
    match score {
        Score::Expected(value) => format!("cp {:.0}", centipawns(value)),
        Score::Points(points) => format!("cp {:.0}", (points * 100.0).clamp(-20_000.0, 20_000.0)),
        Score::Proven { result: 0, .. } => "cp 0".to_owned(),
        Score::Proven { result, plies: Some(plies) } => match dialect {
            Dialect::Ugi => format!("mate {}", i64::from(result) * i64::from(plies)),
            Dialect::Uci => format!("mate {}", i64::from(result) * i64::from(plies.div_ceil(2))),
        },
        Score::Proven { result, plies: None } => format!("cp {}", result * 20_000),
    }
}

fn result_word(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "none",
        Some(Outcome { winner: Some(Player::First), .. }) => "p1win",
        Some(Outcome { winner: Some(Player::Second), .. }) => "p2win",
        Some(Outcome { winner: None, .. }) => "draw",
    }
}

/// A parameter of the engine as an option.
fn option_line(parameter: &Parameter, engine: &EngineSpec) -> String {
    let (name, default) = (parameter.name, engine.text(parameter.name));
    match parameter.kind {
        Kind::Whole(least, most, _) if default.parse::<u64>().is_ok() => {
            format!("option name {name} type spin default {default} min {least} max {most}")
        }
        Kind::Choice(words) => {
            let vars: String = words.iter().map(|word| format!(" var {word}")).collect();
            format!("option name {name} type combo default {default}{vars}")
        }
        Kind::Whole(..) | Kind::Real(..) | Kind::Words => {
            format!("option name {name} type string default {default}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_from_what_is_known() {
        let words = |line: &'static str| line.split_whitespace().collect::<Vec<_>>();
        let ms = Duration::from_millis;
        let found = limits(&words("p1time 1000 p2time -20 p1inc 10 p2inc x depth 0"), Dialect::Ugi);
        let clock = Clock { left: [ms(1000), ms(0)], increment: [ms(10), ms(0)] };
        assert_eq!(found.clock, Some(clock));
        assert_eq!(found.depth, Some(1));
        let found = limits(&words("wtime 5 movetime 7 nodes 9 searchmoves a b"), Dialect::Uci);
        assert_eq!(found.clock.unwrap().left, [ms(5), ms(5)]);
        assert_eq!((found.time, found.nodes), (Some(ms(7)), Some(9)));
        assert_eq!(limits(&words("depth"), Dialect::Ugi), Limits::default());
    }

    #[test]
    fn mate_is_counted_in_plies_or_moves() {
        let mate = Score::Proven { result: -1, plies: Some(6) };
        assert_eq!(score_words(mate, Dialect::Ugi), "mate -6");
        assert_eq!(score_words(mate, Dialect::Uci), "mate -3");
    }

    #[test]
    fn several_lines_are_numbered() {
        let mut ugi =
            Ugi::new(Dialect::Ugi, &"surakarta".parse().unwrap(), "best".parse().unwrap(), 1);
        let line = |mv: &str, points| search::Line {
            mv: mv.to_owned(),
            score: Score::Points(points),
            visits: 1,
            pv: vec![mv.to_owned()],
        };
        let lines = vec![line("b5-c4", 1.0), line("a5-a4", 0.5), line("c5-c4", 0.0)];
        let info = SearchInfo { depth: 3, score: Score::Points(1.0), lines, ..Default::default() };
        let told = |ugi: &Ugi| -> Vec<String> {
            ugi.info(&info)
                .into_iter()
                .map(|action| match action {
                    Action::Send(line) => line,
                    other => panic!("{other:?}"),
                })
                .collect()
        };
        assert_eq!(told(&ugi), ["info depth 3 score cp 100 nodes 0 time 0 pv b5-c4"]);
        let engine = ugi.on_line("setoption name MultiPV value 2");
        assert!(matches!(&engine[..], [Action::Engine(spec)] if spec.text(LINES) == "2"));
        assert_eq!(
            told(&ugi),
            [
                "info depth 3 multipv 1 score cp 100 nodes 0 time 0 pv b5-c4",
                "info depth 3 multipv 2 score cp 50 nodes 0 time 0 pv a5-a4",
            ]
        );
        // A tree search has a value for every move anyway.
        ugi.on_line("setoption name Engine value uct");
        assert_eq!(told(&ugi).len(), 2);
        let refused = ugi.on_line("setoption name MultiPV value 0");
        assert_eq!(
            refused,
            [Action::Send("info string MultiPV is a number from 1 to 256".to_owned())]
        );
    }
}
