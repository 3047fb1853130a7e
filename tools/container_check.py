"""Tries the Dockerfile without Docker: carries out its steps as an ordinary user, and runs the result read-only.

`python -m tools.container_check` installs what the image installs, with the image's own commands, into a temporary
folder that stands for the image's root. Then nobody may write into it but into `data`, and the bot is run there with a
small Discord on this machine. Called by root, it does all this as the user of the image.

It does not try the base image, the steps that need root (it names them), and what Docker itself does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.bot.fake_discord import FakeDiscord
from tools.dockerfile import ROOT, Stage, Step, read_stages, sent_files

FOLDERS: Final = re.compile(r"(?<![\w./-])/(venv|src|data)\b")
"""The image's folders that the Dockerfile makes."""
BUILD: Final = "20260102030405.0123456789ab"
PATIENCE: Final = 60.0
"""Seconds that a command may take."""


class Wrong(Exception):
    """Something is not as it should be. The text says what."""


class Image:
    """A folder that stands for the image's root, and the commands that are run there."""

    def __init__(self, root: Path, python: str, user: int) -> None:
        self.root = root
        self.tools = root / "tools"
        self.data = root / "data"
        self._identity = {"user": user, "group": user, "extra_groups": []} if os.geteuid() == 0 else {}
        for folder in (root, self.tools, self.data, root / "src"):
            folder.mkdir(exist_ok=True)
        (self.tools / "python").write_text(f'#!/bin/sh\nexec {python} "$@"\n', encoding="utf-8")
        (self.tools / "python").chmod(0o755)
        if self._identity:
            for folder in (root, self.tools, self.data, root / "src"):
                os.chown(folder, user, user)

    def here(self, text: str) -> str:
        """A text of the Dockerfile with the image's folders in this one."""
        return FOLDERS.sub(rf"{self.root}/\1", text)

    async def start(
        self, *command: str, folder: Path, variables: dict[str, str]
    ) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            env=variables,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            **self._identity,
        )

    async def build(self, stage: Stage) -> None:
        """Carries out the steps of a stage that anybody may carry out."""
        kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        variables = stage.variables({**kept, "HOME": str(self.root), "PATH": f"{self.tools}:/usr/bin:/bin"})
        folder = self.root
        for step in stage.steps:
            if step.word == "WORKDIR":
                folder = Path(self.here(step.rest))
            elif step.word == "COPY" and not step.rest.startswith("--from"):
                self._copy(step, folder)
            elif step.word == "RUN":
                print(f"RUN {step.rest}", flush=True)
                command = self.here(step.rest)
                running = await self.start("/bin/sh", "-c", command, folder=folder, variables=variables)
                said, _ = await running.communicate()
                if running.returncode:
                    raise Wrong(f"RUN {step.rest} ended with {running.returncode}:\n{said.decode()}")

    def _copy(self, step: Step, folder: Path) -> None:
        *sources, target = step.words
        for file in sent_files():
            path = file.relative_to(ROOT)
            source = next((each for each in sources if path.is_relative_to(each)), None)
            if source is None:
                continue
            inside = path.relative_to(source) if path != Path(source) else Path(path.name)
            copy = folder / target / inside
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
        for made in (folder, *folder.rglob("*")) if self._identity else ():
            os.chown(made, self._identity["user"], self._identity["group"])

    def close(self) -> None:
        """Takes away what only the first stage has, and forbids writing everywhere but into `data`."""
        shutil.rmtree(self.root / "src")
        for path in [
            self.root,
            *(each for each in self.root.rglob("*") if self.data not in [each, *each.parents]),
        ]:
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & ~0o222)

    def listing(self) -> dict[str, tuple[int, int]]:
        """Each file but those of `data`, with its size and time."""
        files = (each for each in self.root.rglob("*") if self.data not in [each, *each.parents])
        return {str(each): (each.lstat().st_size, each.lstat().st_mtime_ns) for each in files}

    def open(self) -> None:
        """Allows writing again, so that the folder can be deleted."""
        for path in [self.root, *self.root.rglob("*")]:
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)


