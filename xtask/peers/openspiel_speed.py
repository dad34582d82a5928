"""Simulations a second of OpenSpiel's C++ MCTS with uniform rollouts, one thread.

Prints one JSON line for each game: {"game", "sims", "seconds"}.
"""
import json
import sys
import time

import pyspiel

GAMES = {
    "connect-four": "connect_four",
    "dots-and-boxes": "dots_and_boxes(num_rows=5,num_cols=5)",
}

sims = int(sys.argv[1])
for ours, theirs in GAMES.items():
    game = pyspiel.load_game(theirs)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 42)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, sims, 1000, False, 42, False)
    state = game.new_initial_state()
    begun = time.perf_counter()
    bot.step(state)
    seconds = time.perf_counter() - begun
    print(json.dumps({"game": ours, "sims": sims, "seconds": seconds}), flush=True)
