"""Prometheus and Alertmanager in a temporary folder, with the files of `monitoring/` and short intervals."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import yaml

from local_client import local_client
from ports import reserved_ports
from waiting import wait_until

FILES = Path(__file__).parents[2] / "monitoring"
_NEEDED = ("prometheus", "prometheus-alertmanager", "promtool")
_STOP_SECONDS = 60


def why_not() -> str | None:
    """Why these programs cannot be started here, or None."""
    missing = [name for name in _NEEDED if shutil.which(name) is None]
    if not missing:
        return None
    return f"not installed: {', '.join(missing)} (Debian: apt install prometheus prometheus-alertmanager)"


class Prometheus:
    """A running Prometheus."""

    def __init__(self, url: str) -> None:
        self._http = local_client(url)

    def ask(self, expression: str) -> list[Any]:
        """The samples of an expression that are numbers."""
        answer = self._http.get("/api/v1/query", params={"query": expression})
        assert answer.status_code == 200, answer.text
        return [sample for sample in answer.json()["data"]["result"] if sample["value"][1] != "NaN"]

    def wait_for(self, expression: str) -> list[Any]:
        return wait_until(lambda: self.ask(expression), f"data of {expression}", pause=0.2)

    def rules(self) -> list[Any]:
        groups = self._http.get("/api/v1/rules").json()["data"]["groups"]
        return [rule for group in groups for rule in group["rules"]]

    def close(self) -> None:
        self._http.close()


@contextmanager
def monitoring(folder: Path, server: str, token: str, receiver: str) -> Iterator[Prometheus]:
    """Prometheus that reads a server, and sends alerts through Alertmanager to a receiver."""
    with ExitStack() as running:
        alerts, port = running.enter_context(reserved_ports(2))
        route = {"receiver": "test", "group_wait": "0s", "group_interval": "1s", "group_by": ["..."]}
        receivers = [{"name": "test", "webhook_configs": [{"url": receiver}]}]
        written = folder / "alertmanager.yml"
        inhibition = yaml.safe_load((FILES / "alertmanager.yml").read_text())["inhibit_rules"]
        configuration = {"route": route, "receivers": receivers, "inhibit_rules": inhibition}
        written.write_text(yaml.safe_dump(configuration))
        kept = f"--storage.path={folder / 'alerts'}"
        command = ["prometheus-alertmanager", f"--config.file={written}", kept, "--cluster.listen-address="]
        _start(running, folder, command, alerts)
        written = _configured(folder, server, token, alerts)
        kept = f"--storage.tsdb.path={folder / 'samples'}"
        _start(running, folder, ["prometheus", f"--config.file={written}", kept], port)
        prometheus = Prometheus(f"http://127.0.0.1:{port}")
        running.callback(prometheus.close)
        yield prometheus


def _configured(folder: Path, server: str, token: str, alerts: int) -> Path:
    """The example with the address of this server, an interval of seconds, and alerts that do not wait."""
    configuration = yaml.safe_load((FILES / "prometheus.yml").read_text())
    # An answer may take as long as the interval.
    configuration["global"] = {"scrape_interval": "3s", "evaluation_interval": "1s"}
    for job in configuration["scrape_configs"]:
        if job["job_name"] == "mergecast":
            # Without its store, the server answers after 5 seconds.
            job["scrape_interval"] = job["scrape_timeout"] = "7s"
        job["static_configs"] = [{"targets": [server.removeprefix("http://")]}]
    targets = [{"targets": [f"127.0.0.1:{alerts}"]}]
    configuration["alerting"] = {"alertmanagers": [{"static_configs": targets}]}
    rules = re.sub(r"^( +)for: .*$", r"\1for: 0s", (FILES / "rules.yml").read_text(), flags=re.MULTILINE)
    (folder / "rules.yml").write_text(rules)
    (folder / "mergecast-token").write_text(token)
    written = folder / "prometheus.yml"
    written.write_text(yaml.safe_dump(configuration))
    return written


def _start(running: ExitStack, folder: Path, command: list[str], port: int) -> None:
    log = folder / f"{command[0]}.log"
    command = [*command, f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"]
    with log.open("wb") as stream:
        process = subprocess.Popen(command, cwd=folder, stdout=stream, stderr=subprocess.STDOUT)
    running.callback(_stop, process)

    def is_ready() -> bool:
        assert process.poll() is None, log.read_text()
        try:
            return httpx.get(f"http://127.0.0.1:{port}/-/ready", trust_env=False).status_code == 200
        except httpx.TransportError:
            return False

    wait_until(is_ready, f"the start of {command[0]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait(_STOP_SECONDS)
