"""The screens of Artifacts, Inc., as the host asks for them, and its rules in pictures: a table, company and turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from bot.art.common import TOKEN_WORDS
from bot.art.drawings import edged
from bot.art.ink import Part
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Deed
from bot.language import by_language, pgettext
from bot.language import gettext as _
from bot.ui.screens import components as ui
from bot.ui.screens.fitting import DECISION, height, picture_height, small_print
from bot.ui.screens.game_parts import GameWords, marked
from bot.ui.screens.game_screens import Action, AnyScreens, Credits, GameScreens, Meaning, Page, SeenEvent
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import PICTURED, Choices, Item, paged
from bot.ui.screens.lessons import read_lesson
from bot.ui.screens.names import Names
from bot.ui.screens.pages import Label, Sample, labelled_page, steps_page
from cogs.artifacts_inc import (
    companies,
    ending,
    intents,
    pages,
    presses,
    proposals,
    recap,
    shop,
    table,
    turn,
    words,
)
from cogs.artifacts_inc import names as name
from cogs.artifacts_inc.art import board as table_drawing
from cogs.artifacts_inc.art import company, draw, goods, results, vignettes
from cogs.artifacts_inc.lesson import facts
from engine.agents.advice import Reason, adviser_of
from engine.artifacts_inc import ArtifactsInc
from engine.artifacts_inc.agents.master import Master
from engine.artifacts_inc.moves import Move
from engine.artifacts_inc.state import ARRANGE, View
from engine.game import AnyGame, own_decision

TABLE: Final = 23
"""The moves of the sample before the table that is shown."""
TURN: Final = (5, 7, 8)
"""The moves before each picture of the turn of seat 1: the dice are rolled, two are placed, and a card is bought."""


def illustrated_pages(screens: AnyScreens, sample: Sample) -> list[Page]:
    """The three pages."""

    def own(moves: int) -> Picture | None:
        return screens.own_picture(sample.view(moves, 1))

    turn = [
        _("You roll all your dice."),
        _("You place them on cards and at museums, which brings artifacts and dollars."),
        _("You buy a card, which brings ⭐ and uses for dice. Your turn ends with your last die."),
    ]
    return [
        labelled_page(
            _("The table in a picture"), lambda: screens.table_picture(sample.view(TABLE, None)), _table()
        ),
        labelled_page(_("A company in a picture"), lambda: own(TURN[1]), _company()),
        steps_page(_("A turn in three pictures"), lambda: [own(moves) for moves in TURN], turn),
    ]


def _table() -> list[Label]:
    museum = _(
        "A museum: the die that it takes, the dollars that it adds, the ⭐ for the most cubes at "
        "the end, and who has the most."
    )
    market = _("The market, in piles A to E: the price on the tab, and the ⭐ that the card brings.")
    company = _("A company: its ⭐, the ⭐ of its museums now, its way to 20, money, dice and artifacts.")
    return [
        ((6, 6, 351, 72), museum),
        (
            (420, 40, 300, 34),
            _("Its orders. Each takes exactly so many artifacts, once, and then has the seller's cube."),
        ),
        ((12, 164, 102, 98), market),
        ((576, 260, 132, 88), _("The dive: the sum of dice that it needs, and its find.")),
        ((6, 546, 708, 138), company),
        ((256, 400, 290, 94), _("Its cards, with the dice that they take, and its finds.")),
        ((6, 494, 200, 40), _("The dice of the player whose turn it is, and where the placed ones lie.")),
    ]


def _company() -> list[Label]:
    return [
        ((0, 0, 400, 42), _("Your ⭐, your dollars and your artifacts.")),
        ((566, 2, 150, 42), _("Your dice: first those that you can still place, then those at museums.")),
        ((138, 130, 50, 40), _("The die that a card takes. 4+ means 4 or more; 1 alone means a 1.")),
        ((194, 130, 40, 40), _("The thing that the card brings.")),
        ((250, 132, 36, 34), _("A die that lies on a card this turn.")),
    ]


OWN_ROOM: Final = 2400
"""Characters of one's own company on the private screen."""


