"""The public screens: the trail with all parties, and sheets with a party or the encounters in full."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from bot.language import gettext as _
from bot.language import ngettext
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import Action, Pressed
from bot.ui.screens.ids import Id, read_number
from bot.ui.screens.kit import LARGE, PICTURED, Item, button, paged, pager
from bot.ui.screens.names import NO_BREAK, Names
from cogs.artifact import names as name
from cogs.artifact import narrator as people
from engine.artifact import choices
from engine.artifact import state as s
from engine.artifact.card_list import SECOND, Challenge, Encounter
from engine.artifact.party import ABILITIES, GONE, WOUNDED
from engine.artifact.state import Position, View, cast
from engine.artifact.turns import exposed

ALL: Final = "s.parties"
PARTY: Final = "s.party"
ENCOUNTERS: Final = "s.encounters"
ROW: Final = 10
"""Squares of the trail in a line."""
EMPTY: Final = ("▫️", "🔹")
"""A square of each part on which no party stands. Both are seen on a dark background and on a light one."""
SEVERAL: Final = "👥"
EXPLAINED: Final = 2
"""The rounds in which newcomers read what a roll does."""
FEW_TENS: Final = 2
"""With more menus than these, a phone has no room for them."""
LONGEST_MOVE: Final = 6
"""The most squares that a party goes in a turn."""


# -- the table message


def board(view: View, names: Names) -> list[Item]:
    """The trail, in place of its picture, the parties, and what is going on."""
    scenario = choices.scenario(view)
    title = f"**{name.written(scenario.data.title)}**"
    if view.phase == s.PARTY:
        story = f"*{name.written(scenario.data.departure)}*"
        made = _("Everyone creates their party at the same time, in secret.")
        return [ui.text(f"{title}\n{story}\n{made}")]
    head = title if view.outcome else title + " · " + _("Round {n}").format(n=view.round)
    if view.holder != s.NOBODY and not view.outcome:
        head += f" · {name.ARTIFACT} {from_home(view, view.holder)}"
    key = [_legend()] if view.round == 1 else []
    lines = [f"-# {head}", *parties(view, names), *key, *_happening(view, names)]
    return [ui.text("\n".join(trail(view)), id=PICTURED), ui.text("\n".join(lines))]


def from_home(view: View, seat: int) -> str:
    """The distance of a party from home."""
    n = view.at[seat] - s.HOME
    return ngettext("{n} square from home", "{n} squares from home", n).format(n=n)


def trail(view: View) -> list[str]:
    """The trail in rows of ten squares. The parties' lines show which parties share a square."""
    rows = [range(start, start + ROW) for start in range(s.HOME, s.END + 1, ROW)]
    return [f"`{row[0]:>2}` {''.join(_square(view, square) for square in row)} `{row[-1]}`" for row in rows]


def _square(view: View, square: int) -> str:
    there = [seat for seat, at in enumerate(view.at) if at == square]
    if len(there) > 1:
        return SEVERAL
    if there:
        return name.SEAT[there[0]]
    if view.lies == square:
        return name.ARTIFACT
    if square == s.HOME:
        return name.HOME
    return EMPTY[square >= SECOND]


def parties(view: View, names: Names) -> list[str]:
    """Each party in a line: its square, members, wounds and Aids, whether it has the Artifact or loses a turn."""
    return [_party_line(view, seat, names) for seat in range(view.seats)]


def _party_line(view: View, seat: int, names: Names) -> str:
    head = f"{name.SEAT[seat]} {names.bold(seat)}"
    if view.at[seat] == s.GONE:
        return f"{head} " + _("out")
    parts = [head, "·", name.square(view.at[seat]), "·", strength(view, seat)]
    parts += [name.ARTIFACT] if seat == view.holder else []
    parts += [name.SKIPS] if view.skips[seat] else []
    return " ".join(parts)


def strength(view: Position, seat: int) -> str:
    """A party in numbers with pictures."""
    found = choices.strength(view, seat)
    hurt = f" {name.WOUND}{found.wounded}" if found.wounded else ""
    return f"{name.MEMBERS}{found.members}{hurt} {name.AIDS}{found.aids}"


