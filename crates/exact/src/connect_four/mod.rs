//! The Connect Four solver.
pub mod bounds;
pub mod position;
pub mod search;
pub mod shape;
pub mod table;
use position::Position;
use shape::Shape;
pub fn proto<S: Shape>(shape: S, p: Position, table: &mut table::Table<S>, opt: [i32; 16]) -> (i32, u64, u64) {
    let stop = std::sync::atomic::AtomicBool::new(false);
    let node = search::Node::new(&shape, p);
    let cells = shape.cells();
    let stones = p.stones(&shape);
    if node.mine & p.playable(&shape) != 0 {
        return ((cells + 1 - stones) / 2, 1, 0);
    }
    let mut lower = -(cells - stones) / 2;
    let mut upper = (cells - 1 - stones) / 2;
    let mut hist = [[0; 64]; 2];
    for side in 0..2 { for c in 0..shape.columns() { for r in 0..shape.rows() {
        let cell = 1u64 << (c * shape.stride() + r);
        let d = |x: u32, n: u32| x.min(n - 1 - x).min(3) as i32;
        let _ = cell;
        hist[side][(c * shape.stride() + r) as usize] = opt[8] * (d(c, shape.columns()) * 2 + d(r, shape.rows()));
    }}}
    let (mut nodes, mut forced, mut stored) = (0, 0, 0);
    while lower < upper {
        let mut mid = lower + (upper - lower) / 2;
        if opt[6] == 0 {
            if mid <= 0 && lower / 2 < mid { mid = lower / 2 } else if mid >= 0 && upper / 2 > mid { mid = upper / 2 }
        } else if opt[6] == 1 {
            if lower < 0 && upper > 0 { mid = 0 } else if lower >= 0 { mid = lower } else { mid = upper - 1 }
        } else if opt[6] == 2 {
            // close in from outside
            if upper > -lower { mid = upper - 1 } else { mid = lower }
        } 
        loop {
            let mut s = search::Search { shape, table, nodes: 0, forced: 0, stored, stop: &stop, history: hist, opt };
            let v = s.search(node, mid);
            nodes += s.nodes; forced += s.forced; stored = s.stored; hist = s.history;
            if opt[7] != 0 { eprintln!("[{lower},{upper}] mid {mid}: {v}  nodes {} total {nodes} forced {forced} stored {stored}", s.nodes); }
            if v > mid { lower = v } else { upper = v }
            break;
        }
        while stored as usize > table.capacity() / 2 && !table.is_full_size() { table.grow() }
    }
    (lower, nodes, forced)
}
