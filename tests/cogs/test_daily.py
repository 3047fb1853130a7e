"""`/daily`: one sealed deal a day for everybody, played alone, compared when the day is over."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.__main__ import main
from bot.art.results import Flag, course_picture
from bot.people.daily.screens import DayBoard, Month, month_board, podium_of
from bot.store.model import AttemptRow, Change, MonthRow
from bot.tables.daily import day_of, first_of, month_of
from bot.tables.seat import Seat
from bot.tables.thinking import MasterPlay, Thinkers
from bot.ui.screens import review
from bot.ui.screens.appraisals import Point, Reviewed, Swing, facts
from bot.ui.screens.components import SUCCESS, texts
from bot.ui.screens.ended import gap_lines, next_line, pace_lines, race
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.ids import Id
from bot.ui.screens.names import Names
from engine.agents.advice import Appraisal, Reason
from engine.agents.search import Outlook
from engine.fairness import commitment
from engine.game import AnyGame, Event, Outcome
from engine.registry import load_games
from tests.bot.store.samples import a_table
from tests.cogs import some_game
from tests.cogs.in_memory import SCREENS
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.private_matches import board_of_a_private_match as board_of_a_private_match
from tests.cogs.private_matches import near_the_end, to_the_end
from tests.cogs.table_driver import Person, Room, until

HOUR = 3600.0
DAY = 24 * HOUR


async def daily(person: Person) -> Page:
    return await person.command("/daily")


async def played(person: Person, luck: int = 1, *, whole: bool = False) -> Page:
    """A match of today's deal, played to its end; returns the last screen.

    Unless the match is to be played as a `whole`, it jumps to its last turns.
    """
    page, rng = await person.press(await daily(person), "Start"), Random(luck)
    if not whole:
        table, _score = await attempt(person)
        await near_the_end(person, await person.room.table(table), rng)
        page = await person.press(await daily(person), "Go On")
    return await to_the_end(person, page, rng)


async def attempt(person: Person, days_ago: int = 0) -> tuple[int, int | None]:
    """The table and the score of a person's attempt."""
    host = person.room.host
    row = await host.store.daily.attempt_of(person.id, day_of(host.tables.utc) - days_ago)
    assert row is not None
    return row.table_id, row.score


def sealed(page: Page, what: str) -> str:
    """A seal on the screen, after these words."""
    return page.text.partition(f"{what} `")[2].partition("`")[0]


async def test_three_people_play_three_days(room: Room) -> None:
    ana, ben, cleo = room.person("Ana"), room.person("Ben"), room.person("Cleo")
    first = await daily(ana)
    title = room.host.screens[room.game].title()
    assert first.text.startswith(f"### The Daily Dig · {title}\n")
    assert first.text.count("#") == 6, "one heading, and three lines of small print"
    assert [*first.buttons] == ["Start", "Learn", "Month", "Fairness"], "yesterday had no deal"
    seals = await ana.press(first, "Fairness")
    seal_of_second = sealed(seals, "Tomorrow's seal")
    assert len(seal_of_second) == 64
    scores: list[dict[int, int]] = []
    for number in range(3):
        for luck, person in enumerate((ana, ben, cleo)):
            if (number, person) == (1, cleo):
                continue
            last = await played(person, luck)
            assert message_faults(last.kept.components) == []
        scores.append({})
        for person in (ana, ben) if number == 1 else (ana, ben, cleo):
            _table, score = await attempt(person)
            assert score is not None
            scores[-1][person.id] = score
        page = await daily(ana)
        assert f"**${scores[-1][ana.id]}**" in page.text
        made = scores[-1].values()
        place = 1 + sum(score > scores[-1][ana.id] for score in made)
        spread = f"with scores from ${min(made)} to ${max(made)}"
        assert f"Place **{place}** of {len(made)} on this server so far, {spread}\n" in page.text
        assert f"🔥\xa0Streak:\xa0{number + 1}\xa0day" in page.text
        if number == 1:
            assert sealed(await ana.press(page, "Fairness"), "Today's seal") == seal_of_second
        await room.later(DAY)
    board = await ana.press(await daily(ana), "Yesterday")
    assert all(f"<@{person.id}> · **${scores[2][person.id]}**" in board.text for person in (ana, ben, cleo))
    second = await ana.press(board, "Earlier")
    assert commitment(bytes.fromhex(sealed(second, "**Seed**:"))) == seal_of_second
    assert f"<@{cleo.id}>" not in second.text
    assert "before the day began" in second.text
    month = await ana.press(second, "Month")
    for person, days in ((ana, 3), (ben, 3), (cleo, 2)):
        points = sum(each.get(person.id, 0) for each in scores)
        assert f"<@{person.id}> **{points}** · {days} days" in month.text
    assert room.pages() == []


