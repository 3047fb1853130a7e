"""The command line, and the place where the parts are put together."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import logging
import re
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import SecretStr, ValidationError
from pydantic_settings import SettingsError

from bot.clock import Clock, SystemClock
from bot.env_file import look_at
from bot.idling import LOOP
from bot.language import SOURCE, languages
from bot.logs import set_up_logging
from bot.memory import settle_in
from bot.settings import ENV_FILE, Settings
from bot.store.base import StoreError, StoreUnreachable
from bot.version import own_version
from engine.errors import BadData
from engine.game import AnyGame

if TYPE_CHECKING:
    from bot.client import Digsite
    from bot.controls import What
    from bot.ui.game_screens import AnyScreens

log = logging.getLogger(__name__)

NO_TOKEN = (
    "There is no DISCORD_TOKEN: make an application with a bot at discord.com/developers/applications "
    "and put its "
    "token into .env.\nTo try the games without one, use `make play`."
)

NO_PLAYGROUND = (
    "The playground is not installed ({error}). In the folder that Digsite was fetched into, `make play` installs and "
    "starts it; or there: python -m pip install --constraint constraints.txt --editable '.[play]'"
)


def _make_client(settings: Settings, clock: Clock, **options: Any) -> Digsite:
    """The whole bot: the engine's games, and the screens and commands of `cogs`."""
    from bot.client import make_client
    from engine.registry import load_games

    return make_client(settings, clock, load_games(settings.card_lists), _cogs().setup, **options)


def _cogs() -> Any:
    """The screens' package, loaded by its name: no module of `bot` imports it."""
    return importlib.import_module("cogs")


async def _run(settings: Settings) -> int:
    from bot.running import Stopped, run_until_told

    log.info("Digsite %s with discord.py %s", own_version(), version("discord.py"))
    client = _make_client(
        settings, SystemClock(), shard_count=settings.shard_count, shard_ids=settings.shard_ids
    )
    settle_in()
    try:
        await run_until_told(client, settings.discord_token.get_secret_value())
    except Stopped as stopped:
        logging.shutdown()  # so that counts of repeated errors (`bot.calm`) are written before the last sentence
        print(stopped, file=sys.stderr)
        return stopped.status
    return 0


def run(settings: Settings) -> int:
    """Runs the real bot until SIGTERM or SIGINT."""
    if not settings.discord_token.get_secret_value():
        print(NO_TOKEN, file=sys.stderr)
        return 2
    with asyncio.Runner(loop_factory=LOOP) as runner:
        return runner.run(_run(settings))


def play(settings: Settings, port: int, *, browser: bool) -> int:
    """Runs the playground until Ctrl-C."""
    # It would warn about voice and about things that only a real connection needs.
    logging.getLogger("discord").setLevel(logging.ERROR)
    try:
        from bot.playground import play as playground
    except ImportError as error:
        print(NO_PLAYGROUND.format(error=error), file=sys.stderr)
        return 2

    # The simulated Discord does not have the real one's messages, so the playground uses a file of its own. It also
    # forgets the commands at each start, so they are always registered.
    path = settings.database_path
    own = path.with_name(f"{path.stem}-playground{path.suffix}")
    embedded = settings.model_copy(
        update={"register_commands": "always", "database_path": own, "database_url": SecretStr("")}
    )

    def make_client(chosen: Settings, clock: Clock) -> Digsite:
        client = _make_client(chosen, clock, shard_count=1)
        client.host.shelf.between = 0.0  # the simulated Discord takes any number of emoji at once
        return client

    asyncio.run(
        playground(
            embedded,
            make_client=make_client,
            port=port,
            open_browser=browser,
        )
    )
    return 0


def _make_screens(games: Mapping[str, AnyGame]) -> Mapping[str, AnyScreens]:
    """The games' screens."""
    return _cogs().make_screens(games)


def verify(settings: Settings, file: Path) -> int:
    """Replays a record. Returns 0 if the match is whole and all of it fits; `bot.verifying` lists the other values."""
    from bot.verifying import UNREAD, Unreadable, verify_file

    try:
        status, text = verify_file(file, settings.card_lists, _make_screens)
    except Unreadable as error:
        print(error, file=sys.stderr)
        return UNREAD
    _print(text)
    return status


def replay(settings: Settings, file: Path, page: Path | None, language: str) -> int:
    """Makes a page of a record, on which the match can be watched again. Returns what `verify` returns of it."""
    from bot.replaying import replay_file
    from bot.verifying import UNREAD, Unreadable

    try:
        status, text = replay_file(
            file, page or file.with_suffix(".html"), language, settings.card_lists, _make_screens
        )
    except Unreadable as error:
        print(error, file=sys.stderr)
        return UNREAD
    _print(text)
    return status


