use exact::connect_four::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let set = &args[1]; let first: usize = args[2].parse().unwrap();
    let mb: usize = args[3].parse().unwrap();
    let mut opt = [0i32; 16];
    opt[0]=7; opt[1]=8; opt[2]=4; opt[3]=1; opt[4]=24; opt[5]=42; opt[6]=1; opt[8]=1;
    for a in &args[4..] { let (i,v)=a.split_once('=').unwrap(); opt[i.parse::<usize>().unwrap()]=v.parse().unwrap(); }
    let shape = shape::Standard;
    let mut table = table::Table::new(shape, mb);
    let text = if set == "empty" { " 1".to_string() } else { std::fs::read_to_string(format!("/work/shared/data/connect-four/Test_{set}")).unwrap() };
    let t = std::time::Instant::now();
    let (mut n, mut f, mut k, mut bad) = (0u64, 0, 0u64, 0);
    for line in text.lines().take(first) {
        let (m, s) = line.split_once(' ').unwrap();
        let p = position::Position::parse(&shape, m).unwrap();
        table.clear();
        while opt[9] == 1 && !table.is_full_size() { table.grow(); }
        let (v, nodes, forced) = proto(shape, p, &mut table, opt);
        if v != s.trim().parse::<i32>().unwrap() { bad += 1; println!("bad {m} {s} {v}"); if bad > 5 {break} }
        n += nodes; f += forced; k += 1;
    }
    let e = t.elapsed().as_secs_f64();
    println!("{set}: mean nodes {:.1} forced {:.1}, mean {:.4} ms, {:.2} Mn/s, bad {bad}", n as f64/k as f64, f as f64/k as f64, e*1e3/k as f64, n as f64/e/1e6);
}
