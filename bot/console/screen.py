"""Where the conversation appears: a terminal drawn by rich, or plain text for pipes, files and dumb terminals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol, TextIO

from bot.console.spans import Line, Look, one_row, printable, to_plain
from bot.messages import Stage
from bot.ports import Progress
from bot.texts.voice import Voice

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.containers import Lines
    from rich.live import Live
    from rich.text import Text

StageNames = Mapping[Stage, str]

MARGIN = r"[ │▸]+|\[\d+\] "
"""The first span of a line that stands in from the edge: what wraps goes on beneath what follows it."""


def stage_names(voice: Voice) -> StageNames:
    """What the spinner says at each stage."""
    return {Stage.SEARCHING: voice.say("stage-searching"), Stage.WRITING: voice.say("stage-writing")}


class Screen(Protocol):
    """What the conversation needs of a terminal."""

    def lines(self, lines: Sequence[Line]) -> None: ...
    def markdown(self, text: str) -> None: ...
    def waiting(self, names: StageNames) -> AbstractContextManager[Progress]:
        """Show what happens while an answer is made; nothing of it stays on the screen."""
        ...


class PlainScreen:
    """Text as it is, and nothing that moves: an answer is written once, when it is whole."""

    def __init__(self, output: TextIO) -> None:
        self._output = output

    def lines(self, lines: Sequence[Line]) -> None:
        self._write(to_plain(lines))

    def markdown(self, text: str) -> None:
        self._write(printable(text).rstrip() + "\n")

    def waiting(self, names: StageNames) -> AbstractContextManager[Progress]:  # noqa: ARG002
        return nullcontext(Silence())

    def _write(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()


class RichScreen:
    """A terminal: markdown, links, and a spinner with the stage above which the answer grows."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def lines(self, lines: Sequence[Line]) -> None:
        for line in lines:
            self._console.print(*_wrapped(line, self._console), sep="\n")

    def markdown(self, text: str) -> None:
        from rich.markdown import Markdown

        self._console.print(Markdown(printable(text), code_theme="ansi_dark"))

    @contextmanager
    def waiting(self, names: StageNames) -> Iterator[Progress]:
        from rich.live import Live

        with Live(console=self._console, transient=True, refresh_per_second=10) as live:
            yield Growth(live, names)


def rich_console(output: TextIO) -> Console:
    """A console that takes every text as it is: no markup, no emoji codes, no guessed highlights."""
    from rich.console import Console
    from rich.theme import Theme

    # rich's own style for code stands on black, which a light terminal is not.
    theme = Theme({"markdown.code": "cyan", "markdown.code_block": "cyan"})
    return Console(file=output, markup=False, emoji=False, highlight=False, theme=theme)


class Silence:
    """Progress that nobody watches."""

    async def stage(self, stage: Stage) -> None:
        """Nothing is shown."""

    async def say(self, sentence: str) -> None:
        """Nothing is shown."""


class Growth:
    """Progress on a live display: the checked sentences so far, and the stage beneath them."""

    def __init__(self, live: Live, names: StageNames) -> None:
        from rich.spinner import Spinner

        self._live = live
        self._names = names
        self._said = ""
        self._spinner = Spinner("dots", text="")

    async def stage(self, stage: Stage) -> None:
        self._spinner.update(text=self._names[stage])
        self._draw()

    async def say(self, sentence: str) -> None:
        self._said += printable(sentence)
        self._draw()

    def _draw(self) -> None:
        from rich.console import Group

        self._live.update(Group(Tail(self._said), self._spinner) if self._said else self._spinner)


class Tail:
    """The last lines of a markdown text, as many as the terminal can show at once."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.markdown import Markdown
        from rich.segment import Segment

        rows = console.render_lines(
            Markdown(self._text, code_theme="ansi_dark"), options.update(height=None), pad=False
        )
        room = max(1, console.size.height - 2)  # the spinner's line, and the one the cursor stands on
        for row in rows[-room:]:
            yield from row
            yield Segment.line()


def _wrapped(line: Line, console: Console) -> Lines | list[Text]:
    """The line in as many rows as it takes, each as far in as the first one."""
    margin, rest = _text(line[:1]), _text(line[1:])
    if not re.fullmatch(MARGIN, margin.plain):
        return [_text(line)]
    rows = rest.wrap(console, max(1, console.width - margin.cell_len))
    further = margin if "│" in margin.plain else margin.blank_copy(" " * margin.cell_len)
    for number, row in enumerate(rows):
        row.rstrip()
        rows[number] = (further if number else margin) + row
    return rows


def _text(line: Line) -> Text:
    from rich.style import Style
    from rich.text import Text

    text = Text()
    for span in line:
        look = Style.parse(span.look) if span.look is not Look.PLAIN else Style()
        text.append(one_row(span.text), look + Style(link=span.link) if span.link else look)
    return text
