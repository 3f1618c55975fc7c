"""What people tell bors in comments, reviews and descriptions."""

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

# Priorities are small numbers; bors-ng stores them in 32 bits.
_HIGHEST_PRIORITY = 1 << 31
TRIGGER = "bors"  # the word that bors-ng listens to unless it is configured otherwise
# As bors-ng reads an integer: what follows it does not matter.
_INTEGER = re.compile(r"[+-]?[0-9]{1,10}(?![0-9])", re.ASCII)
_PRIORITY_AFTER_NAMES = re.compile(r"p\s*=\s*(.*)", re.ASCII | re.DOTALL)


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
    return [command for line in text.split("\n") for command in _read(_words_after(line, TRIGGER))]


def command_lines(text: str, trigger: str = TRIGGER) -> str:
    r"""Only the lines that are commands, with the usual trigger: nothing else of a comment needs to be kept.

    >>> command_lines("Thanks!\nmergebot: r+", "mergebot")
    'bors r+'
    """
    found = (_words_after(line, trigger) for line in text.split("\n"))
    return "\n".join(f"{TRIGGER} {words}" for words in found if _read(words))


def _words_after(line: str, trigger: str) -> str:
    """What a line says to the bot; nothing if it does not begin with the trigger.

    Other bots are addressed as `@bors`, which bors-ng does not understand.
    """
    match = _addressed(trigger).match(line)
    return match[1].strip() if match else ""


@lru_cache(maxsize=64)
def _addressed(trigger: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(trigger)}:?\s(.+)", re.IGNORECASE | re.ASCII)


def _read(words: str) -> list[Command]:
    """The commands in one line, by the rules of bors-ng; none if it cannot read the priority."""
    for beginning in ("r=", "merge="):
        if words.startswith(beginning):
            return _merged_by(words.removeprefix(beginning))
    for beginning in ("r+ p=", "merge p="):
        if words.startswith(beginning):
            return _with_priority(words.removeprefix(beginning), Command(CommandKind.MERGE))
    if words.startswith("p="):
        return _with_priority(words.removeprefix("p="))
    kind = next((kind for beginning, kind in _BEGINNINGS if words.startswith(beginning)), None)
    return [] if kind is None else [Command(kind)]


def _merged_by(arguments: str) -> list[Command]:
    """A merge in the name of others, with a priority if nothing stands between it and the last name."""
    *_, last = re.sub(", *", ",", arguments.strip()).split(",")
    name, *more = last.replace("@", "").split(maxsplit=1) or [""]
    if not name and "," not in arguments:
        return []
    merge = Command(CommandKind.MERGE)
    priority = _PRIORITY_AFTER_NAMES.match(more[0]) if more else None
    return [merge] if priority is None else _with_priority(priority[1], merge)


def _with_priority(text: str, *commands: Command) -> list[Command]:
    found = _INTEGER.match(text)
    if found is None:
        return []
    value = max(-_HIGHEST_PRIORITY, min(int(found[0]), _HIGHEST_PRIORITY))
    return [Command(CommandKind.PRIORITY, value), *commands]
