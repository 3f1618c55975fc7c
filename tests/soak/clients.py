"""Well-behaved clients: one stores made-up histories, one asks about them and checks each answer."""

import json
import threading
from itertools import count
from random import Random
from typing import Self

import httpx

from property.compare import differences
from property.histories import make_history, make_scene
from property.oracle import STATISTICS, answer
from property.oracle_facts import Wire
from property.oracle_numbers import Asked
from property.questions import History, make_question, parameters
from property.repositories import LAST, past_questions
from robustness.server_process import ServerProcess
from soak.tally import Tally

_EVENTS = 60
_CHECKED_AT_THE_END = 10
# Percentiles are exact up to 200 days, and the longest stays of these histories take fifty years.
_LAST_DIGIT = 1e-15
_PAUSE = 0.02
_PAUSE_BETWEEN_HISTORIES = 0.5
_PAUSE_AFTER_ERROR = 0.1


def made_up_history(seed: int, number: int) -> History:
    """Always the same history for the same numbers."""
    choose = Random(f"{seed}/{number}").choice
    scene = make_scene(choose)
    return History(scene, make_history(choose, scene, _EVENTS), make_question(choose, scene))


class Clients:
    """A writer and a reader, in two threads, until the block ends."""

    def __init__(self, server: ServerProcess, tally: Tally, seed: int) -> None:
        self._server, self._tally, self._seed = server, tally, seed
        self._stored: list[History] = []
        self._ending = threading.Event()
        self.round_name: str | None = None  # the round that latencies count for
        self.is_stopping = False  # whether the server is being stopped, so that requests may fail
        self.stops = 0  # how often that has begun
        self._threads = [threading.Thread(target=work) for work in (self._write, self._read)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join()

    def check_everything(self) -> None:
        """Every stored event is exported, and the newest histories have the right answers."""
        with self._server.client() as http:
            for number, history in enumerate(self._stored):
                if self._tally.failures:
                    return
                self._check_export(http, number, history)
            for number in range(len(self._stored))[-_CHECKED_AT_THE_END:]:
                for statistic in STATISTICS:
                    self._check(http, number, statistic, past_questions(self._stored[number])[0])

    def _check_export(self, http: httpx.Client, number: int, history: History) -> None:
        try:
            lines = http.get(f"/v1/repos/acme/soak-{number}/events").content.splitlines()
        except httpx.TransportError as error:
            self._tally.fail(f"soak-{number}: no export: {error!r}")
            return
        exported = sorted(json.loads(line)["id"] for line in lines)
        if exported != sorted(event["id"] for event in history.events):
            self._tally.fail(f"soak-{number}: {len(exported)} of {len(history.events)} events are stored")

    def _write(self) -> None:
        with self._server.client() as http:
            for number in count():
                history = made_up_history(self._seed, number)
                for start in range(0, _EVENTS, 20):
                    if not self._store(http, number, history.events[start : start + 20]):
                        return
                self._stored.append(history)
                self._ending.wait(_PAUSE_BETWEEN_HISTORIES)

    def _store(self, http: httpx.Client, number: int, events: list[Wire]) -> bool:
        """Send until the server has acknowledged; False when the soak ends first."""
        while not self._ending.is_set():
            try:
                sent = http.post(f"/v1/repos/acme/soak-{number}/events", json=events)
            except httpx.TransportError:
                self._survive()
                continue
            if sent.status_code == 503:
                self._survive()
                continue
            if sent.status_code != 200 or sum(sent.json().values()) != len(events):
                self._tally.fail(f"delivery to soak-{number}: {sent.status_code} {sent.text[:300]}")
            return True
        return False

    def _read(self) -> None:
        chance = Random(self._seed)
        with self._server.client() as http:
            while not self._ending.wait(_PAUSE):
                if self._stored:
                    number = chance.randrange(len(self._stored))
                    questions = [one for one in past_questions(self._stored[number]) if one.start < one.end]
                    self._check(http, number, chance.choice(STATISTICS), chance.choice(questions))

    def _check(self, http: httpx.Client, number: int, statistic: str, asked: Asked) -> None:
        round_name, stops = self.round_name, self.stops
        path = f"/v1/repos/acme/soak-{number}/stats/{statistic}"
        try:
            got = http.get(path, params=parameters(statistic, asked))
        except httpx.TransportError as error:
            if self._may_have_failed(stops):
                self._survive()
            else:
                self._tally.fail(f"{round_name}: {path}: {error!r}")
            return
        if got.status_code == 503 and self._may_have_failed(stops):
            self._survive()
            return
        self._tally.answered(round_name, got.elapsed.total_seconds())
        if got.status_code != 200:
            self._tally.fail(f"{round_name}: {path}: {got.status_code} {got.text[:300]}")
            return
        expected = answer(statistic, self._stored[number].facts, asked, LAST)
        for line in differences(expected, json.loads(got.content), path, tolerance=_LAST_DIGIT)[:1]:
            self._tally.fail(f"{round_name}: wrong answer: {line}")

    def _may_have_failed(self, stops: int) -> bool:
        """Whether the server was being stopped at any time since so many stops had begun."""
        return self.is_stopping or self.stops > stops

    def _survive(self) -> None:
        self._tally.survive()
        self._ending.wait(_PAUSE_AFTER_ERROR)
