"""The names that a repository has had: platforms announce a rename, but deliveries arrive in any order."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

_REPLACED = "?"  # no name contains it


class RepositoryNames(NamedTuple):
    """The present name of a repository and its earlier ones, in lower case."""

    current: str
    former: tuple[str, ...] = ()  # a rename was announced: a delivery with such a name is late
    # Another name appeared without an announcement. Deliveries with such a name count as late too, but an
    # announcement can show that it was the other way round.
    replaced: tuple[str, ...] = ()

    @classmethod
    def read(cls, current: str, stored: Iterable[str]) -> Self:
        """The names, read from their stored form."""
        names = list(stored)
        return cls(
            current.lower(),
            tuple(name for name in names if not name.endswith(_REPLACED)),
            tuple(plain_name(name) for name in names if name.endswith(_REPLACED)),
        )

    @property
    def stored(self) -> tuple[str, ...]:
        """The earlier names as they are stored."""
        return (*self.former, *(f"{name}{_REPLACED}" for name in self.replaced))

    def seen(self, name: str) -> Self:
        """The names after a delivery that uses this name and announces no rename."""
        name = name.lower()
        if name == self.current or name in self.former or name in self.replaced:
            return self
        return self._replace(current=name, replaced=(*self.replaced, self.current))

    def renamed(self, name: str) -> Self:
        """The names after the platform has said that this is the present name."""
        name = name.lower()
        former = self.former if name == self.current else _with(self.former, self.current)
        return self._replace(
            current=name, former=_without(former, name), replaced=_without(self.replaced, name)
        )

    def announced(self, former: str, name: str) -> "RepositoryNames":
        """The names after a delivery that announces a rename; it may be late, and there may be others."""
        former, name = former.lower(), name.lower()
        is_repeated = former in self.former
        known = self._replace(former=_with(self.former, former), replaced=_without(self.replaced, former))
        if former == name:
            return self
        if former == self.current:
            return _after_current(known, name)
        if name == self.current:
            return known
        if name in known.former:
            return known  # it was renamed again since
        if is_repeated:
            return known._replace(replaced=_with(known.replaced, name))
        replaced = _with(_without(known.replaced, name), self.current)
        return known._replace(current=name, replaced=replaced)


def _after_current(names: RepositoryNames, name: str) -> RepositoryNames:
    """All names after the present name was changed to this one."""
    if name in names.former and names.replaced:
        # The new name is known to be former too: an announcement of a later rename came before.
        *replaced, name = names.replaced
        return names._replace(current=name, replaced=tuple(replaced))
    former, others = _without(names.former, name), _without(names.replaced, name)
    return names._replace(current=name, former=former, replaced=others)


def plain_name(stored: str) -> str:
    """A former name, read from its stored form."""
    return stored.removesuffix(_REPLACED)


def _with(names: Sequence[str], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*names, name)))


def _without(names: Sequence[str], name: str) -> tuple[str, ...]:
    return tuple(other for other in names if other != name)
