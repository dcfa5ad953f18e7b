import { tmpdir } from 'node:os';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { until } from '../../support/until.ts';
import { type Answer, type Ask, type Gateway, headersOf } from '../graphql/support/gateway.ts';
import { startDrafting } from './support/drafting.ts';

let gateway: Gateway;
let owner: pg.Client;
beforeAll(async () => {
  gateway = await startDrafting();
  owner = await gateway.database.connectOwner();
});
afterAll(() => gateway.stop());

const clerk: Ask = { role: 'clerk', variables: { 'Tenant-Id': '1' } };
const clerkOfTwo: Ask = { role: 'clerk', variables: { 'Tenant-Id': '2' } };

const ask = (query: string, who: Ask = clerk) => gateway.ask(query, who);
async function askOther(query: string, who: Ask = clerk): Promise<Answer> {
  const init = { headers: headersOf(who), body: JSON.stringify({ query }) };
  return (await gateway.send(init, '/graphql')).json() as Promise<Answer>;
}
const messageOf = (answer: Answer) => answer.errors?.[0]?.message;
const numbers = async () =>
  (await owner.query("select number from invoice where number like 'D-%' order by 1")).rows.map(
    ({ number }) => number,
  );

describe('root fields of a PostGraphile plugin', () => {
  test('are available in both dialects only to the roles that graphile.yaml lists for the field', async () => {
    expect(await ask('{ seen }')).toEqual({ data: { seen: 3 } });
    expect(await askOther('{ seen }')).toEqual({ data: { seen: 3 } });
    const analyst = { ...clerk, role: 'analyst' };
    expect(messageOf(await ask('{ seen }', analyst))).toContain("field 'seen' not found");
    expect(messageOf(await askOther('{ seen }', analyst))).toContain('Cannot query field "seen"');
    expect(messageOf(await askOther('{ someCustomer { rowId } }', {}))).toContain('someCustomer');
  });

  test('are absent from /v1/graphql, but not from /graphql, unless graphile.yaml sets v1 for the field', async () => {
    const analyst = { ...clerk, role: 'analyst' };
    expect((await askOther('{ whoAmI }', analyst)).data.whoAmI).toMatch(/analyst$/);
    expect(messageOf(await ask('{ whoAmI }', analyst))).toContain("field 'whoAmI' not found");
  });

  test('are available to roles that inherit from a listed role, and to admin', async () => {
    const operator = { ...clerk, role: 'operator' };
    const query = '{ digests(ids: [1]) { customer { name } } }';
    const expected = { data: { digests: [{ customer: { name: 'Ada' } }] } };
    expect(await ask(query, operator)).toEqual(expected);
    expect(await ask(query, {})).toEqual(expected);
  });

  test("accept and return numbers, enums and times in Hasura's notation when called over /v1/graphql", async () => {
    const query = `mutation ($number: String!, $total: numeric) {
      a: draftInvoice(input: { customerId: 1, number: $number, total: $total }) { number total kind at notes __typename }
      b: draftInvoice(input: { customerId: 1, number: "D-literal", total: 12345678901.25, kind: LARGE }) { total kind }
      c: draftInvoice(input: { customerId: 1, number: "D-default" }) { total kind }
      delete_invoice(where: { number: { _like: "D-%" } }) { affected_rows }
    }`;
    const variables = { number: 'D-variable', total: 7.5 };
    const at = '2026-01-01T00:00:00Z';
    const a = { number: 'D-variable', total: 7.5, kind: 'PLAIN', at, notes: { by: 'plugin' } };
    expect(messageOf(await gateway.ask(query, { ...clerk, with: variables }))).toContain(
      'does not suit',
    );
    const fitting = query.replace('12345678901.25', '1234567890.25');
    expect((await gateway.ask(fitting, { ...clerk, with: variables })).data).toEqual({
      a: { ...a, __typename: 'DraftedInvoice' },
      b: { total: 1234567890.25, kind: 'LARGE' },
      c: { total: 1.5, kind: 'PLAIN' },
      delete_invoice: { affected_rows: 2 },
    });
    await owner.query("delete from invoice where number like 'D-%'");
  });
});

