"""The board speaks the server's language, the private screens their owner's."""

from __future__ import annotations

from gettext import NullTranslations

import pytest

from bot import language
from bot.tables import seats
from tests.cogs import some_game
from tests.cogs.table_driver import Room


class Marked(NullTranslations):
    """A translation that puts its language's name before every text."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def gettext(self, message: str) -> str:
        return f"[{self._name}]{message}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"[{self._name}]{msgid1 if n == 1 else msgid2}"

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


@pytest.fixture
def two_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    """German and French beside English, whatever translations there are."""
    monkeypatch.setattr(language, "languages", lambda: ("en", "de", "fr"))
    monkeypatch.setattr(
        language, "_catalogue", lambda name: NullTranslations() if name == "en" else Marked(name)
    )


@pytest.mark.usefixtures("two_languages")
async def test_everybody_reads_their_own_language_and_the_channel_the_servers(room: Room) -> None:
    room.locales[0] = "de"
    ana, ben = room.person("Ana"), room.person("Ben")
    room.locales[ben.id] = "fr"
    lobby = await ana.command("start")
    await ben.press(lobby, "[de]Join")
    assert "[de]" in lobby.text
    assert "[fr]" not in lobby.text
    await ana.press(lobby, "[de]Start Match")
    await room.stage(some_game.TURN)
    board, hers, his = await room.board(), await ana.hand(), await ben.hand()
    await some_game.move(ana, hers)
    assert "[de]" in board.text
    assert "[fr]" not in board.text
    assert "[" not in hers.text, "Ana reads English"
    assert "[fr]" in his.text
    assert "[de]" not in his.text
    assert "sells" in his.text, "a screen that follows stays in its owner's language"
    await room.minds_wander()
    (announcement,) = room.announcements()
    assert "[de]" in announcement.text
    async with room.host.tables.change((await room.table()).id) as draft:
        seats.leave(draft, ben.id)
    await room.catch_up()
    assert his.text.startswith("[fr]"), "and tells him there that he has left"


@pytest.mark.usefixtures("two_languages")
async def test_refusals_are_in_the_language_of_who_is_refused(room: Room) -> None:
    room.locales[0] = "de"
    await room.person("Ana").command("start")
    eve = room.person("Eve")
    room.locales[eve.id] = "fr"
    answer = await eve.command("start")
    assert "[fr]" in answer.text
    assert "[de]" not in answer.text
