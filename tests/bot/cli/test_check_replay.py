"""`digsite check` replays matches: it finds what a database cannot, and takes nothing that is right for wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from bot.cli.check import Checked, check
from bot.people.privacy.erasures import Erasures
from bot.tables import ending, lobby, play
from bot.tables.draft import Draft
from bot.tables.model import Table, digest_of
from bot.tables.service import Tables
from engine.artifact import rules as artifact
from engine.artifact.journeys import CAME
from tests.bot.cli.test_command_line import command
from tests.bot.store.samples import Home
from tests.bot.tables.samples import (
    ANA,
    ARTIFACTS_INC,
    BEN,
    CARA,
    EXPEDITION,
    GAME,
    GAMES,
    SEALED,
    Presses,
    begin,
    change,
    do_due,
    leave,
    match_of,
    open_lobby,
    tables_on,
)
from tests.manual_clock import ManualClock


async def checked(home: Home, *, quick: bool = False) -> Checked:
    place = home.backend()
    return await check(place, GAMES, quick=quick)


async def played(tables: Tables, table: Table, moves: int = 10_000) -> Table:
    presses = Presses(tables)
    for _ in range(moves):
        if not table.live:
            break
        table = await presses.move(table)
    return table


async def taken_back(tables: Tables, table: Table) -> Table:
    """Plays on until a move can be taken back, and takes it back after somebody else has left a line in the log."""
    presses = Presses(tables, seed=3)
    seat = None
    while seat is None or not play.may_undo(table, seat, tables.clock.now()):
        table = await presses.move(table)
        seat = table.body.last_mover
    player, other = table.seats[seat].user_id or 0, table.seats[1 - seat].user_id or 0
    table = await change(tables, table, lambda draft: ending.vote_end(draft, other))
    table = await change(tables, table, lambda draft: ending.play_on(draft, other))
    view_version = play.undo_view_version(table)
    return await change(tables, table, lambda draft: play.undo(draft, player, view_version))


async def test_a_match_of_artifact_from_before_challenges_were_counted_is_sound(
    home: Home, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = artifact.create()
    monkeypatch.setitem(GAMES, game.key, game)
    async with tables_on(home.place, clock) as tables:
        table = await played(tables, await match_of(tables, ANA, BEN, game=game), moves=60)

        def uncount(draft: Draft) -> None:
            data = game.dump(draft.table.state)
            assert any(stream.startswith(CAME) for stream in data["counters"])
            draft.table.state = game.load(game.replayed(draft.table.state))
            draft.touch()

        await change(tables, table, uncount)
        found = await checked(home)
        assert found.sound, found.lines


async def test_tables_written_by_the_bot_are_sound(home: Home, clock: ManualClock) -> None:
    async with tables_on(home.place, clock) as tables:
        for channel, game in enumerate((GAME, EXPEDITION, ARTIFACTS_INC, SEALED), 1):
            await played(tables, await match_of(tables, ANA, BEN, channel=channel, game=game))
        backs = [
            await taken_back(tables, await match_of(tables, ANA, BEN, channel=10 + each)) for each in range(4)
        ]
        assert all(back.body.undone for back in backs)
        await played(tables, backs[0], moves=20)
        words = await open_lobby(tables, ANA, CARA, channel=20)
        await change(tables, words, lambda draft: lobby.add_word(draft, CARA, "scarab"))
        agents = await played(tables, await begin(tables, words), moves=5)
        await leave(tables, agents, CARA)
        await do_due(tables)
        await open_lobby(tables, BEN, channel=21)
        await Erasures(tables).forget(BEN)
        found = await checked(home)
        assert found.lines[-1] == "Tables that were replayed: 10."
        assert found.sound, found.lines
        assert not found.damaged
    assert (await checked(home)).sound


def in_body(change_: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], object]:
    """Changes the table's body."""

    def act(row: dict[str, Any]) -> None:
        body = json.loads(row["body"])
        change_(body)
        row["body"] = json.dumps(body)

    return act


def a_digit(text: str) -> str:
    """The text with one hexadecimal digit changed."""
    return ("1" if text[0] == "0" else "0") + text[1:]


def seed(body: dict[str, Any]) -> None:
    body["host_seed"] = a_digit(body["host_seed"])


def seed_and_commitment(body: dict[str, Any]) -> None:
    seed(body)
    body["commitment"] = ""  # as at tables of older versions


def word(body: dict[str, Any]) -> None:
    body["contributions"][-1][1] = "scarat"


def snapshot(row: dict[str, Any]) -> None:
    """Changes the state as a faulty program would, which gives it its digest."""
    state, body = json.loads(row["snapshot"]), json.loads(row["body"])
    state["counters"][next(iter(state["counters"]))] += 1
    row["snapshot"] = json.dumps(state)
    row["body"] = json.dumps(body | {"digest": digest_of(row["snapshot"])})


async def altered(
    home: Home, clock: ManualClock, status: str, change_: Callable[[dict[str, Any]], object]
) -> None:
    """A store in which one of three tables was changed: a match that is over, one that goes on, or a lobby."""
    async with tables_on(home.place, clock) as tables:
        await played(tables, await match_of(tables, ANA, BEN, channel=1))
        waiting = await open_lobby(tables, ANA, BEN, channel=2)
        await change(tables, waiting, lambda draft: lobby.add_word(draft, BEN, "scarab"))
        await played(tables, await begin(tables, waiting), moves=25)
        await open_lobby(tables, ANA, channel=3)
        [number] = [
            row.id
            for each in (1, 2, 3)
            if (row := await tables.store.table(each)) is not None and row.status == status
        ]
        row = await tables.store.table(number)
        assert row is not None
        values = {"body": row.body, "snapshot": row.snapshot}
        change_(values)
    for column, value in values.items():
        if value is not None:
            quoted = value.replace("'", "''")
            await home.change(f"UPDATE tables SET {column} = '{quoted}' WHERE id = {number}")


