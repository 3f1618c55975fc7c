"""One import by a command: from a source to a server, once or until interrupted."""

import time

from mergecast.cli.import_display import ImportDisplay
from mergecast.cli.import_sink import ClientSink
from mergecast.client.client import Client
from mergecast.sources.accounts import Account, open_origin
from mergecast.sources.following import Pace, follow, import_once
from mergecast.sources.importer import Importer, Stored


class Import:
    def __init__(
        self, client: Client, account: Account, repository: str, name: str, display: ImportDisplay
    ) -> None:
        """`repository` is the name at the source, `name` the one here."""
        self._account, self._repository, self._display = account, repository, display
        self._sink = ClientSink(client, name, account.source)

    async def once(self, since: int) -> Stored:
        origin, fetcher = open_origin(self._account, self._repository, _now, self._display.waiting)
        try:
            return await import_once(Importer(origin, self._sink, _now, self._display.progress), since)
        finally:
            await fetcher.close()

    async def follow(self, since: int) -> None:
        origin, fetcher = open_origin(self._account, self._repository, _now, self._display.waiting)
        try:
            await follow(Importer(origin, self._sink, _now), since, self._display.following, Pace())
        finally:
            await fetcher.close()


def _now() -> int:
    return time.time_ns() // 1000
