"""A turn in signs, for the captions of films."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.art import common
from bot.art.captions import Deed, Sign
from bot.ui.screens.game_screens import SeenEvent
from cogs.artifact.art import draw, marks
from cogs.artifact.art.marks import ten_sided

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
            won = facts["winner"] == event.seat
            result = "=" if facts["winner"] is None else draw("check") if won else draw("struck-out")
            yield from (draw("fight"), common.token(facts["other"]), result)
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
