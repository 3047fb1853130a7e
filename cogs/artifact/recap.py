"""The news that a player has missed, in a sentence for each turn, and the events of a match by turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.language import gettext as _
from bot.language import listing, pgettext
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import escape
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from cogs.artifact.words import Teller, ending, faced, fought, tell
from engine.artifact.catalogue import Catalogue

BEGINS: Final = ("moved", "skipped")
"""The events with which a turn begins; a move may follow a roll that let its player choose a direction."""
WHOLE: Final = ("skipped", "party_out", "fell")
"""Events that are told in full."""
WITH_TITLES: Final = 4
"""With more parties than this, the table message has no room for the titles of encounters in its latest turns."""


def newest_turn(events: Sequence[SeenEvent]) -> int:
    """How many of these events belong to the newest turn that has begun, and to what has followed; 0 if none has."""
    for back, event in enumerate(reversed(events), 1):
        if event.kind in BEGINS:
            rolled = back < len(events) and events[-back - 1].kind == "rolled"
            return back + rolled
    return 0


def concerns(event: SeenEvent, viewer: int) -> bool:
    """Whether this befell the viewer's party: also in a fight or a robbery. The mover's turn tells that they met."""
    return event.seat == viewer or (event.kind != "met" and event.facts.get("other") == viewer)


def news_line(event: SeenEvent, viewer: int | None, names: Names, catalogue: Catalogue) -> str:
    """One line about an event among this viewer's news. Challenges and others' fights are named with their result."""
    t = Teller(event, viewer, names, catalogue)
    match event.kind:
        case "met" if t.you:
            return _fight_begun(t)
        case "rolled" | "met" | "challenge":  # the question that follows, or the result, names them
            return ""
        case "fought":
            return fought(t, named=not t.you)
        case "used" if _spends_nothing(event):
            return ""
        case "aid" if (found := t.encounter()) is not None and found.aid is not None:
            gained = f"**{name.written(found.title)}** ({name.aid_worth(found.aid)})"
            return f"{name.AIDS} {gained}" if t.you else f"{name.AIDS} {t.bold(event.seat or 0)}: {gained}"
        case "faced":
            title = name.title_of(catalogue, event.facts["encounter"])
            return f"{name.CHALLENGE} **{title}.** {faced(t)}" if title else faced(t)
        case _:
            return tell(event, viewer, names, catalogue)


def _fight_begun(t: Teller) -> str:
    """That the viewer's party met another on its way."""
    other, key = t.bold(t.facts["other"]), t.facts["ability"]
    if key is None:  # the viewer names the ability
        return _("⚔️ You meet {other}.").format(other=other)
    text = _("⚔️ You meet {other}: a fight of {ability}.")
    return text.format(other=other, ability=name.ability_of(key))


def _spends_nothing(event: SeenEvent) -> bool:
    return event.kind == "used" and not event.facts["aids"]


def recap(events: Sequence[SeenEvent], viewer: int | None, names: Names, catalogue: Catalogue) -> list[str]:
    """A player's turn in one sentence: "**Ana** goes on to square 7 and overcomes The Comb.".

    On the table message the story of the turn's encounter follows in a second line. The table message of many parties
    has room for neither stories nor titles.
    """
    brief = viewer is None and len(names) > WITH_TITLES
    if viewer is None and all(event.kind == "rolled" for event in events):
        return []  # the line that says who chooses a direction names the die
    if brief and any(event.kind == "thrown_back" for event in events):
        events = [event for event in events if event.kind != "moved"]  # where the party stands now is enough
    turn = _Turn(brief=brief)
    whole: list[str] = []
    for event in events:
        teller = Teller(event, viewer, names, catalogue)
        if event.kind == "over":
            whole.append(ending(teller))
        elif event.kind in WHOLE:
            whole.append(tell(event, viewer, names, catalogue))
        else:
            turn.add(teller)
    if turn.mover is None:  # a roll that waits for a direction, or an Aid that was spent
        last = [event for event in events[-1:] if viewer is None or not _spends_nothing(event)]
        return whole or [tell(event, viewer, names, catalogue) for event in last]
    story = [turn.story] if viewer is None and turn.story else []
    return [turn.sentence(names.bold(turn.mover)), *story, *whole]


