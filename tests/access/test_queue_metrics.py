"""Which credentials may read the metrics of all repositories."""

import pytest

from access.hosting_platform import READER
from access.token_issuer import actions_claims, signed
from live_server import LiveServer


@pytest.mark.parametrize("kind", ["service token", "platform token"])
def test_other_credentials_use_the_path_of_one_repository(server: LiveServer, kind: str) -> None:
    """Only the admin token and application keys know all their repositories."""
    token = READER if kind == "platform token" else signed(actions_claims())
    every, one = server.ask(token, "/v1/metrics"), server.ask(token, "/v1/repos/acme/widgets/metrics")

    detail = (
        f"a {kind} cannot list the metrics of all repositories: use an application key, or "
        "/v1/repos/{owner}/{repository}/metrics for each repository"
    )
    assert (403, detail) == (every.status_code, every.json()["detail"])
    assert 200 == one.status_code
