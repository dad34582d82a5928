//! A residual network on the CPU, from the multiplications upwards.
//!
//! Boards here are tiny (6 x 6 to 12 x 12), and that decides everything. One
//! Winograd tile of 8 x 8 covers a whole 6 x 6 board, so a convolution is 64
//! small matrix products ([`gemm`]) between two cheap transforms, and no
//! general framework is close to that.
//!
//! - A tensor is a flat slice in the order position, row, column, channel. The
//!   channel is innermost, because every kernel then runs over whole vectors of
//!   channels, whatever the batch and the board.
//! - Layers are generic over [`Real`]: what runs in `f32` is what the tests
//!   differentiate in `f64`.
//! - [`Network`] learns: it remembers what its backward pass needs. [`InferenceNet`]
//!   plays: normalisation folded into the weights, nothing remembered.
//!
//! Deliberately absent: games, files other than weights, threads, clocks, other
//! devices, automatic differentiation. The tower and its two heads are the 2020
//! paper's; the transforms are Lavin and Gray's (Fast Algorithms for
//! Convolutional Neural Networks, 2016).

mod buffer;
mod conv;
mod gemm;
mod gemm_blocks;
mod inference;
mod kernels;
mod linear;
mod loss;
mod network;
mod norm;
mod optimiser;
mod real;
mod relu;
mod rows;
mod simd_level;
mod tensors;
mod tiles;
mod vector;
mod weights;
mod winograd;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use buffer::{Aligned, Buffer};
pub use conv::{Back, Conv, Epilogue, Scratch, convolve};
pub use gemm::{Left, gemm};
pub use inference::InferenceNet;
pub use linear::Linear;
pub use loss::{Loss, Target, softmax};
pub use network::{Architecture, Network, Output};
pub use norm::Norm;
pub use optimiser::{Optimiser, UpdateRule};
pub use real::Real;
pub use relu::{relu, relu_backward};
pub use simd_level::SimdLevel;
pub use tensors::{Slot, Tensor, Tensors};
pub use tiles::Grid;
pub use weights::{ModelInfo, WeightsError, from_bytes, load, save, to_bytes};
