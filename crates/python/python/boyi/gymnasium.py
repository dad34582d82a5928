"""A Gymnasium environment: one player against a chosen engine.

>>> import gymnasium, boyi.gymnasium
>>> env = gymnasium.make("boyi/Game-v0", game="connect-four 5x4", opponent="uct sims=50")
>>> observation, info = env.reset(seed=1)
>>> observation["action_mask"]
array([1, 1, 1, 1, 1], dtype=int8)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from . import Engine, Game, State
from ._adapter import observation_space, observe

__all__ = ["GameEnv"]


class GameEnv(gymnasium.Env):
    """One side of a game; an engine plays the other.

    An observation is a dict of planes (`observation`) and the mask of legal moves
    (`action_mask`), as the agent sees them. The reward is the result at the end: 1, 0
    or -1. An illegal move loses the game (`illegal="lose"`) or raises
    (`illegal="raise"`). `player` is the agent's side: 0, 1 or None for a random one in
    each episode. The opponent is a spec, or a function from a state to a move.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        game: Game | str = "connect-four",
        opponent: Any = "random",
        player: int | None = None,
        illegal: str = "lose",
        limits: dict[str, float] | None = None,
        render_mode: str | None = None,
    ):
        if illegal not in ("lose", "raise"):
            raise ValueError(f"illegal={illegal!r} is unknown; it is 'lose' or 'raise'")
        self.game = game if isinstance(game, Game) else Game(game)
        self.player = player
        self.illegal = illegal
        self.limits = limits or {}
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game)
        self.action_space = gymnasium.spaces.Discrete(self.game.num_actions)
        self._function = opponent if callable(opponent) else None
        self._engine = None if callable(opponent) else Engine(self.game, opponent)
        self.state: State = self.game.new_initial_state()
        self._side = 0
        self._lost = False

    def reset(self, *, seed: int | None = None, options: dict | None = None):
        super().reset(seed=seed)
        self.state = self.game.new_initial_state()
        self._lost = False
        self._side = int(self.np_random.integers(2)) if self.player is None else self.player
        if self._engine is not None:
            self._engine.new_game(int(self.np_random.integers(2**31)))
        self._reply()
        return self._view(), self._info()

    def step(self, action):
        if self._lost or self.state.is_terminal():
            raise RuntimeError("the episode is over; call reset()")
        try:
            self.state.apply_action(int(action))
        except ValueError:
            if self.illegal == "raise":
                raise
            self._lost = True
            return self._view(), -1.0, True, False, self._info()
        self._reply()
        over = self.state.is_terminal()
        return self._view(), float(self.state.returns()[self._side]), over, False, self._info()

    def render(self):
        return str(self.state)

    def _reply(self):
        """The opponent plays until the agent is to move."""
        while self.state.current_player() == 1 - self._side:
            if self._function is not None:
                self.state.play([self._function(self.state.clone())])
            else:
                self.state.play(self._engine.search(self.state, **self.limits).best + ",")

    def _view(self):
        return observe(self.state, not self._lost)

    def _info(self):
        mask = self.state.legal_actions_mask().astype(bool)
        return {"action_mask": mask & (not self._lost), "player": self._side}


if "boyi/Game-v0" not in gymnasium.registry:
    gymnasium.register("boyi/Game-v0", entry_point="boyi.gymnasium:GameEnv")
