"""The specification of records is true: its examples can be worked out from its text, its tables are the engine's.

After a change of a game's rules or cards, or of what `verify` prints, write the examples and the appendices (the card
lists of Artifacts, Inc. and Artifact) anew and read the difference:

    DIGSITE_WRITE_EXAMPLES=1 python -m pytest tests/test_fairness_page.py
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from bot.cli.verify import visible, word_verdict
from engine.archaeology_family.card_list import CHAMBERED, DEAL, MARKET, SANDSTORM, THIEF, TREASURES, CardList
from engine.archaeology_family.rules import ArchaeologyFamily
from engine.artifact import Artifact
from engine.artifact import create as create_artifact
from engine.artifact import moves as artifact_moves
from engine.artifact import party as artifact_party
from engine.artifact import state as artifact_state
from engine.artifact.card_list import SECOND
from engine.artifacts_inc import ArtifactsInc, create
from engine.artifacts_inc import rules as artifacts_rules
from engine.artifacts_inc import state as artifacts_state
from engine.artifacts_inc.company import MOST_DICE
from engine.cards import digested
from engine.chance import draw, draws
from engine.expedition.monuments import MONUMENT_TYPES
from engine.expedition.state import MONUMENTS
from engine.fairness import SCHEME, SCHEMES, Contribution, canonical, commitment, match_key
from engine.game import AnyGame
from engine.record import FORM, LARGEST, LONGEST, Agreement, make_record, verify
from engine.registry import load_games
from tests.cogs.in_memory import SCREENS
from tests.engine import worked_example
from tests.engine.record_oracle import (
    APART,
    BLOCKS,
    PAGE_FILES,
    RECORDS,
    SEATS,
    Chance,
    Match,
    blocks_of,
    check,
    digest,
    read,
)
from tests.engine.written import write_record

ALL = load_games()
ARTIFACTS_INC = cast("ArtifactsInc", ALL["artifacts-inc"])
ARTIFACT = cast("Artifact", ALL["artifact"])
GAMES = {key: game for key, game in ALL.items() if isinstance(game, ArchaeologyFamily)}
"""The Archaeology family, whose cards stand in the page itself."""
LISTS: dict[str, CardList] = {key: game.card_list for key, game in GAMES.items()}
BESIDE = {key: module for key, module in APART.items() if hasattr(module, "LIST_FILE")}
"""The second verifier's modules of the games whose card list is an appendix beside the page."""


def card_list_of(game: AnyGame) -> str:
    """The card list's text that the page prints, from what the engine has."""
    card_list = LISTS[game.key]
    return json.dumps(
        {
            "game": game.key,
            "sandstorms": {
                "by_seats": {str(n): count for n, count in sorted(card_list.sandstorms.by_seats.items())}
            },
            "thieves": {
                "by_seats": {str(n): count for n, count in sorted(card_list.thieves.by_seats.items())}
            },
            "treasures": [
                {
                    "copies": treasure.copies,
                    "from_seats": treasure.from_seats,
                    "key": treasure.key,
                    "sales": list(treasure.sales),
                    "trade": treasure.trade,
                }
                for treasure in card_list.treasures
            ],
        }
    )


def appendix(key: str) -> str:
    """A card list as the page's appendix has it: without names and stories, and how numbers are known."""
    game: Any = ALL[key]
    uncounted = import_module(f"{_package(game)}.card_list").UNCOUNTED
    return json.dumps(digested(game.card_list, uncounted), indent=1, sort_keys=True) + "\n"


def _package(game: AnyGame) -> str:
    """The engine's package of a game: "engine.artifact"."""
    return ".".join(type(game).__module__.split(".")[:2])


def blocks(record: dict[str, Any]) -> dict[str, str]:
    """The blocks of a game's example."""
    return _example_of(record["game"]).blocks(record)


def _example_of(key: str) -> Any:
    """The module that works a game's example out."""
    if key in GAMES:
        return worked_example
    return import_module(f"tests.{_package(ALL[key])}.worked_example")


def list_file(module: Any) -> Path:
    """The appendix of a game, beside the page."""
    return module.LIST_FILE


