import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorOf } from '../support/error-of.ts';
import { type Answer, type Gateway, headersOf, startGateway } from '../support/gateway.ts';

const schema = `
create table log (line text primary key);
create table part (id integer generated always as identity primary key, log_id text references log);
create function slow_commit() returns trigger language plpgsql
  as 'begin perform pg_catalog.pg_advisory_xact_lock(7); return null; end';
create constraint trigger slow_commit after insert on log deferrable initially deferred
  for each row when (new.line like '%late%') execute function slow_commit();
`;
const metadata = {
  'roles.yaml': 'roles: { writer: {} }\n',
  'tables/log.yaml': `
table: log
permissions: { writer: { select: { filter: {}, columns: '*' }, insert: { check: {}, columns: '*' } } }
`,
  'tables/part.yaml': `
table: part
permissions: { writer: { select: { filter: {}, columns: '*' }, insert: { check: {}, columns: '*' } } }
`,
};
const writer = { role: 'writer' };

let gateway: Gateway;
let superuser: pg.Client;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata, proxied: true });
  superuser = await gateway.database.connectSuperuser();
});
afterAll(() => gateway.stop());
beforeEach(() => superuser.query('truncate log cascade'));

const read = '{ log { line } }';
const insert = (line: string) => `insert_log_one(object: {line: "${line}"}) { line }`;
const alone = (line: string) => `mutation { ${insert(line)} }`;
const withAnother = (line: string) => `mutation { ${insert(line)} other: ${insert(`${line} 2`)} }`;
const nested = (line: string) =>
  `mutation { insert_part_one(object: {log: {data: {line: "${line}"}}}) { id } }`;

const lines = async () => (await superuser.query('select line from log order by line')).rows;
const sessions = `from pg_stat_activity where application_name = 'rowgate'
  and datname = current_database()`;

interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Answer;
}

async function post(body: unknown, place = '/v1/graphql'): Promise<HttpAnswer> {
  const init = { headers: headersOf(writer), body: JSON.stringify(body) };
  const response = await gateway.send(init, place);
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter, body: (await response.json()) as Answer };
}

const OUTAGE = {
  message: 'the database cannot be reached or is too busy; nothing was done, try again',
  extensions: { path: '$', code: 'unavailable', retryAfter: 1 },
};
const outage = { status: 503, retryAfter: '1', body: { errors: [OUTAGE] } };
const unknown =
  'outcome-unknown $ the connection to the database was lost before it reported whether the changes were made: either all of them were, or none; check before you try again';

describe('while Postgres accepts no connections', () => {
  const login = () => `rowgate_${gateway.database.name}_gateway_login`;
  beforeAll(async () => {
    await superuser.query(`alter role ${login()} nologin`);
    await superuser.query(`select pg_terminate_backend(pid, 1000) ${sessions}`);
  });
  afterAll(() => superuser.query(`alter role ${login()} login`));

  test.each([
    ['a query', read],
    ['a mutation', alone('a')],
    ['a mutation of several fields', withAnother('a')],
  ])('%s is answered 503 with Retry-After', async (_name, query) => {
    expect(await post({ query })).toEqual(outage);
    expect(await post({ query }, '/v1alpha1/graphql')).toEqual(outage);
  });

  test('a batch of which no operation has run is answered 503 with Retry-After', async () => {
    const batch = [{ query: read }, { query: alone('a') }];
    expect(await post(batch)).toEqual({ ...outage, body: [outage.body, outage.body] });
  });

  test('a batch of which one operation has succeeded is answered 200', async () => {
    const { status, body } = await post([{ query: '{ __typename }' }, { query: read }]);
    expect([status, body]).toEqual([200, [{ data: { __typename: 'query_root' } }, outage.body]]);
  });

  test('an invalid operation is answered with its validation error', async () => {
    expect((await post({ query: '{ nothing }' })).status).toBe(200);
  });
});

