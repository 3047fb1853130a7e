"""Proposed moves of Artifact in words, their selection on the screen, and the reasons for them: for hints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any, Final

from bot.language import gettext as _
from bot.language import listing, ngettext, pgettext
from bot.ui.screens.appraisals import Swing
from bot.ui.screens.kit import Choices, bundle_sizes
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from cogs.artifact import recap, table, turn
from engine.agents.advice import Reason
from engine.artifact import choices as c
from engine.artifact import moves as m
from engine.artifact.card_list import SECOND, Challenge
from engine.artifact.party import WOUNDED
from engine.artifact.state import END, GONE, HOME, NOBODY, View
from engine.artifact.turns import exposed


def move_text(view: View, move: Any, names: Names) -> str:
    """A proposed move."""
    match move:
        case m.Create(tens, pieces):
            chosen = [*map(name.ability, tens), *map(name.equipment, pieces)]
            return _("Set out with {chosen}.").format(chosen=listing(name.counted(chosen)))
        case m.Go(forward):
            square = next((way.square for way in c.ways(view) if way.move == move), 0)
            text = _("Go outward to square {square}.") if forward else _("Go homeward to square {square}.")
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
    scenario, seat = c.scenario(view), c.asked(view)
    return listing(name.counted([name.written_aid(scenario, key, seat) for key in keys]))


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


def preselected(view: View, move: Any) -> bool:
    """Whether the menus show this move before anything is chosen."""
    return isinstance(move, m.Create) and move == c.proposal(view)


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
            return _missed_least(view, facts)
        case "due":
            return ""
        case _:
            return _of_way(view, reason, names)


def _fits(view: View) -> list[frozenset[str]]:
    """The keys of the Boons that fit each Challenge of the half of the trail on which the mover is."""
    return [one.fits for one in c.scenario(view).parts[view.at[view.active] >= SECOND] if one.challenge]


def _missed_least(view: View, facts: Mapping[str, Any]) -> str:
    fits, text = _fits(view), _("Of your Boons, you will miss this +{worth} to {ability} least.")
    helps = {aid[1:]: sum(aid.key in each for each in fits) for aid, _n in c.aids(view, view.active)}
    n = helps.pop((facts["ability"], facts["worth"]), 0)
    others, more = sorted(helps.values()) or [0], min([each for _n, each in helps], default=0)
    if more > facts["worth"]:
        text += " " + _("Your others give +{more} or more.")
    elif others[0] > n:
        text += " " + _("It may help in {n} of the {all} Challenges of this half, your others in {others}.")
    values = {"worth": facts["worth"], "ability": name.ability(facts["ability"]), "more": more}
    return text.format(
        **values, n=n, all=len(fits), others="–".join(map(str, dict.fromkeys((others[0], others[-1]))))
    )


def _asked(facts: Mapping[str, Any]) -> str:
    """The abilities that are chosen: those that the party lacks, and how often Challenges ask for them."""
    text, chosen = _("{ability} {asked}×"), facts["chosen"]
    found = [text.format(ability=name.ability(ability), asked=asked) for asked, ability, _have in chosen]
    said = [
        (_("Without these, your party lacks {abilities}."), [each for _n, each, have in chosen if not have]),
        (_("You still lack {abilities}."), facts.get("lacks", ())),
    ]
    lacking = [text.format(abilities=listing([*map(name.ability, lacks)])) for text, lacks in said if lacks]
    text = _("Challenges here ask for {abilities}.").format(abilities=listing(found[:3]))
    return " ".join([*lacking, text])


def _of_way(view: View, reason: Reason, names: Names) -> str:
    """Where the Artifact is to be had, and how likely, on both ways; the way that is left, if that is the reason."""
    code, facts = reason
    if facts.get("lost"):
        return _("You can hardly stop {name} now: either way will do.").format(name=names.bold(view.holder))
    foe = "" if facts["foe"] is None else names.bold(facts["foe"])
    far = _("Squares from there to the Artifact {artifact}: {n}.")
    text = {
        "meets-holder": _("{name} has the Artifact {artifact}: win the fight there, and it's yours."),
        "avoids-fight": _("The other way you would fight {name} for nothing. Without Boons: {odds}."),
        "takes-artifact": _("You take the Artifact {artifact} there."),
    }.get(code, "")
    if "squares" in facts and "holder" not in facts and code != "takes-artifact":
        text = f"{text} {far}".strip()
    odds = _odds(facts) if foe else ""
    said = [text.format(name=foe, odds=odds, artifact=name.ARTIFACT, n=facts.get("squares"))]
    if "holder" in facts:
        waits = code != "follows" and facts.get("square") != HOME
        said += _of_holder(facts, names.bold(facts["holder"]), waits=waits)
    if foe and code not in ("meets-holder", "avoids-fight"):
        said.append(_("There you fight {name}: {odds}.").format(name=foe, odds=odds))
    if "wins" in facts:
        said.append(_of_the_match(facts, _("Chance to win the match: about {wins}, the other way {other}.")))
    elif code == "meets-holder":
        keeps = _("The other way {name} keeps it.") if facts["win"] < facts["lose"] else ""
        said += [_("Without Boons: {odds}.").format(odds=odds), keeps.format(name=foe)]
    return " ".join(filter(None, said))


HARDLY: Final = 0.015
"""The difference of two chances to win the match, in whole percent, up to which it hardly matters."""


def _of_holder(facts: Mapping[str, Any], holder: str, *, waits: bool) -> list[str]:
    """The way of the Artifact's holder, and the chances to meet it soon; `waits`: past the square that is advised."""
    turns = facts["turns"]
    if waits and facts.get("news") == "passed":
        text = _("{name} has passed you. On square {square} you stand in the way again.")
    elif waits:
        text = ngettext(
            "{name} has to bring the Artifact {artifact} past you there, in about {turns} turn.",
            "{name} has to bring the Artifact {artifact} past you there, in about {turns} turns.",
            turns,
        )
    else:
        text = ngettext(
            "{name} has the Artifact {artifact}, about {turns} turn from home.",
            "{name} has the Artifact {artifact}, about {turns} turns from home.",
            turns,
        )
    said, text = text, ""
    near, other = [round(100 * chance) for chance in facts.get("near", (0, 0))]
    before, else_before = facts.get("before", (0, 0))
    if before and not else_before:
        text = _("The other way you fight {name} at once.")
    elif near > other or (near < other and _gained(facts) >= HARDLY):
        text = _("Chance to meet it next turn, Challenges aside: {near}%, the other way {other}%.")
        if waits and near < other and "wins" not in facts:
            text += " " + _("But there it gets away sooner.")
    elif before > 0 > else_before:
        text = _("The other way you could only run after it.")
    words = {"name": holder, "artifact": name.ARTIFACT, "turns": turns, "near": near, "other": other}
    return [each.format(**words, square=facts.get("square")) for each in (said, text)]


