import { shortTable } from '../../expressions/describe.ts';
import type { Witness } from './row-comparison.ts';

/**
 * Returns the rows of a witness in words, as the object of a sentence: `rows of digital_wallet where status is
 * 'archived'`, or `every row of digital_wallet`.
 */
export function describeWitness({ table, counts }: Witness): string {
  const name = shortTable(table);
  const rows = counts.filter(({ kind }) => kind !== 'variable').map(({ words }) => words);
  const missing = counts.filter(({ kind }) => kind === 'variable').map(({ words }) => words);
  const where = rows.length > 0 ? ` where ${joined(rows)}` : '';
  const subject = counts.length === 0 ? `every row of ${name}` : `rows of ${name}${where}`;
  return missing.length > 0 ? `${subject}, ${missing.join(' and ')}` : subject;
}

/** Joins conditions. Alternatives within one of several conditions stand in parentheses. */
function joined(conditions: readonly string[]): string {
  if (conditions.length === 1) return conditions.join('');
  return conditions
    .map((one) => (one.includes(' or ') && !one.startsWith('not (') ? `(${one})` : one))
    .join(' and ');
}
