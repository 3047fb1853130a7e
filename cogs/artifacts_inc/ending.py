"""The end of a match in words: the ranks with their reasons, the museums counted one by one, and the highlights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.language import gettext as _
from bot.language import listing, ngettext
from bot.ui.screens.game_parts import most
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import ranking
from bot.ui.screens.names import Names
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.choices import majority
from engine.artifacts_inc.state import MUSEUMS, SOURCES, View


def result(view: View, names: Names) -> list[str]:
    """The lines about the result."""
    outcome = view.outcome
    assert outcome is not None
    lines: list[str] = []
    for seat, rank in ranking(outcome):
        score = f"{name.REPUTATION} **{outcome.scores[seat]}**"
        lines.append(f"{rank} {name.SEAT[seat]} {names.bold(seat)} · {score} · ${view.dollars[seat]}")
        came_from = [text.format(n=n) for text, n in zip(_sources(), view.earned[seat], strict=True) if n]
        lines.append("-# " + (" · ".join(came_from) or _("no reputation")))
    return [*_reason(view), *_turned(view, names), *lines, *_museums(view, names)]


def _sources() -> list[str]:
    texts = [_("cards {n}"), _("card bonuses {n}"), _("dives {n}"), _("museums {n}")]
    assert len(texts) == len(SOURCES)
    return texts


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


def _before_museums(view: View) -> list[int]:
    """The reputation of each seat before the museums counted."""
    return [sum(by_source[:MUSEUMS]) for by_source in view.earned]


def _turned(view: View, names: Names) -> list[str]:
    """The line about the museums by which a winner has overtaken the others; none if they changed nothing."""
    outcome, before = view.outcome, _before_museums(view)
    assert outcome is not None
    winner, led = outcome.winners[0], before.index(max(before))
    if any(before[seat] == max(before) for seat in outcome.winners):
        return []
    won = [number for number in range(len(view.catalogue.museums)) if majority(view, number) == winner]
    text = _("**Won by the most cubes on {museums}:** {led} led by {before}, and it ended {after}.")
    return [
        text.format(
            museums=listing([name.written(view.catalogue.cards[number]) for number in won]),
            led=names.bold(led),
            before=f"{before[led]}–{before[winner]}",
            after=f"{outcome.scores[led]}–{outcome.scores[winner]}",
        )
    ]


def _museums(view: View, names: Names) -> list[str]:
    """The count of the museums, one by one with the scores after each; none if nobody has cubes there."""
    before = _before_museums(view)
    lines = list(_counted(view, names, before))
    scores = " · ".join(_score(seat, before) for seat in range(view.seats))
    return lines and [_("**The museums count.** Before them: {scores}").format(scores=scores), *lines]


def _counted(view: View, names: Names, before: Sequence[int]) -> Iterator[str]:
    standing = list(before)
    for number, museum in enumerate(view.catalogue.museums):
        leads = majority(view, number)
        if leads is None:
            continue
        standing[leads] += museum.majority
        cubes = list(view.orders[number]).count(leads)
        others = {seat: list(view.orders[number]).count(seat) for seat in range(view.seats) if seat != leads}
        next_most = max(others.values())
        if next_most == cubes:
            text = ngettext(
                "{museum} {who} {star} +{n}: {cubes} cube each, but on the higher order",
                "{museum} {who} {star} +{n}: {cubes} cubes each, but on the higher order",
                cubes,
            )
        else:
            text = _("{museum} {who} {star} +{n}: cubes {cubes} to {others}")
        line = text.format(
            museum=name.ARTIFACT[number],
            who=names.bold(leads),
            star=name.REPUTATION,
            n=museum.majority,
            cubes=cubes,
            others=next_most,
        )
        scores = " · ".join(_score(seat, standing) for seat in range(view.seats))
        yield f"-# {line} " + name.whole(f"→ {scores}")


def _score(seat: int, scores: Sequence[int]) -> str:
    score = f"**{scores[seat]}**" if scores[seat] == max(scores) else str(scores[seat])
    return f"{name.SEAT[seat]} {score}"


def highlights(events: Sequence[SeenEvent], view: View, names: Names) -> list[str]:
    """The biggest sale to a museum, and who dived, bought and improved most often."""
    counts = {kind: [0] * view.seats for kind in ("dived", "bought", "turned_card")}
    for event in events:
        if event.kind in counts and event.seat is not None:
            counts[event.kind][event.seat] += 1
    return [
        *_biggest_sale(events, names),
        *most(
            name.DIVING,
            counts["dived"],
            names,
            _("Most dives: {who}, {n}."),
        ),
        *most(
            name.BUYING,
            counts["bought"],
            names,
            _("Most cards bought: {who}, {n}."),
        ),
        *most(
            name.IMPROVING,
            counts["turned_card"],
            names,
            _("Most cards upgraded: {who}, {n}."),
        ),
    ]


def _biggest_sale(events: Sequence[SeenEvent], names: Names) -> list[str]:
    """The order of a museum that brought most dollars; none if several people filled one for as much."""
    orders = [event for event in events if event.kind == "filled" and event.seat is not None]
    dollars = max((int(event.facts["dollars"]) for event in orders), default=0)
    best = [event for event in orders if event.facts["dollars"] == dollars]
    if not dollars or len({event.seat for event in best}) != 1:
        return []
    kind, count = ARTIFACTS.index(best[0].facts["artifact"]), int(best[0].facts["count"])
    goods = name.goods([count if number == kind else 0 for number in range(len(ARTIFACTS))])
    text = _("Biggest sale to a museum: {who}, {goods} for ${dollars}.")
    who = names.bold(best[0].seat or 0)
    return [f"{name.MUSEUM} " + text.format(who=who, goods=goods, dollars=dollars)]
