//! The one place where types are erased.
