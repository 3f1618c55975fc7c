"""The pool: every question is answered, and the next one finds a healthy child."""

import asyncio
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from judge.conftest import ODD_CHILD, Run
from judge.odd_child import Given
from mergecast.errors import Unavailable
from mergecast.judge.limits import DOCUMENT_LIMITS
from mergecast.judge.pools import DOCUMENTS, document_pool
from mergecast.sandbox.errors import ChildError, Limit, LimitReached, TooMuchToRead
from mergecast.sandbox.fork_server import ForkServer
from mergecast.sandbox.frames import LONGEST_FRAME
from mergecast.sandbox.patience import Patience, Stopwatch, TooBusy, within_cpu_time
from mergecast.sandbox.pool import MOST_WAITING, Pool
from shared_fork_servers import PATIENT
from waiting import wait_until

pytestmark = pytest.mark.thorough

T = TypeVar("T")

_others: list[int] = []  # child processes that earlier tests share


async def _ask(judge: Pool, task: str, text: str = "", number: float = 0) -> Any:
    return await judge.ask(task, Given(text, number), object)


def _asking(*asked: tuple[str, float]) -> Callable[[Pool], Awaitable[list[Any]]]:
    """Ask one after the other; a failure is part of the answer."""

    async def work(judge: Pool) -> list[Any]:
        return [(await asyncio.gather(_ask(judge, *one), return_exceptions=True))[0] for one in asked_]

    asked_ = [(task, "", number) for task, number in asked]
    return work


def test_answers(run_with_judge: Run[Any]) -> None:
    """A text comes back unchanged, however long it is."""
    texts = ["", "ä€😀\n\0", "x" * 3_000_000]

    async def work(judge: Pool) -> list[Given]:
        return [await judge.ask("echo", Given(text), Given) for text in texts]

    assert [Given(text) for text in texts] == run_with_judge(work)


def test_a_question_that_is_too_long(run_with_judge: Run[Any]) -> None:
    """It is refused before it is sent, and the next one is answered."""

    async def work(judge: Pool) -> tuple[str, Given]:
        with pytest.raises(TooMuchToRead) as refused:
            await _ask(judge, "echo", "x" * LONGEST_FRAME)
        return str(refused.value), await judge.ask("echo", Given("x"), Given)

    refusal, answer = run_with_judge(work)

    assert Given("x") == answer
    assert (
        "repository: the pull requests and the document take 67,108,886 bytes, "
        "more than the 67,108,864 that can be simulated at once"
    ) == refusal


def test_a_child_that_was_started_in_advance(run_with_judge: Run[Any]) -> None:
    """It answers the first question; starting again changes nothing."""

    async def work(judge: Pool) -> tuple[Any, Any]:
        judge.start()
        judge.start()
        started = await asyncio.to_thread(wait_until, _grandchildren)
        return started, await _ask(judge, "pid")

    started, pid = run_with_judge(work)

    assert [pid] == started


def test_no_child_before_the_first_question(run_with_judge: Run[Any]) -> None:
    """Unless it is started in advance; after the end none is left."""

    async def work(judge: Pool) -> tuple[list[int], Any, list[int]]:
        before = _children()
        pid = await _ask(judge, "pid")
        return before, pid, _grandchildren()

    before, pid, during = run_with_judge(work)

    assert ([], [pid], []) == (before, during, _children())


def test_a_fork_server_that_dies(run_with_judge: Run[Any]) -> None:
    """Its children end with it, and another one forks the child that answers the next question."""

    async def work(judge: Pool) -> tuple[int, int]:
        before = await _ask(judge, "pid")
        (fork_server,) = _children()
        os.kill(fork_server, signal.SIGKILL)
        await asyncio.to_thread(wait_until, lambda: _has_ended(before))
        return before, await _ask(judge, "pid")

    before, after = run_with_judge(work)

    assert before != after
    assert [] == _children()


def test_a_pool_that_is_closed_while_it_starts() -> None:
    """It does not wait until everything is loaded, and no process is left."""
    program = (sys.executable, "-I", "-c", "import time; time.sleep(3600)")

    async def main() -> None:
        judge = document_pool(1, ForkServer(program))
        judge.start()
        await asyncio.sleep(0.1)
        await asyncio.wait_for(judge.close(), 60)

    asyncio.run(main())
    assert [] == _children()


