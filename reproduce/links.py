# SPDX-License-Identifier: GPL-2.0-only
"""Links within a site of HTML pages that lead nowhere."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What leads out of a site, or has its target within the link.
ELSEWHERE = {"http", "https", "mailto", "data"}


class _Page(HTMLParser):
    """The links and the anchors of a page of the site."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        self.links += [given[name] for name in ("href", "src") if name in given]


def dead(html: Path) -> Iterator[str]:
    """The links of a site to files or anchors that it does not have, a line each.

    A scheme that a browser cannot follow is a word with a colon that was taken for a link.
    """
    html = html.resolve()
    pages = {path: _Page(path.read_text()) for path in sorted(html.rglob("*.html"))}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme in ELSEWHERE or (parts.netloc and not parts.scheme):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = target.is_relative_to(html) and target.is_file()
            if known and parts.fragment and target in pages:
                known = unquote(parts.fragment) in pages[target].anchors
            if not known:
                yield f"{path.relative_to(html)}: {link}"
