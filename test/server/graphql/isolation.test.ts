import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../server/config/config.ts';
import { errorOf } from './support/error-of.ts';
import {
  type Ask,
  type Gateway,
  headersOf,
  memberOf,
  one,
  startGateway,
  two,
} from './support/gateway.ts';

const statementTimeoutMs = 100;
let gateway: Gateway;
beforeAll(async () => {
  const { limits } = parseConfig({}, '/').config;
  gateway = await startGateway({
    config: { poolSize: 1, limits: { ...limits, statementTimeoutMs } },
  });
});
afterAll(() => gateway.stop());

const badUuid = '{ organization_by_pk(id: "nonsense") { id } }';
const rows = '{ author(order_by: {id: asc}) { id } }';

interface Kind {
  readonly query: string;
  readonly ask: Ask;
  readonly answer: unknown;
}

const refused = (code: string, message: string) => ({
  errors: [{ message, extensions: { path: '$', code } }],
});

const kinds: readonly Kind[] = [
  { query: rows, ask: memberOf(one), answer: { data: { author: [{ id: 1 }, { id: 2 }] } } },
  { query: rows, ask: memberOf(two), answer: { data: { author: [{ id: 3 }] } } },
  {
    query: rows,
    ask: { role: 'reader', variables: { 'Organization-Id': one } },
    answer: { data: { author: [{ id: 1 }, { id: 2 }, { id: 3 }] } },
  },
  {
    query: '{ article(order_by: {id: asc}) { id } }',
    ask: { role: 'reader' },
    answer: { data: { article: [{ id: 1 }, { id: 3 }] } },
  },
  {
    query: badUuid,
    ask: memberOf(one),
    answer: refused('data-exception', 'a value is not written as its type requires'),
  },
  {
    query: rows,
    ask: { role: 'member' },
    answer: refused('not-found', 'missing session variable: "x-gql-organization-id"'),
  },
];

const timedOut = refused(
  'time-limit-exceeded',
  `the operation took longer than ${statementTimeoutMs} ms and was stopped`,
);

describe('on one connection', () => {
  test('400 interleaved requests of two roles and two organizations, some of which fail, each get their own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 400 }, async (_, index) => {
        const kind = kinds[index % kinds.length] as Kind;
        return { kind, answer: await gateway.ask(kind.query, kind.ask) };
      }),
    );
    expect(answers.filter(({ kind, answer }) => !sameJson(answer, kind.answer))).toEqual([]);
  });

  test('requests after one that timed out get their own answers', async () => {
    await whileLocked('setting', async () => {
      const answers = await Promise.all(
        Array.from({ length: 24 }, async (_, index) => {
          const good = kinds[index % 3] as Kind;
          const slow = { query: '{ setting { name } }', ask: {}, answer: timedOut };
          const kind = index % 2 === 0 ? slow : good;
          return { kind, answer: await gateway.ask(kind.query, kind.ask) };
        }),
      );
      expect(answers.filter(({ kind, answer }) => !sameJson(answer, kind.answer))).toEqual([]);
    });
  });

  test('a request after one that the client cancelled gets its own answer', async () => {
    await whileLocked('setting', async () => {
      const cancel = new AbortController();
      const body = JSON.stringify({ query: '{ setting { name } }' });
      const lost = gateway.send({ headers: headersOf({}), body, signal: cancel.signal });
      const next = gateway.ask(rows, memberOf(two));
      cancel.abort();
      await expect(lost).rejects.toThrow();
      expect(await next).toEqual({ data: { author: [{ id: 3 }] } });
    });
  });

  test('a request after one whose connection broke gets its own answer, on a new connection', async () => {
    const { limits } = parseConfig({}, '/').config;
    const patient = await gateway.beside({ poolSize: 1, limits });
    const superuser = await gateway.database.connectSuperuser();
    const kill = `select pg_terminate_backend(pid, 1000) from pg_stat_activity
      where application_name = 'rowgate' and datname = current_database()`;
    const blocked = `select 1 from pg_stat_activity where application_name = 'rowgate'
      and datname = current_database() and wait_event_type = 'Lock'`;
    await whileLocked('setting', async () => {
      const slow = patient.ask('{ setting { name } }');
      await expect.poll(async () => (await superuser.query(blocked)).rows).toHaveLength(1);
      await superuser.query(kill);
      expect(errorOf(await slow)).toBe(
        'unavailable $ the database cannot be reached or is too busy; nothing was done, try again',
      );
    });
    expect(await patient.ask(rows, memberOf(two))).toEqual({ data: { author: [{ id: 3 }] } });
  });

  test('330 different statements, more than a connection keeps prepared, are all answered', async () => {
    for (let limit = 1; limit <= 330; limit += 1) {
      const query = `{ author(limit: ${limit}, order_by: {id: asc}) { id } }`;
      const expected = { data: { author: [1, 2, 3].slice(0, limit).map((id) => ({ id })) } };
      expect(await gateway.ask(query)).toEqual(expected);
      expect(await gateway.ask(query)).toEqual(expected);
    }
  });

  test('a statement that failed while Postgres prepared it is answered after the cause is removed', async () => {
    const owner = await gateway.database.connectOwner();
    await owner.query('alter table setting rename to settings');
    const query = '{ setting(order_by: {name: desc}) { name } }';
    for (let time = 0; time < 3; time += 1) {
      expect(errorOf(await gateway.ask(query))).toBe('unexpected $ database query error');
    }
    await owner.query('alter table settings rename to setting');
    expect(await gateway.ask(query)).toEqual({
      data: { setting: [{ name: 'Theme' }, { name: 'locale' }] },
    });
  });
});

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  const owner = await gateway.database.connectOwner();
  await owner.query('begin');
  await owner.query(`lock table ${table} in access exclusive mode`);
  try {
    await work();
  } finally {
    await owner.query('rollback');
    await owner.end();
  }
}
