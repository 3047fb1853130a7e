"""Proposed moves of Artifact in words, their selection on the screen, and the reasons for them: for hints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from bot.language import gettext as _
from bot.language import listing, ngettext
from bot.ui.screens.kit import Choices, bundle_sizes
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from cogs.artifact import turn
from engine.agents.advice import Reason
from engine.artifact import choices as c
from engine.artifact import moves as m
from engine.artifact.card_list import Challenge
from engine.artifact.state import View


def move_text(view: View, move: Any, names: Names) -> str:
    """A proposed move."""
    match move:
        case m.Create(tens, pieces):
            chosen = [*map(name.ability, tens), *map(name.equipment, pieces)]
            return _("Set out with {chosen}.").format(chosen=listing(name.counted(chosen)))
        case m.Go(forward):
            square = next((way.square for way in c.ways(view) if way.move == move), 0)
            text = _("Go on to square {square}.") if forward else _("Go back to square {square}.")
            return text.format(square=square)
        case m.Meet(seat):
            return _("Fight {name}.").format(name=names.escaped(seat))
        case m.Name(ability):
            return _("Name {ability}.").format(ability=name.ability(ability))
        case m.Use(aids):
            return _("Spend {aids}.").format(aids=_aids(view, aids)) if aids else _("Spend no Boon.")
        case m.GiveUp(aid):
            return _("Give up {aid}.").format(aid=_aids(view, [aid]))
        case _:
            return _("Roll the die.")


def _aids(view: View, keys: Sequence[str]) -> str:
    scenario = c.scenario(view)
    return listing(name.counted([name.written_aid(scenario, key) for key in keys]))


def selection_for(view: View, move: Any) -> Choices:
    """The selection with which the private screen makes a proposed move at one press."""
    match move:
        case m.Create(tens, pieces):
            chosen = [f"{number}.{ability}" for number, ability in enumerate(tens[: turn.MOST_MENUS])]
            return {turn.TENS: chosen, turn.EQUIP: list(pieces)}
        case m.Use(aids):
            return {turn.AIDS: _bundles_of(view, aids)}
        case m.GiveUp(aid):
            held = [each.key for each, _n in c.aids(view, view.active)]
            return {turn.GIVE_UP: [str(held.index(aid))]}
        case _:
            return {}


def _bundles_of(view: View, keys: Sequence[str]) -> list[str]:
    """The options of the menu of Aids that together are these: the largest bundles first."""
    found, wanted = list[str](), Counter(keys)
    for place, (aid, n) in enumerate(c.fitting(view)):
        for bundle, size in sorted(enumerate(bundle_sizes(n)), key=lambda one: -one[1]):
            if size <= wanted[aid.key]:
                wanted[aid.key] -= size
                found.append(f"{place}.{bundle}")
    return found


# -- reasons

A_CHANCE: Final = 0.005
"""A chance that is said; a smaller one is none."""


def reason_text(view: View, reason: Reason, names: Names) -> str:
    """The reason for a move. The codes are those of `engine.artifact.agents.reasons`."""
    facts = reason.facts
    match reason.code:
        case "fits-trail":
            return _asked(facts)
        case "attacks" | "names":
            return _of_fight(reason)
        case "spends" | "holds-back" | "no-use":
            return _of_aids(view, reason, names)
        case "missed-least":
            text = _("Of your Boons, you will miss this +{worth} to {ability} least in fights to come.")
            return text.format(worth=facts["worth"], ability=name.ability(facts["ability"]))
        case "due":
            return ""
        case _:
            return _of_way(reason, names)


def _asked(facts: Mapping[str, Any]) -> str:
    """How often Challenges ask for the abilities that are chosen."""
    found = [
        _("{ability} {asked}×").format(ability=name.ability(ability), asked=asked)
        for asked, ability in facts["chosen"][:3]
    ]
    return _("Challenges here ask for {abilities}.").format(abilities=listing(found))


def _of_way(reason: Reason, names: Names) -> str:
    code, facts = reason
    match code:
        case "meets-holder":
            text = _(
                "{name} has the Artifact {artifact}, and whoever wins the fight takes it. Without Boons: {odds}."
            )
        case "avoids-fight":
            text = _(
                "The other way leads to a fight with {name} that wins no Artifact. Without Boons: {odds}."
            )
        case "takes-artifact":
            text = _("You take the Artifact {artifact} there.")
        case "nears":
            text = _("Squares from there to the Artifact {artifact}: {n}.")
        case "lies-in-wait":
            text = _("{name} has to bring the Artifact {artifact} past you (squares from you: {n}).")
        case "follows" if facts.get("wins", 1.0) < A_CHANCE:
            text = _("On neither way are you likely to stop {name}, who has the Artifact {artifact}.")
        case _:
            text = _("Squares behind {name}, who has the Artifact {artifact}: {n}.")
    foe, odds = facts["foe"], "" if facts["foe"] is None else _odds(facts)
    who = facts.get("holder", foe)
    words = {"name": "" if who is None else names.bold(who), "odds": odds, "artifact": name.ARTIFACT}
    said = [text.format(**words, n=facts.get("squares"))]
    near, other = [round(100 * chance) for chance in facts.get("near", (0, 0))]
    if near >= other + LEAST:
        text = _("Chance to fight for it by your next move: {near}%, not {other}%.")
        said.append(text.format(near=near, other=other))
    if foe not in (None, who):
        said.append(_("There you fight {name}: {odds}.").format(name=names.bold(foe), odds=odds))
    wins = _victory(facts, _("Chance to win the match: about {wins}%, not {other}%."))
    if not wins and facts.get("wins", 0.0) >= A_CHANCE and len(said) == 1 and facts.get("duel"):
        wins = _("Either way you win about as often.")
    return " ".join(filter(None, [*said, wins]))


LEAST: Final = 3
"""The difference of two chances in hundredths from which on it is argued: an estimate is no better."""


def _victory(facts: Mapping[str, Any], text: str) -> str:
    """The chance to win the match with this move, and with the other; empty if it is hardly greater."""
    wins, other = _percents(facts)
    gains = wins >= other + LEAST and facts.get("duel", True)
    return text.format(wins=wins, other=other) if gains else ""


def _percents(facts: Mapping[str, Any]) -> list[int]:
    return [round(100 * facts.get(key, 0.0)) for key in ("wins", "otherwise")]


def _odds(facts: Mapping[str, Any]) -> str:
    win, lose = (name.percent(Fraction(facts[key])) for key in ("win", "lose"))
    return _("win {win}, lose {lose}").format(win=win, lose=lose)


def _of_fight(reason: Reason) -> str:
    facts = reason.facts
    match reason.code, facts["best"]:
        case "names", True:
            text = _("No other ability is better for you: +{bonus} against +{against}, without Boons {odds}.")
        case "names", _best:
            text = _("Your Boons do most there. Without Boons: {odds}.")
        case _code, True:
            text = _("No other fight here gives you a better chance. Without Boons: {odds}.")
        case _:
            text = _("With both parties' Boons, this fight promises most. Without Boons: {odds}.")
    said = text.format(odds=_odds(facts), bonus=facts.get("bonus"), against=facts.get("against"))
    return said + " " + _("At stake: {penalty}.").format(penalty=_stake(facts["stake"]))


def _stake(artifact: bool) -> str:
    """The stake of a fight."""
    text = _("the Artifact {artifact} and a wound") if artifact else _("only a wound")
    return text.format(artifact=name.ARTIFACT)


def _of_aids(view: View, reason: Reason, names: Names) -> str:
    """The chance with each number of Boons and the stake, and what the Boons are worth. In a fight the chances go from
    the least to the greatest, as on the buttons, if the other has yet to answer.
    """
    facts, faced = reason.facts, c.encounter(view)
    challenge = faced.challenge if faced else None
    (_none, unused), *more = facts["steps"]
    if reason.code == "no-use":
        return _("No Boon raises your chance of {unused}.").format(unused=_range(unused))
    chances = [_range(unused)]
    for n, found in more:
        text = ngettext("with {n} Boon {chance}", "with {n} Boons {chance}", n)
        chances.append(text.format(n=n, chance=_range(found)))
    text = _("Your chance: {chances}; at stake: {penalty}.")
    if len({*unused}) > 1:
        text = _("Your chance, as {name} spends Boons or not: {chances}; at stake: {penalty}.")
    stake = name.penalty(challenge) if challenge else _stake(facts.get("stake", False))
    rival = names.bold(facts["rival"]) if "rival" in facts else ""
    said = text.format(chances=", ".join(chances), penalty=stake, name=rival)
    return f"{said} {_later(facts, challenge, spends=reason.code == 'spends')}".rstrip()


def _later(facts: Mapping[str, Any], challenge: Challenge | None, *, spends: bool) -> str:
    """The worth of Boons in fights to come, or the change in the match that those which are spent bring."""
    if spends:
        return _victory(facts, _("Chance to win the match: about {wins}%, without {other}%."))
    if challenge and challenge.penalty == "aid_lost":
        return _("Spending loses a Boon for certain.")
    if kept := _victory(facts, _("Kept for later: about {wins}% to win the match, not {other}%.")):
        return kept
    wins, other = _percents(facts)  # among several, they are too rough to be told
    return (
        _("Boons do more later.") if wins >= other + LEAST else _("Either will do: Boons do as much later.")
    )


def _range(chances: Sequence[float]) -> str:
    return " – ".join(dict.fromkeys(name.percent(Fraction(chance)) for chance in chances))
