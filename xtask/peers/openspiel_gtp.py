"""OpenSpiel's GTP client bot plays Connect Four with an engine of ours.

Arguments: the number of games, then the engine's command. The opponent is
OpenSpiel's own MCTS; sides are swapped after each game. Prints one JSON line:
{"games", "plies", "points"}, the points ours.
"""
import json
import sys

import pyspiel
from open_spiel.python.bots import gtp

count, command = int(sys.argv[1]), sys.argv[2:]
game = pyspiel.load_game("connect_four")
ours = gtp.GTPBot(game, command)
theirs = pyspiel.MCTSBot(
    game, pyspiel.RandomRolloutEvaluator(1, 42), 1.0, 1000, 1000, False, 42, False)
points = plies = 0
for number in range(count):
    ours.restart()
    bots = [ours, theirs] if number % 2 == 0 else [theirs, ours]
    state = game.new_initial_state()
    while not state.is_terminal():
        player = state.current_player()
        action = bots[player].step(state)
        if action not in state.legal_actions():
            sys.exit(f"{action} is not legal in\n{state}")
        bots[1 - player].inform_action(state, player, action)
        state.apply_action(action)
    points += (1 + state.returns()[number % 2]) / 2
    plies += state.move_number()
ours.close()
print(json.dumps({"games": count, "plies": plies, "points": points}))
