"""A sitting in the playground: pages follow, presses are never lost, and the next sitting goes on."""

from __future__ import annotations

import asyncio
import logging
import socket
import stat
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import aiohttp
import pytest

from bot.clock import SystemClock
from bot.playground.server import RENEWAL, SHOWN
from bot.playground.session import run_jobs
from bot.playground.world import PEOPLE, SPEAKERS, World
from bot.store.model import StoreLost
from tests.bot.playground.browser import running_playground, until
from tests.bot.playground.toy import ToyClient
from tests.bot.playground.visits import Sitting, Visit, sitting

pytestmark = pytest.mark.system

TOY = [sys.executable, "-m", "tests.bot.playground.toy"]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "toy.sqlite"


async def opened(playground: Sitting, *, robots: int = 0) -> tuple[Visit, Visit]:
    """Ana and Ben at a toy table that Ana has opened."""
    ana, ben = await playground.visit("Ana"), await playground.visit("Ben")
    await ana.command(robots=robots)
    await ben.sees("Toy table, 0 moves")
    return ana, ben


async def test_lost_store_ends_the_session() -> None:
    class Host:
        async def start_due(self) -> float | None:
            raise StoreLost("the file is gone")

        async def repost_all(self) -> None:
            raise AssertionError

    quiet = cast("World", SimpleNamespace(events=0))
    with pytest.raises(StoreLost):
        await run_jobs(Host(), SystemClock(), quiet)


async def test_one_page_follows_another_person_by_itself(database: Path) -> None:
    async with sitting(database) as playground:
        ana, ben = await opened(playground)
        await ana.press("Dig")
        await ben.sees("Ana: Dig", patience=5)


async def test_two_presses_are_under_way_at_once(database: Path) -> None:
    async with sitting(database) as playground:
        ana, ben = await opened(playground)
        await playground.client.host.lock.acquire()  # the bot is busy, and answers nothing
        pressed = [asyncio.create_task(each.press("Hand")) for each in (ana, ben)]
        await asyncio.sleep(0)
        await ana.say("Are you there?")
        assert not any(each.done() for each in pressed)
        playground.client.host.lock.release()
        await asyncio.gather(*pressed)
        for each in (ana, ben):
            await each.sees("Your hand after 0 moves")


async def test_a_page_is_sent_only_the_messages_that_have_changed(database: Path) -> None:
    async with sitting(database) as playground:
        ana, ben = await opened(playground)
        for _ in range(3):
            await ben.press("Hand")
        board, dig = ben.control("label", "Dig")
        ana.sent.clear()
        await ben.act("press", message=board, custom_id=dig["custom_id"])
        await ana.sees("Toy table, 1 moves")
        assert {*ana.sent} == {board}


async def test_a_page_of_a_long_day_shows_the_newest_messages_and_earlier_ones_if_asked(
    database: Path,
) -> None:
    async with sitting(database) as playground:
        ana = await playground.visit("Ana")
        for number in range(2 * SHOWN):
            await ana.say(f"Message {number}")
        ben = await playground.visit("Ben")
        shown = [f"Message {number}" for number in range(2 * SHOWN)]
        assert ben.texts() == shown[SHOWN:]
        await ben.act("earlier")
        assert ben.texts() == shown
        await ana.say("One more")
        await ben.sees("One more")
        assert len(ben.messages) == 2 * SHOWN


async def test_calls_and_unread_messages_are_marked_until_their_place_is_opened(database: Path) -> None:
    async with sitting(database) as playground:
        ana, ben = await playground.visit("Ana"), await playground.visit("Ben")
        games, museum, *_ = [each["id"] for each in ana.places if each["kind"] == "channel"]
        await ben.act("open", place=museum)
        await ana.say("Anybody there?")

        async def marks() -> tuple[bool, int]:
            place = next(each for each in ben.places if each["id"] == games)
            return place["unread"], place["calls"]

        async def marked(unread: bool, calls: int) -> bool:
            return await marks() == (unread, calls)

        await until(lambda: marked(True, 0), "the mark of an unread message")
        await ana.say(f"<@{ben.hello['me']}>, join us")
        await until(lambda: marked(True, 1), "the mark of a call")
        assert [each["text"] for each in ben.notices] == [f"<@{ben.hello['me']}>, join us"]
        await ben.act("open", place=games)
        await until(lambda: marked(False, 0), "no mark")


async def test_a_call_of_a_person_whom_no_window_shows_is_marked_until_the_person_sees_it(
    database: Path,
) -> None:
    async with sitting(database) as playground:
        ana = await playground.visit("Ana")
        museum = next(each["id"] for each in ana.places if each["name"] == "museum")
        await ana.act("open", place=museum)
        ben_id = next(id for id, key in ana.hello["keys"].items() if key == "ben")
        for text in ("are you there?", "are you coming?"):
            await ana.say(f"<@{ben_id}>, {text}")

        async def called() -> bool:
            return ben_id in ana.calls and ana.calls[ben_id]["count"] == 2

        await until(called, "the mark of Ben's calls")
        call = ana.calls[ben_id]
        assert (call["place"], call["message"]) == (museum, [*ana.messages][-1])
        ben = await playground.visit("Ben")
        await ben.act("open", place=call["place"])

        async def seen() -> bool:
            return ana.calls == {}

        await until(seen, "no mark", patience=RENEWAL - 1)


