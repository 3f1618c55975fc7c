"""A text of at most so many characters, made of parts of which the least needed are left out first."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mergecast.report.outline import Cut, counted

LONGEST_SUMMARY = 65_535
# Room for the line that counts what is left out; it names each kind and each section once.
_ROOM = 400
# What there can be hundreds of is first cut down to this much, so that none of it pushes out all the rest.
_KEPT_AT_FIRST = {Cut.DEPRECATION: 20, Cut.OVERVIEW: 20, Cut.ROW: 20, Cut.DIFFERENCE: 20}


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A part in its final words; without units nothing of it is left."""

    cut: Cut
    title: str | None
    opening: str
    units: tuple[str, ...]
    closing: str = ""

    def text(self, count: int) -> str:
        """With its first units only."""
        return f"{self.opening}{''.join(self.units[:count])}{self.closing}" if count else ""


def within(limit: int, parts: Sequence[WrittenPart]) -> str:
    """Everything, or as much as fits and a last line that counts the rest."""
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
    """The place of the part that loses its last unit next; a section has a single unit."""
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
    return f"✂️ Left out, as this text has at most {limit:,} characters: {', '.join(words)}"
