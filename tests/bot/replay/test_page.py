"""The page on which a match is watched again: opened in a browser that has no network, and used as people do."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright

from bot.art.picture import Picture
from bot.language import languages, speaking
from bot.replay.page import NothingToShow, make_page
from bot.replay.turns import moments
from bot.ui.screens.game_screens import AnyScreens, has_pictures
from engine.record import Record, verify
from tests.bot.playground.browser import CHROMIUM, CHROMIUM_ARGUMENTS
from tests.bot.replay.data import data_of
from tests.bot.replay.records import ENGINES, PLAYED, SCREENS, played
from tests.cogs.painted_screens import PaintedScreens

pytestmark = pytest.mark.system

PAINTED: dict[str, AnyScreens] = {**SCREENS, "archaeology": PaintedScreens(ENGINES["archaeology"])}
"""Archaeology with pictures that are quickly drawn."""
LIMIT = 2_000_000
"""The most bytes of a page. (They have a fifth of this and less: see `test_pages_stay_small`.)"""


def page_of(
    record: Record, *, screens: dict[str, AnyScreens] = PAINTED, found: str = "found", locale: str = "en"
) -> str:
    return make_page(verify(record, ENGINES), found, ENGINES, screens, locale)


@cache
def page_of_archaeology(locale: str = "en") -> str:
    return page_of(played("archaeology"), locale=locale)


@dataclass
class Shown:
    """A page that is open in a browser, and whatever it did that it must not do."""

    page: Page
    mishaps: list[str] = field(default_factory=list[str])

    def requested(self, address: str, own: str) -> None:
        if address != own:
            self.mishaps.append(address)

    async def text(self, part: str) -> str:
        return await self.page.locator(f"#{part}").inner_text()

    async def move(self) -> int:
        """At which move the page stands, as the slider tells it."""
        return int(await self.page.locator("#slider").input_value())

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)

    async def click(self, part: str) -> None:
        await self.page.locator(f"#{part}").click()

    async def see_as(self, viewer: str) -> None:
        await self.page.locator("#view").select_option(label=viewer)

    async def pictures(self) -> list[str]:
        """The visible pictures, in words."""
        seen = self.page.locator("svg[role=img]:visible")
        return [await one.get_attribute("aria-label") or "" for one in await seen.all()]


Open = Callable[..., Any]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    """Opens a page as a file, in a window of this size, without any network."""

    @asynccontextmanager
    async def open_page(text: str, *, width: int = 1280, scheme: Any = "light") -> AsyncGenerator[Shown]:
        file = tmp_path / "match.html"
        file.write_text(text, encoding="utf-8")
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
            try:
                context = await browser.new_context(
                    viewport={"width": width, "height": 844}, offline=True, color_scheme=scheme
                )
                shown = Shown(await context.new_page())
                shown.page.on("pageerror", lambda error: shown.mishaps.append(str(error)))
                shown.page.on("console", lambda message: shown.mishaps.append(message.text))
                shown.page.on("request", lambda request: shown.requested(request.url, file.as_uri()))
                await shown.page.goto(file.as_uri())
                yield shown
                assert shown.mishaps == []
            finally:
                await browser.close()

    return open_page


# -- a real match of every game


@pytest.mark.parametrize("key", PLAYED)
async def test_a_match_of_every_game_can_be_watched_from_its_start_to_its_end(key: str, opened: Open) -> None:
    record = played(key)
    last = len(record.moves)
    async with opened(page_of(record, screens=SCREENS)) as shown:
        assert await shown.move() == 0
        assert await shown.text("at") == f"Move 0 of {last} · The Start"
        assert not await shown.page.locator("#end").is_visible()
        drawn = has_pictures(SCREENS[key])
        seen: list[str] = []
        for move in (1, last // 2, last):
            await shown.page.locator("#slider").fill(str(move))
            assert re.match(rf"Move {move} of {last} · (Turn|Round) \d", await shown.text("at"))
            assert len(await shown.text("happened")) > 5
            seen += await shown.pictures()
            assert bool(seen) == drawn
        assert all(seen)
        result = await shown.text("end")
        assert "🥇 1." in result
        assert "Player" in result
        assert await shown.page.locator("#next").is_disabled()
        assert await shown.page.locator("#lines li").count() > last / 2


@pytest.mark.parametrize("key", PLAYED)
def test_the_pictures_are_those_of_the_host_for_every_viewer_at_every_move(key: str) -> None:
    """The page takes them apart and puts them together again; not a line may be lost or change on the way."""
    record, screens, game = played(key), SCREENS[key], ENGINES[key]
    page = page_of(record, screens=SCREENS)
    data = data_of(page)
    (parts,) = re.findall(r'<svg id="parts"[^>]*><defs>(.*?)</defs></svg>', page, re.S)

    def same(number: int, picture: Picture | None) -> None:
        if picture is None:
            assert number == -1
            return
        width, height, alt, elements = data["pictures"][number]
        assert (width, height, data["texts"][alt]) == (picture.width, picture.height, picture.alt)
        assert "".join(data["elements"][element] for element in elements) == "".join(picture.elements)
        for name, body in picture.parts.items():
            assert f'<g id="{name}">{body}</g>' in parts

    steps = iter(data["steps"])
    for number, moment in enumerate(moments(record, ENGINES)):
        step = next(steps)
        if number % 10 and number != len(record.moves):
            continue
        state = moment.step.state
        same(step["table"], screens.table_picture(game.view(state, None)))
        for seat in range(3):
            same(step["own"][seat], screens.own_picture(game.view(state, seat)))
    assert next(steps, None) is None


@pytest.mark.parametrize("key", PLAYED)
def test_pages_stay_small(key: str) -> None:
    """The largest table's whole match, with all pictures of all seats."""
    record = played(key, ENGINES[key].max_seats)
    page = page_of(record, screens=SCREENS)
    assert len(page.encode()) < LIMIT


