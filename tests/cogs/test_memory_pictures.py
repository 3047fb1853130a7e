"""The pictures of a profile and of a season's end: what they show, in all languages, and to whom."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.art.results import SHOWN, GameRow, Mark, profile_picture
from bot.language import languages, speaking
from bot.people.ratings.leaderboard import FinalBoard, SeasonEnd, podium_of, season_end
from bot.people.ratings.profile import Profile, picture_of, profile, profile_rows
from bot.ratings import Rating
from bot.settings import Settings
from bot.store.model import ResultRow, Standing
from bot.tables.play import make_move
from bot.tables.results import Played
from bot.ui.screens import components as ui
from tests.cogs.in_memory import SCREENS
from tests.cogs.limits import fits, message_faults
from tests.cogs.page import Page
from tests.cogs.pictures import check_drawing, check_file
from tests.cogs.table_driver import Person, Room, switch, until
from tests.cogs.test_results import ended, past
from tests.cogs.test_seasons import begin, played

pytestmark = pytest.mark.usefixtures("rendering_here")

ANA = 1_300_000_000_000_000_001


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"pictures": True})


def row(game: str, number: int, place: int, *, user: int | None = ANA, season: int = 2) -> ResultRow:
    rating = Rating(25 + number / 10, 8 - number / 50)
    table = 100 * number + [*SCREENS].index(game)
    return ResultRow(
        1, number, 0, table, game, season, float(number), 40, user, place, 9, None, rating, rating, 1.0
    )


def results(count: int, seats: int = 4, season: int = 2) -> list[Played]:
    """So many matches of each game, newest first."""
    rng = Random(count)
    return [
        Played(own, (own, *[row(game, number, 9, user=None)] * (seats - 1)))
        for number in range(count, 0, -1)
        for game in SCREENS
        for own in (row(game, number, rng.randrange(1, seats + 1), season=season),)
    ]


def of(matches: list[Played]) -> Profile:
    return Profile(ANA, matches, {}, 2, set(range(20_000)), own=True)


@pytest.mark.parametrize("count", [1, 2, SHOWN, 150])
@pytest.mark.parametrize("season", [1, 2])
def test_profiles_of_all_lengths_have_a_picture_and_fit_a_message(count: int, season: int) -> None:
    person = of(results(count, season=season))
    for language in languages():
        with speaking(language):
            picture = picture_of(person, SCREENS)
            fits(profile(person, SCREENS))
        check_drawing("profile", picture)
    with speaking("en"):
        check_file(picture_of(person, SCREENS))


def test_picture_of_a_profile_is_described_with_places_and_ratings() -> None:
    person = of(results(3))
    with speaking("en"):
        text = picture_of(person, SCREENS).alt
        rows = profile_rows(person, SCREENS)
    for (title, shown), line in zip(rows, text.splitlines(), strict=True):
        places = " ".join(str(mark.place) for mark in shown.marks)
        assert f"{title}: {shown.wins} of 3 won. Latest places, the newest last: {places}." in line
        assert f"Rating {shown.rating}, up to " in line


def test_ratings_of_earlier_seasons_are_not_drawn() -> None:
    rows = profile_rows(of(results(3, season=1)), SCREENS)
    assert {mark.rating for _title, shown in rows for mark in shown.marks} == {None}


def test_other_places_and_ratings_are_another_picture() -> None:
    def drawn(place: int, rating: tuple[int, int] | None) -> str:
        return profile_picture([GameRow(None, [Mark(place, 3, rating)], 0, 1)], "x").key

    assert (
        len({drawn(1, None), drawn(2, None), drawn(3, None), drawn(1, (900, 1200)), drawn(1, (901, 1200))})
        == 5
    )


@pytest.mark.parametrize("people", [1, 2, 3, 40])
def test_season_ends_with_podiums_that_fit_a_message(people: int) -> None:
    standings = [Standing(ANA + n, Rating(40 - n / 2, 2.0), 30, 12) for n in range(people)]
    boards = [FinalBoard(game, 99, standings) for game in SCREENS]
    for language in languages():
        with speaking(language):
            fits(season_end(SeasonEnd(12, 1.7e9, 1.8e9, boards), SCREENS))
            for board in boards:
                picture = podium_of(board, SCREENS[board.game])
                assert picture is not None
                assert str(standings[0].rating.points) in picture.alt
                check_drawing("season", picture)
    with speaking("en"):
        picture = podium_of(boards[0], SCREENS[boards[0].game])
    assert picture is not None
    check_file(picture)


def shown(page: Page) -> list[str]:
    """The descriptions of the pictures on a page, each of which is attached."""
    found: list[str] = []
    for part in page.components:
        for item in part.get("items", ()):
            name = item["media"]["url"].rpartition("/")[2].partition("?")[0]
            assert page.files[name].startswith(b"\x89PNG")
            found.append(item.get("description", ""))
    return found


async def profile_of(viewer: Person, **options: Any) -> Page:
    return await viewer.command("/profile", **options)


async def test_front_has_the_sign_of_each_game_beside_its_text(room: Room) -> None:
    page = await room.person("Ana").command("/help")
    assert shown(page) == []
    signs = [part["description"] for part in page.components if part["type"] == ui.THUMBNAIL]
    assert signs == [one.title() for one in room.host.screens.values() if one.sign() is not None]
    assert message_faults(page.kept.components) == []


async def test_picture_of_the_daily_deal_comes_after_the_answer_if_it_is_late(room: Room) -> None:
    room.host.pictures.wait = 0.0
    page = await room.person("Ana").command("/daily")
    await until(lambda: len(shown(page)) == 1, seconds=30)


async def test_private_match_ends_with_the_podium_of_all_seats(room: Room) -> None:
    ana, rng = room.person("Ana"), Random(1)
    page = await ana.press(await ana.command("/daily"), "Start")
    (row,) = await room.host.store.live_tables_of(ana.id)
    async with room.host.tables.change(row.id) as draft:
        while pending := draft.table.game.pending(draft.table.state):
            move = draft.table.game.sample(draft.table.state, pending[0].seat, rng)
            make_move(draft, pending[0].seat, move, None)
    await room.catch_up()
    podium = room.host.screens[room.game].podium(draft.table.game.view(draft.table.state, None))
    assert podium is not None
    await until(lambda: shown(page) == [podium.alt], seconds=30)
    assert "🏆" in page.text
    assert "The next deal, " in page.text


async def test_profile_has_a_picture_for_those_who_see_pictures(room: Room) -> None:
    (ana, ben), _result = await ended(room, "Ana", "Ben")
    [text] = shown(await profile_of(ana))
    assert "0 of 1 won" in text
    assert ana.name not in text
    assert shown(await profile_of(ben, person=ana.actor)) == [text]
    await ben.press(await ben.command("/settings"), "Text Only for Me")
    assert shown(await profile_of(ben)) == []
    assert shown(await profile_of(ana)) == [text]
    room.locales[ana.id] = "de"
    [german] = shown(await profile_of(ana))
    assert german != text
    await ben.press(await ben.command("/profile"), "Hide My Results")
    assert shown(await profile_of(ana, person=ben.actor)) == []
    await ana.press(await ana.command("/profile"), "Meine Ergebnisse verbergen")
    assert shown(await profile_of(ana)) == []


async def test_season_ends_with_a_podium_for_each_game_unless_the_server_has_text_only(room: Room) -> None:
    ana, ben = await played(room)
    await begin(ana)
    [posted] = room.pages()
    texts = shown(posted)
    assert len(texts) == 2
    assert all("place 1 with " in text for text in texts)
    room.delete(posted)
    await past(room, {ben.id: 1, ana.id: 2})
    await switch(ana, "Pictures", on=False)
    await begin(ana)
    assert shown(room.pages()[-1]) == []
    assert "Season 2 has ended" in room.pages()[-1].text