def _print(text: str) -> None:
    """Prints a text. The terminal may not be able to show every character of a lucky word."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))


def backup(settings: Settings, file: Path | None, keep: int | None) -> int:
    """Copies the database while the bot runs: to a file, or with `keep` into a folder of so many copies."""
    if keep is not None:
        return _rotate(settings, file, keep)
    if file is None:
        print("Name a file for the copy, or a number of copies to keep (--keep 14).", file=sys.stderr)
        return 2
    print(asyncio.run(settings.place.backup(file)))
    return 0


def move(settings: Settings, target: str) -> int:
    """Carries the store from its file into a database, or from its database into a new file."""
    from bot.moving import move as carry

    print(asyncio.run(carry(settings, target)))
    return 0


def _rotate(settings: Settings, folder: Path | None, keep: int) -> int:
    from bot.backups import back_up

    done = asyncio.run(back_up(settings, folder, keep, SystemClock().now()))
    sound = ", checked and found sound" if done.sound else ""
    print(f"{done.made} is a consistent copy of {settings.place}{sound}.")
    for file in done.deleted:
        print(f"{file} was deleted; the newest {keep} are kept.")
    if not done.sound:
        print(done.said, file=sys.stderr)
    return 0 if done.sound else 1


def forget(settings: Settings, user: str) -> int:
    """Forgets a person; a running bot does it if there is one."""
    from bot.people import NoUserId, read_user_id
    from bot.people import forget as forget_person

    try:
        done, told = asyncio.run(forget_person(settings, read_user_id(user)))
    except NoUserId as error:
        print(error, file=sys.stderr)
        return 2
    print(told, file=sys.stdout if done else sys.stderr)
    return 0 if done else 1


def export(settings: Settings, user: str) -> int:
    """Prints everything that is kept about a person."""
    from bot.export import export as export_person
    from bot.people import NoUserId, read_user_id

    try:
        print(asyncio.run(export_person(settings.place, read_user_id(user), SystemClock().now())))
    except NoUserId as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def order(settings: Settings, what: What, argument: str) -> int:
    """Has the operator's order carried out, by the running bot if there is one."""
    from bot.orders import give

    done, said = asyncio.run(give(settings, what, argument))
    print(said, file=sys.stdout if done else sys.stderr)
    return 0 if done else 1


def _order_of(chosen: argparse.Namespace) -> tuple[What, str]:
    match chosen.command:
        case "block" | "allow":
            return cast("What", f"{chosen.command}-{chosen.scope}"), str(chosen.id)
        case "end":
            return "end", str(chosen.table)
        case "leave":
            return "leave", str(chosen.server)
        case "processes":
            return "processes", ""
        case "drain":
            return "drain", chosen.name
        case _:
            return "notice", "" if chosen.clear else chosen.text


def show_tables(settings: Settings, server: int | None) -> int:
    """Prints how many tables are live, by server."""
    from bot.orders import overview

    print(asyncio.run(overview(settings.place, server)))
    return 0


def check(settings: Settings, file: Path | None) -> int:
    """Checks the store, or a file. Returns 0 if all is well and 1 if it is not."""
    from bot.checking import check as look_through
    from bot.store.places import FilePlace
    from engine.registry import load_games

    place = FilePlace(file) if file else settings.place
    checked = asyncio.run(look_through(place, load_games(settings.card_lists)))
    print("\n".join(checked.lines))
    return 0 if checked.sound else 1


def port_number(text: str) -> int:
    """A port number from the command line; 0 stands for any free port."""
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65535):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no port: a number from 1 to 65535, or 0 for any that is free"
        )
    return int(text)


def id_number(text: str) -> int:
    """An id or a table's number from the command line."""
    if not (text.isascii() and text.isdigit() and 0 < int(text[:20]) < 2**63 and len(text) < 20):
        raise argparse.ArgumentTypeError(f"{text!r} is no id, which is a number")
    return int(text)


def number_of_copies(text: str) -> int:
    """How many copies are to be kept, from the command line."""
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and int(text) >= 1):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of copies, which is 1 or more")
    return int(text)


