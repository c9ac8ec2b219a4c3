"""`oraculo search`: literal search. It loads no model and no database, so that it answers at once."""

from __future__ import annotations

import click

from bot.commands.options import current_settings, global_options, json_option, text_of, viewer_of, viewer_options


@click.command(name="search", epilog='Example: oraculo search "copia de seguridad" --product Workfront')
@click.argument("words", metavar="TEXT", nargs=-1, required=True)
@click.option("--drafts", is_flag=True, help="Include drafts and archived pages.")
@click.option("--product", metavar="NAME", help="Only pages of this product.")
@click.option("--page", type=click.IntRange(min=1), default=1, show_default=True, help="Which page of the results.")
@click.option("--limit", type=click.IntRange(1, 500), default=30, show_default=True, help="Results on a page.")
@viewer_options
@json_option
@global_options
def command(
    *, words: tuple[str, ...], drafts: bool, product: str | None, page: int, limit: int, keys: str, as_json: bool
) -> None:
    """List the pages that hold every word of TEXT.

    Quotes inside TEXT make a phrase: '"exact words"'.
    """
    from bot import wiring
    from bot.commands.documents import listing_document
    from bot.commands.output import print_fault, print_json, print_lines
    from bot.console.listing import listing_lines
    from retrieval import search_pages
    from retrieval.types import Filters, Query

    text, viewer, settings = text_of(words), viewer_of(keys), current_settings()
    filters = Filters(products=frozenset({product}) if product else frozenset())
    with wiring.index_of(settings, literal=True) as index:
        listing = search_pages(Query(text, viewer, filters), index, page=page, limit=limit, drafts=drafts)
    for warning in index.warnings:
        print_fault(f"oraculo: warning: {warning}; run `oraculo ingest`")
    if as_json:
        print_json(listing_document(listing))
    else:
        print_lines(listing_lines(listing, text, wiring.voice(settings)))
