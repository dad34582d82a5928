//! `boyi play`: a game in the terminal.

use std::io::{BufRead, Write};
use std::str::FromStr;

use clap::Args;
use games::{Dice, Outcome, Player, Record};
use session::{GameSpec, Playable, Task};

use crate::language::Language;
use crate::position::{Place, say};
use crate::verbs::offer;

/// Play a game in the terminal: two people, or against an engine
#[derive(Args)]
#[command(after_help = "\
While playing: a move, or board, moves, undo, redo, resign, help, quit.

Examples:
  boyi play surakarta
  boyi play 'connect-four 9x9' --first random --second human
  boyi play 'dots-and-boxes 3x3' --first human --second human
  boyi play surakarta --first random --second random --seed 7
")]
pub struct Arguments {
    #[command(flatten)]
    place: Option<Place>,

    /// Who moves first: human or random
    #[arg(long, value_name = "WHO", default_value = "human")]
    first: Seat,

    /// Who moves second: human or random
    #[arg(long, value_name = "WHO", default_value = "random")]
    second: Seat,

    /// Decides what the random mover does; another one each time if not given
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Who sits at one side of the board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seat {
    Human,
    Random,
}

impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> Result<Seat, String> {
        match text {
            "human" => Ok(Seat::Human),
            "random" => Ok(Seat::Random),
            _ => Err(format!("there is no player '{text}'; the players are human and random")),
        }
    }
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        match &self.place {
            // Which game? Asking is friendlier than an error.
            None => offer::run(),
            Some(place) => {
                let (game, seats) = (place.game.clone(), [self.first, self.second]);
                game.run(Begin { place, seats, seed: self.seed.unwrap_or_else(seed_of_now) })
            }
        }
    }
}

struct Begin<'a> {
    place: &'a Place,
    seats: [Seat; 2],
    seed: u64,
}

impl Task for Begin<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Playable>(self, start: G) -> anyhow::Result<()> {
        let table = Table {
            record: self.place.record(start)?,
            spec: self.place.game.clone(),
            seats: self.seats,
            dice: Dice::seeded(self.seed),
            language: Language::of_user(),
        };
        table.play()
    }
}

/// A person against the random mover, from the start.
pub fn against_random(game: &GameSpec, language: Language) -> anyhow::Result<()> {
    struct Against<'a>(&'a GameSpec, Language);

    impl Task for Against<'_> {
        type Output = anyhow::Result<()>;

        fn run<G: Playable>(self, start: G) -> anyhow::Result<()> {
            let table = Table {
                record: Record::new(start),
                spec: self.0.clone(),
                seats: [Seat::Human, Seat::Random],
                dice: Dice::seeded(seed_of_now()),
                language: self.1,
            };
            table.play()
        }
    }

    game.run(Against(game, language))
}

fn seed_of_now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |time| time.as_nanos() as u64)
}

/// A game on the table.
struct Table<G: Playable> {
    record: Record<G>,
    spec: GameSpec,
    seats: [Seat; 2],
    dice: Dice,
    language: Language,
}

impl<G: Playable> Table<G> {
    fn play(mut self) -> anyhow::Result<()> {
        self.show()?;
        if self.seats.contains(&Seat::Human) {
            say(self.language.pick(
                "Type a move, or: board, moves, undo, redo, resign, help, quit",
                "输入着法，或：board 棋盘、moves 着法、undo 悔棋、redo 重走、resign 认输、help 帮助、quit 退出",
            ))?;
        }
        loop {
            if let Some(outcome) = self.record.outcome() {
                say(self.verdict(outcome))?;
                return say(format!("{}: {}", self.spec, self.record.moves_text()));
            }
            match self.seats[self.record.game().to_move() as usize] {
                Seat::Random => self.roll()?,
                Seat::Human => {
                    let Some(line) = self.ask()? else {
                        return self.leave();
                    };
                    match line.to_lowercase().as_str() {
                        "" => {}
                        "quit" | "exit" | "q" => return self.leave(),
                        _ => self.obey(&line)?,
                    }
                }
            }
        }
    }

    /// The random mover moves.
    fn roll(&mut self) -> anyhow::Result<()> {
        let mv = self.record.game().random_move(&mut self.dice).expect("the game goes on");
        let text = self.record.game().move_text(mv);
        self.record.play(mv)?;
        say(format!("{} {text}", self.language.pick("random plays", "随机方走")))?;
        self.show()
    }

    /// A command or a move by a person.
    fn obey(&mut self, line: &str) -> anyhow::Result<()> {
        match line.to_lowercase().as_str() {
            "board" => self.show(),
            "moves" => {
                let game = self.record.game();
                let texts: Vec<String> =
                    self.record.legal().into_iter().map(|mv| game.move_text(mv)).collect();
                say(texts.join(" "))
            }
            "undo" => self.take_back(),
            "redo" => {
                if self.record.redo() {
                    while self.seats[self.record.game().to_move() as usize] != Seat::Human
                        && self.record.redo()
                    {}
                    self.show()
                } else {
                    say(self.language.pick("there is nothing to redo", "没有可以重走的着法"))
                }
            }
            "resign" => {
                self.record.resign(self.record.game().to_move());
                Ok(())
            }
            "help" => {
                say(self.language.pick(
                    "board: draw it; moves: what is legal; undo, redo: back to your last turn and forth; \
                     resign: give up; quit: leave, and say how to come back",
                    "board：画棋盘；moves：列出合法着法；undo/redo：回到你的上一步或再走；resign：认输；quit：退出并告知如何继续",
                ))?;
                say(format!("{}: {}", self.language.pick("a move looks like", "着法写法如"), {
                    let list = self.record.legal();
                    self.record.game().move_text(list[0])
                }))
            }
            _ => match self.record.play_text(line) {
                Ok(()) => self.show(),
                Err(error) => say(error),
            },
        }
    }

    /// Back to where a person was to move, so that undo against an engine
    /// takes back its answer too.
    fn take_back(&mut self) -> anyhow::Result<()> {
        if !self.record.undo() {
            return say(self.language.pick("there is nothing to undo", "没有可以悔的棋"));
        }
        while self.seats[self.record.game().to_move() as usize] != Seat::Human && self.record.undo()
        {
        }
        self.show()
    }

    fn show(&self) -> anyhow::Result<()> {
        say(format!("\n{}", self.record.game().draw(self.record.last())))
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

    /// Leaves the game unfinished, and says how to come back to it.
    fn leave(&self) -> anyhow::Result<()> {
        if self.record.moves().is_empty() {
            return say("");
        }
        let note = self.language.pick("to go on", "继续这一局");
        say(format!("\n{note}: boyi play '{}' --moves '{}'", self.spec, self.record.moves_text()))
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
