"""The answers of a server that is still opening its store."""

from collections.abc import Callable

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mergecast.api.problems import problem_for
from mergecast.api.responses import guard_response, json_response
from mergecast.errors import Unavailable


class NotReady:
    """An ASGI application: the process is alive, and can do nothing else yet."""

    def __init__(self, prefix: str, describe: Callable[[], str]) -> None:
        self._prefix, self._describe = prefix, describe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = self._answer(scope["path"].removeprefix(self._prefix))
        guard_response(response)
        await response(scope, receive, send)

    def _answer(self, path: str) -> Response:
        if path == "/healthz":
            return json_response({"status": "alive"})
        if path == "/readyz":
            return problem_for(Unavailable(self._describe()))
        return problem_for(Unavailable(f"the server is not ready yet ({self._describe()}); try again later"))
