"""`python -m tests.benchmarks [PART…]`: measure, and print one table. `make bench` runs all the parts."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.console import Console

from tests.benchmarks.figures import Row, Skipped, notes, table, written

FAILED = "failed"
Part = Callable[[argparse.Namespace], Iterator[Row]]


def _literal(_: argparse.Namespace) -> Iterator[Row]:
    from tests.benchmarks import literal

    return literal.run()


def _process(_: argparse.Namespace) -> Iterator[Row]:
    from tests.benchmarks import process

    return process.run()


def _retrieval(_: argparse.Namespace) -> Iterator[Row]:
    from tests.benchmarks import questions

    return questions.run()


def _ingest(chosen: argparse.Namespace) -> Iterator[Row]:
    from tests.benchmarks import ingestion

    return ingestion.run(whole=chosen.whole)


def _memory(_: argparse.Namespace) -> Iterator[Row]:
    from tests.benchmarks import memory

    return memory.run()


def _quality(_: argparse.Namespace) -> Iterator[Row]:
    from tests.benchmarks import quality

    return quality.run()


def _growth(chosen: argparse.Namespace) -> Iterator[Row]:
    from tests.benchmarks import growth

    return growth.run(chosen.chunks, rebuild=chosen.whole)


PARTS: Mapping[str, Part] = {
    "literal": _literal,
    "process": _process,
    "retrieval": _retrieval,
    "ingest": _ingest,
    "memory": _memory,
    "quality": _quality,
    "growth": _growth,
}


def main(arguments: Sequence[str]) -> int:
    """Run the parts and print the table. Gives 1 when a part failed: a missed bar is a result, not a failure."""
    chosen = _parser().parse_args(arguments)
    measured = [(name, _rows(name, chosen)) for name in chosen.parts or PARTS]
    if chosen.json:
        print(written(one for _, rows in measured for one in rows))
    else:
        wide = None if sys.stdout.isatty() else 160
        Console(width=wide, highlight=False).print(table(measured))
    return int(any(one.what == FAILED for _, rows in measured for one in rows))


def _rows(name: str, chosen: argparse.Namespace) -> list[Row]:
    """Run a part; one that fails, or whose data is not here, says so in the table, and the others go on."""
    notes.print(f"{name}…")
    rows: list[Row] = []
    try:
        for one in PARTS[name](chosen):
            rows.append(one)
            notes.print(f"  {one.what}: {one.figure}", markup=False)  # a run that is broken off has told it
    except Skipped as reason:
        rows.append(Row("skipped", str(reason)))
    except Exception as error:  # noqa: BLE001 - the figures of the other parts took minutes
        traceback.print_exc()
        rows.append(Row(FAILED, f"{type(error).__name__}: {error}", verdict=False))
    return rows


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--whole", action="store_true", help="ingest all of the wiki; build the growth indexes anew")
    parser.add_argument(
        "--chunks", type=int, nargs="+", default=[1_000, 10_000, 100_000], metavar="N", help="the sizes of `growth`"
    )
    parser.add_argument("--json", action="store_true", help="print the lines as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
