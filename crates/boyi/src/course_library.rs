//! A library written for the course's judge, as an engine: it runs in a process of
//! its own (`boyi course-player`), under the judge's limits.
//!
//! Each game has a new process, as in the course. A library that breaks a rule
//! returns a fault in place of a move.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use games::connect_four::{Cell, Column, ConnectFour, U192};
use games::{Game, Record};
use search::{Engine, Fault, SearchControl, SearchInfo};
use session::program::{Process, ReadError};

use crate::verbs::course_player::{ERROR, MARK, READY};

/// The judge's CPU time for a move.
const CPU: Duration = Duration::from_secs(3);
/// How long a library may take by the wall clock.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Time between two polls of the stop flag.
const TICK: Duration = Duration::from_millis(5);

/// What a library did that crashed in its first call: it may be made for another
/// machine, so that such a game says nothing about strength.
pub use lab::CRASHED_FIRST;

/// A board that holds every one of the course's.
pub type Board = ConnectFour<U192>;

/// A library and its process.
pub struct CourseLibrary {
    path: PathBuf,
    process: Option<Process>,
    /// Whether it has moved in this game.
    moved: bool,
}

/// The libraries in a folder, by name; numbers in names count as numbers, so that
/// `100` comes after `98`.
pub fn libraries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("{} can't be read", folder.display()))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let end = path.extension().and_then(|end| end.to_str());
            matches!(end, Some("so" | "dylib" | "dll"))
        })
        .collect();
    found.sort_by_key(|path| (number(path), path.clone()));
    if found.is_empty() {
        bail!("{} has no library (.so, .dylib or .dll)", folder.display());
    }
    Ok(found)
}

/// A library's name without its folder and its end.
pub fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The number in a library's name; the course's samples are numbered by strength.
fn number(path: &Path) -> u64 {
    let digits: String = name(path).chars().filter(char::is_ascii_digit).take(9).collect();
    digits.parse().unwrap_or(0)
}

impl CourseLibrary {
    /// A library that is started when it has to move.
    pub fn new(path: &Path) -> CourseLibrary {
        CourseLibrary { path: path.to_path_buf(), process: None, moved: false }
    }

    /// Loads the library, in a process of its own; an error says why it can't play.
    pub fn load(&mut self) -> Result<(), String> {
        if self.process.is_some() {
            return Ok(());
        }
        let itself = std::env::current_exe().map_err(|error| error.to_string())?;
        let command = format!("'{}' course-player '{}'", itself.display(), self.path.display());
        let mut process = Process::start(&command, None).map_err(|error| error.to_string())?;
        let loaded = process.until(TIMEOUT, |line| {
            let answer = line.strip_prefix(MARK)?;
            match answer.strip_prefix(ERROR) {
                Some(why) => Some(Err(why.to_owned())),
                None => (answer == READY).then_some(Ok(())),
            }
        });
        loaded.unwrap_or_else(|| Err("it ends the process that loads it".to_owned()))?;
        (self.process, self.moved) = (Some(process), false);
        Ok(())
    }

    fn process(&mut self) -> Result<&mut Process, Fault> {
        self.load().map_err(|why| Fault::Gone(format!("can't be loaded: {why}")))?;
        Ok(self.process.as_mut().expect("it was just started"))
    }

    /// The library's column, or what it did wrong. `keep_going` is
    /// called while it searches.
    pub fn column(
        &mut self,
        record: &Record<Board>,
        mut keep_going: impl FnMut() -> bool,
    ) -> Result<Column, Fault> {
        let crash = match self.moved {
            true => "crashed",
            false => CRASHED_FIRST,
        };
        let process = self.process()?;
        process.send(&position_line(record));
        let begun = Instant::now();
        let line = loop {
            match process.line(TICK) {
                Ok(line) => {
                    if let Some(answer) = line.strip_prefix(MARK) {
                        break answer.to_owned();
                    }
                }
                Err(ReadError::Late) => {}
                Err(ReadError::Closed) => return Err(Fault::Gone(crash.to_owned())),
            }
            if begun.elapsed() > TIMEOUT || !keep_going() {
                process.kill();
                let seconds = begun.elapsed().as_secs();
                return Err(Fault::Gone(format!("silent for {seconds} s")));
            }
        };
        let numbers: Vec<i64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [x, y, micros] = numbers[..] else {
            return Err(Fault::Illegal("no answer".to_owned()));
        };
        let spent = Duration::from_micros(micros.max(0) as u64);
        if spent > CPU {
            return Err(Fault::Late(format!("took {:.2} s of CPU time", spent.as_secs_f64())));
        }
        self.moved = true;
        let game = record.game();
        let column = u8::try_from(y).ok().map(Column).filter(|&column| game.is_legal(column));
        column
            .filter(|&column| row_of(game, column) == x)
            .ok_or(Fault::Illegal(format!("illegal move {x},{y}")))
    }
}

impl Engine<Board> for CourseLibrary {
    fn search(
        &mut self,
        record: &Record<Board>,
        control: &SearchControl<Column>,
    ) -> SearchInfo<Column> {
        let mut info = SearchInfo::default();
        let answer = self.column(record, || {
            control.publish(&SearchInfo::default());
            !control.is_stopped()
        });
        match answer {
            Ok(column) => info.best = Some(column),
            Err(fault) => info.fault = Some(fault),
        }
        info
    }

    fn new_game(&mut self, _seed: u64) {
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
    }

    fn is_anytime(&self) -> bool {
        false
    }
}

/// The judge's row of the next stone in a column: rows count from the top.
fn row_of(game: &Board, column: Column) -> i64 {
    i64::from(game.rows()) - 1 - i64::from(game.height(column))
}

/// The position as the judge presents it to the player to move, as a line for the
/// library's process.
fn position_line(record: &Record<Board>) -> String {
    let game = record.game();
    let (rows, columns) = (game.rows(), game.columns());
    let hole = game.setup().hole.map_or((-1, -1), |(column, row)| {
        (i64::from(rows) - 1 - i64::from(row), i64::from(column))
    });
    let last = record.positions().iter().zip(record.moves()).next_back();
    let (last_x, last_y) =
        last.map_or((-1, -1), |(before, &column)| (row_of(before, column), column.0.into()));
    let mut line = format!("{rows} {columns} {} {} {last_x} {last_y}", hole.0, hole.1);
    for column in 0..columns {
        line += &format!(" {}", rows - game.height(Column(column)));
    }
    for row in (0..rows).rev() {
        for column in 0..columns {
            line += match game.cell(column, row) {
                Cell::Stone(player) if player == game.to_move() => " 2",
                Cell::Stone(_) => " 1",
                _ => " 0",
            };
        }
    }
    line
}
