"""Environments of Gymnasium and PettingZoo, by those libraries' own tests."""

import warnings

import numpy as np
import pytest

import boyi

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import boyi.gymnasium  # noqa: E402
import boyi.pettingzoo  # noqa: E402

SPECS = ["connect-four", "dots-and-boxes 2x2", "surakarta", "connect-four 9x9 hole=1,1"]


@pytest.mark.parametrize("spec", SPECS)
def test_pettingzoo_s_own_tests(spec):
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(boyi.pettingzoo.env(spec), num_cycles=150)
        api_test(boyi.pettingzoo.raw_env(game=spec), num_cycles=150)
        seed_test(lambda: boyi.pettingzoo.env(spec), num_cycles=20)


@pytest.mark.parametrize("spec", SPECS)
def test_gymnasium_s_own_test(spec):
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = gymnasium.make("boyi/Game-v0", game=spec, opponent="random")
        check_env(env.unwrapped, skip_render_check=True)


def test_pettingzoo_rewards_are_the_results():
    env = boyi.pettingzoo.env("connect-four")
    env.reset(seed=1)
    for column in [0, 1, 0, 1, 0, 1, 0]:
        observation, reward, termination, truncation, info = env.last()
        assert not termination and observation["action_mask"][column]
        env.step(column)
    rewards = {agent: env.rewards[agent] for agent in env.possible_agents}
    assert rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(env.terminations.values()) and "first wins" in str(env.unwrapped.board.outcome)


def test_an_agent_meets_its_opponent():
    env = boyi.gymnasium.GameEnv("connect-four 5x4", lambda state: state.legal_actions()[-1], player=0)
    observation, info = env.reset(seed=3)
    assert info["player"] == 0 and observation["action_mask"].sum() == 5
    for column in [0, 0, 0, 0]:
        observation, reward, over, truncated, info = env.step(column)
    assert over and reward == 1.0 and "\n" in env.render()
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(0)
    env.reset(seed=3)
    observation, reward, over, *_ = env.step(99)
    assert over and reward == -1.0 and not observation["action_mask"].any()
    second = boyi.gymnasium.GameEnv("connect-four", "uct sims=20 memory=4", player=1)
    observation, _ = second.reset(seed=1)
    assert observation["observation"][..., 1].sum() == 1, "the engine has moved"
    rng = np.random.default_rng(1)
    over = False
    while not over:
        action = rng.choice(np.flatnonzero(observation["action_mask"]))
        observation, reward, over, *_ = second.step(action)
    assert reward in (-1.0, 0.0, 1.0)
