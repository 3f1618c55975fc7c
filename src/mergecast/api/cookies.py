"""Reads and sets this server's cookies, and checks whether a request comes from one of its pages."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.requests import Request

from mergecast.access.rights import AccessRequest, Right
from mergecast.api.services import Services

SESSION_COOKIE = "mergecast_session"
_SAFE = ("GET", "HEAD")

Headers = Iterable[tuple[bytes, bytes]]


def cookie_value(headers: Headers, name: str) -> bytes | None:
    """The value of a cookie; of several with this name, the first, which has the longest path."""
    start = f"{name}=".encode()
    for header, value in headers:
        if header == b"cookie":
            for part in value.split(b";"):
                pair = part.strip()
                if pair.startswith(start):
                    return pair[len(start) :]
    return None


def is_own_origin(headers: Headers, public_url: str) -> bool:
    """Whether a browser sent this from a page of this server.

    Browsers add the page's origin to every request that changes something, and no page can forge it. A
    proxy may have changed the host, so the public URL counts too.
    """
    named = dict(headers)
    origin = named.get(b"origin")
    if origin is None:
        return False
    host = origin.partition(b"://")[2]
    return host == named.get(b"host") or origin.decode("latin-1") == _origin(public_url)


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def is_foreign(method: str, headers: Headers, public_url: str) -> bool:
    return method not in _SAFE and not is_own_origin(headers, public_url)


def set_cookie(services: Services, name: str, value: str, *, seconds: int, same_site: str = "Strict") -> str:
    """The header that sets a cookie for this server; with no seconds it is deleted."""
    secure = "; Secure" if services.public_url.startswith("https://") else ""
    path = services.prefix or "/"
    return f"{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}"


def signing_in(services: Services, request: Request, route: str) -> AccessRequest:
    """What the guard needs to know about a request that signs in or asks who is signed in."""
    client, headers = request.scope["client"], request.scope["headers"]
    address = services.guard.address(client[0] if client else "", headers)
    cookie = cookie_value(headers, SESSION_COOKIE)
    return AccessRequest([], Right.LIST, None, route, address, cookie)
