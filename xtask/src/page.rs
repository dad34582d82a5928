//! Checks of the page's modules: no import cycles, types, format.
//!
//! Types and format are checked by TypeScript and Prettier at the exact versions
//! of `crates/web/page-check/package-lock.json`, installed under the target
//! folder; the page itself is served as it is written and needs neither.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::step::{command, root, step, succeeds};

const PAGE: &str = "crates/web/page";
const LOCK: &str = "crates/web/page-check/package-lock.json";
const PACKAGE: &str = "crates/web/page-check/package.json";
const LEFT_OUT: &str = "set BOYI_NO_NODE=1 to leave the checks of the page's types and format out";

/// Names the modules of every import cycle.
pub fn check_imports(faults: &mut Vec<String>) -> anyhow::Result<()> {
    let mut modules = BTreeMap::new();
    read_modules(&root().join(PAGE), &mut modules)?;
    let mut done = Vec::new();
    for module in modules.keys() {
        follow(module, &modules, &mut Vec::new(), &mut done, faults);
    }
    Ok(())
}

/// What each module under a folder imports.
fn read_modules(
    folder: &Path,
    modules: &mut BTreeMap<PathBuf, Vec<PathBuf>>,
) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read_modules(&path, modules)?;
        } else if path.extension().is_some_and(|end| end == "js") {
            let text = std::fs::read_to_string(&path)?;
            let imports = imports(&text).map(|name| resolve(folder, name)).collect();
            modules.insert(path, imports);
        }
    }
    Ok(())
}

/// The relative paths after `from` and in `import(...)`, types included.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    let after = |word: &'static str| text.split(word).skip(1);
    after("from \"")
        .chain(after("import(\""))
        .chain(after("import \""))
        .filter_map(|rest| rest.split('"').next())
        .filter(|name| name.starts_with('.'))
}

fn resolve(folder: &Path, name: &str) -> PathBuf {
    let mut path = folder.to_owned();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}

/// Follows imports in depth; a module that is met on its own path closes a cycle.
fn follow(
    module: &PathBuf,
    modules: &BTreeMap<PathBuf, Vec<PathBuf>>,
    path: &mut Vec<PathBuf>,
    done: &mut Vec<PathBuf>,
    faults: &mut Vec<String>,
) {
    if let Some(start) = path.iter().position(|one| one == module) {
        let short = |path: &PathBuf| {
            path.strip_prefix(root().join(PAGE)).unwrap_or(path).display().to_string()
        };
        let cycle: Vec<String> = path[start..].iter().chain([module]).map(short).collect();
        faults.push(format!("{PAGE}: import cycle {}", cycle.join(" -> ")));
        return;
    }
    if done.contains(module) {
        return;
    }
    path.push(module.clone());
    for import in modules.get(module).into_iter().flatten() {
        follow(import, modules, path, done, faults);
    }
    path.pop();
    done.push(module.clone());
}

/// Checks types and format, with tools of exact versions.
pub fn run() -> anyhow::Result<()> {
    if std::env::var_os("BOYI_NO_NODE").is_some() {
        println!("BOYI_NO_NODE is set: the page's types and format are not checked");
        return Ok(());
    }
    let tools = install()?;
    let tool = |path: &str| format!("node {}", tools.join("node_modules").join(path).display());
    step(&format!("{} -p crates/web/jsconfig.json", tool("typescript/bin/tsc")), &[])?;
    let format =
        format!("{} --check {PAGE} crates/web/page-check", tool("prettier/bin/prettier.cjs"));
    step(&format, &[]).context("format the page with 'cargo xtask page --write'")
}

/// Formats the page.
pub fn write() -> anyhow::Result<()> {
    let tool = install()?.join("node_modules/prettier/bin/prettier.cjs");
    let line =
        format!("node {} --write --log-level warn {PAGE} crates/web/page-check", tool.display());
    step(&line, &[])
}

/// Installs the tools unless these very versions are there; gives their folder.
fn install() -> anyhow::Result<PathBuf> {
    for program in ["node", "npm"] {
        if succeeds(&format!("{program} --version")) {
            continue;
        }
        println!("{program} is missing; installing Debian's packages nodejs and npm");
        let install = "apt-get install -y --no-install-recommends nodejs npm";
        let installed = succeeds(install) || (succeeds("apt-get update") && succeeds(install));
        if !installed {
            bail!(
                "{program} is missing and could not be installed: install the packages nodejs and \
                 npm, or {LEFT_OUT}"
            );
        }
    }
    // Relative to the root, where commands run: a path may have spaces.
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let tools = PathBuf::from(target).join("page-check");
    let folder = root().join(&tools);
    let lock = std::fs::read_to_string(root().join(LOCK))?;
    // A registry's address would tie the project to one machine's settings.
    if lock.contains("\"resolved\"") {
        bail!(
            "{LOCK} names a registry: make it with 'npm install --package-lock-only \
             --omit-lockfile-registry-resolved'"
        );
    }
    let installed = folder.join("node_modules/.package-lock.json").exists()
        && std::fs::read_to_string(folder.join("package-lock.json")).is_ok_and(|old| old == lock);
    if !installed {
        std::fs::create_dir_all(&folder)?;
        std::fs::copy(root().join(PACKAGE), folder.join("package.json"))?;
        std::fs::copy(root().join(LOCK), folder.join("package-lock.json"))?;
        let line = "npm ci --ignore-scripts --no-audit --no-fund";
        println!("\n=== {line}");
        let status = command(line).current_dir(&folder).status()?;
        if !status.success() {
            // A half-made folder would look installed the next time.
            std::fs::remove_file(folder.join("package-lock.json"))?;
            bail!("'{line}' failed: TypeScript and Prettier can't be installed; {LEFT_OUT}");
        }
    }
    Ok(tools)
}
