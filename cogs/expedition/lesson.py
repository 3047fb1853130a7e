"""The lesson of The New Expedition: a deal that shows each rule once, with the Great Pyramid, in eleven presses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.language import by_language
from bot.language import gettext as _
from bot.ui.screens.lessons import Lesson, Replies, Step
from bot.ui.screens.names import Names
from cogs.archaeology_family import lessons as family
from cogs.archaeology_family.trading import BACK
from engine.archaeology_family.card_list import TREASURES
from engine.archaeology_family.moves import Dig, Discard, EndTurn, Explore, Sell, Steal, Trade
from engine.archaeology_family.state import View
from engine.expedition.moves import UseTent
from engine.expedition.state import ExpeditionView

SHARD: Final = TREASURES.index("pot_shard")
SCRAP: Final = TREASURES.index("parchment_scrap")
COIN: Final = TREASURES.index("coin")
CUP: Final = TREASURES.index("broken_cup")

DIGS: Final[Replies] = ((1, Dig()), (1, EndTurn()), (2, Dig()), (2, EndTurn()))
"""A turn of each opponent, in which they only dig."""
NO_TENTS: Final[Replies] = ((1, UseTent(False)), (2, UseTent(False)))
"""Both opponents save their Tents."""
STORM: Final[Replies] = ((1, Dig()), (1, EndTurn()), (2, Dig()))
"""The second opponent digs up a Sandstorm."""
SECOND_STORM: Final[Replies] = (
    *NO_TENTS,
    (1, Discard(((SHARD, 1), (SCRAP, 2)))),
    (2, Discard(((SHARD, 2),))),
    (2, Dig()),
    *NO_TENTS,
)
"""Both opponents lose half of their hands, and the second one digs up another Sandstorm."""
AFTER_THE_STORM: Final[Replies] = (
    (1, Discard(((SHARD, 1),))),
    (2, Discard(((COIN, 1),))),
    (2, Dig()),
    (2, EndTurn()),
)


@by_language
def lesson() -> Lesson:
    """The lesson with its texts."""
    return Lesson(
        seed=20911,
        seats=3,
        cards="4833260989a237aa",
        options={"monument": "great_pyramid"},
        steps=(*_first_turn(), *_pyramid(), *_storms(), *_last_turn()),
        closing=(
            _("Collect few kinds: a large set brings much more than its cards one by one."),
            _("Trade for the cards that complete a set. At the end, trade value itself counts for nothing."),
            _("Your Tent shelters a large hand once. After that, sell before your hand grows large again."),
        ),
        facts=_facts,
        would=_would,
        back=(BACK,),
    )


def _facts(view: ExpeditionView, names: Names) -> Mapping[str, Any]:
    """The fields of both games' texts, and whether the viewer still has the Tent."""
    return {**family.facts(view, names), "tent": view.tents[0]}


def _would(view: View, move: Any) -> str:
    if isinstance(move, UseTent):
        return _("That would use the Tent.") if move.use else _("That would save the Tent for later.")
    return family.would(view, move)


def _first_turn() -> tuple[Step, ...]:
    return (
        Step(
            Dig(),
            _(
                "Money wins, and matching treasures sell as a set: {n1_pot_shard} brings ${pot_shard_1}, "
                "five bring ${pot_shard_5}."
            ),
            _("Each turn begins with the top card of the dig site. Press **Dig**."),
            shows=("thief",),
            given={"size": 4},
        ),
        Step(
            Steal(2),
            _(
                "🦹 A Thief! You choose an opponent, and it takes a random card of their hand for you. {a} "
                "holds {size_a}, {b} {size_b}."
            ),
            _(
                "Everyone sees how many cards a hand holds and what it trades, but no more: it is a matter "
                "of luck. Send it to {b}."
            ),
            _("Either could be robbed; the lesson asks for {b}."),
            of_table=True,
            shows=("stolen",),
            given={"size_a": "4 cards", "size_b": "4 cards"},
        ),
        Step(
            EndTurn(),
            _("You hold {pot_shard}, {parchment_scrap} and {broken_cup}: worth ${worth} in all."),
            _("Small sets bring little, so let them grow. Press **End Turn**: the others dig."),
            _("These cards are worth little yet; a larger set brings more for each of them."),
            shows=("ended", "found"),
            given={"worth": 6, "size": 5, "broken_cup": "🍷 1 Broken Cup"},
            replies=DIGS,
        ),
    )


