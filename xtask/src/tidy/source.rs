//! Laws about Rust sources that no lint checks: a reason beside every `unsafe`
//! block, and a limit to dynamic dispatch.

use std::collections::HashMap;

/// Lines above an `unsafe` block in which its reason is looked for.
const REASON_LINES: usize = 6;

/// How often the word `dyn`, or a type alias with it, may stand in the crates,
/// tests not counted. Lower it when the count falls; raise it only with a reason in
/// the commit.
const DYN_LIMIT: usize = 78;

/// Counts over all files.
#[derive(Default)]
pub struct Totals {
    dyn_words: usize,
    /// Type aliases that have `dyn` inside.
    aliases: Vec<String>,
    /// How often each word stands in the crates, imports and tests not counted.
    words: HashMap<String, usize>,
}

impl Totals {
    /// Checks one file.
    pub fn check(&mut self, name: &str, text: &str, faults: &mut Vec<String>) {
        if !name.ends_with(".rs") {
            return;
        }
        let lines: Vec<&str> = text.lines().collect();
        let in_crate = name.starts_with("crates/") && name.contains("/src/");
        let mut tests = false;
        for (i, line) in lines.iter().enumerate() {
            tests |= line.trim() == "#[cfg(test)]";
            let code = code_of(line);
            if code.contains(concat!("unsafe", " {")) {
                let above = &lines[i.saturating_sub(REASON_LINES)..=i];
                if !above.iter().any(|line| line.contains("SAFETY")) {
                    faults.push(format!(
                        "{name}:{}: an unsafe block without a '// SAFETY:' comment above",
                        i + 1
                    ));
                }
            }
            if in_crate && !tests {
                let dyn_words = words(code).filter(|word| *word == "dyn").count();
                self.dyn_words += dyn_words;
                let code = code.trim_start().trim_start_matches("pub ");
                if let Some(alias) = code.strip_prefix("type ")
                    && dyn_words > 0
                    && !line.starts_with(' ')
                {
                    self.aliases.extend(words(alias).next().map(str::to_owned));
                } else if !code.starts_with("use ") {
                    for word in words(code) {
                        *self.words.entry(word.to_owned()).or_default() += 1;
                    }
                }
            }
        }
    }

    /// Checks the counts.
    pub fn finish(self, faults: &mut Vec<String>) {
        let uses = |alias| self.words.get(alias).copied().unwrap_or_default();
        let by_alias: usize = self.aliases.iter().map(uses).sum();
        let count = self.dyn_words + by_alias;
        println!(
            "tidy: dyn stands {count} times in the crates, {by_alias} of them by an alias, \
             limit {DYN_LIMIT}"
        );
        if count > DYN_LIMIT {
            faults.push(format!(
                "dyn stands {count} times in the crates, more than {DYN_LIMIT}: prefer a generic \
                 or an enum, or raise the limit in xtask/src/tidy/source.rs with a reason"
            ));
        }
    }
}

/// A line without its comment. A `//` inside a text literal cuts it short, which
/// does no harm here.
fn code_of(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
}
