//! The rectifier, max(x, 0).

use super::Real;

/// Applies it in place.
pub fn relu<R: Real>(x: &mut [R]) {
    for x in x {
        *x = if *x > R::ZERO { *x } else { R::ZERO };
    }
}

/// Turns the gradient of its output `y` into that of its input, in place.
pub fn relu_backward<R: Real>(y: &[R], gradient: &mut [R]) {
    for (gradient, &y) in gradient.iter_mut().zip(y) {
        *gradient = if y > R::ZERO { *gradient } else { R::ZERO };
    }
}
