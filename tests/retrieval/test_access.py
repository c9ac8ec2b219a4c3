"""Who may see what, as the design's table has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.access import VISIBILITIES, page_keys, readable
from retrieval.types import PUBLIC

ANA, DATOS, ES = "ana", "datos", "es-madrid"

GOLDEN = [
    # (visibility, project, author, chapter, the source's default), keys
    ((None, "", "", "", "public"), {"public"}),
    (("public", "", "", "", "private"), {"public"}),
    (("public", DATOS, ANA, "", "public"), {"public"}),
    (("public", DATOS, ANA, ES, "public"), {"public", "chapter:es-madrid"}),
    (("circle", DATOS, "", "", "public"), {"member:datos", "coauthor:datos"}),
    (("circle", DATOS, ANA, "", "public"), {"member:datos", "coauthor:datos", "user:ana"}),
    (("circle", DATOS, ANA, ES, "public"), {"member:datos", "coauthor:datos", "user:ana", "chapter:es-madrid"}),
    (("circle", "", "", "", "public"), None),
    (("circle", "", ANA, "", "public"), None),
    (("circle", "", "", ES, "public"), None),
    (("intimate", DATOS, ANA, ES, "public"), {"coauthor:datos", "user:ana"}),
    (("intimate", DATOS, "", "", "public"), {"coauthor:datos"}),
    (("intimate", "", ANA, "", "public"), {"user:ana"}),
    (("intimate", "", "", ES, "public"), None),
    (("private", DATOS, ANA, ES, "public"), {"user:ana"}),
    (("private", DATOS, "", ES, "public"), None),
    ((None, DATOS, ANA, "", "circle"), {"member:datos", "coauthor:datos", "user:ana"}),
    ((None, "", "", "", "circle"), None),
    ((None, "", ANA, "", "private"), {"user:ana"}),
    ((None, "", "", "", "secreto"), None),
    (("secreto", DATOS, ANA, ES, "public"), None),
    (("", DATOS, ANA, ES, "public"), None),
    ((" Private ", "", ANA, "", "public"), {"user:ana"}),
    (("PUBLIC", "", "", "", "private"), {"public"}),
    (("circle", "  ", ANA, "", "public"), None),
]


@pytest.mark.parametrize(("fields", "keys"), GOLDEN)
def test_a_page_carries_the_keys_of_its_visibility(
    fields: tuple[str | None, str, str, str, str], keys: set[str] | None
) -> None:
    visibility, project, author, chapter, default = fields
    assert page_keys(visibility, project, author, chapter, default) == keys


READERS = [
    ("anyone", {PUBLIC}),
    ("member", {PUBLIC, "member:datos"}),
    ("coauthor", {PUBLIC, "coauthor:datos"}),
    ("author", {PUBLIC, "user:ana"}),
    ("someone else", {PUBLIC, "user:eva", "member:otro", "coauthor:otro"}),
    ("guest of the chapter", {"chapter:es-madrid"}),
    ("guest of another", {"chapter:fr"}),
]
READ_BY = {
    "public": {"anyone", "member", "coauthor", "author", "someone else", "guest of the chapter"},
    "circle": {"member", "coauthor", "author", "guest of the chapter"},
    "intimate": {"coauthor", "author"},
    "private": {"author"},
}


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_a_page_of_each_visibility_is_read_by_whom_it_is_meant_for(visibility: str) -> None:
    keys = page_keys(visibility, DATOS, ANA, ES)
    assert keys is not None
    assert {name for name, held in READERS if readable(keys, frozenset(held))} == READ_BY[visibility]


def test_a_page_without_keys_is_read_by_nobody() -> None:
    assert not readable(frozenset(), frozenset({PUBLIC, "user:ana", "member:datos"}))


names = st.text("abñ :", max_size=4)


@given(st.sampled_from(VISIBILITIES), names, names, names)
def test_only_a_public_page_opens_to_the_public(visibility: str, project: str, author: str, chapter: str) -> None:
    keys = page_keys(visibility, project, author, chapter) or frozenset()
    assert (PUBLIC in keys) == (visibility == "public")


@given(st.text(max_size=12), names, names, names)
def test_what_is_no_visibility_is_withheld(visibility: str, project: str, author: str, chapter: str) -> None:
    if visibility.strip().casefold() not in VISIBILITIES:
        assert page_keys(visibility, project, author, chapter) is None


@given(st.sampled_from(VISIBILITIES), names, names, names)
def test_every_key_names_whose_it_is(visibility: str, project: str, author: str, chapter: str) -> None:
    keys = page_keys(visibility, project, author, chapter) or frozenset()
    named = {
        PUBLIC,
        f"member:{project.strip()}",
        f"coauthor:{project.strip()}",
        f"user:{author.strip()}",
        f"chapter:{chapter.strip()}",
    }
    assert keys <= named
    assert not any(key.endswith(":") and key not in named for key in keys)
    assert not keys & {"member:", "coauthor:", "user:", "chapter:"}
