"""Progress against computer players in the profile: what counts, what is suggested next, and who sees it."""

from __future__ import annotations

import pytest

from bot.tables.model import Table
from tests.cogs import some_game
from tests.cogs.limits import message_faults
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_lessons import page_after
from tests.cogs.without_server import elsewhere

ALONE = "### Against computer players"


async def ends(room: Room, person: Person, table: Table, *, won: bool) -> None:
    """Has a person make the last move of their match. The winner has been decided before."""
    state = some_game.last_move(len(table.seats))
    if won:
        state.sold.reverse()
    await room.stage(state, table.id)
    await some_game.move(person, await person.hand())


async def match_against(room: Room, person: Person, level: str, *, won: bool) -> None:
    lobby = await person.command("start", agents=1, agent_level=level)
    await person.press(lobby, "Start Match")
    await ends(room, person, await room.table(), won=won)


async def test_profile_counts_victories_by_level_and_suggests_the_next_one(room: Room) -> None:
    ana = room.person("Ana")
    profile = await ana.command("/profile")
    assert "every game with its lesson" in profile.text.partition(ALONE)[2]
    await match_against(room, ana, "novice", won=False)
    profile = await ana.command("/profile")
    assert "Novice (0 of 1 won)" in profile.text
    assert "the lesson shows every rule" in profile.text
    assert "Learn" in profile.buttons
    await match_against(room, ana, "novice", won=True)
    assert "You beat the Novice once in **Archaeology" in (await ana.command("/profile")).text
    await match_against(room, ana, "novice", won=True)
    profile = await ana.command("/profile")
    assert "Novice (2 of 3 won)" in profile.text
    assert "You beat the Novice 2 times in **Archaeology: The Card Game**: try the Veteran." in profile.text
    assert message_faults(profile.kept.components) == []
    lobby = await ana.press(profile, "Start · Veteran")
    assert "Veteran" in lobby.text


async def test_progress_is_apart_from_results_and_only_its_person_sees_it(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", agents=1)
    await ends(room, ana, await room.table(), won=True)
    profile = await ana.command("/profile")
    assert "1 match, 1 won" in profile.text
    assert "won" not in profile.text.partition(ALONE)[2], (
        "a match of two people tells nothing of an agent's level"
    )
    assert ALONE not in (await ben.command("/profile", person=ana.actor)).text


async def test_progress_goes_with_the_persons_data_and_with_the_matches(room: Room) -> None:
    ana = room.person("Ana")
    await match_against(room, ana, "novice", won=True)
    hidden = await ana.press(await ana.command("/profile"), "Hide My Results")
    assert "Novice (1 of 1 won)" in hidden.text, "what nobody else sees need not be hidden"
    await ana.delete_data()
    assert "Novice (1" not in (await ana.command("/profile")).text


@pytest.mark.parametrize("where", ["dm", "server"])
async def test_progress_is_shown_where_the_bot_is_on_no_server_with_lessons_done(
    room: Room, where: str
) -> None:
    ana = elsewhere(room, "Ana", where)  # type: ignore[arg-type]
    await page_after(ana, some_game.GAME)
    profile = await ana.command("/profile")
    assert "🎓 lesson done" in profile.text
    assert "No victory in **Archaeology: The Card Game** yet: try the Novice." in profile.text
    page = await ana.press(profile, "Start · Novice")
    assert " · 💰 $" in page.text
