import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorHint } from '../../../server/db/operator-hint.ts';
import { AnswerMemory } from '../../../server/db/requests/answer-memory.ts';
import { RequestPool, statementName } from '../../../server/db/requests/request-pool.ts';
import { type Gateway, memberOf, one, startGateway } from './support/gateway.ts';

const logger = pino({ level: 'silent' });
const names = ['organization_id', 'level'];
const searchPath = 'pg_catalog, pg_temp';
const share = { role: 'reader', caller: 'a', weight: 1 };

let gateway: Gateway;
let pool: RequestPool;
beforeAll(async () => {
  gateway = await startGateway({ proxied: true });
  const connectionString = gateway.gatewayUrl;
  pool = new RequestPool({
    ...{ connectionString, size: 1, maxWaitMs: 60_000 },
    ...{ statementTimeoutMs: 5000, logger },
  });
});
afterAll(async () => {
  await pool.close();
  await gateway.stop();
});

const role = (name: string) => `${gateway.rolePrefix}${name}`;
const read = (text: string, values: Record<string, string> = {}, name = 'member') => {
  const settings = {
    role: role(name),
    searchPath,
    share,
    names,
    values: new Map(Object.entries(values)),
  };
  return pool.read(settings, { text, values: [], name: statementName(settings.role, text) });
};

/** Selects the role, session variables and settings that the statement itself runs with. */
const surroundings = `select current_user::text, current_setting('gql.organization_id'),
  current_setting('gql.level'), current_setting('search_path'), current_setting('TimeZone'),
  current_setting('transaction_read_only'), current_setting('statement_timeout')`;

describe('a read through the request pool', () => {
  test('runs in the given role, read-only, with all session variables set and those not given empty', async () => {
    expect(await read(surroundings, { organization_id: one })).toEqual([
      ...[role('member'), one, '', 'pg_catalog, pg_temp', 'UTC', 'on', '5s'],
    ]);
    expect(await read(surroundings, { level: '3' }, 'reader')).toEqual([
      ...[role('reader'), '', '3', 'pg_catalog, pg_temp', 'UTC', 'on', '5s'],
    ]);
  });

  test('leaves neither session variables nor the role to the next statement on the connection', async () => {
    await read(surroundings, { organization_id: one });
    const bare = { role: role('reader'), searchPath, share, names: [], values: new Map() };
    const text = "select current_setting('gql.organization_id', true), current_user::text";
    expect(await pool.read(bare, { text, values: [], name: undefined })).toEqual([
      ...['', role('reader')],
    ]);
  });

  test('is refused if the statement writes', async () => {
    const text =
      "insert into public.organization values (gen_random_uuid(), 'x') returning 1::text";
    await expect(read(text, {}, 'admin')).rejects.toMatchObject({ code: '25006' });
  });

  test('takes one round trip to Postgres, with a new or a known statement', async () => {
    await read('select 1::text');
    for (const text of ['select 1::text', 'select 2::text', 'select 2::text']) {
      const before = gateway.flights();
      await read(text);
      expect(gateway.flights() - before).toBe(1);
    }
  });

  test('takes one round trip to Postgres for all root fields of a GraphQL request', async () => {
    const ask = () =>
      gateway.ask(
        '{ a: author { id } b: article { id } c: author_aggregate { aggregate { count } } }',
        memberOf(one),
      );
    await ask();
    const before = gateway.flights();
    expect(Object.keys((await ask()).data)).toEqual(['a', 'b', 'c']);
    expect(gateway.flights() - before).toBe(1);
  });

  test('takes one round trip to Postgres for all root fields of a mutation', async () => {
    const none = 'delete_author(where: {id: {_eq: -1}}) { affected_rows }';
    const ask = () => gateway.ask(`mutation { a: ${none} b: ${none} c: ${none} }`);
    await ask();
    const before = gateway.flights();
    expect(Object.keys((await ask()).data)).toEqual(['a', 'b', 'c']);
    expect(gateway.flights() - before).toBe(1);
  });
});

test('the request pool replaces a connection on which many large statements are prepared, to free their memory', async () => {
  const pids: unknown[] = [];
  for (let index = 0; index < 12; index += 1) {
    pids.push((await read(`select pg_backend_pid()::text -- ${index}${'x'.repeat(100_000)}`))[0]);
  }
  expect(new Set(pids.slice(0, 9)).size).toBe(1);
  expect(pids[11]).not.toBe(pids[0]);
});

test('the request pool keeps a connection on which a write was refused before it began', async () => {
  const settings = { role: role('admin'), searchPath, share, names, values: new Map() };
  const memory = new AnswerMemory(1_000_000);
  const [before] = await read('select pg_backend_pid()::text');
  // An answer that its client does not read.
  memory.open(share).receiveAnyway(900_000);
  const statement = { text: 'select 1::text', values: [], name: undefined };
  const refused = pool.write(settings, [statement], { answer: memory.open(share) });
  await expect(refused).rejects.toThrow('memory');
  expect(await read('select pg_backend_pid()::text')).toEqual([before]);
});

