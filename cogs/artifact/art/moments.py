"""Pictures of what was most memorable in a turn, and a turn in signs for the captions of films.

They are small squares, except those of taking the Artifact, which are as wide as a message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from bot.art import common, ink
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Deed, Pen, Scene, Sign, figures_width
from bot.language import gettext as _
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from cogs.artifact.art import alt, draw, marks
from cogs.artifact.art.marks import ability, aid, peril, ten_sided
from cogs.artifact.narrator import Narrator
from cogs.artifact.recap import moment
from engine.artifact.card_list import Catalogue
from engine.artifact.party import ABILITIES

SIDE: Final = 240
WIDE_HIGH: Final = 190
"""The height of a picture that is as wide as a message."""
FIGURE: Final = 32

_GROUND: Final = {"lost_city": ink.LEAF, "drowned_temple": ink.SKY, "ice_tomb": ink.CREAM}

Events = Sequence[SeenEvent]


def vignette(events: Events, catalogue: Catalogue) -> Picture | None:
    """The most memorable of these events of a turn, as a picture; None if nothing was."""
    kinds: dict[str, SeenEvent] = {event.kind: event for event in events}
    drawn = (picture(kinds[kind], kinds, catalogue) for kind, picture in _DRAWN.items() if kind in kinds)
    return next(filter(None, drawn), None)


def _scenario(kinds: Mapping[str, SeenEvent]) -> str:
    return next((str(event.facts["scenario"]) for event in kinds.values() if "scenario" in event.facts), "")


def _land(scenario: str, width: int = SIDE, height: int = SIDE) -> Scene:
    """Sky above the ground of the scenario's land."""
    scene = Scene(width, height)
    scene.panel(Box(-8, 0.7 * height, width + 16, 90), _GROUND.get(scenario, ink.SAND), corner=0)
    return scene


# -- the Artifact


def _over(event: SeenEvent, kinds: Mapping[str, SeenEvent], catalogue: Catalogue) -> Picture:
    key = str(event.facts["scenario"])
    scene, winner = _land(key), int(event.facts["winner"])
    if event.facts["why"] == "home":
        scene.place(marks.home(key), 4, 78, 104)
        scene.place(draw("rays"), 84, 24, 150)
        scene.place(marks.prize(key), 118, 56, 84)
        text = _("The party of the {who} has come home with the Artifact.")
    else:
        scene.place(draw("march"), 16, 96, 190)
        text = _("The party of the {who} is the last on the trail, and wins.")
    scene.place(draw("laurel"), 120, 140, 94)
    scene.place(common.token(winner), 144, 156, 46)
    return scene.picture(text.format(who=alt.party(winner)))


def _taken(event: SeenEvent, kinds: Mapping[str, SeenEvent], catalogue: Catalogue) -> Picture:
    """The Artifact is lifted from its place at the end of the trail, or picked up on the way."""
    assert event.seat is not None
    key = _scenario(kinds)
    scene, end = _land(key, WIDTH, WIDE_HIGH), marks.end(key)
    text = _("The party of the {who} picks up the Artifact.")
    if event.kind == "reached":
        scene.place(end, 40, 10, end.width_at(158))
        text = _("At the end of the trail the party of the {who} lifts the Artifact from its place.")
    scene.place(draw("rays"), 252, -14, 216)
    scene.place(marks.prize(key), 304, 38, 112)
    scene.place(common.token(event.seat), 520, 92, 80)
    return scene.picture(text.format(who=alt.party(event.seat)))


def _seized(event: SeenEvent, kinds: Mapping[str, SeenEvent], catalogue: Catalogue) -> Picture:
    assert event.seat is not None
    other = int(event.facts["other"])
    scene = _land(_scenario(kinds), WIDTH, WIDE_HIGH)
    scene.place(draw("fight"), 40, 24, 130)
    scene.place(common.token(other), 220, 88, 80, faint=0.55)
    scene.place(draw("arrow"), 332, 92, 76)
    scene.place(common.token(event.seat), 440, 88, 80)
    scene.place(marks.prize(_scenario(kinds)), 588, 40, 120)
    if fight := kinds.get("fought"):
        facts = fight.facts
        rolls = sorted(zip(facts["totals"], facts["dice"], strict=True))
        for x, (total, die) in zip((260, 480), rolls, strict=True):
            added = f"+{total - die}={total}"
            left = x - (40 + figures_width(added, FIGURE)) / 2
            scene.place(common.die(die), left, 36, 36)
            scene.figure(added, left + 42, 38, FIGURE, anchor="start")
    text = _("The party of the {who} seizes the Artifact from the {other}.")
    return scene.picture(text.format(who=alt.party(event.seat), other=alt.party(other)))


