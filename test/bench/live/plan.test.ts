import { expect, test } from 'vitest';
import { planOf, refuseFewFiles, sizeOf } from '../../../bench/live/plan.ts';
import { refetchesIn } from '../../../bench/live/refetches.ts';
import { reportText } from '../../../bench/live/report.ts';
import { resultOf } from '../../../bench/live/write-price.ts';

test('the whole run has the sizes of the published goals, and a short run is smaller', () => {
  const sizes = [false, true].map((short) => {
    const { shared, narrowed, idle } = planOf(short);
    return [shared, narrowed, idle].map(sizeOf);
  });
  expect(sizes).toEqual([
    [1000, 1000, 10_000],
    [10, 20, 100],
  ]);
});

test('a run needs as many files as subscribers and some more', () => {
  const limits = (max: number) => `Limit Soft Hard\nMax open files   1024   ${max}   files\n`;
  expect(() => refuseFewFiles(limits(1024), 1000)).toThrow('needs 1500; run: ulimit -Hn 1500');
  expect(() => refuseFewFiles(limits(20_000), 10_000)).not.toThrow();
});

const counter = (changed: number, failed: number) =>
  ['changed', 'unchanged', 'failed']
    .map((outcome, index) => [outcome, [changed, 2, failed][index]])
    .map(([outcome, n]) => `rowgate_subscription_refetches_total{outcome="${outcome}"} ${n}`)
    .join('\n');

test('fetches are counted whatever their answer is', () => {
  expect(refetchesIn(`# TYPE\n${counter(40, 0)}\n`)).toBe(42);
});

test.each([
  ['a failed fetch', counter(40, 1)],
  ['no counter', 'process_cpu_seconds_total 1'],
])('%s ends the measurement', (_case, metrics) => {
  expect(() => refetchesIn(metrics)).toThrow('have failed or are not counted');
});

test('the rate of pgbench excludes the time of connecting', () => {
  const report = `number of transactions actually processed: 900
latency average = 0.111 ms
initial connection time = 3.000 ms
tps = 450.500000 (without initial connection time)`;
  expect(resultOf(report)).toEqual({ transactions: 900, perSecond: 450.5 });
  expect(() => resultOf('connection refused')).toThrow('connection refused');
});

test('the report shows medians with their spread, and a dash for what is not measured', () => {
  const round = (p50Ms: number, refetches: object) => ({
    ...{ p50Ms, p99Ms: 30, maxMs: 40, messagesPerSecond: 500, ...refetches },
    ...{ serverPercent: 9.25, postgresPercent: Number.NaN },
  });
  const setting = {
    ...{ date: '2026-01-31', commit: 'abc', processors: '2', node: 'v24', postgres: '18' },
    ...{ rounds: 3, roundMs: 1000, loadBefore: 0, missing: { pgbench: 'it is not installed' } },
  };
  const audiences = {
    rowgate: [15, 13, 14].map((p50) => round(p50, { refetchesPerWrite: 1 })),
    polled: [round(500, {})],
  };
  const text = reportText(setting, { audiences, idle: {}, prices: {} });
  expect(text).toContain('Not measured: pgbench, it is not installed.');
  expect(text).toContain('| rowgate | 14.0 (13.0..15.0) | 30.0 (30.0..30.0) |');
  expect(text).toMatch(/\| polled \|.* \| – \| 9\.3 \(9\.3\.\.9\.3\) \| – \|/);
});
