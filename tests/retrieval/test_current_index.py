"""The index that serves at any moment."""

from __future__ import annotations

import gc
import sys
import threading

from retrieval import CurrentIndex
from tests.wikis import Wiki, ask, doc_ids, literal


def test_a_new_generation_serves_from_the_next_question_on(wiki: Wiki) -> None:
    wiki.write({"uno.md": "# Uno\n\nManzanas.\n"})
    wiki.ingest()
    current = CurrentIndex(wiki.home, lambda: wiki.embedder)
    first = current()
    assert current() is first
    wiki.delete("uno.md")
    wiki.write({"dos.md": "# Dos\n\nPeras.\n"})
    wiki.ingest()
    assert doc_ids(literal(current(), "peras")) == ["dos.md"]
    assert literal(current(), "manzanas").total == 0
    assert doc_ids(literal(first, "manzanas")) == ["uno.md"]  # a question in flight keeps its generation


def test_many_threads_ask_at_once_while_generations_change(wiki: Wiki) -> None:
    wiki.write({f"p{number}.md": f"# Página {number}\n\nTexto sobre faros y mareas {number}.\n" for number in range(8)})
    wiki.ingest()
    current = CurrentIndex(wiki.home, lambda: wiki.embedder)
    wrong: list[str] = []

    def question(number: int) -> None:
        for turn in range(6):
            found = ask(current(), f"¿Qué dice la página {number} sobre mareas {turn}?")
            if not found.passages or found.explanation.failed_lists:
                wrong.append(f"{number}: {found.explanation.failed_lists}")

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=question, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for number in range(3):
            wiki.write({"p0.md": f"# Página 0\n\nFaros y mareas, versión {number}.\n"})
            wiki.ingest()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert wrong == []


def exact_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("exact")}


def test_the_threads_of_a_generation_go_when_nobody_holds_it_any_more(wiki: Wiki) -> None:
    before = exact_threads()
    wiki.write({"uno.md": "# Uno\n\nManzanas.\n"})
    wiki.ingest()
    current = CurrentIndex(wiki.home, lambda: wiki.embedder)
    held = current()
    ask(held, "manzanas")
    literal(held, "manzanas")
    its_threads = exact_threads() - before
    assert its_threads
    wiki.write({"uno.md": "# Uno\n\nPeras.\n"})
    wiki.ingest()
    assert doc_ids(ask(current(), "peras")) == ["uno.md"]
    assert all(thread.is_alive() for thread in its_threads)  # a question still holds it
    gc.disable()  # it goes at once, and not when the collector comes by
    try:
        del held
        for thread in its_threads:
            thread.join(timeout=30)
    finally:
        gc.enable()
    assert not any(thread.is_alive() for thread in its_threads)
    its_threads = exact_threads() - before
    current.close()
    for thread in its_threads:
        thread.join(timeout=30)
    assert not any(thread.is_alive() for thread in its_threads)


def test_an_index_that_was_closed_opens_again_when_asked(wiki: Wiki) -> None:
    wiki.write({"uno.md": "# Uno\n\nManzanas.\n"})
    wiki.ingest()
    current = CurrentIndex(wiki.home, lambda: wiki.embedder)
    current.close()
    assert doc_ids(literal(current(), "manzanas")) == ["uno.md"]
    current.close()
    current.close()
    assert doc_ids(literal(current(), "manzanas")) == ["uno.md"]
    current.close()