class _Turn:
    """A turn as one sentence: the deeds of its mover, and what befalls the mover's people. `brief`: without titles."""

    def __init__(self, *, brief: bool) -> None:
        self.mover: int | None = None
        self.story = ""
        self._title = ""
        self._brief = brief
        self._deeds: list[str] = []
        self._befallen: list[str] = []
        self._begun: int | None = None
        """The place of the deed that begins a fight or a Challenge, from which on the result replaces the deeds."""

    def sentence(self, who: str) -> str:
        deeds = listing(self._deeds)
        if not self._befallen:
            # Translators: “Ana” “goes on to square 7 and overcomes The Comb”
            return _("{who} {deeds}.").format(who=who, deeds=deeds)
        # Translators: “Ana” “goes on to square 7 and fails at The Comb”; “Imara Hale is wounded”
        return _("{who} {deeds}; {befallen}.").format(who=who, deeds=deeds, befallen=listing(self._befallen))

    def add(self, t: Teller) -> None:
        """Adds an event; an event that the other parts of the sentence tell changes nothing."""
        if self.mover is not None and t.seat != self.mover:
            if t.kind == "seized" and t.seat is not None:
                text = pgettext("deed", "loses the Artifact {artifact} to {other}")
                self._deeds.append(text.format(artifact=name.ARTIFACT, other=t.bold(t.seat)))
            return
        if befallen := "" if self._brief or self.mover is None else _befallen(t):
            self._befallen.append(befallen)
            return
        deed = _deed(t, brief=self._brief)
        if t.kind == "faced" and self._begun is not None and not self._brief:
            deed = _outcome(t, self._title)
        if self._begun is not None and t.kind == "used" and t.viewer is not None and t.facts["aids"]:
            spent = name.aids_of(t.catalogue, t.facts["aids"], t.facts.get("scenario"))
            self._deeds.append(pgettext("deed", "spends {aids}").format(aids=spent))
            return
        if not deed:
            return
        if self._begun is not None:
            del self._deeds[self._begun :]
        if t.kind in ("aid", "challenge"):
            self._keep_story(t)
        self.mover = t.seat
        self._deeds.append(deed)
        self._begun = len(self._deeds) - 1 if t.kind in ("met", "challenge") else None

    def _keep_story(self, t: Teller) -> None:
        found = t.encounter()
        self._title = _title(t)
        if found is not None and not self._brief:
            self.story = f"*{name.written(found.story)}*"


def _outcome(t: Teller, title: str) -> str:
    if t.facts["overcome"]:
        return pgettext("deed", "overcomes “{title}”").format(title=title)
    return pgettext("deed", "fails at “{title}”").format(title=title)


def _befallen(t: Teller) -> str:
    """The fate of one of the mover's people, as a clause; empty for any other event."""
    match t.kind:
        case "wounded":
            return pgettext("clause", "{person} is wounded").format(person=t.person())
        case "member_out":
            return pgettext("clause", "{person} is carried home").format(person=t.person())
        case _:
            return ""


def _deed(t: Teller, *, brief: bool) -> str:
    """An event as the end of a sentence that begins with its mover; empty for what the other deeds say."""
    facts = t.facts
    match t.kind:
        case "moved":
            if facts["direction"] == "forward":
                return pgettext("deed", "goes on to square {square}").format(square=facts["to"])
            return pgettext("deed", "goes back to square {square}").format(square=facts["to"])
        case "thrown_back":
            return pgettext("deed", "is thrown back to square {square}").format(square=facts["to"])
        case "reached" | "picked_up" | "seized":
            return pgettext("deed", "takes the Artifact {artifact}").format(artifact=name.ARTIFACT)
        case "met" if facts["other"] == t.viewer:
            return pgettext("deed", "meets you")
        case "met":
            return pgettext("deed", "meets {other}").format(other=t.bold(facts["other"]))
        case "fought":
            return _fight_ended(t)
        case "aid":
            if brief:
                return pgettext("deed", "gains a Boon")
            return pgettext("deed", "gains the Boon “{title}”").format(title=_title(t))
        case "challenge":
            if brief:
                return pgettext("deed", "faces a Challenge")
            return pgettext("deed", "faces “{title}”").format(title=_title(t))
        case "faced":
            if facts["overcome"]:
                return pgettext("deed", "overcomes a Challenge")
            return pgettext("deed", "fails at a Challenge")
        case "wounded":
            return pgettext("deed", "suffers a wound")
        case "member_out":
            return pgettext("deed", "loses a member")
        case "turn_lost":
            return pgettext("deed", "loses the next turn")
        case "aid_lost" if facts["aid"] is not None:
            if brief:
                return pgettext("deed", "loses a Boon")
            aid = name.aid_of(t.catalogue, facts["aid"], facts.get("scenario"))
            return pgettext("deed", "loses the Boon “{title}”").format(title=aid)
        case _:
            return ""


def _fight_ended(t: Teller) -> str:
    winner, other = t.facts["winner"], t.bold(t.facts["other"])
    if winner is None:
        return pgettext("deed", "fights {other} to a draw").format(other=other)
    if winner == t.seat:
        return pgettext("deed", "wins a fight with {other}").format(other=other)
    return pgettext("deed", "loses a fight with {other}").format(other=other)


def _title(t: Teller) -> str:
    found = t.encounter()
    return escape(t.facts["encounter"]) if found is None else name.written(found.title)