describe('one operation in /v1/graphql with table fields and plugin fields', () => {
  test('reads both in one snapshot, so a row inserted between the two reads appears in neither', async () => {
    await owner.query('select pg_advisory_lock(77)');
    const answer = ask(
      '{ before: invoice { id } seen(lock: 77) digests(ids: [1]) { invoices { id } } }',
    );
    await until(async () => {
      const { rows } = await owner.query(
        "select 1 from pg_locks where locktype = 'advisory' and not granted",
      );
      return rows[0];
    });
    await owner.query(
      "insert into invoice (tenant_id, customer_id, number) values (1, 1, 'D-meanwhile')",
    );
    await owner.query('select pg_advisory_unlock(77)');
    const { data } = await answer;
    expect([data.before.length, data.seen, data.digests[0].invoices.length]).toEqual([3, 3, 2]);
    expect((await ask('{ seen }')).data.seen).toBe(4);
    await owner.query("delete from invoice where number = 'D-meanwhile'");
  });

  test('writes in the order of the fields, in one transaction', async () => {
    const query = `mutation {
      a: insert_invoice_one(object: { customer_id: 1, number: "D-1" }) { number }
      b: draftInvoice(input: { customerId: 1, number: "D-2" }) { number invoice { number tenant_id customer { name } } }
      c: delete_invoice(where: { number: { _like: "D-%" } }) { affected_rows returning { number } }
    }`;
    expect((await ask(query)).data).toEqual({
      a: { number: 'D-1' },
      b: { number: 'D-2', invoice: { number: 'D-2', tenant_id: 1, customer: { name: 'Ada' } } },
      c: { affected_rows: 2, returning: [{ number: 'D-1' }, { number: 'D-2' }] },
    });
    expect(await numbers()).toEqual([]);
  });

  test('changes nothing when a table field fails after a plugin field', async () => {
    const query = `mutation {
      draftInvoice(input: { customerId: 1, number: "D-3" }) { rowId }
      insert_invoice_one(object: { customer_id: 1, number: "D-3" }) { id }
    }`;
    expect((await ask(query)).errors?.[0]).toMatchObject({
      extensions: {
        code: 'constraint-violation',
        path: '$.selectionSet.insert_invoice_one.args.object',
      },
    });
    expect(await numbers()).toEqual([]);
  });

  test('changes nothing when a plugin field fails after a table field', async () => {
    const insert = 'insert_invoice_one(object: { customer_id: 1, number: "D-4" }) { id }';
    const draft = 'draftInvoice(input: { customerId: 1, number: "D-4" }) { rowId }';
    expect((await ask(`mutation { ${insert} ${draft} }`)).errors?.[0]).toMatchObject({
      extensions: { code: 'constraint-violation', path: '$.selectionSet.draftInvoice' },
    });
    expect((await ask(`mutation { ${insert} failSafely }`)).errors?.[0]).toEqual({
      message: 'there is nothing to draft',
      extensions: { code: 'nothing-to-draft', path: '$.selectionSet.failSafely' },
    });
    expect(await numbers()).toEqual([]);
  });

  test("reports an unexpected error of a plugin as an internal error, without the plugin's message", async () => {
    expect((await ask('mutation { failOddly }')).errors?.[0]).toEqual({
      message: 'internal error',
      extensions: { code: 'unexpected', path: '$.selectionSet.failOddly' },
    });
  });

  test('returns correct answers when sent again with other values of its variables', async () => {
    const query =
      'query ($ids: [Int!]!, $no: Boolean!) { digests(ids: $ids) { customerId @skip(if: $no) customer { name } } }';
    const run = async (ids: number[], no: boolean) =>
      (await gateway.ask(query, { ...clerk, with: { ids, no } })).data.digests;
    for (const ids of [[1], [2], [1, 2]]) {
      const names = ids.map((id) => ({ customer: { name: ['', 'Ada', 'Bob'][id] } }));
      expect(await run(ids, true)).toEqual(names);
      expect(await run(ids, false)).toEqual(
        names.map((one, index) => ({ customerId: ids[index], ...one })),
      );
    }
  });

  test('can be part of a batch, where each operation gets its own answer', async () => {
    const batch = ['{ seen }', 'mutation { failSafely }'].map((query) => ({ query }));
    const answer = await gateway.send({ headers: headersOf(clerk), body: JSON.stringify(batch) });
    expect(await answer.json()).toMatchObject([
      { data: { seen: 3 } },
      { errors: [{ message: 'there is nothing to draft' }] },
    ]);
  });
});

describe('a plugin that changes the Postgres role or session variables', () => {
  test('makes the operation fail with an internal error, and nothing is written', async () => {
    const query = '{ digests(ids: [1]) { customer { id } } sneaks }';
    expect((await ask(query)).errors?.[0]).toMatchObject({ message: 'internal error' });
    const mutation = `mutation {
      insert_invoice_one(object: { customer_id: 1, number: "D-5" }) { id }
      sneaksAndGoesOn
      second: insert_invoice_one(object: { customer_id: 1, number: "D-6" }) { id }
    }`;
    expect((await ask(mutation)).errors?.[0]).toMatchObject({ message: 'internal error' });
    expect(await numbers()).toEqual([]);
  });
});

