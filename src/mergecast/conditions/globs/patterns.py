"""Globs: whole-text patterns with `*`, `**`, `?`, sets and alternatives in braces."""

import re
from dataclasses import dataclass
from functools import lru_cache

from mergecast.conditions.globs.braces import expand_braces
from mergecast.conditions.globs.translation import translate


@dataclass(frozen=True, slots=True)
class Glob:
    """A glob that is well formed; `alternatives` holds what its braces expand to, as pieces."""

    pattern: str
    alternatives: tuple[tuple[str, ...], ...]

    def matches(self, text: str) -> bool:
        return _compiled(self.alternatives).fullmatch(text) is not None


def compile_glob(pattern: str) -> Glob:
    """The glob of this pattern; raises InvalidGlob.

    >>> compile_glob("src/*.{py,pyi}").matches("src/a.py")
    True
    """
    return Glob(pattern, expand_braces(pattern))


# Everything our own translation writes does compile, so that can wait until a glob is used.
@lru_cache(maxsize=1024)
def _compiled(alternatives: tuple[tuple[str, ...], ...]) -> re.Pattern[str]:
    if not alternatives:
        return re.compile("(?!)")
    return re.compile("|".join(f"(?:{translate(pieces)})" for pieces in alternatives), re.DOTALL)