def _of_the_match(facts: Mapping[str, Any], text: str) -> str:
    """The chances to win the match with a move and with the best other one, which `text` names."""
    if _gained(facts) < HARDLY:
        text = _("Either way, about {wins} to win the match: it hardly matters.")
    return text.format(wins=name.percents([facts["wins"]]), other=name.percents([facts["otherwise"]]))


def _gained(facts: Mapping[str, Any]) -> float:
    """The difference of the chances to win the match; endless among several parties, where they are not known."""
    return round(facts.get("wins", inf), 2) - round(facts.get("otherwise", 0), 2)


def _odds(facts: Mapping[str, Any]) -> str:
    win, tie = (name.percent(Fraction(chance)) for chance in (facts["win"], 1 - facts["win"] - facts["lose"]))
    return _("you {win} · draw {tie}").format(win=win, tie=tie)


def _of_fight(reason: Reason) -> str:
    facts = reason.facts
    text = {
        ("names", True): _("Your best ability here, +{bonus} against +{against}. Without Boons: {odds}."),
        ("names", False): _("Your Boons do most there: up to {most}. Without Boons: {odds}."),
        ("attacks", True): _("No other fight here gives you a better chance. Without Boons: {odds}."),
        ("attacks", False): _("Your Boons do most there. Without Boons: {odds}."),
    }[reason.code, facts["best"]]
    said = text.format(**{**facts, "odds": _odds(facts), "most": name.percents([facts.get("most", 0)])})
    stake = _("At stake: the Artifact {artifact}.").format(artifact=name.ARTIFACT)
    light = _("Only a wound is at stake, which hardly changes who wins the match.")
    return f"{said} {stake if facts['stake'] else light}"


