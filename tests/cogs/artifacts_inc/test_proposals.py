"""Every move that the strongest agent can propose has words, and so has every reason."""

from __future__ import annotations

from random import Random

from bot.tables.model import Seat
from bot.ui.screens.names import Names
from cogs.artifacts_inc import proposals
from engine.agents.advice import Reason, adviser_of
from engine.agents.search import Tried
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.master import Master
from engine.artifacts_inc.company import CompanyCard, Place, Space
from engine.artifacts_inc.state import GOAL
from tests.cogs.in_memory import ENGINES, SCREENS
from tests.engine.artifacts_inc.scene import GAME, card, scene
from tests.engine.artifacts_inc.test_agent_reasons import all_lines, reason_for

NAMES = Names([Seat(name, user_id=number) for number, name in enumerate(["Ana", "Ben", "Cara"])])


def test_every_legal_move_is_worded() -> None:
    game, screens, rng = ENGINES["artifacts-inc"], SCREENS["artifacts-inc"], Random(1)
    worded: dict[str, str] = {}
    for number in range(4):
        state = game.new(3, game.options_type(), bytes([number]) * 32)
        while pending := game.pending(state):
            seat = pending[0].seat
            move = game.sample(state, seat, rng)
            text = screens.move_text(game.view(state, seat), move, NAMES)
            assert text.endswith(".")
            assert "{" not in text
            worded[type(move).__name__] = text
            game.apply(state, seat, move)
    assert len(set(worded.values())) == len(worded) >= 10


def test_a_proposal_says_what_is_sold_and_where() -> None:
    view = GAME.view(scene("curators_office", dice="3 5", artifacts="gem*2@headquarters scroll"), 0)
    screens = SCREENS["artifacts-inc"]

    def text(move: m.Move) -> str:
        return screens.move_text(view, move, NAMES)

    gems, office = Space(card("gem_museum")), Space(card("curators_office"))
    assert text(m.FillOrder(5, gems, 3, 1)).endswith("on Gem Museum and sell 💎 2 Gems.")
    assert text(m.FillOrder(3, office, 3, 0)).endswith("and sell 💎 1 Gem to the Gem Museum.")
    collectors = Space(card("private_collectors"))
    assert text(m.Collect(3, collectors, (0, 1, 0, 2))).endswith("and sell 📜 1 Scroll and 💎 2 Gems.")
    assert "Upgrade Headquarters for $4 with" in text(
        m.TurnCard(3, Space(card("headquarters")), CompanyCard(card("headquarters")))
    )


