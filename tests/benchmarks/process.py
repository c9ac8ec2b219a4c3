"""`oraculo search` as a person runs it: a process from start to end, on a warm disk."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

from tests.benchmarks.children import ORACULO, environment
from tests.benchmarks.children import run as run_process
from tests.benchmarks.figures import Bar, Row, notes, row
from tests.benchmarks.places import workfront_home
from tests.benchmarks.timing import median

RUNS = 9
AT_MOST = Bar(0.6, unit=" s")
_SLOWEST_SHOWN = 12
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \|\s*(\S+)")


def run() -> Iterator[Row]:
    arguments = ["search", "informe de horas", "--home", str(workfront_home().resolve())]
    for _ in range(2):
        run_process(ORACULO, *arguments)
    pairs = [(run_process(ORACULO, *arguments), run_process(sys.executable, "-c", "pass")) for _ in range(RUNS)]
    ours, python = (median([pair[way].seconds for pair in pairs]) for way in (0, 1))
    processor = median([pair[0].processor_seconds for pair in pairs])
    shown = f"{ours:.2f} s ({processor:.2f} of processor; an empty Python takes {python:.2f} s)"
    yield row("oraculo search, median", ours, shown, AT_MOST)
    if not AT_MOST.met(ours):
        _tell_imports(arguments)


def _tell_imports(arguments: list[str]) -> None:
    """Name the slowest modules by what they take with all that they import."""
    command = [sys.executable, "-X", "importtime", "-m", "bot.cli", *arguments]
    said = subprocess.run(command, capture_output=True, text=True, check=False, env=environment({})).stderr
    taken = sorted(((int(total), name) for _, total, name in _IMPORT.findall(said)), reverse=True)
    for total, name in taken[:_SLOWEST_SHOWN]:
        notes.print(f"  import {name}: {total / 1000:.0f} ms", markup=False)
