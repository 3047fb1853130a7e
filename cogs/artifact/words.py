"""The log as a tale: every event in a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from bot.language import gettext as _
from bot.language import listing, ngettext
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.kit import escape
from bot.ui.screens.names import NO_BREAK, Names
from cogs.artifact import names as name
from cogs.artifact.narrator import Narrator
from engine.artifact.card_list import Catalogue
from engine.artifact.party import CHOICE
from engine.artifact.state import HOME


def describe(event: SeenEvent, viewer: int | None, names: Names, catalogue: Catalogue) -> str:
    """One line about an event, to this viewer."""
    return worded(Narrator(event, viewer, names, catalogue))


def worded(t: Narrator) -> str:
    """The line about this event."""
    describe_kind = _DESCRIPTIONS.get(t.kind)
    return describe_kind(t) if describe_kind else t.kind


# -- the start


def _scenario(t: Narrator) -> str:
    scenario = t.scenario()
    if scenario is None:
        return f"📜 **{escape(t.facts['scenario'])}**"
    data = scenario.data
    return f"📜 **{name.written(data.title)}.** {name.written(data.departure)}"


def _rolled_party(t: Narrator) -> str:
    rolls: Sequence[int] | None = t.facts.get("rolls")
    if rolls is None:
        return t.said("", _("{who} rolls dice for the abilities of a party."))
    free = _("free choice")
    shown = [name.ability(number - 1) if number != CHOICE else free for number in sorted(rolls)]
    texts = _("You roll your party: {rolls}."), _("{who} rolls a party: {rolls}.")
    return t.said(*texts, rolls=", ".join(name.counted(shown)))


def _created(t: Narrator) -> str:
    pieces: Sequence[str] | None = t.facts.get("equipment")
    if pieces is None or not t.you:
        return t.said("", _("{who} has made a party."))
    packed = listing([name.equipment(key) for key in pieces])
    tens = [name.ability_of(key) for key in t.facts["tens"]]
    if not tens:
        return _("You pack {equipment}.").format(equipment=packed)
    text = _("For your tens you choose {abilities}, and you pack {equipment}.")
    return text.format(abilities=listing(tens), equipment=packed)


def _parties(t: Narrator) -> str:
    packed = [
        f"{t.bold(seat)}: " + ", ".join(name.equipment(key) for key in party["equipment"])
        for seat, party in enumerate(t.facts["parties"])
    ]
    return _("🥾 The parties set out, and everyone may look at them. They have packed: {packed}.").format(
        packed=" · ".join(packed)
    )


def _order(t: Narrator) -> str:
    shown, rolled = list[str](), set[int]()
    for seat, roll in t.facts["rolls"]:
        again = _("tied, so again:") + " " if seat in rolled else ""
        rolled = {seat} if again else rolled | {seat}
        shown.append(f"{again}{t.bold(seat)} {name.die(roll)}")
    rolls = " · ".join(shown)
    return t.said(
        _("All roll for the first turn: {rolls}. You have the highest roll and begin."),
        _("All roll for the first turn: {rolls}. {who} has the highest roll and begins."),
        rolls=rolls,
    )


# -- the move


def _rolled(t: Narrator) -> str:
    texts = _("{die} You roll, and may choose the way."), _("{die} {who} rolls, and may choose the way.")
    return t.said(*texts, die=name.thrown(t.facts["die"]))


def _moved(t: Narrator) -> str:
    facts = t.facts
    values = {"die": name.thrown(facts["die"]), "start": facts["from"], "end": facts["to"]}
    if comes_home(facts):
        mine, theirs = (
            _("{die} **You come home** from square {start} (chance {chance})."),
            _("{die} {who} **comes home** from square {start} (chance {chance})."),
        )
        values["chance"] = chance_home(facts)
    elif facts.get("ahead"):
        mine, theirs = (
            _("{die} You run ahead to wait on square {end}."),
            _("{die} {who} runs ahead to wait on square {end}."),
        )
    elif facts["direction"] == "forward":
        mine, theirs = (
            _("{die} You go on from square {start} to {end}."),
            _("{die} {who} goes on from square {start} to {end}."),
        )
    else:
        mine, theirs = (
            _("{die} You go homeward from square {start} to {end}."),
            _("{die} {who} goes homeward from square {start} to {end}."),
        )
    # At the ends of the trail, and where the Artifact lies, a move stops.
    is_short = abs(facts["to"] - facts["from"]) < facts["die"] and not comes_home(facts)
    return " ".join([t.said(mine, theirs, **values), *([_("There the move ends.")] if is_short else [])])


def comes_home(facts: Mapping[str, Any]) -> bool:
    """Whether a move brought the Artifact home."""
    return bool(facts.get("artifact")) and facts.get("to") == HOME


def chance_home(facts: Mapping[str, Any]) -> str:
    """The chance that the roll with which a party came home was high enough."""
    return name.percent(min(Fraction(1), Fraction(7 - (facts["from"] - HOME), 6)))


def taken(t: Narrator) -> str:
    """That a party takes the Artifact at the end of the trail, without the tale of its discovery."""
    scenario = t.scenario()
    return t.said(
        _("💎 You **lift the Artifact**, {prize}. Now it must come home!"),
        _("💎 {who} **lifts the Artifact**, {prize}. Now it must come home!"),
        prize="…" if scenario is None else name.written(scenario.data.prize),
    )


def _reached(t: Narrator) -> str:
    line, scenario = taken(t), t.scenario()
    return line if scenario is None else f"{line}\n-# *{name.written(scenario.data.discovery)}*"


def _picked_up(t: Narrator) -> str:
    return t.said(
        _("💎 On square {square} you **pick up the Artifact**."),
        _("💎 On square {square} {who} **picks up the Artifact**."),
        square=t.facts["square"],
    )


# -- fights


def _met(t: Narrator) -> str:
    key = t.facts["ability"]
    met = t.said(
        _("⚔️ On square {square} you meet {other} and must fight."),
        _("⚔️ On square {square} {who} meets {other} and must fight."),
        other=t.bold(t.facts["other"]),
        square=t.facts["square"],
    )
    ability = _("free choice") if key is None else name.ability_of(key)
    shows = _("The ten-sided die shows {die}: {ability}.")
    return f"{met} {shows.format(die=name.die(t.facts['die']), ability=ability)}"


def _named(t: Narrator) -> str:
    texts = _("You choose {ability} for the fight."), _("{who} chooses {ability} for the fight.")
    return t.said(*texts, ability=name.ability_of(t.facts["ability"]))


def _used(t: Narrator) -> str:
    keys: Sequence[str] = t.facts["aids"]
    if not keys:
        return t.said(_("You spend no Boon."), _("{who} spends no Boon."))
    texts = _("🎒 You spend {aids} (+{worth})."), _("🎒 {who} spends {aids} (+{worth}).")
    return t.said(*texts, aids=t.aids(keys), worth=t.facts["worth"])


def _total(die: int, abilities: int, aids: int, total: int) -> str:
    """An ability roll: "5️⃣ + 3 + 3 = **11**", without pictures after which a line may break; nothing added is 0."""
    added = "".join([f" + {each}" for each in (abilities, aids) if each])
    return f"{name.die(die)}{added} = **{total}**".replace(" ", NO_BREAK) if added else name.die(die)


def totals(t: Narrator) -> list[str]:
    """The two rolls of a fight, the mover's first."""
    facts = t.facts
    rolled = zip(facts["dice"], facts["abilities"], facts["aids"], facts["totals"], strict=True)
    return [_total(*each) for each in rolled]