test('a mutation is answered 503 while the database is read-only, and queries are answered', async () => {
  const { name } = gateway.database;
  await superuser.query(`alter database ${name} set default_transaction_read_only = on`);
  await superuser.query(`select pg_terminate_backend(pid, 1000) ${sessions}`);
  const answers = [await post({ query: alone('a') }), await post({ query: withAnother('a') })];
  const answered = await post({ query: read });
  await superuser.query(`alter database ${name} reset default_transaction_read_only`);
  await superuser.query(`select pg_terminate_backend(pid, 1000) ${sessions}`);
  expect(answers.map(({ status, body }) => [status, errorOf(body)])).toEqual(
    Array(2).fill([
      503,
      'unavailable $ the database takes no changes at the moment; nothing was done, try again',
    ]),
  );
  expect(answered.body).toEqual({ data: { log: [] } });
});

describe('the error reports that the outcome of a mutation is unknown', () => {
  test.each([
    ['with one field', alone],
    ['with two fields', withAnother],
  ])(
    'if the Postgres session ends during the commit, for a mutation %s',
    async (_name, mutation) => {
      await superuser.query('select pg_advisory_lock(7)');
      const lost = post({ query: mutation('late') });
      const waiting = `select pid ${sessions} and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await superuser.query(waiting)).rows).toHaveLength(1);
      await superuser.query(`select pg_terminate_backend(pid, 1000) from (${waiting}) w`);
      await superuser.query('select pg_advisory_unlock(7)');
      const { status, retryAfter, body } = await lost;
      expect([status, retryAfter, errorOf(body)]).toEqual([200, null, unknown]);
    },
  );

  test.each([
    ['with one field', alone, ['kept']],
    ['with two fields', withAnother, ['kept', 'kept 2']],
  ])(
    'if Postgres has committed it but the connection breaks before the gateway receives the result, for a mutation %s',
    async (_name, mutation, kept) => {
      await post({ query: read });
      const cut = gateway.loseAnswers();
      const lost = post({ query: mutation('kept') });
      const expected = kept.map((line) => ({ line }));
      await expect.poll(lines).toEqual(expected);
      cut();
      expect(errorOf((await lost).body)).toBe(unknown);
      expect((await post({ query: read })).body).toEqual({ data: { log: expected } });
    },
  );
});

describe('a mutation that is lost before its commit', () => {
  test('is answered 503 with Retry-After, and has written nothing, if its steps need results of earlier ones', async () => {
    await post({ query: withAnother('first') });
    const cut = gateway.loseAnswers();
    const lost = post({ query: nested('lost') });
    const begun = `select ${sessions} and state = 'idle in transaction'`;
    await expect.poll(async () => (await superuser.query(begun)).rowCount).toBe(1);
    cut();
    expect(await lost).toEqual(outage);
    expect(await lines()).toEqual([{ line: 'first' }, { line: 'first 2' }]);
  });

  test('is reported as timed out if its commit is cancelled, and has written nothing', async () => {
    await superuser.query('select pg_advisory_lock(7)');
    const slow = post({ query: alone('late') });
    const waiting = `select pid ${sessions} and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await superuser.query(waiting)).rows).toHaveLength(1);
    await superuser.query(`select pg_cancel_backend(pid) from (${waiting}) w`);
    await superuser.query('select pg_advisory_unlock(7)');
    expect(errorOf((await slow).body)).toContain('time-limit-exceeded');
    expect(await lines()).toEqual([]);
  });
});

test('an idle connection that breaks is logged once as a warning, without details of the connection', async () => {
  await post({ query: read });
  const before = gateway.log.length;
  await superuser.query(`select pg_terminate_backend(pid, 1000) ${sessions}`);
  const broken = () => gateway.log.slice(before).map((line) => JSON.parse(line));
  await expect.poll(broken).toMatchObject([{ msg: 'a connection broke', level: 40 }]);
  expect(broken()).toEqual([expect.not.objectContaining({ err: expect.anything() })]);
});

test('a query whose connection breaks is answered 503 with Retry-After, since repeating a query is safe', async () => {
  await post({ query: read });
  const { rows } = await superuser.query('select pg_catalog.clock_timestamp()::text as now');
  const cut = gateway.loseAnswers();
  const lost = post({ query: read });
  const ended = `select ${sessions} and state = 'idle' and state_change > $1`;
  await expect
    .poll(async () => (await superuser.query(ended, [rows[0].now])).rowCount)
    .toBeGreaterThan(0);
  cut();
  expect(await lost).toEqual(outage);
});
