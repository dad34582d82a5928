"""Many games at once agree with games one by one, and labels with the solver."""

import numpy as np
import pytest

import boyi

SPECS = ["connect-four", "connect-four 11x10 hole=3,4", "dots-and-boxes 3x3", "surakarta"]


@pytest.mark.parametrize("spec", SPECS)
def test_a_vector_is_its_states(spec):
    games = boyi.VectorState(spec, 5, seed=3, restart=False)
    states = [boyi.State(spec) for _ in range(5)]
    for _ in range(60):
        step = games.step_random()
        planes = games.observations()
        for i, state in enumerate(states):
            if state.is_terminal():
                assert step.actions[i] == -1 and step.finished[i]
            else:
                state.apply_action(int(step.actions[i]))
                assert step.results[i] == state.returns()[0]
            assert step.finished[i] == state.is_terminal()
            assert step.players[i] == state.to_move
            assert (step.mask[i] == state.legal_actions_mask()).all()
            assert (planes[i] == state.observation()).all()
            assert games[i].position == state.position
    assert (games.current().mask == step.mask).all()
    again = boyi.VectorState.from_states(states)
    assert [again[i].position for i in range(5)] == [state.position for state in states]
    assert (again.observations() == planes).all()


def test_chosen_moves_and_new_games():
    games = boyi.VectorState("connect-four", 3)
    for column in [0, 1, 0, 1, 0, 1]:
        step = games.step([column, column, 6 if column else 5])
    assert not step.finished.any()
    step = games.step(np.array([0, 1, 5]))
    assert step.finished.tolist() == [True, False, True] and step.results.tolist() == [1, 0, 1]
    assert games[0].position == boyi.State("connect-four").position, "it began again"
    with pytest.raises(boyi.Error, match="game 1: there is no action 9"):
        games.step([0, 9, 0])
    with pytest.raises(boyi.Error, match="2 actions for 3 games"):
        games.step([0, 0])
    for wrong in ([0.5, 0, 0], ["0", "0", "0"], [[0, 0, 0]], None, [np.nan, 0, 0]):
        with pytest.raises(boyi.Error, match="actions are an array of whole numbers"):
            games.step(wrong)
    assert games.step(np.zeros(3, np.uint8)).actions.tolist() == [0, 0, 0]
    with pytest.raises(boyi.Error, match="whole numbers"):
        games.select([0.5])
    kept = games.step_random()
    assert games.step_random(out=kept) is kept
    assert (kept.mask == games.current().mask).all()
    with pytest.raises(boyi.Error, match="a step of other games"):
        boyi.VectorState("connect-four", 4).step_random(out=kept)
    assert games[-1].position == games.state(2).position
    with pytest.raises(IndexError):
        games[3]


def test_a_seed_repeats_and_games_differ():
    def run(seed):
        games = boyi.VectorState("dots-and-boxes", 50, seed=seed)
        return np.stack([games.step_random().actions for _ in range(30)])

    assert (run(1) == run(1)).all() and (run(1) != run(2)).any()
    assert len(np.unique(run(1), axis=1).T) == 50


@pytest.mark.parametrize(
    "spec, plies", [("connect-four 4x4", (3, 9)), ("dots-and-boxes 2x2", (2, 8))]
)
def test_labels_are_the_solver_s(spec, plies):
    data = boyi.exact_dataset(spec, 60, *plies, moves=True, seed=2, memory=4, threads=2)
    labels = data.labels
    assert labels.exact.all() and len(labels) == len(data.positions) == 60
    assert len(np.unique(data.positions.keys(canonical=True))) == 60
    assert (labels.moves.max(axis=1) == labels.value).all()
    for i in range(0, 60, 7):
        state = data.positions[i]
        found = boyi.solve(state, moves=True, memory=4)
        assert (found.value, found.result) == (labels.value[i], labels.result[i])
        actions = [state.string_to_action(move) for move in found.best]
        assert sorted(actions) == np.flatnonzero(labels.best[i]).tolist()
        for one in found.moves:
            assert labels.moves[i, one.action] == one.value
    part = data.positions.select([5, 3])
    assert part[1].position == data.positions[3].position


def test_solving_stops_at_its_limits_and_explains():
    found = boyi.solve(boyi.State("connect-four"), seconds=0.05, memory=4)
    assert found.value is None and found.bounds[0] < found.bounds[1]
    known = boyi.solve(boyi.State("connect-four", "444442525533"), memory=4)
    assert known.value == 15 and known.best == ["6"] and known.plies == 1
    with pytest.raises(boyi.Error, match="the game is over"):
        boyi.solve(boyi.State("connect-four", "1212121"))
    with pytest.raises(boyi.Error, match="2 of 1000 positions"):
        boyi.exact_dataset("connect-four 4x4", 1000, 1, 1)


def test_tables_answer_surakarta(tmp_path, monkeypatch):
    monkeypatch.setenv("BOYI_TABLES", str(tmp_path))
    assert boyi.tables.build(3, folder=tmp_path, threads=1) == 3
    assert boyi.tables.pieces(folder=tmp_path) == 3
    state = boyi.State("surakarta", position="bb4/6/6/6/6/w5 b")
    found = boyi.solve(state, moves=True)
    assert found.value == 1 and found.plies and set(found.best) <= set(state.legal_moves())
    values = boyi.VectorState.from_states([state]).solve()
    assert values.result.tolist() == [1]
    assert "pieces are on the board" in boyi.solve(boyi.State("surakarta")).beyond
    with pytest.raises(boyi.Error, match="count or draw"):
        boyi.tables.pieces(stall="x")


def test_more_than_memory_holds_is_refused():
    """An allocation that fails would end the process."""
    for wrong in [
        lambda: boyi.VectorState("connect-four", 10**12),
        lambda: boyi.VectorState.random_positions("connect-four", 10**15, 1, 2),
        lambda: boyi.exact_dataset("connect-four", 2**60, 1, 2),
    ]:
        with pytest.raises(boyi.Error, match="games would take .* MB of memory"):
            wrong()
