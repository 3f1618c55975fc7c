"""Changes the settings of a repository."""

from typing import Any

import httpx

from live_server import LiveServer


def put_settings(server: LiveServer, repository: str = "acme/widgets", /, **sections: Any) -> httpx.Response:
    """Replace these sections."""
    path = f"/v1/repos/{repository}/settings"
    etag = server.http.get(path).headers.get("etag", "*")
    return server.http.put(path, json=sections, headers={"If-Match": etag})