def near_home(view: View, names: Names) -> str:
    """How far from home the Artifact is, and the rolls that bring it there; before, who leads the viewer's race."""
    if view.outcome is not None or view.phase == s.PARTY:
        return ""
    if view.holder == s.NOBODY:
        fights = view.opponent != s.NOBODY
        return "" if view.viewer is None or fights or view.at[view.viewer] == s.GONE else _race(view, names)
    left = view.at[view.holder] - s.HOME
    # Translators: after “win on” or “wins on”
    dice = name.dice(range(left, LONGEST_MOVE + 1)) if left > 1 else _("any roll")
    yours, theirs = (
        _("{artifact} You have it. Squares to home: {n}"),
        _("{artifact} {who} has it. Squares to home: {n}"),
    )
    if left <= LONGEST_MOVE and view.phase == s.ROLL and view.active == view.holder:
        yours = LARGE + _("🏁 You have the Artifact {artifact}, and win on {dice}. Squares to home: {n}")
        theirs = LARGE + _("🏁 {who} has the Artifact {artifact}, and wins on {dice}. Squares to home: {n}")
    elif left <= LONGEST_MOVE and not view.skips[view.holder]:
        yours = LARGE + _("🏁 You have the Artifact {artifact}: you may win next turn, on {dice}.")
        theirs = LARGE + _("🏁 {who} has the Artifact {artifact}, and may win next turn, on {dice}.")
    text = (yours if view.holder == view.viewer else theirs).replace(": {n}", f":{NO_BREAK}{{n}}")
    told = text.format(who=names.bold(view.holder), n=left, artifact=name.ARTIFACT, dice=dice)
    waits = [other for other in range(view.seats) if s.GONE < view.at[other] < view.at[view.holder]]
    if view.holder != view.viewer or not waits:
        return told
    parties = ", ".join(f"{names.bold(other)} ({view.at[other]})" for other in waits)
    return f"{told} · " + _("on your way: {parties}").format(parties=parties)


def names_signs(view: View) -> bool:
    """Whether a newcomer reads the names of the abilities' signs beside the choices: in the first round."""
    has_room = view.phase == s.ROLL or (view.phase == s.PARTY and choices.tens(view) <= FEW_TENS)
    return has_room and view.round <= 1


def key() -> str:
    """The names of the signs in a party's picture."""
    signs = ", ".join(map(name.ability, range(len(ABILITIES))))
    return _("Signs, left to right: {abilities}.").format(abilities=signs)


def _legend() -> str:
    text = _(
        "{members} members · {wound} wounded · {aids} Boons · {artifact} has the Artifact · {skips} loses a turn"
    )
    return "-# " + text.format(
        members=name.MEMBERS, wound=name.WOUND, aids=name.AIDS, artifact=name.ARTIFACT, skips=name.SKIPS
    )


def _happening(view: View, names: Names) -> list[str]:
    faced = choices.encounter(view)
    if faced is not None and view.phase in (s.CHALLENGE, s.GIVE_UP):
        text = _("{abilities} · {who} has +{bonus} · at stake: {penalty}")  # another line names it
        return [f"-# {name.CHALLENGE} " + text.format(who=names.bold(view.active), **_asked_for(view, faced))]
    if view.opponent != s.NOBODY:
        return [fight_line(view, names)]
    return []


def challenge_lines(view: View, faced: Encounter) -> list[str]:
    """A Challenge for its player, below its title: its story, and the rolls that decide it."""
    asked = _("{abilities}: your die + {bonus} against two dice.").format(**_asked_for(view, faced))
    # The Artifact in new hands or near home is the news of the round, and has the room of the story.
    held = view.hands[-1:] if view.holder != s.NOBODY else ()
    is_news = any(each.round >= view.round - 1 or view.at[each.seat] <= LONGEST_MOVE for each in held)
    return [asked] if is_news else [f"-# *{name.written(faced.story)}*", asked]


def if_you_fail(view: View, faced: Encounter) -> str:
    """The result that is enough in a Challenge, and what is at stake."""
    enough = _("Equal is enough.")
    if view.printed:
        enough = _("As printed, the lower roll wins, and Boons hurt you.")
    return f"-# {enough}\n-# " + _("If you fail: {penalty}.").format(**_asked_for(view, faced))


def heading(view: View) -> str:
    """The Challenge that the viewer faces; empty where something else is asked."""
    faced = choices.encounter(view) if view.phase == s.CHALLENGE else None
    return f"{name.CHALLENGE} **{name.written(faced.title)}**" if faced else ""


def _race(view: View, names: Names) -> str:
    """The viewer's square, and who is first on the way to the Artifact, and by how much."""
    seat = view.viewer or 0
    first = max([other for other in range(view.seats) if other != seat], key=view.at.__getitem__)
    ahead = view.at[seat] - view.at[first]
    text = _("you lead by {n}") if ahead > 0 else _("{who} leads by {n}") if ahead else _("beside {who}")
    lead = text.format(who=names.escaped(first), n=abs(ahead))
    return f"{name.square(view.at[seat])} · **{lead}**"


