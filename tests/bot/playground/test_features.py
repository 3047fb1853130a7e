"""Every feature of the bot on the playground's page, as people use it: each test in a channel of its own."""

from __future__ import annotations

import asyncio
import re

from playwright.async_api import expect

from tests.bot.playground.house import MARKS, House

pytestmark = MARKS

GROUP = "Ana, Ben, Chen, Dora"


async def test_page_opens_under_the_products_name_with_the_bots_first_words(house: House) -> None:
    page = await house.open("Ana")
    await page.sees("I host board games with hidden hands")
    assert await page.page.title() == "Digsite"
    assert "Games" in await page.buttons()
    cards = page.page.locator(".welcome .game")
    assert await cards.count() == 4
    for card in await cards.all():
        picture = card.locator("img")
        await expect(picture).to_have_js_property("complete", True)
        assert await picture.evaluate("image => image.naturalWidth") > 0


async def test_match_in_a_thread_is_reached_and_played_there(house: House) -> None:
    ana = await house.open("Ana", "games")
    await ana.command("archaeology start")
    await ana.command("artifacts-inc start", agents=1)
    await ana.press("Open in a Thread", private=True)
    await ana.sees("Your table is open in")
    await ana.follow_link("Go to the Table")
    await expect(ana.page.locator("h1")).to_contain_text("Artifacts, Inc. · Ana")
    await ana.press("Start Match")
    await ana.press("My Company", private=False)
    await ana.sees("Roll", private=True)
    ben = await house.open("Ben", "games")
    await ben.page.locator(".notice .link").last.click()
    await expect(ben.page.locator("h1")).to_contain_text("Artifacts, Inc. · Ana")
    await ben.press("More")
    await ben.press("Watch")
    await ben.sees("You're watching", private=True)


async def test_match_alone_is_played_in_the_bots_direct_messages(house: House) -> None:
    page = await house.open("Chen", "Digsite")
    await page.command("expedition start")
    await page.sees(" cards · ")
    await page.sees("Here you play alone against the AI")


async def test_letter_calls_a_person_and_leads_to_the_table(house: House) -> None:
    page = await house.open("Chen", "market")
    await page.command("settings")
    await page.select("When it is your turn", "Write to Me")
    await page.command("archaeology start", agents=1)
    await page.page.locator(".timeline").evaluate("timeline => timeline.scrollTo(0, 0)")
    toast = page.page.locator(".toast", has_text="your turn")
    table = page.page.locator(".message", has=page.page.locator('[data-key*=":more:"]'))
    async with (
        asyncio.TaskGroup() as waits
    ):  # a toast goes after some seconds, so it is waited for from the start
        # A person who starts a match reads their hand, and is called after a minute without a press.
        called = waits.create_task(expect(toast).to_be_visible(timeout=100_000))
        await page.press("Start Match")
        await expect(table.last).to_be_in_viewport()  # the view follows to what the press has led to
        await called
    await expect(page.page.locator(".place.dm .calls")).to_have_text("1")
    await toast.click()
    await expect(page.page.locator("h1")).to_contain_text("Digsite")
    await page.follow_link("Go to the Table")
    await expect(page.page.locator("h1")).to_contain_text("market")


async def test_lobby_is_seen_at_once_and_a_call_in_direct_messages_is_named_so_to_others(
    house: House,
) -> None:
    dora = await house.open("Dora", "museum")
    await dora.command("archaeology start", agents=1)
    ben = await house.open("Ben", "museum")
    await expect(ben.page.locator(".message .button", has_text="Join").last).to_be_in_viewport()
    await dora.press("Start Match")
    await dora.press("More")
    await dora.press("Send My Hand by DM")
    await ben.page.locator(".drawer").click()
    calls = ben.page.locator('[data-person="dora"] .calls')
    await expect(calls).to_have_attribute("aria-label", re.compile("in direct messages"))
    await dora.press("More")
    await dora.press("End the Match")
    await dora.press("End the Match", private=True)
    await dora.sees("ended the match.")


