//! A residual network on the CPU, from the matrix product upwards.
//!
//! Boards here are tiny (6 x 6 to 12 x 12), and that decides everything. One
//! Winograd tile of 8 x 8 covers a whole 6 x 6 board, so a convolution is 64
//! small matrix products ([`gemm()`]) between two cheap transforms, and no general
//! framework is close to that.
//!
//! - A tensor is a flat slice in the order position, row, column, channel. The
//!   channel is innermost, because every kernel then runs over whole vectors of
//!   channels, whatever the batch and the board.
//! - Positions of one batch may have boards of different sizes ([`Boards`]) if the
//!   heads pool ([`Heads::Pooled`]): no other layer has weights for single points.
//! - Layers are generic over [`Real`]: what runs in `f32` is what the tests
//!   differentiate in `f64`.
//! - [`Network`] is trained: it keeps what its backward pass needs.
//!   [`InferenceNet`] plays: normalisation folded into the weights, nothing kept.
//! - Kernels are written once over vectors and compiled for each [`SimdLevel`]
//!   (`simd`), which has all of this crate's `unsafe`.
//!
//! Deliberately absent: games, files other than weights, threads, clocks, other
//! devices, automatic differentiation. The tower and its dense heads are the
//! 2020 paper's.

mod architecture;
mod batch_norm;
mod blocks;
mod boards;
mod buffer;
mod channels;
mod conv;
mod gemm;
mod inference;
mod linear;
mod loss;
mod network;
mod optimiser;
mod pool;
mod real;
mod relu;
mod simd;
mod tensors;
mod weights;
mod winograd;

pub use architecture::{Architecture, Grid, Heads, Output};
pub use batch_norm::BatchNorm;
pub use boards::Boards;
pub use buffer::{AlignedVec, Buffer};
pub use conv::{Conv, Epilogue, InputGradient, Scratch, convolve};
pub use gemm::{Left, gemm};
pub use inference::InferenceNet;
pub use linear::Linear;
pub use loss::{Loss, Target, softmax};
pub use network::Network;
pub use optimiser::{Optimiser, UpdateRule};
pub use pool::Pool;
pub use real::Real;
pub use relu::{relu, relu_backward};
pub use simd::SimdLevel;
pub use tensors::{Tensor, TensorId, Tensors};
pub use weights::{ModelInfo, WeightsError, from_bytes, load, save, to_bytes};
