"""What everybody sees: the trail with all parties, and a party or the encounters in full for whoever asks."""

from __future__ import annotations

from typing import Final

from discord import ui

from bot.language import gettext as _
from bot.tables.refusals import Refused
from bot.ui.game_screens import Action, Pressed
from bot.ui.ids import Id, read_number
from bot.ui.kit import Item, button, paged, pager
from bot.ui.names import Names
from cogs.artifact import names as name
from engine.artifact import choices
from engine.artifact import state as s
from engine.artifact.catalogue import SECOND, Encounter
from engine.artifact.party import GONE, WOUNDED
from engine.artifact.state import Position, View

PARTY: Final = "s.party"
ENCOUNTERS: Final = "s.encounters"
ROW: Final = 10
"""Squares of the trail in a line."""
EMPTY: Final = ("▫️", "🔹")
"""A square of each part on which no party stands. Both are seen on a dark background and on a light one."""
SEVERAL: Final = "👥"


# -- the table message


def board(view: View, names: Names) -> list[Item]:
    """The trail, the parties, and what is going on."""
    scenario = choices.scenario(view)
    title = f"**{name.written(scenario.data.title)}**"
    if view.phase == s.PARTY:  # the log has just told how the story begins
        made = _("All make their parties at once, each hidden from the others.")
        return [ui.TextDisplay(f"{title}\n{made}")]
    head = title if view.outcome else title + " · " + _("Round {n}").format(n=view.round)
    items: list[Item] = [
        ui.TextDisplay("\n".join([head, *trail(view)])),
        ui.TextDisplay("\n".join([*parties(view, names), _legend()])),
    ]
    if happening := _happening(view, names):
        items += [ui.Separator(), ui.TextDisplay("\n".join(happening))]
    return items


def trail(view: View) -> list[str]:
    """The trail in rows of ten squares; a line below a row says who stands on which of them."""
    scenario = choices.scenario(view)
    first, second = (name.written(part.title) for part in scenario.data.parts)
    lines = [f"-# {EMPTY[0]} {first} · {EMPTY[1]} {second}"]
    for start in range(s.HOME, s.END + 1, ROW):
        squares = range(start, start + ROW)
        lines.append(f"`{start:>2}` {''.join(_square(view, square) for square in squares)} `{squares[-1]}`")
        if there := [f"`{square}` {marks}" for square in squares if (marks := _on_square(view, square))]:
            lines.append("-# " + " · ".join(there))
    return lines


def _standing(view: View, square: int) -> list[int]:
    return [seat for seat, at in enumerate(view.at) if at == square]


def _square(view: View, square: int) -> str:
    there = _standing(view, square)
    if len(there) > 1:
        return SEVERAL
    if there:
        return name.SEAT[there[0]]
    if view.lies == square:
        return name.ARTIFACT
    if square == s.HOME:
        return name.HOME
    return EMPTY[square >= SECOND]


def _on_square(view: View, square: int) -> str:
    """The marks of who and what is on a square."""
    marks = "".join(
        name.SEAT[seat] + (name.ARTIFACT if seat == view.holder else "") for seat in _standing(view, square)
    )
    return marks + (name.ARTIFACT if view.lies == square else "")


def parties(view: View, names: Names) -> list[str]:
    """Each party in a line: members, wounds, Aids, its square, and whether it has the Artifact."""
    return [_party_line(view, seat, names) for seat in range(view.seats)]


def _party_line(view: View, seat: int, names: Names) -> str:
    head = f"{name.SEAT[seat]} {names.bold(seat)}"
    if view.at[seat] == s.GONE:
        return f"{head} · " + _("out")
    turn = "▶️ " if seat == view.active and view.outcome is None else ""
    parts = [turn + head + (f" {name.ARTIFACT}" if seat == view.holder else ""), strength(view, seat)]
    parts.append(f"`{view.at[seat]}`")
    return " · ".join(parts) + (f" {name.SKIPS}" if view.skips[seat] else "")


def strength(view: Position, seat: int) -> str:
    """A party in numbers with pictures."""
    found = choices.strength(view, seat)
    hurt = f" {name.WOUND} {found.wounded}" if found.wounded else ""
    return f"{name.MEMBERS} {found.members}{hurt} {name.AIDS} {found.aids}"


def _legend() -> str:
    text = _("{members} members · {wound} wounded · {aids} Aids · {artifact} has the Artifact · `8` square")
    return "-# " + text.format(members=name.MEMBERS, wound=name.WOUND, aids=name.AIDS, artifact=name.ARTIFACT)


def _happening(view: View, names: Names) -> list[str]:
    """The fight or the Challenge that is being decided."""
    faced = choices.encounter(view)
    if faced is not None and view.phase in (s.CHALLENGE, s.GIVE_UP):
        return challenge_lines(view, faced)
    if view.opponent != s.NOBODY:
        return [fight_line(view, names)]
    return []


def challenge_lines(view: View, faced: Encounter) -> list[str]:
    """A Challenge, what it asks for, and what is at stake. The log has just told its story."""
    assert faced.challenge
    bonus = choices.challenge_bonus(view, view.active, faced.key)
    stake = _("{abilities} · the party has +{bonus} · at stake: {penalty}").format(
        abilities=name.challenge(faced.challenge), bonus=bonus, penalty=name.penalty(faced.challenge)
    )
    return [f"{name.CHALLENGE} **{name.written(faced.title)}**", stake]


