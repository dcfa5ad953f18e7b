import type { TableKey } from '../../../types/names.ts';
import { type DraftRow, type Found, isDifference, type Pair, type SearchScope } from './found.ts';

/** The number of plain values that are tried for a cell or a variable. */
const maxPlainValues = 4;

/**
 * Makes a found world smaller while it still shows the difference: with all variables, fewer rows, nulls and the plainest
 * values.
 */
export function shrink(found: Found, pair: Pair, scope: SearchScope): Found {
  const holds = () => isDifference(found, pair, scope);
  let isChanged = true;
  for (let round = 0; isChanged && round < 4; round += 1)
    isChanged = [setVariables, dropRows, plainCells, plainVariables]
      .map((step) => step(found, holds, scope))
      .includes(true);
  return found;
}

type Step = (found: Found, holds: () => boolean, scope: SearchScope) => boolean;

const dropRows: Step = ({ world, row }, holds) => {
  let isChanged = false;
  for (const [table, rows] of world.rows)
    for (const one of rows.filter((other) => other !== row)) {
      const before = world.rows.get(table) ?? [];
      world.rows.set(
        table,
        before.filter((other) => other !== one),
      );
      if (holds()) isChanged = true;
      else world.rows.set(table, before);
    }
  return isChanged;
};

/** Sets missing variables, because a caller with all variables is the usual one. */
const setVariables: Step = ({ world: { variables } }, holds, { survey, pools }) => {
  let isChanged = false;
  for (const [name, [type]] of survey.variables) {
    if (variables[name] !== undefined || !type) continue;
    const isSet = [...pools.plainValues(type), ...pools.valuesOf(type)].some((text) => {
      variables[name] = text;
      return text !== '' && holds();
    });
    if (isSet) isChanged = true;
    else delete variables[name];
  }
  return isChanged;
};

const plainCells: Step = ({ world }, holds, scope) => {
  let isChanged = false;
  for (const [table, rows] of world.rows)
    for (const row of rows)
      for (const column of Object.keys(row))
        if (plainCell(row, column, table, holds, scope)) isChanged = true;
  return isChanged;
};

function plainCell(
  row: DraftRow,
  column: string,
  table: TableKey,
  holds: () => boolean,
  { survey, knowledge, pools }: SearchScope,
): boolean {
  const type = survey.columns.get(table)?.get(column);
  const old = row[column] ?? null;
  const plainer = type ? pools.plainValues(type).slice(0, maxPlainValues) : [];
  const candidates = knowledge.mayBeNull(table, column) ? [null, ...plainer] : plainer;
  for (const text of candidates) {
    if (text === old) break;
    row[column] = text;
    if (holds()) return true;
  }
  row[column] = old;
  return false;
}

const plainVariables: Step = ({ world: { variables } }, holds, { survey, pools }) => {
  let isChanged = false;
  for (const [name, old] of Object.entries(variables)) {
    const [type] = survey.variables.get(name) ?? [];
    const plainer = type ? pools.plainValues(type).slice(0, maxPlainValues) : [];
    const found = plainer.slice(0, Math.max(0, plainer.indexOf(old))).find((text) => {
      variables[name] = text;
      return holds();
    });
    if (found === undefined) variables[name] = old;
    else isChanged = true;
  }
  return isChanged;
};
