"""The game that tests of the host play when they need a match and do not care of which game.

Here alone stands which game that is, so that those tests neither know its moves nor its cards. It is Archaeology.
"""

from __future__ import annotations

from typing import Final

from engine.archaeology_family.state import State
from tests.cogs.archaeology_family import crafted, digger
from tests.cogs.archaeology_family.digger import act, asked, play, step
from tests.cogs.page import Page
from tests.cogs.table_driver import Delivery, Person, Room

GAME: Final = crafted.GAME.key

TURN: Final = crafted.craft(
    [{"coin": 4, "map": 2, "talisman": 1}, {"pot_shard": 3, "coin": 1}],
    market={"talisman": 2, "pot_shard": 3},
    site=["coin"] * 4,
    phase=crafted.ACT,
)
"""Two seats, and it is the first one's turn: it can make several moves (`move`) before it ends the turn."""

_MOVE: Final = ("1 Coin", 2)
"""The set that the seat sells, and its price: the seat can take this back, and stays in its turn."""
_OTHER_MOVE: Final = ("2 Coins", 5)


def beginning(seats: int = 2) -> State:
    """The first seat begins its turn with a button on the board, and so do the others after it: all of them dig."""
    return crafted.craft([{"coin": 1}, *[{"map": 1}] * (seats - 1)], site=["coin"] * 6)


def last_move(seats: int) -> State:
    """The first seat is to make the last move of the match, which is a `move`."""
    hands = [{"coin": 1}, *[dict[str, int]()] * (seats - 1)]
    return crafted.craft(hands, rest="sold", phase=crafted.ACT, explored=True)


async def move(person: Person, page: Page) -> Page:
    """Makes a move that can be taken back, on the private screen in one's own turn; returns the answer."""
    return await digger.sell(person, page, *_MOVE)


def moving(person: Person, page: Page, *, other: bool = False) -> Delivery:
    """The same move, or another one in its place, to be delivered later."""
    return digger.selling(person, page, *(_OTHER_MOVE if other else _MOVE))


async def turn_of_ana(room: Room) -> tuple[Person, Person, Page, Page]:
    """Ana and Ben play, it is Ana's turn (`TURN`), and both have their private screens open."""
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(TURN)
    return ana, ben, await ana.hand(), await ben.hand()


__all__ = [
    "GAME",
    "TURN",
    "act",
    "asked",
    "beginning",
    "last_move",
    "move",
    "moving",
    "play",
    "step",
    "turn_of_ana",
]
