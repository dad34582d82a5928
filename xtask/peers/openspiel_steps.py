"""Steps of random games a second: OpenSpiel's Python interface and the package boyi.

The same Python loop on both sides, then ours vectorised: the random legal choice made
in Rust, masks returned, and with observations. Each side's best of several turns, in
turn; seconds are of the processor, so that a busy machine slows neither side. Prints one
JSON line for each game.
"""

import json
import random
import sys
import time

import boyi
import pyspiel

SECONDS = float(sys.argv[1])
TURNS = 3
GAMES_AT_ONCE = 4096
GAMES = [
    ("connect-four", "connect_four"),
    ("dots-and-boxes", "dots_and_boxes(num_rows=5,num_cols=5)"),
    ("surakarta", None),
]


def loop(game, seconds):
    """Random games one after another, one move at a time."""
    steps, began = 0, time.process_time()
    end = began + seconds
    draw = random.random
    while time.process_time() < end:
        # Many games for each look at the clock, which is a call of the system.
        for _ in range(100):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(draw() * len(actions))])
                steps += 1
    return steps / (time.process_time() - began)


def vector(name, seconds, observe):
    games = boyi.VectorState(name, GAMES_AT_ONCE)
    step = games.step_random()
    steps, began = 0, time.process_time()
    end = began + seconds
    while time.process_time() < end:
        for _ in range(8):
            games.step_random(out=step)
            if observe:
                games.observations()
            steps += len(step.mask)
    return steps / (time.process_time() - began)


for ours, theirs in GAMES:
    sides = {
        "boyi": lambda: loop(boyi.Game(ours), SECONDS),
        "vector": lambda: vector(ours, SECONDS, False),
        "observed": lambda: vector(ours, SECONDS, True),
    }
    if theirs:
        sides["openspiel"] = lambda: loop(pyspiel.load_game(theirs), SECONDS)
    best = dict.fromkeys(sides, 0.0)
    for _ in range(TURNS):
        for name, run in sides.items():
            best[name] = max(best[name], run())
    print(json.dumps({"game": ours, **best}), flush=True)