async def test_person_who_watches_follows_the_board(house: House) -> None:
    chen = await house.open("Chen", "market")
    # The match of the test before, if that ran in this house.
    if "More" not in await chen.buttons(private=False):
        await chen.command("archaeology start", agents=1)
        await chen.press("Start Match")
    dora = await house.open("Dora", "market")
    await dora.press("More")
    await dora.press("Watch")
    await dora.sees("You're watching", private=True)
    board = dora.page.locator(".message.mine").last
    before = await board.inner_text()
    await chen.press("Hand", private=False)
    await chen.page.locator('.message.mine button.button[data-key*=":g."]:enabled').last.click()
    await expect(board).not_to_have_text(before, use_inner_text=True)
    assert "Your hand" not in await board.inner_text()


async def test_right_click_challenges_a_person(house: House) -> None:
    page = await house.open("Dora", "museum", width=1280, height=900)
    await page.context_menu(page.page.locator('[data-person="emil"]'), "Challenge")
    await page.sees("A challenge", private=True)
    await page.press("Archaeology: The Card Game")
    emil = await house.open("Emil", "museum")
    await emil.sees("Dora")
    assert await page.page.locator(".message", has_text="Emil").count() > 0


async def test_challenge_of_a_person_is_marked_and_a_press_leads_to_it(house: House) -> None:
    page = await house.open("Chen", "camp", width=1280, height=900)
    await page.context_menu(page.page.locator('[data-person="ben"]'), "Challenge")
    await page.sees("A challenge", private=True)
    await page.press("Artifact", private=True)
    await expect(page.page.locator('[data-person="ben"] .calls')).to_have_text(re.compile(r"\d"))
    await page.go_to("market")
    await page.page.locator('[data-person="ben"]').click()
    await page.page.locator(".menu .option", has_text="Be Ben").click()
    await expect(page.page.locator("h1")).to_contain_text("camp")
    challenge = page.page.locator(".message.called").last
    await expect(challenge).to_be_in_viewport()
    await expect(challenge).to_contain_text("Ben")


async def test_person_is_chosen_as_the_option_of_a_command(house: House) -> None:
    page = await house.open("Chen", "museum")
    await page.command("profile", person="Ben")
    await page.sees("Ben")


async def test_daily_deal_is_played(house: House) -> None:
    page = await house.open("Flor", "games")
    await page.command("daily")
    text = await page.private_text()
    assert re.search("día|diari", text), text  # in the language of Flor's Discord


async def test_server_is_set_up_in_menus_of_channels_and_roles(house: House) -> None:
    page = await house.open("Ana", "museum")
    await page.command("setup")
    for _ in range(2):  # the second choice takes the first one back
        await page.select("Everyone", "Organiser")
    await page.select("All channels", "#games", "#museum", "#market", "#camp")
    await page.select("All channels")
    for _ in range(2):
        await page.press("Change Settings")
        await page.page.locator("dialog .choice", has_text="A thread for each match").click()
        await page.fill_form()


async def test_match_in_a_group_dm_is_played(house: House) -> None:
    ana, ben = await house.open("Ana", GROUP), await house.open("Ben", GROUP)
    await ana.command("archaeology start")
    await ben.press("Join")
    await ana.press("Start Match")
    await ana.press("Hand", private=False)
    await ana.sees(" cards · ", private=True)


async def test_language_of_a_person_is_chosen_on_the_page(house: House) -> None:
    page = await house.open("Gaia", "camp")
    await page.page.locator(".who").click()
    await page.page.locator(".menu .option", has_text="Language").click()
    await page.page.locator(".menu .option", has_text="Deutsch").click()
    await page.command("games list")
    await page.sees("Spiele", private=True)


async def test_inspect_shows_the_json_of_a_message_and_the_requests_of_the_last_press(house: House) -> None:
    page = await house.open("Oleg", "camp")
    await page.command("games list")
    await page.page.locator(".timeline").focus()
    await page.page.locator(".message.mine").last.hover()
    await page.page.keyboard.press("i")
    dialog = page.page.get_by_role("dialog", name="Inspect")
    await expect(dialog).to_contain_text("/callback")
    await page.page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
