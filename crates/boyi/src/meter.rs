//! How far long work has come: a bar with the time that is left on a terminal,
//! a plain line now and then in a pipe or a file.
//!
//! Both go to the error output, so that results can be piped away. What is left
//! is reckoned from what this run has done, not from what earlier runs left in
//! the store.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// Time between two plain lines.
const PAUSE: Duration = Duration::from_secs(10);

/// Time between two looks at the clock of a bar whose work takes long.
const TICK: Duration = Duration::from_millis(500);

/// Shows progress to whoever watches.
pub struct Meter {
    terminal: bool,
    work: Option<Work>,
}

/// A piece of work that is under way.
struct Work {
    name: String,
    total: u64,
    /// Steps that were done before this run.
    before: u64,
    begun: Instant,
    told: Instant,
    bar: Option<ProgressBar>,
}

impl Meter {
    /// Nothing is under way yet.
    pub fn new() -> Meter {
        Meter { terminal: std::io::stderr().is_terminal(), work: None }
    }

    /// So many pairs of a piece of work are done, with something to say about
    /// it. The first call with a name begins it.
    pub fn step(&mut self, name: &str, done: u64, total: u64, remark: &str) {
        if self.work.as_ref().is_none_or(|work| work.name != name || work.total != total) {
            self.clear();
            self.work = Some(Work::begin(name, done, total, self.terminal));
        }
        if let Some(work) = &mut self.work {
            work.step(done, remark);
        }
    }

    /// Says something that stays; a bar is taken away before it.
    pub fn say(&mut self, line: &str) {
        self.clear();
        eprintln!("{line}");
    }

    /// Takes the bar away.
    pub fn clear(&mut self) {
        if let Some(bar) = self.work.take().and_then(|work| work.bar) {
            bar.finish_and_clear();
        }
    }
}

impl Work {
    fn begin(name: &str, before: u64, total: u64, terminal: bool) -> Work {
        let begun = Instant::now();
        let bar = terminal.then(|| {
            let style = ProgressStyle::with_template(
                "[{bar:20}] {pos} of {len} pairs, {time_left}  {wide_msg}",
            )
            .expect("the template is right")
            .progress_chars("=> ")
            .with_key(
                "time_left",
                move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let left = left(
                        state.pos().saturating_sub(before),
                        total.saturating_sub(before),
                        begun,
                    );
                    let _ = out.write_str(&left);
                },
            );
            let bar = ProgressBar::new(total).with_style(style).with_position(before);
            bar.enable_steady_tick(TICK);
            bar
        });
        Work { name: name.to_owned(), total, before, begun, told: begun, bar }
    }

    fn step(&mut self, done: u64, remark: &str) {
        let message = match remark {
            "" => self.name.clone(),
            remark => format!("{}: {remark}", self.name),
        };
        if let Some(bar) = &self.bar {
            bar.set_message(message);
            bar.set_position(done);
        } else if self.told.elapsed() > PAUSE {
            self.told = Instant::now();
            let rest = self.total.saturating_sub(self.before);
            let left = left(done.saturating_sub(self.before), rest, self.begun);
            eprintln!("{done} of {} pairs, {left}  {message}", self.total);
        }
    }
}

/// What is left, if so many steps of so many were done since then.
fn left(done: u64, total: u64, begun: Instant) -> String {
    match done {
        0 => "time left unknown".to_owned(),
        _ => {
            let rest = total.saturating_sub(done) as f64 / done as f64;
            format!("{} left", words(begun.elapsed().mul_f64(rest)))
        }
    }
}

/// A time as people say it.
pub fn words(time: Duration) -> String {
    match time.as_secs() {
        0..=119 => format!("{} s", time.as_secs()),
        120..=7199 => format!("{} min", time.as_secs() / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}
