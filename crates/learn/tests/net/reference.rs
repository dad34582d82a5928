//! The reference implementation of the forward pass: plain loops in double
//! precision, nothing folded, nothing transformed.

use learn::net::{Grid, Heads, Network, Output, Real};

struct Reference<'a, R>(&'a Network<R>);

impl<R: Real> Reference<'_, R> {
    fn get(&self, name: &str) -> Vec<f64> {
        let tensor = self.0.tensors.iter().find(|tensor| tensor.name == name);
        tensor.expect(name).value.iter().map(|x| x.to_f64()).collect()
    }

    fn norm(&self, name: &str, x: &mut [f64]) {
        let [scale, shift, mean, variance] = ["scale", "shift", "mean", "variance"]
            .map(|part| self.get(&format!("{name}.norm.{part}")));
        for row in x.chunks_exact_mut(scale.len()) {
            for (c, x) in row.iter_mut().enumerate() {
                *x = (*x - mean[c]) / (variance[c] + 1e-5).sqrt() * scale[c] + shift[c];
            }
        }
    }

    fn dense(&self, weight: &str, bias: Option<&str>, inputs: usize, x: &[f64]) -> Vec<f64> {
        let weight = self.get(weight);
        let outputs = weight.len() / inputs;
        let bias = bias.map_or(vec![0.0; outputs], |bias| self.get(bias));
        let mut y = Vec::new();
        for row in x.chunks_exact(inputs) {
            for o in 0..outputs {
                y.push(
                    bias[o] + (0..inputs).map(|i| row[i] * weight[i * outputs + o]).sum::<f64>(),
                );
            }
        }
        y
    }
}

/// A 3 x 3 convolution with zero padding; the kernel is 3 x 3 x in x out.
pub fn conv(
    (height, width): (usize, usize),
    (inputs, outputs): (usize, usize),
    kernel: &[f64],
    x: &[f64],
) -> Vec<f64> {
    let batch = x.len() / (height * width * inputs);
    let mut y = vec![0.0; batch * height * width * outputs];
    for n in 0..batch {
        for row in 0..height {
            for column in 0..width {
                for tap in 0..9 {
                    let (r, c) = (row + tap / 3, column + tap % 3);
                    if r == 0 || c == 0 || r > height || c > width {
                        continue;
                    }
                    let from = ((n * height + r - 1) * width + c - 1) * inputs;
                    let to = ((n * height + row) * width + column) * outputs;
                    for i in 0..inputs {
                        for o in 0..outputs {
                            y[to + o] += x[from + i] * kernel[(tap * inputs + i) * outputs + o];
                        }
                    }
                }
            }
        }
    }
    y
}

fn relu(x: &mut [f64]) {
    x.iter_mut().for_each(|x| *x = x.max(0.0));
}

/// The mean of each channel over some points, then the maximum of each.
fn pool(channels: usize, x: &[f64], points: &[usize]) -> Vec<f64> {
    let over = |channel: usize| points.iter().map(move |point| x[point * channels + channel]);
    let means = (0..channels).map(|channel| over(channel).sum::<f64>() / points.len() as f64);
    let maxima = (0..channels).map(|channel| over(channel).fold(f64::NEG_INFINITY, f64::max));
    means.chain(maxima).collect()
}

/// The network's output at inference.
pub fn forward<R: Real>(network: &Network<R>, planes: &[R]) -> Output<f64> {
    forward_on(network.architecture().grid(), network, planes)
}

/// The same on boards of this size.
pub fn forward_on<R: Real>(grid: Grid, network: &Network<R>, planes: &[R]) -> Output<f64> {
    let a = *network.architecture();
    let net = Reference(network);
    let size = (grid.height, grid.width);
    let area = grid.area();
    let step = |name: &str, inputs: usize, x: &[f64]| {
        let kernel = net.get(&format!("{name}.conv"));
        let mut y = conv(size, (inputs, a.channels), &kernel, x);
        net.norm(name, &mut y);
        y
    };
    let planes: Vec<f64> = planes.iter().map(|x| x.to_f64()).collect();
    let mut x = step("stem", a.planes, &planes);
    relu(&mut x);
    for i in 1..=a.blocks {
        let mut inside = step(&format!("block{i}.1"), a.channels, &x);
        relu(&mut inside);
        let inside = step(&format!("block{i}.2"), a.channels, &inside);
        x.iter_mut().zip(inside).for_each(|(x, inside)| *x += inside);
        relu(&mut x);
    }
    let head = |name: &str| {
        let mut y = net.dense(&format!("{name}.conv"), None, a.channels, &x);
        net.norm(name, &mut y);
        relu(&mut y);
        y
    };
    let layer = |name: &str, inputs: usize, x: &[f64]| {
        net.dense(&format!("{name}.weight"), Some(&format!("{name}.bias")), inputs, x)
    };
    let (mut policy, mut value) = (head("policy"), head("value"));
    if a.heads == Heads::Pooled {
        let positions = planes.len() / (area * a.planes);
        let columns = (0..positions).flat_map(|n| (0..grid.width).map(move |c| (n, c)));
        let column = |(n, c)| (0..grid.height).map(|r| n * area + r * grid.width + c).collect();
        let columns = columns.map(column);
        policy = columns.flat_map(|at: Vec<_>| pool(a.policy_kernels, &policy, &at)).collect();
        let boards = (0..positions).map(|n| (n * area..(n + 1) * area).collect::<Vec<_>>());
        value = boards.flat_map(|at| pool(a.value_kernels, &value, &at)).collect();
    }
    let [(policy_inputs, _), (value_inputs, _)] = a.dense_layers();
    let logits = layer("policy.dense", policy_inputs, &policy);
    let mut hidden = layer("value.hidden", value_inputs, &value);
    relu(&mut hidden);
    let values = layer("value.dense", a.value_hidden, &hidden);
    Output { logits, values: values.into_iter().map(f64::tanh).collect() }
}
