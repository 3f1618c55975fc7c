"""Every example payload that GitHub's client library publishes is accepted."""

import hmac
import json
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from live_server import live_server
from logged_secrets import remember
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from own_node import NPM, why_not

_PACKAGE = "@octokit/webhooks-examples@7.6.1"
_SECRET = remember("a secret for every example")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked npm package; nothing of it is run."""
    folder = tmp_path_factory.mktemp("npm")
    if reason := why_not():
        pytest.skip(reason)
    command = [*NPM, "pack", "--silent", "--pack-destination", str(folder), _PACKAGE]
    fetched = subprocess.run(command, capture_output=True, timeout=600, check=False)
    if fetched.returncode:
        pytest.skip(f"npm cannot fetch {_PACKAGE} here")
    # The Python of Debian 12 cannot yet unpack it safely.
    archive = next(folder.glob("*.tgz"))
    subprocess.run(["tar", "--extract", "--file", archive.name], cwd=folder, check=True)
    return folder / "package"


def _examples(package: Path) -> Iterator[tuple[str, bytes]]:
    for index in sorted(package.glob("*/index.json")):
        for event in json.loads(index.read_text(encoding="utf-8")):
            for example in event["examples"]:
                yield event["name"], json.dumps(example).encode()


def test_every_example_can_be_read(package: Path) -> None:
    """Those of all servers, old and new."""
    read = [webhook_delivery(event, "1", body, 0)[1].event for event, body in _examples(package)]

    assert len(read) > 500


def test_every_example_is_accepted(package: Path, tmp_path: Path) -> None:
    """Each is answered with 202; most of them do not concern a queue, and are not kept."""
    own = list(_examples(package))[:400]
    statuses = {}
    with live_server(tmp_path, webhook_secrets=(WebhookSecret(_SECRET.encode()),)) as live:
        for place, (event, body) in enumerate(own):
            signature = hmac.new(_SECRET.encode(), body, sha256).hexdigest()
            headers = {
                "Content-Type": "application/json",
                "X-GitHub-Event": event,
                "X-GitHub-Delivery": f"example-{place}",
                "X-Hub-Signature-256": f"sha256={signature}",
            }
            answer = live.http.post("/v1/hooks/github", content=body, headers=headers)
            statuses[answer.status_code] = f"{event}: {answer.text}"

    assert [202] == list(statuses), statuses
