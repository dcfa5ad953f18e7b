import fc from 'fast-check';
import { anyExpressionOf } from './generate-expression.ts';
import { anyCandidates, anyRows, anyVariables } from './generate-rows.ts';
import type { Expression, Rule, Schema, Table, Unit } from './vocabulary.ts';

/**
 * Rules of all four commands on one of the tables, with data and settings. The rules are shallow, so that each part
 * affects the result.
 */
export function anyUnit(schema: Schema): fc.Arbitrary<Unit> {
  const rows = anyRows(schema);
  const settings = fc.tuple(anyVariables(0), anyVariables(12));
  const expressionOf = anyExpressionOf(schema);
  const units = schema.map((table) =>
    fc.record({
      table: fc.constant(table.name),
      rules: anyRules(table, expressionOf(table, 4), expressionOf(table, 1)),
      rows,
      candidates: anyCandidates(table),
      settings,
    }),
  );
  return fc.oneof(...units);
}

function anyRules(
  table: Table,
  deep: fc.Arbitrary<Expression>,
  shallow: fc.Arbitrary<Expression>,
): fc.Arbitrary<readonly Rule[]> {
  const plain = (
    command: 'select' | 'insert' | 'delete',
    condition: fc.Arbitrary<Expression>,
  ): fc.Arbitrary<Rule> => fc.record({ command: fc.constant(command), condition });
  const writable = table.columns.map(({ name }) => name).filter((name) => name !== 'id');
  const anyUpdate = fc.record({
    command: fc.constant('update' as const),
    condition: fc.oneof(deep, shallow),
    check: fc.option(shallow, { nil: undefined, freq: 2 }),
    columns: fc.subarray(writable, { minLength: 1, maxLength: 5 }),
  });
  const update = fc
    .tuple(anyUpdate, fc.boolean())
    .map(([rule, drifts]) => (drifts ? drifting(rule, writable) : rule));
  return fc.tuple(
    plain('select', deep),
    plain('insert', shallow),
    update,
    plain('delete', shallow),
  );
}

type Update = Extract<Rule, { readonly command: 'update' }>;

/**
 * Makes an update without check that changes columns which the condition compares with other rows. Random generation
 * rarely gives such an update.
 */
function drifting(rule: Update, writable: readonly string[]): Update {
  const compared = new Set(rootColumns(rule.condition));
  const columns = writable.filter((name) => compared.has(name));
  return columns.length === 0 ? rule : { ...rule, check: undefined, columns };
}

function rootColumns(expression: Expression): readonly string[] {
  if ('items' in expression) return expression.items.flatMap(rootColumns);
  if ('item' in expression) return rootColumns(expression.item);
  return expression.tests.flatMap(({ operand }) =>
    'column' in operand && operand.root ? [operand.column] : [],
  );
}
