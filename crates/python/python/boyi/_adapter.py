"""What the environments of other libraries share."""

from __future__ import annotations

import numpy as np

from . import Game, State


def observation_space(game: Game):
    """Gymnasium's space of one player's view: planes and the mask of legal moves."""
    from gymnasium import spaces

    planes = spaces.Box(-1.0, 1.0, game.observation_shape, np.float32)
    mask = spaces.Box(0, 1, (game.num_actions,), np.int8)
    return spaces.Dict({"observation": planes, "action_mask": mask})


def observe(state: State, to_move: bool = True) -> dict[str, np.ndarray]:
    """A view of the state; who is not to move has no legal moves."""
    mask = state.legal_actions_mask()
    return {"observation": state.observation(), "action_mask": mask if to_move else mask * 0}
