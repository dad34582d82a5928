//! Tells the program which commit it is built from, for reports.

use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Without git, as in an unpacked archive, the commit is unknown.
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=BOYI_COMMIT={commit}");
    // The log of HEAD grows with each commit, whichever branch it is on.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]);
    println!("cargo::rerun-if-changed={}", log.as_deref().unwrap_or("build.rs"));
}
