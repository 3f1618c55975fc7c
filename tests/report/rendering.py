"""Markdown as a reader of the platform sees it, and text that tries to be more than text."""

import re

from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

_RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

# What the platform itself turns into a link or a mention, after Markdown.
PLATFORM_LINKS = re.compile(r"@\w|#\d|\bGH-\d|\bwww\.|://", re.IGNORECASE)

_FRAGMENTS = (
    *"`*_[]()<>#+-.!|~$&@:;\\/={}'\" \n\t\r^%0aé",
    "```",
    "~~~",
    "---",
    "===",
    "- [x] ",
    "1. ",
    "2) ",
    "## ",
    "> ",
    "    ",
    "<b>",
    "</details>",
    "<!--",
    "<!doctype ",
    "![a](b)",
    "[a]: b",
    "[a][b]",
    "<https://a.example>",
    "https://a.example",
    "www.a.example",
    "a@b.example",
    "@bob",
    "@acme/team",
    "#12",
    "acme/engine#12",
    "gh-7",
    "&lt;",
    "&#60;",
    "&copy;",
    "| --- |",
    "**",
    "__",
    "\\",
    "\\`",
    "\u202e",
    "\u2028",
    "\u200b",
    "\x00",
    "\x1b[31m",
    "\ud800",
    "👩\u200d💻",
    "word",
)
TEXTS = st.lists(st.sampled_from(_FRAGMENTS) | st.text(max_size=3), max_size=8).map("".join)


def tokens(markdown: str) -> list[Token]:
    return _RENDERER.parse(markdown)


def kinds(markdown: str) -> list[str]:
    """The blocks, without what is in their lines."""
    return [token.type for token in tokens(markdown)]


def spans(markdown: str) -> list[Token]:
    """Everything inside of lines."""
    return [span for token in tokens(markdown) for span in token.children or ()]


def shown(markdown: str) -> str:
    """What a reader sees of the lines."""
    return "".join(span.content for span in spans(markdown)).replace("\u200b", "")


def prose_text(markdown: str) -> list[str]:
    """The text outside of code, where the platform looks for links."""
    return [span.content for span in spans(markdown) if span.type == "text"]