def _pyramid() -> tuple[Step, ...]:
    return (
        Step(
            Dig(),
            _("Among the {site} cards of the dig site are {thieves} Thieves and {storms} Sandstorms."),
            _("You must dig anyway. Press **Dig**."),
            of_table=True,
            shows=("found",),
        ),
        Step(
            Explore(0),
            _(
                "⛰️ The Great Pyramid is one of several monuments; **?** explains the one of a match. Each "
                "chamber opens once: {map} takes {chamber_0}, two {chamber_1}, three {chamber_2}."
            ),
            _("**Explore** it, once per turn: a Map alone sells for ${map_1}, and a Thief may take it."),
            _("First look into the pyramid, before you sell or end your turn."),
            of_table=True,
            shows=("explored",),
            given={"map": "🗺️ 1 Map", "map_1": 3},
        ),
        Step(
            EndTurn(),
            _(
                "A Sandstorm would take {lose} of your {size} cards, half, rounded down (of one card "
                "nothing). But ⛺ your Tent shelters you once."
            ),
            _("With the Tent you can let {pot_shard} grow: five bring ${pot_shard_5}. Press **End Turn**."),
            _("As long as you have the Tent, you can wait for larger sets."),
            shows=("ended", "found", "sandstorm"),
            given={"lose": 3, "size": 7, "pot_shard": "🏺 3 Pot Shards"},
            replies=STORM,
        ),
    )


def _storms() -> tuple[Step, ...]:
    return (
        Step(
            UseTent(True),
            _(
                "🌪️ {b} dug up a Sandstorm: half of every hand, rounded down, goes to the market, of your "
                "{size} cards {lose}."
            ),
            _(
                "**Use the Tent**: it is for a large hand. Each player has one, for one Sandstorm of the "
                "match."
            ),
            _("With so many cards the Tent is worth most; a small hand loses little."),
            shows=("tent", "lost", "sandstorm"),
            given={"lose": 3, "size": 7},
            replies=SECOND_STORM,
        ),
        Step(
            Discard(((SHARD, 1), (SCRAP, 2))),
            _(
                "🌪️ {b} dug again and found another Sandstorm! Your Tent is used, so you lose {lose} of "
                "{size} cards."
            ),
            _(
                "Lose {n1_pot_shard} and {n2_parchment_scrap}: you can get cards back from the market by a "
                "trade."
            ),
            _("Keep the Broken Cup and the Coin to pay with, and what you can of the Pot Shards."),
            shows=("lost", "found", "ended"),
            given={"lose": 3, "size": 7},
            replies=AFTER_THE_STORM,
        ),
    )


def _last_turn() -> tuple[Step, ...]:
    return (
        Step(
            Dig(),
            _(
                "{pot_shard} are left. The market has {pot_shard_market} now, of trade value "
                "{pot_shard_trade} each."
            ),
            _("You can trade for everything that a Sandstorm takes. Press **Dig**."),
            of_table=True,
            shows=("found",),
            given={"pot_shard": "🏺 2 Pot Shards", "pot_shard_trade": 1},
        ),
        Step(
            Trade(((CUP, 1),), ((SHARD, 2),)),
            _(
                "{pot_shard} lack two. The market below shows trade values in brackets: a Pot Shard counts "
                "{pot_shard_trade}, {broken_cup} counts {broken_cup_trade} and pays for two."
            ),
            _(
                "**Trade at the market**: give {broken_cup}, get {n2_pot_shard}. A good trade completes a "
                "set: "
                "${pot_shard_3} become ${pot_shard_5}."
            ),
            _("First make the trade that completes your set: the market has the Pot Shards that it lacks."),
            shows=("traded",),
            proves={"traded": {"over": 0}},
            given={
                "pot_shard": "🏺 3 Pot Shards",
                "broken_cup": "🍷 1 Broken Cup",
                "broken_cup_market": "🍷 0 Broken Cups",
                "broken_cup_trade": 2,
                "pot_shard_5": 15,
            },
        ),
        Step(
            Sell(SHARD, 5),
            _(
                "{pot_shard} cannot grow any more. Your Tent is used, and {storms} Sandstorms are still to "
                "come."
            ),
            _(
                "**Sell** them for ${pot_shard_5}: unsold cards bring nothing. The match ends when the dig "
                "site and all hands are empty; if money is tied, whoever sold fewer cards wins."
            ),
            _("Sell the whole set: the fifth Pot Shard brings the most."),
            shows=("sold",),
            given={"pot_shard": "🏺 5 Pot Shards", "largest_pot_shard": 5, "tent": False},
        ),
    )