async def test_everybody_has_the_same_deal_and_sees_the_plays_after_the_day(
    room: Room, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ana, ben, eve = room.person("Ana"), room.person("Benedict"), room.person("Eve")
    await played(ana, 3, whole=True)
    last = await played(ben, 3, whole=True)
    tables = [(await attempt(person))[0] for person in (ana, ben)]
    logs = [[(row.sequence, row.event) for row in await room.host.store.log(table)] for table in tables]
    assert logs[0] == logs[1], "the agents answer alike"
    for table in tables:
        seats = (await room.host.tables.get(table)).seats
        assert [seat.agent for seat in seats] == [None, "veteran", "veteran"]
    await room.later(DAY)
    board = await ben.press(await daily(ben), "Yesterday")
    assert f"You traded, explored and sold the same as <@{ana.id}>." in board.text
    assert "-# Equal scores share a place.\n" in board.text
    assert message_faults(board.kept.components) == []
    assert "### The match" in (await eve.press_stale(last, "log", tables[0])).text
    fairness = await eve.press_stale(last, "fairness", tables[0])
    assert "showed its fingerprint, the seal" in fairness.text
    [(name, record)] = fairness.files.items()
    file = tmp_path / name
    file.write_bytes(record)
    assert main(["verify", str(file)]) == 0
    output = capsys.readouterr().out
    assert "Daily deal of: 2026-01-01" in output.replace("  ", " ")
    assert sealed(board, "Its SHA-256 is the seal") in output


async def test_a_second_try_is_not_to_be_had(room: Room) -> None:
    ana = room.person("Ana")
    page = await daily(ana)
    lesson = await ana.press(page, "Learn")
    await ana.press(await ana.press(lesson, "End the Lesson"), "End the Lesson")
    twice = [ana.pressing(page, "Start") for _ in range(2)]
    await room.deliver(*twice)
    assert len(await room.host.store.live_tables()) == 1
    table, _score = await attempt(ana)
    again = await ana.press(await daily(ana), "Go On")
    assert f"**The Daily Dig · {room.host.screens[room.game].title()}**\n" in again.text
    ask = await ana.press(again, "End the Match")
    assert "your only try at today's deal" in ask.text
    await ana.press(ask, "End the Match")
    page = await daily(ana)
    assert "ended unfinished, so it has no score.\n📅 The next deal, " in page.text
    assert "Start" not in page.buttons
    press = ana.forging(page, str(Id("daily-play")))
    await room.deliver(press)
    assert "ended the match" in press.answer.text
    assert (await attempt(ana)) == (table, None)
    assert await room.host.store.live_tables() == []


async def test_restart_in_the_middle_goes_on_with_the_same_match(room: Room) -> None:
    ana = room.person("Ana")
    page = await ana.press(await daily(ana), "Start")
    press = ana.forging(page, str(Id("daily-share", arg=str(day_of(room.host.tables.utc)))))
    await room.deliver(press)
    assert "no result of that day" in press.answer.text
    page = await some_game.act(ana, page, Random(2))
    table, _score = await attempt(ana)
    await room.restart(crash=True)
    await near_the_end(ana, await room.table(table), Random(2))
    again = await ana.press(await daily(ana), "Go On")
    last = await to_the_end(ana, again)
    assert "🏆" in last.text
    found, score = await attempt(ana)
    assert found == table
    assert score is not None
    assert f"**${score}**\n" in (await ana.press(last, "The Daily Dig")).text


@pytest.mark.parametrize("intent", ["hand", "log", "replay", "fairness", "s.sold", "?", "daily", "open-own"])
async def test_before_the_end_of_the_day_nobody_learns_anything_of_anothers_match(
    room: Room, intent: str
) -> None:
    ana, eve = room.person("Ana"), room.person("Eve")
    last = await played(ana)
    table, score = await attempt(ana)
    seen = await eve.press_stale(last, intent, table)
    assert seen.text == "This is someone else's private match, and only they can see it."
    for text in ((await daily(eve)).text, (await eve.command("/games mine")).text):
        assert f"**${score}**" not in text
        assert f"<@{ana.id}>" not in text
    press = eve.forging(last, str(Id("daily-board", arg=str(day_of(room.host.tables.utc)))))
    await room.deliver(press)
    assert f"<@{ana.id}>" not in press.answer.text
    seed = (await room.host.store.daily.deal(day_of(room.host.tables.utc))).seed  # type: ignore[union-attr]
    assert seed not in press.answer.text


async def test_not_even_ones_own_match_gives_the_deal_away_before_the_end_of_the_day(room: Room) -> None:
    ana = room.person("Ana")
    last = await played(ana)
    table, _score = await attempt(ana)
    assert "stays sealed until its day is over" in (await ana.press_stale(last, "replay", table)).text
    log = await ana.press(last, "Log")
    assert "### The match" in log.text
    fairness, seal = await ana.press(log, "Fairness"), await ana.press(await daily(ana), "Fairness")
    assert sealed(seal, "Today's seal") in fairness.text
    assert (await room.table(table)).body.host_seed not in fairness.text
    assert not fairness.files


async def test_match_that_is_not_finished_in_its_day_is_unfinished_and_over(room: Room) -> None:
    ana = room.person("Ana")
    page = await ana.press(await daily(ana), "Start")
    table, _score = await attempt(ana)
    await room.later(DAY)
    assert (await room.table(table)).status == "abandoned"
    assert "Start" in (await daily(ana)).buttons
    board = await ana.press(await daily(ana), "Yesterday")
    assert f"<@{ana.id}> · unfinished" in board.text
    assert "### The match" in (await ana.press(page, "Log")).text


async def test_people_who_hide_their_results_and_servers_without_results_are_on_no_board(room: Room) -> None:
    ana, ben, cleo = room.person("Ana"), room.person("Ben"), room.person("Cleo")
    for person in (ana, ben, cleo):
        await played(person)
    assert "of 3 on this server so far" in (await daily(ben)).text
    await room.host.store.results.switch("person", ana.id, on=False)
    assert "on this server" not in (await daily(ana)).text
    assert "of 2 on this server so far" in (await daily(ben)).text
    await room.later(DAY)
    assert f"<@{ana.id}>" not in (await ben.press(await daily(ben), "Yesterday")).text
    await room.host.store.results.switch("guild", room.guild.id, on=False)
    assert "stores no results" in (await ben.press(await daily(ben), "Yesterday")).text


async def test_forged_days_and_months_are_answered(room: Room) -> None:
    ana = room.person("Ana")
    page = await daily(ana)
    for arg in ("0", "9" * 18, "x", "-1", "24312", "1"):
        for intent in ("daily-board", "daily-month"):
            press = ana.forging(page, str(Id(intent, arg=arg)))
            await room.deliver(press)
            assert press.answer.text


async def test_a_shared_result_gives_nothing_of_the_deal_away_and_leads_to_it(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    last = await played(ana, 3, whole=True)
    table, score = await attempt(ana)
    assert "✋" not in last.text, "no heading stands over nothing"
    assert "\nThe first score of today on this server\n" in last.text
    before = await ana.press(last, "Share")
    seen, buttons = before.text, before.buttons.keys()
    assert before.ephemeral
    await room.deliver(*[ana.pressing(before, "Post") for _press in range(2)])
    await room.deliver(again := ana.pressing(last, "Share"))
    assert "posted once only" in again.answer.text
    [post] = [page for page in room.pages() if "The Daily Dig" in page.text and not page.ephemeral]
    assert "-# Sold each turn: 🌟 $20+ · " in seen == post.text, "it was to be seen before it was posted"
    assert buttons == {"Post"}
    assert f"<@{ana.id}> · ${score}\n" in post.text
    assert not before.exists, "the preview has gone"
    match = await room.table(table)
    outcome = match.game.outcome(match.state)
    assert outcome is not None
    assert post.text.startswith("### 🏆") == (outcome.scores[0] == max(outcome.scores))
    others = " and ".join(f"${each}" for each in sorted(outcome.scores[1:], reverse=True))
    assert f"The two Veterans: {others}\n🔥" in post.text
    rows = [line for line in post.text.splitlines() if set(line) <= set("🌟🔷🔹⚪")]
    assert 0 <= len(rows[-1]) - len(rows[0]) <= 1, "rows are as long as each other"
    sold = [each for each in await room.host.store.log(table) if '"sold"' in each.event and each.mover == 0]
    assert bool("".join(rows).strip("⚪")) == bool(sold)
    seed = (await room.host.store.daily.deal(day_of(room.host.tables.utc))).seed  # type: ignore[union-attr]
    assert seed not in post.text
    asked = await ben.press(post, "The Daily Dig")
    assert f"🎯 **${score}** by <@{ana.id}> to beat" in asked.text
    assert f"\n-# 🎯 ${score} to beat\n" in (await ben.press(asked, "Start")).text
    assert "The next deal, " in (await ana.press(post, "The Daily Dig")).text
    assert post.text in [page.text for page in room.pages()], "the message that all see stays as it is"
    await room.later(DAY)
    assert "to beat" not in (await ben.press(post, "The Daily Dig")).text, "that score is of another deal"


async def test_what_a_master_makes_of_the_deal_stands_beside_the_veterans_once_somebody_has_finished(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def at_once(_self: Thinkers, game: AnyGame, level: str, view: Any, seed: bytes) -> Any:
        asked.append(level)
        return game.agents["novice"].choose(view, Random(seed))

    monkeypatch.setattr(Thinkers, "in_processes", True)
    monkeypatch.setattr(Thinkers, "choose_later", at_once)
    ana, ben = room.person("Ana"), room.person("Ben")
    assert "A Master plays the same deal in your seat" in (await daily(ana)).text
    last = await played(ana, whole=True)
    await until(lambda: "a Master" in last.text.splitlines()[1], seconds=30)
    line = last.text.splitlines()[1].removeprefix("## 📅 ")
    assert f"**{line}**" in (await daily(ana)).text.splitlines(), "it has come without a press"
    assert {*asked} == {"master", "veteran"}
    moves = len(asked)
    assert "a Master" not in (await daily(ben)).text, "it might give the deal away"
    assert 1 <= last.text.count(", a Master $") <= 3, "one's pace stands beside the Master's"
    assert line in (await ana.press(last, "Share")).text.partition("\n")[0]
    await room.later(DAY)
    assert "A Master in your seat: $" in (await ben.press(await daily(ben), "Yesterday")).text
    assert "You part ways on turn " in (await ana.press(await daily(ana), "Yesterday")).text
    assert len(asked) == moves, "it is played once"


async def test_a_place_among_all_people_is_a_share_once_there_are_enough(room: Room) -> None:
    ana, store = room.person("Ana"), room.host.store
    await played(ana)
    _table, score = await attempt(ana)
    assert score is not None
    assert "all servers" not in (await daily(ana)).text
    day = day_of(room.host.tables.utc)
    for user, points in enumerate((score - 1, score - 2, score + 1, score)):
        row = await store.create(Change(a_table(0), attempt=(user + 1, day, 77)))
        row.status, row.ended_at = "over", room.clock.now()
        await store.commit(Change(row, score=points))
    assert "more than **40 %** of the 5 people" in (await daily(ana)).text


async def test_the_last_screen_says_how_one_has_done_and_offers_to_share_it(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    await played(ana)
    last = await played(ben, 2)
    parts = ("📅 $", "🏆", "Place **", "Streak", "The next deal, Archaeology", "your film open then.", "🥇")
    shown = [last.text.index(text) for text in parts]
    assert shown == sorted(shown), (
        "the score and who has won, how good it is, when the next one is, and then the match"
    )
    assert "“" not in last.text, "nobody asks for another match of it"
    assert "💎" not in last.text, "it is short, for the score to be in sight"
    to_it = await daily(ben)
    assert [*to_it.buttons] == ["Share", "My Match", "Review", "Month", "Fairness"]
    assert (await ben.press(to_it, "My Match")).text == last.text
    assert [*last.buttons][:2] == ["Share", "The Daily Dig"]
    assert [part["label"] for part in last.components if part.get("style") == SUCCESS] == ["Share"]


@pytest.mark.parametrize(
    ("locale", "weeks"),
    [
        ("en-GB", "       Mo  Tu  We  Th  Fr  Sa  Su\n  1–4{:16}   ×   ·   ·\n    5   ·"),
        ("en-US", "       Su  Mo  Tu  We  Th  Fr  Sa\n  1–3{:20}   ×   ·\n  4–5   ·   ·"),
    ],
)
async def test_a_month_has_a_calendar_of_ones_own_days_in_weeks_of_ones_country(
    room: Room, locale: str, weeks: str
) -> None:
    ana = room.person("Ana")
    room.locales[ana.id] = locale
    await played(ana)
    await room.later(DAY)
    await ana.press(await daily(ana), "Start")
    await room.later(3 * DAY)
    month = await ana.press(await daily(ana), "Month")
    assert "Earlier" not in month.buttons, "there was no deal before"
    assert "January 3" in (await ana.press(await daily(ana), "Earlier")).text, "the newest day with a deal"
    assert f"**Your days**\n```\n{weeks.format((await attempt(ana, 4))[1])}\n```" in month.text
    profile = (await ana.command("/profile")).text
    assert "📅 **The Daily Dig** · 1 deal" in profile
    assert "Veteran" not in profile


def test_somebody_passes_a_master_or_is_passed_by_one() -> None:
    screens, sold = SCREENS["archaeology"], [(0, 0), (10, 25), (30, 25), (30, 30), (40, 30)]
    yours = "**You take the lead over a Master in your seat: $30 to $25**"
    its = "**A Master in your seat takes the lead: $25 to $10**"
    now = [pace_lines([*sold[: turn + 1], sold[turn]], sold[: max(1, turn)], screens) for turn in range(4)]
    assert now == [[], [its], [yours], ["-# After turn 3: you $30 · a Master $30"]]
    again = pace_lines([*sold[:3], (41, 25)], sold[:3], screens)
    assert again == ["-# After turn 2: you $30, now $41 · a Master $25"], "it is news once"
    sold = [*[(0, 0)] * 6, (15, 15), (33, 15), (55, 15), (55, 45), (55, 55), (55, 55), (55, 85), (71, 100)]
    assert gap_lines(sold, screens) == [
        "-# **Turns 7–8** · You sold $40, a Master $0: $55 to $15",
        "-# **Turns 9–10** · You sold $0, a Master $40: $55 to $55",
        "-# **Turn 12** · You sold $0, a Master $30: $55 to $85 · the last change of the lead",
    ]
    lost = gap_lines([(0, 0), (30, 0), (30, 20), (55, 20), (55, 40), (55, 65)], screens)
    assert [line[5:11] for line in lost] == ["Turn 2", "Turn 4", "The en"], "first what was lost"
    assert "$62 · the last change" in gap_lines([(0, 0), (30, 0), (30, 60), (61, 60), (61, 62)], screens)[-1]
    assert gap_lines([(0, 0), (30, 0), (30, 0), (60, 58), (60, 60)], screens)[-1].endswith(": $60 to $60")
    points = [(0, 0), (1, 0.5), (2, 1)]
    disc = course_picture(points, {}, [Flag(1, 1, 1, True)], "-", points).layers[-2]
    assert (disc.x + 17, disc.y + 17) == (396, 142), "on the course of the race"
    assert gap_lines([(0, 0), (5, 5)], screens) == gap_lines([(0, 0)], screens) == []
    assert next_line(AttemptRow(1, 1, 7, 1, 9), 0, None) == "📅 All scores and matches open <t:172800:R>."
    slip = Appraisal(None, Reason("due"), 6.0, 0.0, 1.0, Outlook(2.0, 10.0, 44.0), Outlook(8.0, 14.0, 50.0))
    assert facts(screens, slip, short=True, daily=True).startswith("about $44 instead of $50 · ")
    assert "to beat the Veterans" in facts(screens, slip, daily=True)
    good = Appraisal(None, Reason("due"), 0.0, 7.0, 1.0, Outlook(8.0, 39.6, 81.0), Outlook(1.0, 39.7, 77.0))
    for found in (good, good._replace(cost=-7.0, lead=0.0)):
        assert facts(screens, found, daily=True) == "about $4 better · 99% to win either way"
    assert review._is_good(Reviewed(1, 1, None, None, good)), "it is praised, with a smaller chance"
    great = good._replace(made=Outlook(8.0, 39.6, 73.2), other=Outlook(1.0, 34.8, 72.9))
    assert facts(screens, great, short=True, daily=True) == "99% instead of 87%"


def test_what_is_sold_in_the_present_turn_counts_in_a_race() -> None:
    sold, screens = [SeenEvent("sold", 0, {"price": 5}), SeenEvent("ended", 0, {})], SCREENS["archaeology"]
    assert screens.pace([*sold, sold[0]], 0) == [5, 10]
    shown: Any = SimpleNamespace(pace=lambda events, _seat: [5, 9] if events else [5, 12])
    assert race(MasterPlay(9, [Event("over", None, {})]), [], shown, None) == [(0, 0), (5, 5), (12, 5)]
    assert race(MasterPlay(9, [Event("over", None, {})]), [], shown, 12) == [(0, 0), (5, 5), (12, 9)]


def test_a_month_begins_with_ones_first_deal() -> None:
    first = first_of(month_of(20_000))
    shown = Month(month_of(20_000), first + 9, [], [AttemptRow(1, first + 8, 7, 3, 50)])
    calendar = [*texts(month_board(shown, 1).items)][1]
    assert calendar.count("·") == 2, "the day that is not played, and its sign"
    people = [MonthRow(user, 1, points) for user, points in ((7, 60), (8, 50), (9, 50), (10, 1))]
    board = "\n".join(texts(month_board(replace(shown, board=people), 1).items))
    assert all(text in board for text in ("🥈 <@9>", "4. <@10>", "Equal scores share a place."))


def test_losses_in_a_sandstorm_are_told_with_it() -> None:
    game, screens, rng = load_games()["archaeology"], SCREENS["archaeology"], Random(1)
    state, seen = game.new(3, game.load_options({}), bytes(32)), list[SeenEvent]()
    while [*map(attrgetter("kind"), seen)].count("lost") < 2:
        decision = game.pending(state)[0]
        events = game.apply(state, decision.seat, game.sample(state, decision.seat, rng))
        begins = any(event.kind == "sandstorm" for event in events)
        seen = [*([] if begins else seen), *(SeenEvent(*event[:3]) for event in events)]
    table: Any = SimpleNamespace(seats=[Seat(name) for name in "ABC"], game=game, state=state)
    swing = Swing(Point(1, 1, 0.3), Point(9, 2, 0.7), None, [seen])
    assert "Sandstorm" in review._story(table, screens, swing, 0)
    sales = [SeenEvent("sold", 1, {"treasure": kind, "count": 2, "price": 15}) for kind in range(4)]
    table.game = SimpleNamespace(
        scored=True, outcome=lambda _state: Outcome((3, 1, 2), (4, 60, 9), ""), view=game.view
    )
    over = SeenEvent("over", None, {"winners": (1,)})
    end = Swing(Point(1, 1, 0.7), Point(9, 2, 0.0), None, [[*sales, over]])
    assert "sells" in review._story(table, screens, end, 0, review.BRIEF)


def test_a_day_has_a_podium_of_those_who_finished_its_deal() -> None:
    screens = SCREENS["archaeology"]
    board = [AttemptRow(n, 1, 7, n, score) for n, score in enumerate((70, 55, 40, 12, None))]
    assert (picture := podium_of(DayBoard(1, 2, None, board), screens)) is not None
    assert picture.alt.endswith(f"{screens.title()}: place 1 with 70, place 2 with 55 and place 3 with 40.")
    assert podium_of(DayBoard(1, 2, None, board[4:]), screens) is None
    outcome = Outcome((3, 1, 2, 4), (71, 75, 71, 0), "money", (22, 15, 13, 0))
    [line] = screens.ties(outcome, Names([Seat(name) for name in "ABCD"]))
    assert line == "Tied on money; whoever sold fewer cards is ahead: **A** 22 · **C** 13"
    tied = [AttemptRow(n, 1, 7, n, score) for n, score in enumerate((70, 55, 55))]
    assert (picture := podium_of(DayBoard(1, 2, None, tied), screens)) is not None
    assert picture.alt.endswith("place 1 with 70, place 2 with 55 and place 2 with 55.")
