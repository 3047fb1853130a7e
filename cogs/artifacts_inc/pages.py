"""The rules as players read them: a first page to begin with, the rest, every card from its data, and the rulings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.language import gettext as _
from bot.language import listing
from bot.ui.screens.game_screens import Page
from bot.ui.screens.kit import paged
from cogs.artifacts_inc import effects
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.card_list import (
    ARTIFACTS,
    FINDS,
    LONG,
    PILES,
    SHORT,
    Asset,
    CardList,
    Known,
    Museum,
    PileAsset,
    Public,
)
from engine.artifacts_inc.catalogue import Card, Catalogue
from engine.artifacts_inc.rules import DOLLARS
from engine.artifacts_inc.state import GOAL, ROUNDS

ROOM: Final = 3400
"""Characters of a page of cards or rulings."""
PRINTED: Final = "🖨️"
PARTLY: Final = "◐"


def rules(card_list: CardList, catalogue: Catalogue, illustrated: Sequence[Page]) -> list[Page]:
    """All pages, the one to begin with first; the illustrated pages follow those on how to play."""
    return [
        _first(catalogue),
        _turn(),
        _buying(),
        _museums_and_end(),
        *illustrated,
        _tips(),
        *_numbered(_("Every card"), list(_cards(card_list, catalogue)), _legend()),
        *_numbered(_("Full rules"), [f"- {ruling}" for ruling in rulings()]),
    ]


def _numbered(title: str, lines: Sequence[str], head: str = "") -> list[Page]:
    """Lines on as many pages as they need, with a head on each."""
    return [Page(title, "\n".join([head, *page] if head else page)) for page in paged(lines, ROOM)]


# -- how to play


def _starting_buyers(catalogue: Catalogue) -> list[str]:
    """The starting cards with which one can buy from the first turn on."""
    cards = [catalogue.cards[number] for number in catalogue.start]
    return [
        name.written(card) for card in cards if any(slot.action.do == "buy" for slot in card.side(1).slots)
    ]


def _first(catalogue: Catalogue) -> Page:
    kinds = " ".join(name.ARTIFACT)
    lines = [
        _("1. You run an archaeology company in New York, 1929. **The most reputation {star} wins.**"),
        _(
            "2. On your turn press **My Company**, roll your dice {die}, and place them one by one, on "
            "your own cards or on public ones."
        ),
        _(
            "3. A slot says which dice it takes: `4+` is a 4, a 5 or a 6. It takes one die per turn "
            "and acts immediately."
        ),
        _("4. **Expeditions** find artifacts: {kinds}."),
        _(
            "5. **Museums** buy them. An order of 2 takes exactly two, once per match: you get $1 each "
            "and a bonus, and your cube marks the order."
        ),
        _(
            "6. **Private Collectors** buy anything, and pay more for different kinds. **Guide Work** pays $1 for any "
            "die."
        ),
        _(
            "7. A slot that says *buy*{buyers} gets you a card on offer, or upgrades a card of yours to level 2."
        ),
        _(
            "8. You score a card's {star} immediately. Place new cards beside, above or below your "
            "own: some score for what they touch."
        ),
        _("9. **Dive** with dice that together reach the next dive's number, for {star} and a find."),
        _(
            "10. Once someone has {star} {goal}, the round is finished. Then the most cubes on each "
            "museum bring {star} too."
        ),
    ]
    values = {"star": name.REPUTATION, "die": name.DIE, "kinds": kinds, "goal": GOAL}
    values["buyers"] = f" ({listing(buyers)})" if (buyers := _starting_buyers(catalogue)) else ""
    return Page(_("In three minutes"), "\n".join(line.format(**values) for line in lines))


def _turn() -> Page:
    lines = [
        _(
            "**Your dice.** You roll as many as your cards show {die}, seven at most. Your first roll "
            "waits for you: until then you may change the order of your starting cards. Later, dice "
            "are rolled as your turn begins."
        ),
        "",
        _(
            "**Placing.** The screen shows everything that your dice can do now, each with the die "
            "that you need least elsewhere; press a die to place that one. A die can be placed only "
            "where it has an effect. A public card takes one die per turn."
        ),
        "",
        _(
            "**Selling.** A museum order takes exactly as many artifacts as it says, of the museum's kind: $1 each "
            "and the museum's bonus. Private Collectors take any: $1 each, and $1 more for each kind beyond the "
            "first."
        ),
        "",
        _(
            "**Diving.** Only here dice are added up. Place as many as you need in one go, once per "
            "turn. You keep your finds and never sell them; some cards count them."
        ),
        "",
        _(
            "**Changing dice.** Some cards turn a die, set it or reroll dice. Use them at any time on "
            "your turn, on dice not yet placed, several on one die if you like. A 6 never becomes a 1."
        ),
        "",
        _(
            "**Ending.** The turn ends with your last die, or when you press **End Turn**; dice may be "
            "left over. You can **Undo** until a new card is revealed or dice are rolled. The next "
            "player's dice are rolled as your turn ends."
        ),
    ]
    return Page(_("Your turn"), "\n".join(lines).format(die=name.DIE))


def _buying() -> Page:
    lines = [
        _(
            "**A new card** costs what it says, and you score its {star} immediately. It comes with "
            "level 1 face up. The next card of its pile takes its place on offer."
        ),
        "",
        _(
            "**Upgrading** a card of yours to level 2 costs its price again and scores what level 2 shows; you keep "
            "what level 1 gave. Its artifacts stay on it. A die on it covers the same slot of the new side."
        ),
        "",
        _(
            "**Now or later.** Slots and abilities work immediately if you have dice left. More dice "
            "are rolled from your next turn on."
        ),
        "",
        _(
            "**Placement.** You have an upper and a lower row. A new card touches one of yours: left "
            "or right of it, straight above or below. It never moves again. Cards that touch are "
            "*adjacent*; diagonally they are not."
        ),
        "",
        _(
            "**Counting.** Some sides score for finds, for museums with your cube or for adjacent Expeditions. That "
            "is counted once, when the side is turned face up. An *Expedition* is a card with that word in its name."
        ),
    ]
    return Page(_("Buying and upgrading"), "\n".join(lines).format(star=name.REPUTATION))


def _tips() -> Page:
    lines = [
        _(
            "- A die that does nothing is lost. Buy cards that take the faces which your cards do not take yet."
        ),
        _(
            "- More dice {die} pay best when they come early: you roll them on every turn from the next one on."
        ),
        _(
            "- A sale to a museum pays twice: dollars now, and a cube. The most cubes on a museum "
            "bring its {star} at the end; ties go to the highest order."
        ),
        _(
            "- Each order bears one cube: several small sales leave more cubes than one large sale, which"
            " brings more dollars."
        ),
        _(
            "- Upgrading a card costs its price again. Its other side brings its {star} on top, and "
            "often does twice as much."
        ),
        _(
            "- Some cards count once, when you buy them: what lies beside them, your finds, your museums. Buy them "
            "late, and choose their place."
        ),
        _(
            "- Each dive asks for more than the last one: dive early, with dice that have nothing better to do."
        ),
        _(
            "- At {goal} {star} the match ends with the round. Before you get there, look at the museums: their "
            "{star} is counted after that."
        ),
    ]
    text = "\n".join(lines).format(die=name.DIE, star=name.REPUTATION, goal=GOAL)
    return Page(_("How to score well"), text)


def _museums_and_end() -> Page:
    lines = [
        _(
            "**The table.** A museum's line names the dice that it takes, its {star} for the most "
            "cubes, how many cubes each company has there, starting with whoever has the most, and the "
            "free orders. **Cards** shows the rest."
        ),
        "",
        _(
            "**The end.** When someone reaches {star} {goal}, the round is played to its end, so that "
            "everyone has the same number of turns. Each museum then gives its {star} to whoever has "
            "the most cubes on it; ties go to the cube on the highest order."
        ),
        "",
        _(
            "**Winning.** The most reputation wins. Ties are broken by dollars, then by cubes on "
            "museums; if still tied, the victory is shared."
        ),
        "",
        _(
            "**The start.** Everyone has the same four cards, side by side in an order of their choice. Four cards "
            "of each of the piles A, B and C are on offer, and one each of D and E; the dives lie in the order of "
            "their numbers. The highest roll of two dice goes first. In turn order the players have {dollars}."
        ),
    ]
    dollars = listing([f"${n}" for n in DOLLARS])
    text = "\n".join(lines).format(star=name.REPUTATION, goal=GOAL, dollars=dollars)
    return Page(_("Museums and the end"), text)


# -- every card


def _legend() -> str:
    text = _(
        "-# {printed} printed on the card or in the rules · {partly} in part · all else is this project's own"
    )
    return text.format(printed=PRINTED, partly=PARTLY)


def _cards(card_list: CardList, catalogue: Catalogue) -> Iterator[str]:
    cards = iter(catalogue.cards)
    for museum in card_list.museums:
        yield _museum(museum, next(cards))
    for public in card_list.public:
        yield _public(public, next(cards), catalogue)
    groups: list[tuple[str, Sequence[Asset]]] = [(_("__Starting cards__"), card_list.start)]
    groups += [(_("__Pile {pile}__").format(pile=pile), card_list.piles[pile]) for pile in PILES]
    for heading, assets in groups:
        first, *others = (_asset(asset, next(cards), catalogue) for asset in assets)
        yield f"{heading}\n{first}"
        yield from others
    yield _("__Dives__")
    for dive in card_list.dives:
        find = FINDS.index(dive.find)
        brings = f"{name.REPUTATION} {dive.reputation} · {name.FIND[find]} {name.find(find)}"
        yield f"`{dive.number:>2}` {brings}{origin(dive)}"


def _museum(museum: Museum, card: Card) -> str:
    kind = ARTIFACTS.index(museum.artifact)
    line = _("{picture} **{museum}** · `{die}` · bonus ${bonus} · most cubes: {star} {majority}").format(
        picture=name.ARTIFACT[kind],
        museum=name.written(card),
        die=effects.requirement(museum.requires),
        bonus=museum.bonus,
        star=name.REPUTATION,
        majority=museum.majority,
    )
    orders = _("orders: {many}; with two players: {few}").format(
        many=" ".join(map(str, museum.nine)), few=" ".join(map(str, museum.six))
    )
    assert (len(museum.six), len(museum.nine)) == (SHORT, LONG)
    return f"{line}{origin(museum)}\n-# {orders}"


def _public(public: Public, card: Card, catalogue: Catalogue) -> str:
    text = effects.slot_text(catalogue, card.side(1).slots[0])
    return f"**{name.written(card)}** · {text}{origin(public, public.slot)}"


def _asset(asset: Asset, card: Card, catalogue: Catalogue) -> str:
    head = f"**{name.written(card)}** · {name.cost(card)}"
    if isinstance(asset, PileAsset):
        head += f" · ×{asset.copies}"
    lines = [
        f"{level} · {effects.side_text(catalogue, side)}{origin(data, *data.slots)}"
        for level, side, data in zip(name.LEVELS, card.sides, asset.sides, strict=True)
    ]
    return "\n".join([head, *lines])


def origin(*parts: Known) -> str:
    """A mark for what is printed, wholly or in part; nothing for what is this project's own."""
    words: set[str] = set()
    for part in parts:
        known = part.provenance
        words |= set(known.values()) if isinstance(known, Mapping) else {known}
    if words == {"printed"}:
        return f" {PRINTED}"
    return f" {PARTLY}" if words & {"printed", "inferred"} else ""


