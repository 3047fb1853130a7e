"""Tables with the same deal: tied before the first starts, secret until all are over, then compared seat by seat."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from bot.__main__ import main
from bot.store.model import Change, StoreFull
from bot.store.store import Store
from bot.tables.model import Table
from bot.ui.screens.ids import Id
from engine.fairness import SAME_DEAL, SCHEME
from tests.cogs import some_game
from tests.cogs.conftest import Mishaps
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_reviews import play_to_the_end

SECRET = "This deal is still secret"


class Two:
    """Two channels with tables of two people each; the second table has the code of the first."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.channels = room.channel, room.guild.create_text_channel("other")
        self.lobbies: list[Page] = []
        self.people: list[list[Person]] = []

    def go(self, number: int) -> None:
        self.room.channel = self.channels[number]

    async def table(self, number: int) -> Table:
        self.go(number)
        return await self.room.table()

    async def open(self) -> None:
        lobby, first = await self.room.lobby_of("Ana", "Ben")
        code = code_on(await first[0].press(lobby, "Invite"))
        self.go(1)
        other, second = await self.room.lobby_of("Cleo", "Dora", same_deal=code)
        self.lobbies, self.people = [lobby, other], [first, second]

    async def start(self) -> None:
        for number, people in enumerate(self.people):
            self.go(number)
            await people[0].press(self.lobbies[number], "Start Match")

    async def play_on(self, number: int) -> None:
        """Plays a match to its end."""
        self.go(number)
        await play_to_the_end(self.room, await self.room.table(), self.people[number][0])
        await self.room.catch_up()

    async def play_by_presses(self, number: int) -> None:
        """The same as people do."""
        self.go(number)
        by_id, rng = {person.id: person for person in self.people[number]}, Random(number)
        while (await self.room.table()).status != "over":
            person = await some_game.asked(self.room, by_id)
            await some_game.act(person, await person.hand(), rng)


async def opened(room: Room) -> Two:
    two = Two(room)
    await two.open()
    return two


def code_on(page: Page) -> str:
    return page.text.partition("same_deal:")[2].partition("`")[0]


async def forged(person: Person, page: Page, intent: str, table: Table) -> Page:
    press = person.forging(page, str(Id(intent, table.id)))
    await person.room.deliver(press)
    return press.answer


async def test_two_tables_have_the_same_deal_and_their_results_compare_it(room: Room, tmp_path: Path) -> None:
    two = await opened(room)
    assert "The same deal as table" in two.lobbies[1].text
    assert "1 more table plays this deal" in two.lobbies[0].text
    await two.start()
    first, second = [await two.table(number) for number in (0, 1)]
    assert first.game.dump(first.state) == second.game.dump(second.state), "every hand and the dig site"
    assert first.body.messages.start != second.body.messages.start
    assert (first.body.scheme, second.body.scheme) == (SCHEME, SAME_DEAL)
    await room.restart()
    await two.play_by_presses(0)
    one = await room.result()
    ana = two.people[0][0]
    assert "Seat 1" not in one.text
    for label in ("Fairness", "Replay"):
        assert SECRET in (await ana.press(one, label)).text
    await room.restart(crash=True)
    await two.play_by_presses(1)
    results = [await room.result()]
    two.go(0)
    results.insert(0, await room.result())
    scores = [table.game.outcome(table.state) for table in [await two.table(0), await two.table(1)]]
    for number, result in enumerate(results):
        assert message_faults(result.kept.components) == []
        for seat in range(2):
            shown = [str(outcome.scores[seat]) for outcome in scores if outcome]
            shown[number] = f"**{shown[number]}**"
            assert f"Seat {seat + 1}: {' · '.join(shown)}" in result.text
        two.go(number)
        fairness = await two.people[number][0].press(result, "Fairness")
        [(name, record)] = fairness.files.items()
        (tmp_path / name).write_bytes(record)
        assert main(["verify", str(tmp_path / name)]) == 0
        results[number] = fairness
    records = [json.loads(next(iter(page.files.values()))) for page in results]
    assert len({(each["host_seed"], str(each["contributions"])) for each in records}) == 1


async def test_a_person_plays_the_deal_at_one_table_only(room: Room) -> None:
    two = await opened(room)
    ana, cleo = two.people[0][0], two.people[1][0]
    assert "at another table" in (await ana.press(two.lobbies[1], "Join")).text
    two.go(0)
    assert "at another table" in (await cleo.press(two.lobbies[0], "Join")).text
    await two.people[0][1].press(two.lobbies[0], "Leave")
    two.go(1)
    moved = two.people[0][1]
    await moved.press(two.lobbies[1], "Join")
    assert (await two.table(1)).seat_of(moved.id) == 2, "nobody has seen a card in a lobby"
    for number, press in enumerate([two.people[1][1], two.people[0][1]]):
        two.go(1)
        await press.press(two.lobbies[1], "Leave")
        assert number < 2
    newcomer = room.person("Newcomer")
    presses = []
    for number in (0, 1):
        two.go(number)
        presses.append(newcomer.pressing(two.lobbies[number], "Join"))
    await room.deliver(*presses)
    seats = [(await two.table(number)).seat_of(newcomer.id) for number in (0, 1)]
    assert seats.count(None) == 1, "two presses at once give one seat"


