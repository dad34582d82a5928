//! The command line: one file per verb, and nothing that another program could
//! not do with the libraries below.

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

mod cli;
mod course_library;
mod import;
mod interrupt;
mod language;
mod limits;
mod position;
mod progress;
mod rlimit;
mod verbs;

fn main() -> ExitCode {
    if let Some(settings) = verbs::engine::contest_settings() {
        verbs::engine::serve_silently(settings);
        return ExitCode::SUCCESS;
    }
    let arguments = match cli::Cli::command().try_get_matches() {
        Ok(matches) => cli::Cli::from_arg_matches(&matches).expect("clap checked the arguments"),
        Err(error) => return refuse(&error),
    };
    match arguments.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => match error.downcast_ref::<std::io::Error>() {
            // The reader of our output has seen enough (`boyi moves ... | head`).
            Some(io) if io.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Some(_) => fail(&sentence(&error), 1),
            None => fail(&sentence(&error), 2),
        },
    }
}

/// An error and its causes, each printed once: many repeat their cause.
fn sentence(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| match cause.to_string() {
        cause if text.contains(&cause) => text,
        cause if text.is_empty() => cause,
        cause => format!("{text}: {cause}"),
    })
}

fn fail(sentence: &str, code: u8) -> ExitCode {
    eprintln!("boyi: {sentence}");
    ExitCode::from(code)
}

/// Prints help as it is, and a mistake in the arguments as one sentence.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render().to_string();
    if text.starts_with("error: ") {
        let lines: Vec<&str> = text
            .lines()
            .take_while(|line| !line.starts_with("Usage:"))
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("For more information"))
            .collect();
        let sentence = lines.join(" ").trim_start_matches("error: ").to_owned();
        return fail(&format!("{sentence}; 'boyi help' and 'boyi VERB --help' show the way"), 2);
    }
    // No verb where one is needed: the help is the answer.
    let _ = error.print();
    ExitCode::from(2)
}
