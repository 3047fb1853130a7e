"""Whatever a press or a form carries (another version's, damaged, made up), its sender is answered; nothing breaks."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from simcord.enums import InteractionType

from bot.ui.screens.ids import LONGEST, Id, read_id
from tests.cogs import some_game
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.page import Page
from tests.cogs.table_driver import Delivery, Person, Room
from tests.cogs.test_refusals import STORM
from tests.sampling import examples

UNKNOWN: Final = "belongs to an older version of me"

TURN = crafted.craft(
    [{"coin": 4, "map": 3}, {"pot_shard": 3}], market={"talisman": 2}, site=["coin"] * 4, phase=crafted.ACT
)
THIEF = crafted.craft([{"coin": 3}, {"pot_shard": 3}], site=["coin"], phase=crafted.STEAL, active=0)

# -- what a press may carry

OF_A_GAME: Final = [
    *(
        "g.dig",
        "g.steal",
        "g.lose",
        "g.discard",
        "g.take",
        "g.give",
        "g.trade",
        "g.sell",
        "g.explore",
        "g.end",
    ),
    *(
        "g.use-tent",
        "g.save-and-lose",
        "g.look",
        "g.keep",
        "g.turn-up",
        "g.stop",
        "g.name",
        "g.",
        "g.nothing",
        "s.",
        "s.nothing",
    ),
]
OF_RULES: Final = [
    *(
        "rules.archaeology",
        "rules.expedition-page",
        "rules.",
        "rules..",
        "rules.chess",
        "rules.-page",
        "rules.None",
    )
]

near = st.integers(-3, 30).map(str)
far = st.sampled_from([2**31, 2**53, 2**63 - 1, 2**63, 2**64, 10**30, -(2**63) - 1]).map(str)
odd = st.sampled_from(
    ["", "x", " 1", "1 ", "1_0", "１", "٣", "+1", "1e3", "0x1", "007", "nan", "²", "\0", "None"]
)
number = st.one_of(near, near, far, odd, st.text(max_size=6))
of_a_table = st.integers(0, 99).map("HANDLER{}".format)
"""Stands for one of the intents that the host knows."""
intent = st.one_of(of_a_table, st.sampled_from([*OF_A_GAME, *OF_RULES]), st.text(max_size=8))
card = st.builds("{}x{}.{}".format, number, number, near)
value = st.one_of(
    card, number, st.lists(card, max_size=3).map(",".join), st.just("9" * 100), st.text(max_size=9)
)
values = st.one_of(st.none(), st.lists(value, max_size=4))


@dataclass(frozen=True)
class Forged:
    """A press or form to be sent. `TABLE` and `DECISION` in its custom_id stand for the table's and the open one."""

    custom_id: str
    values: list[str] | None = field(default=None)
    on_private: bool = False
    form: list[dict[str, Any]] | None = None


table = st.one_of(*[st.just("TABLE")] * 4, number)
decision = st.one_of(*[st.just("DECISION")] * 3, st.just(""), number)
made = st.builds("ds:{}:{}:{}:{}".format, table, intent, decision, st.one_of(number, card))
move = st.builds("ds:TABLE:{}:DECISION:{}".format, st.sampled_from(OF_A_GAME), st.one_of(near, number))
cut = st.sampled_from(
    ["", "ds", "ds:", "ds:::", "ds::::", "ds:::::::", "xx:1:hand::", "hand", "DS:1:hand::", ":" * 50]
)
custom_id = st.one_of(made, made, move, move, cut, st.text(max_size=LONGEST)).map(
    lambda text: text[: LONGEST - 20]
)
part = st.one_of(
    value.map(lambda text: {"type": 4, "custom_id": "word", "value": text}),
    values.map(lambda chosen: {"type": 3, "custom_id": "word", "values": chosen or []}),
    st.just({"type": 4, "custom_id": "word"}),
)
parts = st.lists(
    st.one_of(
        part.map(lambda inner: {"type": 18, "component": inner}),
        part.map(lambda inner: {"type": 1, "components": [inner]}),
    ),
    max_size=2,
)
forged = st.one_of(
    st.builds(Forged, custom_id, values, st.booleans()),
    st.builds(Forged, custom_id, st.none(), st.just(False), parts),
)


def sent(person: Person, page: Page, own: Page, forgery: Forged, table: int, decision: int) -> Delivery:
    known = sorted(person.room.host.router._actions)
    text = re.sub(r"HANDLER(\d+)", lambda found: known[int(found[1]) % len(known)], forgery.custom_id)
    text = text.replace("TABLE", str(table)).replace("DECISION", str(decision))
    if forgery.form is not None:
        data = {"custom_id": text, "components": forgery.form}
        return person.interaction(InteractionType.MODAL_SUBMIT, data, None)
    return person.forging(own if forgery.on_private and own.exists else page, text, forgery.values)


async def no_harm(room: Room, presses: list[Delivery], caplog: pytest.LogCaptureFixture) -> None:
    """Delivers these: each is answered, by no apology, and the log has nothing to tell."""
    await room.deliver(*presses)
    for press in presses:
        if not press.answered and is_gone(
            press
        ):  # of several presses at once another has closed the private screen
            room.answers_missing += 1
            continue
        assert press.answered, press.payload["data"]
        assert not any("went wrong" in answer.text for answer in press.answers), press.payload["data"]
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def is_gone(press: Delivery) -> bool:
    """Whether the message that was pressed has been deleted since."""
    pressed = press.record.source_message_id
    return pressed is not None and not Page(press.room.env, press.record.channel_id, pressed).exists


