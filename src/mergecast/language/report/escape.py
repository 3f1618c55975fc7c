"""Escapes text of users, so that it is shown as it is and never becomes markup, a link or a mention."""

import re
import unicodedata

NOTHING = "(empty)"
LINE_BREAK = "↵"

# A zero-width space: the platform does not read what is around it as one word.
_APART = "&#8203;"
# Joiners are part of words and emoji. Other invisible characters can make a text look like another one.
_JOINERS = "\u200c\u200d"
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}

_RUN_OF_BLANKS = re.compile(r"\s+")
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_BACKTICKS = re.compile(r"`+")
_MARKUP = re.compile(
    r"""
    (?P<mark>   [\\`*\[\]~$] )                         # code, emphasis, links, strike-through, formulas
  | (?P<mark_>  (?<![^\W_])_ | _(?![^\W_]) )           # emphasis too, but not inside a word
  | (?P<tag>    < )
  | (?P<entity> & (?=\#?[A-Za-z0-9]+;) )
  | (?P<apart>  @(?=\w) | \#(?=\d) | \bGH-(?=\d) | \bwww(?=\.) | :(?=//) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ENTITIES = {"tag": "&lt;", "entity": "&amp;"}
_FIRST = re.compile(r"^(?:(?=[#>+=-])|(\d+)(?=[.)]))")
_CLOSING_SIGNS = re.compile(r"(?<= )(?=#+$)")


def visible(text: str) -> str:
    """Replace invisible characters, except line breaks and tabs, with their code points."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isprintable():
        return text
    return "".join(_visible_character(character) for character in text)


def _visible_character(character: str) -> str:
    if character in "\n\t" or character in _JOINERS or unicodedata.category(character) not in _HIDDEN:
        return character
    return f"⟨U+{ord(character):04X}⟩"


def on_one_line(text: str) -> str:
    """The visible text without line breaks."""
    return _RUN_OF_BLANKS.sub(" ", visible(text)).strip()


def code(text: str) -> str:
    """A code span that shows exactly this text, even if it contains backticks.

    >>> print(code("base=main"), code("title~=`x"))
    `base=main` ``title~=`x``
    """
    text = visible(text).replace("\n", LINE_BREAK).replace("\t", " ") or " "
    fence = "`" * _free_run(text, 1)
    padded = text[0] == "`" or text[-1] == "`" or (text[0] == text[-1] == " " and text.strip(" ") != "")
    return f"{fence} {text} {fence}" if padded else f"{fence}{text}{fence}"


def fenced(text: str) -> str:
    """A block of code that shows exactly this text."""
    text = visible(text).rstrip("\n")
    fence = "`" * _free_run(text, 3)
    return f"{fence}text\n{text}\n{fence}"


def _free_run(text: str, least: int) -> int:
    """The number of backticks for a fence: one more than the longest run in the text."""
    return max([least, *(len(run) + 1 for run in _BACKTICKS.findall(text))])


def prose(text: str) -> str:
    """The text as part of a line; text between backticks is code.

    >>> print(prose("ask @bob about `a_b` and <b> #12"))
    ask @&#8203;bob about `a_b` and &lt;b> #&#8203;12
    """
    pieces = _CODE.split(on_one_line(text) or NOTHING)  # outside of code, inside, outside, …
    written = (code(piece) if place % 2 else _plain(piece) for place, piece in enumerate(pieces))
    return _ends_guarded("".join(written))


def cell_prose(text: str) -> str:
    """The text in a table, where a bar would begin the next cell even inside code."""
    return _ends_guarded(_plain(on_one_line(text) or NOTHING).replace("|", "&#124;"))


def cell_code(text: str) -> str:
    return code(text) if "|" not in text else cell_prose(text)


def _ends_guarded(line: str) -> str:
    """Escape characters that have a meaning only at the start of a line or at the end of a heading."""
    return _CLOSING_SIGNS.sub(r"\\", _FIRST.sub(lambda match: f"{match[1] or ''}\\", line))


def _plain(text: str) -> str:
    return _MARKUP.sub(_harmless, text)


def _harmless(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    if kind in _ENTITIES:
        return _ENTITIES[kind]
    return match[0] + _APART if kind == "apart" else "\\" + match[0]