def own_total(t: Narrator) -> str:
    """A party's roll in a Challenge."""
    return _total(t.facts["die"], t.facts["abilities"], t.facts["aids"], t.facts["total"])


def fought(t: Narrator, *, named: bool = False) -> str:
    """The result of a fight; `named`: with its ability, for a reader who may not have read that the parties met."""
    facts = t.facts
    assert t.seat is not None
    other: int = facts["other"]
    roll, answer = totals(t)
    if t.you:
        text = _("You roll {roll}, {other} rolls {answer}.")
    elif t.viewer == other:
        text = _("{who} rolls {roll}, you roll {answer}.")
    else:
        text = _("{who} rolls {roll}, {other} rolls {answer}.")
    rolls = text.format(who=t.bold(t.seat), other=t.bold(other), roll=roll, answer=answer)
    if named:
        rolls = f"**{name.ability_of(facts['ability'])}.** {rolls}"
    return f"{name.FIGHT} {rolls} {_winner(t)}"


def _winner(t: Narrator) -> str:
    winner: int | None = t.facts["winner"]
    if winner is None:
        return _("**A draw:** both stay, and no one is hurt.")
    if winner == t.viewer:
        return _("**You win!**")
    if t.viewer in (t.seat, t.facts["other"]):
        return _("**You lose.**")
    return _("{winner} **wins!**").format(winner=t.bold(winner))