def replay(record: dict[str, Any]) -> dict[str, Any]:
    """A record with what was agreed on in this one, of a match that the game's agents play now."""
    game = ALL[record["game"]]
    agreed = [Contribution(*pair) for pair in record["contributions"]]
    seed, options, rng = bytes.fromhex(record["host_seed"]), game.load_options(record["options"]), Random(1)
    state = game.new(len(record["seats"]), options, match_key(seed, agreed))
    moves: list[tuple[int, dict[str, Any]]] = []
    while waiting := game.pending(state):
        seat = waiting[0].seat
        move = game.agents["veteran"].choose(game.view(state, seat), rng)
        game.apply(state, seat, move)
        moves.append((seat, game.dump_move(move)))
    made = make_record(
        game,
        Agreement(
            options=options,
            seats=record["seats"],
            host_seed=seed,
            contributions=agreed,
        ),
        moves,
        game.outcome(state),
    )
    return made.model_dump(mode="json")


def wanted() -> dict[str, str]:
    """Every block of the examples as it should be, worked out from what their records say was agreed and played."""
    made: dict[str, str] = {}
    for key in RECORDS:
        made |= {f"{key} {name}": text for name, text in blocks(json.loads(BLOCKS[f"{key} record"])).items()}
    verdict = verify(BLOCKS["archaeology record"], ALL)
    made["archaeology verify"] = word_verdict(verdict, str) + "\n"
    return made


def write_examples() -> None:
    """Writes the card lists and the examples into the pages, the matches played anew where they do not replay."""
    for key, module in BESIDE.items():
        list_file(module).write_text(appendix(key), encoding="utf-8")
    for key, file in RECORDS.items():
        record = json.loads(BLOCKS[f"{key} record"])
        if not verify(record, ALL).sound:
            BLOCKS[f"{key} record"] = write_record(replay(record)) + "\n"
            file.write_text(BLOCKS[f"{key} record"], encoding="utf-8")
    made = {f"{key}-card-list": card_list_of(game) + "\n" for key, game in GAMES.items()} | wanted()
    for file in PAGE_FILES:
        page = file.read_text(encoding="utf-8")
        for name in blocks_of(page).keys() & made.keys():
            block = rf"(^```\w+ {name}\n).*?(^```$)"
            page = re.sub(block, lambda m, name=name: f"{m[1]}{made[name]}{m[2]}", page, flags=re.M | re.S)
        file.write_text(page, encoding="utf-8")
        BLOCKS.update(blocks_of(page))


if os.environ.get("DIGSITE_WRITE_EXAMPLES"):
    write_examples()

PAGE = "\n".join(file.read_text(encoding="utf-8") for file in PAGE_FILES)


# -- the examples


def test_every_block_of_the_examples_follows_from_what_was_agreed_and_played() -> None:
    made = wanted()
    shown = {name for name in BLOCKS if name.split()[0] in RECORDS and " " in name} - {
        "archaeology passed-over"
    }
    for name in shown:
        assert BLOCKS[name] == made[name], name
    assert made.keys() - shown == {"expedition steps"}


@pytest.mark.parametrize("example", RECORDS)
def test_both_verifiers_find_the_examples_sound(example: str) -> None:
    text = BLOCKS[f"{example} record"]
    assert json.loads(text)["game"] == example
    assert verify(text, ALL).sound
    match = check(text.encode())
    assert not isinstance(match, Match) or match.chance.passed_over == 0


@pytest.mark.parametrize("example", RECORDS)
def test_the_engine_has_every_value_that_an_example_names(example: str) -> None:
    record = read(BLOCKS[f"{example} record"].encode())
    key = agreed_key(example)
    game = ALL[record["game"]]
    state: Any = game.new(len(record["seats"]), game.load_options(record["options"]), key)
    match record["game"]:
        case "artifacts-inc":
            lines = BLOCKS[f"{example} piles"].replace("\n            ", " ").splitlines()
            cards = ARTIFACTS_INC.catalogue.cards
            offered = [[cards[kind].key for kind in pile] for pile in state.offers]
            below = [[cards[kind].key for kind in pile] for pile in state.piles]
            assert [line.split(":")[1].split() for line in lines] == [
                place for pile in zip(offered, below, strict=True) for place in pile
            ]
            assert BLOCKS[f"{example} begins"].endswith(f"seat {state.first} begins\n")
        case "artifact":
            rolls = [line.split(": ")[1].split() for line in BLOCKS[f"{example} rolls"].splitlines()]
            assert [[int(n) + 1 for n in seat] for seat in rolls] == [list(seat) for seat in state.rolls]
            scenario = ARTIFACT.catalogue.scenarios[state.scenario]
            assert BLOCKS[f"{example} scenario"].endswith(f": {scenario.key}\n")
            for seat, move in record["moves"][: state.seats]:
                game.apply(state, seat, game.load_move(move))
            parties = [
                [artifact_party.ABILITIES[ability] for member in party for ability in member]
                for party in state.members
            ]
            shown = re.split(r"seat \d\n", BLOCKS[f"{example} parties"])[1:]
            assert [re.sub(r" *\w+: ", " ", party).split() for party in shown] == parties
            assert BLOCKS[f"{example} begins"].endswith(f"seat {state.first} begins\n")
        case _:
            the_cards_lie_as_shown(example, state)


