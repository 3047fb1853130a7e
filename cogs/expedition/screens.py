"""The parts of The New Expedition's screens that Archaeology does not have: Tents and the six monuments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from bot.art.picture import Picture
from bot.art.scene import Deed
from bot.language import gettext as _
from bot.language import pgettext
from bot.tables.play import Moves
from bot.ui.screens import components as ui
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.game_screens import (
    OWN_SCREEN,
    Action,
    Credits,
    Meaning,
    Page,
    Refusal,
    SeenEvent,
    Setting,
)
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import FIRST_TIME, Choices, Item, Option, button, menus
from bot.ui.screens.lessons import read_lesson
from bot.ui.screens.names import Names
from bot.ui.screens.pages import read_rules
from cogs.archaeology_family import lessons, losses, pages, proposals
from cogs.archaeology_family import names as card
from cogs.archaeology_family.art.vignettes import deeds
from cogs.archaeology_family.names import read_number
from cogs.archaeology_family.screens import PRIMARY, FamilyScreens
from cogs.archaeology_family.words import Wins, opponents
from cogs.expedition import words
from cogs.expedition.art import draw, pictures
from cogs.expedition.art.pictures import expedition_emoji
from cogs.expedition.monuments import (
    EMOJI,
    chamber_label,
    chamber_lines,
    insight_lines,
    layout,
    maps,
    mine_lines,
    monument_name,
    rule_sentence,
    sphinx_chances,
)
from cogs.expedition.words import TENT_ICON
from engine.agents.advice import Reason
from engine.archaeology_family.card_list import MAP, bundles
from engine.archaeology_family.moves import Explore
from engine.errors import IllegalMove
from engine.expedition import moves as x
from engine.expedition.agents.explorations import is_known, unknown
from engine.expedition.monuments import KEPT, PILE, SAFE, TURNED, Ruins
from engine.expedition.state import KEEP, MINE, MONUMENTS, TENT, ExpeditionView
from engine.game import AnyGame

USE_TENT: Final = "g.use-tent"
SAVE_AND_LOSE: Final = "g.save-and-lose"
LOOK_PRESS: Final = "g.look"
KEEP_PRESS: Final = "g.keep"
KEEP_CHOSEN: Final = "g.keep-chosen"
TURN_UP: Final = "g.turn-up"
STOP: Final = "g.stop"
NAME: Final = "g.name"
NAME_CHOSEN: Final = "g.name-chosen"

LESSON_WINS: Final[Wins] = {"novice": (3, 5), "veteran": (1, 3), "expert": (1, 7)}


class ExpeditionScreens(FamilyScreens[ExpeditionView, x.Move]):
    """The screens of Archaeology: The New Expedition."""

    game: ClassVar[str] = "expedition"
    minutes = (10, 30)
    weight = "light"
    sample_options: ClassVar[Mapping[str, str]] = {"monument": "great_pyramid"}

    credits = Credits(authors=("Phil Walker-Harding",), publishers=("Z-Man Games",), year=2016)
    opponents = staticmethod(partial(opponents, LESSON_WINS))
    chamber_name = staticmethod(chamber_label)
    chambers = staticmethod(chamber_lines)
    insights = staticmethod(insight_lines)
    emoji_parts = staticmethod(expedition_emoji)
    sign = staticmethod(partial(draw, "small-sphinx"))
    banner = staticmethod(pictures.banner)
    table_picture = staticmethod(pictures.table_picture)

    def __init__(self, game: AnyGame) -> None:
        super().__init__(game)
        self.lesson = read_lesson(Path(__file__).with_name("lesson.toml"), game, _facts)

    def title(self) -> str:
        return _("Archaeology: The New Expedition")

    def summary(self) -> str:
        return _(
            "The dig goes on: tents against the sandstorm, and one of six monuments to explore with your maps."
        )

    # -- the start

    def settings(self) -> Mapping[str, Setting]:
        shown = {key: f"{EMOJI[key]} {monument_name(key)}\n-# {rule_sentence(key)}" for key in MONUMENTS}
        names = {key: monument_name(key) for key in MONUMENTS}
        return {
            "monument": Setting(
                pgettext("setting", "Monument"),
                _("The monument to explore; drawn at random unless you choose"),
                {**names, "great_pyramid": _("Great Pyramid (for a first match)")},
                unchosen=_("Drawn at random"),
                shown={**shown, None: _("drawn at random")},
            )
        }

    # -- what is asked

    def public_prompt(self, view: ExpeditionView, seat: int, names: Names) -> str:
        texts = {
            TENT: _("{who}: use the Tent, or lose {cards}?"),
            KEEP: _("{who} is in the Tomb and chooses what to keep."),
            MINE: _("{who} is in the Mine: go on, or stop?"),
        }
        if view.phase not in texts:
            return super().public_prompt(view, seat, names)
        return texts[view.phase].format(who=names.bold(seat), cards=_at_stake(view, seat))

    def prompt(self, view: ExpeditionView, seat: int) -> str:
        texts = {
            # Translators: follows a name and a comma.
            TENT: _("a Sandstorm is coming! Do you use your Tent?"),
            # Translators: follows a name and a comma.
            KEEP: _("you are in the Tomb: choose what you keep."),
            # Translators: follows a name and a comma.
            MINE: _("you are in the Mine: one more card, or stop?"),
        }
        return texts.get(view.phase) or super().prompt(view, seat)

    def actions(self, view: ExpeditionView) -> list[Action]:
        if view.phase == MINE:
            return [Action(_("Reveal a Card"), TURN_UP, "⛏️"), Action(_stop_label(view), STOP, "🛑")]
        if view.phase == TENT:
            return [Action(_("Use the Tent"), USE_TENT, TENT_ICON), Action(_("Save the Tent …"), OWN_SCREEN)]
        return super().actions(view)

    # -- the table message

    def primer(self, view: ExpeditionView) -> list[str]:
        tent = _("Your Tent {tent} shelters your hand from one Sandstorm of the match.")
        key = view.monument
        monument = f"{EMOJI[key]} **{monument_name(key)}** · {rule_sentence(key)}"
        once = _("You explore once a turn at most: a Map that you take after that is for your next turn.")
        return [*super().primer(view), once, tent.format(tent=TENT_ICON), monument]

    def seat_marks(self, view: ExpeditionView, seat: int) -> str:
        return f" · {TENT_ICON}" if view.tents[seat] else ""

    # -- the private screen

    def decide(self, view: ExpeditionView, names: Names, choices: Choices, to: Id) -> list[Item]:
        match view.phase:
            case "tent":
                return self._tent(view, choices, to)
            case "keep":
                return self._keep(view, choices, to)
            case "mine":
                return self._mine(view, to)
            case _:
                look = self._look(view, to) if view.look else []
                return [*look, *super().decide(view, names, choices, to)]

    def _tent(self, view: ExpeditionView, choices: Choices, to: Id) -> list[Item]:
        text = _("{storm} Without the Tent you lose {cards}. A Tent shelters you once.")
        text = text.format(storm=card.SANDSTORM, cards=_at_stake(view, view.asked))
        due = view.sizes[view.asked] // 2
        chosen = losses.chosen_losses(view, choices, due)
        label, press = _("Save the Tent, Lose {cards}"), to._replace(intent=SAVE_AND_LOSE)
        lose = losses.loss_button(view, chosen, due, label, press)
        return [
            ui.text(text),
            ui.row(button(_("Use the Tent"), to._replace(intent=USE_TENT), PRIMARY, emoji=TENT_ICON)),
            ui.row(lose),
            *losses.loss_menus(view, choices, due, to),
        ]

    def _look(self, view: ExpeditionView, to: Id) -> list[Item]:
        press = to._replace(intent=LOOK_PRESS)
        left = [(chamber_label(number), press._replace(arg=str(number))) for number in unknown(view)]
        chambers = [button(*each, PRIMARY, emoji="👁️") for each in left]
        text = "-# " + _("First you may look into one chamber of the Temple, unseen:")
        return [ui.text(text), ui.row(*chambers)] if chambers else []

    def _keep(self, view: ExpeditionView, choices: Choices, to: Id) -> list[Item]:
        """The menu that makes the choice; with one filled in by a hint, the button that makes it too."""
        seen, chosen = view.choice or (), choices.get(KEEP_PRESS, ())
        options = [
            Option(
                _("another {card}").format(card=card.name(kind)) if copy else card.name(kind),
                f"{kind}.{copy}",
                _("trade value {n} · you hold {held}").format(n=view.trade[kind], held=view.own_hand[kind]),
                card.EMOJI[kind],
            )
            for kind, n in enumerate(seen)
            for copy in range(min(n, KEPT))
        ]
        text = _("You see {cards}.").format(cards=card.cards(bundles(seen)))
        prompt = _("Keep {n} of them …").format(n=KEPT)
        menu = menus(to._replace(intent=KEEP_PRESS), prompt, options, chosen=chosen, count=(KEPT, KEPT))
        if not chosen:
            return [ui.text(text), *menu]
        label = (words.move_text(view, x.Keep(_kept(chosen))) or "").rstrip(".")
        return [ui.text(text), *menu, ui.row(button(label, to._replace(intent=KEEP_CHOSEN), SUCCESS))]

    def _mine(self, view: ExpeditionView, to: Id) -> list[Item]:
        return [
            ui.text("\n".join(f"> {line}" for line in mine_lines(view))),
            ui.row(
                button(_("Reveal a Card"), to._replace(intent=TURN_UP), PRIMARY, emoji="⛏️"),
                button(_stop_label(view), to._replace(intent=STOP), SUCCESS, emoji="🛑"),
            ),
        ]

    def explorations(self, view: ExpeditionView) -> list[Option]:
        held = view.hand[MAP] if view.hand else 0
        return [
            Option(self._explore_label(view, number), str(number), emoji=EMOJI[view.monument])
            for number in view.explorable
            if held >= view.costs[number]
        ]

    def _explore_label(self, view: ExpeditionView, number: int) -> str:
        """A chamber by what tells it from the others: its cards if the viewer knows all of them, and its price."""
        if view.monument == "mine":
            return _("Explore the Mine for {maps}").format(maps=maps(view, number))
        if len(set(view.costs)) > 1:
            cards = card.number_of_cards(view.chambers[number])
            return _("Explore for {maps} · {cards}").format(maps=maps(view, number), cards=cards)
        known = is_known(view, number)
        what = maps(view, number)
        what += f" → {card.fitting_cards(bundles(view.within[number]), 40)}" if known else ""
        return _("Explore {chamber} · {what}").format(chamber=chamber_label(number), what=what)

    def explore_items(self, view: ExpeditionView, choices: Choices, to: Id) -> list[Item]:
        open_ones = self.explorations(view)
        if view.monument == "sphinx" and open_ones:
            chances = sphinx_chances(view)
            options = [Option(card.name(kind), str(kind), text, card.EMOJI[kind]) for kind, text in chances]
            prompt = _("Ask the Sphinx for two different treasures …")
            chosen = choices.get(NAME, ())
            menu = menus(to._replace(intent=NAME), prompt, options, chosen=chosen, count=(2, 2))
            if not chosen:
                return menu
            label = (words.move_text(view, _guess(chosen)) or "").rstrip(".")
            return [*menu, ui.row(button(label, to._replace(intent=NAME_CHOSEN), SUCCESS))]
        costs = [cost for size, cost in zip(view.chambers, view.costs, strict=True) if size]
        if view.explored and any(view.own_hand[MAP] >= cost for cost in costs):
            explored = "-# " + _("You have explored; your Maps can explore again on your next turn.")
            return [ui.text(explored, id=FIRST_TIME)]
        return super().explore_items(view, choices, to)

    def opened(self, view: ExpeditionView, maps: int) -> list[str]:
        then = super().opened(replace(view, explored=False), maps)
        later = _("your Maps can explore again on your next turn")
        return [later][: len(then)] if view.explored else then

    def ends_without_cards(self, view: ExpeditionView) -> bool:
        return not (view.monument == "temple" and any(view.chambers))  # R10: the seller may look into one

    def site_sign(self, view: ExpeditionView) -> str:
        return EMOJI[view.monument]

    def is_sheltered(self, view: ExpeditionView) -> bool:
        return view.viewer is not None and view.tents[view.viewer]

    def selection_for(self, view: ExpeditionView, move: Any) -> Choices:
        if isinstance(move, x.Keep):
            return {KEEP_PRESS: [f"{kind}.{copy}" for kind, n in move.cards for copy in range(n)]}
        if isinstance(move, x.Guess):
            return {NAME: [str(kind) for kind in move.treasures]}
        return proposals.selection_for(view, move)

    # -- presses

    def presses(self) -> Mapping[str, Meaning[ExpeditionView, x.Move]]:
        return {
            **self.family_presses(),
            USE_TENT: lambda _view, _pressed: x.UseTent(True),
            SAVE_AND_LOSE: lambda view, pressed: Moves((x.UseTent(False), losses.discard(view, pressed))),
            LOOK_PRESS: lambda _view, pressed: x.LookAt(read_number(pressed.arg)),
            KEEP_PRESS: lambda _view, pressed: x.Keep(_kept(pressed.chosen)),
            KEEP_CHOSEN: lambda _view, pressed: x.Keep(_kept(pressed.choices.get(KEEP_PRESS, ()))),
            TURN_UP: lambda _view, _pressed: x.TurnUp(),
            STOP: lambda _view, _pressed: x.Stop(),
            NAME: lambda _view, pressed: _guess(pressed.chosen),
            NAME_CHOSEN: lambda _view, pressed: _guess(pressed.choices.get(NAME, ())),
        }

    # -- words

    def describe(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        return words.describe(event, viewer, names) or super().describe(event, viewer, names)

    def premove_text(self, view: ExpeditionView, move: Any) -> str:
        if isinstance(move, x.UseTent):
            return _("⛺ You shelter in your Tent.") if move.use else _("You save your Tent.")
        return super().premove_text(view, move)

    def move_text(self, view: ExpeditionView, move: Any, names: Names) -> str:
        if isinstance(move, Explore):  # as on its button
            return f"{self._explore_label(view, move.chamber)}."
        return words.move_text(view, move) or super().move_text(view, move, names)

    def reason_text(self, view: ExpeditionView, reason: Reason, names: Names) -> str:
        def chamber(number: int) -> str:
            if len(view.chambers) == 1:
                return f"{EMOJI[view.monument]} {monument_name(view.monument)}"
            sized = len(set(view.costs)) > 1
            return card.number_of_cards(view.chambers[number]) if sized else chamber_label(number)

        return words.reason_text(view, reason) or proposals.reason_text(reason, names, chamber)

    def deed(self, event: SeenEvent, you: bool, viewer: int | None, names: Names) -> str | None:
        return words.deed(event, you) or super().deed(event, you, viewer, names)

    def refusals(self) -> Mapping[str, Refusal]:
        return {**super().refusals(), **words.refusals()}

    def rules(self) -> list[Page]:
        monuments = [
            f"{EMOJI[key]} **{monument_name(key)}** · {layout(key)}\n{rule_sentence(key)}"
            for key in MONUMENTS
        ]
        fields = {
            **pages.fields(),
            "tent": TENT_ICON,
            "monuments": "\n\n".join(monuments),
            "safe": SAFE,
            "turned": TURNED,
            "pile": PILE,
            "storms": PILE // len(Ruins.sizes),
        }
        hand = (172, 12, 36, 40), (266, 126, 38, 34), (328, 200, 42, 34), (490, 200, 42, 34)
        shown, cards = pages.pages(self, self.sample, 66, 1, hand), pages.cards(self.card_list)
        made = {"pictures": shown, "cards": cards}
        return read_rules(Path(__file__).with_name("rules.md"), fields, made)

    # -- pictures

    def vignette(self, events: Sequence[SeenEvent]) -> Picture | None:
        return pictures.vignette(events, self.card_list)

    def deeds(self, events: Sequence[SeenEvent]) -> Sequence[Deed]:
        return deeds(events, pictures.signs)


def _facts(view: ExpeditionView, names: Names) -> Mapping[str, Any]:
    return {**lessons.facts(view, names), "tent": view.tents[0]}


def _at_stake(view: ExpeditionView, seat: int) -> str:
    return card.number_of_cards(view.sizes[seat] // 2)


def _stop_label(view: ExpeditionView) -> str:
    return _("Stop, Take {n}").format(n=len(view.turned))


def _kept(values: Sequence[str]) -> tuple[tuple[int, int], ...]:
    kinds = [read_number(value.partition(".")[0]) for value in values]
    return tuple((kind, kinds.count(kind)) for kind in sorted(set(kinds)))


def _guess(values: Sequence[str]) -> x.Guess:
    if len(values) != 2:
        raise IllegalMove("names-must-differ")
    return x.Guess((read_number(values[0]), read_number(values[1])))
