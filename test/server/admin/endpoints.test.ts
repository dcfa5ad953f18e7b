import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeMetadata } from '../../permissions/support/metadata-files.ts';
import { type AdminServer, startAdminServer } from './support/admin-server.ts';

let server: AdminServer;
beforeAll(async () => {
  server = await startAdminServer();
});
afterAll(async () => {
  await server.stop();
  await removeMetadata();
});

const corner = { 'X-Gql-Shop-Id': '1' };

describe('POST /admin/explain/rule', () => {
  test('answers the place, the words and the SQL of a rule', async () => {
    const { status, json, headers } = await server.post('/admin/explain/rule', {
      ...{ role: 'clerk', table: 'item', operation: 'update' },
    });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(json).toMatchObject({
      position: { file: expect.stringMatching(/tables\/item\.yaml$/), line: 7 },
      entry: { role: 'clerk', table: 'public.item', operation: 'update' },
    });
    expect(json.objects.map(({ label }: { label: string }) => label)).toEqual([
      expect.stringMatching(/^grant update on public\.item \(state\) to /),
      'policy rowgate/clerk/update on public.item',
      'trigger !rowgate/preset on public.item',
    ]);
  });
});

describe('POST /admin/explain/access', () => {
  test('answers the condition that hides a row, with its values', async () => {
    const { status, json } = await server.post('/admin/explain/access', {
      ...{ role: 'clerk', table: 'item', operation: 'select', key: { id: '20' } },
      sessionVariables: { 'X-Gql-Shop-Id': '2' },
    });
    expect([status, json.allowed]).toEqual([200, false]);
    const [own, closed] = json.conditions[0].condition.items;
    expect(own).toMatchObject({ result: 'true', values: { shop_id: '2' } });
    expect(closed).toMatchObject({ result: 'false' });
    expect(closed.items).toMatchObject([{ values: { closed: 'true' } }]);
  });

  test('answers that a write is allowed', async () => {
    const { json } = await server.post('/admin/explain/access', {
      ...{ role: 'clerk', table: 'public.item', operation: 'update', key: { id: '10' } },
      ...{ values: { state: 'sold' }, sessionVariables: corner },
    });
    expect(json).toMatchObject({ allowed: true, refusedColumns: [] });
  });
});

describe('POST /admin/explain/query', () => {
  test('answers the SQL and both plans of each field', async () => {
    const { status, json } = await server.post('/admin/explain/query', {
      role: 'clerk',
      query: 'query q($n: Int) { a: item(limit: $n) { id } }',
      ...{ variables: { n: 3 }, sessionVariables: corner },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject([
      {
        ...{ field: 'a', sql: expect.stringContaining('limit 3'), missingIndexes: [] },
        cost: { estimated: expect.any(Number) },
        withoutRules: { cost: { estimated: expect.any(Number) } },
      },
    ]);
    expect(JSON.stringify(json[0].plan)).not.toContain('Actual Rows');
  });

  test('runs the query with its session variables where analyze is true', async () => {
    const { json } = await server.post('/admin/explain/query', {
      ...{ role: 'clerk', query: '{ item { id } }', sessionVariables: corner, analyze: true },
    });
    expect(json[0].cost.milliseconds).toEqual(expect.any(Number));
    expect(JSON.stringify(json[0].plan)).toContain('"Actual Rows":1');
    expect(JSON.stringify(json[0].withoutRules.plan)).toContain('"Actual Rows":2');
  });
});

describe('POST /admin/matrix', () => {
  test('answers the rules of all roles and tables', async () => {
    const { status, json } = await server.post('/admin/matrix', {});
    expect(status).toBe(200);
    expect(json.roles.map(({ name }: { name: string }) => name)).toEqual([
      ...['clerk', 'guest', 'watcher'],
    ]);
    expect(json.tables.map(({ key }: { key: string }) => key)).toEqual([
      'public.item',
      'public.shop',
    ]);
    const entries = json.entries.map((one: Readonly<Record<string, string>>) => [
      ...[one.role, one.operation],
    ]);
    expect(entries).toEqual([
      ...['select', 'insert', 'update', 'delete'].map((operation) => ['clerk', operation]),
      ['guest', 'select'],
      ['watcher', 'select'],
    ]);
  });

  test('answers only the named roles and tables', async () => {
    const { json } = await server.post('/admin/matrix', { roles: ['guest'], tables: ['item'] });
    expect([json.roles.length, json.tables.length]).toEqual([1, 1]);
    expect(json.entries).toMatchObject([{ role: 'guest', rows: 'all rows', operation: 'select' }]);
  });
});

test('each use is recorded with its actor and with names, but without values', async () => {
  const body = {
    ...{ role: 'clerk', table: 'item', operation: 'update', key: { id: '10' } },
    ...{ values: { state: 'cheapest' }, sessionVariables: { 'X-Gql-Shop-Id': '1001' } },
  };
  const actor = Buffer.from('Zoë', 'utf8').toString('latin1');
  const headers = { 'x-rowgate-actor': actor, 'x-request-id': 'use-1' };
  await server.post('/admin/explain/access', body, headers);
  const names = {
    ...{ actor: 'Zoë', endpoint: '/admin/explain/access', role: 'clerk', operation: 'update' },
    ...{ columns: ['id', 'state'], variables: ['X-Gql-Shop-Id'], status: 200 },
  };
  const [use] = await server.uses();
  expect(use).toMatchObject({ ...names, relation: 'item', request_id: 'use-1' });
  expect(await server.log.lineWith('an admin used an endpoint')).toMatchObject({ level: 'info' });
  const line = await server.log.lineWith('"actor":"Zoë"');
  expect(line).toMatchObject({ ...names, table: 'item', requestId: 'use-1' });
  for (const text of [JSON.stringify(use), server.log.text]) {
    expect(text).not.toMatch(/cheapest|1001/);
  }
});

test('a use that is refused is recorded with its status', async () => {
  await server.post('/admin/explain/rule', { role: 'clrk', table: 'item', operation: 'select' });
  const [use] = await server.uses();
  expect(use).toMatchObject({ role: 'clrk', status: 400 });
});

test('the answers match their schemas in the OpenAPI document', async () => {
  const document = JSON.parse(await (await fetch(`${server.url}/openapi.json`)).text());
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(document, 'document');
  const subject = { role: 'clerk', table: 'item', operation: 'select' };
  const uses = {
    '/admin/explain/rule': subject,
    '/admin/explain/access': { ...subject, key: { id: '10' }, sessionVariables: corner },
    '/admin/explain/query': { role: 'clerk', query: '{ item { id } }', sessionVariables: corner },
    '/admin/matrix': {},
  };
  for (const [path, body] of Object.entries(uses)) {
    const { json } = await server.post(path, body);
    const { responses, parameters } = document.paths[path].post;
    const { schema } = responses[200].content['application/json'];
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const matches = ajv.compile(JSON.parse(text));
    expect(matches(json), path).toBe(true);
    expect(matches(JSON.parse('{"roles": 1}'))).toBe(false);
    expect(parameters).toContainEqual(
      expect.objectContaining({ name: 'X-Rowgate-Actor', in: 'header' }),
    );
  }
});
