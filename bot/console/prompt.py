"""The line a person types, with line editing, and with a Ctrl-C that is never lost."""

from __future__ import annotations

import locale
import signal
import socket
from contextlib import suppress
from threading import Event, Lock, Thread, main_thread

PATIENCE_SECONDS = 0.05


class Prompt:
    """Reads lines from the terminal on the main thread; `readline` keeps the session's own history.

    `input` misses a Ctrl-C that comes after it shows its prompt and before it waits for a key, and then waits for ever.
    So a thread watches for the signal, and sends it again as long as the prompt has not noticed.
    """

    def __init__(self, text: str = "› ") -> None:
        self._text = text
        self._lock = Lock()
        self._asking = False
        self._left = Event()
        self._watched, self._told = socket.socketpair()
        self._told.setblocking(False)
        _count_characters()
        with suppress(ImportError):
            import readline  # noqa: F401  (importing it is what gives `input` its line editing)
        Thread(target=self._watch, name="prompt", daemon=True).start()

    def __call__(self) -> str:
        """Give the next line. Raises EOFError at Ctrl-D, KeyboardInterrupt at Ctrl-C."""
        before = signal.set_wakeup_fd(self._told.fileno(), warn_on_full_buffer=False)
        self._left.clear()
        self._asking = True
        try:
            return input(self._text)
        finally:
            with self._lock:
                self._asking = False
            self._left.set()
            signal.set_wakeup_fd(before)

    def _watch(self) -> None:
        while number := self._watched.recv(1):
            if number[0] != signal.SIGINT or self._left.wait(PATIENCE_SECONDS):
                continue
            with self._lock:
                if self._asking:
                    signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)


def _count_characters() -> None:
    """Where the terminal's locale is not installed, readline would take each byte of "ñ" for a character."""
    if locale.setlocale(locale.LC_CTYPE) == "C":
        with suppress(locale.Error):
            locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
