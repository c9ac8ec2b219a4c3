"""Which people, places and tags a text mentions. The names are made up of common words, for nobody in particular."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.entities import Entity, EntityNames
from retrieval.entities_file import read_entities
from retrieval.errors import ConfigurationError

FILE = """
people:
  "Ana Ruiz": [Anita, papá, "my dad", AR]
  "Ana Ruiz Soler": []
  "Bruno Peña": Bruno
  "Como": [la comunera]
places:
  - Villa Alta
  - "A Coruña"
  - D1
proyectos:
  "migrate_d1": ["C++", "Node.js"]
"""


@pytest.fixture
def names(tmp_path: Path) -> EntityNames:
    path = tmp_path / "entities.yaml"
    path.write_text(FILE, encoding="utf-8")
    front_matter = [
        Entity("anita", "person"),
        Entity("villa alta", "place"),
        Entity("incidente", "tags"),
        Entity("alta-disponibilidad", "tags"),
        Entity("luz", "tags"),
        Entity("policies", "tags"),
        Entity("papa", "tags"),
        Entity("TI", "tags"),
        Entity("ia", "tags"),
        Entity("para", "tags"),
    ]
    return EntityNames([*read_entities(path), *front_matter])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("¿Qué dijo Ana Ruiz?", ["Ana Ruiz"]),
        ("que dijo ANA RUIZ", ["Ana Ruiz"]),
        ("Ana Ruiz's notes", ["Ana Ruiz"]),
        ("Ana Ruiz’s notes", ["Ana Ruiz"]),
        ("ana-ruiz", ["Ana Ruiz"]),
        ("where is my dad today", ["Ana Ruiz"]),
        ("¿dónde está papá?", ["Ana Ruiz", "papa"]),
        ("la receta de papas", ["papa"]),
        ("Ana Ruiz Soler", ["Ana Ruiz Soler"]),
        ("Ana. Ruiz", []),
        ("Anabel Ruizal", []),
        ("AR firmó", ["Ana Ruiz"]),
        ("ar firmó", []),
        ("Bruno y Bruno Pena y bruno peña", ["Bruno Peña"]),
        ("Bruno llamó a Anita", ["Bruno Peña", "Ana Ruiz"]),
        ("¿Cómo se hace?", []),
        ("como se hace", []),
        ("el informe de Como", ["Como"]),
        ("en villa alta", ["Villa Alta"]),
        ("en A Coruña", ["A Coruña"]),
        ("el error D1", ["D1"]),
        ("d1", ["D1"]),
        ("D10", []),
        ("migrate_d1 falla", ["migrate_d1"]),
        ("en C++ o node.js", ["migrate_d1"]),
        ("los incidentes de ayer", ["incidente"]),
        ("Incidentes", ["incidente"]),
        ("sistemas de altas disponibilidades", ["alta-disponibilidad"]),
        ("alta disponibilidad", ["alta-disponibilidad"]),
        ("#alta-disponibilidad", ["alta-disponibilidad"]),
        ("luces y sombras", ["luz"]),
        ("a policy", ["policies"]),
        ("el equipo de TI", ["TI"]),
        ("te lo digo a ti", []),
        ("la ia", []),
        ("un regalo para mí", []),
        ("", []),
        ("¿?", []),
    ],
)
def test_names_are_found_whole_folded_and_longest_first(names: EntityNames, text: str, expected: list[str]) -> None:
    assert list(names.names_in(text)) == expected


def test_an_alias_of_two_is_both() -> None:
    names = EntityNames([Entity("Ana Ruiz", "people", ("Ana",)), Entity("Ana Soler", "people", ("Ana",))])
    assert names.names_in("¿Qué dijo Ana?") == ("Ana Ruiz", "Ana Soler")


def test_a_name_that_is_anothers_alias_is_no_entity_of_its_own_but_of_another_kind_it_is() -> None:
    person = Entity("Ana Ruiz", "people", ("Olmo",))
    assert EntityNames([Entity("olmo", "persona"), person]).names_in("Olmo") == ("Ana Ruiz",)
    assert EntityNames([Entity("olmo", "tags"), person]).names_in("Olmo") == ("Ana Ruiz", "olmo")


def test_names_of_scripts_without_spaces_are_found_inside_a_sentence() -> None:
    assert EntityNames([Entity("東京都", "places")]).names_in("私は東京都に住む") == ("東京都",)


def test_no_names_and_no_file_find_nothing(tmp_path: Path) -> None:
    assert EntityNames([]).names_in("Ana Ruiz") == ()
    assert read_entities(tmp_path / "entities.yaml") == ()


def test_yaml_values_stay_the_names_they_are(tmp_path: Path) -> None:
    path = tmp_path / "entities.yaml"
    path.write_text("proyectos:\n  2024: [No tocar, 007]\n  Yes:\n", encoding="utf-8")
    assert read_entities(path) == (
        Entity("2024", "proyectos", ("No tocar", "007")),
        Entity("Yes", "proyectos"),
    )


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("- Ana Ruiz\n", "line 1: the file is no mapping"),
        ("people: Ana Ruiz\n", "line 1: `people` is no mapping"),
        ("people:\n  Ana Ruiz:\n    alias: Anita\n", "line 3: a name is no text"),
        ("people:\n  Ana Ruiz: [ab]\n", "line 2: the name 'ab' is too short"),
        ("people:\n  Ana Ruiz: [para]\n", "line 2: the name 'para' is too short or too common"),
        ("people:\n  Ana Ruiz: ['+++']\n", "line 2: the name '+++' is too short"),
        ("people:\n  Ana Ruiz: [[Anita]]\n", "line 2: a name is no text"),
        ("people:\n  'Ana: [Anita]\n", "line "),
        ("people: *nobody\n", "line 1: "),
        ("{" * 5000, ""),
        ("\ud800", "it is not UTF-8"),
    ],
)
def test_a_bad_file_is_one_line_with_its_fault_and_the_mend(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "entities.yaml"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(ConfigurationError) as caught:
        read_entities(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: {told}")
    assert len(message.splitlines()) == 1
    assert "; " in message


def test_a_folder_in_the_files_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_entities(tmp_path)


words = st.text(st.characters(categories=["Ll", "Lu", "Nd"]), min_size=3, max_size=12)
phrases = st.lists(words, min_size=1, max_size=3).map(" ".join)


@given(
    st.lists(st.builds(Entity, phrases, st.sampled_from(["people", "tags", "otro"])), max_size=20), st.text(max_size=80)
)
def test_any_names_and_any_text_go_together(entities: list[Entity], text: str) -> None:
    known = {entity.name for entity in entities}
    found = EntityNames(entities).names_in(text)
    assert set(found) <= known
    assert len(set(found)) == len(found)


@given(
    phrases.filter(lambda name: not name.islower()),
    st.sampled_from(["{}", "¿Qué dijo {}?", "(“{}”)", "x, {}’s", "#{}"]),
)
def test_a_name_is_found_in_whatever_sentence_it_stands(name: str, sentence: str) -> None:
    assert EntityNames([Entity(name, "people")]).names_in(sentence.format(name)) == (name,)


def test_ten_thousand_names_are_told_apart() -> None:
    entities = [Entity(f"Proyecto {number} norte", "proyectos", (f"pn{number}",)) for number in range(10_000)]
    names = EntityNames(entities)
    assert names.names_in("¿Qué pasó con el proyecto 4321 norte y con PN77?") == (
        "Proyecto 4321 norte",
        "Proyecto 77 norte",
    )
