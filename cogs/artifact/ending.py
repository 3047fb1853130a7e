"""The result of a match, the journey of the winner and the way of each other party; and the highlights of the race."""

from __future__ import annotations

from collections.abc import Sequence

from bot.language import gettext as _
from bot.language import listing, ngettext
from bot.ui.screens.game_parts import most
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import ranking
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from cogs.artifact import table
from engine.artifact import choices
from engine.artifact import state as s
from engine.artifact.party import MEMBERS
from engine.artifact.state import View


def result(view: View, names: Names) -> list[str]:
    """The scenario's epilogue, the winner's journey in five lines, and the ranks; a line tells how each other ended."""
    outcome = view.outcome
    assert outcome is not None
    (winner,) = outcome.winners
    lines: list[str] = []
    if outcome.why == "home":
        lines.append(f"*{name.written(choices.scenario(view).data.homecoming)}*")
    lines += [_("**The journey of the winner**"), *_journey(view, winner), ""]
    for seat, rank in ranking(outcome):
        found = choices.strength(view, seat)
        standing = table.strength(view, seat) if found.members else _("out")
        lines.append(f"{rank} {name.SEAT[seat]} {names.bold(seat)} · {standing}")
        if seat != winner:
            lines.append(f"-# {' '.join([_of_the_artifact(view, seat, names), *_feats(view, seat)])}")
    return lines


def _journey(view: View, seat: int) -> list[str]:
    """A party's adventures, in five lines."""
    been, found = choices.journal(view, seat), choices.strength(view, seat)
    moved = max(0, len(view.hands) - 1)
    hands = ngettext("the Artifact changed hands {n} time", "the Artifact changed hands {n} times", moved)
    if not moved:
        hands = _("the Artifact never changed hands")
    return [
        _("🥾 Squares travelled: {squares} · rounds: {rounds}").format(
            squares=been.squares, rounds=view.round
        ),
        _("🎒 Boons found on the way: {found} · spent: {spent}").format(found=been.found, spent=been.spent),
        _("❗ Challenges overcome: {overcome} of {faced}").format(overcome=been.overcome, faced=been.faced),
        _("⚔️ Fights won: {won} of {fought}").format(won=been.won, fought=been.fought),
        _("👤 Members still there: {members} of {all} · wounded: {wounded}").format(
            members=found.members, all=MEMBERS, wounded=found.wounded
        )
        + f" · {name.ARTIFACT} "
        + hands.format(n=moved),
    ]


def _of_the_artifact(view: View, seat: int, names: Names) -> str:
    """How near a party without the victory came to the Artifact."""
    last = max((place for place, held in enumerate(view.hands) if held.seat == seat), default=None)
    if last is None:
        if view.at[seat] == s.GONE:
            return _("The party never reached the Artifact.")
        return _("The party never had the Artifact. It was on square {n} at the end.").format(n=view.at[seat])
    if last + 1 == len(view.hands):
        return _("The Artifact was in this party's hands until its last member left.")
    lost = view.hands[last + 1]
    text = _("The Artifact was in this party's hands until {who} took it on square {n}.")
    return text.format(who=names.bold(lost.seat), n=lost.square)


def _feats(view: View, seat: int) -> list[str]:
    """The Challenges and fights that a party has won, as a sentence; none if it won nothing."""
    been = choices.journal(view, seat)
    feats: list[str] = []
    if been.overcome:
        text = ngettext("{n} Challenge overcome", "{n} Challenges overcome", been.overcome)
        feats.append(text.format(n=been.overcome))
    if been.won:
        feats.append(ngettext("{n} fight won", "{n} fights won", been.won).format(n=been.won))
    # Translators: {feats} are "3 Challenges overcome" and "2 fights won".
    return [_("This party comes home with {feats}.").format(feats=listing(feats))] if feats else []


def highlights(events: Sequence[SeenEvent], view: View, names: Names) -> list[str]:
    """The seats with most fights won, Challenges overcome, seizures of the Artifact, and wounds."""
    won, overcome, seized, wounds = [0] * view.seats, [0] * view.seats, [0] * view.seats, [0] * view.seats
    for event in events:
        if event.seat is None:
            continue
        if event.kind == "fought" and event.facts["winner"] is not None:
            won[event.facts["winner"]] += 1
        elif event.kind == "faced" and event.facts["overcome"]:
            overcome[event.seat] += 1
        elif event.kind == "seized":
            seized[event.seat] += 1
        elif event.kind in ("wounded", "member_out"):
            wounds[event.seat] += 1
    return [
        *most(name.FIGHT, won, names, _("Most fights won: {who}, {n}.")),
        *most(name.CHALLENGE, overcome, names, _("Most Challenges overcome: {who}, {n}.")),
        *most(name.ARTIFACT, seized, names, _("Artifact seized most often: {who}, {n}.")),
        *most(name.WOUND, wounds, names, _("Most wounds: {who}, {n}.")),
    ]
