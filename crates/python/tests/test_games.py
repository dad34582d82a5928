"""Games and states: moves as text and numbers, copies, pictures, errors."""

import copy
import pickle
import random
import threading
import xml.etree.ElementTree

import numpy as np
import pytest

import boyi

SPECS = [spec for name in boyi.games() for spec in boyi.Game(name).examples]


def random_state(spec, seed, plies):
    rng = random.Random(seed)
    state = boyi.State(spec)
    for _ in range(plies):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("spec", SPECS)
def test_texts_and_numbers_are_the_same_moves(spec):
    rng = random.Random(1)
    game = boyi.Game(spec)
    assert str(game) == spec and boyi.Game(str(game)) == game
    state = game.new_initial_state()
    while not state.is_terminal():
        actions = state.legal_actions()
        assert actions == sorted(set(actions)) and max(actions) < game.num_actions
        assert np.flatnonzero(state.legal_actions_mask()).tolist() == actions
        assert sorted(map(state.string_to_action, state.legal_moves())) == actions
        action = rng.choice(actions)
        by_text = state.clone()
        by_text.play([state.action_to_string(action)])
        state.apply_action(action)
        assert by_text.position == state.position and by_text.history() == state.history()
    assert state.legal_actions() == [] and state.current_player() == -4
    assert not state.legal_actions_mask().any()
    assert sum(state.returns()) == 0 and state.outcome.returns == tuple(state.returns())
    again = game.state(position=state.start)
    again.play(state.history())
    assert again.position == state.position


@pytest.mark.parametrize("spec", SPECS)
def test_undo_copies_and_pickles(spec):
    state = random_state(spec, 2, 7)
    positions = [state.position]
    while state.undo():
        positions.append(state.position)
    assert positions[-1] == state.start
    for position in positions[-2::-1]:
        assert state.redo() and state.position == position
    for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert (other.position, other.moves) == (state.position, state.moves)
        other.undo()
        assert other.position != state.position
    assert pickle.loads(pickle.dumps(state.game)) == state.game


@pytest.mark.parametrize("spec", SPECS)
def test_observations_and_symmetries(spec):
    state = random_state(spec, 3, 9)
    planes = state.observation()
    assert planes.shape == state.game.observation_shape and planes.dtype == np.float32
    # The planes are the mover's: a mirrored game has mirrored planes of the same sums.
    for symmetry in range(state.symmetries):
        other = state.transform(symmetry)
        assert np.allclose(other.observation().sum(), planes.sum())
        for action in state.legal_actions():
            assert state.transform_action(symmetry, action) in other.legal_actions()


def test_a_picture_is_xml_with_every_piece():
    for spec in SPECS:
        picture = random_state(spec, 4, 12)._repr_svg_()
        root = xml.etree.ElementTree.fromstring(picture)
        assert root.tag.endswith("svg") and len(root) > 20
    four = boyi.State("connect-four", "4433")
    colours = four._repr_svg_()
    assert colours.count("#d94a38") == 2 and colours.count("#e8b923") == 2
    assert "4" in str(four)


def test_known_counts_and_values():
    assert boyi.State("connect-four").perft(5) == 7**5
    assert boyi.State("connect-four").perft(6) == 7**6
    assert boyi.State("dots-and-boxes 1x1").perft(4) == 24
    assert boyi.State("surakarta").perft(2) > 100
    assert 0 < boyi.State("connect-four").playouts(2000) < 0.3
    assert boyi.State("connect-four").playouts(50, 7) == boyi.State("connect-four").playouts(50, 7)
    assert boyi.State("connect-four").book()[0]["move"] == "4"


def test_a_mistake_is_an_exception_with_a_sentence():
    state = boyi.State("connect-four")
    for wrong, words in [
        (lambda: boyi.Game("chess"), "there is no game 'chess'; the games are surakarta"),
        (lambda: boyi.Game("connect-four 3x3"), "4"),
        (lambda: state.apply_action(7), "there is no action 7; actions go from 0 to 6"),
        (lambda: state.apply_action(-1), "no action -1"),
        (lambda: state.play("x"), "move 1 ('x')"),
        (lambda: state.play([3, 9]), "no action 9"),
        (lambda: state.transform(5), "no symmetry 5"),
        (lambda: boyi.State("connect-four", "1212121").apply_action(0), "the game is over: first"),
        (lambda: boyi.State("surakarta", position="nonsense"), ""),
        (lambda: boyi.State("connect-four", ["4", "8"]), "'8' is not a column"),
        (lambda: boyi.tables.sizes(99), "2 to 9 pieces, not 99"),
    ]:
        with pytest.raises(boyi.Error, match=".+") as caught:
            wrong()
        assert words in str(caught.value) and "\n" not in str(caught.value)
        assert isinstance(caught.value, ValueError)
    assert state.moves == [], "a list of moves is played whole or not at all"
    for wrong, words in [
        (lambda: state.play(None), "a move is its text"),
        (lambda: state.apply_action("4"), "integer"),
        (lambda: boyi.Game(4), "a game is a boyi.Game or its text"),
        (lambda: boyi.VectorState(None, 3), "a game is a boyi.Game or its text"),
    ]:
        with pytest.raises(TypeError, match=words):
            wrong()


def test_moves_come_in_every_form():
    for moves in ("445", ["4", "4", "5"], [3, 3, 4], (3, "4", np.int8(4))):
        assert boyi.State("connect-four", moves).moves == ["4", "4", "5"]
        assert boyi.Game("connect-four").state(moves).moves == ["4", "4", "5"]


def test_a_panic_is_an_exception():
    with pytest.raises(boyi.Error, match="internal error"):
        boyi._boyi._panic()


def test_threads_have_states_of_their_own():
    def play(seed, found):
        found[seed] = [random_state("surakarta", seed, 300).position for _ in range(3)]

    found = {}
    threads = [threading.Thread(target=play, args=(seed, found)) for seed in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    for seed, positions in found.items():
        assert set(positions) == {random_state("surakarta", seed, 300).position}
