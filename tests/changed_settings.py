"""The settings of a repository, read and changed by a client that nobody disturbs."""

from typing import Any

from api.changed_settings import put_settings
from live_server import LiveServer


def change_settings(server: LiveServer, repository: str, **sections: object) -> None:
    """Replace some sections; None deletes one."""
    put_settings(server, repository, **sections).raise_for_status()


def settings_of(server: LiveServer, repository: str) -> dict[str, Any]:
    answer = server.http.get(f"/v1/repos/{repository}/settings")
    answer.raise_for_status()
    settings: dict[str, Any] = answer.json()
    return settings
