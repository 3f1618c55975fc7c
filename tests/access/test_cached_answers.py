"""The server caches what the platform says about a token for one minute."""

import asyncio

import pytest

from access.conftest import Surroundings
from access.hosting_platform import READER, STRANGER
from local_http import Reply
from mergecast.access.credential import read_credential
from mergecast.access.errors import Refusal
from mergecast.access.platform_tokens import PlatformTokens
from mergecast.access.rights import Credential
from mergecast.errors import Unavailable
from mergecast.incoming.platform.fetch import Fetcher
from mergecast.incoming.platform.github import TokenChecker
from mergecast.queues.model.repository import Repository
from waiting import MOST_SECONDS

pytestmark = pytest.mark.server

SECOND = 1_000_000
WIDGETS = Repository("acme", "widgets")


class _Asker:
    """Checks access to one repository at the times that a test names."""

    def __init__(self, url: str) -> None:
        self.seconds = 1_000.0
        self._fetcher = Fetcher(MOST_SECONDS)
        self._tokens = PlatformTokens(TokenChecker(url, self._fetcher), lambda: int(self.seconds * SECOND))

    async def at(self, seconds: float, token: str) -> str:
        self.seconds = 1_000 + seconds
        try:
            await self._tokens.caller(_credential(token), WIDGETS)
        except Refusal:
            return "no"
        except Unavailable:
            return "unknown"
        return "yes"

    async def close(self) -> None:
        await self._fetcher.close()


def _credential(token: str) -> Credential:
    credential = read_credential([f"Bearer {token}".encode()])
    assert credential is not None
    return credential


@pytest.mark.parametrize(("token", "first", "later"), [(READER, "yes", "no"), (STRANGER, "no", "yes")])
def test_changed_rights_take_effect_after_a_minute(
    surroundings: Surroundings, token: str, first: str, later: str
) -> None:
    """Both for a right that was revoked and for one that was granted."""

    async def ask() -> list[str]:
        asker = _Asker(surroundings.platform_server.url)
        answers = [await asker.at(0, token)]
        readable = surroundings.platform.readable
        readable[READER], readable[STRANGER] = readable[STRANGER], readable[READER]
        answers += [await asker.at(seconds, token) for seconds in (1, 59, 61, 62)]
        await asker.close()
        return answers

    assert [first, first, first, later, later] == asyncio.run(ask())
    assert 2 == len(surroundings.platform_server.asked)


def test_failures_are_cached_briefly(surroundings: Surroundings) -> None:
    """After five seconds the server asks the platform again."""

    async def ask() -> list[str]:
        asker = _Asker(surroundings.platform_server.url)
        surroundings.platform.trouble = Reply(500)
        answers = [await asker.at(0, READER)]
        surroundings.platform.trouble = None
        answers += [await asker.at(seconds, READER) for seconds in (4, 6)]
        await asker.close()
        return answers

    assert ["unknown", "unknown", "yes"] == asyncio.run(ask())


def test_a_rate_limit_is_cached_until_it_ends(surroundings: Surroundings) -> None:
    """The platform says when it ends, in wall-clock time."""

    async def ask() -> list[str]:
        asker = _Asker(surroundings.platform_server.url)
        ends = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1030"}
        surroundings.platform.trouble = Reply(403, headers=ends)
        answers = [await asker.at(0, READER)]
        surroundings.platform.trouble = None
        answers += [await asker.at(seconds, READER) for seconds in (29, 31)]
        await asker.close()
        return answers

    assert ["unknown", "unknown", "yes"] == asyncio.run(ask())


def test_a_clock_that_is_set_back_clears_the_cache(surroundings: Surroundings) -> None:
    """The server must not cache an answer for as long as the clock was wrong."""

    async def ask() -> None:
        asker = _Asker(surroundings.platform_server.url)
        await asker.at(0, READER)
        await asker.at(-500, READER)
        await asker.close()

    asyncio.run(ask())

    assert 2 == len(surroundings.platform_server.asked)
