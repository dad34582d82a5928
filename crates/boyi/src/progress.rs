//! Progress of long work: a bar with the remaining time on a terminal, a plain
//! line every few seconds in a pipe or a file.
//!
//! Both go to the error output, so that results can be piped. The remaining time
//! is estimated from the work of this run alone, not from what earlier runs left
//! in the store.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressState, ProgressStyle};

/// Time between two plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Time between two redraws of the bar.
const TICK: Duration = Duration::from_millis(500);

/// A progress bar, or plain lines.
pub struct ProgressBar {
    terminal: bool,
    work: Option<Work>,
}

/// Work in progress.
struct Work {
    name: String,
    total: u64,
    /// Steps that were done before this run.
    before: u64,
    begun: Instant,
    printed: Instant,
    bar: Option<indicatif::ProgressBar>,
}

impl ProgressBar {
    /// Without work.
    pub fn new() -> ProgressBar {
        ProgressBar { terminal: std::io::stderr().is_terminal(), work: None }
    }

    /// Shows that so many pairs of the named work are done, with a remark. The
    /// first call with a name begins new work.
    pub fn update(&mut self, name: &str, done: u64, total: u64, remark: &str) {
        if self.work.as_ref().is_none_or(|work| work.name != name || work.total != total) {
            self.clear();
            self.work = Some(Work::begin(name, done, total, self.terminal));
        }
        if let Some(work) = &mut self.work {
            work.update(done, remark);
        }
    }

    /// Prints a line that stays, in place of the bar.
    pub fn println(&mut self, line: &str) {
        self.clear();
        eprintln!("{line}");
    }

    /// Removes the bar.
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
                    let left = remaining(
                        state.pos().saturating_sub(before),
                        total.saturating_sub(before),
                        begun,
                    );
                    let _ = out.write_str(&left);
                },
            );
            let bar = indicatif::ProgressBar::new(total).with_style(style).with_position(before);
            bar.enable_steady_tick(TICK);
            bar
        });
        Work { name: name.to_owned(), total, before, begun, printed: begun, bar }
    }

    fn update(&mut self, done: u64, remark: &str) {
        let message = match remark {
            "" => self.name.clone(),
            remark => format!("{}: {remark}", self.name),
        };
        if let Some(bar) = &self.bar {
            bar.set_message(message);
            bar.set_position(done);
        } else if self.printed.elapsed() > LINE_INTERVAL {
            self.printed = Instant::now();
            let rest = self.total.saturating_sub(self.before);
            let left = remaining(done.saturating_sub(self.before), rest, self.begun);
            eprintln!("{done} of {} pairs, {left}  {message}", self.total);
        }
    }
}

/// The remaining time, if so many steps of so many were done since then.
fn remaining(done: u64, total: u64, begun: Instant) -> String {
    match done {
        0 => "time left unknown".to_owned(),
        _ => {
            let rest = total.saturating_sub(done) as f64 / done as f64;
            format!("{} left", duration_text(begun.elapsed().mul_f64(rest)))
        }
    }
}

/// A duration as text, in a fitting unit.
pub fn duration_text(time: Duration) -> String {
    match time.as_secs() {
        0..=119 => format!("{} s", time.as_secs()),
        120..=7199 => format!("{} min", time.as_secs() / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}
