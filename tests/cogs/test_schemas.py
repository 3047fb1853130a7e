"""The bot's requests have the form that Discord describes for its API.

Every test of this folder checks its own requests (`traffic.py`); these check that the check is a check.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.cogs import schemas, some_game
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.table_driver import Room

pytestmark = pytest.mark.skipif(
    not schemas.at_hand(), reason=f"Discord's description of its API is not at hand ({schemas.FILE})"
)

CALLBACK = "/interactions/1456074443980800010/token/callback"


async def test_every_kind_of_request_is_of_the_form_that_discord_describes(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    form = await ben.open_form(lobby, "Lucky Word")
    await form.submit(word="scarab")
    await ana.press(lobby, "Start Match")
    await room.stage(
        crafted.craft([{"coin": 1, "map": 1}, {}], market={"talisman": 1}, rest="sold", phase=crafted.ACT)
    )
    page, board = await ana.hand(), await room.board()
    await digger.take(ana, page, "1 Talisman")
    await ana.press(await ana.press(board, "More"), "Send My Hand by DM")
    await ben.hand()
    room.delete(board)
    page = await some_game.move(ana, await ana.press(await ana.hand(), "Back to All Trades"))
    await ana.press(page, digger.labelled(page, "g.explore")[0])
    kinds: set[str] = set()
    for entry in room.env.http_requests:
        if entry.json is None:
            continue
        assert schemas.check(entry.method, entry.path, entry.json) == []
        of_callback = f" {entry.json['type']}" if entry.path.endswith("/callback") else ""
        kinds.add(f"{entry.method} {entry.path.rpartition('/')[2]}{of_callback}")
    expected = {"PUT commands", "POST messages", "PATCH @original"}
    assert expected | {f"POST callback {kind}" for kind in (4, 7, 9)} <= kinds


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", CALLBACK, {"type": 4, "data": {"components": [{"type": 17, "components": []}]}}),
        ("POST", CALLBACK, {"type": 4, "data": {"components": [{"type": 10}]}}),
        ("POST", CALLBACK, {"type": 9, "data": {"custom_id": "x"}}),
        ("POST", CALLBACK, {"type": 42}),
        (
            "POST",
            "/channels/1/messages",
            {"components": [{"type": 1, "components": [{"type": 2, "style": 9}]}]},
        ),
        ("POST", "/channels/1/messages", {"allowed_mentions": {"parse": ["strangers"]}}),
        ("PATCH", "/channels/1/messages/2", {"components": "none"}),
        ("PUT", "/applications/1/commands", [{"description": "nameless"}]),
        ("PUT", "/applications/1/commands", [{"name": "x" * 33, "description": "x"}]),
        ("POST", "/channels/1/poems", {"lines": 3}),
    ],
)
def test_the_check_finds_what_is_of_another_form(method: str, path: str, body: Any) -> None:
    assert schemas.check(method, path, body)
