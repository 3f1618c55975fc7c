"""Proxies that run with the configurations in docs/installing.md, with other ports and certificates."""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from certificates import self_signed
from deploy.files import ROOT
from waiting import wait_until

_HOST, _SERVER = "mergecast.acme.example", "127.0.0.1:8000"


@dataclass(frozen=True)
class Ports:
    http: int
    https: int
    server: int


def _documented(language: str) -> str:
    """The block of this language in the documentation."""
    text = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return str(block)


def _replaced(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert old in text, f"the documented configuration has no `{old}`"
        text = text.replace(old, new)
    return text


def _nginx(folder: Path, ports: Ports) -> list[str]:
    certificate = self_signed(folder / "certificate.pem")
    sites = _replaced(
        _documented("nginx"),
        {
            "listen 80;": f"listen 127.0.0.1:{ports.http};",
            "listen 443 ssl": f"listen 127.0.0.1:{ports.https} ssl",
            f"server_name {_HOST}": "server_name 127.0.0.1",
            "https://$host$": f"https://$host:{ports.https}$",
            "/etc/ssl/mergecast/certificate.pem": str(certificate),
            "/etc/ssl/mergecast/key.pem": str(certificate),
            _SERVER: f"127.0.0.1:{ports.server}",
            "Host $host;": f"Host $host:{ports.https};",
        },
    )
    temporary = "\n".join(
        f"{name}_temp_path {folder / name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    file = folder / "nginx.conf"
    file.write_text(
        f"{user}daemon off;\npid {folder / 'pid'};\nerror_log {folder / 'log'};\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}\n{sites}}}\n",
        encoding="utf-8",
    )
    return ["-p", str(folder), "-e", str(folder / "log"), "-c", str(file)]


def _caddy(folder: Path, ports: Ports) -> list[str]:
    certificate = self_signed(folder / "certificate.pem")
    sites = _replaced(
        _documented("caddyfile"),
        {
            f"{_HOST} {{": f"https://127.0.0.1:{ports.https} {{\n\ttls {certificate} {certificate}",
            _SERVER: f"127.0.0.1:{ports.server}",
        },
    )
    file = folder / "Caddyfile"
    options = (
        f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {ports.http}\n\thttps_port {ports.https}\n}}\n"
    )
    file.write_text(options + sites, encoding="utf-8")
    return ["run", "--config", str(file), "--adapter", "caddyfile"]


# The arguments of each program.
COMMANDS: dict[str, Callable[[Path, Ports], list[str]]] = {"nginx": _nginx, "caddy": _caddy}


def program(name: str) -> str | None:
    """Where it is installed. Debian has servers in a folder that only root searches."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")


@contextmanager
def running_proxy(name: str, folder: Path, ports: Ports) -> Iterator[None]:
    folder.mkdir()
    command = [str(program(name)), *COMMANDS[name](folder, ports)]
    with (folder / "output").open("wb") as output:
        environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        process = subprocess.Popen(command, stdout=output, stderr=output, env=environment)
    try:
        wait_until(lambda: process.poll() is not None or _listens(ports.https), f"{name} starts")
        assert process.poll() is None, (folder / "output").read_text(encoding="utf-8")
        yield
    finally:
        process.terminate()
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0
