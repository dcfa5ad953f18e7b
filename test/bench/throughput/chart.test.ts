import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { chart } from '../../../bench/throughput/chart.ts';
import { resultOf } from './results.ts';

const setting = { date: '2026-01-31', processors: '2 × <any> & all' };
const svg = chart(setting, [
  resultOf('gateway', [[12_345, 80]]),
  resultOf('pgbench', [[24_000, undefined]]),
  resultOf('gateway', [[500, 960]], 'list'),
  { ...resultOf('gateway', [[99, 1]], 'hidden'), connections: 64 },
]);
const barsOf = (name: string) =>
  [
    ...svg.matchAll(
      new RegExp(`<rect class="${name}" x="([\\d.]+)" y="\\d+" width="([\\d.]+)"`, 'g'),
    ),
  ]
    .slice(1)
    .map(([, x, width]) => [Number(x), Number(width)]);

test('the chart is XML with a title and a description of all figures', () => {
  const { svg: root } = new XMLParser({ ignoreAttributes: false }).parse(svg);
  expect(root['@_role']).toBe('img');
  expect(root['@_aria-labelledby']).toBe('t d');
  expect(root.title['#text']).toBe('Processor time per request');
  expect(root.desc['#text']).toBe(
    'by_pk: gateway 80 µs in Node and 40 µs in Postgres, pgbench 0 µs in Node and 40 µs in Postgres. ' +
      'list: gateway 960 µs in Node and 40 µs in Postgres.',
  );
});

test('bars are proportional to the processor time within a panel', () => {
  expect(barsOf('node')).toEqual([
    [100, 160],
    [100, 0],
    [100, 230.4],
  ]);
  expect(barsOf('postgres')).toEqual([
    [260, 80],
    [100, 80],
    [330.4, 9.6],
  ]);
});

test('a bar is followed by its figures', () => {
  expect(svg).toContain('>120 µs, 12.3k/s</text>');
  expect(svg).toContain('>1000 µs, 500/s</text>');
});

test('the background is opaque, and dark where the reader prefers it', () => {
  expect(svg).toMatch(/<rect class="page" width="960" height="\d+"\/>/);
  expect(svg).toContain('@media (prefers-color-scheme: dark)');
});
