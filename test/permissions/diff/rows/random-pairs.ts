import fc from 'fast-check';
import type { RowRule } from '../../../../permissions/diff/rows/compare-rules.ts';
import { resolveModel } from '../../../../permissions/model/load-model.ts';
import type { Model } from '../../../../permissions/types/model.ts';
import { holdsFor } from '../../property/evaluate.ts';
import { variablesOf } from '../../property/expect-outcome.ts';
import { anyExpressionOf } from '../../property/generate-expression.ts';
import { anyRows, anyVariables } from '../../property/generate-rows.ts';
import { anySchema } from '../../property/generate-schema.ts';
import {
  type Expression,
  type ForeignKey,
  named,
  type Row,
  type Rows,
  type Schema,
  type Variables,
} from '../../property/vocabulary.ts';
import { writeMetadataFiles } from '../../property/write-rules.ts';
import { dropSql, schemaSql, typesSql } from '../../property/write-sql.ts';
import { type Installation, makeInstallation } from '../../support/installation.ts';

/** Two rules of one table, as the property tests write them and as the engine takes them. */
export interface RandomPair {
  readonly table: string;
  readonly before: Expression;
  readonly after: Expression;
  readonly rules: { readonly before: RowRule; readonly after: RowRule };
}

/** Pairs of one schema, with rows and variables. */
export interface Batch {
  readonly schema: Schema;
  readonly model: Model;
  readonly pairs: readonly RandomPair[];
  readonly worlds: readonly { readonly rows: Rows; readonly variables: Variables }[];
}

const pairsInBatch = 100;
const worldsInBatch = 60;

export function openDatabase(): Promise<Installation> {
  return makeInstallation({ rules: {}, schema: typesSql });
}

/** Makes the pairs of one batch. Each batch has a schema of its own. */
export async function makeBatch(installation: Installation, seed: number): Promise<Batch> {
  const options = { seed, numRuns: 1 };
  const [schema = []] = fc.sample(anySchema, options);
  const pairs = fc.sample(anyPair(schema), { seed, numRuns: pairsInBatch });
  const worlds = fc
    .sample(fc.record({ rows: anyRows(schema), variables: anyVariables(8) }), {
      ...{ seed, numRuns: worldsInBatch },
    })
    .map(({ rows, variables }) => ({ rows: withKeptKeys(schema, rows), variables }));
  const model = await resolve(installation, schema, pairs);
  const made = pairs.map((pair, index) => ({
    ...pair,
    rules: {
      before: ruleOf(model, pair.table, `before${index}`),
      after: ruleOf(model, pair.table, `after${index}`),
    },
  }));
  return { schema, model, pairs: made, worlds };
}

type Drawn = Pick<RandomPair, 'table' | 'before' | 'after'>;

/** One expression, and the same expression with a change or in another form. */
function anyPair(schema: Schema): fc.Arbitrary<Drawn> {
  const expressionOf = anyExpressionOf(schema);
  const pairs = schema.map((table) => {
    const drawn = fc.record({
      first: expressionOf(table, 3),
      second: expressionOf(table, 1),
      form: fc.nat(forms.length - 1),
      isSwapped: fc.boolean(),
    });
    return drawn.map(({ first, second, form, isSwapped }): Drawn => {
      const other = forms[form]?.(first, second) ?? second;
      const [before, after] = isSwapped ? [other, first] : [first, other];
      return { table: table.name, before, after };
    });
  });
  return fc.oneof(...pairs);
}

const all = (...items: readonly Expression[]): Expression => ({
  kind: 'and',
  items,
  merged: false,
});
const either = (...items: readonly Expression[]): Expression => ({ kind: 'or', items });
const no = (item: Expression): Expression => ({ kind: 'not', item });

/** Ways to make a second expression from a first one. Some keep its meaning. */
const forms: readonly ((first: Expression, second: Expression) => Expression)[] = [
  (_, second) => second,
  (first, second) => all(first, second),
  (first, second) => either(first, second),
  (first) => no(no(first)),
  (first, second) => either(first, all(first, second)),
  (first, second) => all(first, either(second, no(second))),
  (first, second) => either(all(first, second), all(first, no(second))),
  (first) => no(first),
  (first) => without(first),
  (first) => pushedDown(first),
];

