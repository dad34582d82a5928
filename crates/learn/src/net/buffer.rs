//! Cache-aligned memory that is reused.
//!
//! A vector that lies across two cache lines costs two loads or stores, and the
//! allocator's memory begins a quarter of a line too late. Fresh pages cost a good
//! part of what filling them does.

use std::ops::{Deref, DerefMut};

use super::Real;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Numbers that begin at a cache line.
#[derive(Debug)]
pub struct AlignedVec<R> {
    numbers: Vec<R>,
    start: usize,
    length: usize,
}

impl<R: Real> AlignedVec<R> {
    /// A copy of these numbers.
    pub fn from(numbers: &[R]) -> Self {
        let mut aligned = AlignedVec::default();
        aligned.resized(numbers.len()).copy_from_slice(numbers);
        aligned
    }

    /// Sets the length; the numbers are unspecified.
    pub fn resized(&mut self, length: usize) -> &mut [R] {
        let spare = LINE / size_of::<R>();
        if self.numbers.len() < length + spare {
            self.numbers.resize(length + spare, R::ZERO);
            self.start = self.numbers.as_ptr().align_offset(LINE).min(spare);
        }
        self.length = length;
        self
    }
}

impl<R> Default for AlignedVec<R> {
    fn default() -> Self {
        AlignedVec { numbers: Vec::new(), start: 0, length: 0 }
    }
}

impl<R: Real> Clone for AlignedVec<R> {
    fn clone(&self) -> Self {
        AlignedVec::from(self)
    }
}

impl<R> Deref for AlignedVec<R> {
    type Target = [R];
    fn deref(&self) -> &[R] {
        &self.numbers[self.start..self.start + self.length]
    }
}

impl<R> DerefMut for AlignedVec<R> {
    fn deref_mut(&mut self) -> &mut [R] {
        &mut self.numbers[self.start..self.start + self.length]
    }
}

/// Numbers that a layer computes anew each time. A clone is empty: a copy of a
/// network needs no copy of them.
#[derive(Debug)]
pub struct Buffer<R>(AlignedVec<R>);

impl<R: Real> Buffer<R> {
    /// Sets the length; the numbers are unspecified.
    pub fn resized(&mut self, length: usize) -> &mut [R] {
        self.0.resized(length)
    }
}

impl<R> Default for Buffer<R> {
    fn default() -> Self {
        Buffer(AlignedVec::default())
    }
}

impl<R> Clone for Buffer<R> {
    fn clone(&self) -> Self {
        Buffer::default()
    }
}

impl<R> Deref for Buffer<R> {
    type Target = [R];
    fn deref(&self) -> &[R] {
        &self.0
    }
}

impl<R> DerefMut for Buffer<R> {
    fn deref_mut(&mut self) -> &mut [R] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_begins_at_a_cache_line_after_any_resize() {
        let mut buffer: Buffer<f32> = Buffer::default();
        for length in [3, 1000, 17, 100_000, 0, 5] {
            let numbers = buffer.resized(length);
            assert_eq!(numbers.len(), length);
            numbers.fill(1.5);
            assert_eq!(buffer.as_ptr().align_offset(LINE), 0);
            assert!(buffer.iter().all(|&number| number == 1.5));
        }
        let numbers: Vec<f64> = (0..100).map(f64::from).collect();
        let copy = AlignedVec::from(&numbers).clone();
        assert_eq!(*copy, *numbers);
        assert_eq!(copy.as_ptr().align_offset(LINE), 0);
        assert!(buffer.clone().is_empty());
    }
}