describe('a snapshot transaction of the request pool', () => {
  const settings = () => ({ role: role('admin'), searchPath, share, names, values: new Map() });
  const write = "insert into public.organization values (gen_random_uuid(), 'x') returning 1::text";

  test('is refused if a statement writes', async () => {
    const work = pool.snapshot(settings(), (run) =>
      run({ text: write, values: [], name: undefined }),
    );
    await expect(work).rejects.toMatchObject({ code: '25006' });
  });

  test('refuses further statements after one has failed, and the connection works afterwards', async () => {
    const outcomes = await pool.snapshot(settings(), (run) =>
      Promise.allSettled(
        ['select 1::text', 'select no_such_column', 'select 2::text'].map((text) =>
          run({ text, values: [], name: undefined }),
        ),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await read('select current_user::text')).toEqual([role('member')]);
  });
});

test('a prepared statement that Postgres has lost is reported with a hint to the operator, and the next request succeeds', async () => {
  const bare = { role: role('reader'), searchPath, share, names: [], values: new Map() };
  await read('select 7::text');
  await pool.read(bare, { text: 'deallocate all', values: [], name: undefined }).catch(() => {});
  const error = await read('select 7::text').catch((reason: unknown) => reason);
  expect(operatorHint(error)).toContain('max_prepared_statements');
  expect(await read('select 7::text')).toEqual(['7']);
});

test('a statement that failed while Postgres prepared it gets another name at the next try, since PgBouncer accepts no name twice', async () => {
  const text = 'select count(*)::text from public.lost';
  for (const time of [1, 2]) {
    await expect(read(text), String(time)).rejects.toMatchObject({ code: '42P01' });
  }
  const owner = await gateway.database.connectOwner();
  await owner.query(`create table lost (); grant select on lost to ${role('member')}`);
  for (const time of [1, 2]) expect(await read(text), String(time)).toEqual(['0']);
  const prepared = `select name from pg_prepared_statements where statement = '${text}'`;
  expect(await read(prepared)).toEqual([`${statementName(role('member'), text)}_2`]);
  await owner.query('drop table lost');
});

test('a statement that leaves its transaction open fails, and its connection is replaced', async () => {
  const process = 'select pg_backend_pid()::text';
  const before = await read(process);
  await expect(read('begin')).rejects.toThrow('a statement has left its transaction open');
  expect(await read(process)).not.toEqual(before);
});

test('a session variable set for the whole session does not reach the next request', async () => {
  const change = `select set_config('rowgate.session', '{"x-gql-user-id": "eve"}', false)`;
  await read(change);
  expect(await read(`select current_setting('rowgate.session')`)).toEqual(['']);
});

test('a count of answer bytes set for the whole session does not reach the next request', async () => {
  await read(`select set_config('rowgate.answer_bytes', '999999999', false)`);
  expect(await read(`select current_setting('rowgate.answer_bytes')`)).toEqual(['0']);
});

test('a parameter that is neither a text nor a list is refused before anything is sent', async () => {
  const settings = { role: role('member'), searchPath, share, names, values: new Map() };
  const values = [7 as unknown as string];
  const statement = { text: 'select $1::text', values, name: undefined };
  await expect(pool.read(settings, statement)).rejects.toThrow('a value of the type number');
  expect(await read('select current_user::text')).toEqual([role('member')]);
});

describe('after an error in a read', () => {
  const next = () => read(surroundings, { organization_id: one });
  const expected = () => [...[role('member'), one, '', 'pg_catalog, pg_temp', 'UTC', 'on', '5s']];

  test.each([
    ['of parsing', 'select no_such_column', '42703'],
    ['of running', 'select (1 / 0)::text', '22012'],
    ['of a cast', "select concat('a', 'b')::int::text", '22P02'],
  ])('%s, the next read on the connection works normally', async (_what, text, code) => {
    for (let time = 0; time < 3; time += 1) {
      await expect(read(text)).rejects.toMatchObject({ code });
      expect(await next()).toEqual(expected());
    }
  });

  test('because the role does not exist, the statement has not run, and the next read works normally', async () => {
    const settings = { role: 'no_such_role', searchPath, share, names, values: new Map() };
    const statement = { text: 'select current_user::text', values: [], name: 'n1' };
    await expect(pool.read(settings, statement)).rejects.toMatchObject({ code: '22023' });
    expect(await next()).toEqual(expected());
    expect(await read('select current_user::text')).toEqual([role('member')]);
  });

  test('because the login may not take the role, the statement has not run, and the next read works normally', async () => {
    const settings = { role: 'rowgate_owner', searchPath, share, names, values: new Map() };
    const statement = { text: 'select current_user::text', values: [], name: undefined };
    await expect(pool.read(settings, statement)).rejects.toMatchObject({ code: '42501' });
    expect(await next()).toEqual(expected());
  });
});
