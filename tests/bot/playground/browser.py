"""Drives the playground as people do: its process, a browser, and a page for each person.

    play = running_playground([sys.executable, "-m", "bot", "play"], environment={...})
    async with play as playground, open_browser() as browser:
        ana = await browser.open(playground.url, "Ana")
        await ana.command("archaeology start", agents=2)
        await ana.press("Hand")
        print(await ana.private_text())

Every action waits until its result is on the page, and raises `Refused` when the page did not carry it out.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from playwright.async_api import Browser, Locator, Page, Request, async_playwright, expect
from playwright.async_api import TimeoutError as PlaywrightTimeout

from tests.patience import PATIENCE

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
REPOSITORY = Path(__file__).parents[3]
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S+/")
LOOK_SECONDS = 0.05
CLICK_MILLISECONDS = 2000
MENU = ".select:not([disabled])"

T = TypeVar("T")

expect.set_options(timeout=1000 * PATIENCE)


class Refused(AssertionError):
    """The page did not carry out what was asked of it."""


async def until(look: Callable[[], Awaitable[T | None]], what: str, *, patience: float = PATIENCE) -> T:
    """Look again and again until there is something true, and return that."""
    loop = asyncio.get_running_loop()
    end = loop.time() + patience
    while True:
        found = await look()
        if found:
            return found
        if loop.time() > end:
            raise AssertionError(f"Waited {patience:g} s in vain for {what}")
        await asyncio.sleep(LOOK_SECONDS)


async def tick(options: Locator, wanted: Sequence[bool]) -> None:
    """Ticks exactly these options of a menu. Those that are to go come first, because a full menu takes no more."""
    for adds in (False, True):
        for option, wants in zip(await options.all(), wanted, strict=True):
            ticked = await option.get_attribute("aria-selected") == "true"
            if wants == adds != ticked:
                await option.click()


# ---------------------------------------------------------------------- the process


@dataclass
class RunningPlayground:
    """The playground's process and what it has printed."""

    process: asyncio.subprocess.Process
    lines: list[str] = field(default_factory=list[str])

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    @property
    def url(self) -> str:
        """The address that it told."""
        found = ADDRESS.search(self.output)
        assert found, f"The playground told no address:\n{self.output}"
        return found.group(0)

    async def stop(self, number: signal.Signals = signal.SIGTERM, *, patience: float = PATIENCE) -> int:
        """End it as an operator does, with its children as Ctrl-C in a terminal does; its exit code."""
        if self.process.returncode is None:
            os.killpg(self.process.pid, number)
        return await asyncio.wait_for(self.process.wait(), patience)

    async def read(self) -> None:
        assert self.process.stdout
        async for line in self.process.stdout:
            self.lines.append(line.decode().rstrip())


