"""Scopes: parts of the code base that the merge queue treats separately."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Discriminator, Tag, WithJsonSchema

from mergecast.language.conditions.errors import InvalidGlob
from mergecast.language.conditions.globs import compile_glob
from mergecast.language.configuration.models.options import (
    NOTHING,
    TAG,
    GlobPattern,
    Options,
    ReadOnly,
    at_most,
    option,
)
from mergecast.language.configuration.models.queue_rules import UpTo128
from mergecast.language.configuration.problems import invalid
from mergecast.language.configuration.wording import found

_PATTERN = "^[A-Za-z0-9_-]+$"
_SCOPE_NAME = re.compile(r"[A-Za-z0-9_-]{2,}")
_GLOB_CHARACTER = re.compile(r"[*?\[{]")
LONGEST_CAPACITY = 1024


def _scope_name(text: str) -> str:
    if not _SCOPE_NAME.fullmatch(text):
        raise invalid(f"Invalid scope name: at least 2 letters, digits, `-` or `_`, {found(text)}")
    return text


ScopeName = Annotated[
    str,
    AfterValidator(_scope_name),
    WithJsonSchema({"type": "string", "minLength": 2, "pattern": _PATTERN}),
]


def _capacity_name(text: str) -> str:
    if len(text) > LONGEST_CAPACITY:
        raise invalid(f"A scope has at most {LONGEST_CAPACITY} characters, found {len(text)}")
    return text


def capacity_error(name: str) -> str | None:
    """Why this key of `capacities` is wrong, unless scopes are uploaded: their names can be of any kind."""
    if _SCOPE_NAME.fullmatch(name):
        return None
    if not _GLOB_CHARACTER.search(name):
        return (
            "Invalid scope name: at least 2 letters, digits, `-` or `_`, or a glob pattern such as `api-*`, "
            f"{found(name)}; other names need `scopes.source.manual`"
        )
    try:
        compile_glob(name)
    except InvalidGlob as error:
        return error.reason
    return None


class FileFilter(Options):
    """Files that match any pattern of `include` (default: all files) and no pattern of `exclude`."""

    include: Annotated[tuple[GlobPattern, ...], at_most()] = option("Glob patterns of files to include.", ())
    exclude: Annotated[tuple[GlobPattern, ...], at_most()] = option("Glob patterns of files to exclude.", ())


CapacityName = Annotated[str, AfterValidator(_capacity_name)]


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


# What `capacity_error` checks, except the syntax of globs.
_RESTRICTED_CAPACITIES: dict[str, Any] = {
    "if": {"properties": {"source": {"type": "object", "required": ["manual"]}}, "required": ["source"]},
    "else": {
        "properties": {
            "capacities": {
                "propertyNames": {
                    "anyOf": [
                        {"type": "string", "minLength": 2, "pattern": _PATTERN},
                        {"pattern": r"[\*\?\[\{]"},
                    ]
                }
            }
        }
    },
}


class Scopes(Options):
    """Parts of the code base that the merge queue treats separately."""

    model_config = ConfigDict(json_schema_extra=_RESTRICTED_CAPACITIES)

    source: Source | None = option("How the scopes of a pull request are determined.", None)
    barrier_files: BarrierFiles | None = option("Files that belong to every scope.", None)
    merge_queue_scope: ScopeName = option(
        "Scope of pull requests that the merge queue creates.", "merge-queue"
    )
    capacities: Annotated[Mapping[CapacityName, UpTo128], ReadOnly()] = option(
        "Maximum number of simultaneous checks per scope; a key is the name of a scope, or a glob pattern.",
        NOTHING,
        json_schema_extra={"propertyNames": {"maxLength": LONGEST_CAPACITY}},
    )
    default_capacity: UpTo128 | None = option(
        "Maximum number of simultaneous checks of every other scope.", None
    )
