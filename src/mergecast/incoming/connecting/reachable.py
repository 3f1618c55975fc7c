"""Whether a platform on the Internet can reach this server."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from mergecast.process.public_addresses import is_public

# Names that no public name server knows.
_INTERNAL = ("localhost", "local", "internal", "lan", "home.arpa", "test", "invalid")


def is_reachable(public_url: str) -> bool:
    """Whether a webhook can be sent to a URL: by https, and to a host that is not an internal one.

    >>> is_reachable("https://mergecast.example.com"), is_reachable("https://10.0.0.7")
    (True, False)
    """
    parts = urlsplit(public_url)
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme != "https":
        return False
    try:
        return is_public(str(ip_address(host)))
    except ValueError:
        return "." in host and not any(host == name or host.endswith(f".{name}") for name in _INTERNAL)
