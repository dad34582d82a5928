"""Engines, progress, interruption, evaluations from Python."""

import multiprocessing
import os
import signal
import threading
import time

import numpy as np
import pytest

import boyi


def test_engines_of_all_families_play():
    for game in boyi.games():
        for spec in ("random", "uct memory=4", "alpha-beta", "level n=2 memory=8"):
            engine = boyi.Engine(game, spec)
            result = engine.search(boyi.State(game), nodes=300, seconds=2)
            assert result.best in boyi.State(game).legal_moves()
            assert boyi.State(game).action_to_string(result.action) == result.best
            assert 0 <= result.win_rate <= 1 and repr(result)


def test_a_search_tells_what_it_found():
    state = boyi.State("connect-four", "112233")
    result = boyi.Engine("connect-four", "alpha-beta").search(state, depth=3)
    assert result.best == "4" and result.score.is_proven and result.score.value == 1
    engine = boyi.Engine("connect-four", "uct tactics=off memory=4", seed=5)
    result = engine.search(boyi.State("connect-four"), sims=500)
    assert result.sims == 500 and result.source == "search"
    assert sum(one.visits for one in result.moves) <= 500
    assert abs(sum(result.policy(7)) - 1) < 1e-9
    assert result.line[0] == result.moves[0].move and result.moves[0].line == result.line
    again = boyi.Engine("connect-four", "uct tactics=off memory=4", seed=5)
    assert again.search(boyi.State("connect-four"), sims=500).policy(7) == result.policy(7)


def test_progress_is_an_iterator():
    engine = boyi.Engine("connect-four", "uct memory=8")
    results = list(engine.progress(boyi.State("connect-four"), seconds=0.5, every=0.02))
    assert len(results) >= 2, "and how many more depends on what else the machine does"
    assert [one.sims for one in results] == sorted(one.sims for one in results)
    began = time.monotonic()
    for result in engine.progress(boyi.State("connect-four"), seconds=60, every=0.05):
        with pytest.raises(boyi.Error, match="this engine is searching"):
            engine.search(boyi.State("connect-four"), sims=1)
        break
    del result
    assert time.monotonic() - began < 5
    assert engine.search(boyi.State("connect-four"), sims=10).best


def test_mistakes_are_explained():
    engine = boyi.Engine("connect-four", "uct")
    for wrong, words in [
        (lambda: boyi.Engine("connect-four", "deep-blue"), "there is no engine 'deep-blue'"),
        (lambda: boyi.Engine("connect-four", "uct c=lots"), "c=lots is not possible"),
        (lambda: engine.search(boyi.State("surakarta"), sims=1), "this engine plays connect-four"),
        (lambda: engine.search(boyi.State("connect-four", "1212121"), sims=1), "is over"),
        (lambda: engine.search(boyi.State("connect-four"), depth=3), "would think for ever"),
        (lambda: engine.search(boyi.State("connect-four"), seconds=-1), "seconds go from"),
        (lambda: boyi.Engine("connect-four", "puct net=missing.safetensors"), "can't be read"),
        (
            lambda: boyi.Engine("surakarta", "alpha-beta", evaluation=lambda x: x),
            "takes no evaluation",
        ),
    ]:
        with pytest.raises(boyi.Error) as caught:
            wrong()
        assert words in str(caught.value), caught.value


@pytest.mark.parametrize(
    "work",
    [
        lambda: boyi.Engine("surakarta", "uct").search(boyi.State("surakarta"), seconds=60),
        lambda: boyi.solve(boyi.State("connect-four 8x8")),
        lambda: boyi.match("surakarta", ["uct", "uct"], games=2000, seconds=0.2),
        lambda: list(boyi.Engine("surakarta", "uct").progress(boyi.State("surakarta"), seconds=60)),
        lambda: boyi.State("surakarta").perft(12),
        lambda: boyi.State("surakarta").playouts(10**12),
    ],
)
def test_an_interrupt_ends_long_work(work):
    # A shell's background job ignores interrupts, and so do its children.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT))
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began < 10


def uniform(planes):
    assert planes.dtype == np.float32 and planes.ndim == 4
    return np.zeros((len(planes), 7)), np.zeros(len(planes))


def test_a_function_evaluates_leaves():
    seen = []

    def centre(planes):
        seen.append(len(planes))
        # Stones in the middle are good for the mover.
        mine, theirs = planes[..., 0], planes[..., 1]
        values = np.tanh((mine[:, :, 3] - theirs[:, :, 3]).sum(axis=1) / 2)
        return np.zeros((len(planes), 7), np.float32), values

    engine = boyi.Engine("connect-four", "puct tactics=off batch=4 memory=4", evaluation=centre)
    result = engine.search(boyi.State("connect-four"), sims=200)
    assert result.best == "4" and max(seen) > 1 and sum(seen) > 50
    net = boyi.Network("connect-four")
    own = boyi.Engine("connect-four", "puct tactics=off memory=4", evaluation=net)
    ours = boyi.Engine("connect-four", "puct tactics=off memory=4 net=connect-four")
    state = boyi.State("connect-four", "44")
    assert own.search(state, sims=64).policy(7) == ours.search(state, sims=64).policy(7)


def test_an_exception_of_an_evaluation_reaches_its_caller():
    def broken(planes):
        raise KeyError("mine")

    engine = boyi.Engine("connect-four", "puct memory=4", evaluation=broken)
    with pytest.raises(KeyError, match="mine"):
        engine.search(boyi.State("connect-four"), seconds=30)
    for answer, words in [
        (lambda planes: 3, "two arrays"),
        (lambda planes: (["a"], [0]), "logits of an evaluation are no array of numbers"),
        (lambda planes: (np.zeros(3), np.zeros(3)), "finite logits"),
        (lambda planes: (np.full((len(planes), 7), np.nan), np.zeros(len(planes))), "finite"),
    ]:
        engine = boyi.Engine("connect-four", "puct memory=4", evaluation=answer)
        with pytest.raises(boyi.Error, match=words):
            engine.search(boyi.State("connect-four"), sims=100)


def in_child(queue):
    state = boyi.State("connect-four", "44")
    engine = boyi.Engine("connect-four", "uct memory=4", seed=1)
    queue.put(engine.search(state, sims=200).policy(7))


def test_threads_and_forks():
    engine = boyi.Engine("connect-four", "uct memory=4", seed=1)
    expected = engine.search(boyi.State("connect-four", "44"), sims=200).policy(7)
    found = []
    threads = [threading.Thread(target=lambda: found.append(search())) for _ in range(3)]

    def search():
        own = boyi.Engine("connect-four", "uct memory=4", seed=1)
        return own.search(boyi.State("connect-four", "44"), sims=200).policy(7)

    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == [expected] * 3
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join(60)
    assert child.exitcode == 0


def test_a_fork_in_the_middle_of_a_search():
    """The child has no thread that searches; it is told so, and ends."""
    engine = boyi.Engine("connect-four", "uct memory=4")
    progress = engine.progress(boyi.State("connect-four"), seconds=60, every=0.01)
    next(progress)
    child = os.fork()
    if child == 0:
        told = 1
        try:
            next(progress)
        except boyi.Error as error:
            told = 0 if "parent process" in str(error) else 2
        del progress, engine
        os._exit(told)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert any(result.sims > 0 for result in progress), "the parent searches on"
    progress.stop()
    assert engine.search(boyi.State("connect-four"), sims=10).best
