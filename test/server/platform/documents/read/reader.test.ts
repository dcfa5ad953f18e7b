import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadModel, type Model } from '../../../../../permissions/index.ts';
import { resolveLogin } from '../../../../../server/db/logins/logins.ts';
import {
  openReader,
  type Reader,
} from '../../../../../server/platform/documents/read/row-reader.ts';
import type { RowQuery } from '../../../../../server/platform/documents/read/select-rows.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { platformMetadata, startTestServer, type TestServer } from '../../../../support/http.ts';
import { query } from '../../../../support/query.ts';
import { replaceSelectRule } from './replace-select-rule.ts';

const alder = '00000000-0000-4000-8000-000000000001';
const birch = '00000000-0000-4000-8000-000000000002';
const paid = '30000000-0000-4000-8000-000000000101';
const ofBirch = '30000000-0000-4000-8000-000000000201';

let database: TestDatabase;
let server: TestServer;
let model: Model;
let served: Model;
let reader: Reader;
let databaseUrl: string;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({ database, graphql: false });
  const { rolePrefix, headerPrefix } = server.config;
  const client = await database.connectOwner();
  model = await loadModel({ metadata: platformMetadata, client, rolePrefix, headerPrefix });
  served = model;
  databaseUrl = (await resolveLogin(server.config, database.ownerUrl, 'gateway')).url;
  reader = open();
});
afterAll(async () => {
  await reader.close();
  await server.stop();
  await database.drop();
});

function open(limits: Partial<TestServer['config']['limits']> = {}): Reader {
  const config = { poolSize: 2, limits: { ...server.config.limits, ...limits } };
  const logger = pino({ level: 'silent' });
  return openReader({ databaseUrl, config, model: () => served, logger });
}

function callerIn(role: string, variables: Readonly<Record<string, string>> = {}) {
  const found = model.roles.get(role);
  if (!found) throw new Error(`there is no role ${role}`);
  return { role: found, variables: new Map(Object.entries(variables)), isBackend: false };
}

const read = (role: string, variables: Readonly<Record<string, string>>, rowQuery: RowQuery) =>
  reader.read(callerIn(role, variables), (rows) => rows.select(rowQuery));

describe('the reader, which selects rows for documents with the rights of a role,', () => {
  test('returns the columns that the role may see, as exact text', async () => {
    const where = { id: paid };
    const [row] = (await read('accounting', {}, { table: 'invoice', where })) ?? [];
    expect(row).toMatchObject({
      total: '1200.00',
      issued_on: '2025-03-01',
      paid_at: '2025-03-20T11:00:00+00:00',
      reminded_at: null,
      internal_notes: 'Paid early, offer a discount',
      cost_breakdown: '{"staff": 250.50, "custody": 300.00}',
    });
  });

  test('omits requested columns that the role may not see', async () => {
    const own = { organization_id: alder };
    const where = { id: paid };
    const [row] = (await read('organization_admin', own, { table: 'invoice', where })) ?? [];
    expect(row).toMatchObject({ invoice_number: 'INV-2025-000101', total: '1200.00' });
    expect(row).not.toHaveProperty('internal_notes');
    expect(row).not.toHaveProperty('cost_breakdown');
  });

  test('returns only rows that the role may see', async () => {
    const where = { id: [paid, ofBirch] };
    const ids = async (organization_id: string) =>
      (await read('organization_admin', { organization_id }, { table: 'invoice', where }))?.map(
        ({ id }) => id,
      );
    expect(await ids(alder)).toEqual([paid]);
    expect(await ids(birch)).toEqual([ofBirch]);
  });

  test('sorts rows, and returns no more than the requested limit', async () => {
    const rowQuery = { table: 'product', orderBy: ['price', 'code'], limit: 2 };
    const rows = await read('accounting', {}, rowQuery);
    expect(rows?.map(({ code }) => code)).toEqual(['FAX-STMT', 'KYC-CHECK']);
  });

  test.each([
    ['a table without a select rule for the role', 'trader', {}, { table: 'invoice' }],
    ['a table that does not exist', 'trader', {}, { table: 'no_such' }],
    [
      'a condition on a column that the role may not see',
      'organization_admin',
      { organization_id: alder },
      { table: 'invoice', where: { internal_notes: 'x' } },
    ],
    ['a missing session variable', 'organization_admin', {}, { table: 'invoice' }],
    [
      'a session variable that is not a UUID',
      'organization_admin',
      { organization_id: 'x' },
      { table: 'invoice' },
    ],
  ])('returns nothing for %s', async (_what, role, variables, rowQuery) => {
    expect(await read(role, variables, rowQuery)).toBeUndefined();
  });

  test.each(['x', "' or true --", `${paid}\0`, ''])('returns no row for the id %j', async (id) => {
    expect(await read('accounting', {}, { table: 'invoice', where: { id } })).toEqual([]);
  });

  test('treats a value in a condition as a value, not as SQL', async () => {
    const where = { invoice_number: "' or ''='" };
    expect(await read('accounting', {}, { table: 'invoice', where })).toEqual([]);
  });

  test('reads all rows of one document from one snapshot, without changes in between', async () => {
    const rowQuery = { table: 'organization', where: { id: alder } };
    const names = await reader.read(callerIn('accounting'), async (rows) => {
      const before = await rows.select(rowQuery);
      await query(
        database.superuserUrl,
        `update organization set name = 'Renamed' where id = '${alder}'`,
      );
      return [before, await rows.select(rowQuery)].map((found) => found?.[0]?.name);
    });
    expect(names).toEqual(['Alder Capital', 'Alder Capital']);
  });

  test('fails with the error that its callback throws', async () => {
    const work = async () => {
      throw new RangeError('ours');
    };
    await expect(reader.read(callerIn('accounting'), work)).rejects.toThrow(RangeError);
  });
});

