"""The process that owns the store never loads modules that read documents."""

import subprocess
import sys
from pathlib import Path

import httpx

from api.recorded_pulls import record
from local_client import local_client
from ports import reserved_ports
from robustness.server_process import HEADERS, TOKEN, wait_until_ready
from waiting import wait_until

_PROGRAM = """
import sys
from pathlib import Path
from mergecast.app import RunningServer, Serving
from mergecast.process.logs import log_as_json

folder, token, port = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
log_as_json()
RunningServer(Serving(folder, token, "127.0.0.1", port, log_requests=False)).run()
print("\\n".join(sys.modules))
"""
_READERS = (
    "yaml", "jinja2", "mergecast.language", "mergecast.judge.child.tasks", "mergecast.queues.model.recorded",
)  # fmt: skip


def _status(http: httpx.Client, method: str, path: str, body: object) -> int:
    """The status of an answer; a busy machine may give the server's children too little time at first."""

    def asked() -> int | None:
        status = http.request(method, path, json=body).status_code
        return None if status == 503 else status

    return wait_until(asked, f"an answer of {path}")


def _simulated(http: httpx.Client, path: str, text: str) -> int:
    return _status(http, "POST", f"/v1/repos/a/b/{path}", {"config_yml": text})


def test_the_server_process_loads_no_document_reader(tmp_path: Path) -> None:
    """A server that has run simulations and served the schema has loaded none of these modules."""
    with reserved_ports() as [port]:
        command = [sys.executable, "-c", _PROGRAM, str(tmp_path), TOKEN, str(port)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            url = f"http://127.0.0.1:{port}"
            try:
                wait_until_ready(server, url, lambda: "see standard error")
                statuses = _statuses(url)
            finally:
                server.terminate()
            assert server.stdout is not None
            loaded = server.stdout.read().split()

    assert [200, 422, 422, 200, 200, 200, 200] == statuses
    assert "mergecast.sandbox.pool" in loaded
    assert [] == [name for name in loaded if name.startswith(_READERS)]


def _statuses(url: str) -> list[int]:
    """Those of everything that has to do with documents."""
    with local_client(url, headers=HEADERS) as http:
        http.put("/v1/repos/a/b/products", json={"products": []}).raise_for_status()
        return [
            *(_simulated(http, "configuration-simulator", text) for text in ("", "[", "x: y")),
            http.get("/v1/configuration-schema.json").status_code,
            _status(http, "PUT", "/v1/repos/a/b/pulls/7/snapshot", record()),
            *(_simulated(http, path, "queue_rules: []") for path in ("pulls/7/simulator", "simulator")),
        ]
