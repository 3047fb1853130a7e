"""The benchmarks of the table layer run, if only for a moment."""

from __future__ import annotations

import pytest

from tests.bench import tables

pytestmark = pytest.mark.system


def test_the_table_layer_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"TABLES": 10, "RATE": 100, "SECONDS": 0.2, "ROUNDS": 1, "MANY": (2, 12), "PRESSES": 4}
    for name, value in few.items():
        monkeypatch.setattr(tables, name, value)
    moves, start, presses = tables.run()
    assert [row[0] for row in moves.rows] == ["100 a second", "as fast as they can"]
    assert all(float(figure.replace(",", "")) > 0 for row in moves.rows for figure in row[1:])
    ((_name, ready, *_rest),) = start.rows
    assert 0 < float(ready) < 60
    assert [row[:2] for row in presses.rows] == [
        (way, what) for way in (tables.AT_HAND, tables.READ, tables.ANY) for what in ("time", "processor")
    ]
