//! Words that do not belong in the sources: a private vocabulary that a reader of
//! chess engine or AlphaZero code would have to learn first, and paths of one
//! machine.

/// A word or phrase, and what to write instead. Matched as whole words, in any
/// case, in Rust, JavaScript and Markdown.
const PRIVATE: &[(&str, &str)] = &[
    ("noughts", "zeros"),
    ("nought", "zero"),
    ("handed in", "submitted"),
    ("hands it in", "submits it"),
    ("hands them in", "submits them"),
    ("nobody has it", "it is free"),
    ("purse", "memory budget"),
    ("errand", "running search"),
    ("whim", "tie break"),
    ("thinker", "engine handle"),
];

/// Type names of that vocabulary, and the ones that took their place. Matched as
/// whole words, with their capital, in Rust code.
const PRIVATE_TYPES: &[(&str, &str)] = &[
    ("Assured", "ExactStage"),
    ("Booked", "ExactStage"),
    ("Certain", "ExactKnowledge"),
    ("Chair", "EngineSession"),
    ("Clerk", "ResultWriter"),
    ("Crew", "LeafParallel"),
    ("Desk", "GameDraft"),
    ("Dice", "Rng"),
    ("Doubt", "Stability"),
    ("Effort", "SolverOptions"),
    ("Fixture", "ScheduledGame"),
    ("Frozen", "InferenceNet"),
    ("Mind", "SearchWorker"),
    ("Neck", "HeadConv"),
    ("Past", "OpeningStats"),
    ("Plot", "LocalAllocator"),
    ("Punctual", "Runner"),
    ("Pupil", "Learner"),
    ("Sage", "SolverEngine"),
    ("Shelf", "BookSource"),
    ("Silence", "ReadError"),
    ("Talk", "ProtocolHandler"),
    ("Teacher", "MoveSource"),
    ("Thought", "SearchEvent"),
    ("Walker", "Worker"),
    ("Worth", "Score"),
];

/// The beginnings of paths that exist on one machine only.
const MACHINE_PATHS: &[&str] = &["/work/", "/farm/", "/root/", "/home/", "/tmp/bash_jobs"];

/// Checks one file.
pub fn check(name: &str, text: &str, faults: &mut Vec<String>) {
    // This file has to spell them.
    if name.ends_with("tidy/words.rs") {
        return;
    }
    let prose = [".rs", ".js", ".md"].iter().any(|end| name.ends_with(end));
    for (i, line) in text.lines().enumerate() {
        for path in MACHINE_PATHS {
            if line.contains(path) {
                faults.push(format!("{name}:{}: '{path}' is a path of one machine", i + 1));
            }
        }
        if !prose {
            continue;
        }
        if name.ends_with(".rs") {
            let code = line.split("//").next().unwrap_or_default();
            for (word, instead) in PRIVATE_TYPES {
                if contains_word(code, word) {
                    faults.push(format!("{name}:{}: '{word}': write '{instead}'", i + 1));
                }
            }
        }
        let lower = line.to_lowercase();
        for (word, instead) in PRIVATE {
            if contains_word(&lower, word) {
                faults.push(format!("{name}:{}: '{word}': write '{instead}'", i + 1));
            }
        }
    }
}

/// Whether a phrase stands in a line as whole words. In a name with underscores
/// each part is a word.
fn contains_word(line: &str, phrase: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric();
    line.match_indices(phrase).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + phrase.len()..].chars().next();
        !before.is_some_and(letter) && !after.is_some_and(letter)
    })
}
