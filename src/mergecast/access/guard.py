"""Is this the admin? The token is kept as a hash and compared in constant time."""

from hashlib import sha256
from hmac import compare_digest

from mergecast.errors import MergecastError

SHORTEST_TOKEN = 32
_SCHEME = b"bearer"


class WeakToken(MergecastError):
    """The token is so short that it could be guessed."""


class Guard:
    def __init__(self, admin_token: str) -> None:
        if len(admin_token) < SHORTEST_TOKEN:
            raise WeakToken(
                f"the admin token needs at least {SHORTEST_TOKEN} characters; "
                "delete the file admin-token in the data folder to have a new one made"
            )
        self._admin = sha256(admin_token.encode()).digest()

    def admits(self, authorizations: list[bytes]) -> bool:
        """Whether the values of the Authorization header are exactly one valid credential."""
        if len(authorizations) != 1:
            return False
        scheme, _, token = authorizations[0].partition(b" ")
        given = sha256(token.strip(b" ")).digest()
        return compare_digest(given, self._admin) and scheme.lower() == _SCHEME
