"""A number of calls that a reading of the platform may take."""

from mergecast.errors import Unavailable


class NoCallsLeft(Unavailable):
    """Reading everything that was wanted takes more calls than are allowed."""


class Calls:
    """What is left. A share is set aside for one piece of work, and draws on the rest when it is used up."""

    def __init__(self, left: int, rest: "Calls | None" = None) -> None:
        self.left = left
        self._rest = rest

    def spend(self) -> None:
        if self.left:
            self.left -= 1
        elif self._rest is not None:
            self._rest.spend()
        else:
            raise NoCallsLeft("this takes more calls of the code-hosting platform than are allowed")

    def set_aside(self, calls: int) -> "Calls":
        if calls > self.left:
            raise NoCallsLeft("this takes more calls of the code-hosting platform than are allowed")
        self.left -= calls
        return Calls(calls, self)

    def give_back(self) -> None:
        """What a share did not need, to where it came from."""
        if self._rest is not None:
            self._rest.left += self.left
            self.left = 0
