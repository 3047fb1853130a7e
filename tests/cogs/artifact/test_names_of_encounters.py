"""The names of encounters in a match: every second time they have other words."""

from __future__ import annotations

from bot.tables.model import Seat
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.names import Names
from cogs.artifact import names
from cogs.artifact.narrator import Narrator
from cogs.artifact.table import heading
from engine.artifact import choices, create
from engine.artifact.state import CHALLENGE
from engine.game import Event
from tests.cogs.in_memory import SCREENS, matches
from tools.texts import texts_of_scenario

GAME = create()
SEATED = Names(())


def seen(event: Event) -> SeenEvent:
    """The event as its row of the log tells it to everybody."""
    return SeenEvent(event.kind, event.seat, event.facts)


def encounter_of(event: Event) -> str:
    found = Narrator(seen(event), None, SEATED, GAME.catalogue).encounter()
    assert found is not None
    return names.written(found.title)


def test_result_and_decision_name_a_challenge_as_the_event_before_them_does() -> None:
    decided = 0
    for match in matches("artifact", 30):
        *_, last = [encounter_of(event) for _n, event in match.events if event.kind == "challenge"] or [""]
        view = match.game.view(match.state, None)
        faced = choices.encounter(view)
        if view.phase == CHALLENGE and faced is not None:
            assert f"**{last}**" in heading(view)
            decided += 1
        title = ""
        for _n, event in match.events:
            if event.kind == "challenge":
                title = encounter_of(event)
            elif event.kind == "faced":
                assert title in SCREENS["artifact"].news_line(seen(event), 0, Names(match.table().seats))
    assert decided > 2


def test_an_event_of_an_earlier_version_has_the_first_words() -> None:
    facts = {"scenario": "drowned_temple", "part": 1, "dice": [3, 3], "encounter": "reef"}
    assert encounter_of(Event("challenge", 0, facts)) == "The Comb"
    assert encounter_of(Event("challenge", 0, {**facts, "recurrence": 1})) == "The Wandering Sandbank"
    assert encounter_of(Event("challenge", 0, {**facts, "recurrence": 2})) == "The Comb"


def test_a_snapshot_of_an_earlier_version_is_read() -> None:
    state = next(match.state for match in matches("artifact", 60) if match.state.phase == CHALLENGE)
    data = GAME.dump(state)
    data["counters"] = {name: n for name, n in data["counters"].items() if not name.startswith("challenge")}
    assert GAME.view(GAME.load(data), None).recurrence == 0


def test_every_encounter_has_two_titles_and_all_differ() -> None:
    for scenario in GAME.catalogue.scenarios:
        titles = [text.text for text in texts_of_scenario(scenario.data) if text.place.endswith(", title")]
        assert len(titles) == len({*titles}) == 44


def test_parties_side_by_side_find_and_hold_a_boon_under_different_names() -> None:
    facts = {"scenario": "ice_tomb", "part": 2, "dice": [4, 5], "encounter": "notebook"}
    scenario = next(one for one in GAME.catalogue.scenarios if one.key == "ice_tomb")
    for seat, title in enumerate(("The Stargazer's Notebook", "The Apprentice's Letters")):
        assert encounter_of(Event("aid", seat, facts)) == names.aid_name(scenario, "notebook", seat) == title
        spent = Event("used", seat, {"scenario": "ice_tomb", "aids": ["notebook"], "worth": 3})
        assert title in SCREENS["artifact"].describe(seen(spent), None, Names([Seat("Ana"), Seat("Ben")]))
