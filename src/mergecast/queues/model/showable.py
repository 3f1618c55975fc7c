"""Characters that make a text look like another one, or like nothing: names do not contain them."""

import re

# Control characters and line separators; marks that change the direction of text; tags, which are invisible.
_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
DIRECTION = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_TAGS = r"\U000e0000-\U000e007f"
_UNSHOWABLE = re.compile(f"[{_CONTROL}{DIRECTION}{_TAGS}]")
_BREAKS = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
# White space, and other characters of which nothing is seen.
INVISIBLE = r"\s\u00ad\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0"
_IN_ADDRESS = rf"\s\x00-\x1f\x7f-\x9f{DIRECTION}"
# A link that shows where it leads: no user before the host, and nothing that changes the direction of text.
WEB_ADDRESS = re.compile(rf"https?://[^/?#\\@{_IN_ADDRESS}]+([/?#][^{_IN_ADDRESS}]*)?")
_BLANK = re.compile(f"[{INVISIBLE}]*")


def has_unshowable(text: str) -> bool:
    """Whether a text has control, bidirectional or tag characters."""
    return not (text.isascii() and text.isprintable()) and _UNSHOWABLE.search(text) is not None


def without_unshowable(text: str) -> str:
    r"""The text on one line, without control, bidirectional and tag characters.

    >>> without_unshowable("unit\x1b[2J\n\u202etests")
    'unit[2J tests'
    """
    return _UNSHOWABLE.sub("", _BREAKS.sub(" ", text)) if has_unshowable(text) else text


def is_blank(text: str) -> bool:
    r"""Whether nothing of a text is seen.

    >>> is_blank(" \u200b"), is_blank("a b")
    (True, False)
    """
    return _BLANK.fullmatch(text) is not None