def _party_out(event: SeenEvent, kinds: Mapping[str, SeenEvent], catalogue: Catalogue) -> Picture:
    assert event.seat is not None
    scene = _land(_scenario(kinds))
    scene.place(draw("nobody"), 24, 64, 150)
    scene.place(common.token(event.seat), 158, 24, 62, faint=0.6)
    scene.place(draw("struck-out"), 152, 18, 74)
    text = _("The party of the {who} is out: its last member is carried home.")
    if "fell" in kinds:
        scene.place(marks.prize(_scenario(kinds)), 150, 158, 74)
        text = _("The party of the {who} is out, and the Artifact lies on the ground.")
    return scene.picture(text.format(who=alt.party(event.seat)))


# -- fights and Challenges


def _fought(event: SeenEvent, kinds: Mapping[str, SeenEvent], catalogue: Catalogue) -> Picture | None:
    """A fight, also before its roll, unless its ability has yet to be named."""
    assert event.seat is not None
    if event.facts["ability"] is None:
        return None
    sides = (event.seat, int(event.facts["other"]))
    totals: Sequence[int | str] = event.facts.get("totals", ("?", "?"))
    winner: int | None = event.facts.get("winner")
    scene, left = _land(_scenario(kinds)), 0
    if event.facts.get("artifact"):  # a moment for all
        scene, left = _land(_scenario(kinds), WIDTH), (WIDTH - SIDE) // 2
        scene.place(draw("rays"), 24, 30, 180)
        scene.place(marks.prize(_scenario(kinds)), 64, 70, 100)
    scene.place(draw("fight"), left + 60, 34, 120)
    scene.place(ability(ABILITIES.index(event.facts["ability"])), left + 98, 2, 44)
    for x, seat, total in zip((left + 16, left + 156), sides, totals, strict=True):
        if seat == winner:
            scene.place(draw("laurel"), x - 14, 112, 96)
            scene.place(common.token(seat), x + 8, 124, 52)
        else:
            scene.place(common.token(seat), x + 8, 124, 52, faint=1 if winner is None else 0.55)
        scene.figure(total, x + 34, 196, FIGURE + 4, pen=Pen(weight=1.3 if seat == winner else 1))
    text = _("A fight of {ability}: {mover} {mine}, {other} {theirs}.").format(
        ability=name.ability_of(event.facts["ability"]),
        mover=alt.party(sides[0]),
        mine=totals[0],
        other=alt.party(sides[1]),
        theirs=totals[1],
    )
    if event.kind == "fought":
        ended = _("The winner: {who}.") if winner is not None else _("Neither wins.")
        text += " " + ended.format(who=alt.party(winner or 0))
    return scene.picture(text)


def _challenge(event: SeenEvent, kinds: Mapping[str, SeenEvent], catalogue: Catalogue) -> Picture | None:
    assert event.seat is not None
    faced = Narrator(event, None, Names([]), catalogue).encounter()
    if faced is None or faced.challenge is None:
        return None
    asked = faced.challenge
    scene = Scene(SIDE, SIDE)
    scene.place(peril(_scenario(kinds), faced.part, faced.title), 10, 8, 220)
    size = min(40.0, 150 / len(asked.abilities))
    for place, number in enumerate(asked.abilities):
        scene.place(ability(number), 82 + place * size, 186 + (44 - size) / 2, size - 3)
    if asked.times > 1:
        scene.figure("×2", 90 + size, 192, FIGURE, anchor="start")
    scene.place(common.token(event.seat), 10, 180, 50)
    text = _("A Challenge, {abilities}, for the party of the {who}.").format(
        abilities=name.challenge(asked), who=alt.party(event.seat)
    )
    ended = kinds.get("faced")
    if ended is None:
        return scene.picture(text)
    scene.panel(Box(130, 126, 106, 52), ink.CREAM, corner=8)
    scene.figure(ended.facts["total"], 138, 136, FIGURE, anchor="start", pen=Pen(weight=1.2))
    if ended.facts["overcome"]:
        scene.place(draw("check"), 184, 128, 46)
        text += " " + _("Challenge passed.")
    else:
        scene.place(marks.penalty(asked.penalty), 184, 129, 46)
        text += " " + _("Challenge failed: {penalty}.").format(penalty=name.penalty(asked))
    return scene.picture(text)


def _thrown_back(event: SeenEvent, kinds: Mapping[str, SeenEvent], catalogue: Catalogue) -> Picture | None:
    """A party is thrown back when it was a roll from winning."""
    if event.seat is None or not moment(event, None):
        return None
    key = _scenario(kinds)
    scene, home = _land(key, WIDTH, WIDE_HIGH), marks.home(key)
    scene.place(home, 40, 20, home.width_at(140))
    scene.place(draw("thrown-back"), 280, 40, 120)
    scene.place(common.token(event.seat), 450, 90, 80)
    scene.place(marks.prize(key), 560, 50, 110)
    text = _("So near home, the party of the {who} is thrown back with the Artifact.")
    return scene.picture(text.format(who=alt.party(event.seat)))


