import fc from 'fast-check';
import { anyExpressionOf } from './generate-expression.ts';
import { anyCandidates, anyRows, anyVariables } from './generate-rows.ts';
import type { Expression, Rule, Schema, Table, Unit } from './vocabulary.ts';

/** Rules of all four commands on one of the tables, with data and settings to try them on. */
export function anyUnit(schema: Schema): fc.Arbitrary<Unit> {
  const rows = anyRows(schema);
  const settings = fc.tuple(anyVariables(0), anyVariables(3), anyVariables(8));
  const expressionOf = anyExpressionOf(schema);
  const units = schema.map((table) =>
    fc.record({
      table: fc.constant(table.name),
      rules: anyRules(table, expressionOf(table)),
      rows,
      candidates: anyCandidates(table),
      settings,
    }),
  );
  return fc.oneof(...units);
}

function anyRules(
  table: Table,
  condition: fc.Arbitrary<Expression>,
): fc.Arbitrary<readonly Rule[]> {
  const plain = (command: 'select' | 'insert' | 'delete') =>
    fc.record({ command: fc.constant(command), condition });
  const writable = table.columns.map(({ name }) => name).filter((name) => name !== 'id');
  const update = fc.record({
    command: fc.constant('update' as const),
    condition,
    check: fc.option(condition, { nil: undefined, freq: 2 }),
    columns: fc.subarray(writable, { minLength: 1, maxLength: 5 }),
  });
  return fc.tuple(plain('select'), plain('insert'), update, plain('delete'));
}
