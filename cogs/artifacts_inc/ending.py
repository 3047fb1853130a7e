"""The end of a match in words: the ranks with their reasons, the museums counted one by one, and the highlights."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from bot.language import gettext as _
from bot.language import listing, pgettext
from bot.ui.screens.game_parts import most
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import ranking
from bot.ui.screens.names import Names
from cogs.artifacts_inc import names as name
from engine.agents.search import Outlook
from engine.artifacts_inc.agents.turn import side_of
from engine.artifacts_inc.choices import BOUGHT, EARNED, LEADS, TURNS_HELD, counted_museums, holdings
from engine.artifacts_inc.state import DIVES, MUSEUMS, View

_OFTEN: Final = 0.2
"""The smallest difference of a share that is told: less may be chance."""
_MORE: Final = 0.3
"""The smallest difference of the reputation from a source that is told."""
_LATER: Final = 0.5
"""The smallest difference of the turns with a card that is told."""
_WEIGHT: Final = 0.3
"""The smallest reputation that a holding brings more or less, if it is told."""
_MOST: Final = 2
"""The maximum number of differences that are told."""


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


def differences(
    view: View, outlooks: tuple[Outlook, Outlook], moves: Sequence[Any], names: Names
) -> list[str]:
    """The lines of a review about the ends of matches played on: one's own reputation by source, the cards and museums
    that companies have more or less often, and the cards that these moves buy.
    """
    one, other = (outlook.held for outlook in outlooks)
    if not (one and other):
        return []
    found, bought = defaultdict[tuple[str, int], list[_Share]](list), sorted({*map(side_of, moves)} - {0})
    for kind, seat, which in sorted({*one, *other}):
        now, instead = (held.get((kind, seat, which), 0.0) for held in (one, other))
        if kind in (BOUGHT, LEADS) and abs(now - instead) >= _OFTEN:
            weight = (now - instead) * _worth(view, kind, which)
            weight /= 1 if seat == view.viewer else 1 - view.seats
            found[kind, which].append(_Share(weight, seat, now, instead))
    sign = outlooks[0].chance - outlooks[1].chance
    lines, told, ranked = _account(view, one, other, sign), list[int](), list[tuple[float, tuple[str, int]]]()
    for key, shares in found.items():
        shares.sort(key=lambda share: (share.seat != view.viewer, -abs(share.weight)))
        # What others do with their cards is for the most part their luck.
        if shares[0].seat == view.viewer or key[0] == LEADS or key[1] in bought:
            ranked.append((sum([share.weight for share in shares[:2]]), key))
    for weight, (kind, which) in sorted(ranked, key=lambda one: (one[0] * sign < 0, -abs(one[0]))):
        card = which // 2 if kind == BOUGHT else -1 - which
        # What speaks against the change is told beside what speaks for it.
        if weight * sign < 0 and not told and not (kind == BOUGHT and which in bought):
            continue
        if abs(weight) >= _WEIGHT and len(told) < _MOST and card not in told:
            told.append(card)
            held = listing([_share(share, view.viewer, names) for share in found[kind, which][:2]])
            became = _became(view, kind, which, names)
            lines.append(f"{_mark(weight)} {_held(view, kind, which)}: {held}{became}")
    either = [_either_way(view, side, one, other) for side in bought if side // 2 not in told]
    if moves and not lines and all(line.startswith("🟰") for line in either):
        lines.append(_("The tries end much the same."))
    lines += either
    return lines and [_("**At the end of the tries** (➕ good for you, ➖ bad):"), *lines]


class _Share(NamedTuple):
    """The part of the matches at whose end a seat holds something, now and instead, and what that brings the viewer."""

    weight: float
    seat: int
    now: float
    instead: float


_Held = Mapping[tuple[str, int, int], float]


def _mark(difference: float) -> str:
    return "➕" if difference > 0 else "➖" if difference < 0 else "🟰"


def _account(view: View, one: _Held, other: _Held, sign: float) -> list[str]:
    """The difference of the viewer's reputation, by source; none without a great one that has the sign of the whole."""
    sources = [_("cards {n}"), _("dives {n}"), _("museums {n}")]
    keys = [(EARNED, view.viewer or 0, source) for source in range(len(sources))]
    more = [one.get(key, 0.0) - other.get(key, 0.0) for key in keys]
    told = [
        text.format(n=f"{n:+.1f}".replace("-", "−"))
        for text, n in zip(sources, more, strict=True)
        if abs(n) >= _MORE
    ]
    text = _("{mark} Your {star} on average: {sources}")
    line = text.format(mark=_mark(sum(more)), star=name.REPUTATION, sources=", ".join(told))
    return [line] if told and sum(more) * sign > 0 else []


def _either_way(view: View, side: int, one: _Held, other: _Held) -> str:
    """The line about a card that is bought about as often, perhaps at another time."""
    seat = view.viewer or 0
    shares, turns = (
        [held.get((kind, seat, side), 0.0) for held in (one, other)] for kind in (BOUGHT, TURNS_HELD)
    )
    later = turns[0] - turns[1]
    text = _("{mark} {card}: yours either way ({n}% and {other}%)")
    if abs(later) >= _LATER:
        text = _(
            "{mark} {card}: yours either way ({n}% and {other}%), for {turns} of your turns instead of {instead}"
        )
    n, instead = (round(100 * share) for share in shares)
    facts = {"turns": f"{turns[0]:.1f}", "instead": f"{turns[1]:.1f}", "n": n, "other": instead}
    mark = _mark(later * (abs(later) >= _LATER))
    return text.format(mark=mark, card=_held(view, BOUGHT, side), **facts)


def _share(share: _Share, viewer: int | None, names: Names) -> str:
    who = pgettext("holder", "you") if share.seat == viewer else names.bold(share.seat)
    now, instead = (round(100 * each) for each in (share.now, share.instead))
    return _("{who} {n}% instead of {other}%").format(who=who, n=now, other=instead)


def _worth(view: View, kind: str, which: int) -> int:
    """About how much reputation a holding brings."""
    if kind == LEADS:
        return view.catalogue.museums[which].majority
    return max(1, view.catalogue.side(which).reputation)


def _held(view: View, kind: str, which: int) -> str:
    card = name.written(view.catalogue.cards[which if kind == LEADS else which // 2])
    if kind == LEADS:
        return _("Lead at the {museum}").format(museum=card)
    return _("{card}, upgraded").format(card=card) if which % 2 else card


def _became(view: View, kind: str, which: int, names: Names) -> str:
    """The seats that hold it at the end of the match, after a dot; empty for none."""
    held = [seat for each, seat, n in holdings(view) if (each, n) == (kind, which)]
    who = [pgettext("holder", "you") if seat == view.viewer else names.bold(seat) for seat in held]
    return _(" · in the match: {who}").format(who=listing(who)) if who else ""