describe('a relationship from the type of a plugin field to a table', () => {
  const query = `query ($ids: [Int!]!) {
    digests(ids: $ids) {
      customerId
      customer { name invoices_aggregate { aggregate { count } } }
      two: invoices(limit: 1, order_by: { total: desc }, where: { number: { _like: "%-%" } }) { number total }
      ...parts
    }
  }
  fragment parts on Digest { parts { label customer { id } } }`;

  test('returns only rows that the caller may see, also for objects with equal or unknown keys', async () => {
    const plain = query.replace('invoices_aggregate { aggregate { count } }', '');
    const { data } = await gateway.ask(plain, { ...clerk, with: { ids: [1, 3, 1, 99] } });
    const ada = {
      customerId: 1,
      customer: { name: 'Ada' },
      two: [{ number: 'A-2', total: 20 }],
      parts: [
        { label: 'own', customer: { id: 1 } },
        { label: 'none', customer: null },
      ],
    };
    const withoutCustomer = (customerId: number) => ({
      ...{ customerId, customer: null, two: [] },
      parts: [
        { label: 'own', customer: null },
        { label: 'none', customer: null },
      ],
    });
    expect(data.digests).toEqual([ada, withoutCustomer(3), ada, withoutCustomer(99)]);
    const other = await gateway.ask(plain, { ...clerkOfTwo, with: { ids: [1, 3] } });
    expect(other.data.digests.map((one: { customer: unknown }) => one.customer)).toEqual([
      null,
      { name: 'Cyd' },
    ]);
  });

  test('is absent from the schema of a role that may not read the table or the column it joins by', async () => {
    const logger = { role: 'logger' };
    expect(await ask('{ digests(ids: [1]) { customerId } }', logger)).toEqual({
      data: { digests: [{ customerId: 1 }] },
    });
    for (const field of ['customer', 'invoices']) {
      const answer = await ask(`{ digests(ids: [1]) { ${field} { id } } }`, logger);
      expect(messageOf(answer)).toContain(`field '${field}' not found in type: 'Digest'`);
    }
    for (const role of ['contact', 'keyless']) {
      const answer = await ask('{ digests(ids: [1]) { invoices { number } } }', { ...clerk, role });
      expect(messageOf(answer)).toContain("field 'invoices' not found in type: 'Digest'");
    }
  });

  test('still works when the client uses the internal name of the join column as an alias', async () => {
    const answer = await ask(
      '{ digests(ids: [1]) { key_customerId: parts { label } customer { id } } }',
    );
    expect(answer.data.digests[0]).toEqual({
      key_customerId: [{ label: 'own' }, { label: 'none' }],
      customer: { id: 1 },
    });
  });
});

describe('limits on operations with plugin fields', () => {
  test('refuse too many fields, deep selections, large answers and long running times', async () => {
    const many = (count: number) =>
      `{ ${Array.from({ length: count }, (_, index) => `a${index}: seen`).join(' ')} }`;
    expect((await ask(many(301))).errors?.[0]).toMatchObject({
      message:
        'the operation selects more than 300 fields of extensions; split it into several operations',
      extensions: { code: 'node-limit-exceeded' },
    });
    const beside = await gateway.beside({
      limits: {
        ...parseConfig({}, tmpdir()).config.limits,
        depth: 3,
        responseBytes: 10_000,
        statementTimeoutMs: 300,
      },
    });
    const run = async (query: string) => (await beside.ask(query, clerk)).errors?.[0]?.extensions;
    expect(await run('{ digests(ids: [1]) { parts { customer { id } } } }')).toMatchObject({
      code: 'depth-limit-exceeded',
    });
    expect(await run('{ largeText(size: 10001) }')).toMatchObject({ code: 'size-limit-exceeded' });
    // The same row appears 50 times in the answer, which makes the answer large.
    const names = Array.from({ length: 20 }, (_, index) => `n${index}: email`).join(' ');
    const ids = Array.from({ length: 50 }, () => 1).join(' ');
    expect(await run(`{ digests(ids: [${ids}]) { customer { ${names} } } }`)).toMatchObject({
      code: 'size-limit-exceeded',
    });
    // The field `waits` waits for Postgres; `idles` waits without using Postgres.
    for (const field of ['waits(seconds: 5)', 'idles']) {
      expect(await run(`{ invoice { id } ${field} }`)).toMatchObject({
        code: 'time-limit-exceeded',
      });
    }
    expect((await beside.ask('{ seen }', clerk)).data.seen).toBe(3);
  });

  test('include that a request needs the session variables of all rules of the role, since a plugin may read any table', async () => {
    for (const run of [ask, askOther]) {
      expect((await run('{ seen }', { role: 'loose' })).errors?.[0]).toMatchObject({
        message: expect.stringContaining('missing session variable'),
        extensions: { code: 'not-found' },
      });
    }
  });
});
