"""Writes markdown from the events of a document, with whatever would pass for markup escaped."""

from __future__ import annotations

import re

from retrieval.ingest.table_gatherer import TableGatherer

_SPACE = re.compile(r"\s+")
_SPECIAL = re.compile(r"([\\`*_\[\]<>&~|{])")
_BLOCK_START = re.compile(r"^(?:([#+=-])|(\d{1,9})([.)]))", re.MULTILINE)
_BACKTICKS = re.compile("`+")
_LINE_END = "\n"
_BREAK = "\\\n"


def escaped(text: str) -> str:
    """Escape what markdown would take for markup within a line."""
    return _SPECIAL.sub(r"\\\1", text)


class MarkdownWriter:
    """Takes the blocks of a document one after the other. What is never closed ends with the document."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._run: list[str] = []
        self._prefix = ""
        self._code = 0
        self._lists: list[int | None] = []
        self._link: tuple[int, int, str] | None = None
        self._table = TableGatherer()

    def markdown(self) -> str:
        self.end_block()
        return "\n\n".join(self._blocks)

    def words(self, text: str) -> None:
        """Take the document's own text."""
        self._run.append(text if self._code else escaped(_SPACE.sub(" ", text)))

    def text(self, markdown: str) -> None:
        self._run.append(markdown)

    def line_break(self) -> None:
        self._run.append("\n" if self._code else _BREAK)

    def end_block(self) -> None:
        """Write the block that stands so far."""
        text = "".join(self._run)
        self._run.clear()
        block = self._code_block(text) if self._code else _paragraph(text)
        if not block:
            return
        in_heading = self._prefix.startswith("#")
        self._blocks.append(self._prefix + block)
        self._table.take(self._prefix + block.replace(_BREAK, " "), fits_a_cell=not in_heading and not self._code)
        self._prefix = ""

    def _code_block(self, text: str) -> str:
        if not text.strip():
            return ""
        if self._prefix.startswith("#"):
            self._prefix = ""  # no heading holds code
        longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}\n{text.strip(_LINE_END)}\n{fence}".replace("\n", "\n" + " " * len(self._prefix))

    def open_heading(self, level: int) -> None:
        self.end_block()
        self._prefix = "#" * level + " "

    def open_list(self, *, ordered: bool) -> None:
        self.end_block()
        self._lists.append(0 if ordered else None)

    def open_item(self) -> None:
        self.end_block()
        number = self._lists[-1] if self._lists else None
        if number is not None:
            number = self._lists[-1] = number + 1
        self._prefix = "- " if number is None else f"{number}. "

    def close_list(self) -> None:
        self.end_block()
        if self._lists:
            self._lists.pop()

    def open_code(self) -> None:
        self.end_block()
        self._code += 1

    def close_code(self) -> None:
        self.end_block()
        self._code = max(0, self._code - 1)

    def open_link(self, target: str) -> None:
        self._link = (len(self._blocks), len(self._run), target)

    def close_link(self) -> None:
        """Link what was written since, if it stands in one block."""
        link, self._link = self._link, None
        if link is None or self._code or link[0] != len(self._blocks) or not link[2].strip():
            return
        label = "".join(self._run[link[1] :]).strip()
        if label:
            self._run[link[1] :] = [f"[{label}]({_target(link[2])})"]

    def image(self, alternative: str, address: str) -> None:
        if alternative.strip() and not self._code:
            target = "" if address.startswith("data:") else _target(address)
            self._run.append(f"![{escaped(' '.join(alternative.split()))}]({target})")

    def open_table(self) -> None:
        self.end_block()
        self._table.open(len(self._blocks))

    def open_cell(self) -> None:
        self.end_block()
        self._table.cell()

    def close_row(self) -> None:
        self.end_block()
        self._table.row()

    def close_table(self) -> None:
        self.end_block()
        written = self._table.close()
        if written is not None:
            first, table = written
            self._blocks[first:] = [table]


def _paragraph(text: str) -> str:
    lines = (_SPACE.sub(" ", line).strip() for line in text.split(_BREAK))
    return _BLOCK_START.sub(_escaped_start, _BREAK.join(line for line in lines if line))


def _escaped_start(found: re.Match[str]) -> str:
    mark, number, after = found.groups()
    return f"\\{mark}" if mark else f"{number}\\{after}"


def _target(address: str) -> str:
    """Give an address as a link's target."""
    bare = address.strip().replace("\\", "%5C").replace("<", "%3C").replace(">", "%3E")
    return f"<{_SPACE.sub('%20', bare)}>" if re.search(r"[\s()]", bare) else bare