def _aid(event: SeenEvent, kinds: Mapping[str, SeenEvent], catalogue: Catalogue) -> Picture | None:
    assert event.seat is not None
    found = Narrator(event, None, Names([]), catalogue).encounter()
    if found is None or found.aid is None:
        return None
    scene = _land(_scenario(kinds))
    scene.place(draw("pack"), 12, 34, 96)
    scene.place(aid(found.aid), 92, 66, 116)
    scene.place(common.token(event.seat), 14, 172, 56)
    scene.figure(f"+{found.aid.worth}", 158, 190, 38, pen=Pen(weight=1.3))
    text = _("The party of the {who} gains a Boon: {aid}.")
    return scene.picture(text.format(who=alt.party(event.seat), aid=name.aid_worth(found.aid)))


def _skipped(event: SeenEvent, kinds: Mapping[str, SeenEvent], catalogue: Catalogue) -> Picture:
    assert event.seat is not None
    scene = _land(_scenario(kinds))
    scene.place(draw("camp"), 36, 14, 168)
    scene.place(common.token(event.seat), 168, 172, 58)
    text = _("The party of the {who} stays in its camp for a turn.")
    return scene.picture(text.format(who=alt.party(event.seat)))


def _parties(event: SeenEvent, kinds: Mapping[str, SeenEvent], catalogue: Catalogue) -> Picture:
    """The parties set out, each above what it has rolled for the order of play."""
    scene = _land(_scenario(kinds))
    scene.place(draw("signpost"), 152, 26, 72)
    scene.place(draw("march"), 6, 76, 170)
    seats = len(event.facts["parties"])
    text = _("The parties set out, past a signpost.")
    for seat in range(seats):
        scene.place(common.token(seat), 121 + (seat - seats / 2) * 38, 160, 36)
    if (order := kinds.get("order")) is not None and order.seat is not None:
        # The first roll of each, before those of a tie.
        rolled = dict(map(tuple, reversed(order.facts["rolls"])))
        for seat in range(seats):
            scene.place(ten_sided(rolled[seat]), 121 + (seat - seats / 2) * 38, 200, 36)
        text += " " + _("The first to play: {who}.").format(who=alt.party(order.seat))
    return scene.picture(text)


_Draw = Callable[[SeenEvent, Mapping[str, SeenEvent], Catalogue], "Picture | None"]

_DRAWN: Final[Mapping[str, _Draw]] = {
    "over": _over,
    "reached": _taken,
    "seized": _seized,
    "party_out": _party_out,
    "thrown_back": _thrown_back,
    "picked_up": _taken,
    "fought": _fought,
    "met": _fought,
    "challenge": _challenge,
    "aid": _aid,
    "skipped": _skipped,
    "parties": _parties,
}
"""How each kind of event is drawn, the most memorable first."""


NOTHING: Final = "−"
"""The figure for a turn that brought nothing."""


def deeds(events: Sequence[SeenEvent]) -> list[Deed]:
    """The events of a turn in their order."""
    scenario = next((str(event.facts["scenario"]) for event in events if "scenario" in event.facts), "")
    found: list[Deed] = [list(_signs(event, scenario)) for event in events]
    return [signs for signs in found if signs] or [[NOTHING]]


def _signs(event: SeenEvent, scenario: str) -> Iterator[Sign]:
    """The signs of an event; none if another event of the turn says the same."""
    facts = event.facts
    match event.kind:
        case "created":
            yield draw("check")
        case "moved":
            yield from (
                draw("forward") if facts["direction"] == "forward" else draw("back"),
                f"{facts['to']}",
            )
        case "thrown_back":
            yield from (draw("thrown-back"), f"{facts['to']}")
        case "aid":
            yield from (draw("pack"), "+1")
        case "aid_lost" if facts["aid"] is not None:
            yield draw("torn-pack")
        case "faced":
            yield from (marks.challenge(), draw("check") if facts["overcome"] else draw("struck-out"))
        case "fought":
            winner = facts["winner"]
            result = ("=",) if winner is None else (draw("laurel"), common.token(winner))
            yield from (draw("fight"), *result)
        case "wounded":
            yield draw("wound")
        case "member_out":
            yield from (draw("wound"), draw("struck-out"))
        case "turn_lost" | "skipped":
            yield draw("camp")
        case "reached" | "picked_up" | "seized":
            yield from (common.token(event.seat or 0), marks.prize(scenario))
        case "party_out":
            yield from (common.token(event.seat or 0), draw("struck-out"))
        case "over":
            yield from (draw("laurel"), common.token(facts["winner"]))
        case "order":
            for seat, die in facts["rolls"]:
                yield from (common.token(seat), ten_sided(die))
        case _:
            return
