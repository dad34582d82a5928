//! scratch
use exact::connect_four::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let set = &args[1];
    let first: usize = args[2].parse().unwrap();
    let mb: usize = args[3].parse().unwrap();
    let threads: usize = args.get(4).map_or(1, |t| t.parse().unwrap());
    let mut solver = Solver::new(mb, threads);
    let text = if set == "empty" {
        " 1".to_string()
    } else {
        std::fs::read_to_string(format!("/work/shared/data/connect-four/Test_{set}")).unwrap()
    };
    let t = std::time::Instant::now();
    let (mut k, mut bad) = (0u64, 0);
    for line in text.lines().take(first) {
        let (m, s) = line.split_once(' ').unwrap();
        let p = Position::parse(&Standard, m).unwrap();
        solver.clear();
        let v = solver.score(&p);
        if v != s.trim().parse::<i32>().unwrap() {
            bad += 1;
            println!("bad {m} {s} {v}");
            if bad > 5 {
                break;
            }
        }
        k += 1;
    }
    let e = t.elapsed().as_secs_f64();
    let n = solver.nodes() as f64;
    println!(
        "{set}: mean nodes {:.1}, mean {:.4} ms, {:.2} Mn/s, bad {bad}",
        n / k as f64,
        e * 1e3 / k as f64,
        n / e / 1e6
    );
}
