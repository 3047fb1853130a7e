"""The lesson of Artifact: a race in which it pays not to reach the Artifact first, in twelve presses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.language import by_language
from bot.language import gettext as _
from bot.ui.screens.lessons import Lesson, Replies, Step
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from engine.artifact import choices as c
from engine.artifact import moves as m
from engine.artifact import state as s
from engine.artifact.card_list import SECOND
from engine.artifact.state import View

ALONE: Final[Replies] = ((1, m.ROLL),)
"""A turn of the opponent in which nothing asks for a choice."""
CHALLENGED: Final[Replies] = ((1, m.ROLL), (1, m.HOLD_BACK))
"""A turn of the opponent with a Challenge, without an Aid."""
OTHER_PARTY: Final = m.Create((5, 7), ("picks", "sextant"))


@by_language
def lesson() -> Lesson:
    """The lesson with its texts."""
    return Lesson(
        seed=25495,
        seats=2,
        cards="01ac7fa630dc689e",
        options={"scenario": "ice_tomb"},
        steps=(*_start(), *_boons(), *_trail(), *_artifact()),
        closing=(
            _(
                "The party that takes the Artifact must come home with it: wait on the way, one to six "
                "squares ahead."
            ),
            _(
                "Turn for the Artifact only while its holder is within six squares of you, because "
                "everyone moves at the same speed."
            ),
            _("Spend a Boon when it can turn a roll and failing would cost much; keep some for the fights."),
        ),
        facts=facts,
        would=would,
        outcome=_(
            "{artifact} The Artifact is yours! In a match you would now carry it home from square "
            "{square} to square 1, and {a} would try to take it back."
        ),
    )


def _start() -> tuple[Step, ...]:
    return (
        Step(
            m.Create((), ("sextant", "lockpicks")),
            _(
                "Bring the Artifact {artifact} from square 30 home to square 1 and you win. Dice have made "
                "your party."
            ),
            _("Two pieces of equipment are chosen already: they help where your party is weak. Keep them."),
            _("The proposed equipment is good for this party."),
            shows=("created", "parties", "order", "moved", "challenge", "faced"),
            given={"tens": 0},
            replies=((1, OTHER_PARTY), *ALONE),
        ),
        Step(
            m.ROLL,
            _(
                "{a} went first and is on square {square_a}. Each square has a Boon 🎒 or a Challenge ❗ for "
                "you; on the last one, 30, lies the Artifact."
            ),
            _("Press **Roll**: you move as far as the die shows."),
            of_table=True,
            shows=("moved", "aid"),
            given={"square": 1, "square_a": 6},
            replies=CHALLENGED,
        ),
        Step(
            m.ROLL,
            _("You found {tea_house}: a Boon, which is spent on one roll that names its ability."),
            _("You carry it until you need it. Press **Roll**."),
            shows=("moved", "aid"),
            given={"square": 3, "aids": ("lockpicks", "sextant", "tea_house")},
            replies=CHALLENGED,
        ),
        Step(
            m.ROLL,
            _(
                "You are on square {square}, {a} on {square_a}. If you land on another party, you fight "
                "it: the loser is wounded."
            ),
            _("You have found {monastery} as well. Press **Roll**."),
            of_table=True,
            shows=("moved", "challenge"),
            given={"square": 5, "square_a": 14, "number_of_aids": 4},
        ),
    )


def _boons() -> tuple[Step, ...]:
    return (
        Step(
            m.Use(("lockpicks", "sextant")),
            _(
                "❗ {encounter}: your die and your {asks} ({have}) must be at least as much as two dice. "
                "Chance {chance}, with one Boon {chance_sextant}, with two {chance_all}."
            ),
            _(
                "Boons add up: spend both with one button. Below stands what failing costs: here squares, "
                "often a wound."
            ),
            _("The lesson spends both Boons here, to show how they add up."),
            shows=("used", "faced", "moved"),
            proves={"faced": {"overcome": True, "total": 9, "aids": 6, "against": 8}},
            given={"square": 10, "have": 2, "penalty": "squares_lost"},
            replies=CHALLENGED,
        ),
        Step(
            m.ROLL,
            _("9 against 8: with one Boon alone you would have failed. Both are spent now."),
            _("From square {second} on Challenges are harder, and Boons are stronger. Press **Roll**."),
            shows=("moved", "aid"),
            given={"square": 10, "aids": ("monastery", "tea_house")},
            replies=ALONE,
        ),
    )


def _trail() -> tuple[Step, ...]:
    return (
        Step(
            m.ROLL,
            _("Square {square}: {left} more to the Artifact. {a} is ahead of you, on {square_a}."),
            _(
                "That is no harm: whoever takes the Artifact must come back your way. You take it from "
                "them if you land exactly on their square and win the fight. Press **Roll**."
            ),
            of_table=True,
            shows=("moved", "challenge"),
            given={"square": 16, "square_a": 25},
        ),
        Step(
            m.HOLD_BACK,
            _(
                "❗ {encounter}: chance {chance}, with {monastery} {chance_monastery}. Failing costs no more "
                "than squares."
            ),
            _("Choose **Without Boons**, and keep the Boon for the fight for the Artifact."),
            _("Keep the Boon: failing here costs little, and in the fight it can win the Artifact."),
            shows=("faced", "moved", "aid"),
            proves={"faced": {"overcome": True}},
            given={"square": 21, "square_a": 25, "penalty": "squares_lost"},
            replies=ALONE,
        ),
        Step(
            m.ROLL,
            _("Well done without a Boon. {a} is on square {square_a} and will be first at the Artifact."),
            _("Press **Roll**. If none of your Boons fits a Challenge, the dice are rolled immediately."),
            of_table=True,
            shows=("moved", "challenge", "faced", "wounded", "reached"),
            proves={"faced": {"overcome": False}},
            given={"square": 21, "square_a": 26},
            replies=ALONE,
        ),
    )


def _artifact() -> tuple[Step, ...]:
    return (
        Step(
            m.ROLL,
            _(
                "You failed, so a member is wounded and loses an ability; a second wound sends it home. A "
                "party with no members left is out."
            ),
            _(
                "{a} has taken the Artifact {artifact} and must go home. All others roll first and then "
                "choose the direction. Press **Roll**."
            ),
            shows=("rolled",),
            given={"holder": 1, "square": 24, "square_a": 30},
        ),
        Step(
            m.FORWARD,
            _("A {die}: it leads exactly to square {on}, where {a} is with the Artifact."),
            _(
                "Press **On to {on}** and fight for it. The winner takes the Artifact, the loser a wound; "
                "equal totals change nothing."
            ),
            _("The Artifact is ahead of you; going back would let it pass."),
            of_table=True,
            shows=("moved", "met"),
            given={"die": 6, "on": 30, "square_a": 30},
        ),
        Step(
            m.Use(("monastery",)),
            _(
                "⚔️ A die chose {ability}: you have {own}, {a} {theirs}. Each adds a die and Boons. Chance "
                "{win}, with the Boon {win_monastery}."
            ),
            _("Good that you kept {monastery}: it adds to just this ability. Spend it."),
            _("This is the fight that decides: spend what fits."),
            shows=("used", "fought", "seized", "wounded"),
            proves={"fought": {"winner": 0, "totals": [6, 5]}, "seized": {"other": 1}},
            given={"own": 0, "theirs": 1, "holder": 1},
        ),
    )


# -- fields and other moves


def facts(view: View, names: Names) -> Mapping[str, Any]:
    """The fields of the texts.

    An Aid by its key is its name with what it is worth. square and square_a are where the viewer and the opponent (a)
    stand, left the squares to 30, on where the die leads forwards, aids the keys of the viewer's. At a Challenge:
    encounter, asks, have, penalty, chance, and chance_KEY with an Aid, chance_all with each that
    fits; in a fight likewise ability, own, theirs, win and win_KEY, the least chance whatever the other spends.
    """
    scenario = c.scenario(view)
    found: dict[str, Any] = {
        "artifact": name.ARTIFACT,
        "a": names.bold(1),
        "square": view.at[0],
        "square_a": view.at[1],
        "left": s.END - view.at[0],
        "on": min(s.END, view.at[0] + view.die),
        "die": view.die,
        "holder": view.holder,
        "aids": tuple(view.aids[0]),
        "number_of_aids": len(view.aids[0]),
        "tens": c.tens(view),
        "second": SECOND,
    }
    for key, aid in scenario.aids.items():
        found[key] = f"**{name.written_aid(scenario, key)}** ({name.aid_worth(aid)})"
    faced, fits = c.encounter(view), [aid.key for aid, _n in _fitting(view)]
    if view.phase == s.CHALLENGE and faced is not None and faced.challenge is not None:
        found["encounter"] = f"**{name.written(faced.title)}**"
        found["asks"] = name.challenge(faced.challenge)
        found["have"] = c.challenge_bonus(view, 0, faced.key)
        found["penalty"] = faced.challenge.penalty
        found["chance"] = name.percent(c.chance(view))
        found["chance_all"] = name.percent(c.chance(view, fits))
        found |= {f"chance_{key}": name.percent(c.chance(view, (key,))) for key in fits}
    if view.phase == s.ATTACK:
        found["ability"] = name.ability(view.ability)
        found["own"], found["theirs"] = (view.counts[seat][view.ability] for seat in (0, 1))
        found["win"] = name.percent(c.fight_chances(view)[0].win)
        found |= {f"win_{key}": name.percent(c.fight_chances(view, (key,))[0].win) for key in fits}
    return found


def _fitting(view: View) -> list[tuple[Any, int]]:
    return c.fitting(view) if view.phase in (s.CHALLENGE, s.ATTACK) else []


def would(view: View, move: Any) -> str:
    """The effect that a move would have, in a sentence."""
    match move:
        case m.Create():
            return _("That would set out with another choice.")
        case m.Roll():
            return _("**Roll** would move your party.")
        case m.Go():
            return _("That would move your party the other way.")
        case m.Use(aids=()):
            return _("That would spend no Boon.")
        case m.Use():
            return _("That would spend {aids}.").format(
                aids=name.aids_of(view.catalogue, move.aids, c.scenario(view).key)
            )
        case _:
            return _("The rules allow that.")
