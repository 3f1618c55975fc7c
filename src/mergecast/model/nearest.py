"""Which known name did the author probably mean?"""

from collections.abc import Iterable
from difflib import get_close_matches

# Longer text is no misspelt name, and comparing costs more than linear time.
_LONGEST = 60
_LIKENESS = 0.7


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like this one, None when nothing is near; equally near: the first in alphabet.

    >>> nearest("lable", ["label", "title"])
    'label'
    """
    if len(name) > _LONGEST:
        return None
    folded = {other.lower().replace("_", "-"): other for other in sorted(known, reverse=True)}
    close = get_close_matches(name.lower().replace("_", "-"), sorted(folded), n=1, cutoff=_LIKENESS)
    return folded[close[0]] if close else None
