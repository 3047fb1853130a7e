"""Hints of Artifact in words."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from bot.tables.model import Seat
from bot.ui.screens.names import Names
from engine.agents.advice import Reason, advice
from engine.artifact import state as s
from tests.cogs.in_memory import ENGINES, SCREENS
from tests.engine.artifact.scene import GAME, scene

NAMES = Names([Seat(name, user_id=number) for number, name in enumerate(["Ana", "Ben", "Cara", "Dan"])])


def test_every_hint_is_one_move_and_one_reason_in_words() -> None:
    game, screens = ENGINES["artifact"], SCREENS["artifact"]
    said = dict[str, set[str]]()
    for number, options in enumerate((*game.variants(2), *game.variants(4))):
        state = game.new((2, 4)[number % 2], options, bytes([number]) * 32)
        while pending := game.pending(state):
            view = game.view(state, pending[0].seat)
            hint = advice(game, [view], bytes([number]))
            assert hint is not None
            move = screens.move_text(view, hint.move, NAMES)
            reason = screens.reason_text(view, hint.reason, NAMES)
            assert move.endswith(".")
            assert reason.endswith(".") or hint.reason.code == "due", hint.reason
            assert "{" not in move + reason
            assert len(reason) <= 220, reason
            if "win" in hint.reason.facts:
                assert "%" in reason, "a hint of chances has them"
            said.setdefault(hint.reason.code, set()).add(reason)
            game.apply(state, pending[0].seat, hint.move)
    assert len(said) > 9
    assert sum(map(len, said.values())) > 100


def test_moves_that_differ_differ_in_words() -> None:
    game, screens, rng = ENGINES["artifact"], SCREENS["artifact"], Random(4)
    state = game.new(3, game.options_type(), bytes(32))
    while pending := game.pending(state):
        seat = pending[0].seat
        view = game.view(state, seat)
        moves = {game.sample(state, seat, rng) for _ in range(6)}
        assert len({screens.move_text(view, move, NAMES) for move in moves}) == len(moves)
        game.apply(state, seat, game.agents["veteran"].choose(view, rng))


def test_a_hint_names_the_chances_on_both_ways_also_where_they_speak_against_it() -> None:
    game, screens = ENGINES["artifact"], SCREENS["artifact"]
    view = game.view(game.new(3, game.options_type(), bytes(32)), 0)
    facts = {"foe": None, "holder": 1, "turns": 4, "near": (0.06, 0.31)}
    duel = {**facts, "wins": 0.506, "otherwise": 0.5}
    assert "6%, the other way 31%. But " in screens.reason_text(view, Reason("lies-in-wait", facts), NAMES)
    hardly = "about 51% to win the match: it hardly matters."
    assert screens.reason_text(view, Reason("follows", duel), NAMES).endswith(hardly)
    keeps = {"need": "race", "who": 1, "aids": ("pistols",), "spare": False}
    keeps |= {"unused": (0.5,), "chances": (0.9,)}
    faced = GAME.view(scene(9, 9, phase=s.CHALLENGE, encounter="rope_bridge", aids={0: "pistols"}), 0)
    kept = "Keep Pistols for **Ben**: if a fight is about Combat, your chance is 83%, not 42%."
    wound = "A wound takes at most +1 from you, spending +3 for certain."
    chance = "Chance to win the match: about 55%, with Boons 51%."
    for more, told in (
        ({}, f"{kept} {wound} {chance}"),
        ({"unused": (0.3,)}, f"{wound} {chance}"),
        ({"kept": ("pistols",)}, f"Keep Pistols, as before. {wound} {chance}"),
        ({"kept": ("picks",)}, f"{kept[:16]} **Ben** too: your chance with Combat is 83%, not 42%. {chance}"),
        ({"wins": 0.519}, f"{kept} {wound} For the match it is nearly equal."),
    ):
        reason = Reason("holds-back", {**keeps, "wins": 0.55, "otherwise": 0.51, **more})
        assert screens.reason_text(faced, reason, NAMES) == told
    faced = replace(faced, encounter="fever")
    for unused, told in ((0.5, "Until the Artifact 💎 comes back past you,"), (0.9, "Here you rarely fail.")):
        reason = Reason("holds-back", {**keeps, "unused": (unused,)})
        assert f"not 42%. {told}" in screens.reason_text(faced, reason, NAMES)
    held = scene(9, 5, phase=s.CHALLENGE, encounter="rope_bridge", aids={0: "pistols"}, holder=1)
    for code, more, told in (
        ("spends", {"need": "behind"}, "If you fail: a wound, which costs an ability. Nobody stands between"),
        ("spends", {"wins": 0.5, "otherwise": 0.52}, "nearly equal, so take the safer roll."),
        ("no-use", {"unused": (0.0,)}, "Boons hardly change your chance of 0%."),
    ):
        assert told in screens.reason_text(GAME.view(held, 0), Reason(code, {**keeps, **more}), NAMES)
    state = scene(9, 9, phase=s.GIVE_UP, encounter="rope_bridge", step=1, aids={0: "pistols tomes"})
    least = screens.reason_text(
        GAME.view(state, 0), Reason("missed-least", {"ability": 0, "worth": 3}), NAMES
    )
    assert least == "Of your Boons, you will miss this +3 to Combat least."
    ways = {**facts, "near": (0.31, 0.31)}
    for before, told in (
        ((6, -2), "The other way you could only run after it."),
        ((6, 0), "The other way you fight **Ben** at once."),
    ):
        found = screens.reason_text(view, Reason("lies-in-wait", {**ways, "before": before}), NAMES)
        assert found.endswith(told)
    assert "You can hardly" in screens.reason_text(view, Reason("follows", {**ways, "lost": True}), NAMES)
    passed = Reason("lies-in-wait", {**duel, "wins": 0.54, "news": "passed", "square": 25})
    assert screens.reason_text(view, passed, NAMES) == (
        "**Ben** has passed you. On square 25 you stand in the way again. Chance to meet it next "
        "turn, Challenges aside: 6%, the other way 31%. Chance to win the match: about 54%, the other way 50%."
    )
