//! scratch
use exact::connect_four::*;
use games::Dice;
fn main() {
    let mut solver = Solver::new(64, 1);
    let mut n = 0;
    let mut seed = 0;
    while n < 150 {
        seed += 1;
        let mut dice = Dice::of(2026, seed);
        let stones = 12 + dice.below(17);
        let text: String = (0..stones).map(|_| char::from(b'1' + dice.below(7) as u8)).collect();
        let Ok(p) = Position::parse(&Standard, &text) else { continue };
        let before = solver.nodes();
        let s = solver.score(&p);
        if solver.nodes() - before > 20_000 || solver.nodes() - before < 100 {
            continue;
        }
        println!("{text} {s}");
        n += 1;
    }
}