def test_a_child_is_used_again_by_a_server_that_holds_much(run_with_judge: Run[Any]) -> None:
    """Only its own memory counts, not that of its parent."""
    held = bytearray(b"x") * (DOCUMENT_LIMITS.restart_bytes + (64 << 20))

    assert 1 == len(set(run_with_judge(_asking(*[("pid", 0)] * 5))))
    assert held


def test_a_child_is_used_again(run_with_judge: Run[Any]) -> None:
    """The same process answers as long as it is healthy."""
    assert 1 == len(set(run_with_judge(_asking(*[("pid", 0)] * 5))))


def test_a_child_of_a_large_process(run_with_judge: Run[Any]) -> None:
    """The memory of the parent does not matter."""
    held = bytearray(DOCUMENT_LIMITS.restart_bytes + (40 << 20))
    held[::4096] = b"x" * len(held[::4096])

    assert 1 == len(set(run_with_judge(_asking(*[("pid", 0)] * 5))))


@pytest.mark.parametrize(
    ("task", "number", "limit"),
    [
        ("die", 0, Limit.CRASH),
        ("spin", 0, Limit.TIME),
        ("hold", 400, Limit.MEMORY),
    ],
)
def test_a_limit(task: str, number: float, limit: Limit) -> None:
    """The question is refused, says why, and another child answers the next one."""
    questions = _asking(("pid", 0), (task, number), ("pid", 0))

    before, refused, after = asyncio.run(_with_seconds(0.4, PATIENT, questions))

    assert isinstance(refused, LimitReached)
    assert (limit, DOCUMENTS.words.limits[limit].format(seconds=0.4)) == (refused.limit, str(refused))
    assert before != after
    assert [] == _children()


def test_a_question_with_less_time() -> None:
    """A question can have less time than the pool gives, and the next one need not wait for its task."""

    async def work(judge: Pool) -> LimitReached:
        with pytest.raises(LimitReached) as refused:
            await judge.ask("spin", Given("", 0), object, seconds=0.3)
        await _ask(judge, "pid")
        return refused.value

    # The task itself never ends, and the pool would let it run until the system ends the child.
    assert Limit.TIME == asyncio.run(_with_seconds(3600, PATIENT, work)).limit


def test_a_child_that_was_kept_from_working() -> None:
    """If the machine gave it no CPU time, the document is not to blame."""
    (late,) = asyncio.run(_with_seconds(0.2, Patience(600, 3), _asking(("sleep", 3600))))

    assert isinstance(late, Unavailable)
    assert "the machine is too busy to read the document in time" == str(late)


@pytest.mark.parametrize("is_paused", [True, False])
def test_the_turns_of_others_do_not_count_as_a_busy_machine(*, is_paused: bool) -> None:
    async def main() -> str:
        watch = Stopwatch(asyncio.get_running_loop().time)
        if is_paused:
            watch.pause()
        answering = asyncio.sleep(0.5, "the answer")
        return await within_cpu_time(0.01, lambda: 0.0, answering, (watch, 0.05))

    if is_paused:
        assert "the answer" == asyncio.run(main())
    else:
        with pytest.raises(TooBusy):
            asyncio.run(main())


def test_a_stopwatch_begins_again_with_each_progress() -> None:
    seconds = iter([0.0, 5.0, 5.0, 7.0, 10.0, 14.0, 16.0, 16.0, 17.0])
    watch = Stopwatch(lambda: next(seconds))

    assert 5.0 == watch.seconds()
    watch.restart()  # at 5
    assert 2.0 == watch.seconds()
    watch.pause()  # at 10
    assert 5.0 == watch.seconds()
    watch.go_on()  # at 14
    assert 7.0 == watch.seconds()
    watch.restart()
    assert 1.0 == watch.seconds()


def test_a_busy_machine_delays_an_answer() -> None:
    """A task may take longer than its time limit, which counts CPU time."""
    assert [None] == asyncio.run(_with_seconds(0.2, PATIENT, _asking(("sleep", 0.6))))


async def _with_seconds(seconds: float, patience: Patience, work: Callable[[Pool], Awaitable[T]]) -> T:
    """Work with a child that may use so much CPU time per task."""
    judge = document_pool(1, ForkServer(ODD_CHILD), seconds, patience=patience)
    try:
        return await work(judge)
    finally:
        await judge.close()


