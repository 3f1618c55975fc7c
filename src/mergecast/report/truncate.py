"""Shortens a report to a number of characters, dropping the least important parts first."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mergecast.report.outline import Cut, counted

LONGEST_SUMMARY = 65_535
# Room for the last line, which counts what was dropped and names each kind and section once.
_ROOM = 400
# Kinds with possibly hundreds of units are first reduced to this many, so that they do not displace the rest.
_KEPT_AT_FIRST = {Cut.DEPRECATION: 20, Cut.OVERVIEW: 20, Cut.ROW: 20, Cut.DIFFERENCE: 20}


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A rendered part; without units it is empty."""

    cut: Cut
    title: str | None
    opening: str
    units: tuple[str, ...]
    closing: str = ""

    def text(self, count: int) -> str:
        """The part with only its first units."""
        return f"{self.opening}{''.join(self.units[:count])}{self.closing}" if count else ""


def within(limit: int, parts: Sequence[WrittenPart]) -> str:
    """The whole text, or as much as fits and a last line that counts the rest."""
    kept = [len(part.units) for part in parts]
    whole = _joined(parts, kept)
    if len(whole) <= limit:
        return whole
    size = sum(len(part.text(count)) for part, count in zip(parts, kept, strict=True))
    for place in _cutting_order(parts):
        if size <= limit - _ROOM:
            break
        before = len(parts[place].text(kept[place]))
        kept[place] -= 1
        size -= before - len(parts[place].text(kept[place]))
    return "\n\n".join(filter(None, [_joined(parts, kept), _left_out(parts, kept, limit)]))


def _cutting_order(parts: Sequence[WrittenPart]) -> Iterable[int]:
    """The indexes of the parts that lose their last unit, one by one; a section has a single unit."""
    for cut, most in _KEPT_AT_FIRST.items():
        for place in _places(parts, cut):
            yield from [place] * (len(parts[place].units) - most)
    for cut in Cut:
        for place in _places(parts, cut):
            number = len(parts[place].units)
            yield from [place] * min(number, _KEPT_AT_FIRST.get(cut, number))


def _places(parts: Sequence[WrittenPart], cut: Cut) -> Iterable[int]:
    return (place for place in reversed(range(len(parts))) if parts[place].cut is cut)


def _joined(parts: Sequence[WrittenPart], kept: Sequence[int]) -> str:
    return "".join(part.text(count) for part, count in zip(parts, kept, strict=True)).rstrip("\n")


def _left_out(parts: Sequence[WrittenPart], kept: Sequence[int], limit: int) -> str:
    numbers: Counter[Cut] = Counter()
    sections = []
    for part, count in zip(parts, kept, strict=True):
        numbers[part.cut] += len(part.units) - count
        if part.cut is Cut.SECTION and not count:
            sections.append(part.title or "")
    words = [counted(numbers[cut], cut.value) for cut in Cut if numbers[cut]]
    if sections:
        words[0] += f" ({', '.join(sections)})"
    return f"✂️ Left out to stay within {limit:,} characters: {', '.join(words)}"
