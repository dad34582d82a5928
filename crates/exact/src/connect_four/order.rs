//! Which move to try first.

use super::shape::Shape;

/// What a search has learnt about cells.
pub(super) struct Order {
    history: [[i32; 64]; 2],
    replies: Box<[[[i32; 64]; 64]; 2]>,
    pub opt: [i32; 16],
}

impl Order {
    pub fn new<S: Shape>(shape: &S, opt: [i32; 16]) -> Order {
        let mut history = [[0; 64]; 2];
        for c in 0..shape.columns() {
            for r in 0..shape.rows() {
                let d = |x: u32, n: u32| x.min(n - 1 - x).min(3) as i32;
                let v = 16 * opt[8] * (d(c, shape.columns()) * 2 + d(r, shape.rows()));
                history[0][(c * shape.stride() + r) as usize] = v;
                history[1][(c * shape.stride() + r) as usize] = v;
            }
        }
        Order { history, replies: Box::new([[[0; 64]; 64]; 2]), opt }
    }

    #[inline(always)]
    pub fn of<S: Shape>(&self, shape: &S, side: usize, last: usize, cell: u64, threats: u64, next: u64) -> i32 {
        let good = if side == 0 { !shape.even() } else { shape.even() };
        let _ = last;
        let o = &self.opt;
        o[1] * threats.count_ones() as i32
            + o[2] * (threats & good).count_ones() as i32
            + o[11] * (threats & next).count_ones() as i32
            + o[12] * (threats & shape.above(next)).count_ones() as i32
            + o[14] * (threats & shape.above(shape.above(next))).count_ones() as i32
            + (o[3] * self.history[side][cell.trailing_zeros() as usize] + o[10] * self.replies[side][last][cell.trailing_zeros() as usize]) / 16
    }

    #[inline(always)]
    pub fn learn(&mut self, side: usize, last: usize, cell: u64, tried: impl Iterator<Item = u64>) {
        let cap = self.opt[13] * 16;
        let bump = |h: &mut i32, b: i32| *h += b - *h * b.abs() / cap;
        let mut count = 0;
        for earlier in tried {
            let c = earlier.trailing_zeros() as usize;
            bump(&mut self.history[side][c], -16);
            bump(&mut self.replies[side][last][c], -16);
            count += 16;
        }
        let c = cell.trailing_zeros() as usize;
        bump(&mut self.history[side][c], count);
        bump(&mut self.replies[side][last][c], count);
    }
}