def test_equal_parts_are_stored_once() -> None:
    data = data_of(page_of_archaeology())
    for kind in ("elements", "texts", "pictures"):
        written = list(map(json.dumps, data[kind]))
        assert len(set(written)) == len(written)


# -- moving about


async def test_keys_step_through_moves_and_turns(opened: Open) -> None:
    turns = [turn["first"] for turn in data_of(page_of_archaeology())["turns"]]
    last = len(played("archaeology").moves)
    async with opened(page_of_archaeology()) as shown:
        for key, move in (
            ("ArrowRight", 1),
            ("ArrowRight", 2),
            ("ArrowLeft", 1),
            ("ArrowLeft", 0),
            ("ArrowLeft", 0),
            ("PageDown", turns[1]),
            ("PageDown", turns[2]),
            ("PageDown", turns[3]),
            ("PageUp", turns[2]),
            ("End", last),
            ("ArrowRight", last),
            ("Home", 0),
        ):
            await shown.press(key)
            assert await shown.move() == move, key


async def test_keys_keep_their_meaning_in_controls(opened: Open) -> None:
    async with opened(page_of_archaeology()) as shown:
        await shown.page.locator("#view").focus()
        await shown.press("ArrowRight", "End")
        assert await shown.move() == 0
        await shown.page.locator("#slider").focus()
        await shown.press("ArrowRight", "ArrowRight", "ArrowRight")
        assert await shown.move() == 3
        await shown.page.locator("#next").focus()
        await shown.press("Space")
        assert await shown.move() == 4


async def test_the_whole_page_can_be_used_by_keys(opened: Open) -> None:
    async with opened(page_of_archaeology()) as shown:
        reached: set[str] = set()
        for _ in range(30):
            await shown.press("Tab")
            reached.add(await shown.page.evaluate("document.activeElement.id"))
        assert {"slider", "next", "last", "play", "view", "speed", "chapter", "lines"} <= reached


@pytest.mark.system
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
async def test_axe_finds_nothing(width: int, scheme: str, opened: Open) -> None:
    axe = pytest.importorskip("axe_playwright_python.async_playwright")
    async with opened(page_of_archaeology(), width=width, scheme=scheme) as shown:
        await shown.press("End")
        for details in await shown.page.locator("summary").all():
            await details.click()
        found = (await axe.Axe().run(shown.page)).response["violations"]
        assert [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]] == []


async def test_buttons_step_too(opened: Open) -> None:
    async with opened(page_of_archaeology()) as shown:
        assert await shown.page.locator("#back").is_disabled()
        for button, move in (("next", 1), ("next", 2), ("back", 1), ("first", 0)):
            await shown.click(button)
            assert await shown.move() == move
        await shown.click("last")
        assert await shown.page.locator("#end").is_visible()


async def test_a_turn_and_a_line_of_the_log_lead_to_their_move(opened: Open) -> None:
    turns = data_of(page_of_archaeology())["turns"]
    async with opened(page_of_archaeology()) as shown:
        await shown.page.locator("#chapter").select_option(label=turns[7]["title"])
        assert await shown.move() == turns[7]["first"]
        await shown.page.locator("#lines li").nth(3).click()
        assert await shown.move() == int(
            await shown.page.locator("#lines li").nth(3).get_attribute("data-move") or 0
        )


