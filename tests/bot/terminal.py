"""A real terminal for tests: the command runs on a pseudo-terminal that it controls, and one types and reads."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

GIVE_UP_SECONDS = 60.0
"""Only a failing test waits this long."""

CONTROL_C, CONTROL_D = "\x03", "\x04"
ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>]")

# A session leader takes the terminal as its own, so that Ctrl-C typed there becomes SIGINT here.
TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


class Terminal:
    """A process on a terminal of 100 columns. `raw` is all it has written so far."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.raw = ""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._seen = 0
        self._process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, *command],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**environment, "TERM": environment.get("TERM_OF_TEST", "xterm-256color")},
            cwd=folder,
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._ours)

    @property
    def text(self) -> str:
        """What was written, without escape sequences."""
        return ESCAPES.sub("", self.raw).replace("\r\n", "\n")

    def type(self, text: str) -> None:
        """Type at the keyboard."""
        os.write(self._ours, text.encode())

    def wait_for(self, words: str) -> str:
        """Read until these words appear after the last ones that were waited for; give all that came until then."""
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while (at := self.text.find(words, self._seen)) < 0:
            assert self._read(deadline), f"{words!r} did not appear; this did: {self.text[self._seen :]!r}"
        came = self.text[self._seen : at + len(words)]
        self._seen = at + len(words)
        return came

    def wait_for_end(self) -> int:
        """Read to the end and give the exit code."""
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while self._read(deadline):
            pass
        return self._process.wait(GIVE_UP_SECONDS)

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], max(0.0, deadline - time.monotonic()))
        try:
            data = os.read(self._ours, 65536) if ready else b""
        except OSError:  # Linux says so when the last process has left the terminal
            data = b""
        self.raw += self._decode(data)
        return bool(data)
