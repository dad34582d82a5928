//! `boyi play`: a game in the terminal.

use std::io::{BufRead, Write};
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use games::{Outcome, Player, TextError};
use search::{Limits, SearchInfo, Source};
use session::{EngineHandle, EngineSpec, GameSpec, Session, open};

use crate::language::Language;
use crate::limits::LimitArgs;
use crate::position::{PositionArgs, print_line};
use crate::verbs::menu;

/// Play a game in the terminal: two people, or against an engine
#[derive(Args)]
#[command(mut_arg("game", |game| game.required(false)))]
#[command(after_help = "\
While playing: a move, or board, moves, hint, undo, redo, resign, help, quit.

Examples:
  boyi play surakarta
  boyi play surakarta --second 'level n=2'
  boyi play 'connect-four 9x9' --first best --second human --st 0.5
  boyi play 'dots-and-boxes 3x3' --first human --second human
  boyi play surakarta --first 'uct sims=1000' --second 'alpha-beta depth=3' --seed 7
")]
pub struct Arguments {
    #[command(flatten)]
    position: Option<PositionArgs>,

    /// Who moves first: human, or an engine ('boyi engines' lists them)
    #[arg(long, value_name = "WHO", default_value = "human")]
    first: PlayerSpec,

    /// Who moves second
    #[arg(long, value_name = "WHO", default_value = "best threads=auto")]
    second: PlayerSpec,

    #[command(flatten)]
    limits: LimitArgs,

    /// Seed of the engines' random choices; a new one each time by default
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// The player of one side.
#[derive(Clone)]
enum PlayerSpec {
    Human,
    Engine(EngineSpec),
}

impl FromStr for PlayerSpec {
    type Err = TextError;

    fn from_str(text: &str) -> Result<PlayerSpec, TextError> {
        if text == "human" { Ok(PlayerSpec::Human) } else { Ok(PlayerSpec::Engine(text.parse()?)) }
    }
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        // Which game? Asking is friendlier than an error.
        let Some(position) = self.position else { return menu::run() };
        let mut session = open(&position.game);
        position.set(&mut session)?;
        let seed = self.seed.unwrap_or_else(seed_of_now);
        ConsoleGame::new(session, [self.first, self.second], self.limits.or_one_second(), seed)?
            .play()
    }
}

/// A human against the best engine, from the start.
pub fn against_best(game: &GameSpec) -> anyhow::Result<()> {
    let players = [PlayerSpec::Human, PlayerSpec::Engine("best threads=auto".parse()?)];
    let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
    ConsoleGame::new(open(game), players, limits, seed_of_now())?.play()
}

fn seed_of_now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64)
}

/// A game being played.
struct ConsoleGame {
    session: Session,
    /// The engine of each side; `None` for a human.
    engines: [Option<EngineHandle>; 2],
    names: [String; 2],
    limits: Limits,
    language: Language,
}

impl ConsoleGame {
    fn new(
        session: Session,
        players: [PlayerSpec; 2],
        limits: Limits,
        seed: u64,
    ) -> anyhow::Result<ConsoleGame> {
        let names = players.each_ref().map(|player| match player {
            PlayerSpec::Human => "human".to_owned(),
            PlayerSpec::Engine(spec) => spec.to_string(),
        });
        let [first, second] = players.map(|player| match player {
            PlayerSpec::Human => Ok(None),
            PlayerSpec::Engine(spec) => session.engine(&spec, seed).map(Some),
        });
        let engines = [first?, second?];
        Ok(ConsoleGame { session, engines, names, limits, language: Language::of_user() })
    }

    fn play(mut self) -> anyhow::Result<()> {
        self.show()?;
        if self.engines.iter().any(Option::is_none) {
            print_line(self.language.pick(
                "Type a move, or: board, moves, hint, undo, redo, resign, help, quit",
                "输入着法，或：board 棋盘、moves 着法、hint 提示、undo 悔棋、redo 重走、resign 认输、help 帮助、quit 退出",
            ))?;
        }
        loop {
            if let Some(outcome) = self.session.outcome() {
                print_line(self.verdict(outcome))?;
                return print_line(format!(
                    "{}: {}",
                    self.session.spec(),
                    self.session.moves().join(" ")
                ));
            }
            if self.is_human() {
                let Some(line) = self.ask()? else {
                    return self.leave();
                };
                match line.to_lowercase().as_str() {
                    "" => {}
                    "quit" | "exit" | "q" => return self.leave(),
                    _ => self.execute(&line)?,
                }
            } else {
                self.answer()?;
            }
        }
    }

