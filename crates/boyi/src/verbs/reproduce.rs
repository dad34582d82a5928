//! `boyi reproduce`: reproduces the papers' tables and figures.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use arena::Store;
use clap::{Args, ValueEnum};
use games::mix;
use lab::report::Provenance;
use lab::{
    Finding, LabContext, LabEvent, Profile, Samples, estimate, find, report, run_experiment,
};

use crate::course_library::{self, CourseLibrary, libraries};
use crate::position::print_line;
use crate::progress::{ProgressBar, duration_text};
use crate::provenance::provenance;
use crate::verbs::fleet::FleetArguments;

/// Reproduce the papers' tables and figures
#[derive(Args)]
#[command(after_help = "\
An ID is an experiment, such as 000-table-1, or a paper, such as 000. The same command
continues after an interruption. DIR gets report.html, report.json, report.csv, a picture for
each sweep and each thing that a paper leaves open (ID-1.svg), and the store of all games.

Examples:
  boyi reproduce --list
  boyi reproduce --profile smoke
  boyi reproduce 000-figure-7 003 --profile short --out results
  boyi reproduce --profile medium --estimate
  boyi reproduce 001 --profile full --out results
  boyi reproduce 004-samples --samples strategies
")]
pub struct Arguments {
    /// Experiments; all of them by default
    #[arg(value_name = "ID")]
    names: Vec<String>,

    /// How much is played; --estimate says how long it takes here
    #[arg(long, value_enum, default_value_t = Amount::Short)]
    profile: Amount,

    /// The folder of the report and the games
    #[arg(long, value_name = "DIR", default_value = "reproduction")]
    out: PathBuf,

    /// Concurrent games; one per core by default
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,

    #[command(flatten)]
    fleet: FleetArguments,

    /// Seed of every match and training; rows limited by simulations repeat with it to the last
    /// game, those of a network that was trained here do not
    #[arg(long, value_name = "X", default_value_t = 1)]
    seed: u64,

    /// A folder of the Connect Four course's sample strategies, for 004-samples
    #[arg(long, value_name = "DIR")]
    samples: Option<PathBuf>,

    /// Only list the experiments
    #[arg(long)]
    list: bool,

    /// Only report what the store has, and play nothing; another run may be playing
    #[arg(long, conflicts_with_all = ["samples", "estimate"])]
    stored: bool,

    /// Only estimate how long it would take
    #[arg(long)]
    estimate: bool,

    /// Print the report as JSON at the end
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Amount {
    /// A minute: only shows that everything runs
    Smoke,
    /// About an hour on two cores: the direction of each result
    Short,
    /// Within a day on two cores: intervals of at most ten points, and every choice for what
    /// the papers leave open
    Medium,
    /// Days: the papers' own budgets where they are printed
    Full,
}

impl From<Amount> for Profile {
    fn from(amount: Amount) -> Profile {
        match amount {
            Amount::Smoke => Profile::Smoke,
            Amount::Short => Profile::Short,
            Amount::Medium => Profile::Medium,
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
        let long = matches!(profile, Profile::Medium | Profile::Full) && !self.stored;
        if self.estimate || long {
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
                "in all about {} from nothing at most, {concurrency} games at a time",
                duration_text(sum)
            );
        }
        if self.estimate {
            return Ok(());
        }
        let samples = self.samples.as_deref().map(samples).transpose()?;
        // Networks that an experiment trains are files of this machine.
        ensure!(
            self.fleet.is_none() || experiments.iter().all(|e| e.train.is_none()),
            "an experiment that trains a network is played on one machine: name others"
        );
        let players = self.fleet.players(&[])?;
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
            seed: self.seed,
            stored_only: self.stored,
            stop: &STOP,
            on_event: &mut on_event,
            folder: self.out.clone(),
            remote: players.as_ref().map(|(_, players)| players.clone()),
            samples,
        };
        let made = provenance(self.seed);
        let mut findings = Vec::new();
        for (index, experiment) in experiments.iter().enumerate() {
            if context.stopped() {
                break;
            }
            let (number, all) = (index + 1, experiments.len());
            (context.on_event)(LabEvent::Message(&format!("{number} of {all}: {}", experiment.id)));
            findings.push(run_experiment(experiment, profile, &mut context)?);
            // After each, so that there is something to read during a long run.
            self.write(&findings, profile, &made)?;
        }
        let interrupted = context.stopped();
        progress.clear();
        if self.json {
            print_line(report::json(&findings, profile, &made))?;
        } else {
            summary(&findings)?;
            print_line(format!("\nthe report is {}", self.out.join("report.html").display()))?;
        }
        if interrupted {
            eprintln!("{}", crate::interrupt::goes_on());
        }
        Ok(())
    }

    fn write(
        &self,
        findings: &[Finding],
        profile: Profile,
        made: &Provenance,
    ) -> anyhow::Result<()> {
        let put = |name: &str, text: String| {
            let path = self.out.join(name);
            write_file(&path, &text)
        };
        put("report.html", report::page(findings, profile, made))?;
        put("report.json", report::json(findings, profile, made))?;
        put("report.csv", report::csv(findings))?;
        for finding in findings {
            for (number, (_, curve)) in (1..).zip(&finding.curves) {
                let name = format!("{}-curve-{number}.svg", finding.id);
                put(&name, report::sweep_plot(curve, finding.printed_optimum()))?;
            }
            for (number, curve) in (1..).zip(&finding.sensitivities) {
                let name = format!("{}-{number}.svg", finding.id);
                put(&name, report::choice_plot(curve))?;
            }
        }
        Ok(())
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
