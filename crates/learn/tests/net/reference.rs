//! The reference implementation of the forward pass: plain loops in double
//! precision, nothing folded, nothing transformed.

use learn::net::{Network, Output, Real};

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

/// The network's output at inference.
pub fn forward<R: Real>(network: &Network<R>, planes: &[R]) -> Output<f64> {
    let a = *network.architecture();
    let net = Reference(network);
    let size = (a.height, a.width);
    let area = a.height * a.width;
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
    let logits = layer("policy.dense", area * a.policy_kernels, &head("policy"));
    let mut hidden = layer("value.hidden", area * a.value_kernels, &head("value"));
    relu(&mut hidden);
    let values = layer("value.dense", a.value_hidden, &hidden);
    Output { logits, values: values.into_iter().map(f64::tanh).collect() }
}
