"""A program that imports the server once and forks a process for each start that a test asks for.

python server_program.py SOCKET: each message on this socket has, as JSON, the arguments of a server or of the
command `mergecast`, and three files: for the output, errors and the exit code. The reply is the id of the
process.
"""

import gc
import json
import mmap
import os
import resource
import selectors
import socket
import struct
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg_pool  # noqa: F401 - imported before the fork, like all that a server needs
import uvicorn.lifespan.on
import uvicorn.loops.auto
import uvicorn.loops.uvloop  # noqa: F401

import mergecast.queues.store.postgres.store
import mergecast.queues.store.sqlite.store  # noqa: F401
from mergecast.access.policy import Policy
from mergecast.app import RunningServer, Serving
from mergecast.cli.main import main
from mergecast.judge.pools import FORECASTS as _FORECASTS
from mergecast.judge.pools import document_pool
from mergecast.process.clock import now_in_microseconds
from mergecast.process.interpreter import search_garbage_seldom, switch_threads_often
from mergecast.process.logs import log_as_json
from mergecast.sandbox.fork_server import ForkServer
from mergecast.sandbox.pool import Pool
from mergecast.settings import Settings

sys.path.insert(0, str(Path(__file__).parents[1]))
from prompt_children import DOCUMENTS, FORECASTS
from shared_fork_servers import PATIENT

MOST_BYTES = 1 << 20


def _serve(
    folder: str,
    token: str,
    port: int,
    *,
    database_url: str | None,
    children: int,
    clock: str,
    shutdown_seconds: int,
) -> None:
    log_as_json()
    # Like the command `serve`.
    search_garbage_seldom()
    switch_threads_often()
    settings = Settings()
    serving = Serving(
        Path(folder),
        token,
        "127.0.0.1",
        port,
        now=_clock(clock) if clock else now_in_microseconds,
        judge=partial(_judge, children),
        forecaster=_forecaster,
        database_url=database_url,
        webhook_secrets=settings.webhook_secrets,
        policy=Policy(trusted_proxies=settings.trusted_proxies),
        shutdown_seconds=shutdown_seconds,
    )
    RunningServer(serving).run()


def _judge(children_at_start: int) -> Pool:
    fork_server = ForkServer(DOCUMENTS)
    return document_pool(fork_server=fork_server, children_at_start=children_at_start, patience=PATIENT)


def _forecaster() -> Pool:
    return Pool(_FORECASTS, 1, ForkServer(FORECASTS), stops_abandoned=True, patience=PATIENT)


def _clock(file: str) -> Callable[[], int]:
    """The machine's time plus the microseconds in a file, which may change at any time."""
    with Path(file).open("rb") as opened:
        offset = mmap.mmap(opened.fileno(), 8, access=mmap.ACCESS_READ)
    return lambda: now_in_microseconds() + int(struct.unpack("q", offset)[0])


def _fork_servers(control: socket.socket) -> tuple[bytes, list[int]]:
    """Fork until the test process ends. Returns only in a new process: its message and its output files."""
    exits: dict[int, int] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is not control:
                    selector.unregister(key.fileobj)
                    _report_exit(int(key.fd), key.data, exits.pop(key.data))
                    continue
                message, files, _, _ = socket.recv_fds(control, MOST_BYTES, 3)
                if not message:
                    os._exit(0)  # nothing is left to clean up, and frozen objects would be reported as leaks
                pid = os.fork()
                if pid == 0:
                    return message, files[:2]
                for file in files[:2]:
                    os.close(file)
                exits[pid] = files[2]
                selector.register(os.pidfd_open(pid), selectors.EVENT_READ, pid)
                control.send(str(pid).encode())


def _report_exit(pidfd: int, pid: int, report: int) -> None:
    _, status = os.waitpid(pid, 0)
    os.write(report, str(os.waitstatus_to_exitcode(status)).encode())
    os.close(report)
    os.close(pidfd)


def _redirect(output: int, errors: int) -> None:
    """Keep no file of the parent process open except for the output."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(errors, 2)
    # A new process sees whether its output is a file or a pipe; this one would seek in a pipe.
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _main(control: socket.socket) -> None:
    gc.collect()
    gc.freeze()
    message, files = _fork_servers(control)
    control.detach()
    _redirect(*files)
    gc.unfreeze()
    asked = json.loads(message)
    os.environ.clear()
    os.environ.update(asked["environment"])
    resource.setrlimit(resource.RLIMIT_NOFILE, asked["open_files"])
    if "command" in asked:
        sys.argv[1:] = asked["command"]
        main()
    else:
        _serve(**asked["serving"])
        os._exit(0)  # like `mergecast serve`, without taking apart what it has loaded


if __name__ == "__main__":
    _main(socket.socket(fileno=int(sys.argv[1])))
