"""Surakarta, Dots and Boxes and Connect Four: fast environments, engines, exact values.

    import boyi

    state = boyi.State("connect-four", "4433")     # a game being played
    state.legal_moves(), state.legal_actions()     # moves as text, as numbers
    boyi.Engine("connect-four").search(state, seconds=1)
    boyi.solve(state)                              # the exact value

    games = boyi.VectorState("dots-and-boxes 5x5", 4096)
    step = games.step_random()                     # masks, players, results

    data = boyi.exact_dataset("connect-four 5x5", 100_000, 4, 20)
    boyi.match("surakarta", ["best", "uct"], games=20, seconds=0.1)

Environments of other libraries are in `boyi.gymnasium`, `boyi.pettingzoo` and
`boyi.openspiel`; PyTorch's model and training in `boyi.torch`, the ONNX export in
`boyi.onnx`; endgame tables in `boyi.tables`. `help(boyi.State)` and the other classes
say more; docs/python.md is the guide.
"""

from __future__ import annotations

from typing import NamedTuple

from . import _boyi, tables
from ._boyi import (
    Encounter,
    Engine,
    Error,
    Game,
    Labels,
    MatchGame,
    MatchResult,
    MoveInfo,
    MoveValue,
    Network,
    Outcome,
    Progress,
    Samples,
    Score,
    SearchResult,
    Shards,
    Solution,
    State,
    Step,
    VectorState,
    engines,
    games,
    match,
    shards,
    solve,
)

__version__ = "0.1.0"

__all__ = [
    "Dataset",
    "Encounter",
    "Engine",
    "Error",
    "Game",
    "Labels",
    "MatchGame",
    "MatchResult",
    "MoveInfo",
    "MoveValue",
    "Network",
    "Outcome",
    "Progress",
    "Samples",
    "Score",
    "SearchResult",
    "Shards",
    "Solution",
    "State",
    "Step",
    "VectorState",
    "engines",
    "exact_dataset",
    "games",
    "match",
    "shards",
    "solve",
    "tables",
]


class Dataset(NamedTuple):
    """Positions with what is exactly known of them."""

    positions: VectorState
    """The positions; `positions.observations()` are their planes."""
    labels: Labels
    """Values, results and, if they were solved, every move's value."""


def exact_dataset(
    game: Game | str,
    count: int,
    min_plies: int,
    max_plies: int,
    *,
    moves: bool = False,
    distinct: bool = True,
    seed: int = 1,
    memory: int = 256,
    threads: int = 1,
) -> Dataset:
    """Random positions with their exact values, for supervised learning.

    Each position is reached by uniformly random play; its depth is drawn from
    `min_plies` to `max_plies`. If `distinct`, no two are equal or symmetric images of
    each other, so that a split into training and test sets leaks nothing. `moves=True`
    solves every move too, for policy targets (`labels.best`).

    >>> data = boyi.exact_dataset("connect-four 5x4", 100, 4, 12)
    >>> bool(data.labels.exact.all())
    True
    """
    positions = VectorState.random_positions(
        game, count, min_plies, max_plies, distinct=distinct, seed=seed
    )
    return Dataset(positions, positions.solve(moves=moves, memory=memory, threads=threads))
