//! `boyi reproduce`: reproduces the papers' tables and figures.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, bail};
use arena::Store;
use clap::{Args, ValueEnum};
use games::mix;
use lab::{
    Finding, LabContext, LabEvent, Profile, Samples, estimate, find, report, run_experiment,
};

use crate::course_library::{self, CourseLibrary, libraries};
use crate::position::print_line;
use crate::progress::{ProgressBar, duration_text};

/// Reproduce the papers' tables and figures
#[derive(Args)]
#[command(after_help = "\
An ID is an experiment, such as 000-table-1, or a paper, such as 000. The same command
continues after an interruption. DIR gets report.html, report.json, report.csv and the store
of all games.

Examples:
  boyi reproduce --list
  boyi reproduce --profile smoke
  boyi reproduce 000-figure-7 003 --profile short --out results
  boyi reproduce 001 --profile full --out results
  boyi reproduce 004-samples --samples strategies
")]
pub struct Arguments {
    /// Experiments; all of them by default
    #[arg(value_name = "ID")]
    names: Vec<String>,

    /// The number of games: a smoke test, about ten minutes, or the papers' own budgets
    #[arg(long, value_enum, default_value_t = Amount::Short)]
    profile: Amount,

    /// The folder of the report and the games
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    out: PathBuf,

    /// Concurrent games; one per core by default
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,

    /// A folder of the Connect Four course's sample strategies, for 004-samples
    #[arg(long, value_name = "DIR")]
    samples: Option<PathBuf>,

    /// Only list the experiments
    #[arg(long)]
    list: bool,

    /// Only estimate how long it would take
    #[arg(long)]
    estimate: bool,

    /// Print the report as JSON at the end
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Amount {
    Smoke,
    Short,
    Full,
}

impl From<Amount> for Profile {
    fn from(amount: Amount) -> Profile {
        match amount {
            Amount::Smoke => Profile::Smoke,
            Amount::Short => Profile::Short,
            Amount::Full => Profile::Full,
        }
    }
}

impl Arguments {
    pub fn run(self) -> anyhow::Result<()> {
        let experiments = find(&self.names)?;
        if self.list {
            return experiments
                .iter()
                .try_for_each(|e| print_line(format!("{:<22} {}", e.id, e.title)));
        }
        let profile = Profile::from(self.profile);
        let concurrency = self.concurrency.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        );
        if self.estimate || profile == Profile::Full {
            let mut sum = Duration::ZERO;
            for experiment in &experiments {
                if experiment.batch.is_some() && self.samples.is_none() {
                    continue;
                }
                let time = estimate(experiment, profile, concurrency)?;
                sum += time;
                eprintln!("{:<22} about {}", experiment.id, duration_text(time));
            }
            eprintln!(
                "in all about {} from nothing, {concurrency} games at a time",
                duration_text(sum)
            );
        }
        if self.estimate {
            return Ok(());
        }
        let samples = self.samples.as_deref().map(samples).transpose()?;
        std::fs::create_dir_all(&self.out)
            .with_context(|| format!("{} can't be made", self.out.display()))?;
        static STOP: AtomicBool = AtomicBool::new(false);
        crate::interrupt::set_on_interrupt(&STOP)?;
        let mut progress = ProgressBar::new();
        let mut on_event = |event: LabEvent| match event {
            LabEvent::Message(line) => progress.println(line),
            LabEvent::Progress { work, pairs, of } => progress.update(work, pairs, of, ""),
        };
        let mut context = LabContext {
            store: Store::open(self.out.join("games.sqlite"))?,
            concurrency,
            stop: &STOP,
            on_event: &mut on_event,
            folder: self.out.clone(),
            samples,
        };
        let mut findings = Vec::new();
        for (index, experiment) in experiments.iter().enumerate() {
            if context.stopped() {
                break;
            }
            let (number, all) = (index + 1, experiments.len());
            (context.on_event)(LabEvent::Message(&format!("{number} of {all}: {}", experiment.id)));
            findings.push(run_experiment(experiment, profile, &mut context)?);
            // After each, so that there is something to read during a long run.
            self.write(&findings, profile)?;
        }
        let interrupted = context.stopped();
        progress.clear();
        if self.json {
            print_line(report::json(&findings, profile))?;
        } else {
            summary(&findings)?;
            print_line(format!("\nthe report is {}", self.out.join("report.html").display()))?;
        }
        if interrupted {
            eprintln!("{}", crate::interrupt::goes_on());
        }
        Ok(())
    }

    fn write(&self, findings: &[Finding], profile: Profile) -> anyhow::Result<()> {
        let put = |name: &str, text: String| {
            let path = self.out.join(name);
            write_file(&path, &text)
        };
        put("report.html", report::page(findings, profile))?;
        put("report.json", report::json(findings, profile))?;
        put("report.csv", report::csv(findings))
    }
}

/// The course strategies of a folder.
fn samples(folder: &Path) -> anyhow::Result<Samples> {
    let paths = libraries(folder)?;
    for path in &paths {
        if let Err(why) = CourseLibrary::new(path).load() {
            bail!("{} can't be loaded, so it is no opponent: {why}", path.display());
        }
    }
    let entrants = paths.iter().map(|path| {
        // Another library under the same name is another opponent.
        let bytes =
            std::fs::read(path).with_context(|| format!("{} can't be read", path.display()))?;
        let seal = bytes.iter().fold(0, |seal, &byte| mix(seal, byte.into()));
        Ok((course_library::name(path), format!("{seal:016x}")))
    });
    Ok(Samples {
        entrants: entrants.collect::<anyhow::Result<_>>()?,
        start: Arc::new(move |number| Ok(Box::new(CourseLibrary::new(&paths[number])))),
    })
}

/// Writes a file or says which one could not be written.
pub fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("{} can't be written", path.display()))
}

fn summary(findings: &[Finding]) -> anyhow::Result<()> {
    for finding in findings {
        print_line(format!("\n{}: {}", finding.id, finding.title))?;
        if let Some(waits) = &finding.waits {
            print_line(format!("  waits: {waits}"))?;
        } else if finding.claims.is_empty() {
            print_line("  our own experiment, no verdict")?;
        }
        for claim in &finding.claims {
            let (about, printed, ours) = (&claim.about, &claim.printed, &claim.ours);
            let verdict = claim.verdict.words();
            print_line(format!("  {about}: printed {printed}, ours {ours}: {verdict}"))?;
        }
    }
    Ok(())
}