def read_settings() -> Settings | None:
    """The operator's settings. If they are wrong, prints sentences that say why and returns None."""
    found = look_at(ENV_FILE, Settings.model_fields)
    for line in (*found.faults, *found.warnings):
        print(line, file=sys.stderr)
    if found.faults:
        return None
    try:
        return Settings()
    except SettingsError as error:
        named = re.search(r'field "(\w+)"', str(error))
        name = f"The setting {named[1].upper()}" if named else "A setting"
        print(f"{name} cannot be read: a list is written as in [1.2, 2.6].", file=sys.stderr)
    except ValidationError as error:
        for fault in error.errors(include_url=False, include_input=False):
            name, why = str(fault["loc"][0]).upper(), fault["msg"].removeprefix("Value error, ")
            print(f"The setting {name} is wrong: {why}.", file=sys.stderr)
    return None


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bot", description="Digsite hosts board games on Discord."
    )
    parser.add_argument("--version", action="version", version=f"digsite {own_version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("run", help="connect to Discord and host games (needs DISCORD_TOKEN)")
    playing = commands.add_parser("play", help="host games in a simulated Discord on a local page; no token")
    playing.add_argument("--port", type=port_number, default=8600, help="the page's port (default: 8600)")
    playing.add_argument("--no-browser", action="store_true", help="do not open the page")
    verifying = commands.add_parser(
        "verify",
        help="replay a finished match's record and say whether it fits",
        epilog="Status: 0 the record is sound; 1 something does not fit, or the match is unfinished; 2 the file "
        "cannot be read, or is no record that can be checked here. docs/fairness.md says what that proves.",
    )
    verifying.add_argument("file", type=Path, help="the record, as attached to the match's result")
    replaying = commands.add_parser(
        "replay",
        help="make a page of a match's record, on which it can be watched again",
        epilog="The record is checked first, and the status is that of verify.",
    )
    replaying.add_argument("file", type=Path, help="the record, as attached to the match's result")
    replaying.add_argument(
        "-o", "--output", type=Path, help="the page (default: the record's name, ending in .html)"
    )
    replaying.add_argument(
        "--language", choices=languages(), default=SOURCE, help="the language of the page (default: en)"
    )
    saving = commands.add_parser("backup", help="copy the database consistently, also while the bot runs")
    saving.add_argument(
        "file", type=Path, nargs="?", help="the copy, which must not exist yet; with --keep a folder"
    )
    saving.add_argument(
        "--keep",
        type=number_of_copies,
        metavar="NUMBER",
        help="keep so many copies in a folder, the newest ones",
    )
    for name, what in (
        ("forget", "delete what is kept about a person, also while the bot runs"),
        ("export", "print what is kept about a person as JSON, also while the bot runs"),
    ):
        about = commands.add_parser(name, help=what)
        about.add_argument("user", metavar="USER_ID", help="the id of the person's Discord account")
    _add_orders(commands.add_parser)
    checking = commands.add_parser(
        "check", help="look through the database or a backup, also while the bot runs"
    )
    checking.add_argument("file", type=Path, nargs="?", help="a file (default: the bot's own database)")
    moving = commands.add_parser(
        "move",
        help="carry all matches into a PostgreSQL database or back, while no bot runs",
        epilog="From the file DATABASE_PATH to a URL, or from the database DATABASE_URL to a path. All of it arrives, "
        "or nothing; what is carried stays where it was too.",
    )
    moving.add_argument("--to", required=True, metavar="URL|PATH", help="an empty database, or a new file")
    return parser


def _add_orders(add: Callable[..., argparse.ArgumentParser]) -> None:
    listing = add("tables", help="count the live tables and the people at them, by server")
    listing.add_argument("--server", type=id_number, metavar="SERVER_ID", help="list that server's tables")
    for name, what in (
        ("block", "let a person, or everybody on a server, open and join no more tables"),
        ("allow", "take a block back"),
    ):
        blocking = add(name, help=f"{what}, also while the bot runs")
        blocking.add_argument("scope", choices=("person", "server"))
        blocking.add_argument("id", type=id_number, help="the id of the account or the server")
    ending = add("end", help="end a table, also one that cannot be read")
    ending.add_argument("table", type=id_number, metavar="TABLE", help="its number, as in the log")
    leaving = add("leave", help="let the running bot leave a server")
    leaving.add_argument("server", type=id_number, metavar="SERVER_ID")
    noticing = add("notice", help="show a notice on all table messages until it is taken back")
    text = noticing.add_mutually_exclusive_group(required=True)
    text.add_argument("text", nargs="?", metavar="TEXT")
    text.add_argument("--clear", action="store_true", help="take it back")
    add("processes", help="list the processes that share the database, and how many shards each holds")
    draining = add("drain", help="let a process hand over everything to the others and end")
    draining.add_argument("name", metavar="NAME", help="its name, as `processes` shows it")


def main(arguments: list[str] | None = None) -> int:
    """Runs a command and returns the exit status."""
    chosen = make_parser().parse_args(arguments)
    settings = read_settings()
    if settings is None:
        return 2
    set_up_logging(settings.log_level, settings.log_format, version=own_version())
    try:
        match chosen.command:
            case "run":
                return run(settings)
            case "play":
                return play(settings, chosen.port, browser=not chosen.no_browser)
            case "verify":
                return verify(settings, chosen.file)
            case "replay":
                return replay(settings, chosen.file, chosen.output, chosen.language)
            case "forget":
                return forget(settings, chosen.user)
            case "export":
                return export(settings, chosen.user)
            case "check":
                return check(settings, chosen.file)
            case "move":
                return move(settings, chosen.to)
            case "tables":
                return show_tables(settings, chosen.server)
            case "block" | "allow" | "end" | "leave" | "notice" | "processes" | "drain":
                return order(settings, *_order_of(chosen))
            case _:
                return backup(settings, chosen.file, chosen.keep)
    except StoreUnreachable as error:
        print(error, file=sys.stderr)
        return 1  # a new attempt may help
    except (StoreError, BadData) as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
