"""A server that accepts all four kinds of credentials, with a fake platform and a token issuer."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from access.hosting_platform import HostingPlatform, hosting_platform
from access.token_issuer import AUDIENCE, GITHUB_ACTIONS, JwksEndpoint
from builders import worked_example
from live_server import NO_LIMITS, LiveServer, live_server
from local_http import LocalServer
from mergecast.access.policy import Issuer, Policy
from mergecast.process.clock import now_in_microseconds

REPOSITORIES = ("Acme/Widgets", "acme/gadgets", "acme-corp/widgets", "umbrella/secret")


@dataclass(frozen=True)
class Surroundings:
    """The servers that our server talks to."""

    platform: HostingPlatform
    platform_server: LocalServer
    jwks: JwksEndpoint
    jwks_server: LocalServer

    @property
    def policy(self) -> Policy:
        issuer = Issuer(GITHUB_ACTIONS, AUDIENCE, f"{self.jwks_server.url}/.well-known/jwks")
        return replace(NO_LIMITS, issuers=(issuer,), platform_url=self.platform_server.url)


def _surroundings() -> Iterator[Surroundings]:
    platform, platform_server = hosting_platform()
    jwks = JwksEndpoint()
    with platform_server, LocalServer(jwks.answer) as jwks_server:
        yield Surroundings(platform, platform_server, jwks, jwks_server)


# For tests that change the answers of the platform or the issuer.
surroundings = pytest.fixture(_surroundings, name="surroundings")
lasting_surroundings = pytest.fixture(_surroundings, scope="session", name="lasting_surroundings")


@pytest.fixture(scope="session")
def server(
    tmp_path_factory: pytest.TempPathFactory, lasting_surroundings: Surroundings
) -> Iterator[LiveServer]:
    """A server with four repositories; no test changes them."""
    with live_server(tmp_path_factory.mktemp("access"), lasting_surroundings.policy) as live:
        for repository in REPOSITORIES:
            live.send(worked_example(), repository).raise_for_status()
        yield live


@dataclass(frozen=True)
class Asking:
    """A server that several tests share, and the platform it asks; each test uses tokens of its own."""

    server: LiveServer
    surroundings: Surroundings

    def asked(self) -> list[str]:
        return [asked.path for asked in self.surroundings.platform_server.asked]


@pytest.fixture
def asking(server: LiveServer, lasting_surroundings: Surroundings) -> Iterator[Asking]:
    """For tests that change the answer of the platform without making the server pause."""
    lasting_surroundings.platform_server.asked.clear()
    yield Asking(server, lasting_surroundings)
    lasting_surroundings.platform.trouble = None


@pytest.fixture(scope="session")
def stored_example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the worked example: a server on a copy of it starts without storing that first."""
    folder = tmp_path_factory.mktemp("stored")
    with live_server(folder) as live:
        live.send(worked_example()).raise_for_status()
    return folder


@pytest.fixture
def own_server(tmp_path: Path, stored_example: Path, surroundings: Surroundings) -> Iterator[LiveServer]:
    """A separate server for one test; its clock stands still, so what it remembers does not expire."""
    folder = shutil.copytree(stored_example, tmp_path / "own")
    now = now_in_microseconds()
    with live_server(folder, surroundings.policy, now=lambda: now) as live:
        yield live
