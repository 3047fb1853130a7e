"""The beginning on the playground's page: what a newcomer sees in each kind of place, and one press to a match."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.bot.playground.house import MARKS, House

pytestmark = MARKS

GROUP = "Ana, Ben, Chen, Dora"


async def test_one_press_begins_a_match_that_one_person_plays_at_once(house: House) -> None:
    page = await house.open("Oleg", "museum")
    await expect(page.page.locator(".welcome")).to_contain_text("Play seats you with computer players")
    await page.page.get_by_role("button", name="Play Artifacts, Inc.", exact=True).click()
    await page.sees("3 of 4 taken", private=False)
    await page.select("Computer players", "2 × Veteran", private=False)
    await page.press("Start Match", private=False)
    await expect(page.page.locator(".message.mine").last).to_be_in_viewport(timeout=30_000)
    table = await page.sees("Oleg's turn", private=False)
    assert "Amelia" in table
    assert "Boris" in table
    assert not any(name in table for name in ("Ana", "Ben")), table
    assert page.page.url.endswith("#people=oleg")


async def test_match_is_begun_in_another_channel_if_this_one_has_one_and_the_page_says_so(
    house: House,
) -> None:
    page = await house.open("Emil", "museum")
    if "More" not in await page.buttons(private=False):  # the test before did not run in this house
        other = await house.open("Oleg", "museum")
        await other.page.get_by_role("button", name="Play Artifacts, Inc.", exact=True).click()
        await other.press("Start Match", private=False)
        await page.sees("Oleg's turn", private=False)
    await page.page.locator(".drawer").click()
    await page.page.locator(".begin:visible").click()
    await page.page.get_by_role("dialog").get_by_role("button", name="Play Artifact", exact=True).click()
    toast = page.page.locator(".toast", has_text="Your table is in #games")
    await expect(toast).to_be_visible(timeout=30_000)
    await expect(page.page.locator("h1")).to_contain_text("games")


@pytest.mark.parametrize("width", [390, 1280])
async def test_one_press_deals_cards_to_two_people_side_by_side(house: House, width: int) -> None:
    page = await house.open("Ana", "camp", width=width, height=844)
    await page.page.locator("h1").wait_for()
    button = "Play Archaeology: The Card Game as two people"
    if width > 390:
        await page.page.locator(".begin:visible").click()
    await page.page.get_by_role("button", name=button).last.click()
    ana, ben = (page.page.frame_locator(f'iframe[title="{person}’s view"]') for person in ("Ana", "Ben"))
    hand = ana.locator(".message.mine")
    await ana.get_by_role("button", name="Start Match").click()
    await expect(hand.last).to_contain_text(" cards · ")
    for person, view in (("Ana", ana), ("Ben", ben)):
        await expect(view.locator(f'.who[aria-label="You are {person}"]')).to_be_visible()
        await expect(view.locator("h1")).to_have_text(await ana.locator("h1").inner_text())
    assert page.page.url.endswith("#people=ana,ben")
    if width == 390:
        tabs = page.page.locator(".people .button")
        await expect(tabs.and_(page.page.locator("[aria-current=true]"))).to_have_text(["Ana"])
        await tabs.filter(has_text="Ben").click()
        await expect(page.page.locator('iframe[title="Ben’s view"]')).to_be_in_viewport(ratio=1)
        await expect(tabs.and_(page.page.locator("[aria-current=true]"))).to_have_text(["Ben"])
    await page.page.reload()
    await expect(hand.last).to_contain_text(" cards · ")


async def test_direct_messages_open_with_what_to_do_and_one_press_to_a_match_alone(house: House) -> None:
    page = await house.open("Chen", "Digsite")
    await expect(page.page.locator(".welcome")).to_contain_text("It answers to commands: type /")
    await page.say("Hello?")
    await expect(page.page.locator(".toast")).to_contain_text("reads no messages")
    await page.page.get_by_role("button", name="Play Archaeology: The Card Game", exact=True).click()
    await page.sees(" cards · ")
    await expect(page.page.locator("h1")).to_contain_text("Digsite")


async def test_group_opens_with_what_to_do_and_one_press_to_a_hand(house: House) -> None:
    page = await house.open("Dora", GROUP)
    await expect(page.page.locator(".welcome")).to_contain_text("choose how many and how strong")
    await page.page.get_by_role("button", name="Play Archaeology: The Card Game", exact=True).click()
    await page.press("Start Match", private=False)
    await page.press("Hand", private=False)
    await page.sees(" cards · ", private=True)


@pytest.mark.parametrize("entry", ["Be Dora", "Show Dora beside"])
async def test_another_person_is_shown_in_the_place_in_which_one_is(house: House, entry: str) -> None:
    page = await house.open("Emil", "market", width=1280, height=900)
    await page.page.locator('[data-person="dora"]').click()
    await page.page.locator(".menu .option", has_text=entry).click()
    beside = page.page.frame_locator('iframe[title="Dora’s view"]')
    root = beside if "beside" in entry else page.page
    await expect(root.locator('.who[aria-label="You are Dora"]')).to_be_visible()
    await expect(root.locator("h1")).to_contain_text("market")
