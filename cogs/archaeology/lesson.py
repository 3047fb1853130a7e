"""The lesson of Archaeology: a deal that shows each rule once, in thirteen presses."""

from __future__ import annotations

from typing import Final

from bot.language import by_language
from bot.language import gettext as _
from bot.ui.screens.lessons import Lesson, Replies, Step
from cogs.archaeology_family.lessons import facts, would
from cogs.archaeology_family.trading import BACK
from engine.archaeology_family.card_list import TREASURES
from engine.archaeology_family.moves import Dig, Discard, EndTurn, Explore, Sell, Steal, Trade

SHARD: Final = TREASURES.index("pot_shard")
SCRAP: Final = TREASURES.index("parchment_scrap")
COIN: Final = TREASURES.index("coin")
TALISMAN: Final = TREASURES.index("talisman")

DIGS: Final[Replies] = ((1, Dig()), (1, EndTurn()), (2, Dig()), (2, EndTurn()))
"""A turn of each opponent, in which they only dig."""
STORM: Final[Replies] = ((1, Dig()), (1, EndTurn()), (2, Dig()), (2, Discard(((SHARD, 1), (SCRAP, 1)))))
"""The second opponent digs up a Sandstorm and loses half of the hand."""
AFTER_THE_STORM: Final[Replies] = ((1, Discard(((SCRAP, 2), (COIN, 1)))), (2, Dig()), (2, EndTurn()))
"""The first opponent loses half of the hand, and the second one digs again."""


@by_language
def lesson() -> Lesson:
    """The lesson with its texts."""
    return Lesson(
        seed=338922,
        seats=3,
        cards="ef45ad1438548cec",
        steps=(*_first_turn(), *_thief(), *_pyramid(), *_storm(), *_last_turn()),
        closing=(
            _("Collect few kinds: a large set brings much more than its cards one by one."),
            _("Trade for the cards that complete a set. At the end, trade value itself counts for nothing."),
            _(
                "Sell a complete set right away. Keep what can still grow, and a card or two for a "
                "Sandstorm to take."
            ),
        ),
        facts=facts,
        would=would,
        back=(BACK,),
    )


def _first_turn() -> tuple[Step, ...]:
    return (
        Step(
            Dig(),
            _(
                "Money wins, and matching treasures sell as a set: {n1_pot_shard} brings ${pot_shard_1}, "
                "five bring ${pot_shard_5}."
            ),
            _("Each turn begins with the top card of the dig site. Press **Dig**."),
            shows=("found",),
            given={"size": 4},
        ),
        Step(
            EndTurn(),
            _(
                "You found a Map: it opens a chamber of the pyramid, and two open a larger one. Now you "
                "hold {pot_shard}, {parchment_scrap} and {map}: worth ${worth} in all."
            ),
            _("Small sets bring little, so let them grow. Press **End Turn**: the others dig."),
            _("First wait a turn: small sets bring little, and a second Map would open a larger chamber."),
            shows=("ended", "found"),
            given={"map": "🗺️ 1 Map", "worth": 7},
            replies=DIGS,
        ),
    )


def _thief() -> tuple[Step, ...]:
    return (
        Step(
            Dig(),
            _("Among the {site} cards of the dig site are {thieves} Thieves and {storms} Sandstorms."),
            _("You must dig anyway. Press **Dig**."),
            of_table=True,
            shows=("thief",),
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
            given={"size_a": "5 cards", "size_b": "5 cards"},
        ),
    )


def _pyramid() -> tuple[Step, ...]:
    return (
        Step(
            Explore(0),
            _("⛰️ {map} opens the small chamber: {chamber_0}. Two Maps open {chamber_1}, three {chamber_2}."),
            _("**Explore** it: no second Map has come, one sells for ${map_1}, and a Thief may take it."),
            _("First look into the pyramid, before you sell or end your turn."),
            of_table=True,
            shows=("explored",),
            given={"map": "🗺️ 1 Map", "map_1": 3},
        ),
        Step(
            Sell(SCRAP, 4),
            _("A Sandstorm takes half of every hand: {lose} of your {size} cards. It can't take money."),
            _(
                "**Sell** {parchment_scrap} for ${parchment_scrap_4}: the set is complete and cannot grow. "
                "{pot_shard} still can."
            ),
            _("First bring the complete set to safety, and keep the others."),
            shows=("sold",),
            given={
                "size": 8,
                "lose": 4,
                "parchment_scrap": "📜 4 Parchment Scraps",
                "largest_parchment_scrap": 4,
            },
        ),
        Step(
            EndTurn(),
            _(
                "You have ${money}. {pot_shard} bring ${pot_shard_3} now; two more would make it "
                "${pot_shard_5}."
            ),
            _("That is worth waiting for. Press **End Turn**."),
            _("The Pot Shards should grow, and a single Talisman brings little."),
            shows=("ended", "found"),
            given={"money": 10, "pot_shard": "🏺 3 Pot Shards", "pot_shard_3": 3, "pot_shard_5": 15},
            replies=DIGS,
        ),
    )


