"""Artifact, for 2 to 6 players, by its rule page, rulings R40 to R59, R67 and R68.

From the data inwards:

- `scenarios/*.json`: a scenario a file, checked by `card_list`; an owner's files replace or extend them. Two
  parts of eleven encounters (Aids and Challenges) with their stories, which are English and looked up in other
  languages by the screens. (The rule text calls encounters events; an event is what a move brought about.)
- `party`: abilities, members, equipment: what is printed. `card_list.Catalogue`: the scenarios as the rules play by
  them. States and views carry it.
- `state`: `State` and `View`, which show the same under the same names (`Position`), for all lies open but the rolls
  that make a party, until all parties are made.
- `moves`: `Create` a party (all at once), `Roll`, `Go`, `Meet`, `Name`, `Use` Aids, `GiveUp` one.
- `choices`: how a match stands and what can be done, listed from a view or a state, with exact chances. Screens and
  agents ask here.
- `rules`: the `Game`. `sampling`: random moves. `agents`: computer players.

The decisions, by kind: "party" (of all at once), "roll", "direction" (once the Artifact was taken, without it),
"opponent" (several to fight), "ability" (a 10 in a fight), "attack" and "defend" (Aids in a fight, the mover's first),
"challenge" (Aids), "give_up" (which Aid an encounter takes). Nobody is asked for Aids who has none that fits.

Events and their facts, in the order in which they can come. Seats, squares and dice are numbers; abilities, Aids and
encounters keys; what chance decides is final.

- The start: scenario (scenario, drawn); rolled_party (secret: rolls); created (secret: tens, equipment); parties (for
  each: members, equipment), when all have made theirs; order (rolls: of seat and die), of who begins.
- The move: rolled (die), where a direction is to be chosen; moved (die, from, to, direction, round); reached (scenario,
  square) and picked_up (square), where the Artifact is taken, first or from the ground.
- A fight: met (other, square, die, ability: None on a 10); named (ability); used (scenario, aids, worth), of the mover
  and then of the other; fought (other, ability; dice, abilities, aids, totals: the mover's first; winner: None where
  equal; artifact: a side had it); seized (other, square), where the Artifact is won.
- The encounter: aid or challenge (scenario, part from 1, dice, encounter); used; faced (encounter, die, abilities,
  aids, total; dice, against; overcome).
- What is suffered: wounded and member_out (member, cast, lost: abilities); party_out and fell (square), the latter of
  the Artifact; turn_lost; thrown_back (squares, from, to); aid_lost (scenario; aid: None if there was none).
- The end of a turn: skipped, of who loses the turn; picked_up. The end of the match: over (scenario, winner, why:
  "home" or "last", round).
"""

from engine.artifact.rules import Artifact, create

IN_FILES = True
"""The scenarios lie in several files, and so do an owner's (see `engine.registry`)."""

__all__ = ["IN_FILES", "Artifact", "create"]