def _asked_for(view: View, faced: Encounter) -> Mapping[str, object]:
    """The abilities that a Challenge asks for, the mover's bonus, and the penalty at stake."""
    assert faced.challenge
    return {
        "abilities": name.challenge(faced.challenge),
        "bonus": choices.challenge_bonus(view, view.active, faced.key),
        "penalty": at_stake(view, faced.challenge),
    }


def at_stake(view: View, asked: Challenge) -> str:
    """The penalty of the Challenge that is faced, and what it means to the mover."""
    match asked.penalty:
        case "squares_lost":
            back = _("{lost}, back to square {n}")
            return back.format(lost=name.penalty(asked), n=choices.set_back(view, asked.squares))
        case "aid_lost" if view.viewer == view.active:
            return _("a Boon lost, which you choose")
        case "wound":
            hit = [view.wounds[view.active][member] for member in exposed(view.wounds[view.active])]
            hurt = Fraction(hit.count(WOUNDED), len(hit))
            text = _("a wound, with a chance of {chance} to carry a wounded member home")
            return (text if hurt else _("a wound, which costs an ability")).format(chance=name.percent(hurt))
        case "two_wounds":
            return _("two wounds, which cost abilities")
        case _:
            return name.penalty(asked)


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


def odds(view: View, other: int, *, tied: bool = True) -> str:
    """The mover's chances against another party without Boons, and from where all of its are spent to all of theirs;
    `tied`: with that of a draw.
    """
    sides = ((), (view.active,), (other,))
    plain, most, least = (choices.prospects(view, view.active, other, aided=aided) for aided in sides)
    text = _("you {win} · draw {tie}") if tied else _("you {win}")
    text += "" if most.win == least.win else " (" + _("{least}–{most} with Boons") + ")"
    odds = {"win": plain.win, "tie": plain.tie, "most": most.win, "least": least.win}
    return text.format(**{key: name.percent(chance) for key, chance in odds.items()})


def stake(view: View, names: Names) -> list[str]:
    """The stake of a fight, for the side that is asked: the Artifact that it may lose is a heading."""
    mine = choices.asked(view)
    other = view.active + view.opponent - mine
    if view.holder == mine:
        text = LARGE + _("If you lose, {who} takes the Artifact {artifact} from you.")
    else:
        text = "-# " + _("If you win, the Artifact {artifact} is yours.") if view.holder == other else ""
    return [text.format(who=names.bold(other), artifact=name.ARTIFACT)] if text else []


# -- in full, for anybody


def sheets(view: View, names: Names) -> list[Action]:
    """A button for all parties once they are made, from which the encounters are a press away; before, for these."""
    if view.phase == s.PARTY:
        return [Action(_("Encounters"), ENCOUNTERS, name.ENCOUNTERS, "0.0")]
    return [Action(_("Parties"), ALL, name.MEMBERS)]


def sheet(view: View, names: Names, pressed: Pressed, to: Id) -> list[Item]:
    """All parties, one of them, or half of the encounters. Raises `Refused` for a press of another version."""
    if pressed.intent == ALL and view.phase != s.PARTY:
        return _parties(view, names, to)
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


def _parties(view: View, names: Names, to: Id) -> list[Item]:
    """All parties in some lines each, with a button to each in full."""
    lines = [_("### Parties"), _("Round {n}").format(n=view.round), _legend()]
    for seat, line in enumerate(parties(view, names)):
        lines.append(line)
        if view.at[seat] != s.GONE:
            lines += in_short(view, seat)
    encounters = button(_("Encounters"), to._replace(intent=ENCOUNTERS, arg="0.0"), emoji=name.ENCOUNTERS)
    return [ui.text("\n".join(lines)), *ui.rows(_each_party(view, names, to)), ui.row(encounters)]


def _each_party(view: View, names: Names, to: Id, but: int | None = None) -> list[ui.Button]:
    return [
        button(names.plain(seat), to._replace(intent=PARTY, arg=f"{seat}.0"), emoji=name.SEAT[seat])
        for seat in range(view.seats)
        if seat != but
    ]


def in_short(view: Position, seat: int) -> list[str]:
    """A party's abilities and Aids in small print."""
    return [
        f"-# {each}"
        for each in (*abilities_together(view, seat), f"{name.AIDS} {aids_in_a_line(view, seat)}")
    ]


