"""What reaches the terminal, byte by byte."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.console.screen import PlainScreen, RichScreen, rich_console, stage_names
from bot.console.spans import Look, Span
from bot.messages import Stage
from bot.texts import FluentTexts
from bot.texts.voice import Voice

NAMES = stage_names(Voice(FluentTexts(), "es"))
# What rich itself writes: styles, links with web addresses, and the cursor's movements of the live display.
RICH = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^;\x1b]*;[^\x1b\x07]*\x1b\\|\x1b\[\?25[lh]|\x1b\[\d*[AK]")
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Shown(io.StringIO):
    """An output that says it is a terminal."""

    def isatty(self) -> bool:
        return True

    @property
    def text(self) -> str:
        return RICH.sub("", self.getvalue())


@pytest.fixture
def output(monkeypatch: pytest.MonkeyPatch) -> Shown:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "10")
    return Shown()


@given(
    st.text(st.characters(exclude_categories=())) | st.text(st.sampled_from("\x1b[]8;;hm\x07\x9b\\`*_#>|<!&x27;()\n "))
)
def test_no_text_drives_the_terminal(text: str) -> None:
    shown = Shown()
    screen = RichScreen(rich_console(shown))
    screen.markdown(text)
    screen.lines([(Span(text, Look.TITLE), Span("x")), (Span("    "), Span(text))])
    assert not CONTROLS.search(shown.text.replace("\r", ""))


def test_markup_of_rich_is_text_like_any_other(output: Shown) -> None:
    screen = RichScreen(rich_console(output))
    screen.lines([(Span("[bold red]x[/] :smile: [link=https://e.example]y[/link]"),)])
    assert "[bold red]x[/] :smile:" in output.text


def test_markdown_is_rendered_and_its_links_can_be_opened(output: Shown) -> None:
    RichScreen(rich_console(output)).markdown("Una **negrita** y [un enlace](https://wiki.example/a) [1].")
    assert "Una negrita y un enlace [1]." in output.text
    assert "https://wiki.example/a" in output.getvalue()


def test_what_wraps_stands_as_far_in_as_its_line(output: Shown) -> None:
    words = "uno dos tres cuatro cinco seis siete ocho"
    screen = RichScreen(rich_console(output))
    screen.lines([(Span("    "), Span(words)), (Span("[1] "), Span(words)), (Span("    │ "), Span(words))])
    rows = [row.rstrip() for row in output.text.splitlines()]
    assert rows == [
        "    uno dos tres cuatro cinco seis siete",
        "    ocho",
        "[1] uno dos tres cuatro cinco seis siete",
        "    ocho",
        "    │ uno dos tres cuatro cinco seis",
        "    │ siete ocho",
    ]


async def test_the_answer_grows_above_the_stage_and_leaves_nothing_behind(output: Shown) -> None:
    screen = RichScreen(rich_console(output))
    with screen.waiting(NAMES) as progress:
        await progress.stage(Stage.SEARCHING)
        await progress.say("La primera frase [1].")
        await progress.stage(Stage.WRITING)
        await progress.say(" La segunda\x1b[2J.")
    screen.markdown("El final.")
    assert "La primera frase [1]." in output.text
    assert "\x1b[2J" not in output.getvalue()
    assert output.getvalue().rstrip().endswith("El final.")


async def test_a_long_answer_grows_within_the_terminal(output: Shown) -> None:
    with RichScreen(rich_console(output)).waiting(NAMES) as progress:
        await progress.say("\n\n".join(f"Párrafo {number}." for number in range(50)))
        await progress.stage(Stage.WRITING)
    assert "Párrafo 49." in output.text
    assert "Párrafo 40." not in output.text


async def test_a_plain_screen_writes_whole_answers_alone() -> None:
    output = io.StringIO()
    screen = PlainScreen(output)
    with screen.waiting(NAMES) as progress:
        await progress.stage(Stage.SEARCHING)
        await progress.say("Una frase.")
    assert output.getvalue() == ""
    screen.markdown("**Todo** el texto.\n\n")
    assert output.getvalue() == "**Todo** el texto.\n"
