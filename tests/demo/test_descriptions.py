"""The invented titles and authors."""

from collections import Counter
from datetime import date

from demo.histories import history
from mergecast.demo.descriptions import description_of


def test_titles_follow_from_the_pull_request_and_its_queue() -> None:
    entered = [event for event in history(date(2026, 3, 2), 14) if event["type"] == "queue_entered"]
    described = [description_of(event) for event in entered]

    assert described == [description_of(event) for event in entered]
    authors = Counter(str(one["author"]) for one in described)
    agents = sum(count for author, count in authors.items() if author.endswith("-agent[bot]"))
    assert 0.02 < agents / len(described) < 0.2
    assert {"ada", "dependabot[bot]", "translation-sync[bot]"} <= authors.keys()
    rules = {
        event["priority_rule_name"]
        for event, one in zip(entered, described, strict=True)
        if one["author"] == "dependabot[bot]"
    }
    assert rules == {"low"}