def aids_in_a_line(view: Position, seat: int) -> str:
    """A party's Aids with what each adds, in a line."""
    scenario = choices.scenario(view)
    held = [
        f"{name.written_aid(scenario, aid.key, seat)} ({name.aid_worth(aid)})" + (f" ×{n}" if n > 1 else "")
        for aid, n in choices.aids(view, seat)
    ]
    return ", ".join(held) or _("no Boons")


def _party(view: View, names: Names, seat: int, page: int, to: Id) -> list[Item]:
    to = to._replace(intent=PARTY)
    head = [f"### {name.SEAT[seat]} {names.escaped(seat)}", _("Round {n}").format(n=view.round)]
    pages = paged([*whole_party(view, seat), journey(view, seat)])
    page = min(page, len(pages) - 1)
    items: list[Item] = [ui.text("\n".join([*head, *pages[page]]))]
    if turning := pager(to, f"{seat}.", page, len(pages)):
        items.append(ui.row(*turning))
    all_parties = button(_("All Parties"), to._replace(intent=ALL, arg=""), emoji=name.MEMBERS)
    return [*items, ui.row(*_each_party(view, names, to, seat)), ui.row(all_parties)]


def where_it_is(view: Position, seat: int) -> str:
    """A party's square and its strength in numbers, and whether it has the Artifact."""
    where = _("On square {n}").format(n=view.at[seat])
    return f"{where} · {strength(view, seat)}" + (f" · {name.ARTIFACT}" if seat == view.holder else "")


def whole_party(view: Position, seat: int) -> list[str]:
    """A party in full: where it stands, each member, each Aid."""
    if view.at[seat] == s.GONE:
        return [_("This party is out.")]
    lines = [where_it_is(view, seat)]
    if view.skips[seat]:
        lines.append(_("{picture} It loses its next turn.").format(picture=name.SKIPS))
    number_of_cast = cast(view)
    for number, person in enumerate(choices.people(view, seat)):
        if person.wound == GONE:
            lines.append(f"~~{people.person(number_of_cast, seat, number)}~~ · " + _("out"))
            continue
        hurt = f" {name.WOUND}" if person.wound == WOUNDED else ""
        known = name.abilities(person.abilities) or _("no abilities left")
        lines.append(f"**{people.role(number_of_cast, seat, number)}**{hurt} · {known}")
    together = [
        "-# " + _("Together: {abilities}").format(abilities=each) for each in abilities_together(view, seat)
    ]
    held = [
        f"{name.AIDS} {name.written_aid(choices.scenario(view), aid.key, seat)} · {name.aid_worth(aid)}"
        + (f" ×{n}" if n > 1 else "")
        for aid, n in choices.aids(view, seat)
    ]
    return [*lines, *together, *(held or [f"{name.AIDS} " + _("no Boons")])]


def abilities_together(view: Position, seat: int) -> list[str]:
    """All abilities of a party in a line; no line where it has none."""
    together = name.abilities([each for each, n in enumerate(view.counts[seat]) for _one in range(n)])
    return [together] if together else []


def journey(view: Position, seat: int) -> str:
    """A party's adventures, as small print."""
    been = choices.journal(view, seat)
    text = _("-# Squares: {squares} · Challenges: {overcome} of {faced} · Fights won: {won} of {fought}")
    head, dot, fights = text.rpartition(" · ")
    told = head + dot + fights.replace(" ", NO_BREAK) if been.fought else head
    return told.format(**been._asdict())


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
    items: list[Item] = [ui.text("\n".join([*head, *pages[page]]))]
    turn = button(label, to._replace(arg=f"{other}.0"), emoji=EMPTY[other])
    if turning := pager(to, f"{part}.", page, len(pages)):
        items.append(ui.row(*turning))
    every = button(_("Parties"), to._replace(intent=ALL, arg=""), emoji=name.MEMBERS)
    return [*items, ui.row(turn, *([] if view.phase == s.PARTY else [every]))]


def encounter_line(one: Encounter) -> str:
    """An encounter in a line: its roll, its titles, and its effect."""
    titles = " / ".join(f"**{name.written(title)}**" for title in (one.title, *(one.again or ())[:1]))
    head = f"`{one.roll:>2}` {titles}"
    if one.aid:
        return f"{head} · {name.AIDS} {name.aid_worth(one.aid)}"
    assert one.challenge
    return f"{head} · {name.CHALLENGE} {name.challenge(one.challenge)} · {name.penalty(one.challenge)}"
