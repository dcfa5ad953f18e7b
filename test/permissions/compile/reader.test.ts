import { expect, test } from 'vitest';
import {
  operandSql,
  readVariable,
  variableCheck,
} from '../../../permissions/expressions/print/print-operand.ts';

const uuid = { schema: 'pg_catalog', name: 'uuid' };

test('the SQL of a session variable reads the setting for gateways and the protected table for direct logins', () => {
  expect(readVariable('org_id', 'p_gateway').text).toBe(
    "(case when pg_catalog.pg_has_role(session_user, 'p_gateway'::pg_catalog.name, 'MEMBER'::pg_catalog.text)" +
      " then nullif(pg_catalog.current_setting('gql.org_id'::pg_catalog.text, true), ''::pg_catalog.text)" +
      " else rowgate_api.login_variable('org_id'::pg_catalog.text) end)",
  );
});

test('the SQL of a variable is a scalar subselect, so Postgres evaluates it once per statement', () => {
  const reader = readVariable('org_id', 'g').text;
  const operand = operandSql({ kind: 'variable', name: 'org_id', type: uuid }, 'g');
  expect(operand.text).toBe(`(select ${reader}::"pg_catalog"."uuid")`);
});

test('the SQL of a list variable casts inside the subselect, so that its text is parsed once, and outside, so that it stays one array', () => {
  const reader = readVariable('ids', 'g').text;
  const type = { schema: 'pg_catalog', name: '_uuid', element: uuid };
  const operand = operandSql({ kind: 'variable', name: 'ids', type }, 'g');
  expect(operand.text).toBe(`(select ${reader}::"pg_catalog"."_uuid")::"pg_catalog"."_uuid"`);
});

test('a variable check, which makes a rule show no rows without its variables, tests each variable once', () => {
  const uses = [
    { variable: 'b', type: uuid },
    { variable: 'a', type: uuid },
    { variable: 'b', type: { schema: 'pg_catalog', name: 'text' } },
  ];
  const [a, b] = ['a', 'b'].map((name) => readVariable(name, 'g').text);
  expect(variableCheck(uses, 'g')?.text).toBe(`(select ${a} is not null and ${b} is not null)`);
});

test('a rule without variables compiles to no variable check', () => {
  expect(variableCheck([], 'g')).toBeUndefined();
});
