"""The elements of HTML, by what they do to the text in them."""

from __future__ import annotations

_INLINE_NAMES = """
    a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp
    small span strike strong sub sup time tt u var wbr
"""
INLINE = frozenset(_INLINE_NAMES.split())
"""They stand within a line: a word they split stays one word."""

CELLS = frozenset({"td", "th"})

_OTHER_NAMES = """
    address applet area article aside audio base blockquote body br button canvas caption center circle col
    colgroup datalist dd details dialog dir div dl dt ellipse embed fieldset figcaption figure footer form frame
    frameset g h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe input legend li line link main map menu meta
    meter nav noframes noscript object ol optgroup option output p param path picture polygon pre progress rb
    rect rtc script search section select slot source style summary svg table tbody template textarea tfoot
    thead title tr track ul video
"""
OTHERS = frozenset(_OTHER_NAMES.split())
"""They end the line they stand in."""

KNOWN = INLINE | CELLS | OTHERS

SAID_BY_ATTRIBUTES = ("alt", "title", "aria-label", "placeholder", "summary", "label")
"""Attributes of which a person gets to read or hear the value."""

_SWITCHES = """
    allowfullscreen async autofocus autoplay checked compact controls default defer disabled download hidden
    inert ismap itemscope loop multiple muted nohref nomodule noshade novalidate nowrap open readonly required
    reversed scoped selected
"""
BOOLEAN_ATTRIBUTES = frozenset(_SWITCHES.split())
