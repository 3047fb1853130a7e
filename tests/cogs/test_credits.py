"""Credit where it is due: wherever a game is presented, its authors and publishers are named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.language import speaking
from bot.replay.page import make_page
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import Credits
from bot.ui.screens.kit import Screen
from bot.ui.screens.pages import credits_line, disclaimer, rules_page
from engine.record import verify
from tests.bot.replay.records import played
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS
from tests.cogs.limits import EVERY_LANGUAGE
from tests.cogs.painted_screens import PaintedScreens
from tests.cogs.sealed_screens import SealedScreens
from tests.cogs.table_driver import Room

README = Path(__file__).parents[2] / "README.md"


def names(key: str) -> list[str]:
    """All that has to be named of a game's credits."""
    made = SCREENS[key].credits
    return [*made.authors, *made.publishers, *([str(made.year)] if made.year else [])]


def text_of(screen: Screen) -> str:
    return "\n".join(ui.texts(screen.items))


@EVERY_LANGUAGE
@pytest.mark.parametrize("key", PLAYED)
def test_the_rules_name_them_on_the_first_page_and_say_on_the_last_that_this_is_not_theirs(
    key: str, language: str
) -> None:
    screens = SCREENS[key]
    with speaking(language):
        first, last = (text_of(rules_page(screens, None, page)[0]) for page in (0, 999))
        line, paragraphs = credits_line(screens.credits), disclaimer()
        title = screens.title()
    for name in names(key):
        assert name in line
    assert (line in first) == bool(names(key))
    assert line in last
    assert title in last
    for paragraph in paragraphs:
        assert paragraph in last


@pytest.mark.parametrize("locale", ["en-GB", "de", "es-ES"])
async def test_games_names_them_all_and_says_once_that_this_is_not_theirs(room: Room, locale: str) -> None:
    ana = room.person("Ana")
    room.locales[ana.id] = locale
    text = (await ana.command("/games list")).text
    with speaking(locale):
        lines = [credits_line(SCREENS[key].credits) for key in PLAYED]
        not_theirs = disclaimer()[0]
    for line in lines:
        assert line in text
    assert text.count(not_theirs) == 1


@pytest.mark.parametrize("key", PLAYED)
def test_the_page_of_a_match_names_them_and_says_that_this_is_not_theirs(key: str) -> None:
    screens = {**SCREENS, "archaeology": PaintedScreens(ENGINES["archaeology"])}
    page = make_page(verify(played(key), ENGINES), "found", ENGINES, screens, "en")
    (line,) = re.findall(r'<p id="credits">(.*?)</p>', page)
    (footer,) = re.findall(r"<footer>(.*?)</footer>", page)
    assert line == credits_line(screens[key].credits)
    for name in names(key):
        assert name in line
    assert "not theirs" in footer
    assert "our own number" in footer
    assert "buy it" in footer


@pytest.mark.parametrize("key", [key for key in PLAYED if ENGINES[key].published])
def test_the_readme_names_the_same_people(key: str) -> None:
    readme = README.read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\|.*`/{key}`.*$", readme, re.MULTILINE)
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    made = SCREENS[key].credits
    assert cells[0] == SCREENS[key].title()
    assert cells[1] == (", ".join(made.authors) or "not known here")
    assert cells[2] == (", ".join(made.publishers) or "not known here")
    assert cells[3] == (str(made.year) if made.year else "–")
    for word in ("not theirs", "endorsed", "written anew", "*our own number*", "buy it"):
        assert word in readme


def test_what_is_not_known_is_said() -> None:
    assert credits_line(Credits((), ())) == "Its author and its publisher are not known here"
    assert (
        credits_line(Credits((), ("Ana",), 1999)) == "Its author is not known here · published by Ana · 1999"
    )
    assert credits_line(Credits(("Ana", "Ben"), ())) == "By Ana and Ben · its publisher is not known here"


def test_a_game_without_credits_cannot_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(SealedScreens, "credits")
    with pytest.raises(TypeError, match="credits"):
        SealedScreens(ENGINES["sealed"])
