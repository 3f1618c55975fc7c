"""Which part of a Markdown text stands under a heading?"""

import re

_HEADING = re.compile(r"[ ]{0,3}(#{1,6})(?:[ \t]|$)")


def section(text: str, title: str) -> str | None:
    r"""The trimmed lines after the heading, up to the next one of its level; None without that heading.

    The title is written with its `#`s; case does not count.

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
    """How many `#`s the heading has; 0 for a line that is none."""
    match = _HEADING.match(line)
    return len(match[1]) if match else 0
