"""Our own command run as a process, with its time and its memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.figures import notes
from tests.benchmarks.places import CHECKOUT, MODELS

ORACULO = Path(sys.executable).with_name("oraculo")
_KIBIBYTES_PER_MEGABYTE = 1_000_000 / 1024


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that ended well: its time on the clock and of processor, and the most memory it held, mapped too."""

    output: str
    seconds: float
    processor_seconds: float
    peak_megabytes: float


def run(
    *command: str | Path, given: str = "", extra: Mapping[str, str] | None = None, folder: Path = CHECKOUT / "tests"
) -> Ended:
    """Run a command to its end, in a folder without settings.

    Raises subprocess.CalledProcessError when it fails, after telling what it said.
    """
    with (
        tempfile.TemporaryFile("w+") as stdin,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        stdin.write(given)
        stdin.seek(0)
        started = time.perf_counter()
        child = subprocess.Popen(command, stdin=stdin, stdout=out, stderr=err, env=environment(extra or {}), cwd=folder)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        output, said = out.read(), err.read()
    if child.returncode:
        notes.print(said, markup=False)
        raise subprocess.CalledProcessError(child.returncode, [str(part) for part in command], output, said)
    return Ended(output, seconds, usage.ru_utime + usage.ru_stime, _megabytes(usage))


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Give the environment without anyone's settings and keys: no language model, and the bench's own copy of ours."""
    ours = {
        name: value for name, value in os.environ.items() if not name.startswith(("ORACULO_", "GEMINI_", "GOOGLE_"))
    }
    return {**ours, "ORACULO_EMBEDDING__CACHE": str(MODELS), **extra}


def _megabytes(usage: resource.struct_rusage) -> float:
    """Linux counts kibibytes, macOS bytes."""
    return usage.ru_maxrss / 1e6 if sys.platform == "darwin" else usage.ru_maxrss / _KIBIBYTES_PER_MEGABYTE
