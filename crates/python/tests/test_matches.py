"""Matches: statistics, Python functions as engines, stores."""

import random

import numpy as np
import pytest

import boyi


def first_move(state):
    return state.legal_moves()[0]


def test_a_match_and_its_statistics():
    result = boyi.match("connect-four", ["uct memory=4", "random"], games=20, sims=60, seed=3)
    assert result.wins + result.draws + result.losses == 20 and result.score > 0.8
    assert sum(result.pentanomial) == 10 and len(result.games) == 20
    low, high = result.interval
    assert low < result.score <= high and result.elo[0] > 100 and result.los > 0.9
    assert "uct memory=4 against random" in str(result)
    for one, other in zip(result.games[::2], result.games[1::2]):
        assert one.opening == other.opening and one.engines == other.engines[::-1]
        state = one.state()
        assert state.is_terminal() and state.outcome.text == one.outcome.text
        assert len(one.seconds) == len(state.moves) - 4
    same = boyi.match("connect-four", ["uct memory=4", "random"], games=20, sims=60, seed=3)
    assert [game.moves for game in same.games] == [game.moves for game in result.games]


def test_functions_play():
    rng = random.Random(1)

    def by_number(state):
        assert isinstance(state, boyi.State)
        return np.int64(rng.choice(state.legal_actions()))

    class Player:
        def __call__(self, state):
            return by_number(state)

    result = boyi.match("dots-and-boxes 2x2", [first_move, Player(), "random"], games=12)
    assert result.engines == ["first_move (1)", "Player (2)", "random"]
    assert len(result.encounters) == 3 and len(result.ratings()) == 3
    engine = boyi.Engine("dots-and-boxes 2x2", "puct memory=4", evaluation=lambda planes: (
        np.zeros((len(planes), 12)), planes[:, 0, 0, 7]))
    result = boyi.match("dots-and-boxes 2x2", [engine, "random"], games=6, sims=50)
    assert result.score > 0.5


def test_what_a_function_does_wrong_is_raised():
    def broken(state):
        raise ZeroDivisionError("oops")

    with pytest.raises(ZeroDivisionError, match="oops"):
        boyi.match("connect-four", [broken, "random"], games=4)
    with pytest.raises(boyi.Error, match="no action 99"):
        boyi.match("connect-four", [lambda state: 99, "random"], games=4)
    with pytest.raises(TypeError, match="a move is its text"):
        boyi.match("connect-four", [lambda state: None, "random"], games=4)
    for engines in ("random", 3, None):
        with pytest.raises(TypeError, match="engines is a list"):
            boyi.match("connect-four", engines)
    for wrong, words in [
        (lambda: boyi.match("connect-four", ["uct"]), "at least two engines"),
        (lambda: boyi.match("connect-four", ["uct", "random"]), "would think for ever"),
        (lambda: boyi.match("connect-four", ["random", "random"], games=0), "games are at least"),
        (lambda: boyi.match("connect-four", ["paper-000", "random"], sims=1), "plays surakarta"),
    ]:
        with pytest.raises(boyi.Error, match=words):
            wrong()


def test_a_store_continues(tmp_path):
    store = tmp_path / "games.sqlite"
    arguments = dict(sims=20, seed=2, store=store)
    part = boyi.match("connect-four", ["uct memory=4", "random"], games=4, **arguments)
    whole = boyi.match("connect-four", ["uct memory=4", "random"], games=8, **arguments)
    assert [one.moves for one in whole.games[:4]] == [one.moves for one in part.games]
    assert len(whole.games) == 8
    (tmp_path / "text").write_text("no store")
    with pytest.raises(boyi.Error, match="is not a store of matches"):
        boyi.match("connect-four", ["random", "random"], games=2, store=tmp_path / "text")