def fight_line(view: View, names: Names) -> str:
    """A fight as far as it has come: who, with which ability, and what each has."""
    mover, other = view.active, view.opponent
    if view.ability == s.NONE:
        return f"{name.FIGHT} {names.bold(mover)} – {names.bold(other)}"
    added = choices.worth(view, view.used)
    mine = f"+{view.counts[mover][view.ability]}" + (f" +{added} {name.AIDS}" if added else "")
    theirs = f"+{view.counts[other][view.ability]}"
    who = f"{names.bold(mover)} {mine} – {names.bold(other)} {theirs}"
    return f"{name.FIGHT} {name.ability(view.ability)} · {who}"


# -- in full, for anybody


def sheets(view: View, names: Names) -> list[Action]:
    """A button for each party once all are made, and one for the scenario's encounters."""
    shown: list[Action] = []
    if view.phase != s.PARTY:
        shown = [Action(names.plain(seat), PARTY, name.SEAT[seat], f"{seat}.0") for seat in range(view.seats)]
    return [*shown, Action(_("Encounters"), ENCOUNTERS, "🗺️", "0.0")]


def sheet(view: View, names: Names, pressed: Pressed, to: Id) -> list[Item]:
    """A party or half of the encounters. Raises `Refused` for a press that this version does not have."""
    match [read_number(part) for part in pressed.arg.split(".")]:
        case [int(number), int(page)]:
            pass
        case _:
            raise Refused("unknown")
    if pressed.intent == PARTY and number < view.seats and view.phase != s.PARTY:
        return _party(view, names, number, page, to)
    if pressed.intent == ENCOUNTERS and number < len(choices.scenario(view).parts):
        return _encounters(view, number, page, to)
    raise Refused("unknown")


def _party(view: View, names: Names, seat: int, page: int, to: Id) -> list[Item]:
    to = to._replace(intent=PARTY)
    head = [f"### {name.SEAT[seat]} {names.escaped(seat)}", _("Round {n}").format(n=view.round)]
    pages = paged([*whole_party(view, seat), journey(view, seat)])
    page = min(page, len(pages) - 1)
    others = [
        button(names.plain(other), to._replace(arg=f"{other}.0"), emoji=name.SEAT[other])
        for other in range(view.seats)
        if other != seat
    ]
    items: list[Item] = [ui.TextDisplay("\n".join([*head, *pages[page]]))]
    if turning := pager(to, f"{seat}.", page, len(pages)):
        items.append(ui.ActionRow(*turning))
    return [*items, ui.ActionRow(*others)]


def whole_party(view: Position, seat: int) -> list[str]:
    """A party in full: where it stands, each member, each Aid."""
    if view.at[seat] == s.GONE:
        return [_("This party is out.")]
    where = _("On square {n}").format(n=view.at[seat])
    lines = [f"{where} · {strength(view, seat)}" + (f" · {name.ARTIFACT}" if seat == view.holder else "")]
    if view.skips[seat]:
        lines.append(_("{picture} It loses its next turn.").format(picture=name.SKIPS))
    for number, person in enumerate(choices.people(view, seat)):
        if person.wound == GONE:
            lines.append(f"~~{name.member(number)}~~ · " + _("out"))
            continue
        hurt = f" {name.WOUND}" if person.wound == WOUNDED else ""
        known = name.abilities(person.abilities) or _("no abilities left")
        lines.append(f"**{name.member(number)}**{hurt} · {known}")
    counts = view.counts[seat]
    together = name.abilities([ability for ability, n in enumerate(counts) for _each in range(n)])
    if together:
        lines.append("-# " + _("Together: {abilities}").format(abilities=together))
    return [*lines, *aid_lines(view, seat)]


def aid_lines(view: Position, seat: int) -> list[str]:
    """Each Aid of a party with what it adds."""
    scenario = choices.scenario(view)
    return [
        f"{name.AIDS} {name.written_aid(scenario, aid.key)} · {name.aid_worth(aid)}"
        + (f" ×{n}" if n > 1 else "")
        for aid, n in choices.aids(view, seat)
    ] or [f"{name.AIDS} " + _("no Aids")]


def journey(view: Position, seat: int) -> str:
    """What a party has been through, as small print."""
    been = choices.journal(view, seat)
    text = _("-# {squares} squares · Challenges: {overcome} of {faced} · fights won: {won} of {fought}")
    return text.format(**been._asdict())


def _encounters(view: View, part: int, page: int, to: Id) -> list[Item]:
    to = to._replace(intent=ENCOUNTERS)
    scenario = choices.scenario(view)
    squares = (f"{s.HOME + 1}–{SECOND - 1}", f"{SECOND}–{s.END - 1}")[part]
    title = name.written(scenario.data.parts[part].title)
    head = [f"### {title}", _("Two dice on squares {squares}:").format(squares=squares)]
    pages = paged([encounter_line(one) for one in scenario.parts[part] if one.key])
    page = min(page, len(pages) - 1)
    other = 1 - part
    label = _(scenario.data.parts[other].title)
    items: list[Item] = [ui.TextDisplay("\n".join([*head, *pages[page]]))]
    turn = button(label, to._replace(arg=f"{other}.0"), emoji=EMPTY[other])
    if turning := pager(to, f"{part}.", page, len(pages)):
        items.append(ui.ActionRow(*turning))
    return [*items, ui.ActionRow(turn)]


def encounter_line(one: Encounter) -> str:
    """An encounter in a line: its roll, what it is called, and what it does."""
    head = f"`{one.roll:>2}` **{name.written(one.title)}**"
    if one.aid:
        return f"{head} · {name.AIDS} {name.aid_worth(one.aid)}"
    assert one.challenge
    return f"{head} · {name.CHALLENGE} {name.challenge(one.challenge)} · {name.penalty(one.challenge)}"