def _seized(t: Narrator) -> str:
    mine, theirs = (
        _("💎 **You seize the Artifact** from {other}!"),
        _("💎 {who} **seizes the Artifact** from {other}!"),
    )
    if t.facts["other"] == t.viewer:
        theirs = _("💎 {who} **seizes the Artifact** from you!")
    return t.said(mine, theirs, other=t.bold(t.facts["other"]))


# -- encounters


def _story(t: Narrator) -> str:
    """The encounter's title and story."""
    found = t.encounter()
    if found is None:
        return f"**{escape(t.facts['encounter'])}**"
    return f"**{name.written(found.title)}.** {name.written(found.story)}"


def _aid(t: Narrator) -> str:
    found = t.encounter()
    if found is None or found.aid is None:
        return _story(t)
    return f"{gained(t)} {name.written(found.story)}"


def gained(t: Narrator) -> str:
    """A Boon that a party has gained, without its story."""
    found = t.encounter()
    if found is None or found.aid is None:
        return _story(t)
    another = t.facts.get("again", False)
    line = t.said(
        _("You gain another “{aid}” ({worth}).") if another else _("You gain the Boon “{aid}” ({worth})."),
        _("{who} gains the Boon “{aid}” ({worth})."),
        aid=name.written(found.title),
        worth=name.aid_worth(found.aid),
    )
    return f"{name.AIDS} {line}"


def _challenge(t: Narrator) -> str:
    found = t.encounter()
    if found is None or found.challenge is None:
        return _story(t)
    facing = t.said(
        _("You face this Challenge: {abilities}."),
        _("{who} faces this Challenge: {abilities}."),
        abilities=name.challenge(found.challenge),
    )
    return f"{_story(t)} {name.CHALLENGE} {facing}"


def _how(chance: float, margin: int, *, overcome: bool) -> str:
    """The result of a Challenge beside what was likely, and how close it was."""
    sure, hopeless = chance > 1 - UNLIKELY, chance < UNLIKELY
    if not overcome:
        usual = _("as feared, it fails.") if hopeless else _("it goes wrong.")
        return _("of all things, this fails!") if sure else _("so close!") if margin == -1 else usual
    easy = sure and margin > CLOSE
    usual = _("no trouble at all.") if easy else _("well done!") if chance >= 1 / 2 else _("lucky!")
    return _("against all odds!") if hopeless else usual if margin else _("just enough!")


CLOSE: Final = 2
"""The margin up to which a Challenge is not overcome without trouble."""
UNLIKELY: Final = 0.2
"""The chance up to which a result is a surprise."""


def faced(t: Narrator) -> str:
    return ": ".join(rolled_and_outcome(t))


def rolled_and_outcome(t: Narrator) -> tuple[str, str]:
    """The rolls of a Challenge, and its result."""
    facts, chance = t.facts, t.chance()
    margin = abs(facts["total"] - facts["against"]) * (1 if facts["overcome"] else -1)
    dice = f"{name.dice(facts['dice'])} = **{facts['against']}**".replace(" ", NO_BREAK)
    texts = (
        _("You roll {rolls} against {dice} (chance {chance})"),
        _("{who} rolls {rolls} against {dice} (chance {chance})"),
    )
    rolled = t.said(*texts, rolls=own_total(t), dice=dice, chance=name.percent(chance))
    return rolled, _how(float(chance), margin, overcome=facts["overcome"])


