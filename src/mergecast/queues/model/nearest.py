"""Suggest the known name that an author probably meant."""

from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches

# Longer text is not a misspelled name, and comparing takes more than linear time.
_LONGEST = 60
_LIKENESS = 0.7
# Two other letters turn a short name into another word: `then` is not a misspelled `when`.
_SHORT = 4
_MOST_OTHER_LETTERS = 1


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most similar to this one; None if no name is near. Ties go to the alphabetically first.

    >>> nearest("lable", ["label", "title"])
    'label'
    """
    if len(name) > _LONGEST:
        return None
    folded = {other.lower().replace("_", "-"): other for other in sorted(known, reverse=True)}
    written = name.lower().replace("_", "-")
    close = get_close_matches(written, sorted(folded), n=1, cutoff=_LIKENESS)
    return folded[close[0]] if close and _may_be_meant(written, close[0]) else None


def _may_be_meant(written: str, known: str) -> bool:
    if len(written) > _SHORT:
        return True
    letters, other = Counter(written), Counter(known)
    return (letters - other).total() + (other - letters).total() <= _MOST_OTHER_LETTERS
