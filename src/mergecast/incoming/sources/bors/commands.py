"""What people tell bors in comments and reviews."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

# Priorities are small numbers; bors-ng stores them in 32 bits.
_HIGHEST_PRIORITY = 1 << 31
# Other bots of that name are addressed as `@bors`, which bors-ng does not understand.
_LINE = re.compile(r"bors:?\s+(.+)", re.IGNORECASE)
_PRIORITY = re.compile(r"(?:^|\s)p=(-?[0-9]{1,10})(?![0-9])")


class CommandKind(StrEnum):
    """What a command asks for."""

    MERGE = "merge"
    CANCEL = "cancel"
    RETRY = "retry"
    TRY = "try"
    PRIORITY = "priority"


class Command(NamedTuple):
    kind: CommandKind
    priority: int | None = None


# In this order: `merge-` also begins with `merge`. What is not listed changes no queue.
_BEGINNINGS = (
    ("r-", CommandKind.CANCEL),
    ("merge-", CommandKind.CANCEL),
    ("cancel", CommandKind.CANCEL),
    ("r+", CommandKind.MERGE),
    ("r=", CommandKind.MERGE),
    ("merge", CommandKind.MERGE),
    ("retry", CommandKind.RETRY),
    ("try-", None),
    ("try", CommandKind.TRY),
)


def commands_in(text: str) -> list[Command]:
    """The commands in a comment, in their order: each is a line that begins with the bot's name.

    >>> [command.kind.value for command in commands_in("bors r+ p=5")]
    ['priority', 'merge']
    >>> commands_in("Shall we? bors r+")
    []
    """
    return [command for line in text.splitlines() for command in _commands_of_line(line)]


def command_lines(text: str) -> str:
    """Only the lines that are commands: nothing else of a comment needs to be kept."""
    return "\n".join(line.strip() for line in text.splitlines() if any(_commands_of_line(line)))


def _commands_of_line(line: str) -> Iterator[Command]:
    match = _LINE.match(line)
    if match is None:
        return
    words = match[1].strip()
    kind = next((kind for beginning, kind in _BEGINNINGS if words.startswith(beginning)), None)
    if kind in (CommandKind.MERGE, None) and (priority := _PRIORITY.search(words)) is not None:
        value = int(priority[1])
        if kind is not None or words.startswith("p="):
            yield Command(CommandKind.PRIORITY, max(-_HIGHEST_PRIORITY, min(value, _HIGHEST_PRIORITY)))
    if kind is not None:
        yield Command(kind)
