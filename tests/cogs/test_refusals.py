"""An impossible action is not carried out, and the person is told why, in a sentence that says what to do."""

from __future__ import annotations

import pytest

from tests.cogs import some_game
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room

STALE = "moved on since this screen was shown"

TURN = crafted.craft(
    [{"coin": 4, "map": 2, "talisman": 1}, {"pot_shard": 3}],
    market={"talisman": 2},
    site=["coin", "coin"],
    phase=crafted.ACT,
)
DIG = some_game.beginning()
STORM = crafted.craft(
    [{"coin": 3, "map": 3}, {"pot_shard": 3}],
    site=["coin"],
    phase=crafted.STORM,
    active=0,
    asked=0,
    queue=[1],
)


async def standing(room: Room) -> tuple[object, ...]:
    """All of a table that a press could change."""
    table = await room.table()
    return table.version, table.sequence, table.status, [seat.user_id for seat in table.seats]


async def test_an_outsider_changes_nothing_by_any_button_and_is_answered_each_time(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    eve = room.person("Eve")
    for state in (DIG, TURN, STORM):
        await room.stage(state)
        board, private = await room.board(), await ana.hand()
        if private.offers(digger.OFFER):
            await digger.take(ana, private, "1 Talisman")
        shown = [(page, page.buttons, page.menus) for page in (board, private)]
        more = await ana.press(board, "More")
        shown.append((more, more.buttons, more.menus))
        before = await standing(room)
        own = await eve.command("rules")
        for page, buttons, shown_menus in shown:
            # Whatever a person has on their own screen, somebody else could send by a client of their own.
            there = board if page == board else own
            own_lesson = "Learn"  # it is hers, with a hand
            presses = [eve.forging(there, id_) for label, id_ in buttons.items() if label != own_lesson]
            presses += [
                eve.forging(there, menu.custom_id, [next(iter(menu.options.values()))])
                for menu in shown_menus
            ]
            for press in presses:
                await room.deliver(press)
                assert press.answered
                assert press.answer.ephemeral
                assert " · 💰 $" not in press.answer.text
                assert "went wrong" not in press.answer.text
        assert await standing(room) == before


async def test_an_outsider_reads_the_public_log_and_no_hand(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(DIG)
    board = await room.board()
    await ana.press(board, "Dig")
    eve = room.person("Eve")
    log = await eve.press(board, "Log")
    assert "digs" in log.text
    assert "Coin" not in log.text.rpartition("begins")[2].partition("\n")[2]
    assert "You dig up" in (await ana.press(board, "Log")).text
    assert "not at this table" in (await eve.press(board, "Hand")).text


async def test_not_your_move(room: Room) -> None:
    _ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(DIG)
    before = await standing(room)
    answer = await ben.press(await room.board(), "Dig")
    assert "not your turn yet" in answer.text
    assert "It is **Ana**'s turn to dig." in answer.text, "it says for whom the match waits"
    assert await standing(room) == before


async def test_a_refusal_stands_on_the_hand_until_the_match_moves_on(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(DIG)
    board, hand = await room.board(), await ben.hand()
    early = await ben.press(board, "Dig")
    assert "not your turn yet" in early.text
    assert " · 💰 $" in early.text
    assert not hand.exists, "no second message stays above it"
    hand = await ben.press_stale(board, "back")
    assert "already here" in hand.text
    assert "not your turn" not in hand.text, "a remark belongs to its press"
    assert not early.exists
    await ana.press(board, "Dig")
    assert "already here" not in hand.text


async def test_a_full_table_and_people_who_sit_already(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    eve = room.person("Eve")
    assert "already at this table" in (await ana.press(lobby, "Join")).text
    late = eve.pressing(lobby, "Join")
    for name in ("Cara", "Dan"):
        await room.person(name).press(lobby, "Join")
    assert "Join" not in lobby.buttons
    await room.deliver(late)
    assert "All 4 seats are taken" in late.answer.text
    assert "not at this table" in (await eve.press(lobby, "Leave")).text
    assert "not at this table" in (await eve.press(lobby, "Lucky Word")).text


async def test_one_match_a_channel_with_a_link_to_it(room: Room) -> None:
    lobby, (_ana, ben) = await room.lobby_of("Ana", "Ben")
    answer = await ben.command("start")
    assert answer.ephemeral
    assert "already a match here" in answer.text
    assert answer.links["Go to the Table"].endswith(f"/{room.channel.id}/{lobby.id}")


async def test_commands_where_there_is_no_match(room: Room) -> None:
    ana = room.person("Ana")
    for command in ("hand", "table", "log", "leave", "end"):
        answer = await ana.command(command)
        assert answer.ephemeral
        assert "no match of this game" in answer.text
        assert "/archaeology start" in answer.text
    assert "### " in (await ana.command("rules")).text


async def test_presses_on_a_match_that_is_over(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(DIG)
    board = await room.board()
    old = [ana.pressing(board, "Dig"), ben.pressing(board, "More")]
    await ana.press(await ana.command("end"), "End the Match")
    await ben.press(await ben.command("end"), "End the Match")
    presses = [press.now() for press in old]
    await room.deliver(*presses)
    assert all("match is over" in press.answer.text for press in presses)


@pytest.mark.parametrize("missing", ["view_channel", "send_messages"])
async def test_missing_permissions_are_named(room: Room, missing: str) -> None:
    ana = room.person("Ana")
    room.forbid(**{missing: True})
    answer = await ana.command("start")
    assert missing.replace("_", " ").title() in answer.text
    assert answer.ephemeral
    room.allow_again()
    lobby = await ana.command("start", agents=1)
    room.forbid(**{missing: True})
    for press in ("Start Match",):
        assert missing.replace("_", " ").title() in (await ana.press(lobby, press)).text
    assert (await room.table()).status == "lobby"


async def test_an_outdated_screen_is_refreshed_and_nothing_is_done(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(TURN)
    page = await ana.hand()
    seen = ana.pressing(page, "End Turn")
    await some_game.move(ana, page)
    before = await standing(room)
    late = seen.now()
    await room.deliver(late)
    assert late.answer == page, "the screen that was pressed is the one that is refreshed"
    assert STALE in page.text
    assert "3 Coins" in page.text
    assert await standing(room) == before


async def test_an_outdated_screen_of_a_turn_that_is_over_says_so(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(TURN)
    page = await ana.hand()
    seen = ana.pressing(page, "End Turn")
    await ana.press(page, "End Turn")
    late = seen.now()
    await room.deliver(late)
    assert STALE in late.answer.text, "that it is Ben's turn now is no news of what became of the press"


async def test_a_menu_of_an_outdated_screen_chooses_nothing(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(TURN)
    page = await ana.hand()
    seen = some_game.moving(ana, page)
    await some_game.move(ana, page)
    before = await standing(room)
    late = seen.now()
    await room.deliver(late)
    assert STALE in page.text
    assert await standing(room) == before


async def test_a_stale_press_is_answered_to_what_was_pressed_and_what_holds_now(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(TURN)
    page = await ana.hand()
    four = next(label for label in page.buttons if label.startswith("Sell 4 Coins"))
    end, sale = ana.pressing(page, "End Turn"), ana.pressing(page, four)
    await some_game.move(ana, page)
    await room.deliver(end)
    assert "**End Turn**: this press did nothing. The match has moved on" in page.text
    assert "Press again if you still want to." in page.text
    await room.deliver(sale)
    assert (
        f"**{four}**: this press did nothing. You don't have those cards. Choose from your hand." in page.text
    )
    assert (await room.table()).sequence == 1


async def test_a_command_of_another_game_is_told_which_one_is_played_here(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana")
    room.game = "expedition"
    answer = await ana.command("hand")
    assert "another game is being played: Archaeology: The Card Game." in answer.text
    assert str(lobby.id) in answer.links["Go to the Table"]


async def test_a_double_press_acts_once(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(DIG)
    board = await room.board()
    twice = [ana.pressing(board, "Dig"), ana.pressing(board, "Dig")]
    await room.deliver(*twice)
    assert (await room.table()).sequence == 1
    assert all(press.answered for press in twice)
    (screen,) = [page for press in twice for page in press.answers if page.ephemeral]
    assert "You dig up" in screen.text


async def test_a_double_press_on_a_menu_of_the_own_screen_acts_once(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(TURN)
    page = await ana.hand()
    twice = [some_game.moving(ana, page) for _ in range(2)]
    await room.deliver(*twice)
    assert (await room.table()).sequence == 1
    assert "3 Coins" in page.text
    assert STALE in page.text


async def test_a_press_that_is_delivered_twice_acts_once(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(DIG)
    press = ana.pressing(await room.board(), "Dig")
    await room.deliver(press, press)
    assert (await room.table()).sequence == 1
    await room.deliver(press)
    assert (await room.table()).sequence == 1
    assert "You dig up" in press.answer.text


@pytest.mark.parametrize("custom_id", ["ds:1:dance::", "archaeology-dig", "ds:x:hand::", "ds:hand"])
async def test_a_button_of_an_older_version_says_so(room: Room, custom_id: str) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    press = ana.forging(await room.board(), custom_id)
    await room.deliver(press)
    assert "older version" in press.answer.text
    assert press.answer.ephemeral


async def test_a_button_of_a_match_that_is_kept_no_more(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    press = ana.forging(await room.board(), "ds:77:hand::")
    await room.deliver(press)
    assert "no longer have" in press.answer.text


async def test_a_button_acts_on_a_table_of_its_own_channel_alone(room: Room) -> None:
    """Numbers of tables may come again after an old copy of the file was put back."""
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(DIG)
    room.channel = room.guild.create_text_channel("elsewhere")
    lobby = await ana.command("start")
    before = (await room.table(1)).version
    for custom_id in (f"ds:1:g.dig:{DIG.moves}:", "ds:1:hand::", "ds:1:leave-now::", "ds:1:log::"):
        press = ana.forging(lobby, custom_id)
        await room.deliver(press)
        assert "no longer have" in press.answer.text
    assert (await room.table(1)).version == before


# -- what the rules forbid


async def forbidden(person: Person, page: Page, custom_id: str) -> str:
    """The answer to a press on a button that the screen does not let anybody press."""
    before = await standing(person.room)
    press = person.forging(page, custom_id)
    await person.room.deliver(press)
    assert await standing(person.room) == before
    return press.answer.text


async def test_the_rule_is_named_where_the_rules_forbid_a_choice(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    hand = {"coin": 3, "map": 3, "talisman": 3, "broken_cup": 2, "pot_shard": 3}
    storm = crafted.craft([hand, {"pot_shard": 2}], site=["coin"], phase=crafted.STORM, queue=[1])
    await room.stage(storm)
    page = await ana.hand()
    await ana.choose(page, digger.LOSE, "Clear selection")
    await ana.choose(page, digger.LOSE, "2 Maps")
    assert any("5 More" in label for label in page.greyed)
    text = await forbidden(ana, page, f"ds:1:g.discard:{storm.moves}:")
    assert "choose 7, not 2" in text
    assert "half of your hand" in text


async def test_a_trade_that_is_too_dear_says_by_how_much(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(TURN)
    page = await ana.hand()
    await digger.take(ana, page, "1 Talisman")
    await ana.choose(page, digger.PAY, "1 Coin")
    assert "1 short" in page.text
    assert "Trade" in page.greyed
    assert "worth 1 more" in await forbidden(ana, page, f"ds:1:g.trade:{TURN.moves}:")
    assert page.menu(digger.PAY).chosen == ("1 Coin",), "what was chosen stays"


async def test_who_must_sell_cannot_end_the_turn(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    state = crafted.craft([{"coin": 1}, {"coin": 1}], rest="sold", phase=crafted.ACT)
    state.duty, state.stall = True, 6
    await room.stage(state)
    page = await ana.hand()
    assert "must sell" in page.text
    assert "End Turn" in page.greyed
    text = await forbidden(ana, page, f"ds:1:g.end:{state.moves}:")
    assert "Sell at least one set before you end this turn" in text
    assert "(R" not in text, "the numbers of rulings stand in the rules alone"


async def test_a_move_that_the_screen_does_not_offer_is_refused_with_its_rule(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(TURN)
    page = await ana.hand()
    press = ana.forging(page, f"ds:1:g.explore:{TURN.moves}:2")
    await room.deliver(press)
    assert "costs 3" in press.answer.text
    assert "already dug" in await forbidden(ana, page, f"ds:1:g.dig:{TURN.moves}:")