async def test_it_plays_by_itself_until_it_is_paused_or_over(opened: Open) -> None:
    last = len(played("archaeology").moves)
    async with opened(page_of_archaeology()) as shown:
        await shown.page.clock.install()
        await shown.page.reload()
        await shown.press("Space")
        assert await shown.page.locator("#play").get_attribute("aria-label") == "Pause"
        assert await shown.page.locator("#happened").get_attribute("aria-live") == "off"
        await shown.page.clock.run_for(1600 * 3)
        assert await shown.move() == 3
        await shown.page.locator("#speed").select_option(label="Fast")
        await shown.page.clock.run_for(700 * 4)
        assert await shown.move() == 7
        await shown.click("play")
        await shown.page.clock.run_for(60_000)
        assert await shown.move() == 7
        assert await shown.page.locator("#play").get_attribute("aria-label") == "Play"
        await shown.click("play")
        await shown.page.clock.run_for(700 * last)
        assert await shown.move() == last
        assert await shown.page.locator("#play").get_attribute("aria-label") == "Play"
        await shown.click("play")
        assert await shown.move() == 0, "it begins again"


async def test_later_moves_are_not_shown(opened: Open) -> None:
    async with opened(page_of_archaeology()) as shown:
        await shown.press(*["ArrowRight"] * 20)
        written = await shown.page.locator("#lines li:visible").evaluate_all(
            "lines => lines.map(line => Number(line.dataset.move))"
        )
        assert max(written) == 20
        current = shown.page.locator("#lines li[aria-current=step]")
        assert await current.get_attribute("data-move") == "20"
        assert await current.is_visible()


# -- who sees what


async def test_all_hands_one_seats_or_none(opened: Open) -> None:
    async with opened(page_of_archaeology()) as shown:
        await shown.press(*["ArrowRight"] * 5)
        names = ["Player 1", "Player 2 (AI)", "Player 3 (AI)"]
        headings = shown.page.locator("#hands h3")
        assert await headings.all_inner_texts() == names
        assert len(await shown.pictures()) == 4
        await shown.see_as("A spectator")
        assert await headings.count() == 0
        assert len(await shown.pictures()) == 1
        for name in names:
            await shown.see_as(name)
            assert await headings.all_inner_texts() == [name]
            assert len(await shown.pictures()) == 2


@pytest.mark.parametrize("key", PLAYED)
def test_each_viewer_is_told_what_the_log_tells_them(key: str) -> None:
    record = played(key)
    data = data_of(page_of(record, screens=SCREENS))
    secret = 0
    for step, moment in zip(data["steps"], moments(record, ENGINES), strict=True):
        counts = {len(lines) for lines in step["lines"]}
        assert counts == {len(moment.step.events)}, "everybody gets one line for an event"
        everything, spectator, *seats = [[data["texts"][line] for line in lines] for lines in step["lines"]]
        assert len(seats) == len(record.seats)
        for number, event in enumerate(moment.step.events):
            if not event.secret:
                assert everything[number] == spectator[number]
                continue
            secret += 1
            later = event.kind == "created"  # the parties are shown to all when they set out
            assert later or everything[number] != spectator[number]
            for seat in range(len(seats)):
                if seat not in event.known_to and seat != event.seat:
                    line = seats[seat][number]
                    assert line == spectator[number] or re.search(r"\byour?\b", line, re.IGNORECASE)
    assert secret or not key.startswith(("arch", "exp")), "these games have hidden hands"


async def test_where_a_game_has_no_pictures_the_board_stands_in_words(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PaintedScreens, "table_picture", lambda _self, _view: None)
    monkeypatch.setattr(PaintedScreens, "own_picture", lambda _self, _view: None)
    async with opened(page_of(played("archaeology"))) as shown:
        assert await shown.pictures() == []
        assert "Market" in await shown.text("table")
        assert "Your hand" in await shown.text("hands")
        assert not await shown.page.locator("#words").is_visible()


async def test_beside_a_picture_the_board_stands_in_words_too(opened: Open) -> None:
    async with opened(page_of_archaeology()) as shown:
        await shown.page.locator("#words summary").click()
        assert "Market" in await shown.text("board")


# -- what was found


async def test_a_sound_record_is_said_to_be_sound(opened: Open) -> None:
    async with opened(page_of(played("archaeology"), found="All <moves> are legal.")) as shown:
        verdict = shown.page.locator(".verdict")
        assert "it is sound, as far as a file can tell" in await verdict.inner_text()
        await verdict.locator("summary").click()
        assert "All <moves> are legal." in await verdict.locator("pre").inner_text()


async def test_unsound_record_is_shown_as_far_as_it_replays(opened: Open) -> None:
    record = played("archaeology")
    broken = record.model_copy(update={"moves": (*record.moves[:30], record.moves[0], *record.moves[31:])})
    async with opened(page_of(broken)) as shown:
        verdict = await shown.page.locator(".verdict.faulty").inner_text()
        assert "NOT sound. 30 moves can be shown." in verdict
        await shown.press("End")
        assert await shown.move() == 30
        assert not await shown.page.locator("#end").is_visible()


