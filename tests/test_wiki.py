"""The wiki that ships is the manual and the demo's corpus: what it says must be there."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, get_args

import click
import frontmatter
import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from bot.cli import COMMANDS, cli
from bot.settings import Settings
from retrieval.ingest.parse import ParsedPage, TitleIndex, parse
from retrieval.ingest.sources import Fault, Source, read_sources
from retrieval.types import Status

ROOT = Path(__file__).parents[1]
WIKI = ROOT / "deploy" / "wiki"
PAGES = sorted(WIKI.rglob("*.md"))
KINDS = {"wiki", "worklog", "briefing", "fixed", "auto"}
LONGEST_WORDS = 750  # a page that needs more is two pages

CODE = re.compile(r"```[a-z]*\n(.*?)```|(?<!`)`([^`\n]+)`", re.DOTALL)
CALL = re.compile(r"^(?:.*\|\s*)?(?:\S*/)?oraculo(?:[^\S\n]+(.*))?$", re.MULTILINE)
LISTED = re.compile(r"^- `oraculo (\w+)`(.*)$", re.MULTILINE)
OPTION = re.compile(r"`(--[\w-]+)`")
EVERYWHERE = {"--config", "--home", "--keys", "--json", "--help"}  # told once, for all commands
BULLET = re.compile(r"^- `(\w+)`:", re.MULTILINE)

pages = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(WIKI).as_posix())


def parsed_pages() -> tuple[list[ParsedPage], list[Fault]]:
    faults: list[Fault] = []
    parsed = [parse(raw) for raw in read_sources((Source(path=WIKI),), faults.append)]
    return parsed, faults + [fault for page in parsed for fault in page.faults]


def calls(text: str) -> Iterator[list[str]]:
    """Every `oraculo ...` that the text quotes as code, as its arguments."""
    for block, span in CODE.findall(text):
        for call in CALL.findall(block or span):
            yield shlex.split(call.replace("…", ""), comments=True)


def sections() -> Iterator[tuple[str, type[BaseModel]]]:
    """The tables of oraculo.toml by name, the general one as an empty name."""
    yield "", Settings
    for name, field in Settings.model_fields.items():
        for section in models_in(field.annotation):
            yield name, section


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from models_in(part)


def plain_fields(section: type[BaseModel]) -> dict[str, FieldInfo]:
    if section is not Settings:
        return section.model_fields
    return {name: field for name, field in Settings.model_fields.items() if not list(models_in(field.annotation))}


def settings_table() -> str:
    """The table of indice-de-ajustes.md, made from the settings themselves."""
    rows = ["| Ajuste | Variable de entorno | Por defecto |", "|---|---|---|"]
    for name, section in sections():
        for setting, field in plain_fields(section).items():
            if name == "sources":
                place, variable = f"[[sources]] {setting}", "—"
            else:
                place = f"{name}.{setting}".lstrip(".")
                variable = f"`ORACULO_{place.upper().replace('.', '__')}`"
            rows.append(f"| `{place}` | {variable} | {shown_default(field)} |")
    return "\n".join(rows)


def shown_default(field: FieldInfo) -> str:
    if field.is_required():
        return "obligatorio"
    default = field.default
    if default is PydanticUndefined or default in (None, "", (), frozenset()):
        return "—"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def test_the_wiki_has_enough_pages_in_both_languages() -> None:
    languages = Counter(frontmatter.load(str(path)).metadata["language"] for path in PAGES)
    assert len(PAGES) >= 25
    assert set(languages) == {"es", "en"}
    assert languages["es"] > languages["en"] >= 5


@pages
def test_a_page_has_valid_front_matter(path: Path) -> None:
    metadata = frontmatter.load(str(path)).metadata
    assert isinstance(metadata["title"], str)
    assert isinstance(metadata["product"], str)
    assert metadata["kind"] in KINDS
    assert metadata["status"] in set(Status)
    assert type(metadata["updated"]) is date
    assert all(isinstance(tag, str) for tag in metadata["tags"])  # type: ignore[attr-defined]
    assert set(metadata) <= {"title", "product", "kind", "status", "updated", "language", "tags"}


@pages
def test_a_page_is_no_longer_than_it_needs(path: Path) -> None:
    words = frontmatter.load(str(path)).content.split()
    assert 50 < len(words) <= LONGEST_WORDS


def test_titles_are_unique() -> None:
    titles = Counter(frontmatter.load(str(path)).metadata["title"] for path in PAGES)
    assert [title for title, count in titles.items() if count > 1] == []


def test_the_ingest_finds_no_fault_in_the_wiki() -> None:
    parsed, faults = parsed_pages()
    assert faults == []
    assert len(parsed) == len(PAGES)
    assert all(page.readable for page in parsed)


def test_every_wikilink_leads_to_a_page() -> None:
    parsed, _ = parsed_pages()
    titles = TitleIndex((page.page.doc_id, page.page.title) for page in parsed)
    links = [(page.page.doc_id, link) for page in parsed for link in page.links]
    assert len(links) > len(PAGES)
    assert [(page, link) for page, link in links if titles.title_of(link) is None] == []


@pytest.mark.parametrize("path", [*PAGES, ROOT / "README.md", ROOT / "CHANGELOG.md"], ids=lambda path: path.stem)
def test_every_command_named_exists_with_its_options(path: Path) -> None:
    for arguments in calls(path.read_text(encoding="utf-8")):
        check_call(arguments)


@pytest.mark.parametrize("name", ["manual/linea-de-ordenes.md", "guide/command-line.md"])
def test_the_options_listed_with_a_command_are_its_own(name: str) -> None:
    for command, told in LISTED.findall((WIKI / name).read_text(encoding="utf-8")):
        check_call([command, *(word for option in OPTION.findall(told) for word in (option, "value"))])


@pytest.mark.parametrize("name", ["manual/linea-de-ordenes.md", "guide/command-line.md"])
def test_every_option_is_listed_with_its_command(name: str) -> None:
    text = (WIKI / name).read_text(encoding="utf-8")
    listed = {command: set(OPTION.findall(told)) for command, told in LISTED.findall(text)}
    for command in COMMANDS:
        parameters = cli.get_command(click.Context(cli), command).params
        own = {option for parameter in parameters if isinstance(parameter, click.Option) for option in parameter.opts}
        missing = {option for option in own if option.startswith("--")} - EVERYWHERE - listed.get(command, set())
        assert not missing, f"{name} does not list {missing} of {command}"
    assert all(option in text for option in EVERYWHERE - {"--help"})


def check_call(arguments: list[str]) -> None:
    command: click.Command = cli
    rest = iter(arguments)
    for argument in rest:
        if argument.startswith("--"):
            option = option_of(command, argument)
            if not option.is_flag:
                next(rest, None)
        elif isinstance(command, click.Group):
            found = command.get_command(click.Context(command), argument)
            assert found, f"there is no command {argument}: {arguments}"
            command = found


def option_of(command: click.Command, name: str) -> click.Option:
    options = [option for option in command.params if isinstance(option, click.Option) and name in option.opts]
    if name == "--help":
        return click.Option(["--help"], is_flag=True)
    assert options, f"{command.name} has no option {name}"
    return options[0]


def test_every_setting_is_told_and_every_setting_told_exists() -> None:
    text = (WIKI / "manual" / "ajustes.md").read_text(encoding="utf-8")
    general = text.split("## Ajustes generales", 1)[1].split("\n## ", 1)[0]
    told = {"": set(BULLET.findall(general))}
    for part in text.split("\n## ")[1:]:
        if named := re.match(r".*`\[+(\w+)\]+`\n", part):
            told[named[1]] = set(BULLET.findall(part))
    existing = {name: set(plain_fields(section)) for name, section in sections()}
    assert told == existing


def test_the_table_of_settings_is_the_one_the_settings_give() -> None:
    page = frontmatter.load(str(WIKI / "manual" / "indice-de-ajustes.md"))
    assert page.metadata["kind"] == "auto"
    assert settings_table() in page.content, f"paste this table into the page:\n{settings_table()}"
