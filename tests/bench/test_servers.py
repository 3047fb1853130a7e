"""The benchmark of servers runs, if only for a moment."""

from __future__ import annotations

import pytest

from tests.bench import servers

pytestmark = pytest.mark.system


def test_servers_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "SERVERS", 50)
    report = servers.run()
    assert [row[0] for row in report.rows] == ["discord.py by itself", "the bot"]
