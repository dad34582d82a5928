"""Our network in PyTorch, and a training loop.

`Net` is the reference model: with the same weights it gives what `boyi.Network.forward`
gives, and its weights play in `puct net=FILE`:

    net = boyi.torch.Net.of(boyi.Network("connect-four"))
    ...                                       # train it
    net.to_network("trained on my data").save("mine.safetensors")
    boyi.Engine("connect-four", "puct net=mine.safetensors")

Without a file, `boyi.Engine("connect-four", "puct", evaluation=net.evaluate)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from . import Network, Shards

__all__ = ["Batch", "Net", "batches", "fit", "loss_of"]

# Our share of a batch in the running mean and variance, and PyTorch's default, agree.
_NORM = {"eps": 1e-5, "momentum": 0.1}


class _Conv(nn.Module):
    """A convolution without bias and its batch normalisation."""

    def __init__(self, inputs: int, outputs: int, side: int):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, side, padding=side // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs, **_NORM)

    def forward(self, x):
        return self.norm(self.conv(x))


class Net(nn.Module):
    """The network of `boyi.Network`: a residual tower with two heads.

    `forward` takes observations (positions, rows, columns, planes) and gives logits
    (positions, actions) and values (positions), as ours does.
    """

    def __init__(self, network: Network):
        super().__init__()
        self.network = network
        sizes = network.architecture
        self.pooled = sizes["heads"] == "pooled"
        area = sizes["height"] * sizes["width"]
        # Pooled: a mean and a maximum of each kernel, and a logit for each column.
        each, logits = (2, 1) if self.pooled else (area, sizes["moves"])
        channels = sizes["channels"]
        self.stem = _Conv(sizes["planes"], channels, 3)
        self.blocks = nn.ModuleList(
            nn.ModuleList([_Conv(channels, channels, 3), _Conv(channels, channels, 3)])
            for _ in range(sizes["blocks"])
        )
        self.policy_conv = _Conv(channels, sizes["policy_kernels"], 1)
        self.policy = nn.Linear(each * sizes["policy_kernels"], logits)
        self.value_conv = _Conv(channels, sizes["value_kernels"], 1)
        self.hidden = nn.Linear(each * sizes["value_kernels"], sizes["value_hidden"])
        self.value = nn.Linear(sizes["value_hidden"], 1)
        self.load_tensors(network.tensors())

    @classmethod
    def of(cls, network: Network) -> Net:
        """The model with a network's sizes and weights."""
        return cls(network)

    def forward(self, observations):
        x = F.relu(self.stem(observations.permute(0, 3, 1, 2)))
        for first, second in self.blocks:
            x = F.relu(second(F.relu(first(x))) + x)
        policy, value = F.relu(self.policy_conv(x)), F.relu(self.value_conv(x))
        if self.pooled:
            logits = self.policy(_pool(policy, (2,)).transpose(1, 2)).squeeze(2)
            hidden = F.relu(self.hidden(_pool(value, (2, 3))))
        else:
            logits = self.policy(_flat(policy))
            hidden = F.relu(self.hidden(_flat(value)))
        return logits, torch.tanh(self.value(hidden)).squeeze(1)

    def _parts(self) -> Iterator[tuple[str, torch.Tensor, bool]]:
        """Each tensor of the file: its name, the parameter that holds it, and whether
        the parameter has its axes in PyTorch's order."""
        convs = [("stem", self.stem), ("policy", self.policy_conv), ("value", self.value_conv)]
        for number, block in enumerate(self.blocks, 1):
            convs += [(f"block{number}.{half}", conv) for half, conv in enumerate(block, 1)]
        for name, conv in convs:
            yield f"{name}.conv", conv.conv.weight, True
            yield f"{name}.norm.scale", conv.norm.weight, False
            yield f"{name}.norm.shift", conv.norm.bias, False
            yield f"{name}.norm.mean", conv.norm.running_mean, False
            yield f"{name}.norm.variance", conv.norm.running_var, False
        dense = {"policy.dense": self.policy, "value.hidden": self.hidden, "value.dense": self.value}
        for name, linear in dense.items():
            yield f"{name}.weight", linear.weight, True
            yield f"{name}.bias", linear.bias, False

    @torch.no_grad()
    def load_tensors(self, tensors: dict[str, np.ndarray]):
        """Takes the numbers of `boyi.Network.tensors`."""
        for name, parameter, turned in self._parts():
            array = torch.from_numpy(np.array(tensors[name]))
            if turned and parameter.dim() == 4:
                # Ours: (row, column,) input, output. PyTorch's: output, input, row, column.
                array = array.reshape(*parameter.shape[2:], parameter.shape[1], -1)
                array = array.permute(3, 2, 0, 1)
            elif turned:
                array = array.T
            parameter.copy_(array)

    @torch.no_grad()
    def tensors(self) -> dict[str, np.ndarray]:
        """Its numbers with the names and axes of `boyi.Network.tensors`."""
        shapes = {name: array.shape for name, array in self.network.tensors().items()}
        found = {}
        for name, parameter, turned in self._parts():
            array = parameter.detach().cpu().float()
            if turned and array.dim() == 4:
                array = array.permute(2, 3, 1, 0)
            elif turned:
                array = array.T
            found[name] = array.reshape(shapes[name]).contiguous().numpy()
        return found

    def to_network(self, history: str | None = None) -> Network:
        """The same network in our engines, with a line about its training."""
        return self.network.with_tensors(self.tensors(), history)

    @torch.no_grad()
    def evaluate(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logits and values of NumPy observations, as NumPy arrays."""
        was_training = self.training
        self.eval()
        try:
            logits, values = self(torch.from_numpy(observations))
        finally:
            self.train(was_training)
        return logits.numpy(), values.numpy()


def _pool(x, axes: tuple[int, ...]):
    """The mean of each kernel over these axes, then the maximum of each."""
    return torch.cat([x.mean(axes), x.amax(axes)], 1)


def _flat(x):
    """Rows, columns and kernels of a position in a row, in our order."""
    return x.permute(0, 2, 3, 1).flatten(1)


class Batch(NamedTuple):
    """What the training loop learns from, as tensors."""

    observations: torch.Tensor
    policy: torch.Tensor | None
    """A target that adds up to 1 for each position; None trains the value alone."""
    value: torch.Tensor
    mask: torch.Tensor | None = None
    """The legal moves; logits of others are not looked at."""


def loss_of(net: Net, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """The cross-entropy of the policy and the squared error of the value."""
    logits, values = net(batch.observations)
    value = F.mse_loss(values, batch.value)
    if batch.policy is None:
        return torch.zeros_like(value), value
    if batch.mask is not None:
        logits = logits.masked_fill(batch.mask == 0, -1e9)
    return F.cross_entropy(logits, batch.policy), value


def batches(
    shards: Shards, size: int = 256, *, epochs: int = 1, td_lambda: float = 1.0, seed: int = 1
) -> Iterator[Batch]:
    """Shuffled batches of a training run's positions, under random symmetries."""
    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        for index in rng.permutation(len(shards)):
            symmetries = int(rng.integers(2**31))
            samples = shards.samples(int(index), td_lambda=td_lambda, symmetries=symmetries)
            order = rng.permutation(len(samples))
            for at in range(0, len(order), size):
                rows = order[at : at + size]
                if len(rows) > 1:
                    parts = (samples.observations, samples.policy, samples.value, samples.mask)
                    yield Batch(*(torch.from_numpy(part[rows]) for part in parts))


def fit(
    net: Net,
    data: Iterable[Batch],
    *,
    rate: float = 1e-3,
    decay: float = 1e-4,
    report: int = 0,
    optimiser: torch.optim.Optimizer | None = None,
) -> tuple[float, float]:
    """Trains on batches, and returns the last mean losses of policy and value.

    `report` prints the means of that many steps.
    """
    optimiser = optimiser or torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=decay)
    net.train()
    sums, count, last = np.zeros(2), 0, (float("nan"), float("nan"))
    for step, batch in enumerate(data, 1):
        optimiser.zero_grad(set_to_none=True)
        policy, value = loss_of(net, batch)
        (policy + value).backward()
        optimiser.step()
        sums += policy.item(), value.item()
        count += 1
        if report and step % report == 0:
            last = tuple(sums / count)
            print(f"step {step}: policy {last[0]:.4f}, value {last[1]:.4f}")
            sums, count = np.zeros(2), 0
    net.eval()
    return tuple(sums / count) if count else last
