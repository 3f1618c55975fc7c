"""The texts of reports about CI checks, which rows refer to by number."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.store.ci.rows import CiTextRow
from mergecast.queues.store.held_repository import HeldRepository


class CiTexts:
    """Texts of a held repository and their numbers, as far as they were asked for.

    None, an unknown runner, is 0.
    """

    def __init__(self, held: HeldRepository, known: Mapping[str | None, int] = MappingProxyType({})) -> None:
        self._held = held
        self.numbers: dict[str | None, int] = {**known, None: 0}
        self.texts: dict[int, str | None] = {number: text for text, number in self.numbers.items()}

    def find(self, reports: Iterable[CiCheckReport]) -> None:
        """Look up the texts of these reports; those that are not stored still have no number."""
        wanted = [text for text in _texts(reports) if text not in self.numbers]
        if wanted and self._held.state.last_ci_text:
            self._know(self._held.rows("ci_texts_among", wanted))

    def read(self, numbers: Collection[int]) -> None:
        """Look up texts by their numbers."""
        wanted = [number for number in numbers if number not in self.texts]
        if wanted:
            self._know(self._held.rows("ci_texts_numbered", wanted))

    def add(self, reports: Iterable[CiCheckReport]) -> None:
        """Store the texts of these reports that were looked up and have no number."""
        held = self._held
        last = held.state.last_ci_text
        new = [text for text in _texts(reports) if text not in self.numbers]
        added = [(text, number) for number, text in enumerate(new, start=last + 1)]
        if added:
            held.insert([CiTextRow(held.state.id, number, text) for text, number in added])
            held.save(replace(held.state, last_ci_text=last + len(added)))
            self._know(added)

    def _know(self, rows: Iterable[tuple[str, int]]) -> None:
        for text, number in rows:
            self.numbers[text], self.texts[number] = number, text


def _texts(reports: Iterable[CiCheckReport]) -> list[str]:
    found = {
        text: None
        for report in reports
        for text in (report.base_ref, report.queue_name, report.name, report.runner)
    }
    return [text for text in found if text is not None]