def _of_aids(view: View, reason: Reason, names: Names) -> str:
    """Why Boons are spent or kept, with the chances to win the match with and without them."""
    facts, faced = reason.facts, c.encounter(view)
    unused, chance = name.percents(facts["unused"]), name.percents(facts["chances"])
    if reason.code == "no-use":
        text = _("{unused} is enough: keep your Boons.")
        if max(facts["unused"]) < ENOUGH:
            text = _("Boons hardly change your chance of {unused}.")
        text = _("As Challenges are played here, Boons hurt you.") if view.printed else text
        return text.format(unused=unused)
    spends = reason.code == "spends"
    if faced and faced.challenge:
        told = _of_spending if spends else _of_keeping
        why = told(view, faced.challenge, facts, names.bold(facts["who"]))
    else:
        why = _at_risk(facts, spends=spends)
    if "wins" not in facts:
        odds = _("Your chance without Boons: {unused}, with: {chance}.")
        return f"{why} {odds.format(unused=unused, chance=chance)}".strip()
    if faced and _gained(facts) < HARDLY:
        text = _("For the match it is nearly equal.")
        text = _("For the match it is nearly equal, so take the safer roll.") if spends else text
        return f"{why} {text}".strip()
    text = _("Chance to win the match: about {wins}, with Boons {other}.")
    text = _("Chance to win the match: about {wins}, without Boons {other}.") if spends else text
    return f"{why} {_of_the_match(facts, text)}".strip()


ENOUGH: Final = 0.8
"""The chance from which on a roll needs no Boon."""


def _at_risk(facts: Mapping[str, Any], *, spends: bool) -> str:
    """The stake of a fight, or the fights for which Boons are kept."""
    if not facts["stake"]:
        text = _("Only a wound is at stake: keep your Boons for fights over the Artifact {artifact}.")
        text = _("A wound is at stake, and with it an ability.") if spends else text
    elif spends:
        text = _("You kept your Boons for this: the Artifact {artifact} is at stake.")
        text = text if facts.get("kept") else _("The Artifact {artifact} is at stake.")
    else:
        text = _("Your Boons do more in a later fight.")
    return text.format(artifact=name.ARTIFACT)


def _of_keeping(view: View, asked: Challenge, facts: Mapping[str, Any], who: str) -> str:
    """The fight with the party `who` for which Boons are kept, or the loss that is less than theirs."""
    if asked.penalty == "aid_lost":
        return _("Failing may cost a Boon, but spending costs one for certain.")
    seat, aid = view.active, c.scenario(view).aids[facts["aids"][0]]
    bonus, other = (view.counts[one][aid.ability] for one in (seat, facts["who"]))
    low, high = (c.success(view, c.fight_odds(bonus + worth, other)) for worth in (0, aid.worth))
    members, wounds = view.members[seat], view.wounds[seat]
    loss = max(len(members[hit]) if wounds[hit] == WOUNDED else 1 for hit in exposed(wounds))
    text = _("Keep {aid} for {who}: if a fight is about {ability}, your chance is {high}, not {low}.")
    why = rare = _("Here you rarely fail.") if facts["unused"][0] >= ENOUGH else ""
    if asked.penalty == "wound" and loss < aid.worth:
        why = _("A wound takes at most +{loss} from you, spending +{worth} for certain.")
        text = "" if high - low < facts["chances"][0] - facts["unused"][0] else text
    elif not why and "wound" not in asked.penalty and facts["need"] == "race" and view.lies == END:
        why = _("Until the Artifact {artifact} comes back past you, falling behind costs little.")
    if text and facts.get("kept"):
        again = why and tuple(facts["kept"]) == tuple(facts["aids"])
        too = _("Keep {aid} for {who} too: your chance with {ability} is {high}, not {low}.")
        text, why = (_("Keep {aid}, as before."), why) if again else (too, rare)
    words = {"ability": name.ability(aid.ability), "low": name.percent(low), "high": name.percent(high)}
    words |= {"aid": _aids(view, [aid.key]), "artifact": name.ARTIFACT, "who": who}
    return f"{text} {why}".strip().format(**words, loss=loss, worth=aid.worth)


