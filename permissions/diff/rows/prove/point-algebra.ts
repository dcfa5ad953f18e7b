import { anyRelation, equal, greater, less, type Relations } from './formula.ts';

/** The relations that a and c can have if a and b have one relation, and b and c have another. */
const composed: Readonly<Record<number, Readonly<Record<number, Relations>>>> = {
  [less]: { [less]: less, [equal]: less, [greater]: anyRelation },
  [equal]: { [less]: less, [equal]: equal, [greater]: greater },
  [greater]: { [less]: anyRelation, [equal]: greater, [greater]: greater },
};

const single = [less, equal, greater];

const compositions: readonly (readonly Relations[])[] = Array.from({ length: 8 }, (_, a) =>
  Array.from({ length: 8 }, (_, b) => composeAll(a, b)),
);

function composeAll(a: Relations, b: Relations): Relations {
  let result = 0;
  for (const one of single)
    for (const other of single)
      if (a & one && b & other) result |= composed[one]?.[other] ?? anyRelation;
  return result;
}

/** Returns the relations of b and a, given those of a and b. */
export function converse(relations: Relations): Relations {
  return (relations & equal) | (relations & less ? greater : 0) | (relations & greater ? less : 0);
}

/**
 * Narrows the relations between values by those that follow from the others, until nothing follows. Returns false if no
 * values have all these relations. `table[i][j]` are the relations of the values i and j.
 */
export function narrow(table: Relations[][]): boolean {
  const size = table.length;
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (let by = 0; by < size; by += 1)
      for (let a = 0; a < size; a += 1)
        for (let b = 0; b < size; b += 1) {
          const old = table[a]?.[b] ?? anyRelation;
          const next =
            old &
            (compositions[table[a]?.[by] ?? anyRelation]?.[table[by]?.[b] ?? anyRelation] ??
              anyRelation);
          if (next === 0) return false;
          if (next === old) continue;
          setRelations(table, a, b, next);
          isChanged = true;
        }
  }
  return true;
}

export function setRelations(table: Relations[][], a: number, b: number, relations: Relations) {
  const [rowA, rowB] = [table[a], table[b]];
  if (rowA) rowA[b] = relations;
  if (rowB) rowB[a] = converse(relations);
}
