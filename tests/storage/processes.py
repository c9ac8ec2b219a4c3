"""Other processes that use the same database, in step with the test."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

CONTENDER = Path(__file__).parent / "contender.py"
PATIENCE_SECONDS = 60


class Contender:
    """One process running an action of contender.py."""

    def __init__(self, action: str, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(CONTENDER), action, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def hear(self) -> Any:
        """Wait for its next line, and read it as JSON."""
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def go(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def end(self) -> int:
        """Let it end by itself, and give its exit code."""
        self._process.communicate(timeout=PATIENCE_SECONDS)
        return self._process.returncode

    def kill(self) -> None:
        """Kill it with SIGKILL, wherever it stands."""
        self._process.kill()
        self._process.communicate()


class Processes:
    """The processes of one test."""

    def __init__(self) -> None:
        self._started: list[Contender] = []

    def start(self, action: str, *arguments: str) -> Contender:
        """Start one and wait until it is ready: everything imported, nothing done."""
        contender = Contender(action, *arguments)
        self._started.append(contender)
        assert contender.hear() == "ready"
        return contender

    def race(self, number: int, action: str, *arguments: str) -> list[Any]:
        """Let several do the same at the same time, and give what each of them says."""
        contenders = [self.start(action, *arguments) for _ in range(number)]
        for contender in contenders:
            contender.go()
        return [contender.hear() for contender in contenders]

    def kill(self) -> None:
        for contender in self._started:
            contender.kill()
