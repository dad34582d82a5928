//! The vectors of x86-64: eight numbers with AVX2 and FMA, sixteen with AVX-512.
//!
//! [`Avx2`] and [`Avx512`] prove that their instructions exist: only `detect`
//! makes one from nothing. Every vector is made by a proof, so wherever there is
//! a vector or a proof, calling the intrinsics is sound.

use std::arch::x86_64::*;
use std::ops::{Add, Mul, Sub};

use super::{SimdKernel, Vector};

/// Proves that the machine has AVX2 and FMA.
#[derive(Clone, Copy)]
pub struct Avx2(());

/// Proves that the machine has AVX-512.
#[derive(Clone, Copy)]
pub struct Avx512(());

impl Avx2 {
    /// The proof, if the machine has the instructions.
    #[inline(always)]
    pub fn detect() -> Option<Avx2> {
        let found = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        found.then_some(Avx2(()))
    }

    /// Runs a kernel that is compiled for these instructions.
    pub fn run(self, kernel: impl SimdKernel<f32>) {
        #[target_feature(enable = "avx2,fma")]
        fn enter(proof: Avx2, kernel: impl SimdKernel<f32>) {
            kernel.run::<F32x8>(proof);
        }
        // SAFETY: the machine has the instructions, as `self` proves.
        unsafe { enter(self, kernel) }
    }
}

impl Avx512 {
    /// The proof, if the machine has the instructions.
    #[inline(always)]
    pub fn detect() -> Option<Avx512> {
        let found = Avx2::detect().is_some() && is_x86_feature_detected!("avx512f");
        found.then_some(Avx512(()))
    }

    /// Runs a kernel that is compiled for these instructions.
    pub fn run(self, kernel: impl SimdKernel<f32>) {
        #[target_feature(enable = "avx512f")]
        fn enter(proof: Avx512, kernel: impl SimdKernel<f32>) {
            kernel.run::<F32x16>(proof);
        }
        // SAFETY: the machine has the instructions, as `self` proves.
        unsafe { enter(self, kernel) }
    }
}

/// A register of AVX2.
#[derive(Clone, Copy)]
pub struct F32x8(__m256);

/// A register of AVX-512.
#[derive(Clone, Copy)]
pub struct F32x16(__m512);

/// All ones in the first `lanes` of eight.
#[target_feature(enable = "avx2")]
#[inline]
fn first_lanes(lanes: usize) -> __m256i {
    let order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    _mm256_cmpgt_epi32(_mm256_set1_epi32(lanes as i32), order)
}

/// Implements [`Vector`] by a level's intrinsics.
macro_rules! vector {
    (
        $vector:ident, $proof:ident, $lanes:literal,
        splat: $splat:ident, add: $add:ident, sub: $sub:ident, mul: $mul:ident,
        fmadd: $fmadd:ident, max: $max:ident, zero: $zero:ident,
        load: $load:ident, store: $store:ident,
        masked_load: |$from:ident, $load_lanes:ident| $masked_load:expr,
        masked_store: |$to:ident, $store_lanes:ident, $stored:ident| $masked_store:expr,
        mask: |$masked:ident, $above:ident| $mask:expr $(,)?
    ) => {
        impl Vector<f32> for $vector {
            type Proof = $proof;

            const LANES: usize = $lanes;

            #[inline(always)]
            fn proof(self) -> $proof {
                $proof(())
            }

            #[inline(always)]
            fn splat(_: $proof, number: f32) -> Self {
                // SAFETY: the proof.
                $vector(unsafe { $splat(number) })
            }

            #[inline(always)]
            fn load(_: $proof, from: &[f32]) -> Self {
                let ($from, $load_lanes) = (from.as_ptr(), from.len());
                // SAFETY: the proof; a whole load stays within the slice, and a masked
                // one reads no lane behind its end.
                $vector(unsafe { if $load_lanes >= $lanes { $load($from) } else { $masked_load } })
            }

            #[inline(always)]
            fn store(self, to: &mut [f32]) {
                let ($to, $store_lanes, $stored) = (to.as_mut_ptr(), to.len(), self.0);
                // SAFETY: `self` exists; a whole store stays within the slice, and a
                // masked one writes no lane behind its end.
                unsafe { if $store_lanes >= $lanes { $store($to, $stored) } else { $masked_store } }
            }

            #[inline(always)]
            fn add_product(self, a: Self, b: Self) -> Self {
                // SAFETY: `self` exists.
                $vector(unsafe { $fmadd(a.0, b.0, self.0) })
            }

            #[inline(always)]
            fn relu(self) -> Self {
                // SAFETY: `self` exists.
                $vector(unsafe { $max(self.0, $zero()) })
            }

            #[inline(always)]
            fn relu_mask(self, other: Self) -> Self {
                let ($masked, $above) = (self.0, other.0);
                // SAFETY: `self` exists.
                $vector(unsafe { $mask })
            }
        }

        vector!($vector, Add add $add, Sub sub $sub, Mul mul $mul);
    };
    ($vector:ident, $($operator:ident $method:ident $intrinsic:ident),*) => {$(
        impl $operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: `self` exists.
                $vector(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}

vector! {
    F32x8, Avx2, 8,
    splat: _mm256_set1_ps, add: _mm256_add_ps, sub: _mm256_sub_ps, mul: _mm256_mul_ps,
    fmadd: _mm256_fmadd_ps, max: _mm256_max_ps, zero: _mm256_setzero_ps,
    load: _mm256_loadu_ps, store: _mm256_storeu_ps,
    masked_load: |from, lanes| _mm256_maskload_ps(from, first_lanes(lanes)),
    masked_store: |to, lanes, stored| _mm256_maskstore_ps(to, first_lanes(lanes), stored),
    mask: |masked, other| {
        _mm256_and_ps(masked, _mm256_cmp_ps::<_CMP_GT_OQ>(other, _mm256_setzero_ps()))
    },
}

vector! {
    F32x16, Avx512, 16,
    splat: _mm512_set1_ps, add: _mm512_add_ps, sub: _mm512_sub_ps, mul: _mm512_mul_ps,
    fmadd: _mm512_fmadd_ps, max: _mm512_max_ps, zero: _mm512_setzero_ps,
    load: _mm512_loadu_ps, store: _mm512_storeu_ps,
    masked_load: |from, lanes| _mm512_maskz_loadu_ps((1 << lanes) - 1, from),
    masked_store: |to, lanes, stored| _mm512_mask_storeu_ps(to, (1 << lanes) - 1, stored),
    mask: |masked, other| {
        let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(other, _mm512_setzero_ps());
        _mm512_maskz_mov_ps(above, masked)
    },
}
