"""Other card lists than the scenes' own, to show that the rules play whatever a list says."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from engine.artifacts_inc import ArtifactsInc, create
from tests.engine.artifacts_inc.scene import CARD_LIST


def slot(requires: str, do: str, artifact: str | None = None, dollars: int = 0) -> dict[str, Any]:
    action: dict[str, Any] = {"do": do}
    if artifact:
        action["artifact"] = artifact
    if dollars:
        action["dollars"] = dollars
    return {"requires": requires, "action": action, "provenance": "house"}


def strange_list() -> dict[str, Any]:
    """Everything that the vocabulary has and the scenes' cards do not use.

    Odd and even dice, slots that sell one artifact, an Expedition of two kinds, dollars on top of any action, a card
    with slots, an ability, dice and counts at once, a starting card with an ability, piles D and E of several cards,
    turned sides with fewer slots and dice, three U cards one of which brings nothing, one public card more.
    """
    card_list = deepcopy(CARD_LIST)
    a, b, c = (card_list["piles"][pile] for pile in "ABC")
    a[1]["sides"][0]["slots"] = [slot("odd", "gain", "statue", 1), slot("even", "gain", "scroll")]
    a[1]["sides"][1]["slots"] = [slot("3-", "gain", "gem")]
    a[3]["sides"][0]["slots"] = [slot("any", "sell", dollars=3)]
    a[3]["sides"][1]["slots"] = [slot("any", "sell", dollars=4), slot("5-", "gather", dollars=1)]
    b[2]["sides"][0]["slots"] = [slot("even", "buy", dollars=1), slot("odd", "museum", dollars=2)]
    c[0]["sides"][1] |= {
        "slots": [slot("any", "earn", dollars=5)],
        "ability": {"do": "turn", "uses": 3},
        "dice": 1,
        "dive": 9,
        "per": {"expedition": 2, "museum": 1, "pottery": 1},
        "provenance": "house",
    }
    card_list["start"][0]["sides"][0] |= {"ability": {"do": "roll", "uses": 1}, "provenance": "house"}
    card_list["start"][3]["sides"][1] |= {"dice": 2, "provenance": "house"}
    card_list["piles"]["D"].append({**deepcopy(a[2]), "key": "second_camp", "copies": 2})
    card_list["piles"]["E"].append({**deepcopy(b[1]), "key": "second_biplane", "copies": 1})
    card_list["dives"] = [{**dive, "reputation": 2 * n} for n, dive in enumerate(card_list["dives"][:3])]
    card_list["public"].append(
        {"key": "bazaar", "name": "Bazaar", "provenance": "house", "slot": slot("2-", "sell", dollars=2)}
    )
    return card_list


def bare_list() -> dict[str, Any]:
    """As little as a list may have: no U cards, no public cards but museums, piles of one card."""
    card_list = deepcopy(CARD_LIST)
    card_list["dives"], card_list["public"] = [], []
    for pile, cards in card_list["piles"].items():
        card_list["piles"][pile] = [{**cards[0], "copies": 1}]
    return card_list


STRANGE: ArtifactsInc = create(strange_list())
BARE: ArtifactsInc = create(bare_list())
