"""Areas of the code base, for the merge queue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, Discriminator, Tag, WithJsonSchema

from mergecast.configuration.models.options import (
    NOTHING,
    TAG,
    GlobPattern,
    Options,
    ReadOnly,
    at_most,
    option,
)
from mergecast.configuration.models.queue_rules import UpTo128
from mergecast.configuration.problems import wrong_shape
from mergecast.configuration.wording import found

_SCOPE_NAME = re.compile(r"[A-Za-z0-9_-]{2,}")


def _scope_name(text: str) -> str:
    if not _SCOPE_NAME.fullmatch(text):
        raise wrong_shape(f"Invalid scope name: at least 2 letters, digits, `-` or `_`, {found(text)}")
    return text


ScopeName = Annotated[
    str,
    AfterValidator(_scope_name),
    WithJsonSchema({"type": "string", "minLength": 2, "pattern": "^[A-Za-z0-9_-]+$"}),
]


class FileFilter(Options):
    """Files that match some pattern of `include`, or any file without one, and none of `exclude`."""

    include: Annotated[tuple[GlobPattern, ...], at_most()] = option("Patterns of files.", ())
    exclude: Annotated[tuple[GlobPattern, ...], at_most()] = option("Patterns of files to leave out.", ())


class BarrierFiles(Options):
    """Files whose change touches every scope."""

    include: Annotated[tuple[GlobPattern, ...], at_most(at_least=1)] = option("Patterns of files.")
    exclude: Annotated[tuple[GlobPattern, ...], at_most()] = option("Patterns of files to leave out.", ())


class FilesSource(Options):
    """Scopes follow from the changed files."""

    files: Annotated[Mapping[ScopeName, FileFilter], ReadOnly()] = option("File filters by scope.")


class ManualSource(Options):
    """Scopes are uploaded."""

    manual: None = option("Write `manual:` and nothing behind it.")


def _source(value: Any) -> str:
    manual = isinstance(value, ManualSource) or (
        isinstance(value, dict) and "manual" in value and "files" not in value
    )
    return f"{TAG}manual" if manual else f"{TAG}files"


Source = Annotated[
    Annotated[FilesSource, Tag(f"{TAG}files")] | Annotated[ManualSource, Tag(f"{TAG}manual")],
    Discriminator(_source),
]


class Scopes(Options):
    """Areas of the code base that the queue treats apart."""

    source: Source | None = option("Where the scopes of a pull request come from.", None)
    barrier_files: BarrierFiles | None = option("Files whose change touches every scope.", None)
    merge_queue_scope: ScopeName = option("Scope of the queue's own pull requests.", "merge-queue")
    capacities: Annotated[Mapping[ScopeName, UpTo128], ReadOnly()] = option(
        "Checks at the same time, by scope.", NOTHING
    )
    default_capacity: UpTo128 | None = option("Checks at the same time of every other scope.", None)
