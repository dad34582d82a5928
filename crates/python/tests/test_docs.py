"""The examples of docs/python.md run, with smaller numbers."""

import pathlib
import random
import re
import subprocess

import numpy as np
import pytest

import boyi

DOCS = pathlib.Path(__file__).parents[3] / "docs"
#: What takes long in an example, and what stands for it here.
SMALLER = {
    "1_000_000": "200",
    "4096": "64",
    "seconds=2)": "seconds=0.05)",
    "seconds=10, every=0.5": "seconds=0.2, every=0.05",
    "games=200, seconds=0.1": "games=2, seconds=0.01",
    '"best", "uct", my_function': '"uct memory=4", my_function',
}
#: Examples of other packages and of files that a reader has; the long tests run those.
ELSEWHERE = ("boyi.torch", "gymnasium")


def blocks(name, elsewhere):
    """The examples of a page: those of other packages, or the rest."""
    found = re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(), re.DOTALL)
    return [block for block in found if any(word in block for word in ELSEWHERE) == elsewhere]


@pytest.mark.parametrize("name", ["python.md", "python.zh-CN.md"])
def test_the_examples_run(name):
    names = {"np": np, "my_function": lambda state: random.choice(state.legal_actions())}
    run = blocks(name, False)
    assert len(run) >= 5
    replaced = set()
    for block in run:
        for large, small in SMALLER.items():
            if large in block:
                replaced.add(large)
                block = block.replace(large, small)
        exec(block, names)
    assert replaced == set(SMALLER)
    assert isinstance(names["solution"], boyi.Solution) and len(names["data"].labels) == 200


@pytest.mark.soak
def test_the_examples_of_other_packages_run(tmp_path, monkeypatch):
    for module in ("torch", "onnx", "gymnasium", "pettingzoo", "pyspiel"):
        pytest.importorskip(module)
    train = ["cargo", "run", "--quiet", "--release", "--", "train", "connect-four"]
    sizes = ["--set", "games=8", "--set", "blocks=1", "--set", "channels=8"]
    root = DOCS.parent
    subprocess.run([*train, "--out", tmp_path / "run", *sizes], cwd=root, check=True, stdout=subprocess.DEVNULL)
    monkeypatch.chdir(tmp_path)
    games = boyi.VectorState("connect-four", 64)
    changed = boyi.Network("connect-four").tensors()
    for name in ("python.md", "python.zh-CN.md"):
        run = blocks(name, True)
        assert len(run) == 2
        for block in run:
            exec(block, {"boyi": boyi, "games": games, "changed": changed})
    state = boyi.State("connect-four")
    assert boyi.Engine("connect-four", "puct net=tuned.safetensors").search(state, sims=16).best
