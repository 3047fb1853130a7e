"""The news that a player has missed, in a line for each turn, and the events of a match by turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.language import gettext as _
from bot.language import pgettext
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import escape
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from cogs.artifact.words import Teller, ending, tell
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
    """Whether this befell the viewer's party: also that it was met, fought or robbed."""
    return viewer in (event.seat, event.facts.get("other"))


def recap(events: Sequence[SeenEvent], viewer: int | None, names: Names, catalogue: Catalogue) -> list[str]:
    """A player's deeds, in one line: "**Ana** 🎲 3️⃣ `4` → `7` · ⚔️ **Ben**, won · ❗ The Comb · overcome".

    The table message of many parties has room for less: "**Ana** → `7` ⚔️ **Ben**, won ❗ won".
    """
    brief = viewer is None and len(names) > WITH_TITLES
    if viewer is None and all(event.kind == "rolled" for event in events):
        return []  # the line that says who chooses a direction names the die
    if brief and any(event.kind == "thrown_back" for event in events):
        events = [event for event in events if event.kind != "moved"]  # where the party stands now is enough
    parts: list[str] = []
    whole: list[str] = []
    mover: int | None = None
    for event in events:
        if event.kind == "over":
            whole.append(ending(Teller(event, viewer, names, catalogue)))
        elif event.kind in WHOLE:
            whole.append(tell(event, viewer, names, catalogue))
        elif part := _part(Teller(event, viewer, names, catalogue), mover, brief=brief):
            parts.append(part)
            mover = event.seat if mover is None else mover
    if mover is None:  # a roll that waits for a direction, or an Aid that was spent
        return whole or [tell(event, viewer, names, catalogue) for event in events[-1:]]
    return [f"{names.bold(mover)} " + (" " if brief else " · ").join(parts), *whole]


def _part(t: Teller, mover: int | None, *, brief: bool) -> str:
    """An event as a part of a line; empty for what the other parts say. `brief`: without dice and titles."""
    facts = t.facts
    if (
        mover is not None and t.seat != mover
    ):  # the loser of a fight, or who takes the Artifact from its loser
        return f"{name.ARTIFACT} {t.bold(t.seat)}" if t.kind == "seized" and t.seat is not None else ""
    match t.kind:
        case "moved":
            if brief:
                return f"→ `{facts['to']}`"
            return f"{name.thrown(facts['die'])} `{facts['from']}` → `{facts['to']}`"
        case "thrown_back":
            return f"→ `{facts['to']}`" if brief else f"`{facts['from']}` → `{facts['to']}`"
        case "reached" | "picked_up" | "seized":
            return name.ARTIFACT
        case "fought":
            return f"{name.FIGHT} {t.bold(facts['other'])}, {_fight_ended(t)}"
        case "aid":
            return name.AIDS if brief else f"{name.AIDS} {_title(t)}"
        case "challenge":
            return name.CHALLENGE if brief else f"{name.CHALLENGE} {_title(t)}"
        case "faced":
            if brief:
                return (
                    pgettext("a Challenge", "won") if facts["overcome"] else pgettext("a Challenge", "lost")
                )
            return _("overcome") if facts["overcome"] else _("not overcome")
        case "wounded":
            return name.WOUND
        case "member_out":
            return name.CARRIED
        case "turn_lost":
            return name.SKIPS
        case _:
            return ""


def _fight_ended(t: Teller) -> str:
    winner = t.facts["winner"]
    if winner is None:
        return pgettext("a fight", "undecided")
    return pgettext("a fight", "won") if winner == t.seat else pgettext("a fight", "lost")


def _title(t: Teller) -> str:
    found = t.encounter()
    return escape(t.facts["encounter"]) if found is None else name.written(found.title)