# -- what is suffered


def _wounded(t: Narrator) -> str:
    person = t.person()
    lost = listing([name.ability_of(key) for key in t.facts["lost"]])
    mine, theirs = _("🩹 {person} of your party is wounded."), _("🩹 {person} of {who}'s party is wounded.")
    if lost:
        mine = _("🩹 {person} of your party is wounded and loses {lost}.")
        theirs = _("🩹 {person} of {who}'s party is wounded and loses {lost}.")
    return t.said(mine, theirs, person=person, lost=lost)


def _member_out(t: Narrator) -> str:
    return t.said(
        _("🚑 {person} of your party is wounded again and is carried home, out of this story."),
        _("🚑 {person} of {who}'s party is wounded again and is carried home, out of this story."),
        person=t.person(),
    )


def _party_out(t: Narrator) -> str:
    return t.said(
        _("No one in your party is left: you are out of the race."),
        _("No one in {who}'s party is left: it is out of the race."),
    )


def _fell(t: Narrator) -> str:
    return _("💎 The Artifact lies on square {square}, for anyone to take.").format(square=t.facts["square"])


def _turn_lost(t: Narrator) -> str:
    return t.said(_("💤 You lose your next turn."), _("💤 {who} loses the next turn."))


def _thrown_back(t: Narrator) -> str:
    # No square from which: on the way home, back means to a higher number.
    mine, theirs = (
        _("You are thrown back to square {end} ({lost})."),
        _("{who} is thrown back to square {end} ({lost})."),
    )
    if t.facts["from"] == t.facts["to"]:
        mine = _("You stay on square {square}, because no one is thrown back further.")
        theirs = _("{who} stays on square {square}, because no one is thrown back further.")
    lost = name.squares_lost(abs(t.facts["to"] - t.facts["from"]))
    return t.said(mine, theirs, square=t.facts["to"], end=t.facts["to"], lost=lost)


def _aid_lost(t: Narrator) -> str:
    aid: str | None = t.facts["aid"]
    if aid is None:
        return t.said(
            _("You have no Boon to lose, so you lose nothing."),
            _("{who} has no Boon to lose, so nothing is lost."),
        )
    return t.said(
        _("🎒 You lose the Boon “{aid}”."), _("🎒 {who} loses the Boon “{aid}”."), aid=t.aids([aid])
    )


def _skipped(t: Narrator) -> str:
    return t.said(
        _("💤 You skip this turn, which a Challenge has cost you."),
        _("💤 {who} skips this turn, which was lost in a Challenge."),
    )


def ending(t: Narrator) -> str:
    """How the match ended, without the tale of the homecoming, which the result tells."""
    winner, n = t.facts["winner"], t.facts["round"]
    if winner == t.viewer:
        text = ngettext("🏁 After {n} round you win!", "🏁 After {n} rounds you win!", n)
    elif t.facts["why"] == "home":
        text = ngettext(
            "🏁 After {n} round {winner} brings the Artifact home!",
            "🏁 After {n} rounds {winner} brings the Artifact home!",
            n,
        )
    else:
        text = ngettext(
            "🏁 After {n} round {winner} has the last party on the trail, and wins!",
            "🏁 After {n} rounds {winner} has the last party on the trail, and wins!",
            n,
        )
    return text.format(n=n, winner=t.bold(winner))


def _over(t: Narrator) -> str:
    line, scenario = ending(t), t.scenario()
    if scenario is None or t.facts["why"] != "home":
        return line
    return f"{line} {name.written(scenario.data.homecoming)}"


_DESCRIPTIONS: Final[Mapping[str, Callable[[Narrator], str]]] = {
    each.__name__.removeprefix("_"): each
    for each in (
        _scenario, _rolled_party, _created, _parties, _order, _rolled, _moved, _reached, _picked_up, _met, _named,
        _used, fought, _seized, _aid, _challenge, faced, _wounded, _member_out, _party_out, _fell, _turn_lost,
        _thrown_back, _aid_lost, _skipped, _over,
    )
}  # fmt: skip
