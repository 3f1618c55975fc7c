"""Reads configuration documents from files, and asks a child process about them."""

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from mergecast.errors import MergecastError, NotFound
from mergecast.queues.model.repository import DOCUMENT_PATHS

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    import msgspec

    from mergecast.judge.messages import ConfigurationAnswer

LONGEST_DOCUMENT = 1_048_576  # characters; a test compares it with the limit of the child
USUAL_PATHS = ", ".join(DOCUMENT_PATHS)
_STDIN = "<stdin>"
_MOST_BYTES = 4 * LONGEST_DOCUMENT + 3  # of UTF-8, with a byte-order mark

T = TypeVar("T")


class LeadsElsewhere(MergecastError):
    """The file is a link that leads out of the folder, or to the data of Git in it."""


class NotText(MergecastError):
    """The file is not text, or too long."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def find_documents(advice: str) -> list[str]:
    """The documents of this folder's repository, which should be one; `advice` says how to choose another."""
    found = [path for path in DOCUMENT_PATHS if Path(path).is_file()]
    if not found:
        raise NotFound(f"no document found in {USUAL_PATHS}; name one: {advice}")
    return found


def read_document(name: str) -> tuple[str, bytes]:
    """A name for messages, and the content up to the limit; `-` is standard input."""
    if name == "-":
        return _STDIN, sys.stdin.buffer.read(_MOST_BYTES + 1)
    _check_link(name)
    with Path(name).open("rb") as file:
        return name, file.read(_MOST_BYTES + 1)


def _check_link(name: str) -> None:
    """A pull request may add a link to a file with secrets, and what is read may appear in a comment."""
    here = Path.cwd().resolve()
    if not Path(os.path.normpath(here / name)).is_relative_to(here):
        return  # someone named a file elsewhere
    file = Path(os.path.realpath(name))
    if not file.is_relative_to(here) or ".git" in file.relative_to(here).parts:
        raise LeadsElsewhere(f"{name} is a link that leads out of this folder; name the file itself")


def decode_document(content: bytes) -> str:
    too_long = NotText(f"a document has at most {LONGEST_DOCUMENT} characters")
    if len(content) > _MOST_BYTES:
        raise too_long
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise NotText(f"the file is not UTF-8: byte 0x{content[error.start]:02x}", line, column) from None
    if len(text) > LONGEST_DOCUMENT:
        raise too_long
    return text


class LocalJudge:
    """A child process that reads documents as the server does, while the block runs."""

    def __enter__(self) -> Self:
        import asyncio
        import logging

        from mergecast.judge.pools import document_pool
        from mergecast.process.logs import log_as_json
        from mergecast.sandbox.patience import PATIENCE_OF_COMMANDS

        log_as_json(logging.ERROR)
        self._runner = asyncio.Runner()
        self.judge = document_pool(1, patience=PATIENCE_OF_COMMANDS)
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._runner.run(self.judge.close())
        self._runner.close()

    def ask(self, task: str, given: "msgspec.Struct", answer: type[T]) -> T:
        return self._runner.run(self.judge.ask(task, given, answer))

    def run(self, work: "Coroutine[Any, Any, T]") -> T:
        """Run other asynchronous work in the same event loop."""
        return self._runner.run(work)

    def check(self, text: str) -> "ConfigurationAnswer":
        """Everything found in a document. Raises LimitReached when it cannot be read."""
        from datetime import UTC, datetime

        from mergecast.judge.messages import (
            CONFIGURATION,
            ConfigurationAnswer,
            ConfigurationQuestion,
            json_text,
        )

        return self.ask(
            CONFIGURATION,
            ConfigurationQuestion(json_text(text), datetime.now(UTC).date()),
            ConfigurationAnswer,
        )
