import { expect, test } from 'vitest';
import { exchangeOf, judge } from '../../../bench/soak/exchanges.ts';

const own = exchangeOf({ role: 'tenant', tenant: 1 }, 0);
const foreign = exchangeOf({ role: 'tenant', tenant: 1 }, 1);
const rowOf = (exchange: typeof own, tenant: number) =>
  JSON.stringify({ data: { wallet_by_pk: { id: exchange.variables.id, tenant_id: tenant } } });
const nothing = '{"data":{"wallet_by_pk":null}}';

test.each([
  ['the own row of the caller is correct', own, rowOf(own, 1), 'correct'],
  ['no row instead of the own one is wrong', own, nothing, 'wrong'],
  ['no row instead of a foreign one is correct', foreign, nothing, 'correct'],
  ['the row of another tenant is wrong', foreign, rowOf(foreign, 0), 'wrong'],
  ['an unexpected error is a failure', own, '{"errors":[{"message":"busy"}]}', 'failed'],
])('%s', (_case, exchange, text, outcome) => {
  expect(judge(exchange, text)).toBe(outcome);
});

test('data instead of an expected error is wrong', () => {
  const refused = exchangeOf({ role: 'tenant', tenant: 1 }, 3);
  expect(judge(refused, '{"errors":[{"extensions":{"code":"validation-failed"}}]}')).toBe(
    'correct',
  );
  expect(judge(refused, '{"data":{"wallet":[]}}')).toBe('wrong');
});