def test_every_reason_of_the_strongest_agent_is_worded() -> None:
    """In matches in which every seat plays the agent's best lines."""
    game, screens = ENGINES["artifacts-inc"], SCREENS["artifacts-inc"]
    master = adviser_of(game)
    assert isinstance(master, Master)
    said: dict[str, set[str]] = {}
    for seats in (2, 3):
        state, rng = game.new(seats, game.options_type(), bytes([seats]) * 32), Random(seats)
        while pending := game.pending(state):
            view = game.view(state, pending[0].seat)
            line = master.lines(view, rng)[0]
            reason = master.reason(view, Tried(line[0], 0.0, 0.0, 0.0, 0, line), None)
            text = screens.reason_text(view, reason, NAMES)
            assert text.endswith(".") or reason.code == "rolls"
            assert "{" not in text
            said.setdefault(reason.code, set()).add(text)
            game.apply(state, pending[0].seat, line[0])
    facts = {"museum": 3, "reputation": 4, "saves": (33, 5, 4), "plan": (), "turn": False}
    for code, dearer, said_of_it in (
        ("supplies", [33, 3, 3, 2], "Upgrading Biplane scores ⭐ 3 now, but costs $2 more."),
        ("supplies", [33, 3, 0, 2], "Upgrading Biplane scores ⭐ 3 as well, but costs $2 more."),
        ("later", [33, 3, 3, 0], "next turn then probably brings: Upgrade Biplane ($5, ⭐ 4)."),
        ("scores", [35, 3, 1, 2], "With the $2 saved, your next turn probably brings: Upgrade Biplane ($5,"),
        ("due", [33, 3, 1, 0], "It hardly matters"),
        ("due", [33, 3, 1, 2], "Upgrading Biplane scores ⭐ 3 now, but costs $2 more."),
    ):
        text = screens.reason_text(game.view(state, 0), Reason(code, {**facts, "dearer": dearer}), NAMES)
        assert said_of_it in text
        assert ("hardly matters" in text) == (code == "due" and not dearer[3]), "a price is a reason"
    buy = (m.Buy(3, Space(card("headquarters")), card("biplane"), Place(0, 4)), -5, 2)
    reason = Reason("fills-now", {"museum": 1, "size": 2, "plan": [buy], "aim": buy})
    assert screens.reason_text(GAME.view(scene(), 0), reason, NAMES).startswith(
        "You can then fill order 2 of"
    )
    facts = {"museum": 1, "reputation": 3, "led": 1, "plan": ()}
    for code, cubes, how in (
        (
            "gains-ground",
            (1, 1),
            "level with **Ben** at the Scroll Museum (cubes: 1 each, theirs on the high",
        ),
        ("gains-ground", (1, 2), "closer to **Ben**, who leads at the Scroll Museum (cubes: 1 to 2)"),
        ("takes-lead", (1, 1), "from **Ben** (cubes: 1 each, yours on the higher order): ⭐ 3"),
    ):
        reason = Reason(code, {**facts, "cubes": cubes})
        assert how in screens.reason_text(GAME.view(scene(), 0), reason, NAMES)
    assert said.keys() >= {"scores", "earns", "takes-lead", "pays", "pays-for", "fills-now", "ends-match"}
    assert sum(map(len, said.values())) > 20, "the reasons have facts"


def test_what_a_turn_is_for_is_named_with_all_its_steps() -> None:
    view = GAME.view(scene(dice="1 1 3 4 5", dollars=3, artifacts="fossil", divers=(0,) * 10), 0)
    lines = all_lines(view)
    texts = [
        SCREENS["artifacts-inc"].reason_text(view, reason_for(GAME, view, line), NAMES) for line in lines
    ]
    assert any("→ Desert Expedition, then" in text for text in texts), "what it finds goes without saying"
    assert any("Aim: " in text for text in texts)
    assert any("The die is not needed for that. You then hold" in text for text in texts)
    assert not any("…" in text for text in texts), "the whole chain is told"
    for line, text in zip(lines, texts, strict=True):
        bought = [move for move in line if isinstance(move, m.Buy)]
        if len(line) > 3 and bought == [line[-1]]:
            assert f"Buy {view.catalogue.cards[bought[0].card].name} ($" in text, text


def test_the_last_turn_says_how_the_match_then_stands() -> None:
    for points, active, dollars, end in (
        ((GOAL, GOAL - 2), 1, 0, "with the museums → **Ana leads 20 to 18**. That is place 2."),
        ((GOAL, GOAL), 1, 2, "→ **level**. Dollars decide between you and **Ana**: $2 to $0."),
        ((GOAL, GOAL), 1, 0, "→ **level**. That is place 1."),
        ((GOAL, 3), 0, 0, "→ **you lead 20 to 3**. Still to move: **Ben**."),
        ((GOAL - 1, 3), 0, 0, "No use of your dice gains you anything."),
    ):
        state = scene(dice="1", active=active)
        state.earned, state.dollars[active] = [(each, 0, 0, 0) for each in points], dollars
        state.derive()
        view = GAME.view(state, active)
        said = SCREENS["artifacts-inc"].reason_text(view, reason_for(GAME, view, (m.PASS,)), NAMES)
        assert said.endswith(end), said
        side = GAME.catalogue.cards[card("biplane")].side(1)
        assert ("last" in proposals.card(view, side, GOAL)) == (end[0] == "N"), "a last round ends anyway"
