//! Work on rows of channels that has a few numbers for each channel: they stay
//! in registers while the rows of a strip of channels go by.

use super::vector::{Kernel, Vector};

/// Work on one strip: `WIDE` vectors of channels from `column`, of `lanes`
/// numbers each.
pub trait Strip<R> {
    /// Channels in a row.
    fn channels(&self) -> usize;

    /// All rows of the strip. Must be inlined.
    ///
    /// # Safety
    /// The machine must have the instructions of `V`.
    unsafe fn strip<V: Vector<R>, const WIDE: usize>(&mut self, column: usize, lanes: usize);
}

/// Work on all strips.
pub struct Rows<S>(pub S);

impl<R, S: Strip<R>> Kernel<R> for Rows<S> {
    #[inline(always)]
    unsafe fn run<V: Vector<R>>(mut self) {
        let channels = self.0.channels();
        let mut column = 0;
        while column < channels {
            let rest = channels - column;
            // SAFETY: the caller's promise.
            unsafe {
                if rest >= 4 * V::LANES {
                    self.0.strip::<V, 4>(column, V::LANES);
                    column += 4 * V::LANES;
                } else {
                    let lanes = rest.min(V::LANES);
                    self.0.strip::<V, 1>(column, lanes);
                    column += lanes;
                }
            }
        }
    }
}

/// `WIDE` vectors that begin at `at`.
///
/// # Safety
/// The machine must have the instructions of `V`.
#[inline(always)]
pub unsafe fn line<R, V: Vector<R>, const WIDE: usize>(
    from: &[R],
    at: usize,
    lanes: usize,
) -> [V; WIDE] {
    // SAFETY: the caller's promise, here and below. `array::from_fn` would be a
    // call, for which registers go through memory.
    let mut line = [unsafe { V::read(from, at, lanes) }; WIDE];
    for (v, to) in line.iter_mut().enumerate().skip(1) {
        *to = unsafe { V::read(from, at + v * V::LANES, lanes) };
    }
    line
}