class Trial:
    """Runs the bot in the image's folder, with the image's environment."""

    def __init__(self, image: Image, stage: Stage) -> None:
        self._image = image
        self._command = [image.here(f"/venv/bin/{stage.last('ENTRYPOINT').words[0]}")]
        self._health: list[str] = json.loads(stage.last("HEALTHCHECK").rest.partition("CMD ")[2])[1:]
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        made = stage.variables({"PATH": "/usr/bin:/bin", "DIGSITE_BUILD": BUILD})
        self.variables = {name: image.here(value) for name, value in made.items()}
        self.variables["METRICS"] = f"127.0.0.1:{port}"  # that of the image may be in use on this machine

    async def expect(self, *arguments: str, status: int, says: str, **more: str) -> None:
        """Runs a command of the program. Raises `Wrong` unless it ends with this status and says this."""
        running = await self._image.start(
            *self._command, *arguments, folder=self._image.data, variables={**self.variables, **more}
        )
        await self._ends(running, " ".join(arguments), status, says)

    async def _ends(self, running: asyncio.subprocess.Process, name: str, status: int, says: str) -> str:
        async with asyncio.timeout(PATIENCE):
            output, _ = await running.communicate()
        said = output.decode()
        if running.returncode != status or says not in said or "Traceback" in said:
            raise Wrong(f"digsite {name} ended with {running.returncode}, not {status} and {says!r}:\n{said}")
        print(f"digsite {name}: status {status}, {says!r}", flush=True)
        return said

    async def run(self, discord: FakeDiscord, **more: str) -> asyncio.subprocess.Process:
        """Starts `digsite run` with a Discord of this machine."""
        return await self._image.start(
            self._image.here("/venv/bin/python"),
            *discord.arguments(),
            folder=self._image.data,
            variables={**self.variables, "DISCORD_TOKEN_FILE": "token", **more},
        )

    async def without_discord(self) -> None:
        await self.expect("--version", status=0, says=f"+{BUILD}")
        await self.expect("run", status=2, says="There is no DISCORD_TOKEN")
        await self.expect(
            "run", status=2, says="cannot be read", DISCORD_TOKEN_FILE="/run/secrets/no-such-file"
        )
        await self.expect("check", status=2, says="digsite.sqlite3")

    async def with_discord(self) -> None:
        (self._image.data / "token").write_text("x\n", encoding="utf-8")
        async with FakeDiscord().serving() as discord:
            discord.fails = {"/users/@me": (401, {"message": "401: Unauthorized", "code": 0})}
            refused = await self.run(discord)
            await self._ends(
                refused, "run with a wrong token", 2, "Discord does not accept this DISCORD_TOKEN"
            )
            discord.fails = {}
            bot = await self.run(discord)
            await discord.connected()
            await self.expect(*self._health, status=0, says="is well")
            await self.expect("check", status=0, says="is sound")
            await self.expect("notice", "Back soon", status=0, says="")
            await self.expect("backup", "--keep", "2", status=0, says="backups")
            bot.send_signal(signal.SIGTERM)
            await self._ends(bot, "run until SIGTERM", 0, "")
            await self.expect(*self._health, status=1, says="is not well")


async def check(python: str) -> None:
    """Builds and runs what the Dockerfile says. Raises `Wrong`."""
    build, final = read_stages((ROOT / "Dockerfile").read_text(encoding="utf-8"))
    user = int(final.last("USER").words[0].partition(":")[0])
    image = Image(_new_folder() / "root", python, user)
    try:
        await image.build(build)
        for step in final.all("RUN"):
            print(f"not tried, since it needs root: RUN {step.rest}")
        image.close()
        before = image.listing()
        trial = Trial(image, final)
        await trial.without_discord()
        await trial.with_discord()
        if image.listing() != before:
            raise Wrong("something was written outside of data")
    finally:
        image.open()
        shutil.rmtree(image.root.parent)


def _new_folder() -> Path:
    """An empty folder, which the image's user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="digsite-image-"))
    folder.chmod(0o755)
    return folder


def main() -> int:
    """Returns 0 if all is well, and 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m tools.container_check", description=__doc__)
    own = str(Path(sys.executable).resolve())
    parser.add_argument("--python", default=own, help="the Python that stands for the base image's")
    try:
        asyncio.run(check(parser.parse_args().python))
    except Wrong as wrong:
        print(wrong, file=sys.stderr)
        return 1
    print("The image's steps and what they make are well, as far as that can be tried without Docker.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
