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
from engine.artifact.choices import FightOdds
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
            return _of_fight(reason, names)
        case "spends" | "holds-back" | "no-use":
            return _of_aids(view, reason)
        case "missed-least":
            text = _("Of your Boons, this +{worth} to {ability} would change fights to come least.")
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
    facts, n = reason.facts, reason.facts.get("squares", 0)
    fight = {"name": "", "odds": ""}
    if facts["foe"] is not None:
        fight = {"name": names.bold(facts["foe"]), "odds": _odds(facts)}
    match reason.code:
        case "meets-holder":
            return _of_the_holder().format(artifact=name.ARTIFACT, **fight)
        case "avoids-fight":
            text = _(
                "The other way leads to a fight with {name} that wins no Artifact. Without Boons: {odds}."
            )
            return text.format(**fight)
        case "takes-artifact":
            text = _("You take the Artifact {artifact} there.")
        case "nears":
            text = ngettext(
                "You are then {n} square from the Artifact {artifact}.",
                "You are then {n} squares from the Artifact {artifact}.",
                n,
            )
        case "lies-in-wait":
            text = ngettext(
                "You then wait {n} square ahead of {name}, who has to bring the Artifact {artifact} past you.",
                "You then wait {n} squares ahead of {name}, who has to bring the Artifact {artifact} past you.",
                n,
            )
        case "follows" if facts.get("wins", 1.0) < A_CHANCE:
            text = _("On neither way are you likely to stop {name}, who has the Artifact {artifact}.")
        case "follows" if facts.get("instead", 0) > n:
            text = _("Squares behind {name}, who has the Artifact {artifact}: {n}, not {instead}.")
        case _:
            text = ngettext(
                "You are then {n} square behind {name}, who has the Artifact {artifact}.",
                "You are then {n} squares behind {name}, who has the Artifact {artifact}.",
                n,
            )
    holder = names.bold(facts["holder"]) if "holder" in facts else ""
    said = text.format(n=n, name=holder, artifact=name.ARTIFACT, instead=facts.get("instead"))
    if facts["foe"] is None:
        return " ".join(filter(None, [said, _victory(facts)]))
    return f"{said} " + _("There you fight {name}: {odds}.").format(**fight)


def _victory(facts: Mapping[str, Any]) -> str:
    """The chance to win the match with this move, and with the other."""
    if facts.get("wins", 0.0) < A_CHANCE or not facts.get("duel", True):
        return ""
    wins, other = _percents(facts)
    if abs(wins - other) < 3:  # the estimate is no better
        return _("Either way: about {wins}% to win the match.").format(wins=wins)
    return _("Chance to win the match: about {wins}%, not {other}%.").format(wins=wins, other=other)


def _percents(facts: Mapping[str, Any]) -> list[int]:
    return [round(100 * facts.get(key, 0.0)) for key in ("wins", "otherwise")]


def _of_the_holder() -> str:
    return _(
        "{name} has the Artifact {artifact}, and whoever wins the fight takes it. Without Boons: {odds}."
    )


def _odds(facts: Mapping[str, Any]) -> str:
    win, lose = Fraction(facts["win"]), Fraction(facts["lose"])
    return turn.odds_text(FightOdds(win, 1 - win - lose, lose))


def _of_fight(reason: Reason, names: Names) -> str:
    facts = reason.facts
    if reason.code == "names":
        best = _("No other ability gives you a better chance. Without Boons: {odds}.")
        text = best if facts["best"] else _("Your Boons do most there. Without Boons: {odds}.")
        return text.format(odds=_odds(facts))
    if facts["holds"]:
        text = _of_the_holder()
    elif facts["best"]:
        text = _("No other fight here gives you a better chance. Without Boons: {odds}.")
    else:
        text = _("With both parties' Boons, this fight promises most. Without Boons: {odds}.")
    return text.format(name=names.bold(facts["other"]), artifact=name.ARTIFACT, odds=_odds(facts))


def _of_aids(view: View, reason: Reason) -> str:
    """The chances, and what they are about. They are those of the buttons: in a fight the least and the greatest, if
    the other has yet to answer.
    """
    facts, faced = reason.facts, c.encounter(view)
    penalty = name.penalty(faced.challenge) if faced and faced.challenge else ""
    match reason.code:
        case "spends" if penalty:
            text = _("Your chance is then {used}, not {unused}; at stake: {penalty}.")
            if _percents(facts)[0] > _percents(facts)[1]:
                text = f"{text} {_victory(facts)}".rstrip()
        case "spends" if facts["stake"]:
            text = _("You then win with {used}, not {unused}, and the winner has the Artifact {artifact}.")
        case "spends":
            text = _("You then win with {used}, not {unused}, and the loser is wounded.")
        case "holds-back":
            return _held_back(facts, faced.challenge if faced else None)
        case _:
            text = _("No Boon raises your chance of {unused}.")
    chances = {key: _range(facts[key]) for key in ("used", "unused", "best")}
    return text.format(**chances, penalty=penalty, artifact=name.ARTIFACT)


def _held_back(facts: Mapping[str, Any], challenge: Challenge | None) -> str:
    """The price of the best Boons, what they would bring, what is at stake, and what they are worth later."""
    n, (wins, other) = facts["boons"], _percents(facts)
    if challenge and challenge.penalty == "aid_lost":
        text = ngettext(
            "With {n} Boon {best}, without {unused}: spending costs a Boon, and failing too.",
            "With {n} Boons {best}, without {unused}: spending costs {n} Boons, failing one.",
            n,
        )
    elif challenge or facts["stake"]:
        text = ngettext(
            "With {n} Boon {best}, without {unused}; at stake: {penalty}.",
            "With {n} Boons {best}, without {unused}; at stake: {penalty}.",
            n,
        )
    else:
        text = ngettext(
            "With {n} Boon {best}, without {unused}; the fight is not about the Artifact {penalty}.",
            "With {n} Boons {best}, without {unused}; the fight is not about the Artifact {penalty}.",
            n,
        )
    penalty = name.penalty(challenge) if challenge else name.ARTIFACT
    said = text.format(n=n, best=_range(facts["best"]), unused=_range(facts["unused"]), penalty=penalty)
    later = _victory(facts)
    if wins >= other + 3:
        later = _("Kept for later fights: about {wins}% to win the match, not {other}%.") if later else ""
        later = later.format(wins=wins, other=other) or _("Boons bring more in later fights.")
    return f"{said} {later}".rstrip()


def _range(chances: Sequence[float]) -> str:
    return " – ".join(dict.fromkeys(name.percent(Fraction(chance)) for chance in chances))
