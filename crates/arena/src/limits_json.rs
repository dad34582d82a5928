//! Search limits as the identity of a match spells them.
//!
//! Stores are searched by the text of a whole configuration, so this text must
//! never change: a match of an earlier version would not be found again. Hence a
//! form of its own, independent of how `search` names its fields.

use std::time::Duration;

use search::{Clock, Limits};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
struct Stored {
    pace: StoredTime,
    nodes: Option<u64>,
    sims: Option<u64>,
    depth: Option<u32>,
}

#[derive(Serialize, Deserialize)]
enum StoredTime {
    Free,
    Move(Duration),
    Game { base: Duration, increment: Duration },
}

pub fn serialize<S: Serializer>(limits: &Limits, serializer: S) -> Result<S::Ok, S::Error> {
    let Limits { time, clock, nodes, sims, depth } = *limits;
    let pace = match (time, clock) {
        (Some(time), _) => StoredTime::Move(time),
        (None, Some(Clock { left: [base, _], increment: [increment, _] })) => {
            StoredTime::Game { base, increment }
        }
        (None, None) => StoredTime::Free,
    };
    Stored { pace, nodes, sims, depth }.serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Limits, D::Error> {
    let Stored { pace, nodes, sims, depth } = Stored::deserialize(deserializer)?;
    let (time, clock) = match pace {
        StoredTime::Free => (None, None),
        StoredTime::Move(time) => (Some(time), None),
        StoredTime::Game { base, increment } => (None, Some(Clock::new(base, increment))),
    };
    Ok(Limits { time, clock, nodes, sims, depth })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entrant;

    /// Identities as the first version wrote them.
    #[test]
    fn the_text_of_stored_limits_stays() {
        let clock = Clock::new(Duration::from_secs(10), Duration::from_millis(100));
        for (limits, text) in [
            (
                Limits { sims: Some(9), depth: Some(3), ..Limits::default() },
                r#"{"pace":"Free","nodes":null,"sims":9,"depth":3}"#,
            ),
            (
                Limits { time: Some(Duration::from_millis(100)), ..Limits::default() },
                r#"{"pace":{"Move":{"secs":0,"nanos":100000000}},"nodes":null,"sims":null,"depth":null}"#,
            ),
            (
                Limits { clock: Some(clock), nodes: Some(5), ..Limits::default() },
                r#"{"pace":{"Game":{"base":{"secs":10,"nanos":0},"increment":{"secs":0,"nanos":100000000}}},"nodes":5,"sims":null,"depth":null}"#,
            ),
        ] {
            let entrant = Entrant { spec: "uct".into(), version: "1".into(), limits };
            let whole = format!(r#"{{"spec":"uct","version":"1","allowance":{text}}}"#);
            assert_eq!(serde_json::to_string(&entrant).unwrap(), whole);
            assert_eq!(serde_json::from_str::<Entrant>(&whole).unwrap(), entrant);
        }
    }
}
