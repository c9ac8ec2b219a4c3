"""How a measured set reads on a terminal: its metrics, its batteries, two configurations side by side, the misses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.console.spans import Line, Look, Span, one_line

Document = Mapping[str, Any]
METRICS = ("recall@1", "recall@5", "hit@8", "mrr@10", "ndcg@10")
EMPTY: Line = ()
FOUND_SHOWN = 3
NOWHERE = "–"


def evaluation_lines(measured: Document) -> Iterator[Line]:
    """Lay out the document of `oraculo evaluate`."""
    yield from _metrics(measured)
    yield from _batteries(measured)
    if "against" in measured:
        yield from _comparison(measured["against"])
    if "missed" in measured:
        yield from _misses(measured)


def _metrics(measured: Document) -> Iterator[Line]:
    intervals = measured["intervals"]
    yield _heading(f"{measured['queries']} queries", f"{'mean':>8}  {'95 % interval':^17}")
    for name in METRICS:
        yield _figure(name, measured[name], intervals.get(name))
    relevance = measured["relevance"]
    if "passed" in intervals:
        yield _figure(f"passed the floor, {relevance['floor']:g}", relevance["passed"], intervals["passed"])
    if "refused" in intervals:
        near = measured["near_misses"]
        yield _figure(f"refused, of {near['queries']} unanswerable", near["refused"], intervals["refused"])
    if measured["ms"]:
        yield _row("search time, ms", f"p50 {measured['ms']['p50']:g}, p95 {measured['ms']['p95']:g}")


def _batteries(measured: Document) -> Iterator[Line]:
    if not measured["batteries"]:
        return
    yield EMPTY
    titles = "".join(f"{name:>11}" for name in METRICS)
    yield (Span(f"{'battery':<14}{'of':>5}{titles}{'words':>7}{'quoted':>7}", Look.HEADING),)
    for name, group in measured["batteries"].items():
        figures = "".join(f"{_short(group[metric]):>11}" for metric in METRICS)
        found = f"{_short(group['literal_found']):>7}{_short(group['literal_found_quoted']):>7}"
        yield Span(f"{one_line(name):<14}"), Span(f"{group['queries']:>5}{figures}", Look.TITLE), Span(found)
        within = measured["intervals"]["batteries"][name]
        ranges = "".join(f"{'–'.join(map(_short, within[metric])):>11}" for metric in METRICS)
        yield (Span(f"{'':<19}{ranges}", Look.QUIET),)
    yield (Span("words, quoted: the share whose pages literal search finds, as words and as a phrase", Look.QUIET),)


def _comparison(against: Document) -> Iterator[Line]:
    yield EMPTY
    for name in ("this", "that"):
        side = against[name]
        found = f"{side['config']}, {side['search']} search, floor {side['floor']:g}"
        yield Span(f"{name}: ", Look.LABEL), Span(one_line(found))
        where = f"generation {side['generation']} of {side['embedding']} in {side['home']}"
        yield Span("      "), Span(one_line(where), Look.QUIET)
    columns = f"{'this':>8}{'that':>8}  {'this less that':>14}  {'95 % interval':^17}"
    yield _heading("query by query", columns)
    for name, pair in against["metrics"].items():
        low, high = pair["interval"]
        sure = low > 0 or high < 0
        figures = f"{pair['this']:>8.4f}{pair['that']:>8.4f}  {pair['difference']:>+14.4f}  {low:+.4f} … {high:+.4f}"
        yield Span(f"{name:<30}"), Span(figures, Look.TITLE if sure else Look.PLAIN), Span("  *" if sure else "")
    counts = f"{against['won']} won, {against['lost']} lost, {against['tied']} tied, by reciprocal rank"
    yield _row("this against that", counts)
    yield (Span("* the interval holds no zero: the difference is more than the luck of these queries", Look.QUIET),)


def _misses(measured: Document) -> Iterator[Line]:
    misses = measured["missed"]
    yield EMPTY
    yield (Span(f"{len(misses)} of {measured['queries']} queries without a right page in the top 8", Look.HEADING),)
    for miss in misses:
        yield Span(f"{one_line(miss['_id'])}  ", Look.QUIET), Span(one_line(miss["query"]), Look.TITLE)
        for page in miss["right"]:
            yield Span("  right  ", Look.QUIET), Span(f"{one_line(page['doc_id'])}: {_places(page)}")
        found = ", ".join(map(one_line, miss["found"][:FOUND_SHOWN])) or "nothing"
        yield Span("  found  ", Look.QUIET), Span(found)


def _places(page: Document) -> str:
    if not page["readable"]:
        return "no such page in the index, or a draft, or not for these keys"
    return ", ".join(f"{name} {rank or NOWHERE}" for name, rank in page["ranks"].items())


def _heading(title: str, columns: str) -> Line:
    return (Span(f"{title:<30}{columns}", Look.HEADING),)


def _figure(name: str, mean: float, interval: Sequence[float] | None) -> Line:
    within = f"{interval[0]:.4f} … {interval[1]:.4f}" if interval else ""
    return Span(f"{name:<30}"), Span(f"{mean:>8.4f}", Look.TITLE), Span(f"  {within}", Look.QUIET)


def _row(name: str, text: str) -> Line:
    return Span(f"{name:<30}  "), Span(text)


def _short(share: float) -> str:
    """Three decimals, without the zero before them."""
    return f"{share:.3f}".removeprefix("0")
