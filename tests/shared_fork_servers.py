"""Fork servers that all servers of a test process share, because loading takes much longer than a test."""

from concurrent.futures import ThreadPoolExecutor

from mergecast.judge import pools
from mergecast.sandbox.fork_server import ForkServer
from mergecast.sandbox.patience import Patience
from prompt_children import DOCUMENTS, FORECASTS

# A busy machine may take minutes for what takes milliseconds.
PATIENT = Patience(600, 600)

# A fork server ends with the thread that started it, so this one must outlive the servers.
_STARTER = ThreadPoolExecutor(1)


class _SharedForkServer(ForkServer):
    """Ends with the test process; a server that stops ends only its own children."""

    def start(self) -> None:
        _STARTER.submit(super().start).result()

    def close(self) -> None:
        pass


FOR_DOCUMENTS = _SharedForkServer(DOCUMENTS)
FOR_FORECASTS = _SharedForkServer(FORECASTS)
# By the command that a server would start.
SHARED = {pools.DOCUMENTS.command: FOR_DOCUMENTS, pools.FORECASTS.command: FOR_FORECASTS}
