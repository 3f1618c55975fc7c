"""Answers that forecasting processes compute: after a line for each step, if the client asks for lines."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from mergecast.api.fair_shares import while_connected
from mergecast.api.openapi.operation import STRING, Content
from mergecast.api.problems import HttpError, problem_for
from mergecast.api.routing import admission_of
from mergecast.api.services import Services
from mergecast.errors import FieldError, InvalidInput, MergecastError
from mergecast.judge.messages import ForecastAnswer
from mergecast.prediction.history import TooManyEvents, whole_answer
from mergecast.sandbox.errors import LimitReached, TooMuchToRead
from mergecast.sandbox.turns import Place

_NDJSON = "application/x-ndjson"


class Replays:
    """`advice` says what to do if an answer takes too long."""

    def __init__(self, services: Services, advice: str) -> None:
        self._services = services
        self._advice = advice

    async def answer(self, request: Request, head: bytes, task: str, question: msgspec.Struct) -> Response:
        """The answer, after a line for each step if the client asks for lines."""
        if _NDJSON in request.headers.get("accept", ""):
            return await self._stream(request, head, task, question)
        answer = await while_connected(request, self._ask(request, task, question))
        return Response(whole_answer(head, answer), media_type="application/json")

    async def _stream(self, request: Request, head: bytes, task: str, question: msgspec.Struct) -> Response:
        """One line per step, then the whole answer; an error after the first line is the last line."""
        steps = _Steps()
        work = asyncio.create_task(self._ask(request, task, question, steps))
        work.add_done_callback(lambda _: steps.end())
        try:
            first = await while_connected(request, steps.next())
        except BaseException:
            work.cancel()
            raise
        if first is None:
            work.result()  # raises what went wrong

        async def lines() -> AsyncIterator[bytes]:
            step = first
            try:
                while step is not None:
                    yield step
                    step = await steps.next()
                yield whole_answer(head, await work) + b"\n"
            except MergecastError as error:
                problem = msgspec.Raw(problem_for(error).body)
                yield msgspec.json.encode({"error": str(error), "problem": problem}) + b"\n"
            finally:
                work.cancel()  # if the client has gone

        return StreamingResponse(lines(), media_type=_NDJSON)

    async def _ask(
        self, request: Request, task: str, question: msgspec.Struct, steps: "_Steps | None" = None
    ) -> ForecastAnswer:
        ask = partial(self._services.forecaster.ask, admission_of(request).caller.identity, task, question)
        try:
            if steps is None:
                answer = await ask(ForecastAnswer)
            else:
                answer = await ask(ForecastAnswer, on_progress=steps.progress, on_place=steps.place)
        except LimitReached as reached:
            raise HttpError(422, f"{reached}; {self._advice}") from None
        except TooMuchToRead:
            raise TooManyEvents from None
        if answer.errors:
            raise InvalidInput([FieldError("body", error.pointer, error.message) for error in answer.errors])
        if answer.too_little is not None:
            raise HttpError(422, answer.too_little)
        return answer


class _Steps:
    """The lines of an answer before the last one, as they become known."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._place: Place | None = None
        self._has_begun = False

    def progress(self, step: bytes) -> None:
        self._put(b'{"progress":' + step + b"}\n")

    def place(self, place: Place) -> None:
        """One that need not wait begins with its first progress: an error before that has its own status."""
        if place != self._place and (place.position or self._has_begun):
            self._place = place
            self._put(b'{"line":' + msgspec.json.encode(place._asdict()) + b"}\n")

    def _put(self, line: bytes) -> None:
        self._has_begun = True
        self._lines.put_nowait(line)

    def end(self) -> None:
        self._lines.put_nowait(None)

    async def next(self) -> bytes | None:
        """None after the last one."""
        return await self._lines.get()


LINES: Content = {
    _NDJSON: {
        "schema": {
            **STRING,
            "description": 'While it waits for its turn, a line `{"line": {"position": 2, "under_way": 3}}` '
            "whenever one of the two changes: its position in line (1 is next, 0 is being computed), and how "
            'many forecasts of others are under way. Then a line `{"progress": …}` for each combination once '
            "it is replayed; a forecast of one candidate has none. The last line is the whole answer, or "
            '`{"error": "…", "problem": …}` if something goes wrong after the first line, with the problem '
            "document that would have been the answer.",
        }
    }
}
