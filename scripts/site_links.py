"""Turns links between files of the repository into links between pages of the site; pure."""

import posixpath
import re
from collections.abc import Callable, Mapping

# Pages of the site whose files are outside docs/, or have another name there.
PAGES = {
    "docs/README.md": "index.md",
    "README.md": "try-it.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "dashboard/README.md": "dashboard.md",
    "docs/decisions": "decisions/index.md",
}
FILES = "files"  # the folder of the site with other files that pages link to
_LINK = re.compile(r"(?P<text>!?\[(?:[^\[\]]|\[[^\[\]]*\])*\])\((?P<target>[^()\s]+)\)")
_FENCE = re.compile(r"^ *(```|~~~)")
_ABSOLUTE = re.compile(r"[a-z][a-z0-9+.-]*:|#|/")


def rewrite(text: str, place: str, note: Callable[[str], bool]) -> str:
    """The text of a page with its links as they are on the site.

    `place` is the path of the file in the repository. `note` is called with the path of each linked file that
    is not a page, and says whether there is such a file: a link to a folder becomes plain text.
    """
    lines, is_code = [], False
    for line in text.split("\n"):
        if _FENCE.match(line):
            is_code = not is_code
        lines.append(line if is_code else _LINK.sub(lambda found: _rewritten(found, place, note), line))
    return "\n".join(lines)


def _rewritten(found: re.Match[str], place: str, note: Callable[[str], bool]) -> str:
    target = found["target"]
    if _ABSOLUTE.match(target):
        return found[0]
    path, sign, anchor = target.partition("#")
    linked = posixpath.normpath(posixpath.join(posixpath.dirname(place), path))
    page = page_of(linked)
    if page is None:
        if not note(linked):
            return found["text"][1:-1]
        page = f"{FILES}/{linked}"
    here = posixpath.dirname(page_of(place) or "")
    return f"{found['text']}({posixpath.relpath(page, here or '.')}{sign}{anchor})"


def page_of(path: str) -> str | None:
    """Where a file of the repository is on the site; None if it is not a page or a picture.

    >>> page_of("README.md"), page_of("docs/sources/github.md"), page_of("src/mergecast/app.py")
    ('try-it.md', 'sources/github.md', None)
    """
    if path in PAGES:
        return PAGES[path]
    return path.removeprefix("docs/") if path.startswith("docs/") else None


def index_of(titles: Mapping[str, str]) -> str:
    """A page that lists the decisions by their titles."""
    lines = [f"- [{title}]({name})" for name, title in sorted(titles.items())]
    return "\n".join(["# Decisions", "", "Why Mergecast is built as it is.", "", *lines, ""])