def _of_spending(view: View, asked: Challenge, facts: Mapping[str, Any], who: str) -> str:
    """The cost of failing, also to the party `who`, where the screen does not name it."""
    needed, said = facts["need"], list[str]()
    if asked.penalty == "turn_lost" and needed != "race":
        close = _("A lost turn would let {who} come closer.")
        said.append(_("A lost turn would let {who} get away.") if needed == "take" else close)
    elif "wins" not in facts:
        said.append(_("If you fail: {penalty}."))
    if needed == "behind":
        said.append(_("Nobody stands between you and home."))
    elif facts["spare"]:
        said.append(_("So close to home you have Boons to spare."))
    return " ".join(said).format(who=who, penalty=table.at_stake(view, asked))


def meaning(swing: Swing, names: Names) -> str:
    """The rolls that would have brought the mover to the Artifact, beside the one that it had; the Challenge that cost
    another's turn; the roll that a robber needed; and where the party with the Artifact stands after all this.
    """
    view, after, said = swing.view, swing.after.view, list[str]()
    goal = view.lies if view.holder == NOBODY else view.at[view.holder]
    dice = [die for die, ways in c.by_roll(view).items() if goal in [way.square for way in ways]]
    own = swing.luck and not swing.turns and view.active == view.viewer
    if dice and own and not any(event.facts.get("die") in dice for event in swing.luck):
        text = _("{dice} would have reached the Artifact {artifact}.")
        said.append(text.format(artifact=name.ARTIFACT, dice=name.dice(dice)))
    failed = [each for each in swing.events if each.kind == "faced" and not each.facts["overcome"]]
    for events in swing.turns:
        moved = [each for each in events if each.kind == "moved" and each.facts["to"] < END]
        for event in events:
            if event.kind == "skipped" and (swing.gained > 0) == (event.seat != view.viewer):
                last = [each for each in failed if each.seat == event.seat][-1:]
                said += recap.recap(last, view.viewer, names, view.catalogue)
            elif event.kind == "seized" and event.facts["other"] == view.viewer:
                text, chance = _("{who} needed a {die} (chance {chance}) to meet you."), Fraction(1, 6)
                words = {"who": names.bold(event.seat or 0), "chance": name.percent(chance)}
                dice = [each.facts["die"] for each in moved if each.seat == event.seat]
                said += [text.format(die=name.die(die), **words) for die in dice]
    if after is not None and after.holder == view.viewer:
        ahead, behind = pgettext("squares", "{who} {n} ahead"), pgettext("squares", "{who} {n} behind")
        others = [seat for seat, square in enumerate(after.at) if square != GONE and seat != after.holder]
        far = {names.bold(seat): after.at[seat] - after.at[after.holder] for seat in others}
        here = _("beside {who}")
        parties = [
            (behind if n > 0 else ahead if n else here).format(who=who, n=abs(n)) for who, n in far.items()
        ]
        text = _("Squares to home: {n}; {parties}.")
        said.append(text.format(n=after.at[after.holder] - HOME, parties=listing(parties)))
    return " ".join(said)
