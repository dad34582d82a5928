"""The type stubs: a program that is right passes the strictest check, a wrong one does not."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.soak

RIGHT = """
import boyi

state = boyi.Game("connect-four").new_initial_state()
actions: list[int] = state.legal_actions()
state.apply_action(actions[0])
result = boyi.Engine("connect-four", "uct memory=4").search(state, sims=100)
print(result.best, result.score)
step = boyi.VectorState("connect-four", 16).step_random()
print(step.mask.sum(), boyi.solve(boyi.State("connect-four 4x4")).value)
"""


@pytest.mark.parametrize("program, passes", [(RIGHT, True), (RIGHT + "state.apply_action([])\n", False)])
def test_a_program_passes_mypy_if_it_is_right(tmp_path, program, passes):
    pytest.importorskip("mypy")
    file = tmp_path / "program.py"
    file.write_text(program)
    check = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", file]
    found = subprocess.run(check, capture_output=True, text=True)
    assert (found.returncode == 0) == passes, found.stdout


def test_the_stubs_are_those_of_the_module():
    pytest.importorskip("mypy")
    check = [sys.executable, "-m", "mypy.stubtest", "boyi._boyi", "--ignore-missing-stub"]
    found = subprocess.run(check, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
