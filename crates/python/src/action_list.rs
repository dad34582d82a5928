//! The list of legal actions, kept from one call to the next.
//!
//! A loop in Python asks for it before every move, and most of its items are those of
//! the time before. Making one item of a list costs as much as copying ten, so the last
//! list is kept: where one action has gone, as after every move of Dots and Boxes and
//! where a column of Connect Four has filled up, it is taken out of the list, and the
//! caller gets a copy. The set of bits says what the list holds, so that nothing else
//! has to be told when a game is changed.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyList;

/// A list of action numbers that Python code never sees.
#[derive(Default)]
pub struct ActionList {
    /// The set that it holds, and the list.
    kept: Mutex<Option<(u128, Py<PyList>)>>,
}

impl ActionList {
    /// A new list of the numbers of the set bits, smallest first.
    pub fn list<'py>(&self, py: Python<'py>, bits: u128) -> PyResult<Bound<'py, PyList>> {
        // Who finds another thread here makes a list of its own and does not wait.
        let Ok(mut kept) = self.kept.try_lock() else { return PyList::new(py, Bits(bits)) };
        if let Some((held, list)) = &mut *kept {
            let list = list.bind(py);
            let gone = *held & !bits;
            if bits & !*held == 0 && gone.count_ones() <= 1 {
                if gone != 0 {
                    list.del_item((*held & (gone - 1)).count_ones() as usize)?;
                    *held = bits;
                }
                return Ok(list.get_slice(0, list.len()));
            }
        }
        let list = PyList::new(py, Bits(bits))?;
        let copy = list.get_slice(0, list.len());
        *kept = Some((bits, list.unbind()));
        Ok(copy)
    }
}

/// The numbers of the set bits, smallest first.
struct Bits(u128);

impl Iterator for Bits {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let lowest = self.0.trailing_zeros();
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            lowest
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Bits {}
