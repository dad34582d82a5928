//! Checking every value of the tables against its successors.
//!
//! The equations hold at every placement: a winner takes the shortest of the
//! winning moves, a loser the longest of all. Since finite distances fall along
//! them, and a stall needs another stall to go on, the equations together prove
//! the values; they share no code with the retrograde analysis that found them.

use std::sync::Mutex;

use games::surakarta::Stall;
use games::surakarta::boards::captures;
use games::surakarta::geometry::FULL;

use super::class::{Class, Material, Placement};
use super::parallel::Workers;
use super::retrograde::{SmallerTables, after, each_bit, neighbours_of};
use super::tables::Tables;
use super::value::{Distance, Value, byte};

/// What one class holds, over all placements (not folded).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Placements that the mover wins.
    pub wins: u64,
    /// Placements that are drawn.
    pub draws: u64,
    /// Placements that the mover loses.
    pub losses: u64,
    /// The longest distance in plies of a win or loss.
    pub longest: u8,
    /// Results that only the stall rule brings about.
    pub stalls: u64,
}

/// Checks the tables class by class. `on_class` gets the counts of each class; the
/// error names a placement with a wrong value.
pub fn verify(
    tables: &Tables,
    workers: &Workers,
    mut on_class: impl FnMut(Material, Counts),
) -> Result<(), String> {
    for (class, bytes) in tables.each() {
        let counts = Mutex::new(Counts::default());
        let wrong = Mutex::new(None);
        workers.sum(class.len(), |numbers| {
            let mut part = Counts::default();
            for number in numbers {
                let Some((placement, same)) = class.placement(number) else {
                    if bytes[number] != byte::NONE {
                        *wrong.lock().expect("no panic") = Some(format!("number {number} of {:?} is unused but has a value", class.material));
                    }
                    continue;
                };
                let stored = byte::value(bytes[number]);
                let right = expected(tables, class, placement);
                match stored {
                    Some(value) if value == right => count(&mut part, value, u64::from(8 / same)),
                    _ => {
                        *wrong.lock().expect("no panic") = Some(format!(
                            "{placement:?} is stored as {stored:?}, but its successors say {right:?}"
                        ));
                    }
                }
            }
            let mut counts = counts.lock().expect("no panic");
            counts.wins += part.wins;
            counts.draws += part.draws;
            counts.losses += part.losses;
            counts.stalls += part.stalls;
            counts.longest = counts.longest.max(part.longest);
            0
        });
        if let Some(fault) = wrong.into_inner().expect("no panic") {
            return Err(fault);
        }
        if workers.stopped() {
            return Err("stopped before all was checked".to_owned());
        }
        on_class(class.material, counts.into_inner().expect("no panic"));
    }
    Ok(())
}

fn count(part: &mut Counts, value: Value, weight: u64) {
    match value {
        Value::Win(_) => part.wins += weight,
        Value::Draw(_) => part.draws += weight,
        Value::Loss(_) => part.losses += weight,
    }
    match (value, value.distance()) {
        (_, Distance::Stall) => part.stalls += weight,
        (Value::Win(_) | Value::Loss(_), Distance::Plies(plies)) => {
            part.longest = part.longest.max(plies)
        }
        _ => {}
    }
}

/// One ply farther; a stall stays one.
fn farther(distance: Distance) -> Distance {
    match distance {
        Distance::Plies(plies) => Distance::Plies(plies + 1),
        Distance::Stall => Distance::Stall,
    }
}

/// How far the successors of one value are: the nearest and the farthest, a stall being
/// the farthest of all; nothing if there are none.
#[derive(Clone, Copy, Default)]
struct Distances(Option<(Distance, Distance)>);

impl Distances {
    fn add(&mut self, distance: Distance) {
        let far = |distance| match distance {
            Distance::Plies(plies) => u32::from(plies),
            Distance::Stall => u32::MAX,
        };
        self.0 = Some(match self.0 {
            None => (distance, distance),
            Some((nearest, farthest)) => (
                std::cmp::min_by_key(nearest, distance, |d| far(*d)),
                std::cmp::max_by_key(farthest, distance, |d| far(*d)),
            ),
        });
    }
}

/// The value of a placement by those of its successors.
fn expected(tables: &Tables, class: &Class, placement: Placement) -> Value {
    let [mut wins, mut draws, mut losses] = [Distances::default(); 3];
    let mut drawing_capture = false;
    for mv in captures(placement.mover, placement.other) {
        let next = after(placement, mv.from.bit(), mv.to.bit());
        let one = Distance::Plies(1);
        if next.mover == 0 {
            wins.add(one);
            continue;
        }
        match byte::value(tables.byte(next)).expect("every placement has a value") {
            Value::Loss(_) => wins.add(one),
            Value::Win(_) => losses.add(one),
            Value::Draw(_) => {
                drawing_capture = true;
                draws.add(one);
            }
        }
    }
    let empty = FULL & !placement.mover & !placement.other;
    for from in each_bit(placement.mover) {
        for to in each_bit(neighbours_of(from) & empty) {
            match byte::value(tables.byte(after(placement, from, to)))
                .expect("every placement has a value")
            {
                Value::Loss(distance) => wins.add(farther(distance)),
                Value::Win(distance) => losses.add(farther(distance)),
                Value::Draw(distance) => draws.add(farther(distance)),
            }
        }
    }
    let Material { mover, other } = class.material;
    match (wins.0, draws.0, losses.0) {
        (Some((nearest, _)), _, _) => Value::Win(nearest),
        (None, None, Some((_, farthest))) => Value::Loss(farthest),
        (None, None, None) => Value::Loss(Distance::Plies(0)),
        (None, Some((nearest, farthest)), _) => {
            Value::Draw(if tables.stall() == Stall::Draw || mover == other {
                if drawing_capture { Distance::Plies(1) } else { Distance::Stall }
            } else if mover < other {
                nearest
            } else {
                farthest
            })
        }
    }
}
