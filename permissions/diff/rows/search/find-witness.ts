import { DraftWorld } from './draft-world.ts';
import {
  certainRelationships,
  type Found,
  isDifference,
  type Pair,
  type SearchScope,
} from './found.ts';
import { shrink } from './shrink.ts';
import { Steering } from './steer.ts';

/** Searches a smallest world in which `shows` lets a row through that `hides` does not. */
export function findWitness(pair: Pair, scope: SearchScope, tries: number): Found | undefined {
  for (let count = 0; count < tries; count += 1) {
    const found = attempt(pair, scope);
    if (!found) continue;
    const small = shrink(found, pair, scope);
    if (isDifference(small, pair, scope)) return small;
  }
  return undefined;
}

function attempt(pair: Pair, scope: SearchScope): Found | undefined {
  const { random } = scope;
  const world = new DraftWorld(scope);
  const steering = new Steering(world, random);
  const { table } = pair.shows;
  const row = world.addRow(table);
  const place = { table, row, root: { table, row } };
  const [shown, hidden] = [pair.shows.expression, pair.hides.expression];
  if (!shown) return undefined;
  if (random.happens(0.5)) steering.steer(shown, true, place);
  if (hidden && random.happens(0.2)) steering.removeVariable(hidden);
  else if (hidden) steering.steer(hidden, false, place);
  const missing = new Set(steering.removed);
  if (random.happens(0.7)) steering.steer(shown, true, place);
  steering.addCertainRows(certainRelationships(scope));
  world.setVariables(missing);
  const found = { world, row };
  return isDifference(found, pair, scope) ? found : undefined;
}