def test_a_child_that_has_used_much_memory(run_with_judge: Run[Any]) -> None:
    """It is replaced, so that the next document has all the memory it may use."""
    before, held, after, last = run_with_judge(_asking(("pid", 0), ("hold", 180), ("pid", 0), ("pid", 0)))

    assert 180 == held
    assert before != after == last


def test_a_child_that_dies_while_it_is_idle(run_with_judge: Run[Any]) -> None:
    """The next question is answered."""

    async def work(judge: Pool) -> tuple[int, int]:
        before = await _ask(judge, "pid")
        os.kill(before, signal.SIGKILL)
        await asyncio.to_thread(wait_until, lambda: _has_ended(before))
        return before, await _ask(judge, "pid")

    before, after = run_with_judge(work)

    assert before != after
    assert [] == _children()


def test_an_internal_error(run_with_judge: Run[Any]) -> None:
    """An unexpected exception comes with its traceback; the child that had it is replaced."""
    before, failed, after = run_with_judge(_asking(("pid", 0), ("fail", 0), ("pid", 0)))

    assert isinstance(failed, ChildError)
    assert str(failed).endswith("ValueError: odd\n")
    assert before != after


def test_a_caller_that_stops_waiting(run_with_judge: Run[Any], tmp_path: Path) -> None:
    """The answer to an abandoned question never becomes the answer to the next one."""

    async def work(judge: Pool) -> list[Any]:
        pid = await _ask(judge, "pid")
        await _abandon(judge, tmp_path / "end")
        (tmp_path / "end").touch()
        return [pid, await _ask(judge, "echo", "mine"), await _ask(judge, "pid")]

    pid, echoed, later = run_with_judge(work)

    assert {"text": "mine", "number": 0.0} == echoed
    assert pid == later


async def _abandon(judge: Pool, end: Path) -> None:
    """Ask a question that is answered once a file exists, and stop waiting for the answer."""
    asking = asyncio.ensure_future(_ask(judge, "wait", str(end)))
    await asyncio.to_thread(wait_until, end.with_name(f"{end.name} is awaited").exists)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


@pytest.mark.parametrize("stops", [True, False])
def test_a_long_task_that_was_abandoned(stops: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """A pool for long tasks stops it with its child, so that the next question does not wait for it."""

    async def main() -> list[Any]:
        judge = document_pool(1, ForkServer(ODD_CHILD), stops_abandoned=stops, patience=PATIENT)
        before = await _ask(judge, "pid")
        await _abandon(judge, tmp_path / "end")
        if not stops:
            (tmp_path / "end").touch()
        answers = [before, await _ask(judge, "pid"), await _ask(judge, "echo", "mine")]
        await judge.close()
        return answers

    before, after, echoed = asyncio.run(main())

    assert {"text": "mine", "number": 0.0} == echoed
    assert stops == (before != after)


def test_the_queue_is_bounded(run_with_judge: Run[Any]) -> None:
    """If many questions wait, the next is rejected at once, and those that wait are answered."""

    async def work(judge: Pool) -> list[Any]:
        await _ask(judge, "pid")
        questions = [_ask(judge, "sleep", number=0.01) for _ in range(MOST_WAITING + 3)]
        return await asyncio.gather(*questions, return_exceptions=True)

    answers = run_with_judge(work)

    assert [None] * (MOST_WAITING + 1) == answers[: MOST_WAITING + 1]
    assert ["too many documents are waiting to be read; try again in a moment"] * 2 == [
        str(answer) for answer in answers[MOST_WAITING + 1 :]
    ]


def test_closing_ends_running_tasks() -> None:
    """Callers that still wait get an error, and no process is left."""

    async def main() -> list[Any]:
        judge = document_pool(2, ForkServer(ODD_CHILD), 3600, patience=PATIENT)
        asked = [asyncio.ensure_future(_ask(judge, "spin")) for _ in range(3)]
        await asyncio.sleep(0.5)
        await judge.close()
        answers = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 60)
        with pytest.raises(Unavailable):
            await _ask(judge, "pid")
        return answers

    answers = asyncio.run(main())

    assert 3 == len(answers)
    assert all(isinstance(answer, (asyncio.CancelledError, Unavailable)) for answer in answers), answers
    assert [] == _children()