@asynccontextmanager
async def running_playground(
    command: Sequence[str], *, port: int = 0, environment: Mapping[str, str] | None = None
) -> AsyncGenerator[RunningPlayground]:
    """Start `command --port=PORT --no-browser` and wait for its address; port 0 takes any free one."""
    process = await asyncio.create_subprocess_exec(
        *command,
        f"--port={port}",
        "--no-browser",
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    playground = RunningPlayground(process)
    reading = asyncio.create_task(playground.read())

    async def printed_or_ended() -> bool:
        return bool(ADDRESS.search(playground.output)) or process.returncode is not None

    try:
        await until(printed_or_ended, "the playground's address", patience=PATIENCE)
        assert process.returncode is None, f"The playground did not start:\n{playground.output}"
        yield playground
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        await reading


# ---------------------------------------------------------------------- a page


class PersonsPage:
    """One open page, seen and used by one person."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        page.on("request", self._requested)

    def _requested(self, request: Request) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "blob:", "data:")):
            self.elsewhere.append(request.url)

    # ------------------------------------------------------------------ what is to be seen

    async def messages(self, *, private: bool | None = None) -> list[str]:
        """The text of the messages, the newest last: all, or only the private or the public ones."""
        return await self._messages(private).all_inner_texts()

    async def public_text(self) -> str:
        """The text of the newest message that everybody sees."""
        return (await self.messages(private=False) or [""])[-1]

    async def private_text(self) -> str:
        """The text of the newest message that only this person sees."""
        return (await self.messages(private=True) or [""])[-1]

    async def sees(self, text: str, *, private: bool | None = None, patience: float = PATIENCE) -> str:
        """Wait, without touching the page, until a message holds `text`; the newest such message's text."""

        async def message() -> str | None:
            texts = await self.messages(private=private)
            return next((each for each in reversed(texts) if text in each), None)

        return await until(message, f"a message with {text!r}", patience=patience)

    async def buttons(self, *, private: bool | None = None) -> list[str]:
        """The labels of the buttons that can be pressed, from the oldest message to the newest."""
        labels = self._messages(private).locator("button.button:not([disabled]) > .label")
        return [label.strip() for label in await labels.all_inner_texts()]

    async def menus(self, *, private: bool | None = None) -> list[str]:
        """The placeholders of the menus that can be opened, from the oldest message to the newest."""
        triggers = self._messages(private).locator(MENU)
        return [str(await each.get_attribute("aria-label")) for each in await triggers.all()]

    async def places(self) -> list[str]:
        """The names in the list of places."""
        return await self.page.locator(".place[data-place] .name").all_text_contents()

    async def pictures_shown(self) -> int:
        """How many pictures (of boards, not of people) are there and drawn."""
        return await self.page.locator(".picture img").evaluate_all(
            "images => images.filter(one => one.naturalWidth > 0).length"
        )

    async def screenshot(self, path: Path) -> None:
        await self.wait_ready()
        await self.page.screenshot(path=path)

    async def picture_of_message(self, path: Path, button: str, *, private: bool) -> None:
        """Save what the newest message with a button of this label looks like, and nothing around it."""
        await self.wait_ready()
        labelled = self._labelled(".button > .label", button)
        await self.page.mouse.move(0, 0)  # a message below the mouse shows its menu's button
        await self._messages(private).filter(has=labelled).last.screenshot(path=path)

    # ------------------------------------------------------------------ what a person does

    async def become(self, person: str) -> None:
        """Go on as somebody else on the same page."""
        await self.page.locator(".who").click()
        await self.page.locator(".menu .option", has_text=f"Be {person}").click()
        await self.page.locator(f'.who[aria-label="You are {person}"]').wait_for()
        await self.wait_ready()

    async def go_to(self, place: str) -> None:
        """Open a channel, a thread, direct messages or a group by its name in the list."""
        if await self.page.locator(".drawer").is_visible():
            await self.page.locator(".drawer").click()
        name = self._labelled(".name", place)
        await self.page.locator(".place[data-place]").filter(has=name).first.click()
        await self.page.locator("h1", has_text=place).wait_for()
        await self.wait_ready()

    async def command(self, name: str, **options: str | int | bool) -> None:
        """Run a slash command (`"archaeology start"`): options by their names, choices by their labels."""
        await self.compose(name, **options)
        await self._acted(lambda: self.page.get_by_role("button", name="Send").click())

    async def compose(self, name: str, **options: str | int | bool) -> None:
        """Type a slash command with its options, and do not send it."""
        await self.page.locator(".composer .line").fill(f"/{name} ")
        for option, value in options.items():
            entry = self.page.locator(f'.composer [data-option="{option}"]')
            if not await entry.count():
                await self.page.locator(".composer .line").fill(f"{option}:")
            await entry.fill(str(value))

    async def say(self, text: str) -> None:
        """Write an ordinary message into the channel."""
        await self.page.locator(".composer .line").fill(text)
        await self._acted(lambda: self.page.get_by_role("button", name="Send").click())

    async def press(self, label: str, *, private: bool | None = None) -> None:
        """Press the button of this label in the newest message that has one which can be pressed."""
        buttons = self.page.locator("button.button:not([disabled])")
        buttons = buttons.filter(has=self._labelled(".label", label))
        await self._acted(lambda: self._click_newest(buttons, private, f"a button {label!r}"))

    async def follow_link(self, label: str, *, private: bool | None = None) -> None:
        """Press the newest link button of this label, which takes to another message."""
        links = self.page.locator("a.button").filter(has=self._labelled(".label", label))
        await self._acted(lambda: self._click_newest(links, private, f"a link {label!r}"))

    async def select(self, placeholder: str | None, *labels: str, private: bool | None = None) -> None:
        """Choose exactly these options, by their labels, in the newest menu (of this placeholder)."""
        menu = await self.open_menu(placeholder, private=private)
        if await menu.locator("[aria-multiselectable=true]").count():
            await self._tick(menu, labels)
            await self.apply()
        else:
            await self._acted(lambda: self._option(menu, labels[0]).click())

    async def half_select(self, placeholder: str | None, *labels: str, private: bool | None = None) -> None:
        """Tick exactly these options in a menu of several, and leave it open and unsent."""
        await self._tick(await self.open_menu(placeholder, private=private), labels)

    async def apply(self) -> None:
        """Send what is ticked in the menu that is open."""
        await self._acted(lambda: self.page.locator(".menu .button").click())

    async def open_menu(self, placeholder: str | None = None, *, private: bool | None = None) -> Locator:
        """Open the newest menu (of this placeholder); the list of its options."""
        triggers = self.page.locator(MENU)
        if placeholder is not None:
            triggers = triggers.and_(self.page.locator(f'[aria-label="{placeholder}"]'))
        await self._click_newest(triggers, private, f"a menu {placeholder or ''}")
        menu = self.page.locator(".menu")
        await menu.wait_for(timeout=CLICK_MILLISECONDS)
        return menu

    async def context_menu(self, target: Locator, entry: str) -> None:
        """Choose an entry of the menu that a right click opens."""
        await target.click(button="right")
        option = self.page.locator(".menu .option").filter(has=self._labelled(".label", entry))
        await self._acted(option.click)

    async def type_into_form(self, **values: str) -> None:
        """Type into the form that is open, by the custom_ids of its fields, and do not send it."""
        for custom_id, value in values.items():
            await self.page.locator(f'dialog [data-custom-id="{custom_id}"]').fill(value)

    async def fill_form(self, **values: str) -> None:
        """Fill in the form that is open, by the custom_ids of its fields, and send it."""
        await self.type_into_form(**values)
        await self._acted(self.page.locator("dialog [type=submit]").click)
        await self.page.locator("dialog").wait_for(state="detached")

    async def wait_ready(self) -> None:
        """Wait until the bot has answered everything, and all pictures are there."""
        await until(self._ready, "the page")

    # ------------------------------------------------------------------ how

    def _messages(self, private: bool | None) -> Locator:
        messages, note = self.page.locator(".list > .message"), self.page.locator(".private")
        if private is None:
            return messages
        return messages.filter(has=note) if private else messages.filter(has_not=note)

    def _labelled(self, selector: str, label: str) -> Locator:
        return self.page.locator(selector, has_text=re.compile(rf"^\s*{re.escape(label)}\s*$"))

    def _option(self, menu: Locator, label: str) -> Locator:
        return menu.locator(".option").filter(has=self._labelled(".label", label))

    async def _click_newest(self, controls: Locator, private: bool | None, what: str) -> None:
        """Click the first of `controls` in the newest message that has any, as a mouse does."""

        async def clicked() -> bool:
            messages = self._messages(private).filter(has=controls)
            if not await messages.count():
                return False
            with suppress(PlaywrightTimeout):
                await messages.last.locator(controls).first.click(timeout=CLICK_MILLISECONDS)
                return True
            return False

        await until(clicked, what)

    async def _tick(self, menu: Locator, labels: Sequence[str]) -> None:
        offered = await menu.locator(".option .label").all_inner_texts()
        assert set(labels) <= set(offered), f"{labels} are not all offered: {offered}"
        await tick(menu.locator(".option"), [label in labels for label in offered])

    async def _ready(self) -> bool:
        return await self.page.evaluate(
            """() => document.querySelector(".view[data-waiting='0']") !== null
                && document.querySelector(".main h1")?.textContent !== ""
                && [...document.querySelectorAll(".list img")].every((image) => image.complete)"""
        )

    async def _acted(self, act: Callable[[], Awaitable[Any]]) -> None:
        """Do something to the page, and wait until the bot has answered it."""
        await self.wait_ready()
        failure = self.page.locator(".toast.failed")
        await failure.evaluate_all("toasts => toasts.forEach((toast) => toast.remove())")
        await act()
        await until(self._ready, "the bot's answer")
        if await failure.count():
            raise Refused(await failure.inner_text())


class Visitors:
    """A browser in which several people have their pages."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    async def open(
        self,
        url: str,
        person: str = "Ana",
        *,
        width: int = 1200,
        height: int = 900,
        scale: float = 1,
        waits: bool = True,
    ) -> PersonsPage:
        """Open the playground in a window of its own, as this person, with `scale` dots for a pixel of the page."""
        context = await self._browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=scale, has_touch=True
        )
        person_page = PersonsPage(await context.new_page())
        await person_page.page.goto(f"{url}#people={person.lower()}")
        if waits:
            await person_page.wait_ready()
        return person_page


@asynccontextmanager
async def open_browser() -> AsyncGenerator[Visitors]:
    """A headless Chromium."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        try:
            yield Visitors(browser)
        finally:
            await browser.close()