async def test_an_answer_that_calls_a_person_after_the_bot_has_thought_notifies_them(database: Path) -> None:
    thought = asyncio.Event()

    def prepare(client: ToyClient) -> None:
        client.host.think = thought.wait

    async with sitting(database, prepare=prepare) as playground:
        ana, ben = await playground.visit("Ana"), await playground.visit("Ben")
        camp = next(each["id"] for each in ben.places if each["name"] == "camp")
        await ben.act("open", place=camp)
        await ana.act("slash", path="toy ask", options={"person": ben.hello["me"]})
        await ana.say("Well?")
        assert ben.notices == []
        thought.set()

        async def notified() -> list[dict[str, object]]:
            return ben.notices

        [notice] = await until(notified, "the notification")
        assert (notice["place"], notice["text"]) == (ana.place, f"<@{ben.hello['me']}>, will you play?")
        assert next(each["calls"] for each in ben.places if each["id"] == ana.place) == 1


async def test_a_window_that_draws_slowly_is_sent_no_state_that_is_out_of_date(database: Path) -> None:
    async with sitting(database) as playground:
        ana, ben = await opened(playground)
        board, _ = ben.control("label", "Dig")
        ben.draws = False
        ben.sent.clear()
        for moves in range(1, 6):
            await ana.press("Dig")
            await ana.sees(f"Toy table, {moves} moves")
        assert ben.sent.count(board) == 1  # the change that the window is drawing
        await ben.draw()
        await ben.sees("Toy table, 5 moves")
        assert ben.sent.count(board) == 2


async def test_a_press_without_an_answer_ends_with_discords_words_and_a_late_answer_is_shown(
    database: Path,
) -> None:
    async with sitting(database) as playground:
        ana, _ = await opened(playground)
        await playground.client.host.lock.acquire()
        with pytest.raises(AssertionError, match="This interaction failed"):
            await ana.press("Hand")
        with pytest.raises(AssertionError, match="The application did not respond"):
            await ana.command()
        playground.client.host.lock.release()
        await ana.sees("Your hand after 0 moves")


async def test_another_person_is_shown_in_the_place_in_which_one_is(database: Path) -> None:
    async with sitting(database) as playground:
        ana = await playground.visit("Ana")
        museum, own = (
            next(each["id"] for each in ana.places if field in each.values()) for field in ("museum", "dm")
        )
        assert (await playground.visit("Ben", museum)).place == museum
        ben = await playground.visit("Ben", own)
        assert ben.place == next(each["id"] for each in ben.places if each["kind"] == "dm")


async def test_an_address_without_the_key_is_refused_with_a_sentence(database: Path) -> None:
    async with sitting(database) as playground, aiohttp.ClientSession() as session:
        host = playground.url.split("/")[2]
        for path in ("", "index.html", "wrong/", "wrong/live?person=ana"):
            async with session.get(f"http://{host}/{path}") as answer:
                assert answer.status == 403
                assert "Open the whole address" in await answer.text()
        async with session.get(playground.url) as answer:
            assert answer.status == 200


async def test_the_moves_of_robots_are_seen_one_after_the_other(database: Path) -> None:
    async with sitting(database, pace=0.6) as playground:
        ana, _ = await opened(playground, robots=1)
        seen = []
        for left in (2, 1, 0):
            await ana.sees(f"Robot moves, {left} left", patience=3)
            seen.append("\n".join(ana.texts()).count("Robot moves"))
        assert seen == [1, 2, 3]


async def test_a_private_reply_follows_the_table_and_stays_private(database: Path) -> None:
    async with sitting(database) as playground:
        ana, ben = await opened(playground)
        await ben.press("Hand")
        await ben.choose("Finds to offer", "Coin", "Dagger")
        await ana.press("Dig")
        await ben.sees("Your hand after 1 moves. Offered: Coin, Dagger", patience=5)
        await ana.sees("Ana: Dig")
        assert not any("Your hand" in text for text in ana.texts())


async def test_press_on_an_outdated_page_reaches_the_intended_control(database: Path) -> None:
    async with sitting(database) as playground:
        ana, ben = await opened(playground)
        message, hand = ben.control("label", "Hand")
        await ana.press("Dig")
        # Where Ben saw “Hand”, “Pass” stands now.
        await ben.act("press", message=message, custom_id=hand["custom_id"])
        await ben.sees("Your hand after 1 moves")
        assert not any("Pass" in text for text in ben.texts())


