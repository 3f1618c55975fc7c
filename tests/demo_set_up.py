"""The set-up of the demo, as it is sent over HTTP."""

from live_server import LiveServer
from mergecast.demo.set_up import BASE_REF, commit, rules, workflows


def send_set_up(server: LiveServer) -> None:
    """That of demo/harbor, which must have events."""
    sent = {"base_ref": BASE_REF, "commit": commit(), "files": workflows(), "rules": rules()}
    server.http.put("/v1/repos/demo/harbor/audit", json=sent).raise_for_status()