async def test_a_seat_that_became_free_is_not_for_people_of_the_other_table(room: Room) -> None:
    two = await opened(room)
    await two.start()
    two.go(0)
    ben, ana = two.people[0][1], two.people[0][0]
    await ben.press(await ben.command("leave"), "Leave Now")
    dora = two.people[1][1]
    more = await dora.press(await room.board(), "More")
    label = next(
        label for label in more.buttons if "Bo" in label or "seat" in label.lower() or "Take" in label
    )
    assert "at another table" in (await dora.press(more, label)).text
    two.go(1)
    await dora.press(await dora.command("leave"), "Leave Now")
    more = await ben.press(await room.board(), "More")
    label = next(label for label in more.buttons if "Take" in label)
    assert "at another table" in (await ben.press(more, label)).text, "also not once they have left"
    assert (await two.table(0)).seat_of(ana.id) == 0


async def test_a_table_waits_for_the_first_and_has_its_seats_settings_and_words(room: Room) -> None:
    two = await opened(room)
    cleo = two.people[1][0]
    assert "hasn't started yet" in (await cleo.press(two.lobbies[1], "Start Match")).text
    refused = await (await cleo.open_form(two.lobbies[1], "Lucky Word")).submit(word="abracadabra")
    assert "words of the first table" in refused.text
    assert "same_deal" not in (await cleo.press(two.lobbies[1], "Invite")).text
    two.go(0)
    ana = two.people[0][0]
    await (await ana.open_form(two.lobbies[0], "Lucky Word")).submit(word="sesame")
    await ana.press(two.lobbies[0], "Start Match")
    two.go(1)
    await cleo.choose(two.lobbies[1], "Computer players", "1 × Novice")
    assert (
        "the same number of seats. The first one has 2"
        in (await cleo.press(two.lobbies[1], "Start Match")).text
    )
    await cleo.choose(two.lobbies[1], "Computer players", "No computer players")
    await cleo.press(two.lobbies[1], "Start Match")
    first, second = await two.table(0), await two.table(1)
    assert ("seat 1", "sesame") in second.body.contributions
    assert first.body.contributions == second.body.contributions


async def test_a_lobby_that_the_first_table_could_not_note_is_closed(
    room: Room, monkeypatch: pytest.MonkeyPatch, mishaps: Mishaps
) -> None:
    mishaps.expect("could not be saved")
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    code, first = code_on(await ana.press(lobby, "Invite")), (await room.table()).id
    room.channel = room.guild.create_text_channel("other")
    cleo, commit = room.person("Cleo"), Store.commit

    async def unless_first(store: Store, change: Change) -> bool:
        if change.table.id == first:
            raise StoreFull("the disk is full")
        return await commit(store, change)

    with monkeypatch.context() as full:
        full.setattr(Store, "commit", unless_first)
        assert "nothing was changed" in (await cleo.command("start", same_deal=code)).text
    await room.later(60)
    assert room.pages() == []
    assert [row.id for row in await room.host.store.live_tables()] == [first]
    assert "Join" in (await cleo.command("start", same_deal=code)).buttons


async def test_a_code_is_of_one_game_one_server_and_a_lobby(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    code = code_on(await ana.press(lobby, "Invite"))
    room.channel = room.guild.create_text_channel("other")
    cleo = room.person("Cleo")
    for wrong in ("", "1", f"{code}0", "x" * 100, "9" * 30, "²-1"):
        if wrong:
            assert "has that code" in (await cleo.command("start", same_deal=wrong)).text
    assert "at another table" in (await ana.command("start", same_deal=code)).text
    tied = await cleo.command("start", same_deal=code)
    channel = room.channel
    for number in range(6):
        room.channel = room.guild.create_text_channel(f"other-{number}")
        await room.person(f"Guest {number}").command("start", same_deal=code)
    room.channel = room.guild.create_text_channel("ninth")
    assert (
        "8 tables already have this deal" in (await room.person("Late").command("start", same_deal=code)).text
    )
    room.channel = channel
    assert "The same deal" in tied.text


async def test_an_unfinished_table_counts_as_such_and_a_closed_lobby_not_at_all(room: Room) -> None:
    two = await opened(room)
    code = code_on(await invitation(two))
    third = room.guild.create_text_channel("third")
    room.channel = third
    eva = room.person("Eva")
    await eva.command("start", same_deal=code)
    await two.start()
    await two.play_on(0)
    two.go(1)
    cleo, dora = two.people[1]
    for person in (cleo, dora):
        await person.press(await person.command("end"), "End the Match")
    two.go(0)
    assert "Seat 1" not in (await room.result()).text, "a lobby is still open"
    room.channel = third
    await eva.command("leave")
    two.go(0)
    result = await room.result()
    assert "· –" in result.text
    assert "that match was not finished" in result.text
    two.go(1)
    assert "**–**" in (await room.result()).text


async def invitation(two: Two) -> Page:
    two.go(0)
    return await two.people[0][0].press(two.lobbies[0], "Invite")


async def test_the_end_of_the_last_table_by_its_channel_is_an_end_too(room: Room) -> None:
    two = await opened(room)
    await two.start()
    await two.play_on(0)
    room.env.backend.delete_channel(two.channels[1].id)
    await room.catch_up()
    await room.later(1)
    second = await room.host.tables.get((await two.table(0)).body.same[0])
    assert second.status == "abandoned"
    two.go(0)
    assert "that match was not finished" in (await room.result()).text
