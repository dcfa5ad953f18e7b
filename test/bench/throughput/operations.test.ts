import { expect, test } from 'vitest';
import { operations, parametersOf } from '../../../bench/throughput/operations.ts';
import { scriptOf } from '../../../bench/throughput/pgbench.ts';

const pgbench = {
  ...{ program: 'pgbench', url: 'postgres://localhost/bench', role: 'bench_tenant', tenant: '1' },
  ...{ poolSize: 10, folder: '/', postmaster: 1 },
};

test.each(operations)('$name has an expression for pgbench for each parameter', (operation) => {
  const numbers = new Set(operation.sql.match(/\$\d/g));
  expect(operation.parameters).toHaveLength(numbers.size);
  expect(parametersOf(operation.variables(0))).toHaveLength(numbers.size);
  expect(scriptOf(operation, pgbench)).not.toMatch(/\$\d/);
});

test.each(operations)('$name has as many different requests as it states', (operation) => {
  const { variants, variables } = operation;
  const bodies = Array.from({ length: variants }, (_, turn) => JSON.stringify(variables(turn)));
  expect(new Set(bodies).size).toBe(variants);
});