@pytest.mark.parametrize(
    ("status", "change_", "words"),
    [
        ("lobby", in_body(seed), "its seed is not the one to which its lobby was committed"),
        ("playing", in_body(seed), "its seed is not the one to which its lobby was committed"),
        ("over", in_body(seed_and_commitment), "in"),
        ("playing", in_body(seed_and_commitment), "in"),
        ("playing", in_body(word), "in"),
        ("playing", snapshot, "seed, words and moves do not lead to the state that was stored after move 25"),
        ("over", snapshot, "seed, words and moves do not lead to the state that was stored after move"),
    ],
)
async def test_changed_seed_word_or_state_is_found_and_not_shown(
    home: Home, clock: ManualClock, status: str, change_: Callable[[dict[str, Any]], object], words: str
) -> None:
    await altered(home, clock, status, change_)
    found = await checked(home)
    text = "\n".join(found.lines)
    assert not found.sound
    assert found.damaged
    assert f"(archaeology, {status}) is damaged: " in text
    assert words in text
    assert text.count("is damaged") == 1, "the others are well"
    assert not [each for each in ("scarab", "scarat", "coin", "Coin", "host_seed", "key") if each in text]
    assert (await checked(home, quick=True)).sound, "which the database alone does not find"


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        (
            "UPDATE moves SET move = replace(move, 'dig', 'end') WHERE table_id = 1 AND sequence = 1",
            "its move 1 ",
        ),
        ("UPDATE moves SET move = 'x' WHERE table_id = 1 AND sequence = 3", "its move 3 cannot be read"),
        (
            "UPDATE moves SET seat = 1 - seat WHERE table_id = 1 AND sequence = 5",
            "its move 5 is against the rules",
        ),
        ("DELETE FROM moves WHERE table_id = 1 AND sequence = 4", "not numbered from 1 to 30 without a gap"),
        ("DELETE FROM moves WHERE table_id = 1 AND sequence = 30", "not numbered from 1 to 30 without a gap"),
        ("UPDATE tables SET sequence = 31 WHERE id = 1", "not numbered from 1 to 31 without a gap"),
        ("UPDATE tables SET snapshot = NULL WHERE id = 1", "its match has no stored state"),
        ("DELETE FROM log WHERE table_id = 1 AND number = 7", "lines are missing in its log before line 8"),
        (
            "UPDATE log SET number = 1000 WHERE table_id = 1 AND number = 1",
            "lines are missing in its log before line 2",
        ),
        (
            "UPDATE log SET sequence = 99 WHERE table_id = 1 AND number = 7",
            "tells of moves that were not made",
        ),
        ("UPDATE log SET event = 'x' WHERE table_id = 1 AND number = 7", "line 7 of its log cannot be read"),
        ("UPDATE tables SET status = 'over', ended_at = 1 WHERE id = 1", "its moves lead to no end"),
    ],
)
async def test_changed_or_lost_move_or_log_line_is_found(
    home: Home, clock: ManualClock, sql: str, words: str
) -> None:
    async with tables_on(home.place, clock) as tables:
        table = await played(tables, await match_of(tables, ANA, BEN), moves=30)
        assert table.sequence == 30
    await home.change(sql)
    found = await checked(home)
    assert not found.sound
    assert found.damaged
    assert words in "\n".join(found.lines)
    assert (await checked(home, quick=True)).sound


async def test_a_stored_state_to_which_moves_are_taken_back_is_compared_too(
    home: Home, clock: ManualClock
) -> None:
    async with tables_on(home.place, clock) as tables:
        table, presses = await match_of(tables, ANA, BEN), Presses(tables)
        while not table.body.undo:
            table = await presses.move(table)
        row = await tables.store.table(table.id)
        assert row is not None
    assert (await checked(home)).sound
    body = json.loads(row.body)
    state = json.loads(body["undo"][0]["snapshot"])
    state["stall"] += 1
    text = json.dumps(state)
    body["undo"][0] |= {"snapshot": text, "digest": digest_of(text)}
    quoted = json.dumps(body).replace("'", "''")
    await home.change(f"UPDATE tables SET body = '{quoted}'")
    assert "do not lead to the state that was stored after move" in "\n".join((await checked(home)).lines)


async def test_a_match_under_other_rules_is_not_replayed(home: Home, clock: ManualClock) -> None:
    def other_rules(body: dict[str, Any]) -> None:
        body["rules"] = 99

    await altered(home, clock, "over", in_body(other_rules))
    found = await checked(home)
    assert found.sound
    assert found.lines[-1].endswith("replayed: 2; of another version or card list, and so not replayed: 1.")


async def test_the_command_replays_unless_it_is_to_be_quick(home: Home, clock: ManualClock) -> None:
    if isinstance(home.place, str):
        pytest.skip("the command is the same")
    await altered(home, clock, "over", snapshot)
    for arguments, status in ((["check"], 1), (["check", "--quick"], 0)):
        done = command(home.place.parent, *arguments, environment={"DATABASE_PATH": str(home.place)})
        assert done.returncode == status, done.stderr
        assert done.stdout.startswith(f"{home.place} is sound.") == (status == 0)
