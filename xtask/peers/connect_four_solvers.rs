//! Both Connect Four solvers on the same positions, in turns, one thread each,
//! without a book, tables cleared before each position, which is not timed.
//!
//! Prints a line of JSON for each set: name, positions, seconds and nodes of both.

use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut theirs = connect_four_ai::Solver::empty();
    let mut ours = exact::connect_four::Solver::new(64, 1);
    for argument in std::env::args().skip(1) {
        let (file, first) = argument.rsplit_once(':').ok_or("FILE:FIRST is wanted")?;
        let text = std::fs::read_to_string(file)?;
        let (mut seconds, mut nodes, mut count) = ([0.0; 2], [0; 2], 0);
        for line in text.lines().take(first.parse()?) {
            let (moves, score) = line.split_once(' ').ok_or("a line is not `moves score`")?;
            let score: i32 = score.trim().parse()?;

            let position = connect_four_ai::Position::from_moves(moves).map_err(|_| "a position")?;
            theirs.reset();
            let begun = Instant::now();
            let found = theirs.solve(&position);
            seconds[0] += begun.elapsed().as_secs_f64();
            nodes[0] += theirs.explored_positions as u64;
            if i32::from(found) != score {
                println!("{{\"wrong\": \"theirs: {moves} {found}\"}}");
            }

            let standard = &exact::connect_four::Standard;
            let position = exact::connect_four::Position::parse(standard, moves)?;
            ours.clear();
            let (begun, before) = (Instant::now(), ours.nodes());
            let found = ours.score(&position);
            seconds[1] += begun.elapsed().as_secs_f64();
            nodes[1] += ours.nodes() - before;
            if found != score {
                println!("{{\"wrong\": \"ours: {moves} {found}\"}}");
            }
            count += 1;
        }
        println!(
            "{{\"set\": \"{}\", \"count\": {count}, \"seconds\": {seconds:?}, \"nodes\": {nodes:?}}}",
            file.rsplit('_').take(2).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("_")
        );
    }
    Ok(())
}
