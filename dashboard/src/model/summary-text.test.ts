import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Summary } from '../api/types.ts';
import { summaryText } from './summary-text.ts';

const figure = (value: number | null, change: number | null = null, count = 28) => ({ value, before: null, change, count });
const SUMMARY = {
  window: { start: '2026-11-01T00:00:00Z', end: '2026-11-08T00:00:00Z' },
  state: { name: 'slow', sentence: 'Slow: [click](http://x) @team `main` waits.' },
  all: {
    merged_per_day: figure(4, 0.5),
    time_in_queue_p50: figure(1800, -0.1),
    time_in_queue_p95: figure(7200, 0),
    failure_rate: figure(0.05, 0.012),
    waiting_ci: figure(1200, 0.1),
    waiting_capacity: figure(null),
    waiting_schedule: figure(0),
    waiting_freeze: figure(60),
    ci_runs_per_merge: figure(1.25, 0.2),
    ci_seconds_per_merge: figure(2700, 0.2),
  },
  cost: { currency: 'USD', total: '1234.5', total_change: -0.03 },
} as unknown as Summary;

test('the sentence, eight figures with their change, and a link', () => {
  assert.equal(
    summaryText(SUMMARY, 'acme/widgets', 'https://mergecast.example/r/acme/widgets?from=a&to=b'),
    `**acme/widgets**: Slow: \\[click\\]\\(http://x\\) @\u200bteam \\\`main\\\` waits.

- Time in queue, p50: 30m (−10%)
- Time in queue, p95: 2h00m (±0%)
- Merged: 4 / day (+50%)
- Failure rate: 5.0% (+1.2 points)
- CI runs per merge: 1.25 (+20%)
- CI time per merge: 45m (+20%)
- Waiting, mean: CI 20m (+10%), capacity –, schedule 0s, freeze 1m
- Cost of CI: $1,234.50 (−3%)

[2026-11-01 00:00 to 2026-11-08 00:00 UTC](<https://mergecast.example/r/acme/widgets?from=a&to=b>)
`,
  );
});

test('without prices there is no cost', () => {
  const text = summaryText({ ...SUMMARY, cost: null } as Summary, 'acme/widgets', 'https://x');
  assert.match(text, /freeze 1m\n\n\[/);
});

test('a short period has a number of merges and no rate', () => {
  const day = { ...SUMMARY, window: { start: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00Z' } };
  assert.match(summaryText(day, 'acme/widgets', 'https://x'), /- Merged: 28 in 1 day \(\+50%\)/);
});