/** Removes the last item of an expression, or one of its tests. */
function without(expression: Expression): Expression {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return { ...expression, items: expression.items.slice(0, -1) };
    case 'not':
    case 'named':
    case 'related':
    case 'exists':
      return { ...expression, item: without(expression.item) };
    case 'column':
      return expression.tests.length > 1
        ? { ...expression, tests: expression.tests.slice(1) }
        : all();
  }
}

/** Moves negations to the leaves. */
function pushedDown(expression: Expression, isNegated = false): Expression {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const items = expression.items.map((item) => pushedDown(item, isNegated));
      return (expression.kind === 'and') === isNegated ? either(...items) : all(...items);
    }
    case 'not':
      return pushedDown(expression.item, !isNegated);
    default:
      return isNegated ? no(expression) : expression;
  }
}

/** The statement that drops the tables of the last batch, per installation: test files of one process share this module. */
const drops = new WeakMap<Installation, string>();

async function resolve(
  installation: Installation,
  schema: Schema,
  pairs: readonly Drawn[],
): Promise<Model> {
  const { owner, metadata, prefix, rewrite } = installation;
  await owner.query(drops.get(installation) ?? '');
  await owner.query(schemaSql(schema));
  drops.set(installation, dropSql(schema));
  const roles = pairs.flatMap(({ table, before, after }, index) =>
    Object.entries({ before, after }).map(([side, condition]) => ({
      role: `${side}${index}`,
      table,
      rules: [{ command: 'select' as const, condition }],
    })),
  );
  await rewrite(writeMetadataFiles(schema, roles));
  const naming = { metadata, headerPrefix: 'X-Gql-', rolePrefix: prefix };
  return (await resolveModel({ ...naming, client: owner })).model;
}

function ruleOf(model: Model, table: string, role: string): RowRule {
  const key = `public.${table}`;
  return { table: key, expression: model.roles.get(role)?.tables.get(key)?.select?.filter };
}

/** Lets foreign keys that lead nowhere lead to the first row of their table, and removes rows that cannot. */
function withKeptKeys(schema: Schema, rows: Rows): Rows {
  let kept: Rows = Object.fromEntries(
    Object.entries(rows).map(([table, list]) => [
      table,
      list.map((row) =>
        named(schema, table).keys.reduce((one, key) => repaired(one, key, rows), row),
      ),
    ]),
  );
  for (let count = -1; count !== countOf(kept); ) {
    count = countOf(kept);
    const all = kept;
    kept = Object.fromEntries(
      Object.entries(all).map(([table, list]) => [
        table,
        list.filter((row) => named(schema, table).keys.every((key) => isKept(row, key, all))),
      ]),
    );
  }
  return kept;
}

const countOf = (rows: Rows) => Object.values(rows).flat().length;

function isKept(row: Row, { columns, remote, table }: ForeignKey, rows: Rows): boolean {
  const cells = columns.map((column) => row[column] ?? null);
  if (cells.includes(null)) return true;
  return (rows[table] ?? []).some((other) => remote.every((name, at) => other[name] === cells[at]));
}

function repaired(row: Row, key: ForeignKey, rows: Rows): Row {
  const target = rows[key.table]?.[0];
  if (!target || isKept(row, key, rows)) return row;
  const cells = key.columns.map((column, at) => [column, target[key.remote[at] ?? ''] ?? null]);
  return { ...row, ...Object.fromEntries(cells) };
}

/** Returns whether a rule shows a row, as the documentation says. */
export function isShown(
  expression: Expression,
  table: string,
  row: Row,
  { schema, rows, variables }: { schema: Schema; rows: Rows; variables: Variables },
): boolean {
  const rule = { command: 'select', condition: expression } as const;
  const isSet = variablesOf(rule).every((name) => (variables[name] ?? '') !== '');
  return isSet && holdsFor(expression, table, row, { schema, rows, variables }) === true;
}