async def test_press_on_a_removed_control_is_answered_by_the_bot(database: Path) -> None:
    async with sitting(database) as playground:
        ana, ben = await opened(playground)
        message, passing = ben.control("label", "Pass")
        await ana.press("Dig")
        await ana.sees("Toy table, 1 moves")
        await ben.act("press", message=message, custom_id=passing["custom_id"])
        await ben.sees("Too late for Pass.")


async def test_nothing_is_refused_while_everybody_presses_and_robots_play(database: Path) -> None:
    async with sitting(database, pace=0.1) as playground:
        ana, ben = await opened(playground, robots=10)

        async def press_on(visit: Visit, *labels: str) -> None:
            for label in labels * 8:
                await visit.press(label)
                await asyncio.sleep(0.05)

        # `Visit.act` fails on whatever a page would show as gone wrong.
        await asyncio.gather(press_on(ana, "Dig", "Hand", "Pass"), press_on(ben, "Hand", "Dig"))
        assert any("Toy table" in text for text in ana.texts())


async def test_agent_in_a_worker_process_blocks_no_press(database: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        await asyncio.get_running_loop().run_in_executor(pool, time.sleep, 0)

        def prepare(client: ToyClient) -> None:
            client.host.think = lambda: asyncio.get_running_loop().run_in_executor(pool, time.sleep, 5)

        async with sitting(database, pace=0.1, prepare=prepare) as playground:
            ana, _ = await opened(playground, robots=1)
            await asyncio.sleep(0.5)
            started = time.monotonic()
            await ana.press("Dig")
            await ana.sees("Ana: Dig")
            assert time.monotonic() - started < 4
            assert not any("Robot" in text for text in ana.texts())
            await ana.sees("Robot moves")


async def test_a_press_is_over_once_it_is_answered_and_pages_show_what_comes_of_it_later(
    database: Path,
) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:

        def prepare(client: ToyClient) -> None:
            client.host.later = lambda: asyncio.get_running_loop().run_in_executor(pool, time.sleep, 6)

        async with sitting(database, pace=0.1, prepare=prepare) as playground:
            ana, ben = await opened(playground)
            await ana.press("Dig")
            await ana.sees("Toy table, 1 moves")
            await ana.press("Odd")
            await ben.sees("Ana: Odd")
            await ben.press("Dig")
            await ana.sees("Ben: Dig")
            assert not any("At last" in text for text in ana.texts())
            await ana.sees("At last")


async def test_failed_jobs_are_logged_and_retried(
    database: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.playground.session.AFTER_ERROR", 0.1)
    async with sitting(database, pace=0.1) as playground:
        ana, _ = await opened(playground)
        with caplog.at_level(logging.ERROR):
            playground.client.host.failures = 2
            await ana.command(robots=1)
            await ana.sees("Robot moves, 0 left")
    assert "could not start due jobs" in caplog.text


async def test_next_session_continues_the_last_one(database: Path) -> None:
    people: list[dict[str, str]] = []
    for moves in (0, 1):
        async with sitting(database) as playground:
            ana = await playground.visit()
            if moves == 0:
                await ana.command()
            await ana.sees(f"Toy table, {moves} moves")
            # The store refuses an interaction's id that it has seen before.
            await ana.press("Dig")
            await ana.sees(f"Toy table, {moves + 1} moves")
            people.append(ana.hello["keys"])
            channel = ana.place
    assert people[0] == people[1]
    assert [*people[0].values()] == [name.lower() for name in (*PEOPLE, *SPEAKERS)]
    async with sitting(database) as playground:
        assert (await playground.visit()).place == channel


async def test_user_ids_do_not_depend_on_the_commands(database: Path) -> None:
    """The commands of a later version must not make Ben of Ana."""
    async with sitting(database) as playground:
        ana = await playground.visit()
        first = ana.hello["me"]
        application = playground.client.application_id
    assert application
    assert int(first) == application + 2  # the application, the bot, Ana


async def test_address_is_stable_and_private(database: Path) -> None:
    keys: list[str] = []
    for _ in range(2):
        async with sitting(database) as playground:
            keys.append(playground.url.split("/")[3])
    assert keys[0] == keys[1]
    (key_file,) = database.parent.glob("*.playground-key")
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600


async def test_a_port_in_use_is_named_and_the_next_one_taken(database: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        async with sitting(database, port=port) as playground:
            assert f":{port}/" not in playground.url
            assert playground.lines[0] == f"Port {port} is in use, so the playground took another one."


@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGTERM", "SIGHUP"])
async def test_session_ends_immediately_and_cleanly(database: Path, signal_name: str) -> None:
    import signal

    async with running_playground(TOY, environment={"TOY_DATABASE": str(database)}) as playground:
        started = time.monotonic()
        assert await playground.stop(signal.Signals[signal_name]) == 0
        assert time.monotonic() - started < 5
    assert playground.lines[-2:] == [
        "store closed",
        "The playground has ended. Everything is kept: start it again to play on.",
    ]
    assert "Traceback" not in playground.output
