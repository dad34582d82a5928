//! Memory for numbers: where it begins, and that it is used again.
//!
//! A vector that lies across two cache lines costs two loads or stores, and the
//! system's memory begins a quarter of a line too late. What fresh pages cost is
//! a good part of what filling them does.

use std::ops::{Deref, DerefMut};

use super::Real;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Numbers of which the first begins a cache line.
#[derive(Debug)]
pub struct Aligned<R> {
    numbers: Vec<R>,
    start: usize,
    length: usize,
}

impl<R: Real> Aligned<R> {
    /// A copy of these numbers.
    pub fn from(numbers: &[R]) -> Self {
        let mut aligned = Aligned::default();
        aligned.resized(numbers.len()).copy_from_slice(numbers);
        aligned
    }

    /// Make it so many numbers, any ones.
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

impl<R> Default for Aligned<R> {
    fn default() -> Self {
        Aligned { numbers: Vec::new(), start: 0, length: 0 }
    }
}

impl<R: Real> Clone for Aligned<R> {
    fn clone(&self) -> Self {
        Aligned::from(self)
    }
}

impl<R> Deref for Aligned<R> {
    type Target = [R];
    fn deref(&self) -> &[R] {
        &self.numbers[self.start..self.start + self.length]
    }
}

impl<R> DerefMut for Aligned<R> {
    fn deref_mut(&mut self) -> &mut [R] {
        &mut self.numbers[self.start..self.start + self.length]
    }
}

/// Numbers that some layer computes anew each time. A copy of a network gets no
/// copy of them.
#[derive(Debug)]
pub struct Buffer<R>(Aligned<R>);

impl<R: Real> Buffer<R> {
    /// Buffer for so many numbers, with anything in it.
    pub fn resized(&mut self, length: usize) -> &mut [R] {
        self.0.resized(length)
    }
}

impl<R> Default for Buffer<R> {
    fn default() -> Self {
        Buffer(Aligned::default())
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
    fn it_begins_a_line_whatever_became_of_it() {
        let mut room: Buffer<f32> = Buffer::default();
        for length in [3, 1000, 17, 100_000, 0, 5] {
            let numbers = room.resized(length);
            assert_eq!(numbers.len(), length);
            numbers.fill(1.5);
            assert_eq!(room.as_ptr().align_offset(LINE), 0);
            assert!(room.iter().all(|&number| number == 1.5));
        }
        let numbers: Vec<f64> = (0..100).map(f64::from).collect();
        let copy = Aligned::from(&numbers).clone();
        assert_eq!(*copy, *numbers);
        assert_eq!(copy.as_ptr().align_offset(LINE), 0);
        assert!(room.clone().is_empty());
    }
}
