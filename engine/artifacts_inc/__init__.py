"""Artifacts, Inc. (2014), by its rule page, rulings R20 to R39 and R60 to R66.

From the card list inwards:

- `card_list`: all cards as JSON data in a small closed vocabulary (`cards.json`), checked by pydantic. A side of a card
  has reputation, counts (`per`), slots, an ability, dice, a bonus for dives. A slot has a requirement ("any", "4+",
  "2-", "=1", "odd", "even") and an action: gain, gather, buy, museum, collect, sell, earn; any of them may pay dollars
  on top. Every number says how it is known. Texts of cards are to be made from these data.
- `catalogue`: the same as the rules play by it, cards and sides by number. States and views carry it.
- `company`: a player's cards in two rows (`Place`), how they are named (`CompanyCard`, `Space`), and what they give
  (`Powers`).
- `state`: `State` and `View`, which show the same under the same names (`Position`), for all lies open but the piles'
  order and the dice to come. `company(position, seat)` is a company as people look at it.
- `moves`: a die is named by its face, an own card by key and copy. One move places one die and says all that its
  action needs; `Dive` lays its dice at once; `TurnDie` and `RollAgain` use abilities; `Roll` begins a first turn.
- `choices`: what the active seat can do, listed from a view or a state. Screens and agents ask here.
- `rules`: the `Game`. `sampling`: random moves. `agents`: computer players.

A turn: the decision is "arrange" in a seat's first turn, where `Roll` rolls, with another order of the starting cards
if one is given (R36); all later turns are rolled as they begin. Then it is "act" until no die is unplaced, or a `Pass`
(R37). Final events, across which nothing is undone, are a roll, a roll again, and a card revealed that could have
been another; the last cards of a pile are no revelation once all of them are known.

Events name things as moves do: "on" and "by" are the cards that a die lies on and that an ability is of. Beside them:
offered, first, arranged, rolled, gained, earned, gathered, filled, collected, sold, bought, turned_card, revealed,
reached (the goal: the round is the last), dived, turned_die, rolled_again, passed, majority, over.
"""

from engine.artifacts_inc.rules import ArtifactsInc, create

__all__ = ["ArtifactsInc", "create"]