@pytest.mark.parametrize("game", ["archaeology", "expedition"])
@examples(30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    forgeries=st.lists(forged, min_size=20, max_size=40),
    place=st.sampled_from(["lobby", "turn", "storm", "thief"]),
)
async def test_no_forged_press_or_form_stays_unanswered_or_breaks_anything(
    room: Room, caplog: pytest.LogCaptureFixture, game: str, forgeries: list[Forged], place: str
) -> None:
    room.game = game
    ana, ben = room.person("Ana"), room.person("Ben")
    room.channel = room.guild.create_text_channel("games")
    lobby = await ana.command("start")
    await ben.press(lobby, "Join")
    page = own = lobby
    opened = 0
    if place != "lobby":
        await ana.press(lobby, "Start Match")
        if game == "archaeology":
            await room.stage({"turn": TURN, "storm": STORM, "thief": THIEF}[place])
        page = await room.board()
        current = await room.table()
        opened = current.game.pending(current.state)[0].id
        own = await (ana, ben)[current.game.pending(current.state)[0].seat].hand()
    number = (await room.table()).id
    presses = [
        sent(person, page, own, forgery, number, opened)
        for forgery, person in zip(forgeries, [ana, ben] * len(forgeries), strict=False)
    ]
    await no_harm(room, presses, caplog)
    await room.host.tables.give_up(number)


async def turn_of_ana(room: Room) -> tuple[Person, Page, Page]:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(TURN)
    return ana, await room.board(), await ana.hand()


NEVER_WRITTEN = [
    f"ds:{2**63}:hand::",
    "ds:1_0:hand::",
    "ds:１:hand::",
    "ds: 1:hand::",
    "ds:-1:hand::",
    "ds:x:hand::",
    f"ds:1:hand:{2**63}:",
    "ds:1:rules-page::x",
    "ds:1:rules-page::-1",
    "ds:0:rules.archaeology-page::²",
    "ds:0:rules.chess::",
    "ds:0:rules.::",
    "ds:1:log-page::",
    "ds:1:log-page::1e3",
    "ds:1:take-over::x",
    "ds:1:take-over::",
    "ds:1:g.end::",
    "ds:2:1:hand::",
    "v2/1/hand",
    "ds:1:hand:",
    "",
]
"""Texts that no version ever wrote on a button."""


async def test_what_no_version_ever_wrote_gets_the_sentence_for_an_unknown_button(room: Room) -> None:
    ana, board, _own = await turn_of_ana(room)
    before = (await room.table()).version
    for text in NEVER_WRITTEN:
        for page in (await ana.hand(), board):
            press = ana.forging(page, text)
            await room.deliver(press)
            assert UNKNOWN in press.answer.text, text
    assert (await room.table()).version == before


async def test_so_does_a_move_that_the_game_does_not_have(room: Room) -> None:
    ana, _board, own = await turn_of_ana(room)
    to = read_id(own.buttons["End Turn"])
    assert to is not None
    for intent in ("g.nothing", "g.use-tent", "g."):
        press = ana.forging(own, str(to._replace(intent=intent)))
        await room.deliver(press)
        assert UNKNOWN in press.answer.text


@pytest.mark.parametrize("text", ["ds:1:word-set", f"ds:{2**63}:word-set::x", "word"])
async def test_a_form_of_another_version_gets_it_too(room: Room, text: str) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    form = [{"type": 18, "component": {"type": 4, "custom_id": "word", "value": "x"}}]
    press = ana.interaction(InteractionType.MODAL_SUBMIT, {"custom_id": text, "components": form}, None)
    await room.deliver(press)
    assert UNKNOWN in press.answer.text


@pytest.mark.parametrize("menu", [digger.TAKE, digger.SELL])
async def test_menu_values_that_were_never_offered_are_refused_and_the_screen_stays_usable(
    room: Room, caplog: pytest.LogCaptureFixture, menu: str
) -> None:
    ana, _board, own = await turn_of_ana(room)
    if menu == digger.TAKE:
        own = await ana.choose(own, digger.OFFER, digger.BUILD)
    before, custom_id = (await room.table()).sequence, own.menu(menu).custom_id
    for value in ("99x1.0", "0x99.0", "0x5.0", "1x0.0", "x", "0x", "９x１.0", "9" * 100):
        press = ana.forging(own, custom_id, [value])
        await no_harm(room, [press], caplog)
        assert "⚠️" in press.answer.text, value
        assert (await room.table()).sequence == before
    assert "3 Coins" in (await some_game.move(ana, own)).text


def test_an_id_is_read_as_it_was_written_and_in_no_other_way() -> None:
    for written in (
        Id("hand", 7),
        Id("g.dig", 2**63 - 1, "999999999.999999999", "a:b"),
        Id("forget-me"),
        Id("add", 3, "0", "novice"),
    ):
        assert read_id(str(written)) == written
    for text in (
        "ds:07:hand::",
        "ds:+7:hand::",
        "ds:7:hand:00:",
        f"ds:{2**63}:hand::",
        f"ds:7:hand:{10**30}:",
    ):
        assert read_id(text) is None
