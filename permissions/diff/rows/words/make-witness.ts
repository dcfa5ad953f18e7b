import type { Model } from '../../../types/model.ts';
import type { Witness } from '../row-comparison.ts';
import type { Found, Pair, SearchScope } from '../search/found.ts';

export function makeWitness(
  { world, row }: Found,
  { shows }: Pair,
  _scope: SearchScope,
  _model: Model,
): Witness {
  const related = [...world.rows].flatMap(([table, rows]) =>
    rows.filter((one) => one !== row).map((one) => ({ table, row: one })),
  );
  const { table } = shows;
  return { table, row, related, variables: world.variables, now: world.now, counts: [] };
}
