"""The alt texts of the pictures. Parties are called by their tokens, because a picture does not name players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.art.picture import ALT_TEXT
from bot.language import gettext as _
from bot.language import listing, pgettext
from cogs.artifact import names as name
from cogs.artifact import narrator as people
from engine.artifact import choices
from engine.artifact import state as s
from engine.artifact.card_list import Encounter
from engine.artifact.party import ABILITIES, GONE, WOUNDED
from engine.artifact.state import View, cast


def party(seat: int) -> str:
    """A party by its token."""
    return (
        pgettext("party", "blue circle"),
        pgettext("party", "orange diamond"),
        pgettext("party", "green square"),
        pgettext("party", "red triangle"),
        pgettext("party", "purple heart"),
        pgettext("party", "yellow star"),
    )[seat]


def parties(seats: Iterable[int]) -> str:
    """Parties by their tokens, in a sentence."""
    return listing([party(seat) for seat in seats])


def fitted(sentences: Sequence[str]) -> str:
    """These sentences in a row; where they are too long for a picture's description, its beginning."""
    text = " ".join(filter(None, sentences))
    return text if len(text) <= ALT_TEXT else text[: ALT_TEXT - 2].rsplit(" ", 1)[0] + " …"


# -- the trail


def table(view: View, known: int) -> str:
    """The trail; on squares up to `known` somebody has been."""
    title = _(choices.scenario(view).data.title)
    sentences = [_("The trail of “{title}”, 30 squares from home to the Artifact.").format(title=title)]
    sentences += squares(view)
    if known == s.END:
        sentences.append(_("Someone has been on every square."))
    elif known > s.HOME:
        sentences.append(_("Someone has been on the squares up to {n}.").format(n=known))
    if gone := [seat for seat in range(view.seats) if view.at[seat] == s.GONE]:
        sentences.append(_("Out: {who}.").format(who=parties(gone)))
    if view.outcome is not None:
        sentences.append(_("The winner: {who}.").format(who=parties(view.outcome.winners)))
    elif view.phase != s.PARTY:
        asked = parties(decision.seat for decision in view.pending)
        sentences += [_("To play: {who}.").format(who=asked), happening(view)]
    return fitted(sentences)


def squares(view: View) -> list[str]:
    """A sentence for each square on which somebody stands, or the Artifact lies."""
    sentences: list[str] = []
    for square in range(s.HOME, s.END + 1):
        there = [_standing(view, seat) for seat in range(view.seats) if view.at[seat] == square]
        if view.lies == square:
            there.append(_("the Artifact"))
        if there:
            sentences.append(_("Square {n}: {who}.").format(n=square, who=listing(there)))
    return sentences


def _standing(view: View, seat: int) -> str:
    remarks: list[str] = []
    if view.holder == seat:
        remarks.append(_("has the Artifact"))
    if view.skips[seat]:
        remarks.append(_("loses its next turn"))
    if view.phase == s.PARTY and not view.waiting >> seat & 1:
        remarks.append(_("ready"))
    return party(seat) + (f" ({', '.join(remarks)})" if remarks else "")


def happening(view: View) -> str:
    """The Challenge, fight or choice of the open decision; empty for any other."""
    faced = choices.encounter(view)
    if faced is not None and faced.challenge:
        text = _("A Challenge: {abilities}; at stake: {penalty}.")
        return text.format(abilities=name.challenge(faced.challenge), penalty=name.penalty(faced.challenge))
    if view.opponent != s.NOBODY:
        values = {"mover": party(view.active), "other": party(view.opponent)}
        if view.ability == s.NONE:
            return _("A fight, whose ability is to be named: {mover} against {other}.").format(**values)
        return _("A fight of {ability}: {mover} +{mine} against {other} +{theirs}.").format(
            ability=name.ability(view.ability),
            mine=view.counts[view.active][view.ability] + choices.worth(view, view.used),
            theirs=view.counts[view.opponent][view.ability],
            **values,
        )
    if view.phase == s.DIRECTION:
        ways = {way.move.forward: way.square for way in choices.ways(view)}
        text = _("The die shows {die}: back to square {back}, or forward to square {forward}.")
        return text.format(die=view.die, back=ways[False], forward=ways[True])
    return ""


# -- sheets


def sheet(view: View, seat: int) -> str:
    """A party's sheet."""
    sentences = [_("The party sheet of: {who}.").format(who=party(seat))]
    for number, person in enumerate(choices.people(view, seat)):
        known = name.abilities(person.abilities) or _("no abilities left")
        texts = {WOUNDED: _("{member}, wounded: {abilities}."), GONE: _("{member}: out.")}
        text = texts.get(person.wound, _("{member}: {abilities}."))
        sentences.append(text.format(member=people.role(cast(view), seat, number), abilities=known))
    return fitted([*sentences, _aids(view, seat)])


def _aids(view: View, seat: int) -> str:
    worth = [0] * len(ABILITIES)
    for aid, n in choices.aids(view, seat):
        worth[aid.ability] += aid.worth * n
    held = [f"{name.ability(number)} +{added}" for number, added in enumerate(worth) if added]
    return _("Boons: {aids}.").format(aids=listing(held)) if held else _("No Boons.")


def own_choice(view: View) -> str:
    """The viewer's party while it is being made."""
    assert view.viewer is not None
    sentences = [_("The party sheet of: {who}.").format(who=party(view.viewer))]
    for member, known in name.made(choices.members_of(view), view.created.tens if view.created else (), "{}"):
        abilities = ", ".join(name.counted(sorted(known)))
        sentences.append(_("{member}: {abilities}.").format(member=member, abilities=abilities))
    if view.created:
        packed = listing([name.equipment(key) for key in view.created.equipment])
        sentences.append(_("Boons: {aids}.").format(aids=packed))
    return fitted(sentences)


def encounters(view: View, part: int) -> str:
    """Half of the scenario's encounters."""
    scenario = choices.scenario(view)
    title = _(scenario.data.parts[part].title)
    sentences = [_("The encounters of “{title}”, by the roll of two dice.").format(title=title)]
    return fitted([*sentences, *(_encounter(one) for one in scenario.parts[part] if one.key)])


def _encounter(one: Encounter) -> str:
    if one.aid:
        return _("{roll}: a Boon, {aid}.").format(roll=one.roll, aid=name.aid_worth(one.aid))
    assert one.challenge
    return _("{roll}: a Challenge, {abilities}; {penalty}.").format(
        roll=one.roll, abilities=name.challenge(one.challenge), penalty=name.penalty(one.challenge)
    )
