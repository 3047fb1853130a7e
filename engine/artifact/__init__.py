"""Artifact, for 2 to 6 players, by its rule page, rulings R40 to R59, R67 and R68.

From the data inwards:

- `scenarios/*.json`: a scenario a file, checked by `card_list`; an owner's files replace or extend them. Two
  parts of eleven encounters (Aids and Challenges) with their stories, which are English and looked up in other
  languages by the screens. (The rule text calls encounters events; an event is what a move brought about.)
- `party`: abilities, members, equipment: what is printed. `catalogue`: the scenarios as the rules play by them. States
  and views carry it.
- `state`: `State` and `View`, which show the same under the same names (`Position`), for all lies open but the rolls
  that make a party, until all parties are made.
- `moves`: `Create` a party (all at once), `Roll`, `Go`, `Meet`, `Name`, `Use` Aids, `GiveUp` one.
- `odds`: exact chances. `choices`: how a match stands and what can be done, listed from a view or a state, with the
  chances. Screens and agents ask here.
- `rules`: the `Game`. `sampling`: random moves. `snapshot`: states as JSON. `agents`: computer players.

The decisions, by kind: "party" (of all at once), "roll", "direction" (once the Artifact was taken, without it),
"opponent" (several to fight), "ability" (a 10 in a fight), "attack" and "defend" (Aids in a fight, the mover's first),
"challenge" (Aids), "give_up" (which Aid an encounter takes). Nobody is asked for Aids who has none that fits.

Events. Of the start: scenario, rolled_party (a secret of the seat's), created (what was chosen is a secret), sheets,
order. Of a turn: rolled (where a direction is to be chosen), moved, reached and picked_up (the Artifact is taken), met
(a fight begins), named, used (Aids), fought, seized (the Artifact is won), aid and challenge (the encounter), faced,
wounded, member_out, party_out, fell (the Artifact), turn_lost, thrown_back, aid_lost, skipped, over. What chance
decides is final.
"""

from engine.artifact.rules import Artifact, create

IN_FILES = True
"""The scenarios lie in several files, and so do an owner's (see `engine.registry`)."""

__all__ = ["IN_FILES", "Artifact", "create"]
