"""PettingZoo environments (AEC) of the games.

>>> import boyi.pettingzoo
>>> env = boyi.pettingzoo.env("dots-and-boxes 3x3")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     mask = observation["action_mask"]
...     env.step(None if termination else env.action_space(agent).sample(mask))
"""

from __future__ import annotations

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import gymnasium

from . import Game, State
from ._adapter import observation_space, observe

__all__ = ["GameEnv", "env", "raw_env"]


class GameEnv(AECEnv):
    """Two players, `player_0` and `player_1`; the same one may move several times."""

    metadata = {"render_modes": ["ansi"], "name": "boyi_v0", "is_parallelizable": False}

    def __init__(self, game: Game | str = "connect-four", render_mode: str | None = None):
        super().__init__()
        self.game = game if isinstance(game, Game) else Game(game)
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        space = observation_space(self.game)
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        action = gymnasium.spaces.Discrete(self.game.num_actions)
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(int(action.n)) for agent in self.possible_agents
        }
        self.board: State = self.game.new_initial_state()

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None):
        self.board = self.game.new_initial_state()
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.board.to_move]

    def observe(self, agent):
        return observe(self.board, self.possible_agents[self.board.to_move] == agent)

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        self._cumulative_rewards[agent] = 0.0
        self.board.apply_action(int(action))
        self._clear_rewards()
        if self.board.is_terminal():
            for player, result in zip(self.possible_agents, self.board.returns()):
                self.rewards[player] = result
                self.terminations[player] = True
            self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)]
        else:
            self.agent_selection = self.possible_agents[self.board.to_move]
        self._accumulate_rewards()

    def render(self):
        return str(self.board)

    def close(self):
        pass


def raw_env(**arguments) -> GameEnv:
    """The environment without wrappers."""
    return GameEnv(**arguments)


def env(game: Game | str = "connect-four", **arguments) -> AECEnv:
    """The environment, in which an illegal move ends the game and wrong use is told."""
    inner = GameEnv(game, **arguments)
    inner = wrappers.TerminateIllegalWrapper(inner, illegal_reward=-1)
    inner = wrappers.AssertOutOfBoundsWrapper(inner)
    return wrappers.OrderEnforcingWrapper(inner)
