//! The Connect Four solver.
pub mod bounds;
pub mod order;
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
    let mut order = order::Order::new(&shape, opt);
    let (mut nodes, mut stored) = (0, 0);
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
        else if opt[6] >= 3 {
            let k = opt[6];
            if lower < 0 && upper > 0 { mid = 0 } else if lower >= 0 { mid = lower + (upper - lower) / k } else { mid = upper - 1 - (upper - lower) / k }
            mid = mid.clamp(lower, upper - 1);
        }
        loop {
            let room = if table.is_full_size() { u64::MAX } else { table.capacity() as u64 / 2 };
            let mut s = search::Search { shape, table, nodes: 0, stored, room, halt: &stop, order: &mut order, watch: &mut |_| () };
            let v = s.run(node, mid);
            nodes += s.nodes; stored = s.stored;
            if opt[7] != 0 { eprintln!("[{lower},{upper}] mid {mid}: {v}  nodes {} total {nodes} stored {stored}", s.nodes); }
            if stop.swap(false, std::sync::atomic::Ordering::Relaxed) { } else if v > mid { lower = v } else { upper = v }
            break;
        }
        while stored as usize > table.capacity() / 2 && !table.is_full_size() { table.grow() }
    }
    (lower, nodes, stored)
}
