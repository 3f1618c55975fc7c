"""Reads and sets this server's cookies, and checks whether a request comes from one of its pages."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.requests import Request

from mergecast.access.rights import AccessRequest, Right
from mergecast.api.services import Services

SESSION_COOKIE = "mergecast_session"
# Browsers let no other host, and no page without https, set a cookie with this prefix.
_OWN_HOST_PREFIX = "__Host-"
_SAFE = ("GET", "HEAD")
_PORTS = {"http": 80, "https": 443}
_LOOPBACK = ("localhost", "127.0.0.1", "::1")

Headers = Iterable[tuple[bytes, bytes]]


def cookie_value(services: Services, headers: Headers, name: str) -> bytes | None:
    """The value of one of this server's cookies; None if there are several, as any of them may be planted."""
    values = _cookie_values(headers, f"{_full_name(services, name)}=".encode())
    return values.pop() if len(values) == 1 else None


def has_cookie(services: Services, headers: Headers, name: str) -> bool:
    """Whether the browser sends this cookie, with one or several values."""
    return bool(_cookie_values(headers, f"{_full_name(services, name)}=".encode()))


def _cookie_values(headers: Headers, start: bytes) -> set[bytes]:
    pairs = (part.strip() for header, value in headers if header == b"cookie" for part in value.split(b";"))
    return {pair[len(start) :] for pair in pairs if pair.startswith(start)}


def is_own_origin(headers: Headers, public_url: str) -> bool:
    """Whether a browser sent this from a page of this server.

    Browsers add the page's origin to every request that changes something, and no page can forge it. A
    proxy may have changed the host, so the public URL counts too. A page without https does not count
    where the service is reached by https: anyone on the network could have changed that page.
    """
    named = dict(headers)
    origin = named.get(b"origin")
    if origin is None:
        return False
    if origin.decode("latin-1") == _origin(public_url):
        return True
    scheme, _, host = origin.partition(b"://")
    if host != named.get(b"host"):
        return False
    return scheme == b"https" or (scheme == b"http" and not _is_secure(named, public_url))


def comes_back_here(headers: Headers, public_url: str) -> bool:
    """Whether a browser that another site sends to the public URL still has the cookies that it gets now.

    Browsers keep a cookie for one host. A request without an origin is not from a page.
    """
    origin = dict(headers).get(b"origin")
    return origin is None or _site(origin.decode("latin-1")) == _site(public_url)


def is_trusted_origin(headers: Headers, public_url: str) -> bool:
    """Whether a request comes from no page, from one of this server, or from one of the own machine."""
    origin = dict(headers).get(b"origin", b"").decode("latin-1")
    if not origin or origin == _origin(public_url):
        return True
    try:
        return urlsplit(origin).hostname in _LOOPBACK
    except ValueError:
        return False


def _site(url: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port, of which the usual ones need not be written."""
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return url, None, None


def _is_secure(named: dict[bytes, bytes], public_url: str) -> bool:
    """Whether clients use https, by the public URL or by what a proxy says. A lie can only refuse more."""
    return public_url.startswith("https://") or named.get(b"x-forwarded-proto", b"").lower() == b"https"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def is_foreign(method: str, headers: Headers, public_url: str) -> bool:
    return method not in _SAFE and not is_own_origin(headers, public_url)


def set_cookie(services: Services, name: str, value: str, *, seconds: int, same_site: str = "Strict") -> str:
    """The header that sets a cookie for this server; with no seconds it is deleted."""
    secure = "; Secure" if _has_https(services) else ""
    path = services.prefix or "/"
    full_name = _full_name(services, name)
    return f"{full_name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}"


def _full_name(services: Services, name: str) -> str:
    """Browsers accept the prefix only on a secure cookie for all paths of the host."""
    return f"{_OWN_HOST_PREFIX}{name}" if _has_https(services) and not services.prefix else name


def _has_https(services: Services) -> bool:
    return services.public_url.startswith("https://")


def signing_in(services: Services, request: Request, route: str) -> AccessRequest:
    """What the guard needs to know about a request that signs in or asks who is signed in."""
    client, headers = request.scope["client"], request.scope["headers"]
    address = services.guard.address(client[0] if client else "", headers)
    cookie = cookie_value(services, headers, SESSION_COOKIE)
    return AccessRequest([], Right.LIST, None, route, address, cookie)
