//! Memory that is used again, step after step: what fresh pages cost is a good
//! part of what filling them does.

use std::ops::{Deref, DerefMut};

use super::Real;

/// Numbers that some layer computes anew each time. A copy of a network gets no
/// copy of them.
#[derive(Debug, Default)]
pub struct Room<R>(Vec<R>);

impl<R: Real> Room<R> {
    /// Room for so many numbers, with anything in it.
    pub fn of(&mut self, length: usize) -> &mut [R] {
        self.0.resize(length, R::ZERO);
        &mut self.0
    }

    /// Room for so many numbers, all nought.
    pub fn noughts(&mut self, length: usize) -> &mut [R] {
        self.0.clear();
        self.of(length)
    }
}

impl<R> Clone for Room<R> {
    fn clone(&self) -> Self {
        Room(Vec::new())
    }
}

impl<R> Deref for Room<R> {
    type Target = [R];
    fn deref(&self) -> &[R] {
        &self.0
    }
}

impl<R> DerefMut for Room<R> {
    fn deref_mut(&mut self) -> &mut [R] {
        &mut self.0
    }
}
