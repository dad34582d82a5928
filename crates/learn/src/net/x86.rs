//! The vectors of x86-64: eight numbers with AVX2 and FMA, sixteen with AVX-512.
//!
//! In every method: a vector exists only where its instructions are at hand
//! ([`Vector`]'s rule), which makes calling them sound.

use std::arch::x86_64::*;
use std::ops::{Add, Mul, Sub};

use super::vector::{Kernel, Vector};

/// Run a kernel with AVX2 and FMA.
///
/// # Safety
/// The machine must have both.
#[target_feature(enable = "avx2,fma")]
pub unsafe fn avx2(kernel: impl Kernel<f32>) {
    // SAFETY: the instructions are there.
    unsafe { kernel.run::<Eight>() }
}

/// Run a kernel with AVX-512.
///
/// # Safety
/// The machine must have it.
#[target_feature(enable = "avx512f")]
pub unsafe fn avx512(kernel: impl Kernel<f32>) {
    // SAFETY: the instructions are there.
    unsafe { kernel.run::<Sixteen>() }
}

/// A register of AVX2.
#[derive(Clone, Copy)]
pub struct Eight(__m256);

/// The first `lanes` of eight.
#[inline(always)]
unsafe fn first(lanes: usize) -> __m256i {
    // SAFETY: see the module.
    unsafe {
        let order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        _mm256_cmpgt_epi32(_mm256_set1_epi32(lanes as i32), order)
    }
}

impl Vector<f32> for Eight {
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn all(number: f32) -> Self {
        // SAFETY: see the module.
        Eight(unsafe { _mm256_set1_ps(number) })
    }

    #[inline(always)]
    unsafe fn load(from: *const f32, lanes: usize) -> Self {
        // SAFETY: the caller's promise; masked lanes are not read.
        Eight(unsafe {
            if lanes == 8 { _mm256_loadu_ps(from) } else { _mm256_maskload_ps(from, first(lanes)) }
        })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32, lanes: usize) {
        // SAFETY: the caller's promise; masked lanes are not written.
        unsafe {
            if lanes == 8 {
                _mm256_storeu_ps(to, self.0)
            } else {
                _mm256_maskstore_ps(to, first(lanes), self.0)
            }
        }
    }

    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        // SAFETY: see the module.
        Eight(unsafe { _mm256_fmadd_ps(a.0, b.0, self.0) })
    }

    #[inline(always)]
    fn plus(self, other: Self, factor: f64) -> Self {
        // SAFETY: see the module.
        self.plus_product(other, unsafe { Self::all(factor as f32) })
    }

    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        // SAFETY: see the module.
        Eight(unsafe { _mm256_mul_ps(self.0, _mm256_set1_ps(factor as f32)) })
    }

    #[inline(always)]
    fn relu(self) -> Self {
        // SAFETY: see the module.
        Eight(unsafe { _mm256_max_ps(self.0, _mm256_setzero_ps()) })
    }

    #[inline(always)]
    fn relu_mask(self, other: Self) -> Self {
        // SAFETY: see the module.
        Eight(unsafe {
            let above = _mm256_cmp_ps::<_CMP_GT_OQ>(other.0, _mm256_setzero_ps());
            _mm256_and_ps(self.0, above)
        })
    }
}

impl Add for Eight {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: see the module.
        Eight(unsafe { _mm256_add_ps(self.0, other.0) })
    }
}

impl Mul for Eight {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: see the module.
        Eight(unsafe { _mm256_mul_ps(self.0, other.0) })
    }
}

impl Sub for Eight {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: see the module.
        Eight(unsafe { _mm256_sub_ps(self.0, other.0) })
    }
}

/// A register of AVX-512.
#[derive(Clone, Copy)]
pub struct Sixteen(__m512);

impl Vector<f32> for Sixteen {
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn all(number: f32) -> Self {
        // SAFETY: see the module.
        Sixteen(unsafe { _mm512_set1_ps(number) })
    }

    #[inline(always)]
    unsafe fn load(from: *const f32, lanes: usize) -> Self {
        // SAFETY: the caller's promise; masked lanes are not read.
        Sixteen(unsafe {
            if lanes == 16 {
                _mm512_loadu_ps(from)
            } else {
                _mm512_maskz_loadu_ps((1 << lanes) - 1, from)
            }
        })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f32, lanes: usize) {
        // SAFETY: the caller's promise; masked lanes are not written.
        unsafe {
            if lanes == 16 {
                _mm512_storeu_ps(to, self.0)
            } else {
                _mm512_mask_storeu_ps(to, (1 << lanes) - 1, self.0)
            }
        }
    }

    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        // SAFETY: see the module.
        Sixteen(unsafe { _mm512_fmadd_ps(a.0, b.0, self.0) })
    }

    #[inline(always)]
    fn plus(self, other: Self, factor: f64) -> Self {
        // SAFETY: see the module.
        self.plus_product(other, unsafe { Self::all(factor as f32) })
    }

    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        // SAFETY: see the module.
        Sixteen(unsafe { _mm512_mul_ps(self.0, _mm512_set1_ps(factor as f32)) })
    }

    #[inline(always)]
    fn relu(self) -> Self {
        // SAFETY: see the module.
        Sixteen(unsafe { _mm512_max_ps(self.0, _mm512_setzero_ps()) })
    }

    #[inline(always)]
    fn relu_mask(self, other: Self) -> Self {
        // SAFETY: see the module.
        Sixteen(unsafe {
            let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(other.0, _mm512_setzero_ps());
            _mm512_maskz_mov_ps(above, self.0)
        })
    }
}

impl Add for Sixteen {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: see the module.
        Sixteen(unsafe { _mm512_add_ps(self.0, other.0) })
    }
}

impl Mul for Sixteen {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: see the module.
        Sixteen(unsafe { _mm512_mul_ps(self.0, other.0) })
    }
}

impl Sub for Sixteen {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: see the module.
        Sixteen(unsafe { _mm512_sub_ps(self.0, other.0) })
    }
}
