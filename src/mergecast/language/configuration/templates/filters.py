"""The filters of legacy templates: HTML to Markdown, and sections of a Markdown text."""

import re
from html.parser import HTMLParser

_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "code": "`", "del": "~~", "s": "~~"}
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_BLOCKS = frozenset({"p", "div", "section", "table", "tr", "details", "summary"})
_DROPPED = frozenset({"script", "style"})
_TOO_MANY_BREAKS = re.compile(r"\n{3,}")
_BLANKS = re.compile(r"\s+")


def to_markdown(html: str) -> str:
    r"""Convert the tags that are common in descriptions; of other tags, keep only the text.

    >>> to_markdown('<h2>News</h2><ul><li><b>fast</b></li></ul><a href="https://x.example">more</a>')
    '## News\n\n- **fast**\n\n[more](https://x.example)'
    """
    writer = _Writer()
    writer.feed(html)
    writer.close()
    return _TOO_MANY_BREAKS.sub("\n\n", "".join(writer.pieces)).strip()


class _Writer(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._links: list[str] = []
        self._lists: list[int | None] = []  # the last item number, or None for unordered lists
        self._preformatted = 0
        self._dropped = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._dropped += tag in _DROPPED
        if tag in _HEADINGS:
            self._write(f"\n\n{_HEADINGS[tag]} ")
        elif tag in _BLOCKS:
            self._write("\n\n")
        elif tag in _MARKS and not self._preformatted:
            self._write(_MARKS[tag])
        elif tag == "a":
            self._links.append(values.get("href", ""))
            self._write("[")
        elif tag == "img":
            self._write(f"![{values.get('alt', '')}]({values.get('src', '')})")
        else:
            self._open_block(tag)

    def _open_block(self, tag: str) -> None:
        if tag == "br":
            self._write("\n")
        elif tag == "hr":
            self._write("\n\n---\n\n")
        elif tag == "pre":
            self._preformatted += 1
            self._write("\n\n```\n")
        elif tag == "blockquote":
            self._write("\n\n> ")
        elif tag in {"ul", "ol"}:
            self._write("" if self._lists else "\n\n")
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            self._open_item()

    def _open_item(self) -> None:
        number = self._lists[-1] if self._lists else None
        mark = "-"
        if number is not None:
            self._lists[-1] = number + 1
            mark = f"{number + 1}."
        self._write(f"\n{'  ' * (len(self._lists) - 1)}{mark} ")

    def handle_endtag(self, tag: str) -> None:
        self._dropped -= tag in _DROPPED and self._dropped > 0
        if tag in _HEADINGS or tag in _BLOCKS or tag == "blockquote":
            self._write("\n\n")
        elif tag in _MARKS and not self._preformatted:
            self._write(_MARKS[tag])
        elif tag == "a" and self._links:
            self._write(f"]({self._links.pop()})")
        elif tag == "pre" and self._preformatted:
            self._preformatted -= 1
            self._write("\n```\n\n")
        elif tag in {"ul", "ol"} and self._lists:
            self._lists.pop()
            self._write("" if self._lists else "\n\n")

    def handle_data(self, data: str) -> None:
        self._write(data if self._preformatted else _BLANKS.sub(" ", data))

    def _write(self, text: str) -> None:
        if not self._dropped:
            self.pieces.append(text)


_HEADING = re.compile(r"[ ]{0,3}(#{1,6})(?:[ \t]|$)")


def section(text: str, title: str) -> str | None:
    r"""The text below a heading, up to the next heading of its level; None if the heading is missing.

    The title includes its `#`s and is not case-sensitive.

    >>> section("# A\n one \n## Deeper\n# B\ntwo", "# a")
    'one\n## Deeper'
    """
    lines = [line.strip() for line in text.splitlines()]
    wanted = title.strip().lower()
    start = next((index for index, line in enumerate(lines) if line.lower() == wanted), None)
    if start is None:
        return None
    level = _level(wanted)
    body = lines[start + 1 :]
    end = next((index for index, line in enumerate(body) if level and _level(line) == level), len(body))
    return "\n".join(body[:end]).strip()


def _level(line: str) -> int:
    """The level of a heading; 0 if the line is not a heading."""
    match = _HEADING.match(line)
    return len(match[1]) if match else 0
