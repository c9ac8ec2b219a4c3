"""Settings: where they come from, and what a wrong one says."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import get_args

import pytest

from bot.settings import load_settings, terminal_locale
from retrieval.errors import ConfigurationError

SECRET = "AIza-never-shown"


@pytest.fixture(autouse=True)
def _no_settings_around(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in os.environ:
        if name.startswith("ORACULO_") or name in {"GEMINI_API_KEY", "LC_ALL", "LC_MESSAGES", "LANG"}:
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def config(folder: Path, text: str, name: str = "wiki.toml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def fault(file: Path | None) -> str:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(file)
    return str(caught.value)


def test_without_a_file_the_defaults_hold() -> None:
    settings = load_settings()
    assert settings.home == Path(".oraculo")
    assert settings.models_folder == Path(".oraculo/models")
    assert settings.database == Path(".oraculo/oraculo.sqlite")
    assert (settings.retrieval.top_k, settings.retrieval.floor, settings.retrieval.hybrid) == (8, 0.4, True)
    assert (settings.model.name, settings.model.api_key) == ("gemma-4-26b-a4b-it", None)


def test_the_file_of_the_working_folder_is_read_when_none_is_named(tmp_path: Path) -> None:
    config(tmp_path, "[retrieval]\nfloor = 0.25\n", "oraculo.toml")
    assert load_settings().retrieval.floor == 0.25


def test_the_environment_beats_the_file_and_the_command_line_beats_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = config(tmp_path, 'home = "a"\n[retrieval]\nfloor = 0.2\ntop_k = 3\n')
    monkeypatch.setenv("ORACULO_RETRIEVAL__FLOOR", "0.7")
    monkeypatch.setenv("ORACULO_HOME", "b")
    settings = load_settings(file)
    assert (settings.retrieval.floor, settings.retrieval.top_k, settings.home) == (0.7, 3, Path("b"))
    assert load_settings(file, Path("c")).home == Path("c")


def test_lists_and_tables_come_from_the_environment_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORACULO_SOURCES", '[{"path": "docs", "product": "Faro"}]')
    monkeypatch.setenv("ORACULO_ACCESS__CHANNELS", '{"C1": ["public", "member:faro"]}')
    settings = load_settings()
    assert [(source.path, source.product) for source in settings.sources] == [(Path("docs"), "Faro")]
    assert settings.access.channels == {"C1": {"public", "member:faro"}}


def test_the_key_of_google_is_read_and_ours_beats_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = config(tmp_path, f'[model]\napi_key = "{SECRET}"\nname = "other"\n')
    monkeypatch.setenv("GEMINI_API_KEY", "from-google")
    settings = load_settings(file)
    assert settings.model.api_key is not None
    assert settings.model.api_key.get_secret_value() == "from-google"
    assert settings.model.name == "other"
    monkeypatch.setenv("ORACULO_MODEL__API_KEY", "from-us")
    ours = load_settings(file).model.api_key
    assert ours is not None
    assert ours.get_secret_value() == "from-us"


def test_relative_paths_of_the_file_are_relative_to_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "conf"
    folder.mkdir()
    file = config(
        folder,
        'home = "../h"\n[embedding]\ncache = "models"\n[[sources]]\npath = "wiki"\n[[sources]]\npath = "/srv/wiki"\n',
    )
    settings = load_settings(file)
    assert [source.path for source in settings.sources] == [folder / "wiki", Path("/srv/wiki")]
    assert settings.home == tmp_path / "h"
    assert settings.models_folder == folder / "models"


def test_secrets_never_show_in_the_settings(tmp_path: Path) -> None:
    file = config(
        tmp_path,
        f'[model]\napi_key = "{SECRET}"\n[slack]\nbot_token = "{SECRET}"\n[discord]\ntoken = "{SECRET}"\n'
        f'[storage]\nurl = "postgresql://u:{SECRET}@h/d"\n',
    )
    settings = load_settings(file)
    assert SECRET not in repr(settings) + str(settings) + settings.model_dump_json()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[retrieval]\nfloor = 1.5", "retrieval.floor = 1.5: must be 1 or less; set a number from 0 to 1"),
        ("[retrieval]\nfloor = nan", "retrieval.floor = nan: is not a finite number; set a number from 0 to 1"),
        ("[retrieval]\ntop_k = 0", "retrieval.top_k = 0: must be 1 or more; set a whole number from 1 to 30"),
        ('[retrieval]\ntop_k = "x"', 'retrieval.top_k = "x": is not a whole number; set a whole number from 1 to 30'),
        ("[retrieval]\nhybrid = 3", "retrieval.hybrid = 3: is not true or false; set true or false"),
        ("[retrieval]\ntopk = 3", "retrieval.topk: there is no such setting; did you mean top_k?"),
        ("[retreival]\ntop_k = 3", "retreival: there is no such setting; did you mean retrieval?"),
        ("retrieval = 3", "retrieval: is not a table; set the settings of [retrieval] one by one"),
        ("[[sources]]\nproduct = 'A'", "sources[1].path: is missing; set the folder that holds the pages"),
        (
            "[[sources]]\npath = 'a'\n[[sources]]\npath = 'b'\nkind = 'wikki'",
            (
                'sources[2].kind = "wikki": is not a known value (did you mean "wiki"?);'
                " set one of wiki, worklog, briefing, fixed, auto"
            ),
        ),
        (
            "[[sources]]\npath = 'a'\nhref = 'https://w.example/{id}'",
            (
                'sources[1].href = "https://w.example/{id}": holds a placeholder other than {slug} and {path};'
                " set the address of a page, such as https://wiki.example/{slug}"
            ),
        ),
        (
            "[model]\nbase_url = 'ftp://x'",
            (
                'model.base_url = "ftp://x": is not an address that starts with http:// or https://;'
                " set an address such as https://gateway.example"
            ),
        ),
        ("locale = 'fr'", 'locale = "fr": is not a known value; set "es" or "en"'),
        (
            "[admins]\nusers = 'U1'",
            'admins.users = "U1": is not a list; set a list of user ids such as ["U0123ABCD"]',
        ),
    ],
)
def test_a_wrong_setting_is_one_line_with_its_name_its_fault_and_the_mend(tmp_path: Path, text: str, line: str) -> None:
    file = config(tmp_path, text)
    assert fault(file) == f"{file}: {line}"


def test_each_wrong_setting_has_its_line(tmp_path: Path) -> None:
    file = config(tmp_path, "[retrieval]\nfloor = 2\n[embedding]\nthreads = 0\n")
    assert len(fault(file).splitlines()) == 2


@pytest.mark.parametrize(
    "text",
    [
        f'[model]\napi_kee = "{SECRET}"',
        f'[slack]\nbot_token = ["{SECRET}"]',
        f'model = "{SECRET}"',
        f'[storage]\nurl = "mysql://u:{SECRET}@h/d"',
        f'[model]\nbase_url = "ftp://u:{SECRET}@h"',
        f'[discord]\ntoken = {{a = "{SECRET}"}}',
        f'[model]\napi_key = "{SECRET}',
    ],
)
def test_a_fault_never_shows_a_secret(tmp_path: Path, text: str) -> None:
    assert SECRET not in fault(config(tmp_path, text))


@pytest.mark.parametrize(
    ("variable", "value", "line"),
    [
        ("ORACULO_RETRIEVAL__FLOOR", "abc", 'retrieval.floor = "abc": is not a number; set a number from 0 to 1'),
        ("ORACULO_RETRIEVAL__FLOR", "0.1", "retrieval.flor: there is no such setting; did you mean floor?"),
        (
            "ORACULO_SOURCES",
            "docs",
            "sources: is not a list; set [[sources]] tables, each with a path (written as JSON)",
        ),
    ],
)
def test_a_wrong_variable_is_named(variable: str, value: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, value)
    assert fault(None) == f"{variable}: {line}"


def test_a_variable_of_an_unknown_section_is_refused_with_a_near_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORACULO_RETREIVAL__FLOOR", "0.1")
    assert fault(None) == "ORACULO_RETREIVAL__FLOOR: there is no section [retreival]; did you mean retrieval?"


def test_variables_that_other_programs_set_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORACULO_PORT_8080_TCP_ADDR", "10.0.0.1")
    assert load_settings().retrieval.top_k == 8


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[model", "is not valid TOML"),
        (b"name = '\xff'", "is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "wiki.toml"
    file.write_bytes(content)
    line = fault(file)
    assert line.startswith(f"{file}: {words}")
    assert "\n" not in line


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "there is no such file" in fault(tmp_path / "none.toml")


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "wiki.toml"
    file.write_bytes(b"\xef\xbb\xbf[retrieval]\nfloor = 0.3\n")
    assert load_settings(file).retrieval.floor == 0.3


@pytest.mark.parametrize(
    ("variables", "setting", "locale"),
    [
        ({}, "", "es"),
        ({"LANG": "C"}, "", "es"),
        ({"LANG": "en_GB.UTF-8"}, "", "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "es_MX.UTF-8"}, "", "es"),
        ({"LANG": "es_ES", "LC_MESSAGES": "en_US"}, "", "en"),
        ({"LANG": "en_US", "LC_ALL": ""}, "", "en"),
        ({"LANG": "fr_FR.UTF-8"}, "", "es"),
        ({"LANG": "en_US"}, 'locale = "es"', "es"),
    ],
)
def test_the_language_is_the_setting_or_the_terminals(
    variables: dict[str, str], setting: str, locale: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert terminal_locale(load_settings(config(tmp_path, setting))) == locale


@pytest.fixture
def example() -> str:
    return (Path(__file__).parents[2] / "deploy" / "oraculo.example.toml").read_text(encoding="utf-8")


def test_the_example_file_changes_nothing_but_the_sources(tmp_path: Path, example: str) -> None:
    written, default = load_settings(config(tmp_path, example)), load_settings()
    assert [source.path for source in written.sources] == [tmp_path / "docs"]
    assert written.home == tmp_path / ".oraculo"
    assert written.model_copy(update={"sources": (), "home": default.home}) == default


def test_the_example_file_shows_every_setting_with_a_value_it_can_take(tmp_path: Path, example: str) -> None:
    shown = load_settings(config(tmp_path, re.sub(r"(?m)^# (?=\w+ = )", "", example)))
    for name, field in type(shown).model_fields.items():
        assert name in shown.model_fields_set, name
        for model in (field.annotation, *get_args(field.annotation)):
            for setting in getattr(model, "model_fields", {}):
                value = getattr(shown, name)
                section = value[0] if isinstance(value, tuple) else value
                assert setting in section.model_fields_set, f"{name}.{setting}"


def test_the_demo_indexes_the_wiki_that_ships() -> None:
    deploy = Path(__file__).parents[2] / "deploy"
    settings = load_settings(deploy / "demo.toml")
    assert [source.path.resolve() for source in settings.sources] == [deploy / "wiki"]
    assert settings.home.resolve() == deploy.parent / ".oraculo"