async def test_a_match_that_was_given_up_has_no_result(opened: Open) -> None:
    async with opened(page_of(played("archaeology", moves=25))) as shown:
        verdict = await shown.page.locator(".verdict.faulty").inner_text()
        assert "fits as far as it goes, but has no end" in verdict
        await shown.press("End")
        assert await shown.move() == 25
        assert not await shown.page.locator("#end").is_visible()


@pytest.mark.parametrize(
    "changed", [{"game": "chess"}, {"version": 99}, {"contributions": ()}, {"options": {"monument": "x"}}]
)
def test_unplayable_record_has_no_page(changed: dict[str, Any]) -> None:
    with pytest.raises(NothingToShow):
        page_of(played("archaeology").model_copy(update=changed))


async def test_record_content_is_escaped_in_the_page(opened: Open) -> None:
    owned = "document.title='owned'"
    evil = f"</pre></script><script>{owned}</script><img src=x onerror={owned}>{{{{match}}}}"
    async with opened(page_of(played("archaeology"), found=evil)) as shown:
        assert await shown.page.title() == "Archaeology: The Card Game · 3 players · {n} moves".format(
            n=len(played("archaeology").moves)
        )
        assert evil in await shown.page.locator("pre").first.text_content()
        assert await shown.page.locator("img").count() == 0


async def test_page_policy_allows_no_other_script_style_or_address(opened: Open) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page_of_archaeology())
    assert policy
    assert policy[1].startswith(
        "default-src 'none'; base-uri 'none'; form-action 'none'; script-src 'sha256-"
    )
    assert "unsafe" not in policy[1]
    added = page_of_archaeology().replace("</body>", "<script>document.title='owned'</script></body>")
    async with opened(added) as shown:
        assert await shown.page.title() != "owned"
        fetched = await shown.page.evaluate("fetch('https://example.org').then(() => 'yes', () => 'no')")
        assert fetched == "no"
        assert len(shown.mishaps) >= 2
        assert all("Content Security Policy" in mishap for mishap in shown.mishaps)
        shown.mishaps.clear()


# -- how it looks, and in which language


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
async def test_it_fits_every_width_and_its_buttons_fit_a_thumb(width: int, opened: Open) -> None:
    async with opened(page_of(played("artifact"), screens=SCREENS), width=width) as shown:
        await shown.press(*["ArrowRight"] * 30)
        across = await shown.page.evaluate("document.documentElement.scrollWidth")
        assert across <= width
        for name in ("first", "back", "play", "next", "last"):
            box = await shown.page.locator(f"#{name}").bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 44
            assert box["x"] >= 0
            assert box["y"] + box["height"] <= 844, "it stays in sight"


async def test_page_follows_the_dark_mode_preference(opened: Open) -> None:
    shade: dict[str, str] = {}
    for scheme in ("light", "dark"):
        async with opened(page_of_archaeology(), scheme=scheme) as shown:
            colour = "getComputedStyle(document.body).backgroundColor"
            shade[scheme] = await shown.page.evaluate(colour)
    brightness = {scheme: sum(map(int, re.findall(r"\d+", rgb))) for scheme, rgb in shade.items()}
    assert brightness["light"] > 600
    assert brightness["dark"] < 150


@pytest.mark.parametrize("language", languages())
async def test_it_speaks_the_language_that_was_asked_for(language: str, opened: Open) -> None:
    async with opened(page_of_archaeology(language)) as shown:
        assert await shown.page.locator("html").get_attribute("lang") == language
        with speaking(language):
            title = PAINTED["archaeology"].title()
        assert await shown.page.locator("h1").inner_text() == title
        words = {
            "en": "All hands open",
            "de": "Alle Karten offen",
            "es": "Todas las manos a la vista",
            "it": "Tutte le mani scoperte",
            "ru": "Все карты открыты",
        }
        assert await shown.page.locator("#view option").first.inner_text() == words[language]


async def test_every_control_says_what_it_does(opened: Open) -> None:
    async with opened(page_of_archaeology()) as shown:
        nameless = await shown.page.evaluate(
            """() => [...document.querySelectorAll('button, input, select, section')]
                .filter(part => !part.getAttribute('aria-label') && !part.labels?.length
                    && !['stage'].includes(part.id) && !part.closest('#hands'))
                .map(part => part.outerHTML.slice(0, 80))"""
        )
        assert nameless == []
        value = await shown.page.locator("#slider").get_attribute("aria-valuetext")
        assert value
        assert value.startswith("Move 0 of ")