def test_a_child_that_cannot_start() -> None:
    """Callers do not wait forever."""
    program = (sys.executable, "-I", "-c", "import nothing_of_this_name")

    async def main() -> None:
        judge = document_pool(1, ForkServer(program), patience=Patience(waiting_seconds=0.5))
        try:
            await _ask(judge, "pid")
        finally:
            await judge.close()

    with pytest.raises(Unavailable, match="no process is free to read the document; try again in a moment"):
        asyncio.run(main())
    assert [] == _children()


def test_a_command_gives_up_on_a_child_that_cannot_start() -> None:
    """It says so after a few attempts, instead of minutes later, and also to those who ask afterwards."""
    program = (sys.executable, "-I", "-c", "import nothing_of_this_name")

    async def main() -> list[BaseException | Any]:
        judge = document_pool(1, ForkServer(program), patience=PATIENT._replace(failed_starts=2))
        try:
            asked = await asyncio.gather(*(_ask(judge, "pid") for _ in range(2)), return_exceptions=True)
            return [*asked, *await asyncio.gather(_ask(judge, "pid"), return_exceptions=True)]
        finally:
            await judge.close()

    expected = (
        "the process that reads documents does not start: the child ended without an answer; "
        f"run `{shlex.join(program)}` to see why"
    )
    assert [expected] * 3 == [str(answer) for answer in asyncio.run(main())]
    assert [] == _children()


def test_a_child_that_can_start_later(tmp_path: Path) -> None:
    """The pool tries again."""
    program = (
        "import os, sys\n"
        f"if not os.path.exists({str(tmp_path / 'tried')!r}):\n"
        f"    os.mkdir({str(tmp_path / 'tried')!r}); sys.exit(1)\n"
        f"os.execv(sys.executable, [*{ODD_CHILD!r}, sys.argv[1]])\n"
    )

    async def main() -> Any:
        judge = document_pool(1, ForkServer((sys.executable, "-I", "-c", program)), patience=PATIENT)
        try:
            return await _ask(judge, "echo", "here")
        finally:
            await judge.close()

    assert {"text": "here", "number": 0.0} == asyncio.run(main())
    assert [] == _children()


def test_what_a_child_is_given(run_with_judge: Run[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """No secret in environment or arguments, no open file except its channel, and a low priority."""
    monkeypatch.setenv("MERGECAST_ADMIN_TOKEN", "secret")

    environment, arguments, files, nice = run_with_judge(
        _asking(("environment", 0), ("arguments", 0), ("files", 0), ("nice", 0))
    )

    assert {"LANG", "OPENBLAS_NUM_THREADS"} == environment.keys() - {"LC_CTYPE"}
    assert [str(os.getpid())] == arguments
    assert 5 == len(files)  # the channel twice, two of nothing, and the listing of the folder itself
    assert nice >= 10


def test_a_child_cannot_write_a_file(run_with_judge: Run[Any], tmp_path: Path) -> None:
    """Not a byte."""
    file = tmp_path / "file"

    async def work(judge: Pool) -> Any:
        return (await asyncio.gather(_ask(judge, "write", str(file)), return_exceptions=True))[0]

    assert isinstance(run_with_judge(work), ChildError)
    assert b"" == file.read_bytes()


def test_a_killed_parent() -> None:
    """Its child ends with it, even in the middle of a task."""
    program = f"""
import asyncio, sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from judge.odd_child import Given
from mergecast.sandbox.fork_server import ForkServer
from mergecast.sandbox.patience import Patience
from mergecast.judge.pools import document_pool
async def main():
    judge = document_pool(1, ForkServer({ODD_CHILD!r}), seconds=60, patience=Patience(600, 600))
    print(await judge.ask("pid", Given(), int), flush=True)
    await judge.ask("spin", Given(), int)
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(0.2)
        parent.kill()
    wait_until(lambda: _has_ended(child))


def _has_ended(pid: int) -> bool:
    """Whether a process has closed its files; its parent may not have noticed yet."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return True
    return status.rpartition(")")[2].split()[0] == "Z"


@pytest.fixture(autouse=True)
def _note_other_children() -> None:
    _others[:] = _children_of(os.getpid())


def _children() -> list[int]:
    """The child processes of this test, including those that have ended but were not reaped: fork servers."""
    return [pid for pid in _children_of(os.getpid()) if pid not in _others]


def _grandchildren() -> list[int]:
    return [pid for fork_server in _children() for pid in _children_of(fork_server)]


def _children_of(parent: int) -> list[int]:
    text = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
    return [int(pid) for pid in text.split()]
