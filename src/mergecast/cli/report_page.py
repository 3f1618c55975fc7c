"""The page of `mergecast report`: one file without scripts that shows a period of a queue; pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from mergecast.answers import QueueVerdicts
from mergecast.cli.group_names import unknown_ci_text
from mergecast.cli.periods import SHORTEST_OF_RATE, Zone, days_of, kept_since_text
from mergecast.cli.report_pictures import Frame, Series, bars, lines, share_bar, stacks
from mergecast.client.answers import ExitReasons, Figure, Stay, Summary, Window
from mergecast.queues.model.figures import FIGURES, WAITS, Unit
from mergecast.queues.model.instant import duration
from mergecast.queues.model.words import causes_in_words, counted, in_words, plural

_TILES = (
    *("time_in_queue_p50", "time_in_queue_p95", "merged_per_day"),
    *("failure_rate", "ci_runs_per_merge", "ci_seconds_per_merge"),
)
_PER_DAY = "merged_per_day"
_MERGED = "SUCCESS"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # no script and nothing from elsewhere
STYLE = """
:root { color-scheme: light dark; --text: light-dark(#17191c, #eceef1); --soft: light-dark(#565d67,
  #a3abb5); --line: light-dark(#e4e6ea, #2b3036); --ground: light-dark(#fff, #14171a); --one:
  light-dark(#2f5bd7, #86a5fb); --two: light-dark(#a6bdf5, #42599c); --three: light-dark(#8d95a0,
  #828b96); --four: light-dark(#3f9e9a, #4fb3ae); --bad: light-dark(#cf4a42, #f0766c); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 60rem; color: var(--text); background: var(--ground);
  font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif; }
h1 { margin: 0; font-size: 1.5rem; }
h2 { margin: 0 0 .3rem; font-size: 1rem; }
p { margin: .3rem 0; }
.soft { color: var(--soft); font-weight: 400; }
.small { font-size: .85rem; }
.sentence { margin: 1rem 0; font-size: 1.2rem; font-weight: 600; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: .75rem; margin:
  1rem 0; }
.tiles div, section { border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem;
  break-inside: avoid; }
dl, dd, dt { margin: 0; }
dd b { font-size: 1.35rem; }
section { margin: 1rem 0; overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font-size: 12px; }
.share { height: .6rem; }
.grid { stroke: var(--line); }
.band { fill: var(--two); fill-opacity: .4; }
rect.one, circle.one { fill: var(--one); }
rect.two, circle.two { fill: var(--two); }
rect.three { fill: var(--three); }
rect.four { fill: var(--four); }
rect.bad { fill: var(--bad); }
polyline { fill: none; stroke-width: 2; }
polyline.one { stroke: var(--one); }
polyline.two { stroke: var(--two); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.legend svg { display: inline; width: 14px; height: 10px; }
table { width: 100%; border-collapse: collapse; font-size: .85rem; }
th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: baseline; }
th { font-weight: 500; }
thead th { color: var(--soft); }
.number { text-align: right; } .whole { white-space: nowrap; }
.bar { width: 40%; }
tr { break-inside: avoid; }
footer { margin-top: 1.5rem; color: var(--soft); font-size: .85rem; }
@page { margin: 14mm; }
@media print { :root { color-scheme: light; } * { print-color-adjust: exact; } body { padding: 0;
  max-width: none; } }
"""


@dataclass(frozen=True, slots=True)
class Report:
    """What a page is made of: answers of the API, and how they were asked for."""

    repository: str
    filters: Mapping[str, Sequence[str]]
    summary: Summary
    reasons: Sequence[ExitReasons]
    stays: Sequence[Stay]
    verdicts: Sequence[QueueVerdicts]
    zone: Zone
    made_at: datetime


def page(report: Report) -> str:
    """The whole document. Names are untrusted, and every text is escaped."""
    title = f"{report.repository}: merge queue"
    parts = [
        _head(report),
        _tiles(report.summary),
        *_charts(report),
        _reasons(report),
        _stays(report),
    ]
    shown = report.zone.shown(report.made_at)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + f"\n<footer>Mergecast, {shown}; times in {_text(report.zone.name)}, "
        "days of charts in UTC.</footer>\n"
        "</body>\n</html>\n"
    )


def _text(words: object) -> str:
    """Escaped, without characters that cannot be displayed."""
    plain = "".join(one if one.isprintable() or one in "\n\t" else "\ufffd" for one in str(words))
    return escape(plain)


def _name(words: object) -> str:
    """A name, which may be written from right to left."""
    return f"<bdi>{_text(words)}</bdi>"


def _span(window: Window, zone: Zone) -> str:
    return f"{zone.shown_text(window.start)} to {zone.shown_text(window.end)}"


def _head(report: Report) -> str:
    summary, zone = report.summary, report.zone
    chosen = [
        f"{what.replace('_', ' ')} {', '.join(map(_name, names))}" for what, names in report.filters.items()
    ]
    sentence = summary.verdict.sentence if summary.verdict else None
    kept = f"; {_text(kept_since_text(summary.kept_since, zone))}" if summary.kept_since else ""
    return (
        f"<header><h1>{_name(report.repository)} <span class='soft'>merge queue</span></h1>"
        f"<p class='soft'>{_span(summary.window, zone)}, {_text(zone.name)} · "
        f"{' · '.join(chosen) or 'all branches and queues'}</p>"
        f"<p class='soft small'>compared with {_span(summary.window_before, zone)}{kept}</p></header>"
        + (f"<p class='sentence'>{_text(sentence)}</p>" if sentence else "")
    )


def _per_day(figure: Figure, window: Window) -> str:
    """The rate, or the number of merges if there is less than one per day, or a period of less than two."""
    days, value = days_of(window), figure.value
    if value is None or (days >= SHORTEST_OF_RATE and not 0 < value < 1):
        return _with_unit(FIGURES[_PER_DAY].written(value), "/ day")
    number, unit = (days, "day") if days >= 1 else (days * 24, "hour")
    shown = f"{number:.1f}".removesuffix(".0")
    return _with_unit(f"{figure.count:,}", f"in {shown} {plural(float(shown), unit)}")


def _with_unit(number: str, unit: str) -> str:
    return f"{number} <span class='soft small'>{unit}</span>"


def _tiles(summary: Summary) -> str:
    figures = summary.all

    def shown(name: str) -> str:
        figure = figures[name]
        if name == _PER_DAY:
            return _per_day(figure, summary.window)
        return FIGURES[name].written(figure.value)

    def change(name: str) -> str:
        found = figures[name].change
        return "no comparison" if found is None else FIGURES[name].written_change(found)

    tiles = (
        f"<div><dt class='soft small'>{FIGURES[name].short}</dt><dd><b>{shown(name)}</b></dd>"
        f"<dd class='soft small'>{change(name)}</dd></div>"
        for name in _TILES
    )
    reason = unknown_ci_text(figures)
    said = f"<p class='soft small'>{_text(reason)}</p>" if reason else ""
    return f"<dl class='tiles'>{''.join(tiles)}</dl>{said}"


def _charts(report: Report) -> list[str]:
    intervals = report.summary.series or []
    if not intervals:
        return ["<section><p>Nothing happened in this period.</p></section>"]
    spans = [(datetime.fromisoformat(one.start), datetime.fromisoformat(one.end)) for one in intervals]
    frame = Frame(spans, report.zone.tz)

    def series(label: str, look: str, name: str) -> Series:
        return Series(label, look, [getattr(one, name).value for one in intervals])

    times = [series("p50", "one", "time_in_queue_p50"), series("p95", "two", "time_in_queue_p95")]
    looks = ("one", "two", "three", "four")
    waits = [
        series(label, look, f"waiting_{wait}")
        for (wait, label), look in zip(WAITS.items(), looks, strict=True)
    ]
    flow = [series("entered", "three", "entered"), series("merged", "one", "merged")]
    return [
        _card("Time in queue", "p50 to p95", lines(frame, times, _axis, "Time in queue"), times),
        _card("Where it goes", "mean per stay", stacks(frame, waits, _axis, "Where it goes"), waits),
        _card("Flow", "pull requests", bars(frame, flow, "{:,.0f}".format, "Flow"), flow),
    ]


def _axis(seconds: float) -> str:
    """A round length: `6h`, not `6h00m`."""
    return duration(seconds).removesuffix("00m") if seconds else "0"


def _card(title: str, note: str, picture: str, series: Sequence[Series]) -> str:
    legend = "".join(
        f'<span><svg viewBox="0 0 14 10" aria-hidden="true"><rect class="{one.look}" width="14" height="10"/>'
        f"</svg> {one.label}</span>"
        for one in series
    )
    head = f"<h2>{title} <span class='soft small'>{note}</span></h2>"
    return f"<section>{head}<p class='legend small'>{legend}</p>{picture}</section>"


def _look(reason: str) -> str:
    return "bad" if reason in ("CHECKS_FAILED", "CHECKS_TIMEOUT") else "three"


def _reasons(report: Report) -> str:
    counts: dict[str, int] = {}
    for entry in (entry for group in report.reasons for entry in group.stats):
        counts[entry.exit_reason] = counts.get(entry.exit_reason, 0) + entry.count
    merged = counts.pop(_MERGED, 0)
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    rows = "".join(
        f"<tr><th scope='row'>{_text(in_words(reason))}</th><td class='number'>{count:,}</td>"
        f"<td class='bar'>{share_bar(count / ranked[0][1], _look(reason))}</td></tr>"
        for reason, count in ranked
    )
    left = f"{counted(sum(counts.values()), 'stay')} left without a merge, {merged:,} merged."
    told = f"<p class='soft small'>{left}</p><table>{rows}</table>{_verdicts(report)}"
    return f"<section><h2>Why they left</h2>{told}</section>"


def _verdicts(report: Report) -> str:
    """Whose fault removals were, and how often verdicts were right."""
    causes: Counter[str] = Counter()
    for queue in report.verdicts:
        causes.update(queue.removal_causes.counts)
    if not causes.total():
        return ""
    right = "".join(
        f"<p class='small'>{_name(queue.queue_name)} → {_name(queue.base_ref)}: {_text(queue.sentence)}</p>"
        for queue in report.verdicts
    )
    return f"<p>Whose fault: {_text(causes_in_words(causes))}.</p>{right}"


def _stays(report: Report) -> str:
    rows = "".join(
        f"<tr><th scope='row'>#{stay.pull_request}</th>"
        f"<td class='number'>{Unit.SECONDS.written(stay.seconds)}</td>"
        f"<td class='whole'>{report.zone.shown_text(stay.left_at)}</td>"
        f"<td>{_name(stay.queue_name)} → {_name(stay.base_ref)}</td>"
        f"<td>{_text(in_words(stay.reason))}</td></tr>"
        for stay in report.stays
    )
    head = "<th>pull request</th><th class='number'>in queue</th><th>left</th><th>queue</th><th>outcome</th>"
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<section><h2>Slowest stays</h2>{table if rows else '<p>None left in this period.</p>'}</section>"
