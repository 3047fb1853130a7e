"""The playground's page on a phone and with a keyboard, besides the bot itself."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from playwright.async_api import Locator, expect

from tests.bot.playground.browser import PersonsPage
from tests.bot.playground.house import MARKS, House

pytestmark = MARKS

GROUP = "Ana, Ben, Chen, Dora"
SIZES = ((360, 740), (390, 844), (412, 915), (1280, 900))
WIDTHS = (390, 1280)


async def centre(control: Locator) -> tuple[float, float]:
    box = await control.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def count_clicks(control: Locator) -> None:
    await control.evaluate(
        "control => addEventListener('click', (event) => control.contains(event.target)"
        " && (document.title = 'clicked'), true)"
    )


@pytest.mark.parametrize("touch", [True, False], ids=["touch", "mouse"])
@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_press_beside_a_list_or_a_dialog_only_closes_it(
    house: House, width: int, height: int, *, touch: bool
) -> None:
    page = await house.open("Flor", "camp", width=width, height=height)
    press = page.page.touchscreen.tap if touch else page.page.mouse.click
    below = page.page.locator(".drawer")
    if not await below.is_visible():
        below = page.page.get_by_role("button", name="Play Archaeology: The Card Game", exact=True)
    await count_clicks(below)
    place = await centre(below)
    await page.page.locator(".who").click()
    await expect(page.page.locator(".menu")).to_be_visible()
    await press(*place)
    await expect(page.page.locator(".menu")).to_have_count(0)
    assert await page.page.title() == "Digsite"
    if await page.page.locator(".drawer").is_visible():
        await page.page.locator(".drawer").click()
    await page.page.locator(".begin").click()
    title = await page.page.locator("dialog h2").first.bounding_box()
    assert title
    await press(title["x"] + 2, title["y"] - 8)  # within the dialog, above its title
    await expect(page.page.locator("dialog")).to_have_count(1)
    await page.page.evaluate("() => (document.title = 'Digsite')")
    await count_clicks(page.page.locator(".view"))
    await press(width - 3, height / 2)
    await expect(page.page.locator("dialog")).to_have_count(0)
    await page.wait_ready()
    assert await page.page.title() == "Digsite"


async def labels(page: PersonsPage) -> list[str]:
    """The labels of the list that is open."""
    return await page.page.locator(".menu .label").all_inner_texts()


async def fields(page: PersonsPage) -> dict[str | None, str]:
    """The text of each option in the line."""
    given = await page.page.locator(".composer [data-option]").all()
    return {await each.get_attribute("data-option"): await each.input_value() for each in given}


@pytest.mark.parametrize("width", WIDTHS)
async def test_typed_command_suggests_its_options_and_is_sent_with_them(house: House, width: int) -> None:
    page = await house.open("Ana", {390: "museum", 1280: "market"}[width], width=width)
    keys = page.page.keyboard
    await page.page.locator(".composer .line").click()
    await keys.type("/artifact start ")
    await expect(page.page.locator(".menu .label").first).to_have_text("turn_limit")
    assert await labels(page) == [
        "turn_limit", "agents", "agent_level", "same_deal", "scenario", "challenges",
    ]  # fmt: skip
    await keys.type("agents:2 agent_level:nov")
    await expect(page.page.locator(".menu .label")).to_have_text("Novice")
    await keys.press("Enter")
    assert await fields(page) == {"agents": "2", "agent_level": "Novice"}
    await keys.type("scen")
    await keys.press("Tab")
    await expect(page.page.locator(".menu .label")).to_have_count(3)
    second = (await labels(page))[1]
    await keys.press("ArrowDown")
    await keys.press("Tab")
    assert (await fields(page))["scenario"] == second
    await page.page.locator(".menu .option", has_text="turn_limit").tap()
    await page.page.locator(".menu .option", has_text="1 hour").tap()
    assert (await fields(page))["turn_limit"] == "1 hour"
    await keys.press("Enter")
    text = await page.sees("3 of", private=False)
    assert "1 hour" in text
    assert text.count("Novice") == 3
    assert await page.page.locator(".toast").count() == 0


@pytest.mark.parametrize("name", ["pasted", "Send"])
async def test_pasted_command_is_sent_with_its_options(house: House, name: str) -> None:
    page = await house.open("Ben", {"pasted": "games", "Send": GROUP}[name])
    await page.page.locator(".composer .line").fill("/expedition start agents:1 agent_level:Veteran")
    if name == "Send":
        await page.page.get_by_role("button", name="Send").click()
    else:
        await page.page.keyboard.press("Enter")
    assert "Veteran" in await page.sees("2 of", private=False)


@pytest.mark.parametrize("key", ["Enter", "Tab"])
async def test_person_chosen_by_a_key_is_complete_and_never_oneself(house: House, key: str) -> None:
    page = await house.open("Dora", "camp", width=1280)
    keys = page.page.keyboard
    await page.page.locator(".composer .line").click()
    await keys.type("/challenge ")
    await expect(page.page.locator(".menu .label").first).to_have_text("Ana")
    assert "Dora" not in await labels(page)
    await keys.type("che")
    await expect(page.page.locator(".menu .label")).to_have_text("Chen")
    await keys.press(key)
    await expect(page.page.locator(".menu .label")).to_have_count(4)
    await keys.press(key)
    assert await fields(page) == {"person": "Chen", "game": "Archaeology: The Card Game"}
    await expect(page.page.locator(".menu")).to_have_count(0)
    await keys.press("Enter")
    await page.wait_ready()
    assert await fields(page) == {}
    assert await page.page.locator(".toast.failed").count() == 0
    await expect(page.page.locator(".list")).to_contain_text("Chen")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("/artifact start agents:9", "“agents” takes a number from 0 to 5."),
        (
            "/artifact start agent_level:Mild",
            "“Mild” isn’t in the list of “agent_level”. Please choose from the list.",
        ),
        ("/artifact start level:9", "/artifact start has no option “level:9”."),
        ("/challenge game:Artifact", "Choose person first."),
        ("/chess", "There is no command “/chess” here. A / alone lists all commands."),
    ],
)
async def test_refused_line_stays_with_one_sentence(house: House, line: str, sentence: str) -> None:
    page = await house.open("Emil", "games")  # the bot speaks German to Emil; the page speaks English
    await page.page.locator(".who").click()
    await page.page.locator(".menu .option", has_text="Language").click()
    await page.page.locator(".menu .option", has_text="English").click()
    await expect(page.page.locator(".toast")).to_contain_text("Emil’s Discord is in English now.")
    await page.wait_ready()
    await page.page.locator(".composer .line").fill(line)
    before = await page.page.locator(".composer").inner_text(), await fields(page)
    for _ in range(2):
        await page.page.get_by_role("button", name="Send").click()
        await expect(page.page.locator(".toast")).to_have_text(sentence)  # one toast at a time
    assert (await page.page.locator(".composer").inner_text(), await fields(page)) == before
    assert await page.page.evaluate("() => document.activeElement.closest('.composer') !== null")


@pytest.mark.parametrize("width", WIDTHS)
async def test_drawer_closes_when_a_choice_opens_something_elsewhere(house: House, width: int) -> None:
    page = await house.open("Chen", "market", width=width)
    if width < 700:
        await page.page.locator(".drawer").click()
    await page.context_menu(page.page.locator('[data-person="gaia"]'), "Challenge")
    question = page.page.locator(".message.mine").last
    await expect(question).to_contain_text("A challenge")
    await expect(page.page.locator(".view.drawn")).to_have_count(0)
    await expect(question.locator(".button").first).to_be_in_viewport()
    await question.locator(".button").first.click(trial=True)


async def test_link_that_leads_out_of_the_simulation_says_what_it_would_do(house: House) -> None:
    page = await house.open("Oleg", "Digsite")
    await page.page.locator(".who").click()
    await page.page.locator(".menu .option", has_text="Language").click()
    await page.page.locator(".menu .option", has_text="English").click()
    await page.command("games list")
    await page.page.locator(".list .button", has_text="Invite the Bot").last.click()
    await expect(page.page.locator(".toast")).to_contain_text("On Discord, this invites the bot")
    assert len(page.page.context.pages) == 1


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_menu_of_who_one_is_shows_everybody(house: House, width: int, height: int) -> None:
    page = await house.open("Ana", width=width, height=height)
    await page.page.locator(".who").click()
    box = await page.page.locator(".menu").bounding_box()
    last = await page.page.locator(".menu .option", has_text="Be Oleg").bounding_box()
    assert box
    assert last
    assert last["y"] + last["height"] <= min(box["y"] + box["height"], height)


async def test_mark_of_unread_messages_is_seen_whole(house: House) -> None:
    page = await house.open("Gaia", "camp", width=1280)
    await (await house.open("Ana", "museum")).say("Anybody there?")
    place = page.page.locator(".place.unread", has_text="museum")
    await expect(place).to_be_visible()
    shown = Image.open(io.BytesIO(await place.locator("xpath=..").screenshot())).convert("RGB")
    row, sidebar = await place.bounding_box(), await place.locator("xpath=..").bounding_box()
    assert row
    assert sidebar
    top = int(row["y"] - sidebar["y"])
    mark = shown.crop((0, top, 8, top + int(row["height"])))
    columns = [mark.crop((x, 0, x + 1, mark.height)).getcolors() or [] for x in range(mark.width)]
    white = [
        sum(count for count, colour in each if isinstance(colour, tuple) and min(colour) > 200)
        for each in columns
    ]
    assert white[0] == white[-1] == 0, white
    assert max(white) >= 4, white


async def test_way_to_the_newest_message_covers_no_message(house: House) -> None:
    page = await house.open("Ana", "museum", height=500)
    for number in range(30):
        await page.say(f"Line {number}")
    await page.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    await page.page.locator(".timeline").evaluate("timeline => (timeline.scrollTop = 0)")
    present, messages = page.page.locator(".present"), page.page.locator(".timeline")
    await expect(present).to_be_visible()
    pill, shown = await present.bounding_box(), await messages.bounding_box()
    assert pill
    assert shown
    assert pill["y"] >= shown["y"] + shown["height"]
    await present.click()
    await expect(page.page.locator(".message").last).to_be_in_viewport()


async def test_notification_on_a_phone_covers_neither_the_head_nor_a_message(house: House) -> None:
    page = await house.open("Gaia", "museum")
    await page.page.locator(".composer .line").fill("/chess")
    await page.page.get_by_role("button", name="Send").click()
    await expect(page.page.locator(".toast")).to_be_visible()
    parts = [await page.page.locator(part).bounding_box() for part in (".top", ".toast", ".timeline")]
    head, toast, messages = (part or pytest.fail("not shown") for part in parts)
    assert head["y"] + head["height"] <= toast["y"]
    assert toast["y"] + toast["height"] <= messages["y"]


async def test_labels_of_the_beginning_stand_in_one_line_on_a_phone(house: House) -> None:
    page = await house.open("Gaia", "camp")
    lines = await page.page.locator(".welcome .game .button").evaluate_all(
        """buttons => buttons.map((button) => {
            const text = document.createRange();
            text.selectNodeContents(button);
            return text.getClientRects().length;
        })"""
    )
    assert lines
    assert set(lines) == {1}


async def test_long_page_of_a_command_is_read_from_its_top(house: House) -> None:
    ana = await house.open("Ana", "games")
    await ana.command("help")
    await expect(ana.page.get_by_role("heading", name="What would you")).to_be_in_viewport()


async def test_place_with_one_tall_message_follows_what_comes(house: House) -> None:
    chen = await house.open("Chen", GROUP)
    if not await chen.messages():
        await chen.command("archaeology start")
    dora = await house.open("Dora", GROUP, height=420)
    await chen.say("A new table, below the others")
    await dora.sees("A new table")
    await expect(dora.page.locator(".message").last).to_be_in_viewport(ratio=1)
