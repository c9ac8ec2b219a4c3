"""The language of a page by its function words."""

from __future__ import annotations

import pytest

from retrieval.ingest.language import guess_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Para conectar el bot, cree una aplicación y copie su token en los ajustes.", "es"),
        ("To connect the bot, create an application and copy its token into the settings.", "en"),
        ("## Install\n\nRun `pip install` and then open the page.", "en"),
        ("ORACULO_HOME=/srv/oraculo", "es"),
        ("", "es"),
    ],
)
def test_function_words_tell_the_language(text: str, language: str) -> None:
    assert guess_language(text) == language
