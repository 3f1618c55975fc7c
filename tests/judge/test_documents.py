"""Documents that a child has read before."""

from datetime import date

import pytest

from mergecast.judge.child.documents import LONGEST_KEPT, MOST_KEPT, RecentDocuments, loader
from mergecast.language.configuration.inheritance import CannotRead, Loader

_TODAY = date(2026, 11, 15)
_RULE = "pull_request_rules: [{name: a, conditions: [base = main], actions: {}}]"


def _unavailable(_: str) -> str:
    raise CannotRead("it was not recorded")


def _read(recent: RecentDocuments, text: str, load: Loader = _unavailable) -> object:
    return recent.read(text, _TODAY, "checkout", load)


def test_a_document_is_parsed_once() -> None:
    """The second question about the same document gets the same result."""
    recent = RecentDocuments()

    assert _read(recent, _RULE) is _read(recent, _RULE)


def test_a_result_depends_on_the_extended_document() -> None:
    """It is read again when that document becomes available, or changes, but not when others do."""
    recent = RecentDocuments()
    text = "extends: shared"
    first, second = (loader("acme", {"acme/shared": f"{_RULE}  # {one}"}) for one in "12")

    alone, hidden = _read(recent, text), _read(recent, text, loader("acme", {}))
    extended = _read(recent, text, first)

    assert 3 == len({id(result) for result in (alone, hidden, extended)})
    others = loader("acme", {"acme/shared": f"{_RULE}  # 1", "acme/other": ""})
    assert extended is _read(recent, text, others)
    assert extended is not _read(recent, text, second)


@pytest.mark.parametrize("limit", ["number", "length"])
def test_only_a_few_short_documents_are_kept(limit: str) -> None:
    """Kept results take memory that the next document may need."""
    recent = RecentDocuments()
    text = _RULE if limit == "number" else f"{_RULE}  # {'x' * LONGEST_KEPT}"
    before = _read(recent, text)
    for number in range(MOST_KEPT if limit == "number" else 0):
        _read(recent, f"{_RULE}  # {number}")

    assert before is not _read(recent, text)
