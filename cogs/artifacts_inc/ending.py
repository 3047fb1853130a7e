"""The end of a match in words: the ranks with their reasons, the museums counted one by one, and the highlights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.language import gettext as _
from bot.language import listing
from bot.ui.screens.game_parts import most
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import ranking
from bot.ui.screens.names import Names
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.choices import counted_museums
from engine.artifacts_inc.state import DIVES, MUSEUMS, View


def result(view: View, names: Names) -> list[str]:
    """The lines about the result."""
    outcome = view.outcome
    assert outcome is not None
    lines: list[str] = []
    sources = [_("cards {n}"), _("card bonuses {n}"), _("dives {n}"), _("museums {n}")]
    for seat, rank in ranking(outcome):
        score = f"{name.REPUTATION} **{outcome.scores[seat]}**"
        lines.append(f"{rank} {name.SEAT[seat]} {names.bold(seat)} · {score} · ${view.dollars[seat]}")
        came_from = [text.format(n=n) for text, n in zip(sources, view.earned[seat], strict=True) if n]
        lines.append(" · ".join(came_from) or _("no reputation"))
    return [*_reason(view), *_museums(view, names), *lines]


def _reason(view: View) -> list[str]:
    """The line about the tie-break between equal reputation; none without a tie."""
    outcome = view.outcome
    assert outcome is not None
    match outcome.why:
        case "dollars":
            return [_("Tied on reputation: the most dollars wins.")]
        case "cubes":
            return [_("Tied on reputation and dollars: the most cubes on museums wins.")]
        case "shared":
            return [_("Tied on reputation, dollars and cubes: the victory is shared.")]
        case _ if len(set(zip(outcome.ranks, outcome.scores, strict=True))) > len(set(outcome.scores)):
            # The winner is clear, but not why one of the others stands before another.
            text = _("Ties are broken by dollars, then by cubes on museums.")
            return [f"-# {text}"]
        case _:
            return []


def _museums(view: View, names: Names) -> list[str]:
    """The count of the museums, one by one, the closest last; none if nobody has cubes there."""
    standing, lines = [sum(by_source[:MUSEUMS]) for by_source in view.earned], list[str]()
    before = " · ".join(_score(seat, standing) for seat in range(view.seats))
    for museum, seat, points, cubes, next_most in counted_museums(view):
        text = _("{museum} {who} {star} +{n} ({cubes} to {others}) → {score}")
        if cubes == next_most:
            text = _("{museum} {who} {star} +{n} ({cubes} each, on the higher or later order) → {score}")
        led = _leads(seat, standing)
        standing[seat] += points
        facts = {"who": names.bold(seat), "star": name.REPUTATION, "n": points}
        line = text.format(
            museum=name.ARTIFACT[museum], cubes=cubes, others=next_most, score=_score(seat, standing), **facts
        )
        lines.append(line + " · " + _("**now in the lead**") if _leads(seat, standing) > led else line)
    return lines and [_("**Before the museums:** {scores}").format(scores=before), *lines]


def _leads(seat: int, scores: Sequence[int]) -> bool:
    return sorted(scores)[-2] < scores[seat] == max(scores)


def _score(seat: int, scores: Sequence[int]) -> str:
    score = f"**{scores[seat]}**" if scores[seat] == max(scores) else str(scores[seat])
    return f"{name.SEAT[seat]} {score}"


def highlights(events: Sequence[SeenEvent], view: View, names: Names) -> list[str]:
    """The winner's best sources of reputation, and the company that dived most often."""
    dived = [event.seat for event in events if event.kind == "dived"]
    winners = view.outcome.winners if view.outcome and events else ()
    return [
        *(_of_winner(events, view, winners[0], names) if len(winners) == 1 else ()),
        *most(name.DIVING, [*map(dived.count, range(view.seats))], names, _("Most dives: {who}, {n}.")),
    ]


def _of_winner(events: Sequence[SeenEvent], view: View, seat: int, names: Names) -> list[str]:
    """The sources of most of a seat's reputation: cards, each with both sides, dives and museums."""
    brought = Counter({_("dives"): view.earned[seat][DIVES], _("museums"): view.earned[seat][MUSEUMS]})
    for event in events:
        if event.seat == seat and event.kind in ("bought", "turned_card"):
            card = name.name_of(view.catalogue, event.facts["card"])
            brought[card] += event.facts["reputation"] + event.facts["counted"]
    least = max(1, brought.most_common(3)[-1][1])
    best = [f"{source} {name.REPUTATION} {n}" for source, n in brought.most_common() if n >= least]
    text = _("{who}: most of it came from {sources}.").format(who=names.bold(seat), sources=listing(best))
    return [f"🏆 {text}"] if best else []
