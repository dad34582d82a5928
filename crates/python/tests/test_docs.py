"""The examples of docs/python.md run, with smaller numbers."""

import pathlib
import random
import re

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


@pytest.mark.parametrize("name", ["python.md", "python.zh-CN.md"])
def test_the_examples_run(name):
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(), re.DOTALL)
    assert len(blocks) >= 7
    names = {"np": np, "my_function": lambda state: random.choice(state.legal_actions())}
    run = [block for block in blocks if not any(word in block for word in ELSEWHERE)]
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
