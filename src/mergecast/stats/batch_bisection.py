"""How often are failed batches split, and is the culprit found?"""

from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, NUMBER, WINDOW, Statistic, entries, groups, record
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    started = reader.rows("batch_bisection_started", question.by_interval())
    completed = reader.rows("batch_bisection_completed", question.by_interval())
    return {
        "started": with_intervals(question, started, _start),
        "completed": with_intervals(question, completed, _completion),
    }


def _start(bisections: int, depths: int, deepest: int, sizes: int) -> dict[str, object]:
    return {
        "bisection_count": bisections,
        "avg_depth": int(depths) / bisections,
        "max_depth": deepest,
        "avg_batch_size_before_split": int(sizes) / bisections,
    }


def _completion(bisections: int, culprits: int, given_up: int) -> dict[str, object]:
    return {
        "bisection_completed_count": bisections,
        "culprit_found_count": culprits,
        "max_failure_reached_count": given_up,
    }


STATISTIC = Statistic(
    name="batch_bisection",
    summary="Bisections of failed batches, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=record(
        {
            "started": groups(
                entries(
                    bisection_count=INTEGER,
                    avg_depth=NUMBER,
                    max_depth=INTEGER,
                    avg_batch_size_before_split=NUMBER,
                )
            ),
            "completed": groups(
                entries(
                    bisection_completed_count=INTEGER,
                    culprit_found_count=INTEGER,
                    max_failure_reached_count=INTEGER,
                )
            ),
        }
    ),
)
