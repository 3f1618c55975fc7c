"""One rule found in a history, and the number of cases."""

from typing import NamedTuple


class Detection(NamedTuple):
    """`cases` is how often the history shows this value; 0 means that the documented rule is assumed."""

    rule: str
    value: str
    cases: int


class Tally(NamedTuple):
    """How often a history contradicts the documented rule, and how often it agrees."""

    against: int
    agreeing: int

    @property
    def is_against(self) -> bool:
        """Late reports make single cases unreliable, so most of the cases must agree."""
        return self.against > self.agreeing

    def detection(self, rule: str, documented: str, other: str) -> Detection:
        if self.is_against:
            return Detection(rule, other, self.against)
        return Detection(rule, documented, self.agreeing)
