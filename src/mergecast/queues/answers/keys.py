"""Application keys."""

from msgspec import Struct

from mergecast.queues.answers.described import DateTime


class Key(Struct, frozen=True):
    id: str
    name: str
    owner: str
    scopes: tuple[str, ...]
    created_at: DateTime
    expires_at: DateTime | None
    last_used_at: DateTime | None


class MadeKey(Key, frozen=True):
    """The only answer with the key itself."""

    key: str


class Keys(Struct, frozen=True):
    keys: tuple[Key, ...]
