import { describe, expect, test } from 'vitest';
import { fitOf, hasLongWord } from '../../../../server/rendering/html/table-fit.ts';
import type { Table } from '../../../../server/rendering/model.ts';

describe('the column widths of a table on narrow screens', () => {
  test.each([
    ['roomy', [20, 20, 20, 14]],
    ['tight', [20, 20, 20, 15]],
    ['tight', [24, 24, 24, 20]],
    ['broken', [24, 24, 24, 21]],
  ])('are %s with words of %j characters in adjacent columns', (fit, widths) => {
    expect(fitOf(tableOf(widths.map((width) => 'w'.repeat(width))))).toBe(fit);
  });

  test('are measured by the longest word of each column', () => {
    const titles = ['a'.repeat(20), 'b'.repeat(20), 'c', 'd'];
    const cells = ['a', 'b', `c ${'c'.repeat(20)}\nc`, `${'d'.repeat(20)} d`];
    expect(fitOf(tableOf(titles, [cells]))).toBe('tight');
  });

  test('count a word that may be broken with its minimum width', () => {
    expect(fitOf(tableOf(['w'.repeat(64), 'w'.repeat(25), 'Amount']))).toBe('roomy');
  });

  test('count the totals, whose letters may be wider', () => {
    const widths = ['w'.repeat(20), 'w'.repeat(20), 'w'.repeat(14), 'w'];
    const totals = { label: 'Total', value: '9'.repeat(20) };
    expect(fitOf(tableOf(widths, [], [{ ...totals, strong: false }]))).toBe('roomy');
    expect(fitOf(tableOf(widths, [], [{ ...totals, strong: true }]))).toBe('tight');
  });
});

test('a word of more than 24 characters counts as long, so that it may be broken', () => {
  expect(hasLongWord('w'.repeat(24))).toBe(false);
  expect(hasLongWord('w'.repeat(25))).toBe(true);
  expect(hasLongWord('word '.repeat(20))).toBe(false);
});

function tableOf(
  titles: readonly string[],
  rows: Table['rows'] = [],
  totals: Table['totals'] = [],
): Table {
  const columns = titles.map((title) => ({ title, align: 'start', width: 1 }) as const);
  return { kind: 'table', caption: 'Table', columns, rows, totals };
}
