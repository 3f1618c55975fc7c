"""A sentence of a simulation: our words, and the words of users that a renderer has to quote."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """The name of something that users have named, such as a branch, a label or a rule."""

    text: str

    def __str__(self) -> str:
        return f"'{self.text}'"


@dataclass(frozen=True, slots=True)
class Login:
    """Somebody, or a team as `org/team`, without the `@`."""

    text: str

    def __str__(self) -> str:
        return f"@{self.text}"


@dataclass(frozen=True, slots=True)
class Passage:
    """Text of users of any length, often with line breaks; it only ever ends a sentence."""

    text: str

    def __str__(self) -> str:
        return self.text


Piece = str | Name | Login | Passage


@dataclass(frozen=True, slots=True)
class Sentence:
    """Pieces in order, blanks included; plain strings are ours and need no escaping."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The sentence without any markup."""
        return "".join(map(str, self.pieces))


def sentence(*pieces: Piece) -> Sentence:
    return Sentence(pieces)


def listed(items: tuple[Name, ...] | tuple[Login, ...]) -> tuple[Piece, ...]:
    """The items with a comma and a blank between them, in the order given."""
    pieces: list[Piece] = []
    for item in items:
        pieces += [", ", item] if pieces else [item]
    return tuple(pieces)
