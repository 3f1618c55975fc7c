"""Documents of real repositories are valid if the published schema says so, with named exceptions."""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from configuration.documents import DAY_AFTER, SHARED, TODAY
from mergecast.language.configuration.errors import DocumentError
from mergecast.language.configuration.read import read_configuration
from mergecast.language.configuration.read_result import ReadResult

_CORPUS = SHARED / "corpus"
_INDEX = _CORPUS / "index.json"

# Deprecated names that the schema never had; they are accepted up to their deadline.
_OLDER_SPELLINGS = {
    "conditions": {15, 30, 40, 48, 117, 127, 131},
    "routing_conditions": {129},
}
# Valid in the schema, which does not look inside strings.
_WRONG_INSIDE = {
    59: "Invalid condition '-files~=^(?src/index/ivf-raft)'. "
    "Invalid regular expression: unknown flag at position 4",
}
# Valid in the schema, which sees only the last of two equal keys: here the first list of rules is lost.
_DUPLICATE_KEYS = {
    73: "Duplicate key: `pull_request_rules` is already set on line 1; keep only one of them",
}
# Valid in the schema of August 2026, with which these documents were judged; the option was removed since.
_REMOVED_SINCE = {19: "autoqueue", 53: "autoqueue", 113: "autoqueue", 123: "autoqueue"}
# Errors that a schema cannot see, in documents that have other errors as well.
_BEYOND_THE_SCHEMA = ("Invalid condition ", "pull_request_rules names must be unique")
# The ignored section `partition_rules` would be an exception too; no document here has it.
_EXCEPTIONS = {
    *_WRONG_INSIDE,
    *_DUPLICATE_KEYS,
    *_REMOVED_SINCE,
    *(number for numbers in _OLDER_SPELLINGS.values() for number in numbers),
}


@dataclass(frozen=True, slots=True)
class Document:
    """A document and what the schema says about it."""

    number: int
    file: Path
    schema_valid: bool
    schema_errors: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        return self.file.read_bytes().decode("utf-8")


def _documents() -> list[Document]:
    if not _INDEX.exists():
        return []
    rows: list[Any] = json.loads(_INDEX.read_text(encoding="utf-8"))
    return [
        Document(
            row["number"],
            _CORPUS / row["file"],
            row["schema_valid"],
            tuple((error["path"], error["message"]) for error in row["schema_errors"]),
        )
        for row in rows
    ]


_ALL = _documents()
pytestmark = pytest.mark.skipif(not _ALL, reason=f"the documents are not beside the project: {_CORPUS}")
each = pytest.mark.parametrize("document", _ALL, ids=lambda document: f"{document.number:03}")


@cache
def _result(document: Document) -> ReadResult:
    return read_configuration(document.text, today=TODAY)


@each
def test_documents_are_valid_if_the_schema_says_so_except_named_ones(document: Document) -> None:
    """An exception that is no longer needed fails here too."""
    expected = document.schema_valid is not (document.number in _EXCEPTIONS)

    assert expected is (_result(document).configuration is not None)
    assert expected is (() == _result(document).errors)


@pytest.mark.parametrize(
    ("spelling", "number"), [(name, number) for name, all_of in _OLDER_SPELLINGS.items() for number in all_of]
)
def test_the_schema_rejects_nothing_but_the_deprecated_name(spelling: str, number: int) -> None:
    document = next(it for it in _ALL if it.number == number)
    named = {use.path_to_field[-1] for use in _result(document).deprecations if use.path_to_field}

    assert spelling in named
    assert {f"Additional properties are not allowed ('{spelling}' was unexpected)"} == {
        message for _, message in document.schema_errors
    }
    assert read_configuration(document.text, today=DAY_AFTER).errors


@pytest.mark.parametrize(("number", "message"), (_WRONG_INSIDE | _DUPLICATE_KEYS).items())
def test_an_error_that_the_schema_does_not_see(number: int, message: str) -> None:
    document = next(it for it in _ALL if it.number == number)

    assert message == _result(document).errors[0].message


@pytest.mark.parametrize(("number", "option"), _REMOVED_SINCE.items())
def test_an_option_that_was_removed_since(number: int, option: str) -> None:
    document = next(it for it in _ALL if it.number == number)

    assert {option} == {error.path[-1] for error in _result(document).errors}


@each
def test_errors_are_where_the_schema_finds_them(document: Document) -> None:
    if document.number in _EXCEPTIONS or not document.schema_errors:
        return
    seen = {_path(path) for path, message in document.schema_errors if "'conditions' was" not in message}
    errors = _result(document).errors
    found = {error.path for error in errors if not error.message.startswith(_BEYOND_THE_SCHEMA)}

    assert [] == [place for place in seen if not any(path[: len(place)] == place for path in found)]
    assert [] == [path for path in found if not any(path[: len(place)] == place for place in seen)]


@each
def test_every_error_has_a_message_and_a_position(document: Document) -> None:
    lines = document.text.splitlines() or [""]
    for error in _result(document).errors:
        assert error.message.strip()
        assert "\n" not in error.text
        assert 1 <= error.line <= len(lines)
        rest = lines[error.line - 1][error.column - 1 :]
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1
        assert not rest.startswith((" ", "\t"))
        assert _points_at_its_key(error, rest)


@each
def test_deprecations_are_in_document_order(document: Document) -> None:
    deprecations = _result(document).deprecations

    assert sorted(deprecations, key=lambda use: (use.line, use.column)) == list(deprecations)
    assert all(use.path_to_field and use.message and use.deadline >= TODAY for use in deprecations)


@each
def test_a_document_with_deprecations_is_invalid_after_the_deadline(
    document: Document,
) -> None:
    result = _result(document)
    if result.configuration is None:
        return
    late = read_configuration(document.text, today=DAY_AFTER)

    assert bool(result.deprecations) is bool(late.errors)


def _path(json_path: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^.\[\]$]+", json_path))


def _points_at_its_key(error: DocumentError, rest: str) -> bool:
    if not error.message.startswith("Extra inputs are not permitted"):
        return True
    return rest.lstrip("'\"").startswith(error.path[-1])
