"""The shared screens of both Archaeology games.

This is the private screen with the meaning of its presses, and the common parts of the table message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final, TypeVar

from bot.art.picture import Picture
from bot.art.scene import Deed
from bot.language import by_language, ngettext, pgettext
from bot.language import gettext as _
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.components import PRIMARY, SECONDARY
from bot.ui.screens.game_parts import GameWords, marked
from bot.ui.screens.game_screens import (
    OWN_SCREEN,
    SHEET_INTENTS,
    Action,
    GameScreens,
    Meaning,
    Pressed,
    SeenEvent,
)
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import OTHERS, PICTURED, SEATS, Choices, Item, Option, button
from bot.ui.screens.names import NO_BREAK, Names
from bot.ui.screens.pages import Sample
from cogs.archaeology_family import ending, losses, museum, proposals, recap, trading, words
from cogs.archaeology_family import names as card
from cogs.archaeology_family.art import hand, results, vignettes
from cogs.archaeology_family.names import read_number
from engine.agents.advice import Reason
from engine.archaeology_family import moves as m
from engine.archaeology_family.agents.reasons import whole_sets
from engine.archaeology_family.card_list import MAP, bundles
from engine.archaeology_family.rules import ArchaeologyFamily
from engine.archaeology_family.state import ACT, View
from engine.game import AnyGame, own_decision

# Intents. Those of trades, sales and losses stand in `trading`, `museum` and `losses`.
DIG_PRESS: Final = "g.dig"
STEAL_PRESS: Final = "g.steal"
EXPLORE: Final = "g.explore"
END_TURN: Final = "g.end"
SOLD: Final = f"{SHEET_INTENTS}sold"
"""The intent of the button that shows the sold sets."""


V = TypeVar("V", bound=View, contravariant=True)
M = TypeVar("M", covariant=True)


def _opened(self: FamilyScreens[V, Any], view: V, maps: int) -> list[str]:
    """The chambers that so many Maps would open, but not now."""
    hand = tuple(maps if kind == MAP else n for kind, n in enumerate(view.own_hand))
    now = {option.value for option in self.explorations(view)}
    then = [each.label for each in self.explorations(replace(view, hand=hand)) if each.value not in now]
    return [_("then: {exploration}").format(exploration=label) for label in then]


def _no_insights(_view: object) -> list[str]:
    return []


class FamilyScreens(GameScreens[V, M]):
    """The shared screens of both games. The first three members are for each game to give."""

    chamber_name: Callable[[int], str]
    """The name of a chamber in a sentence: "the small chamber"."""
    chambers: Callable[[V], list[str]]
    """The chambers in words, with their prices and sizes, in as few lines as are easy to read."""
    explorations: Callable[[V], list[Option]]
    """The chambers that the viewer can explore now: the label of each one's button, and its number as the value."""
    insights: Callable[[V], list[str]] = staticmethod(_no_insights)
    takes_lead = staticmethod(recap.takes_lead)
    """Lines about other cards that the viewer alone has seen."""

    sample_options: ClassVar[Mapping[str, str]] = {}
    """The options of the match that the pictures of the rules show."""

    selection_for = staticmethod(proposals.selection_for)
    newest_turn = staticmethod(recap.newest_turn)
    effect, leads_to = staticmethod(recap.effect), staticmethod(recap.leads_to)

    def helped(self, view: V, events: recap.Events, told: recap.Events, seat: int, names: Names) -> str:
        return recap.helped(view, events, told, seat, names, self.chamber_name)

    primer, refusals = staticmethod(words.primer), staticmethod(words.refusals)
    highlights, result = staticmethod(ending.highlights), staticmethod(ending.result)
    view_of_turn = staticmethod(marked)
    own_picture, podium = staticmethod(hand.own_picture), staticmethod(results.podium)

    def __init__(self, game: AnyGame) -> None:
        assert isinstance(game, ArchaeologyFamily)
        self.card_list = game.card_list
        self.sample = Sample(game, game.load_options(self.sample_options), level="expert")

    @by_language
    def words(self) -> GameWords:
        return GameWords(rules=_("Prices & Rules"))

    # -- what is asked

    def public_prompt(self, view: V, seat: int, names: Names) -> str:
        who = names.bold(seat)
        match view.phase:
            case "dig":
                return _("It is {who}'s turn to dig.").format(who=who)
            case "steal":
                return _("{who} has met a Thief and is choosing whom to rob.").format(who=who)
            case "sandstorm":
                n = view.to_lose
                text = ngettext("{who} chooses {n} card to lose.", "{who} chooses {n} cards to lose.", n)
                return text.format(who=who, n=n)
            case _:
                text = _("{who} may trade and sell.")
                text = _("{who} may trade, explore and sell.") if any(view.chambers) else text
                duty = " " + _("At least one set must be sold.") if view.duty else ""
                return text.format(who=who) + duty

    def prompt(self, view: V, seat: int) -> str:
        match view.phase:
            case "steal":
                # Translators: follows a name and a comma: “@Ana, you met a Thief: …”.
                return _("you met a Thief: choose who it steals from.")
            case "sandstorm":
                # Translators: follows a name and a comma. Some have nothing to choose, which nobody else may know.
                text = _("a Sandstorm takes {n} of your {all} cards.")
                return text.format(n=view.sizes[seat] // 2, all=view.sizes[seat])
            case _ if not view.site and not any(n for other, n in enumerate(view.sizes) if other != seat):
                # Translators: follows a name and a comma. The others' turns are skipped: the same player's is next.
                return _("it's your turn: only you still have cards.")
            case _:
                # Translators: follows a name and a comma: “@Ana, it is your turn.”
                return _("it's your turn.")

    def heading(self, view: V, names: Names) -> str:
        asked = self.prompt(view, view.viewer or 0)
        turn = _("Your turn") if asked == _("it's your turn.") else asked[:1].upper() + asked[1:].rstrip(".")
        money = f"💰 ${view.money[view.viewer or 0]}"
        if view.phase not in ("dig", ACT):  # what is asked is long
            return f"**{turn}** · {money}"
        dig, cards = _("dig") + " · " if view.phase == "dig" else "", card.number_of_cards(sum(view.own_hand))
        differ = len({*filter(None, view.chambers)}) > 1
        if view.phase == ACT and view.own_hand[MAP] > 2 and differ and _best(view, self.explorations(view)):
            turn = _("Your Maps open the largest chamber!")
        return f"**{turn}** · {dig}{cards} · {money}{self.seat_marks(view, view.viewer or 0)}"

    def end_line(self, view: V, names: Names) -> str:
        rest = words.nearly_empty(view)
        return f"{rest} {words.lead(view, names)}" if rest else ""

    def actions(self, view: V) -> list[Action]:
        match view.phase:
            case "dig":
                return [Action(pgettext("button", "Dig"), DIG_PRESS, "⛏️")]
            case "sandstorm":
                return [Action(pgettext("button", "Lose Cards"), OWN_SCREEN, card.SANDSTORM)]
            case _:
                return []

    # -- the table message

    def board(self, view: V, names: Names) -> list[Item]:
        lines = [f"-# {line}" for line in (self.call_line(view), *self.chambers(view), words.left(view))]
        return [
            # In small print, or the message would be higher than a phone's screen.
            ui.text("\n".join(lines), id=PICTURED),
            ui.text("\n".join(self._seat(view, seat, names) for seat in range(view.seats))),
        ]

    def call_line(self, view: V) -> str:
        cards = card.in_signs(bundles(view.market), view.trade)
        # Translators: {cards} are cards, each with its trade value in brackets.
        text = _("**Market** (trade value): {cards}")
        return text.format(cards=cards or pgettext("market", "*empty*"))

    def _seat(self, view: V, seat: int, names: Names) -> str:
        # In a Sandstorm the match waits for others than the digger.
        turn = "▶️ " if any(decision.seat == seat for decision in view.pending) else ""
        cards = card.number_of_cards(view.sizes[seat])
        who = f"{SEATS[seat]} {names.bold(seat)}"
        return f"{turn}{who} · {cards} · ${view.money[seat]}{self.seat_marks(view, seat)}"

    def seat_marks(self, view: V, seat: int) -> str:
        return ""  # what a game adds to the line of a seat

    def sheets(self, view: V, names: Names) -> list[Action]:
        label = pgettext("button: the sets that were sold", "Sold")
        return [Action(label, SOLD, "💰")] if any(view.sold) else []

    def sheet(self, view: V, names: Names, pressed: Pressed, to: Id) -> list[Item]:
        if pressed.intent != SOLD:
            raise Refused("unknown")
        sold = [card.sold_sets(sets, view.prices) or _("nothing yet") for sets in view.sold]
        lines = [f"{names.bold(seat)} · **${view.money[seat]}** · {sets}" for seat, sets in enumerate(sold)]
        return [ui.text("\n".join([_("### Sold sets"), *lines]))]

    # -- the private screen

    def private(self, view: V, names: Names, choices: Choices, to: Id) -> list[Item]:
        # The picture of a hand has its cards and prices, but neither the money nor the viewer's insights.
        decides = own_decision(view) is not None
        above = [*([] if decides else [_heading(view)]), *self.insights(view)]
        own: list[Item] = [ui.text("\n".join(above))] if above else []
        own.append(ui.text("\n".join(museum.holdings(view)), id=PICTURED))
        if not decides or view.phase in ("dig", ACT):  # other decisions fill a phone's screen
            lines = [_facts(view, names, self.site_sign(view), partial(self.seat_marks, view))]
            if not decides or view.phase == "dig":  # a turn has the market beside its trades
                lines.append("-# " + self.call_line(view))
            own.append(ui.text("\n".join(lines), id=OTHERS))
        return [*own, *self.decide(view, names, choices, to)] if decides else own

    def private_text(self, view: V) -> str:
        return "\n".join([_heading(view), *museum.holdings(view), *self.insights(view)])

    def revealed(self, view: V, names: Names) -> str:
        if view.viewer is None or not any(view.own_hand):
            return ""
        return f"{SEATS[view.viewer]} {names.bold(view.viewer)} · {card.cards(bundles(view.own_hand))}"

    def decide(self, view: V, names: Names, choices: Choices, to: Id) -> list[Item]:
        match view.phase:
            case "dig":
                end = button(_("End Turn"), to._replace(intent=END_TURN), disabled=True)
                return [ui.row(_dig(to, due=True), end)]
            case "steal":
                return _victims(view, names, to)
            case "sandstorm":
                return losses.storm_items(view, choices, to)
            case _:
                return self._turn(view, choices, to)

    def _turn(self, view: V, choices: Choices, to: Id) -> list[Item]:
        items: list[Item] = []
        if not choices.get(trading.TAKE):  # all of it would exceed what a message may hold
            items += [
                *museum.sale_items(view, choices, to, ends_turn=self.ends_without_cards(view)),
                *self.explore_items(view, choices, to),
            ]
        if any(view.market) and any(view.hand or ()):
            items += [
                ui.text("-# " + self.call_line(view)),
                *trading.trade_items(view, choices, to, partial(self.opened, view)),
            ]
        return [*items, *_end_of_turn(view, to, self.explorations(view), sheltered=self.is_sheltered(view))]

    def ends_without_cards(self, view: V) -> bool:
        """Whether the viewer's turn ends with the sale of the last card."""
        return True

    def site_sign(self, view: V) -> str:
        """The emoji of what is explored."""
        return "⛰️"

    def is_sheltered(self, view: V) -> bool:
        """Whether the next Sandstorm need not take anything from the viewer."""
        return False

    def explore_items(self, view: V, choices: Choices, to: Id) -> list[Item]:
        """A button for each chamber that the viewer may explore now."""
        options = self.explorations(view)
        styles: tuple[ui.Style, ui.Style] = (SECONDARY, PRIMARY)
        best, press = _best(view, options), to._replace(intent=EXPLORE)
        buttons = [
            button(each.label, press._replace(arg=each.value), styles[each in best], emoji=each.emoji)
            for each in options
        ]
        if not any(view.chambers) and view.own_hand[MAP]:
            return [ui.text("-# " + _("All chambers are explored: Maps open nothing more."))]
        return [ui.row(*buttons)] if buttons else []

    # -- presses

    def family_presses(self) -> Mapping[str, Meaning[V, m.Move]]:
        """The meaning of the buttons and menus that both games draw."""
        return {
            DIG_PRESS: lambda _view, _pressed: m.Dig(),
            STEAL_PRESS: lambda _view, pressed: m.Steal(read_number(pressed.arg)),
            **losses.PRESSES,
            **trading.PRESSES,
            **museum.PRESSES,
            EXPLORE: lambda _view, pressed: m.Explore(read_number(pressed.arg)),
            END_TURN: lambda _view, _pressed: m.EndTurn(),
        }

    # -- words

    def describe(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        if text := words.describe(event, viewer, names):
            return text
        if event.kind == "sandstorm":
            return " ".join(self.recap([event], viewer, names))
        return recap.in_full(event, viewer, names, self.deed)

    def premove_text(self, view: V, move: Any) -> str:
        if isinstance(move, m.Discard):
            return _("You lose {cards} to the market.").format(cards=card.cards(move.cards))
        return ""

    def move_text(self, view: V, move: Any, names: Names) -> str:
        return proposals.move_text(view, move, names, self.explorations(view))

    def reason_text(self, view: V, reason: Reason, names: Names) -> str:
        return proposals.reason_text(reason, names, self.chamber_name)

    def preselected(self, view: V, move: Any) -> bool:
        return isinstance(move, m.Discard) and move.cards == losses.least_loss(view)

    def recap(self, events: Sequence[SeenEvent], viewer: int | None, names: Names) -> list[str]:
        return recap.in_few_lines(
            events, viewer, names, self.deed, lambda event: self.describe(event, viewer, names)
        )

    def deed(self, event: SeenEvent, you: bool, viewer: int | None, names: Names) -> str | None:
        """A player's deed in an event, as a part of a sentence after their name; None if it is no deed."""
        if event.kind == "explored":
            chamber = self.chamber_name(event.facts["chamber"])
            maps, text = card.counted(MAP, event.facts["maps"]), recap.verbs()["explored"][you]
            return text.format(chamber=chamber, found=words.found(event.facts), maps=maps)
        return recap.deed(event, you, viewer, names)

    def concerns(self, event: SeenEvent, viewer: int) -> bool:
        return event.seat == viewer or event.facts.get("victim") == viewer

    def moment(self, event: SeenEvent, viewer: int | None) -> int:
        return recap.moment(event, viewer, self.card_list)

    def news_line(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        return words.as_news(event, viewer, self.describe(event, viewer, names))

    amount, ties = staticmethod(ending.dollars), staticmethod(ending.ties)

    def feat(self, name: str, size: int) -> str:
        return _("largest sale ${n}").format(n=size) if name == "sale" else ""

    def compare(self, own: Sequence[SeenEvent], other: Sequence[SeenEvent], seat: int, rival: str) -> str:
        def deed(event: SeenEvent, you: bool) -> str:
            sale = recap.sales_text([event], you=you) if event.kind == "sold" else ""
            return sale or self.deed(event, you, None, Names(())) or ""

        return ending.first_difference(own, other, seat, rival, deed)

    alike = frozenset({"found", "ended"})
    causes = frozenset({"sandstorm"})
    opened = _opened
    course = staticmethod(ending.course)
    pace = staticmethod(ending.pace)

    # -- pictures

    def sheet_picture(self, view: V, pressed: Pressed) -> Picture | None:
        return results.sold_picture(view) if pressed.intent == SOLD else None

    def own_picture_after(self, view: V, events: Sequence[SeenEvent]) -> Picture | None:
        found = recap.gained(events, view.viewer)
        return hand.own_picture(view, found) if found else self.own_picture(view)

    def vignette(self, events: Sequence[SeenEvent]) -> Picture | None:
        return vignettes.vignette(events, self.card_list)

    def deeds(self, events: Sequence[SeenEvent]) -> Sequence[Deed]:
        return vignettes.deeds(events, vignettes.family_signs)


def _victims(view: View, names: Names, to: Id) -> list[Item]:
    press, buttons = to._replace(intent=STEAL_PRESS), list[ui.Button]()
    for seat in view.victims:
        label = f"{names.bare(seat)} · {card.number_of_cards(view.sizes[seat])} · ${view.money[seat]}"
        sign = names.bold(seat).rpartition(NO_BREAK)[0] or card.THIEF
        buttons.append(button(label, press._replace(arg=str(seat)), PRIMARY, emoji=sign))
    return [ui.row(*buttons)]


def _dig(to: Id, *, due: bool) -> ui.Button:
    """**Dig**, which keeps its place after the dig: a second tap there does nothing."""
    press = to._replace(intent=DIG_PRESS)
    return button(
        pgettext("button", "Dig"), press, PRIMARY if due else SECONDARY, emoji="⛏️", disabled=not due
    )


def _heading(view: View) -> str:
    cards = card.number_of_cards(sum(view.own_hand))
    return _("### Your hand · {cards} · 💰 ${money}").format(cards=cards, money=view.money[view.viewer or 0])


def _end_of_turn(view: View, to: Id, explorations: Sequence[Option], *, sheltered: bool) -> list[Item]:
    sale, dug = museum.sale_of_all(view, to), [] if view.dry else [_dig(to, due=False)]
    kept = None if view.duty or sheltered else museum.set_at_risk(view)
    texts = [_("You must sell at least one set before this turn ends.")] if view.duty else []
    texts += [words.risk(kept, view)] if kept else []
    better = sale or whole_sets(view) or _best(view, explorations)
    label = _("End Turn Without Selling") if kept else _("End Turn")
    style = SECONDARY if better else PRIMARY
    end = button(label, to._replace(intent=END_TURN), style, disabled=view.duty)
    return [*map(ui.text, texts), ui.row(*dug, *sale, end)]


def _facts(view: View, names: Names, site: str, marks: Callable[[int], str]) -> str:
    """The rest of the dig site with its hazards; below it the chambers, and the others' money, cards and Tents."""
    rest = [_("⛏️ {n} to dig").format(n=view.site), *words.hazards(view)] if view.site else []
    sizes = "+".join(map(str, filter(None, view.chambers)))
    others = [f"{site}{NO_BREAK}{sizes}"] if sizes else []
    others += [
        f"{names.escaped(seat)} ${view.money[seat]}, {card.number_of_cards(view.sizes[seat])}" + marks(seat)
        for seat in range(view.seats)
        if seat != view.viewer
    ]
    return "\n".join("-# " + " · ".join(parts) for parts in (rest, others) if parts)


def _best(view: View, explorations: Sequence[Option]) -> list[Option]:
    most = max(view.chambers, default=0)
    return [option for option in explorations if view.chambers[int(option.value)] == most]
