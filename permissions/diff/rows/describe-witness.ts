import type { Witness } from './row-comparison.ts';

/**
 * Returns the rows of a witness in words, as the object of a sentence: `rows of digital_wallet where status is
 * 'archived'`.
 */
export function describeWitness({ table, counts }: Witness): string {
  const name = table.replace(/^public\./, '');
  const rows = counts.filter(({ kind }) => kind !== 'variable').map(({ words }) => words);
  const missing = counts.filter(({ kind }) => kind === 'variable').map(({ words }) => words);
  const where = rows.length > 0 ? ` where ${rows.join(' and ')}` : '';
  return `rows of ${name}${where}${missing.length > 0 ? `, ${missing.join(', ')}` : ''}`;
}