def agreed_key(example: str) -> bytes:
    """The key that an example shows, having looked that all else which was agreed leads to it."""
    agreed = values(BLOCKS[f"{example} agreed"])
    seed = bytes.fromhex(agreed["host seed"])
    words = [
        Contribution(name.removeprefix("word of "), text) for name, text in agreed.items() if "word" in name
    ]
    contributions = [Contribution("start", agreed["start message"]), *words]
    key = match_key(seed, contributions)
    assert commitment(seed) == agreed["commitment"]
    assert canonical(contributions).decode() == agreed["contributions"]
    assert canonical(contributions).hex() == agreed["in bytes"]
    assert key.hex() == agreed["key"]
    return key


def the_cards_lie_as_shown(example: str, state: Any) -> None:
    """In a match of the Archaeology family."""
    assert [name_of(card) for card in state.site] == BLOCKS[f"{example} site"].split()
    dealt = [line.split(":") for line in BLOCKS[f"{example} dealt"].replace("\n  ", " ").splitlines()]
    places = [*state.hands, state.market, *state.chambers]
    assert [sorted(cards.split()) for _, cards in dealt] == [
        sorted(TREASURES[kind] for kind, n in enumerate(place) for _ in range(n)) for place in places
    ]
    assert BLOCKS[f"{example} begins"].endswith(f": seat {state.active} begins\n")
    if example == "expedition":
        assert BLOCKS["expedition monument"].endswith(f": {state.monument}\n")


def name_of(card: int) -> str:
    return {THIEF: "thief", SANDSTORM: "sandstorm"}.get(card) or TREASURES[card]


def values(block: str) -> dict[str, str]:
    """The named values of a block; a value that goes on in the next line is put together."""
    joined = re.sub(r"\n +", "", block)
    return dict(re.split(r"  +", line, maxsplit=1) for line in joined.splitlines())  # type: ignore[misc]


def test_the_commands_compute_the_first_example() -> None:
    agreed = values(BLOCKS["archaeology agreed"])
    commands = PAGE.split("```sh\nSEED=")[1].split("```")[0]
    assert commands.startswith(agreed["host seed"])
    assert f"printf '%s' '{agreed['contributions']}'" in commands
    assert f"hexkey:{agreed['key']}\n" in commands


def test_the_word_that_is_passed_over_is_passed_over() -> None:
    key = bytes.fromhex(values(BLOCKS["archaeology agreed"])["key"])
    (number,) = (int(found) for found in re.findall(r"block\n?\s*(\d{5,}) of a stream", PAGE))
    chance = Chance(key)
    chance.used["example"] = number
    assert chance.block("example", number).hex() == BLOCKS["archaeology passed-over"].strip()
    drawn = chance.draw("example", 59)
    assert chance.passed_over == 1
    assert f"mod 59 = {drawn}." in PAGE
    assert draw(key, {"example": number}, "example", 59) == drawn


# -- the tables


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_card_list_and_its_digest_are_the_engines(game: AnyGame) -> None:
    assert BLOCKS[f"{game.key}-card-list"] == card_list_of(game) + "\n"
    assert digest(game.key) == game.cards_digest
    assert f"`{game.cards_digest}`" in PAGE


@pytest.mark.parametrize("key", BESIDE)
def test_the_appendix_is_the_card_list_of_the_engine_and_has_its_digest(key: str) -> None:
    assert list_file(BESIDE[key]).read_text(encoding="utf-8") == appendix(key)
    assert digest(key) == ALL[key].cards_digest
    assert f"cards/{key}.json" in PAGE


