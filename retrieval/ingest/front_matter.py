"""Front matter: found, read, and failing closed where a page may have meant to be hidden.

The block is cut off here and not by a library, because what a library forgives (a block that is never closed, a key
given twice, one that is nearly `visibility`) would publish a page its author wanted kept. PyYAML reads the block.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from retrieval.ingest.yaml_fields import NotAMapping, UnreadableYaml, Value, normalised_key, read_yaml

_OPENING = re.compile(r"[\s\ufeff\u200b]*+(?P<fence>-{3,}+|\+{3,}+)[^\S\n]*+(?:\n|\Z)")
_CLOSING = re.compile(r"^(?:-{3,}+|\.{3})[^\S\n]*+$", re.MULTILINE)
_DASHES = re.compile(r"^-{3,}+[^\S\n]*+$", re.MULTILINE)
_TOML_CLOSING = re.compile(r"^\+{3,}+[^\S\n]*+$", re.MULTILINE)

# YAML ends lines at these too.
_LINE_ENDS = r"\r\n\v\f\x85\u2028\u2029"
_LINE_START = rf"(?:^|(?<=[{_LINE_ENDS}]))"
_BLANKS = r"[ \t\u00a0\u200b\ufeff]*+"
_FLAGS = re.MULTILINE | re.IGNORECASE
_MENTIONS_VISIBILITY = re.compile(
    rf"""{_LINE_START}(?:[^\w{_LINE_ENDS}]|_)*+visibility|[{{,][^\S\n]*+["']?visibility["']?[^\S\n]*+:""", _FLAGS
)
# One word after the colon: prose about visibility has more.
_SETS_VISIBILITY = re.compile(
    rf"""{_LINE_START}{_BLANKS}["']?visibility["']?{_BLANKS}[:=]{_BLANKS}[^\s#]++{_BLANKS}(?:#[^\n]*+)?(?=[{_LINE_ENDS}]|\Z)""",
    _FLAGS,
)
_FIRST_FIELD = re.compile(r"""(?:\s|^\#[^\n]*+)*+(?:["']?[\w .-]{1,40}+["']?[^\S\n]*+:(?:\s|\Z)|[{\[&?!%-])""", _FLAGS)
_BLANK_LINE = re.compile(r"\n[^\S\n]*+\n")
_HEAD_CHARACTERS = 2_000

_VISIBILITY = "visibility"
_NEAR = 0.75
"""`visibilty` and `visibilidad` are this near to `visibility`; `visible` is not."""
_LONGEST_NEAR_KEY = 20


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A page's fields by normalised key, and where its body starts.

    `faults` say what was wrong and its mend; with `withheld` the page must not be indexed.
    """

    fields: Mapping[str, Value] = field(default_factory=dict)
    body_start: int = 0
    faults: tuple[str, ...] = ()
    withheld: bool = False


def read_front_matter(text: str) -> FrontMatter:
    """Split and read the front matter of a decoded page."""
    opening = _OPENING.match(text)
    if opening is None:
        return _without(text)
    toml = opening["fence"].startswith("+")
    closing = (_TOML_CLOSING if toml else _CLOSING).search(text, opening.end())
    if closing is None:
        return _never_closed(text)
    block = text[opening.end() : closing.start()]
    body_start = min(closing.end() + 1, len(text))
    if toml:
        return _unreadable("it is TOML; write it as YAML between lines of ---", block, body_start)
    if closing.group().startswith(".") and _sets_visibility_before_dashes(text, body_start):
        return _withheld("front matter ends at `...` but a visibility follows; close it with ---", body_start)
    return _read_block(block, body_start)


def _read_block(block: str, body_start: int) -> FrontMatter:
    try:
        read = read_yaml(block)
    except UnreadableYaml as error:
        return _unreadable(str(error), block, body_start, text_between_rules=_is_text(error, block))
    if _VISIBILITY in read.deeper and _VISIBILITY not in read.fields:
        return _withheld("`visibility` stands inside another field; give it a line of its own", body_start)
    return _checked(read.fields, body_start, read.repeated)


def fields_of(metadata: Mapping[str, object]) -> FrontMatter:
    """Read a record's other keys as front matter."""
    fields: dict[str, Value] = {}
    for key, value in metadata.items():
        if isinstance(value, list | tuple):
            fields[normalised_key(key)] = tuple(
                str(item).strip() for item in value if isinstance(item, str | int | float)
            )
        else:
            fields[normalised_key(key)] = str(value).strip() if isinstance(value, str | int | float) else None
    return _checked(fields, 0, ())


def _without(text: str) -> FrontMatter:
    head = text[:_HEAD_CHARACTERS].lstrip()
    end = _DASHES.search(head) or _BLANK_LINE.search(head)
    if _SETS_VISIBILITY.search(head, 0, end.start() if end else len(head)):
        return _withheld("its first lines set a visibility outside front matter; put them between lines of ---", 0)
    return FrontMatter()


def _never_closed(text: str) -> FrontMatter:
    if _SETS_VISIBILITY.search(text):
        return _withheld("front matter is never closed and sets a visibility; close it with a line of ---", 0)
    # A page may well begin with a rule.
    return FrontMatter()


def _sets_visibility_before_dashes(text: str, start: int) -> bool:
    dashes = _DASHES.search(text, start)
    return dashes is not None and _SETS_VISIBILITY.search(text, start, dashes.start()) is not None


def _is_text(error: UnreadableYaml, block: str) -> bool:
    """Tell whether a block between two rules is a part of the page and no front matter at all."""
    return isinstance(error, NotAMapping) or _FIRST_FIELD.match(block) is None


def _unreadable(why: str, block: str, body_start: int, text_between_rules: bool = False) -> FrontMatter:
    if _MENTIONS_VISIBILITY.search(block):
        return _withheld(f"front matter with a visibility cannot be read: {why}", body_start)
    if text_between_rules:
        return FrontMatter(faults=(f"front matter cannot be read and is indexed as text: {why}",))
    return FrontMatter(body_start=body_start, faults=(f"front matter cannot be read, its fields are left out: {why}",))


def _withheld(why: str, body_start: int) -> FrontMatter:
    return FrontMatter(body_start=body_start, faults=(f"withheld: {why}",), withheld=True)


def _checked(fields: dict[str, Value], body_start: int, repeated: tuple[str, ...]) -> FrontMatter:
    if _VISIBILITY in repeated:
        return _withheld("`visibility` is given twice; keep one", body_start)
    near = next((key for key in fields if _looks_like_visibility(key)), None)
    if near is not None and _VISIBILITY not in fields:
        return _withheld(f"`{near}` looks like `visibility`; write it that way, or rename it", body_start)
    faults = tuple(f"`{key}` is given twice and the last one counts; keep one" for key in dict.fromkeys(repeated))
    return FrontMatter(fields, body_start, faults)


def _looks_like_visibility(key: str) -> bool:
    return len(key) <= _LONGEST_NEAR_KEY and difflib.SequenceMatcher(None, key, _VISIBILITY).ratio() >= _NEAR