# -- to the letter


def rulings() -> list[str]:
    """The questions that the printed rules leave open, with this game's rulings by number."""
    return [line.format(rounds=ROUNDS) for line in (*_rulings_of_a_turn(), *_rulings_of_cards())]


def _rulings_of_a_turn() -> list[str]:
    return [
        _("R20 A side's reputation counts when it is turned face up, and is kept. Nothing is added later."),
        _(
            "R21 Dice of a card bought or upgraded this turn are rolled from the next turn on; its "
            "slots and abilities work immediately. A die on an upgraded card covers the slot in the "
            "same place; uses of its ability made this turn count."
        ),
        _("R22 A museum pays its bonus at every sale. Orders may be filled in any sequence."),
        _(
            "R23 Private Collectors need at least one artifact. A sale to a museum by another card counts as a sale "
            "to it."
        ),
        _(
            "R24 Ties on reputation are broken by dollars, then by cubes on museums; if still tied, "
            "the victory is shared."
        ),
        _(
            "R25 A die is placed only where its action is carried out. A dive takes at least one die; cards that add "
            "to dives add up. Dice may be left."
        ),
        _("R26 The buyer chooses among all places where a card may lie."),
        _(
            "R27 Of orders of equal value the later one is the higher. A museum without a cube gives "
            "its reputation to no one."
        ),
        _("R28 A card that is bought is replaced immediately from its pile."),
        _("R29 Artifacts are spent from whichever card they lie on."),
        _("R30 Artifacts never run out. There are seven dice; more are not rolled."),
        _("R31 Everyone may look at both sides of every card at any time."),
        _("R32 A game that still goes on after {rounds} rounds ends there."),
        _("R33 Players tied for the highest starting roll reroll."),
        _(
            "R34 There are two rows, never a third. Both may grow at either end and have gaps; no card is pushed in "
            "between. A gap breaks adjacency."
        ),
        _("R35 Each public card has one slot, free again each turn."),
        _("R36 The starting cards may be put in another order until one's first roll."),
        _("R37 A turn ends when no die is left, or with End Turn."),
        _(
            "R38 A die on a card that sells to any museum meets that card's requirement, not the museum's, and "
            "leaves the museum's slot free."
        ),
        _(
            "R39 Abilities work at any time on your turn after the roll, on unplaced dice, several on "
            "one die. A 6 never becomes a 1, nor a 1 a 6."
        ),
    ]


def _rulings_of_cards() -> list[str]:
    return [
        _("R60 An Expedition yields the kinds that its upper side's slots name."),
        _("R61 Artifacts of a kind are alike; off which card they are spent is chosen for you."),
        _("R62 Everyone may dive, with any number of dice placed together."),
        _("R63 The payment of level 2 replaces that of level 1."),
        _(
            "R64 Each die that buys makes one whole purchase before the next. A card bought this turn "
            "may be upgraded this turn; several copies may be owned."
        ),
        _("R65 Finds are no artifacts: they are never sold or paid."),
        _(
            "R66 Slots count from the left. A covered slot stays covered, even if its die would not "
            "fit the new side. A card may upgrade itself."
        ),
    ]
