"""Surakarta's endgame tables: exact results of all positions with few pieces.

`boyi.solve`, `VectorState.solve` and the engines use the tables in the folder of the
environment variable BOYI_TABLES, by default ./tables.

>>> boyi.tables.build(4)                                    # doctest: +SKIP
4
>>> boyi.solve(boyi.State("surakarta", position="b5/1b4/6/6/6/4ww b"))  # doctest: +SKIP
"""

from ._boyi import build_tables as build
from ._boyi import table_pieces as pieces
from ._boyi import table_sizes as sizes

__all__ = ["build", "pieces", "sizes"]
