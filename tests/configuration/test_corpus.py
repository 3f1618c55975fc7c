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


@cache
def _result(document: Document) -> ReadResult:
    return read_configuration(document.text, today=TODAY)


def test_documents_are_valid_if_the_schema_says_so_except_named_ones() -> None:
    """An exception that is no longer needed fails here too."""
    expected = {one.number: one.schema_valid is not (one.number in _EXCEPTIONS) for one in _ALL}

    assert expected == {one.number: _result(one).configuration is not None for one in _ALL}
    assert expected == {one.number: _result(one).errors == () for one in _ALL}


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


def test_errors_are_where_the_schema_finds_them() -> None:
    judged = [one for one in _ALL if one.schema_errors and one.number not in _EXCEPTIONS]
    assert {} == {one.number: places for one in judged if (places := _only_in_one(one))}


def _only_in_one(document: Document) -> list[tuple[str, ...]]:
    """The places of errors that only the schema finds, or only we."""
    seen = {_path(path) for path, message in document.schema_errors if "'conditions' was" not in message}
    errors = _result(document).errors
    found = {error.path for error in errors if not error.message.startswith(_BEYOND_THE_SCHEMA)}
    return [
        *(place for place in seen if not any(path[: len(place)] == place for path in found)),
        *(path for path in found if not any(path[: len(place)] == place for place in seen)),
    ]


def test_every_error_has_a_message_and_a_position() -> None:
    wrong = {
        one.number: [error for error in _result(one).errors if not _is_placed(error, one)] for one in _ALL
    }
    assert {} == {number: errors for number, errors in wrong.items() if errors}


def _is_placed(error: DocumentError, document: Document) -> bool:
    lines = document.text.splitlines() or [""]
    if not error.message.strip() or "\n" in error.text or not 1 <= error.line <= len(lines):
        return False
    line = lines[error.line - 1]
    rest = line[error.column - 1 :]
    is_in_line = 1 <= error.column <= len(line) + 1
    return is_in_line and not rest.startswith((" ", "\t")) and _points_at_its_key(error, rest)


def test_deprecations_are_in_document_order() -> None:
    found = {one.number: list(_result(one).deprecations) for one in _ALL}

    assert found == {
        number: sorted(uses, key=lambda use: (use.line, use.column)) for number, uses in found.items()
    }
    assert all(
        use.path_to_field and use.message and use.deadline >= TODAY for uses in found.values() for use in uses
    )


def test_a_document_with_deprecations_is_invalid_after_the_deadline() -> None:
    valid = {one.number: one for one in _ALL if _result(one).configuration is not None}

    assert {number: bool(_result(one).deprecations) for number, one in valid.items()} == {
        number: bool(read_configuration(one.text, today=DAY_AFTER).errors) for number, one in valid.items()
    }


def _path(json_path: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^.\[\]$]+", json_path))


def _points_at_its_key(error: DocumentError, rest: str) -> bool:
    if not error.message.startswith("Extra inputs are not permitted"):
        return True
    return rest.lstrip("'\"").startswith(error.path[-1])