def _storm() -> tuple[Step, ...]:
    return (
        Step(
            Dig(),
            _("All {storms} Sandstorms still lie among the {site} cards of the dig site."),
            _("Press **Dig**."),
            of_table=True,
            shows=("found",),
            given={"storms": 5},
        ),
        Step(
            EndTurn(),
            _("You hold {pot_shard} and {talisman}. A Sandstorm would take {lose}, but you choose which."),
            _("Keep the Talisman: in a trade it pays for {n3_pot_shard}. Press **End Turn**."),
            _(
                "One more Pot Shard turns ${pot_shard_4} into ${pot_shard_5}, and the Talisman can pay for "
                "it."
            ),
            shows=("ended", "found", "sandstorm", "lost"),
            given={
                "pot_shard": "🏺 4 Pot Shards",
                "pot_shard_market": "🏺 0 Pot Shards",
                "talisman": "🧿 1 Talisman",
                "talisman_trade": 3,
                "lose": 2,
            },
            replies=STORM,
        ),
        Step(
            Discard(((SHARD, 2),)),
            _(
                "🌪️ A Sandstorm! Half of every hand, rounded down, goes to the market: {lose} of your "
                "{size} cards. Then its finder digs again."
            ),
            _(
                "**Lose** {n2_pot_shard}, as already selected: a trade can get cards back from the market, "
                "and the "
                "Talisman pays for them."
            ),
            _("Keep the Talisman: in a trade it is worth as much as {n3_pot_shard}."),
            shows=("lost", "found", "ended"),
            given={"lose": 2, "size": 5},
            replies=AFTER_THE_STORM,
        ),
    )


def _last_turn() -> tuple[Step, ...]:
    return (
        Step(
            Dig(),
            _("{pot_shard} are left, and the market has {pot_shard_market}: exactly what you need."),
            _(
                "Each has a trade value of {pot_shard_trade}, your Talisman {talisman_trade}. First comes "
                "the dig: press **Dig**."
            ),
            of_table=True,
            shows=("found",),
            given={
                "pot_shard": "🏺 2 Pot Shards",
                "pot_shard_market": "🏺 3 Pot Shards",
                "pot_shard_trade": 1,
                "talisman_trade": 3,
            },
        ),
        Step(
            Trade(((TALISMAN, 1),), ((SHARD, 3),)),
            _(
                "{talisman} sells for ${talisman_1}. In a trade you give at least the trade value that you "
                "take: "
                "{talisman_trade} for {n3_pot_shard}."
            ),
            _(
                "**Trade at the market**: find in the menu “give {talisman}, get {n3_pot_shard}”. A good "
                "trade "
                "completes a set: ${pot_shard_2} become ${pot_shard_5}."
            ),
            _("First make the trade that completes your set: the market has the Pot Shards that it lacks."),
            shows=("traded",),
            proves={"traded": {"over": 0}},
            given={"talisman": "🧿 1 Talisman", "talisman_trade": 3, "pot_shard_2": 2, "pot_shard_5": 15},
        ),
        Step(
            Sell(SHARD, 5),
            _(
                "{pot_shard} are complete: with them your money will be ${sold_pot_shard}. {coin} stays: a "
                "single card is safe from Sandstorms."
            ),
            _(
                "**Sell** them for ${pot_shard_5}: unsold cards bring nothing. The match ends when the dig "
                "site and all hands are empty; if money is tied, whoever sold fewer cards wins."
            ),
            _("Sell the whole set: the fifth Pot Shard brings the most."),
            shows=("sold",),
            given={"size": 6, "pot_shard": "🏺 5 Pot Shards", "coin": "🪙 1 Coin", "sold_pot_shard": 25},
        ),
    )