    fn is_human(&self) -> bool {
        self.engines[self.session.to_move() as usize].is_none()
    }

    /// An engine moves.
    fn answer(&mut self) -> anyhow::Result<()> {
        let side = self.session.to_move() as usize;
        let engine = self.engines[side].as_mut().expect("it is the engine's turn");
        let info = search(engine, &self.session, &self.limits)?;
        let mv = info.best.expect("the game goes on");
        self.session.play(&mv)?;
        let source = match info.source {
            Source::Search => String::new(),
            source => format!(" ({source})"),
        };
        print_line(format!(
            "{} {} {mv}{source}",
            self.names[side],
            self.language.pick("plays", "走")
        ))?;
        self.show()
    }

    /// A command or a move by a human.
    fn execute(&mut self, line: &str) -> anyhow::Result<()> {
        match line.to_lowercase().as_str() {
            "board" => self.show(),
            "moves" => print_line(self.session.legal().join(" ")),
            "hint" => {
                let mut engine = self.session.engine(&"best".parse()?, 1)?;
                let info = search(&mut engine, &self.session, &self.limits)?;
                let line = info.lines.first().map_or_else(String::new, |line| line.pv.join(" "));
                print_line(format!(
                    "{} {} ({} {:.0}%): {line}",
                    self.language.pick("try", "试试"),
                    info.best.unwrap_or_default(),
                    self.language.pick("winning chance", "胜率"),
                    100.0 * info.win_rate,
                ))
            }
            "undo" => self.turn_back(
                |session| session.undo(),
                "there is nothing to undo",
                "没有可以悔的棋",
            ),
            "redo" => self.turn_back(
                |session| session.redo(),
                "there is nothing to redo",
                "没有可以重走的着法",
            ),
            "resign" => {
                let loser = self.session.to_move();
                self.session.end(Outcome::win(!loser, games::Reason::Resigned));
                Ok(())
            }
            "help" => {
                print_line(self.language.pick(
                    "board: print the board; moves: list the legal moves; hint: an engine's move; \
                     undo, redo: back to your last turn and forward; resign: give up; \
                     quit: leave, and print how to resume",
                    "board：画棋盘；moves：列出合法着法；hint：引擎的建议；undo/redo：回到你的上一步或再走；\
                     resign：认输；quit：退出并显示如何继续",
                ))?;
                let example = self.session.legal().swap_remove(0);
                print_line(format!(
                    "{}: {example}",
                    self.language.pick("example of a move", "着法示例")
                ))
            }
            _ => match self.session.play(line) {
                Ok(()) => self.show(),
                Err(error) => print_line(error),
            },
        }
    }

    /// Goes back or forth to where a human is to move, so that undo against an
    /// engine takes back its reply too.
    fn turn_back(
        &mut self,
        go: fn(&mut Session) -> bool,
        english: &str,
        chinese: &str,
    ) -> anyhow::Result<()> {
        if !go(&mut self.session) {
            return print_line(self.language.pick(english, chinese));
        }
        while !self.is_human() && go(&mut self.session) {}
        self.show()
    }

    fn show(&self) -> anyhow::Result<()> {
        print_line(format!("\n{}", self.session.draw()))
    }

    fn ask(&self) -> anyhow::Result<Option<String>> {
        print!("> ");
        std::io::stdout().flush()?;
        let mut line = Vec::new();
        if std::io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
    }

    /// Leaves the game unfinished, and prints how to resume it.
    fn leave(&self) -> anyhow::Result<()> {
        let moves = self.session.moves();
        if moves.is_empty() {
            return print_line("");
        }
        let note = self.language.pick("to resume", "继续这一局");
        print_line(format!(
            "\n{note}: boyi play '{}' --moves '{}'",
            self.session.spec(),
            moves.join(" ")
        ))
    }

    fn verdict(&self, outcome: Outcome) -> String {
        let Language::Chinese = self.language else {
            return outcome.to_string();
        };
        match outcome.winner {
            Some(Player::First) => format!("先手胜（{}）", outcome.reason),
            Some(Player::Second) => format!("后手胜（{}）", outcome.reason),
            None => format!("和棋（{}）", outcome.reason),
        }
    }
}

/// Runs an engine on a session's position.
fn search(
    engine: &mut EngineHandle,
    session: &Session,
    limits: &Limits,
) -> anyhow::Result<SearchInfo<String>> {
    let moves = session.moves();
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    engine.set(Some(&session.start()), &moves)?;
    Ok(engine.search(limits, None))
}