describe('a selection with more rows than the limit of the reader', () => {
  test('is refused instead of returned in part', async () => {
    const small = open({ rows: 3 });
    const selected = small.read(callerIn('accounting'), (rows) =>
      rows.select({ table: 'invoice' }),
    );
    await expect(selected).rejects.toMatchObject({
      problem: { status: 422, code: 'row-limit-exceeded' },
    });
    await small.close();
  });

  test("is refused also by the lower limit of the role's select rule", async () => {
    served = replaceSelectRule(model, 'accounting', 'invoice', (rule) => ({ ...rule, limit: 3 }));
    await expect(read('accounting', {}, { table: 'invoice' })).rejects.toMatchObject({
      problem: { code: 'row-limit-exceeded' },
    });
    expect(await read('accounting', {}, { table: 'invoice', limit: 2 })).toHaveLength(2);
    served = model;
  });
});

describe("when the server's rules allow more than those applied to the database", () => {
  test('a read fails with 503, because Postgres refuses a column', async () => {
    served = replaceSelectRule(model, 'organization_admin', 'invoice', (rule) => ({
      ...rule,
      columns: [...rule.columns, 'internal_notes'],
    }));
    const own = { organization_id: alder };
    await expect(read('organization_admin', own, { table: 'invoice' })).rejects.toMatchObject({
      problem: { status: 503, code: 'unavailable' },
    });
    served = model;
  });

  test('a read returns nothing, because the row security of Postgres hides the rows', async () => {
    served = replaceSelectRule(model, 'organization_admin', 'invoice', (rule) => ({
      ...rule,
      variables: [],
      filter: { kind: 'and', items: [] },
    }));
    expect(await read('organization_admin', {}, { table: 'invoice' })).toEqual([]);
    served = model;
  });

  test('a read fails with 503, because Postgres refuses the table', async () => {
    const rule = model.roles.get('accounting')?.tables.get('public.invoice');
    served = replaceSelectRule(model, 'trader', 'invoice', () => rule?.select);
    await expect(read('trader', {}, { table: 'invoice' })).rejects.toMatchObject({
      problem: { status: 503 },
    });
    served = model;
  });
});

test('the reader returns nothing for a role that is no longer in the rules', async () => {
  served = { ...model, roles: new Map() };
  expect(await read('accounting', {}, { table: 'invoice' })).toBeUndefined();
  served = model;
});

test('the reader applies changed rules at the next read', async () => {
  const own = { organization_id: alder };
  served = replaceSelectRule(model, 'organization_admin', 'invoice', (rule) => ({
    ...rule,
    columns: ['id', 'status'],
  }));
  const [row] = (await read('organization_admin', own, { table: 'invoice' })) ?? [];
  expect(Object.keys(row ?? {})).toEqual(['id', 'status']);
  served = model;
});

test('the reader fails with 503 and Retry-After when the database does not answer', async () => {
  const gone = openReader({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    config: server.config,
    model: () => model,
    logger: pino({ level: 'silent' }),
  });
  const selected = gone.read(callerIn('accounting'), (rows) => rows.select({ table: 'invoice' }));
  await expect(selected).rejects.toMatchObject({
    problem: { status: 503, headers: { 'Retry-After': '1' } },
  });
  await gone.close();
});
