//! Coverage-guided fuzzing with cargo-fuzz. The same laws run for a moment, on
//! random bytes, in `cargo xtask test`.

use anyhow::{Context, bail};

use crate::step::{root, step, succeeds};

/// Fuzzes each target for some seconds.
pub fn run(seconds: u64) -> anyhow::Result<()> {
    if !succeeds("cargo fuzz --version") {
        println!("cargo-fuzz is missing; installing it");
        if !succeeds("cargo install cargo-fuzz --locked") {
            bail!("cargo-fuzz could not be installed: run 'cargo install cargo-fuzz'");
        }
    }
    for target in targets()? {
        // The fuzzer's instrumentation is a nightly flag; the sanitizers would
        // need a nightly standard library too, and this code has no use for them.
        step(
            &format!(
                "cargo fuzz run --sanitizer none {target} -- -max_total_time={seconds} -max_len=512"
            ),
            &[("RUSTC_BOOTSTRAP", "1"), ("CARGO_TARGET_DIR", "fuzz/target")],
        )?;
    }
    Ok(())
}

fn targets() -> anyhow::Result<Vec<String>> {
    let folder = root().join("fuzz/fuzz_targets");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .with_context(|| format!("{} can't be read", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}