def without_nulls(value: Any, add: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """JSON data whose objects lack what is null, and have what is added to them."""
    if isinstance(value, list):
        return [without_nulls(part, add) for part in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    members = cast("dict[str, Any]", value)
    made = {name: without_nulls(part, add) for name, part in members.items() if part is not None}
    return made | add(made)


def test_the_appendix_of_artifacts_inc_is_a_card_list_that_the_engine_plays_by() -> None:
    """But for what the page leaves out: names, and how numbers are known."""

    def left_out(made: dict[str, Any]) -> dict[str, Any]:
        known = {"requires", "reputation", "number", "key"} & made.keys()
        return ({"provenance": "house"} if known else {}) | ({"name": made["key"]} if "key" in made else {})

    played = create(without_nulls(APART["artifacts-inc"].card_list(), left_out))
    assert played.cards_digest == ARTIFACTS_INC.cards_digest


def test_the_appendix_of_artifact_has_scenarios_that_the_engine_plays_by() -> None:
    """But for what the page leaves out: titles, stories, and how numbers are known."""

    def left_out(made: dict[str, Any]) -> dict[str, Any]:
        if "parts" in made:
            moments = ("title", "prize", "departure", "discovery", "homecoming")
            return dict.fromkeys(moments, "Told.") | {"provenance": "house"}
        if "encounters" in made or "roll" in made:
            return {"title": "Title"} | ({"story": "Told."} if "roll" in made else {})
        return {}

    listed = without_nulls(APART["artifact"].card_list(), left_out)["scenarios"]
    played = create_artifact({f"{scenario['key']}.json": scenario for scenario in listed})
    assert played.cards_digest == ARTIFACT.cards_digest


def section(heading: str) -> str:
    """The page's section under this heading."""
    begins = PAGE.index(f"## {heading}\n")
    return PAGE[begins : PAGE.index("\n## ", begins)]


SECTIONS = {key: section(SCREENS[key].title()) for key in APART}
"""The sections of the games that the second verifier has in modules of their own, under the games' titles."""


@pytest.mark.parametrize("key", BESIDE)
def test_every_word_of_the_appendix_is_explained_on_the_page(key: str) -> None:
    listed = APART[key].card_list()

    def words(value: Any, name: str = "") -> Iterator[str]:
        match value:
            case dict():
                for key, part in cast("dict[str, Any]", value).items():
                    yield key
                    yield from words(part, key)
            case list():
                for part in cast("list[Any]", value):
                    yield from words(part, name)
            case str() if name in ("do", "artifact", "find", "abilities", "ability", "penalty"):
                yield value
            case _:
                pass

    said = set(re.findall(r"[a-z_]+", SECTIONS[key]))
    assert set(words(listed)) - set("ABCDE") - said == set()


def test_the_numbers_of_artifacts_inc_on_the_page_are_the_engines() -> None:
    text = unwrapped()
    assert artifacts_state.OFFERED == (4, 4, 4, 1, 1)
    assert "at once four each from A, B and C, and one each from D and E" in text
    assert artifacts_rules.DOLLARS == (2, 3, 3, 4)
    assert "The first seat has 2 dollars, the next two 3 each, the last of four 4." in text
    assert (artifacts_state.GOAL, artifacts_state.ROUNDS, MOST_DICE) == (20, 60, 7)
    assert "20 or more, or it was the 60th round" in text
    assert "7 at most" in text


def test_the_numbers_of_artifact_on_the_page_are_the_engines() -> None:
    text = re.sub(r"\s+", " ", SECTIONS["artifact"])
    abilities = ", ".join(f"`{ability}`" for ability in artifact_party.ABILITIES)
    assert f"nine **abilities**, in this order: {abilities}." in text
    equipment = [
        f"`{aid.key}` for {artifact_party.ABILITIES[aid.ability]}" for aid in artifact_party.EQUIPMENT
    ]
    assert f"worth {artifact_party.WORTH} (R41): {', '.join(equipment)}." in text
    assert (artifact_party.ROLLS, artifact_party.CHOICE, artifact_party.SIZES) == (16, 10, (5, 3, 3, 3, 1, 1))
    assert "draw 16 numbers below 10 at once" in text
    assert (artifact_state.HOME, artifact_state.END, SECOND) == (1, 30, 16)
    assert "the squares 2 to 15, the second for 16 to 29" in text
    assert "not beyond square 2 or 29" in text
    assert artifact_moves.MOST_AIDS == 999
    assert "0 to 999 of them" in text


def test_the_dice_of_the_example_are_those_of_its_key() -> None:
    key = bytes.fromhex(
        dict(re.findall(r"^(\w[\w ]*?)  +(\S.*)$", BLOCKS["archaeology agreed"], re.M))["key"]
    )
    assert draws(key, {}, "first", 6, 2) == [0, 2]
    assert "= 1 and 1 + (1211605310 mod 6) = 3." in unwrapped()


def rows(first: str) -> Iterator[list[str]]:
    """The rows of the table whose heading begins with this cell."""
    lines = iter(PAGE.splitlines())
    next(line for line in lines if line.startswith(f"| {first} |"))
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split(" | ")]


def test_the_numbers_for_readers_are_those_of_the_tables() -> None:
    lines = PAGE[PAGE.index("| | key | name |") :].splitlines()[2:11]
    listed = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert [row[1].strip("`") for row in listed] == list(TREASURES)
    for game, column in (("archaeology", 3), ("expedition", 4)):
        for row, treasure in zip(listed, LISTS[game].treasures, strict=False):
            copies = str(treasure.copies)
            if treasure.from_seats == 4:
                copies += ", with 4 or 5 players only"
            elif treasure.from_seats == 5:
                copies += ", with 5 players only"
            assert row[column] == copies
            assert row[5] == str(treasure.trade)
            assert row[6] == ", ".join(map(str, treasure.sales))
    assert [row[3] for row in listed[7:]] == ["–", "–"]


def test_the_hazards_for_readers_are_those_of_the_tables() -> None:
    for game, name in (("archaeology", "Archaeology"), ("expedition", "The New Expedition")):
        (line,) = re.findall(rf"^\| {name}: Thieves, Sandstorms \|(.*)\|$", PAGE, re.M)
        card_list = LISTS[game]
        assert [cell.strip() for cell in line.split("|") if cell.strip()] == [
            f"{card_list.thieves.by_seats[n]}, {card_list.sandstorms.by_seats[n]}"
            for n in card_list.thieves.by_seats
        ]


def test_the_chambers_are_the_engines() -> None:
    listed = {row[0].strip("`"): row[1:] for row in rows("game, monument")}
    for monument in MONUMENT_TYPES:
        cards, maps = listed[monument.key]
        assert cards.removesuffix(", and a pile of 12") == ", ".join(map(str, monument.sizes))
        assert maps == ", ".join(map(str, monument.costs))
    assert "counts through this list from 0: " + ", ".join(f"`{key}`" for key in MONUMENTS) in unwrapped()
    assert (DEAL, MARKET, CHAMBERED) == (4, 5, 15)


def unwrapped() -> str:
    return re.sub(r"\s+", " ", PAGE)


def test_the_limits_and_versions_are_the_engines() -> None:
    assert {game.version for game in ALL.values()} == {1}
    assert (FORM, SCHEME, SCHEMES) == (1, 2, (2, 3, 4))
    assert f"no larger than {LARGEST // 2**20} MiB" in unwrapped()
    assert f"at most {LONGEST:,}" in unwrapped()
    for key in SEATS:
        game = ALL[key]
        names = "|".join(map(re.escape, SCREENS[key].title().split(": ")))
        assert re.search(rf"(?:{names})(?: has)? {game.min_seats} to {game.max_seats}", unwrapped())


def test_the_moves_are_those_that_the_games_have() -> None:
    family, _other = PAGE.split("## Artifacts, Inc.\n")
    listed = re.findall(r"^\| `(\{.*?\})` \|", family, re.M)
    named = {re.findall(r'"kind": "(\w+)"', move)[0]: set(re.findall(r'"(\w+)":', move)) for move in listed}
    assert len(named) == len(listed)
    shared, _own = family.split("The New Expedition has these as well:")
    for key, text in (("archaeology", shared), ("expedition", family)):
        known, _inner = parts_of_moves(key)
        assert known == {kind: parts for kind, parts in named.items() if f'`{{"kind": "{kind}"' in text}


@pytest.mark.parametrize("key", APART)
def test_the_moves_on_the_page_are_those_that_the_game_has(key: str) -> None:
    listed = re.findall(r"^\| `(\{.*?\})` \|", SECTIONS[key], re.M)
    parts = {re.findall(r'"kind": "(\w+)"', move)[0]: set(re.findall(r'"(\w+)":', move)) for move in listed}
    known, inner = parts_of_moves(key)
    assert {kind: names - (inner - known.get(kind, set())) for kind, names in parts.items()} == known


def parts_of_moves(key: str) -> tuple[dict[str, set[str]], set[str]]:
    """The names of the parts of each kind of a game's moves, and those of the objects within these parts."""
    schema = ALL[key].move_forms.forms.json_schema()
    if "discriminator" not in schema:  # a game with one kind of move
        return {schema["properties"]["kind"]["const"]: set(schema["properties"])}, set()
    mapping = {kind: to.split("/")[-1] for kind, to in schema["discriminator"]["mapping"].items()}
    names = {name: set(form["properties"]) for name, form in schema["$defs"].items()}
    inner = {part for name, parts in names.items() if name not in mapping.values() for part in parts}
    return {kind: names[name] for kind, name in mapping.items()}, inner


def test_what_is_not_visible_is_written_out_as_the_page_says() -> None:
    assert visible("\x1b\u200d") == r"\x1b\u200d"
    assert r"`\x1b` or `\u200d`" in unwrapped()
