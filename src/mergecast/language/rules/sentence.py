"""Sentences of a simulation: our own words, and text of users that a renderer has to escape."""

from collections.abc import Iterable
from dataclasses import dataclass

MOST_ITEMS = 5


@dataclass(frozen=True, slots=True)
class Name:
    """A name that users chose, such as that of a branch, a label or a rule."""

    text: str

    def __str__(self) -> str:
        return f"'{self.text}'"


@dataclass(frozen=True, slots=True)
class Login:
    """A person, or a team as `org/team`, without the `@`."""

    text: str

    def __str__(self) -> str:
        return f"@{self.text}"


@dataclass(frozen=True, slots=True)
class Passage:
    """Text of users of any length, possibly with line breaks; it is always the last piece of a sentence."""

    text: str

    def __str__(self) -> str:
        return self.text


Piece = str | Name | Login | Passage
Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """Pieces in order, including the spaces between them; plain strings are ours and need no escaping."""

    pieces: Pieces

    @property
    def text(self) -> str:
        """The sentence without markup."""
        return "".join(map(str, self.pieces))


def sentence(*pieces: Piece) -> Sentence:
    return Sentence(pieces)


def names(texts: Iterable[str]) -> tuple[Name, ...]:
    return tuple(Name(text) for text in texts)


def logins(texts: Iterable[str]) -> tuple[Login, ...]:
    """Sorted, so that the same people always produce the same sentence."""
    return tuple(Login(text) for text in sorted(texts, key=lambda text: (text.lower(), text)))


def listed(items: tuple[Name, ...] | tuple[Login, ...]) -> Pieces:
    """The items separated by commas."""
    pieces: list[Piece] = []
    for item in items:
        pieces += [", ", item] if pieces else [item]
    return tuple(pieces)


def first_listed(items: tuple[Name, ...] | tuple[Login, ...], most: int = MOST_ITEMS) -> Pieces:
    """The first items separated by commas, and how many more there are."""
    more = len(items) - most
    return (*listed(items[:most]), f" and {more} more") if more > 0 else listed(items)


def joined(phrases: list[Pieces]) -> Pieces:
    """The phrases with commas, and with `and` before the last one.

    >>> joined([("queues it",), ("comments",), ("labels it",)])
    ('queues it', ', ', 'comments', ' and ', 'labels it')
    """
    pieces: list[Piece] = []
    for index, phrase in enumerate(phrases):
        if index:
            pieces.append(" and " if index == len(phrases) - 1 else ", ")
        pieces += phrase
    return tuple(pieces)
