import type { BoolExp } from './types.ts';

/** Whether a filter lets every row through, whoever asks. */
export function passesEveryRow(filter: BoolExp): boolean {
  return filter.kind === 'and' && filter.items.every(passesEveryRow);
}
