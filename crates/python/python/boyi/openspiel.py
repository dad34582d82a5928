"""The games for OpenSpiel's algorithms.

Importing this module registers `boyi_connect_four`, `boyi_dots_and_boxes` and
`boyi_surakarta`; the parameter `setup` is what follows the name in `boyi.Game`.

>>> import boyi.openspiel, pyspiel
>>> game = pyspiel.load_game("boyi_connect_four(setup=5x4)")
>>> game.new_initial_state().legal_actions()
[0, 1, 2, 3, 4]
"""

from __future__ import annotations

import numpy as np
import pyspiel

from . import Game, State, games

__all__ = ["SpielGame", "SpielState"]

# No game of these is longer: Surakarta's quiet plies end it, the others fill up.
_LONGEST = {"surakarta": 24 * 200}


def _type(name: str, title: str) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name="boyi_" + name.replace("-", "_"),
        long_name=f"Boyi {title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"setup": ""},
    )


class SpielState(pyspiel.State):
    """One of our states as OpenSpiel's."""

    def __init__(self, game: SpielGame, state: State | None = None):
        super().__init__(game)
        self.state = game.game.new_initial_state() if state is None else state
        self._spiel_game = game

    def current_player(self):
        if self.state.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return self.state.current_player()

    def _legal_actions(self, player):
        return self.state.legal_actions()

    def _apply_action(self, action):
        self.state.apply_action(action)

    def _action_to_string(self, player, action):
        return self.state.action_to_string(action)

    def is_terminal(self):
        return self.state.is_terminal()

    def returns(self):
        return self.state.returns()

    def __str__(self):
        return self.state.position


class SpielObserver:
    """The planes of our encoding, from the mover's viewpoint."""

    def __init__(self, shape):
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state, player):
        self.dict["observation"][...] = state.state.observation()

    def string_from(self, state, player):
        return str(state)


class SpielGame(pyspiel.Game):
    """One of our games as OpenSpiel's."""

    def __init__(self, name: str, kind: pyspiel.GameType, parameters: dict | None = None):
        setup = str((parameters or {}).get("setup", ""))
        self.game = Game(f"{name} {setup}".strip())
        start = self.game.new_initial_state()
        shape = self.game.observation_shape
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_LONGEST.get(name, len(start.legal_actions()) * shape[0]),
        )
        super().__init__(kind, info, parameters or {})

    def new_initial_state(self):
        return SpielState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return SpielObserver(self.game.observation_shape)


def _register(name: str, title: str):
    kind = _type(name, title)

    class Registered(SpielGame):
        def __init__(self, parameters: dict | None = None):
            super().__init__(name, kind, parameters)

    pyspiel.register_game(kind, Registered)


for _name, _title in games().items():
    _register(_name, _title)
