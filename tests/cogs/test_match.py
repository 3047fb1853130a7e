"""A whole match, by presses alone."""

from __future__ import annotations

import json
import logging
from random import Random

import pytest

from bot.tables.model import Table
from engine.fairness import commitment
from engine.record import verify
from engine.registry import load_games
from tests.cogs import digger
from tests.cogs.table_driver import Room


async def test_three_people_and_an_agent_play_from_the_start_to_the_result(room: Room) -> None:
    lobby, people = await room.lobby_of("Ana", "Ben", "Cara", agents=1)
    promised = lobby.text.partition("SHA-256 `")[2][:64]
    await people[0].press(lobby, "Start Match")
    screens = await digger.play(room, people, Random(1))

    result, board = await room.result(), await room.board()
    assert "wins" in result.text or "share" in result.text
    assert all(person.name in result.text for person in people)
    assert {"Play Again", "Log"} <= set(result.buttons)
    assert str(result.id) in board.links["See the Result"]
    assert "Dig" not in board.buttons
    assert not room.announcements(), "nobody is called after the end"
    assert all("End Turn" not in page.buttons for page in screens.values())

    ((name, data),) = result.files.items()
    verdict = verify(data.decode(), load_games())
    assert verdict.sound, verdict
    record = json.loads(data)
    assert name.endswith(".json")
    assert record["commitment"] == promised
    assert commitment(bytes.fromhex(record["host_seed"])) == promised
    assert record["host_seed"] in result.text
    for person in people:  # a record names nobody
        assert str(person.id) not in data.decode()
        assert person.name not in data.decode()


async def test_a_match_leaves_nothing_in_the_clients_memory(room: Room) -> None:
    people = await room.match_of("Ana", "Ben")
    await digger.play(room, people, Random(2))
    await room.later(3600)
    assert room.bot._connection._view_store._views == {}
    assert room.bot._connection._view_store._modals == {}
    assert room.host.presenter._open == {}
    assert room.host.presenter._drawn == {}
    assert len(room.host.presenter._locks) == 0
    assert room.host.busy == set()
    assert room.bot._connection._messages is None or not room.bot._connection._messages


def hidden_words(table: Table) -> set[str]:
    """What must not stand in a log: the seed, the key, and the cards of hands and dig site as data."""
    snapshot = table.game.dump(table.state)
    hands = [json.dumps(hand) for hand in snapshot["hands"]]
    compact = [json.dumps(hand, separators=(",", ":")) for hand in snapshot["hands"]]
    return {table.body.host_seed, snapshot["key"], json.dumps(snapshot["site"])[:40], *hands, *compact} - {"[]"}


async def test_the_log_names_the_table_and_never_a_hidden_card(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("bot", "cogs", "engine"):
        caplog.set_level(logging.DEBUG, logger=name)
    people = await room.match_of("Ana", "Ben")
    by_id, screens, rng = {person.id: person for person in people}, {}, Random(3)
    hidden: set[str] = set()
    private: set[str] = set()
    room.fail("PATCH", "/channels/*/messages/*", 500, times=3)
    for _ in range(40):
        hidden |= hidden_words(await room.table())
        await digger.step(room, by_id, screens, rng)
        private |= {line for page in screens.values() if page.exists for line in page.text.split("\n")}
        await room.later(3)
    told = "\n".join(record.getMessage() for record in caplog.records if record.name.split(".")[0] in OURS)
    assert "table 1" in told
    assert not [word for word in hidden if word in told]
    assert not [line for line in private if len(line) > 3 and line in told]
    assert not any(treasure in told.lower() for treasure in ("shard", "parchment", "coin", "talisman", "mask"))


OURS = ("bot", "cogs", "engine", "aiosqlite")
