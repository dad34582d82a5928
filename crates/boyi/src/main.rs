//! The command line: one file per verb, and nothing that another program could
//! not do with the libraries below.

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use storage::Fault;

mod cli;
mod course_library;
mod import;
mod interrupt;
mod language;
mod limits;
mod match_options;
mod position;
mod progress;
mod provenance;
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
    match std::panic::catch_unwind(|| arguments.run()) {
        // The panic has printed its message.
        Err(_) => ExitCode::from(OTHER),
        Ok(Ok(())) if interrupt::happened() => ExitCode::from(interrupt::EXIT_CODE),
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) if interrupt::happened() => fail(&sentence(&error), interrupt::EXIT_CODE),
        Ok(Err(error)) => match error.downcast_ref::<std::io::Error>() {
            // The reader of our output has seen enough (`boyi moves ... | head`).
            Some(io) if io.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            _ => fail(&sentence(&error), exit_code(&error)),
        },
    }
}

/// The exit code of what the user can mend: a word, a file's name or rights, room.
const MENDABLE: u8 = 2;
/// The exit code of the rest: a device that fails, a mistake in the program.
const OTHER: u8 = 1;

fn exit_code(error: &anyhow::Error) -> u8 {
    use ErrorKind::*;
    let fails = error.chain().any(|cause| {
        if let Some(error) = cause.downcast_ref::<rusqlite::Error>() {
            return matches!(Fault::of(error), Fault::Disk | Fault::Other);
        }
        let kind = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        kind.is_some_and(|kind| {
            !matches!(
                kind,
                AddrInUse
                    | AddrNotAvailable
                    | AlreadyExists
                    | ConnectionRefused
                    | FileTooLarge
                    | HostUnreachable
                    | InvalidData
                    | InvalidFilename
                    | InvalidInput
                    | IsADirectory
                    | NetworkUnreachable
                    | NotADirectory
                    | NotFound
                    | OutOfMemory
                    | PermissionDenied
                    | QuotaExceeded
                    | ReadOnlyFilesystem
                    | StorageFull
            )
        })
    });
    if fails { OTHER } else { MENDABLE }
}

/// An error and its causes, each printed once: many repeat their cause, and what
/// SQLite means is in the sentence of the store.
fn sentence(error: &anyhow::Error) -> String {
    let explained = |cause: &rusqlite::Error| Fault::of(cause).sentence().is_some();
    let causes = error.chain().take_while(|cause| !cause.downcast_ref().is_some_and(explained));
    causes.fold(String::new(), |text, cause| match cause.to_string() {
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
        return fail(
            &format!("{sentence}; 'boyi help' and 'boyi VERB --help' show the way"),
            MENDABLE,
        );
    }
    // No verb where one is needed: the help is the answer.
    let _ = error.print();
    ExitCode::from(MENDABLE)
}
