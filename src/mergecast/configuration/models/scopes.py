"""Scopes: parts of the code base that the merge queue treats separately."""

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
from mergecast.configuration.problems import invalid
from mergecast.configuration.wording import found

_PATTERN = "^[A-Za-z0-9_-]+$"
_SCOPE_NAME = re.compile(r"[A-Za-z0-9_-]{2,}")


def _scope_name(text: str) -> str:
    if not _SCOPE_NAME.fullmatch(text):
        raise invalid(f"Invalid scope name: at least 2 letters, digits, `-` or `_`, {found(text)}")
    return text


ScopeName = Annotated[
    str,
    AfterValidator(_scope_name),
    WithJsonSchema({"type": "string", "minLength": 2, "pattern": _PATTERN}),
]


class FileFilter(Options):
    """Files that match any pattern of `include` (default: all files) and no pattern of `exclude`."""

    include: Annotated[tuple[GlobPattern, ...], at_most()] = option("Glob patterns of files to include.", ())
    exclude: Annotated[tuple[GlobPattern, ...], at_most()] = option("Glob patterns of files to exclude.", ())


class BarrierFiles(Options):
    """Files that belong to every scope."""

    include: Annotated[tuple[GlobPattern, ...], at_most(at_least=1)] = option(
        "Glob patterns of files to include."
    )
    exclude: Annotated[tuple[GlobPattern, ...], at_most()] = option("Glob patterns of files to exclude.", ())


class FilesSource(Options):
    """Scopes are determined by the changed files."""

    files: Annotated[Mapping[ScopeName, FileFilter], ReadOnly()] = option("File filter per scope.")


class ManualSource(Options):
    """Scopes are uploaded."""

    manual: None = option("Write `manual:` without a value.")


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
    """Parts of the code base that the merge queue treats separately."""

    source: Source | None = option("How the scopes of a pull request are determined.", None)
    barrier_files: BarrierFiles | None = option("Files that belong to every scope.", None)
    merge_queue_scope: ScopeName = option(
        "Scope of pull requests that the merge queue creates.", "merge-queue"
    )
    capacities: Annotated[Mapping[ScopeName, UpTo128], ReadOnly()] = option(
        "Maximum number of simultaneous checks per scope.",
        NOTHING,
        json_schema_extra={"propertyNames": {"minLength": 2, "pattern": _PATTERN}},
    )
    default_capacity: UpTo128 | None = option(
        "Maximum number of simultaneous checks of every other scope.", None
    )
