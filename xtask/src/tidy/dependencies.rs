//! The licences and versions of all dependencies, from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::step::{command, output};

/// Licences that a program under MIT or Apache-2.0 may be linked with.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that are compiled in more than one version, and why.
const DUPLICATES: &[(&str, &str)] = &[
    ("getrandom", "ring and rand 0.8 (by async-nats) use 0.2"),
    ("hashbrown", "rusqlite's hashlink and indexmap use different versions"),
    ("rand", "async-nats uses 0.8, proptest 0.10"),
    ("rand_core", "as rand"),
    ("syn", "derive macros are moving from 2 to 3"),
];

/// Checks all packages that are compiled for this machine.
pub fn check(faults: &mut Vec<String>) -> anyhow::Result<()> {
    let version = output(&mut command("rustc -vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc names no host")?;
    let query = format!("cargo metadata --format-version 1 --locked --filter-platform {host}");
    let metadata: Value = serde_json::from_str(&output(&mut command(&query))?)?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages.iter().filter(|package| !package["source"].is_null()) {
        let name = package["name"].as_str().context("a package without a name")?;
        let version = package["version"].as_str().context("a package without a version")?;
        versions.entry(name).or_default().insert(version);
        match package["license"].as_str() {
            Some(licence) if is_allowed(licence) => {}
            other => faults.push(format!(
                "the licence of {name} {version} is {}, which is not on the list in \
                 xtask/src/tidy/dependencies.rs",
                other.unwrap_or("not stated")
            )),
        }
    }
    ensure!(!versions.is_empty(), "cargo metadata lists no dependencies");
    for (name, found) in &versions {
        let known = DUPLICATES.iter().any(|(duplicate, _)| duplicate == name);
        if found.len() > 1 && !known {
            let list: Vec<&str> = found.iter().copied().collect();
            faults.push(format!(
                "{name} is compiled in versions {}: agree on one, or list it with a reason in \
                 xtask/src/tidy/dependencies.rs",
                list.join(" and ")
            ));
        }
    }
    for (name, _) in DUPLICATES {
        if versions.get(name).is_none_or(|found| found.len() < 2) {
            faults.push(format!(
                "{name} is listed as a duplicate in xtask/src/tidy/dependencies.rs, but is not one"
            ));
        }
    }
    Ok(())
}

/// Whether an SPDX expression can be satisfied with the allowed licences. `AND`
/// binds stronger than `OR`; a slash is an old form of `OR`.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &tokens[..];
    any_of(&mut rest) && rest.is_empty()
}

fn any_of(tokens: &mut &[&str]) -> bool {
    let mut allowed = all_of(tokens);
    while let [first, rest @ ..] = tokens
        && *first == "OR"
    {
        *tokens = rest;
        allowed |= all_of(tokens);
    }
    allowed
}

fn all_of(tokens: &mut &[&str]) -> bool {
    let mut allowed = licence(tokens);
    while let [first, rest @ ..] = tokens
        && *first == "AND"
    {
        *tokens = rest;
        allowed &= licence(tokens);
    }
    allowed
}

/// A licence, one with an exception, or an expression in parentheses.
fn licence(tokens: &mut &[&str]) -> bool {
    let Some((first, rest)) = tokens.split_first() else { return false };
    *tokens = rest;
    if *first == "(" {
        let allowed = any_of(tokens);
        let Some((&")", rest)) = tokens.split_first() else { return false };
        *tokens = rest;
        return allowed;
    }
    // An exception only permits more.
    if let [with, _, rest @ ..] = tokens
        && *with == "WITH"
    {
        *tokens = rest;
    }
    LICENCES.contains(first)
}
