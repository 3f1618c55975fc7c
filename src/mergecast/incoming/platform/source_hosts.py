"""Reads only hosts that users of this server may name: public ones, and those that the operator allows."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from socket import gaierror
from urllib.parse import urlsplit

import httpx

from mergecast.incoming.platform.fetch import MOST_BYTES, SECONDS, Fetcher, NoAnswer
from mergecast.process.addresses import InvalidUrl, Place, Resolve, look_up, read_url
from mergecast.process.public_addresses import is_public

SOURCE_HOSTS = "MERGECAST_SOURCE_HOSTS"
_EXAMPLE = "https://gitlab.example.com"
_PORTS = {"https": 443, "http": 80}


class HostNotAllowed(NoAnswer):
    """The host was not found, or is not public; which of the two is not said to everyone who asks."""


async def _looked_up(host: str, port: int) -> Sequence[str]:
    return await asyncio.to_thread(look_up, host, port)


@dataclass(frozen=True, slots=True)
class SourceHosts:
    """Which hosts may be read."""

    exempt: frozenset[str] = frozenset()  # hosts with ports that need not be public
    resolve: Resolve = _looked_up
    seconds: float = SECONDS  # how long a name server may take

    def with_urls(self, urls: Sequence[str]) -> "SourceHosts":
        """Also the hosts of URLs that the operator has set."""
        places = [urlsplit(url) for url in urls if url]
        hosts = {f"{one.hostname}:{one.port or _PORTS.get(one.scheme, 0)}".lower() for one in places}
        return replace(self, exempt=self.exempt | hosts)

    def place(self, url: str) -> Place:
        """Where a URL leads; `InvalidUrl` says what is wrong with it."""
        return read_url(url, self.exempt, SOURCE_HOSTS, _EXAMPLE)

    async def addresses(self, place: Place) -> Sequence[str]:
        """The addresses of a host, all of them public; `HostNotAllowed` otherwise."""
        try:
            async with asyncio.timeout(self.seconds):
                found = await self.resolve(place.host, place.port)
        except (
            gaierror,
            TimeoutError,
            UnicodeError,
        ):  # the last for names with parts that are empty or too long
            found = []
        if not found or not all(map(is_public, found)):
            raise HostNotAllowed(
                f"the host {place.host} was not found or is not public; the operator can allow it with "
                f"{SOURCE_HOSTS}={place.host}:{place.port}"
            )
        return found


class CheckedFetcher(Fetcher):
    """Connects to the address that was checked, so that a name cannot lead elsewhere in between."""

    def __init__(self, hosts: SourceHosts, seconds: float = SECONDS, most_bytes: int = MOST_BYTES) -> None:
        super().__init__(seconds, most_bytes)
        self._hosts = hosts

    async def _attempts(self, request: httpx.Request) -> Sequence[httpx.Request]:
        try:
            place = self._hosts.place(str(request.url))
        except InvalidUrl as error:
            raise HostNotAllowed(f"its URL {error}") from None
        if place.is_exempt:
            return [request]
        named = {"host": place.host_header}
        return [
            httpx.Request(
                request.method,
                request.url.copy_with(host=address),
                headers={**request.headers, **named},
                content=request.content,
                extensions={"sni_hostname": place.host},
            )
            for address in sorted(await self._hosts.addresses(place))
        ]
