import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareRules } from '../../../permissions/diff/rows/compare-rules.ts';
import { everyRow } from '../../../permissions/expressions/combine.ts';
import { conditionKey } from '../../../permissions/review/condition-key.ts';
import { RowComparer } from '../../../permissions/review/row-comparer.ts';
import type { BoolExp } from '../../../permissions/types/expressions.ts';
import type { Model } from '../../../permissions/types/model.ts';
import type { TableKey } from '../../../permissions/types/names.ts';
import { makeBatch, openDatabase } from '../diff/rows/random-pairs.ts';
import type { Installation } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';

interface Pair {
  readonly table: TableKey;
  readonly narrow: BoolExp;
  readonly wide: BoolExp;
}

let installation: Installation;
let model: Model;
let pairs: readonly Pair[];
beforeAll(async () => {
  installation = await openDatabase();
  const made = await makeBatch(installation, 20_260_501);
  model = made.model;
  pairs = made.pairs.flatMap(({ rules: { before, after } }) => {
    const [narrow, wide] = [after.expression, before.expression];
    return narrow && wide ? [{ table: after.table, narrow, wide }] : [];
  });
});
afterAll(async () => {
  await installation.drop();
  await removeMetadata();
});

function gainedIn({ table, narrow, wide }: Pair) {
  const models = { before: model, after: model };
  return compareRules({ table, expression: wide }, { table, expression: narrow }, models);
}

describe('a comparison of random conditions', () => {
  test('finds a row beyond only where the semantic difference has gained rows, or cannot decide', () => {
    const comparer = new RowComparer(model);
    const beyond = pairs.filter(({ table, narrow, wide }) => comparer.beyond(table, narrow, wide));
    const verdicts = new Set(beyond.map((pair) => gainedIn(pair).verdict));
    expect(beyond.length).toBeGreaterThan(20);
    expect([...verdicts].filter((one) => one === 'same' || one === 'narrower')).toEqual([]);
  });

  test('finds most of the rows that the semantic difference finds, without those that lack a variable', () => {
    const comparer = new RowComparer(model);
    const gained = pairs.filter((pair) => {
      const { gained } = gainedIn(pair);
      return gained?.counts.every(({ kind }) => kind !== 'variable');
    });
    const missed = gained.filter(
      ({ table, narrow, wide }) => !comparer.beyond(table, narrow, wide),
    );
    expect(gained.length).toBeGreaterThan(20);
    expect(missed.length).toBeLessThan(gained.length / 20);
  });

  test('has the same result whether or not an equal comparison was made before', () => {
    const shared = new RowComparer(model);
    const different = pairs.filter(
      ({ table, narrow, wide }) =>
        shared.beyond(table, narrow, wide) !== new RowComparer(model).beyond(table, narrow, wide),
    );
    expect(different).toEqual([]);
  });

  test('says that a condition lets every row through only where the semantic difference finds no other row', () => {
    const comparer = new RowComparer(model);
    const conditions = pairs.flatMap(({ table, narrow, wide }) => [
      ...[narrow, wide].map((expression) => ({ table, expression })),
    ]);
    const all = conditions.filter(({ table, expression }) => comparer.passesAll(table, expression));
    const models = { before: model, after: model };
    const wrong = all.filter(
      (one) => compareRules(one, { table: one.table, expression: everyRow }, models).gained,
    );
    expect(all.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});

test('conditions of different tables have the same key only if their columns have the same facts', () => {
  const type = { schema: 'pg_catalog', name: 'text' };
  const column = { scope: 'row', column: 'state', type } as const;
  const condition: BoolExp = { kind: 'isNull', column, negated: true };
  const [table] = [...model.tables.values()];
  const state = {
    ...{ name: 'state', graphqlName: 'state', description: undefined, type, notNull: true },
    ...{ hasDefault: false, generated: false, enumTable: undefined },
  };
  const tableWith = (facts: object) => ({
    ...table,
    ...{ uniqueConstraints: [], columns: new Map([['state', { ...state, ...facts }]]) },
  });
  const keyWith = (facts: object) => {
    const tables = new Map([['public.x', tableWith(facts)]]) as unknown as Model['tables'];
    return conditionKey([condition], 'public.x', { ...model, tables });
  };
  const facts = [{}, { notNull: false }, { nondeterministic: true }, { collation: 'C' }];
  expect(new Set([...facts, { oddCase: true }, { description: 'no fact' }].map(keyWith)).size).toBe(
    5,
  );
});