class ArtifactsIncScreens(GameScreens[View, Move]):
    """The screens of Artifacts, Inc."""

    game: ClassVar[str] = "artifacts-inc"
    minutes = (10, 45)
    weight = "medium"
    own_in_film = False
    colour: int = 0xB5652D

    credits = Credits(authors=("Ryan Laukat",), publishers=("Red Raven Games",), year=2014)
    opponents = staticmethod(words.opponents)
    board = staticmethod(table.board)
    sheets = staticmethod(table.sheets)
    sheet = staticmethod(table.sheet)
    selection_for = staticmethod(presses.selection_for)
    refusals = staticmethod(words.refusals)
    highlights = staticmethod(ending.highlights)
    differences = staticmethod(ending.differences)
    counts_rounds = True
    moment = staticmethod(recap.moment)
    effect = staticmethod(recap.effect)
    result = staticmethod(ending.result)
    sign = staticmethod(partial(draw, "statue"))
    banner = staticmethod(results.banner)
    table_picture = staticmethod(table_drawing.table)
    sheet_picture = staticmethod(table.sheet_picture)
    podium = staticmethod(results.podium)

    def __init__(self, game: AnyGame) -> None:
        assert isinstance(game, ArtifactsInc)
        master = adviser_of(game)
        assert isinstance(master, Master)
        self.card_list, self._finishing = game.card_list, master.finishing
        self.catalogue = game.catalogue
        self.lesson = read_lesson(Path(__file__).with_name("lesson.toml"), game, facts)
        self._sample = Sample(game, game.options_type(), level="veteran")

    def title(self) -> str:
        return _("Artifacts, Inc.")

    def summary(self) -> str:
        return _(
            "New York, 1929: roll dice, find artifacts, sell them to museums, buy and upgrade cards, "
            "and dive for lost cities."
        )

    @by_language
    def words(self) -> GameWords:
        return GameWords(
            own_screen=_("My Company"),
            own_screen_emoji=name.COMPANY,
            rules=pgettext("button", "Rules"),
            own_screen_command=_("Your company and your moves, seen by you alone"),
            send_by_dm=_("Send My Company by DM"),
            sent_by_dm=_("I have sent you your company."),
            dms_closed=_("Your direct messages are closed to me, so here is your company:"),
        )

    def primer(self, view: View) -> list[str]:
        return [
            _("Place your dice on cards: find artifacts, sell them to museums, buy cards, dive."),
            companies.goal(),
            _("A museum's orders are for so many of a kind, and each is filled once: “order 2” takes two."),
            _("Two places take any die: **Private Collectors** buy any artifacts, **Guide Work** pays $1."),
            _(
                "Each button shows what a die does and what you get. You can **Undo** until a new card is revealed."
            ),
        ]

    # -- what is asked

    def public_prompt(self, view: View, seat: int, names: Names) -> str:
        if view.phase == ARRANGE:
            return _("It is {who}'s turn to roll.").format(who=names.bold(seat))
        text = _("{who} still has {dice} to place.") if view.laid or view.dived else _("{who} rolls {dice}.")
        return text.format(who=names.bold(seat), dice=name.dice(view.dice))

    def prompt(self, view: View, seat: int) -> str:
        if table.last_round(view):
            return _("it's your last turn.")
        # Translators: follows a name and a comma: “@Ana, it is your turn.”
        return _("it's your turn: roll the dice.") if view.phase == ARRANGE else _("it's your turn.")

    def heading(self, view: View, names: Names) -> str:
        turn = _("Your last turn") if table.last_round(view) else _("Your turn")
        return f"**{turn}** · {companies.race(view, view.active, names)[0]}" if own_decision(view) else ""

    def end_line(self, view: View, names: Names) -> str:
        return table.end_line(view)

    def call_line(self, view: View) -> str:
        return name.dice(view.dice)

    # -- what all see

    def actions(self, view: View) -> list[Action]:
        return [Action(pgettext("button", "Roll"), intents.ROLL, name.DIE)] if view.phase == ARRANGE else []

    # -- the private screen

    def private(self, view: View, names: Names, choices: Choices, to: Id) -> list[Item]:
        seat = view.viewer
        assert seat is not None
        if own_decision(view) is None:
            company = ui.text(self.private_text(view), id=PICTURED)
            return [ui.text(companies.race(view, seat, names)[0]), *self._race(view, names, choices), company]
        return [
            *self._race(view, names, choices),
            ui.text(turn.state_of_turn(view, seat), id=PICTURED),
            *self.decide(view, names, choices, to),
        ]

    def decide(self, view: View, names: Names, choices: Choices, to: Id) -> list[Item]:
        assert view.viewer is not None
        pictured = picture_height(WIDTH, company.height(self.view_of_choices(view, choices), view.viewer))
        return turn.screen(view, choices, to, DECISION - pictured - height(self._race(view, names, choices)))

    def _race(self, view: View, names: Names, choices: Choices) -> list[Item]:
        """The lines about the race below its first; for a purchase, which takes much room, one of them alone."""
        assert view.viewer is not None
        begun = any(chosen for intent, chosen in choices.items() if intent not in (intents.DIE, intents.USE))
        asked = view.viewer == view.active and not begun
        lines = companies.race(view, view.viewer, names)[1:]
        below = small_print([*lines, *(companies.orders(view, view.viewer) if asked else ())])
        finish = shop.finish(view, self._finishing(view)) if asked else []
        below += companies.alarm(view, view.viewer, names) or finish
        return [ui.text("\n".join(below[:1] if choices.get(shop.CARD) else below))] if below else []

    def private_text(self, view: View) -> str:
        """The viewer's company, its head first."""
        seat = view.viewer
        assert seat is not None
        lines = [
            " · ".join([_("### Your company"), companies.worth(view, seat)]),
            companies.standing(view, seat),
        ]
        whole = companies.card_lines(view, seat)
        first = paged(whole, OWN_ROOM)[0]
        more = [] if len(first) == len(whole) else [_("… **More** on the table shows all cards.")]
        return "\n".join([*lines, *first, *more])

    def move_text(self, view: View, move: Move, names: Names) -> str:
        return proposals.move_text(view, move)

    def reason_text(self, view: View, reason: Reason, names: Names) -> str:
        return proposals.reason_text(view, reason, names)

    def presses(self) -> Mapping[str, Meaning[View, Move]]:
        return presses.MEANINGS

    # -- words

    def describe(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        return words.describe(event, viewer, names, self.catalogue)

    def recap(self, events: Sequence[SeenEvent], viewer: int | None, names: Names) -> list[str]:
        return recap.recap(events, viewer, names, self.catalogue)

    def concerns(self, event: SeenEvent, viewer: int) -> bool:
        # One's own roll at the end of another's turn is no news: the dice stand on the screen.
        return event.facts.get("passes") == viewer or (event.seat == viewer and event.kind != "rolled")

    def news_line(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        if event.kind == "majority":  # the result counts all of them, in its order
            return ""
        if event.facts.get("passes") == viewer is not None:
            return "**" + words.overtaken(event, names, self.catalogue).replace("**", "") + "**"
        text = self.describe(event, viewer, names)
        return f"**{text.replace('**', '')}**" if vignettes.is_memorable(event) else text

    def rules(self) -> list[Page]:
        return pages.rules(self.card_list, self.catalogue, illustrated_pages(self, self._sample))

    def amount(self, n: float) -> str:
        return f"{name.REPUTATION} {n:g}"

    def feat(self, name: str, size: int) -> str:
        return _("biggest museum sale ${n}").format(n=size) if name == "museum" else ""

    # -- pictures

    def emoji_parts(self) -> Mapping[str, Part]:
        words = {"🎲": "die", **dict(zip(name.SEAT, TOKEN_WORDS, strict=False))}
        return {emoji: edged(part, words.get(emoji)) for emoji, part in goods.emoji().items()}

    def view_of_turn(self, view: View, seat: int) -> View:
        if seat == view.active:
            return view
        # The next player has rolled at once: those dice belong to the next frame.
        rolled = replace(view, dice=(), covered=(), laid=(), dived=(), used=())
        return marked(rolled, seat)

    def view_of_choices(self, view: View, choices: Choices) -> View:
        # The places for a new card are shown once a card is chosen.
        chosen = any(value.startswith(shop.NEW_CARD) for value in choices.get(shop.CARD, ()))
        return replace(view, phase=company.PLACING) if chosen else view

    def own_picture(self, view: View) -> Picture | None:
        return None if view.viewer is None else company.picture(view, view.viewer)

    def vignette(self, events: Sequence[SeenEvent]) -> Picture | None:
        return vignettes.vignette(events, self.catalogue)

    def deeds(self, events: Sequence[SeenEvent]) -> Sequence[Deed]:
        return vignettes.deeds(events, self.catalogue)
