//! What is below zero becomes zero.

use super::Real;

/// Apply it in place.
pub fn relu<R: Real>(x: &mut [R]) {
    for x in x {
        *x = if *x > R::ZERO { *x } else { R::ZERO };
    }
}

/// Turn the gradient by its results `y` into that by its inputs, in place.
pub fn relu_backward<R: Real>(y: &[R], gradient: &mut [R]) {
    for (gradient, &y) in gradient.iter_mut().zip(y) {
        *gradient = if y > R::ZERO { *gradient } else { R::ZERO };
    }
}
