"""Follows random games of ours with OpenSpiel's rules, ply by ply.

Reads what the example `playthroughs` writes, for the game in the first argument,
and fails at the first ply at which the two do not say the same. Prints one JSON
line: {"games", "plies"}.
"""
import json
import sys

import pyspiel

GAMES = {
    "connect-four": ["connect_four"],
    # Who won, and by how much.
    "dots-and-boxes": [
        "dots_and_boxes(num_rows=5,num_cols=5)",
        "dots_and_boxes(num_rows=5,num_cols=5,utility_margin=true)",
    ],
}


def check(ours, theirs, what, played):
    if ours != theirs:
        sys.exit(f"after {played}: {what}: ours {ours}, OpenSpiel {theirs}")


def follow(line, game, value):
    state = game.new_initial_state()
    moves = line["moves"]
    for ply, move in enumerate(moves):
        played = moves[:ply]
        check(line["legal"][ply], state.legal_actions(), "legal moves", played)
        check(line["movers"][ply], state.current_player(), "who moves", played)
        check([0, 0], state.returns(), "returns before the end", played)
        state.apply_action(move)
    check(True, state.is_terminal(), "the game is over", moves)
    check([value, -value], state.returns(), "returns", moves)


names = GAMES[sys.argv[1]]
games = [pyspiel.load_game(name) for name in names]
count = plies = 0
for text in sys.stdin:
    line = json.loads(text)
    for game, value in zip(games, [line["result"], line["lead"]]):
        follow(line, game, value)
    count += 1
    plies += len(line["moves"])
print(json.dumps({"games": count, "plies": plies}))
