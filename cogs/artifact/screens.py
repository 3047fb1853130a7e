"""The screens of Artifact, as the host asks for them, and the meaning of each button and menu of the private screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import ClassVar, Final

from bot.art.picture import Picture
from bot.language import by_language, ngettext, pgettext
from bot.language import gettext as _
from bot.ui.screens import components as ui
from bot.ui.screens.game_parts import GameWords, marked
from bot.ui.screens.game_screens import (
    Action,
    Credits,
    GameScreens,
    Meaning,
    Page,
    Refusal,
    SeenEvent,
    Setting,
    keep_selection,
)
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import FOLDED, PICTURED, Choices, Item
from bot.ui.screens.lessons import read_lesson
from bot.ui.screens.names import Names
from bot.ui.screens.pages import Sample
from cogs.artifact import ending, pages, prompts, proposals, recap, table, turn, words
from cogs.artifact import names as name
from cogs.artifact.art import draw, moments, pictures, trail
from cogs.artifact.art import sheets as party
from cogs.artifact.lesson import facts
from engine.artifact import Artifact, choices
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.moves import Move
from engine.artifact.state import View
from engine.game import AnyGame, own_decision


def _chosen(view: View, selected: Choices) -> View:
    """The view of a party that is being made, as it is chosen in the menus; another view as it is."""
    is_made = view.phase == s.PARTY and own_decision(view) is not None
    return replace(view, created=s.Created(*turn.created(view, selected))) if is_made else view


MEANINGS: Final[Mapping[str, Meaning[View, m.Move]]] = {
    turn.TENS: keep_selection,
    turn.EQUIP: keep_selection,
    turn.SET_OUT: lambda view, pressed: turn.created(view, pressed.choices),
    turn.ROLL: lambda _view, _pressed: m.ROLL,
    turn.FORWARD: lambda _view, _pressed: m.FORWARD,
    turn.BACK: lambda _view, _pressed: m.BACK,
    turn.MEET: lambda _view, pressed: m.Meet(turn.number(pressed.arg)),
    turn.NAME: lambda _view, pressed: m.Name(turn.number(pressed.arg)),
    turn.USE: lambda view, pressed: m.Use(turn.set_aids(view, pressed.arg)),
    turn.AIDS: keep_selection,
    turn.SPEND: lambda view, pressed: m.Use(turn.chosen_aids(view, pressed.choices.get(turn.AIDS, ()))),
    turn.GIVE_UP: lambda view, pressed: m.GiveUp(turn.given_up(view, pressed)),
}
"""By intent. A move of another phase is refused by the engine."""


TWO_LINES: Final = 70
"""Characters of small print that stand in two lines on a phone, about."""


class ArtifactScreens(GameScreens[View, Move]):
    """The screens of Artifact."""

    game: ClassVar[str] = "artifact"
    minutes = (10, 45)
    weight = "medium"
    own_in_film = False  # nothing of a party is hidden
    colour: int = 0x3E7C59

    credits = Credits(authors=(), publishers=())  # the text that its rules were written after names nobody
    opponents = staticmethod(prompts.opponents)
    end_line = staticmethod(table.near_home)
    board = staticmethod(table.board)
    sheets = staticmethod(table.sheets)
    sheet = staticmethod(table.sheet)
    decide = staticmethod(turn.screen)
    private_text = staticmethod(turn.own_party)
    concerns = staticmethod(recap.concerns)
    counts_rounds = True
    moment = staticmethod(recap.moment)
    effect = staticmethod(recap.effect)
    meaning = staticmethod(proposals.meaning)
    newest_turn = staticmethod(recap.newest_turn)
    result = staticmethod(ending.result)
    emoji_parts = staticmethod(pictures.emoji_parts)
    sign = staticmethod(partial(draw, "Star-Globe"))
    banner = staticmethod(pictures.banner)
    table_picture = staticmethod(trail.table)
    own_picture = staticmethod(party.own)
    sheet_picture = staticmethod(party.looked_up)
    view_of_turn = staticmethod(marked)
    view_of_choices = staticmethod(_chosen)
    deeds = staticmethod(moments.deeds)
    move_text = staticmethod(proposals.move_text)
    reason_text = staticmethod(proposals.reason_text)
    selection_for = staticmethod(proposals.selection_for)
    preselected = staticmethod(proposals.preselected)
    podium = staticmethod(pictures.podium)

    def __init__(self, game: AnyGame) -> None:
        assert isinstance(game, Artifact)
        self.catalogue = game.catalogue
        self.lesson = read_lesson(Path(__file__).with_name("lesson.toml"), game, facts)
        self._sample = Sample(game, game.options_type(), level="veteran")

    def title(self) -> str:
        return _("Artifact")

    def summary(self) -> str:
        return _("A race of adventurers along a perilous trail, to find the Artifact and to bring it home.")

    @by_language
    def words(self) -> GameWords:
        return GameWords(
            own_screen=_("My Party"),
            own_screen_emoji="🥾",
            own_screen_command=_("Your party and your moves, seen by you alone"),
            rules=pgettext("button", "Rules"),
            rules_command=_("How the game is played"),
            send_by_dm=_("Send My Party by DM"),
            sent_by_dm=_("I have sent you your party."),
            dms_closed=_("Your direct messages are closed to me, so here is your party:"),
        )

    def primer(self, view: View) -> list[str]:
        lines = [
            _("Race to square 30, take the Artifact {artifact} and bring it home to square 1."),
            _(
                "On your turn you roll a six-sided die and move. Your party's abilities and Boons {aids} help where "
                "things happen."
            ),
            _(
                "End your move on another party's square and you fight it; a roll says which ability counts. "
                "The winner takes the Artifact from the loser."
            ),
            _(
                "The loser is wounded, too, and a second wound sends a member home. Boons count in fights as well."
            ),
            _("Once someone has taken the Artifact, all others roll first and then choose the direction."),
        ]
        return [line.format(artifact=name.ARTIFACT, aids=name.AIDS) for line in lines]

    def settings(self) -> Mapping[str, Setting]:
        return {
            "scenario": Setting(
                pgettext("setting", "Scenario"),
                _("The place of the Artifact; drawn at random unless you choose"),
                {one.key: _(one.data.title) for one in self.catalogue.scenarios},
                unchosen=_("Drawn at random"),
            ),
            "challenges": Setting(
                pgettext("setting", "Challenges"),
                _("Which roll passes a Challenge"),
                {
                    "corrected": _("the higher roll overcomes them (usual)"),
                    "printed": _("as printed, so the lower roll overcomes them"),
                },
            ),
        }

    # -- what is asked

    def public_prompt(self, view: View, seat: int, names: Names) -> str:
        text = prompts.public_prompts()[view.phase]
        faced = choices.encounter(view)
        title = "" if faced is None else name.written(faced.title)
        return text.format(who=names.bold(seat), die=name.die(view.die), encounter=title)

    def heading(self, view: View, names: Names) -> str:
        return table.heading(view)

    def prompt(self, view: View, seat: int) -> str:
        return prompts.prompts()[view.phase]

    # -- what all see

    def actions(self, view: View) -> list[Action]:
        if view.phase == s.ROLL:
            return [Action(pgettext("button", "Roll"), turn.ROLL, name.DIE)]
        if view.phase == s.DIRECTION:
            return [Action(label, intent, picture) for label, intent, picture in turn.direction_labels(view)]
        return []

    # -- the private screen

    def private(self, view: View, names: Names, choices: Choices, to: Id) -> list[Item]:
        key = ui.text(table.key(), id=FOLDED)
        scenario, seat = view.catalogue.scenarios[view.scenario], view.viewer or 0
        held = ", ".join(name.counted([name.written_aid(scenario, each, seat) for each in view.aids[seat]]))
        boons = ui.text(f"-# {name.AIDS} " + shorten(held, TWO_LINES, placeholder=" …"))
        if own_decision(view) is None:
            pictured = None if view.phase == s.PARTY else PICTURED  # no picture says that the party is hidden
            return [ui.text(self.private_text(view), id=pictured), *([boons] if held else []), key]
        shown = [*self.decide(view, names, choices, to), *([] if table.names_signs(view) else [key])]
        if view.phase == s.PARTY:
            return shown
        where, strength = table.where_it_is(view, seat), table.in_short(view, seat)
        lines = [_("### Your party"), where, *strength, *table.trail(view)]
        # Elsewhere buttons and menus name the Boons that fit; many are behind **?**.
        named = [boons] if held and view.phase in (s.ROLL, s.DIRECTION, s.OPPONENT) else []
        return [ui.text("\n".join(lines), id=PICTURED), *named, *shown]

    def revealed(self, view: View, names: Names) -> str:
        seat = view.viewer
        if seat is None or not choices.aids(view, seat):
            return ""
        return f"{name.SEAT[seat]} {names.bold(seat)} {name.AIDS} {table.aids_in_a_line(view, seat)}"

    def presses(self) -> Mapping[str, Meaning[View, Move]]:
        return MEANINGS

    # -- words

    def describe(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        return words.describe(event, viewer, names, self.catalogue)

    def recap(self, events: Sequence[SeenEvent], viewer: int | None, names: Names) -> list[str]:
        return recap.recap(events, viewer, names, self.catalogue)

    def news_line(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        return recap.news_line(event, viewer, names, self.catalogue)

    def suspense(
        self, turn: Sequence[SeenEvent], move: Sequence[SeenEvent], names: Names
    ) -> tuple[Sequence[SeenEvent], list[str]]:
        return recap.suspense(turn, move, names, self.catalogue)

    def refusals(self) -> Mapping[str, Refusal]:
        return prompts.refusals(self.catalogue)

    def rules(self) -> list[Page]:
        return pages.rules(self.catalogue, pages.pages(self, self._sample))

    def feat(self, name: str, size: int) -> str:
        text = ngettext("longest journey {n} square", "longest journey {n} squares", size)
        return text.format(n=size) if name == "journey" else ""

    # -- pictures

    def vignette(self, events: Sequence[SeenEvent]) -> Picture | None:
        return moments.vignette(events, self.catalogue)
