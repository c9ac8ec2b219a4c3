"""The page files of a source: hidden ones left out, loops ended, nothing outside the source followed."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from retrieval.ingest.documents import Fault, Format, Report, Source
from retrieval.ingest.globs import glob_matcher
from retrieval.ingest.wellformed import well_formed

FORMATS: dict[str, Format] = {
    ".md": "markdown",
    ".mdx": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".html": "html",
    ".htm": "html",
    ".jsonl": "record",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file that holds a page or records. `relative` is its posix path in the source, `shown` what people read."""

    path: Path
    relative: str
    shown: str
    format: Format


def page_files(source: Source, report: Report) -> Iterator[PageFile]:
    """Give the source's page files, sorted by their path in the source."""
    if source.path.is_file():
        page_format = FORMATS.get(source.path.suffix.lower())
        if page_format is None:
            known = " ".join(FORMATS)
            report(Fault(source.shown_name, f"this kind of file is not read; give a folder, or a file of {known}"))
        else:
            name = well_formed(source.path.name)
            yield PageFile(source.path, name, name, page_format)
        return
    walk = _Walk(source, report)
    yield from sorted(walk.files(), key=lambda file: file.relative)


class _Walk:
    """One walk over a source's folder; each real folder and file is met once."""

    def __init__(self, source: Source, report: Report) -> None:
        self._source = source
        self._report = report
        self._root = source.path.resolve()
        self._include = glob_matcher(source.include)
        self._exclude = glob_matcher(source.exclude)
        self._seen: set[Path] = set()

    def files(self) -> Iterator[PageFile]:
        # Links wait until the real folders are read, so that a page keeps the path it really has.
        folders, links = [(self._root, "")], list[tuple[Path, str]]()
        while folders or links:
            while folders:
                yield from self._folder(*folders.pop(), folders, links)
            waiting, links = links, []
            for path, relative in sorted(waiting):
                yield from self._link(path, relative, folders)

    def _folder(
        self, folder: Path, prefix: str, folders: list[tuple[Path, str]], links: list[tuple[Path, str]]
    ) -> Iterator[PageFile]:
        real = folder.resolve()
        if real in self._seen:
            return
        self._seen.add(real)
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            self._fault(prefix or ".", f"the folder cannot be read ({error.strerror}); mend its permissions")
            return
        for entry in entries:
            relative = prefix + well_formed(entry.name)
            if entry.name.startswith(".") or self._excluded(relative):
                continue
            if entry.is_symlink():
                links.append((Path(entry.path), relative))
            elif entry.is_dir(follow_symlinks=False):
                self._enter(Path(entry.path), relative, folders)
            else:
                yield from self._file(Path(entry.path), relative)

    def _enter(self, path: Path, relative: str, folders: list[tuple[Path, str]]) -> None:
        if Path(relative).suffix.lower() in FORMATS:
            self._fault(relative, "it is a folder with the name of a page; rename it (the pages in it are read)")
        folders.append((path, relative + "/"))

    def _link(self, path: Path, relative: str, folders: list[tuple[Path, str]]) -> Iterator[PageFile]:
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError):
            if self._wanted(relative):
                self._fault(relative, "the link leads nowhere; remove it or mend its target")
            return
        is_folder = real.is_dir()
        if not is_folder and not self._wanted(relative):
            return
        if not real.is_relative_to(self._root):
            self._fault(relative, "the link leads outside the source and is not followed; make its target a source")
        elif is_folder:
            folders.append((path, relative + "/"))
        else:
            yield from self._file(path, relative)

    def _file(self, path: Path, relative: str) -> Iterator[PageFile]:
        if not self._wanted(relative):
            return
        real = path.resolve()
        if real in self._seen:
            return
        self._seen.add(real)
        if not stat.S_ISREG(path.stat().st_mode):
            self._fault(relative, "it is no regular file and is not read; remove it from the source")
            return
        shown = f"{self._source.shown_name}/{relative}"
        yield PageFile(path, relative, shown, FORMATS[Path(relative).suffix.lower()])

    def _excluded(self, relative: str) -> bool:
        return bool(self._exclude and self._exclude.fullmatch(relative))

    def _wanted(self, relative: str) -> bool:
        page_format = FORMATS.get(Path(relative).suffix.lower())
        if page_format is None or self._excluded(relative):
            return False
        if self._include:
            return bool(self._include.fullmatch(relative))
        # Other .jsonl files beside a corpus hold queries or logs as often as pages.
        return page_format != "record" or bool(re.fullmatch(r"corpus\.jsonl", Path(relative).name, re.IGNORECASE))

    def _fault(self, relative: str, error: str) -> None:
        self._report(Fault(f"{self._source.shown_name}/{relative}", error))
