"""Whether someone who entered a queue earlier left it in a period, for many periods of many exits."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence


class EarlierExits:
    """Exits with their entries. A question takes the same time, however many exits its period has."""

    def __init__(self, exits: Sequence[tuple[int, int]]) -> None:
        """Pairs of the instants of leaving and entering."""
        ordered = sorted(exits)
        self._left = [left_at for left_at, _ in ordered]
        # In row n, each place has the first entry among the 2 to the power of n exits from there on.
        self._first = [[entered_at for _, entered_at in ordered]]
        width = 1
        while 2 * width <= len(ordered):
            last = self._first[-1]
            self._first.append([min(pair) for pair in zip(last, last[width:], strict=False)])
            width *= 2

    def has_entered_before(self, entered_at: int, start: int, end: int) -> bool:
        """Whether one that left from `start` to `end`, both included, had entered before an instant."""
        low, high = bisect_left(self._left, start), bisect_right(self._left, end)
        if low >= high:
            return False
        row = (high - low).bit_length() - 1
        return min(self._first[row][low], self._first[row][high - (1 << row)]) < entered_at
