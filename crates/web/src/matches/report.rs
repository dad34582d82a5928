//! Reports of experiments: their verdicts as data, and the page that was
//! written beside them.

use std::io::Read;
use std::path::Path;

use serde_json::{Value, json};

use super::missing;
use super::sources::Source;
use crate::error::ApiError;

/// The largest report that is shown; a full one has some 300 KB.
const MOST: u64 = 8 << 20;

/// A report in the listing; none if the file is something else.
pub fn entry(source: &Source) -> Option<Value> {
    let value = data(source).ok()?;
    let experiments = value["experiments"].as_array()?;
    let claims =
        || experiments.iter().flat_map(|one| one["claims"].as_array().into_iter().flatten());
    let count = |verdict: &str| claims().filter(|claim| claim["verdict"] == verdict).count();
    Some(json!({
        "id": source.id, "name": source.name, "changed": source.changed,
        "profile": value["profile"], "version": value["version"],
        "experiments": experiments.len(),
        "unfinished": experiments.iter().filter(|one| one["finished"] == false).count(),
        "verdicts": [count("reproduced"), count("not-reproduced"), count("undecided")],
    }))
}

/// What the experiments found.
pub fn data(source: &Source) -> Result<Value, ApiError> {
    serde_json::from_str(&read(&source.path)?).map_err(|_| missing())
}

/// The report as a page of its own. It must be served such that nothing in it runs.
pub fn page(source: &Source) -> Result<String, ApiError> {
    let page = source.path.with_extension("html");
    // As everywhere in the folder, links are not followed.
    match std::fs::symlink_metadata(&page) {
        Ok(data) if data.is_file() => read(&page),
        _ => Err(missing()),
    }
}

fn read(path: &Path) -> Result<String, ApiError> {
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|_| missing())?;
    let length = file.take(MOST + 1).read_to_string(&mut text).map_err(|_| missing())?;
    if length as u64 > MOST { Err(missing()) } else { Ok(text) }
}
