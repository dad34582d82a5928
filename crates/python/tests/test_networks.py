"""Networks: weights as arrays, files, and the games of a training run."""

import json
import struct

import numpy as np
import pytest

import boyi


def small(game="dots-and-boxes 2x2", seed=1):
    return boyi.Network.create(game, blocks=1, channels=8, value_hidden=16, seed=seed)


def plain_forward(network, observations):
    """The documented forward pass, in NumPy, one position at a time."""
    t, sizes = network.tensors(), network.architecture

    def norm(name, x):
        mean, variance = t[f"{name}.norm.mean"], t[f"{name}.norm.variance"]
        x = (x - mean) / np.sqrt(variance + 1e-5)
        return x * t[f"{name}.norm.scale"] + t[f"{name}.norm.shift"]

    def conv(name, x):
        padded = np.pad(x, ((1, 1), (1, 1), (0, 0)))
        out = np.zeros((*x.shape[:2], t[f"{name}.conv"].shape[3]))
        for r in range(3):
            for c in range(3):
                window = padded[r : r + x.shape[0], c : c + x.shape[1]]
                out += window @ t[f"{name}.conv"][r, c]
        return norm(name, out)

    relu = lambda x: np.maximum(x, 0)
    pooled = sizes["heads"] == "pooled"

    def pool(x, axes):
        return np.concatenate([x.mean(axes), x.max(axes)], -1)

    logits, values = [], []
    for planes in observations:
        x = relu(conv("stem", planes))
        for block in range(1, sizes["blocks"] + 1):
            inner = relu(conv(f"block{block}.1", x))
            x = relu(conv(f"block{block}.2", inner) + x)
        head = relu(norm("policy", x @ t["policy.conv"]))
        head = pool(head, 0) if pooled else head.ravel()
        logits.append((head @ t["policy.dense.weight"] + t["policy.dense.bias"]).ravel())
        head = relu(norm("value", x @ t["value.conv"]))
        head = pool(head, (0, 1)) if pooled else head.ravel()
        hidden = relu(head @ t["value.hidden.weight"] + t["value.hidden.bias"])
        values.append(np.tanh(hidden @ t["value.dense.weight"] + t["value.dense.bias"])[0])
    return np.array(logits), np.array(values)


@pytest.mark.parametrize(
    "game", ["dots-and-boxes 2x2", "connect-four", "connect-four 9x11 hole=2,3", "surakarta"]
)
def test_the_forward_pass_is_the_documented_one(game):
    positions = boyi.VectorState.random_positions(game, 4, 2, 8).observations()
    network = small(game)
    # Running means and variances that are not 0 and 1.
    rng = np.random.default_rng(1)
    tensors = {
        name: array * rng.uniform(0.5, 1.5, array.shape) + (0.1 if "norm" in name else 0)
        for name, array in network.tensors().items()
    }
    network = network.with_tensors(tensors, "made for a test")
    for ours, theirs in zip(network.forward(positions), plain_forward(network, positions)):
        assert np.abs(ours - theirs).max() < 1e-4


def test_weights_come_and_go(tmp_path):
    network = small()
    path = tmp_path / "net.safetensors"
    network.with_tensors(network.tensors(), "one line").save(path)
    again = boyi.Network(path)
    assert boyi.Network(str(path)).history == again.history
    assert again.history == ["one line"] and again.architecture == network.architecture
    tensors = network.tensors()
    for name, array in again.tensors().items():
        assert (array == tensors[name]).all()
    # The file is plain safetensors with our description.
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    card = json.loads(header["__metadata__"]["card"])
    assert header["__metadata__"]["format"] == "boyi-network-1"
    assert card["game"] == "dots-and-boxes 2x2" == network.game
    assert set(header) - {"__metadata__"} == set(tensors)
    engine = boyi.Engine("dots-and-boxes 2x2", f"puct net={path} memory=4 tactics=off")
    assert engine.search(boyi.State("dots-and-boxes 2x2"), sims=30).sims == 30


def test_wrong_weights_are_explained(tmp_path):
    network = small()
    tensors = network.tensors()
    for change, words in [
        (lambda t: t.pop("stem.conv"), "there is no tensor 'stem.conv'"),
        (lambda t: t.update({"stem.conv": np.zeros(3)}), "'stem.conv' has shape"),
        (lambda t: t["value.dense.bias"].fill(np.nan), "not finite"),
        (lambda t: t.update({"extra": np.zeros(3)}), "no tensor 'extra'"),
    ]:
        changed = {name: array.copy() for name, array in tensors.items()}
        change(changed)
        with pytest.raises(boyi.Error, match=words):
            network.with_tensors(changed)
    (tmp_path / "text").write_text("no network")
    for wrong, words in [
        (lambda: boyi.Network(str(tmp_path / "none")), "can't be read"),
        (lambda: boyi.Network(str(tmp_path / "text")), "not a whole safetensors file"),
        (lambda: network.forward(np.zeros((1, 2, 3, 4))), "observations have the shape"),
        (lambda: network.save(tmp_path / "no" / "folder"), "can't be read or written"),
        (lambda: boyi.Network.create("connect-four", channels=0), "go from 1 to 4096"),
        (lambda: boyi.shards(tmp_path), "has no training run"),
    ]:
        with pytest.raises(boyi.Error, match=words):
            wrong()


def test_shipped_networks_know_something():
    data = boyi.exact_dataset("connect-four", 60, 24, 30, seed=4, memory=16)
    _, values = boyi.Network("connect-four").forward(data.positions.observations())
    decided = data.labels.result != 0
    agreed = np.sign(values[decided]) == data.labels.result[decided]
    assert agreed.mean() > 0.6
