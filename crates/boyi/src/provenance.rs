//! By what, where and when a report is made.

use std::time::{SystemTime, UNIX_EPOCH};

use lab::report::Provenance;
use session::engine::BENCH_SIGNATURE;

/// What a report says about its own origin.
pub fn provenance(seed: u64) -> Provenance {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    Provenance {
        date: date(seconds / 86_400),
        commit: env!("BOYI_COMMIT").to_owned(),
        machine: machine(),
        signature: BENCH_SIGNATURE.trim().trim_start_matches("signature ").to_owned(),
        seed,
    }
}

/// The processor as the system names it, its threads, and the system.
fn machine() -> String {
    let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = information.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == "model name").then(|| value.trim().to_owned())
    });
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let model = model.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!("{model}, {threads} threads, {}", std::env::consts::OS)
}

/// The date of a day since 1970-01-01, in UTC (H. Hinnant, "chrono-compatible
/// low-level date algorithms").
fn date(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months are counted from March, so that the leap day is the last.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", year_of_era + 400 * era + next)
}
