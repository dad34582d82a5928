"""Long tests: leaks, OpenSpiel, PyTorch, ONNX, the notebooks. 'cargo xtask soak' runs them."""

import pathlib
import random
import resource
import subprocess

import numpy as np
import pytest

import boyi

pytestmark = pytest.mark.soak
ROOT = pathlib.Path(__file__).parents[3]


def memory():
    """Megabytes of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def test_a_million_steps_leak_nothing():
    rng = random.Random(1)

    def play(steps, spec):
        state = boyi.State(spec)
        for _ in range(steps):
            actions = state.legal_actions()
            if not actions:
                state = boyi.State(spec)
                continue
            state.apply_action(actions[int(rng.random() * len(actions))])
            state.observation(), state.clone(), state.legal_actions_mask()

    def vectors(steps):
        games = boyi.VectorState("connect-four", 100)
        for _ in range(steps // 100):
            games.step_random().mask, games.observations()

    play(20_000, "connect-four"), vectors(20_000)
    before = memory()
    for spec in ("connect-four", "dots-and-boxes"):
        play(500_000, spec)
    vectors(5_000_000)
    assert memory() - before < 8


def test_searches_leak_nothing():
    state = boyi.State("connect-four", "44")

    def search():
        engine = boyi.Engine("connect-four", "uct memory=4", evaluation=boyi.Network("connect-four"))
        engine.search(state, sims=20)
        for _ in engine.progress(state, sims=500, every=0.001):
            break
        boyi.match("connect-four", ["random", lambda s: s.legal_actions()[0]], games=2)

    [search() for _ in range(20)]
    before = memory()
    [search() for _ in range(200)]
    assert memory() - before < 30


@pytest.mark.parametrize("name", ["connect_four", "dots_and_boxes", "surakarta"])
def test_openspiel_plays_ours(name):
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import mcts

    import boyi.openspiel  # noqa: F401

    game = pyspiel.load_game(f"boyi_{name}")
    pyspiel.random_sim_test(game, num_sims=5, serialize=False, verbose=False)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2.0, 20, evaluator, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    for _ in range(6):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    assert state.history() == state.state.history()


@pytest.mark.parametrize(
    "ours, theirs",
    [("connect-four", "connect_four"), ("dots-and-boxes 3x4", "dots_and_boxes(num_rows=3,num_cols=4)")],
)
def test_openspiel_agrees_about_numbers(ours, theirs):
    pyspiel = pytest.importorskip("pyspiel")
    rng = random.Random(1)
    for _ in range(200):
        mine, other = boyi.State(ours), pyspiel.load_game(theirs).new_initial_state()
        while not mine.is_terminal():
            assert mine.legal_actions() == other.legal_actions()
            assert mine.current_player() == other.current_player()
            action = rng.choice(mine.legal_actions())
            mine.apply_action(action), other.apply_action(action)
        assert other.is_terminal() and mine.returns() == other.returns()


def test_onnx_gives_our_evaluations(tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    import boyi.onnx

    for name in boyi.games():
        network = boyi.Network(name)
        boyi.onnx.export(network, tmp_path / "net.onnx")
        session = onnxruntime.InferenceSession(tmp_path / "net.onnx")
        planes = boyi.VectorState.random_positions(name, 32, 2, 12).observations()
        logits, values = session.run(["logits", "values"], {"observations": planes})
        ours = network.forward(planes)
        assert np.abs(logits - ours[0]).max() < 1e-4 * np.abs(ours[0]).max()
        assert np.abs(values - ours[1]).max() < 1e-4


def test_pytorch_gives_our_evaluations(tmp_path):
    torch = pytest.importorskip("torch")
    import boyi.torch

    torch.set_num_threads(1)
    for name in boyi.games():
        network = boyi.Network(name)
        planes = boyi.VectorState.random_positions(name, 64, 2, 12).observations()
        net = boyi.torch.Net.of(network).eval()
        for theirs, ours in zip(net.evaluate(planes), network.forward(planes)):
            scale = max(1.0, float(np.abs(ours).max()))
            assert np.abs(theirs - ours).max() < 1e-5 * scale
        for key, array in net.to_network().tensors().items():
            assert (array == network.tensors()[key]).all()
        engine = boyi.Engine(name, "puct memory=4 tactics=off", evaluation=net.evaluate)
        assert engine.search(boyi.State(name), sims=16).sims == 16


def test_training_from_shards(tmp_path):
    torch = pytest.importorskip("torch")
    import boyi.torch

    torch.manual_seed(1)
    run = tmp_path / "run"
    subprocess.run(
        ["cargo", "run", "--quiet", "--release", "--", "train", "dots-and-boxes 2x2", "--out", run]
        + ["--set", "games=200", "--set", "blocks=1", "--set", "channels=8"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shards = boyi.shards(run)
    samples = shards[0]
    assert str(shards.game) == "dots-and-boxes 2x2" and len(samples) > 50
    assert np.allclose(samples.policy.sum(axis=1), 1, atol=1e-4)
    assert not samples.policy[samples.mask == 0].any() and np.abs(samples.value).max() <= 1
    network = boyi.Network.create("dots-and-boxes 2x2", blocks=1, channels=16)
    net = boyi.torch.Net.of(network)
    batch = next(boyi.torch.batches(shards, 256))
    loss = lambda: sum(part.item() for part in boyi.torch.loss_of(net.eval(), batch))
    before = loss()
    boyi.torch.fit(net, boyi.torch.batches(shards, 64, epochs=8))
    assert loss() < 0.9 * before
    path = tmp_path / "net.safetensors"
    net.to_network("a test").save(path)
    played = boyi.match(
        "dots-and-boxes 2x2", [f"puct net={path} tactics=off memory=4", "random"], games=40, sims=20
    )
    assert played.score > 0.6


@pytest.mark.parametrize("path", sorted((ROOT / "docs/notebooks").glob("*.ipynb")), ids=lambda p: p.stem)
def test_notebooks_run(path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    if any("boyi.torch" in cell.source for cell in notebook.cells):
        pytest.importorskip("torch")
    nbclient.NotebookClient(notebook, timeout=900, resources={"metadata": {"path": ROOT}}).execute()
