import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../../server/config/config.ts';
import { errorOf } from '../support/error-of.ts';
import { type Ask, type Gateway, headersOf, startGateway } from '../support/gateway.ts';

const schema = `
create table note (id integer primary key, owner text not null, text text);
create table log (id integer generated always as identity primary key, line text);
`;

const own = '{ owner: { _eq: X-Gql-User } }';
const metadata = {
  'roles.yaml': 'roles: { writer: { requires: [X-Gql-User] } }\n',
  'tables/note.yaml': `
table: note
permissions:
  writer:
    select: { filter: ${own}, columns: '*' }
    insert: { check: ${own}, columns: '*' }
    update: { filter: ${own}, columns: '*' }
    delete: { filter: ${own} }
`,
  'tables/log.yaml': `
table: log
permissions: { writer: { select: { filter: {}, columns: '*' }, insert: { check: {}, columns: '*' } } }
`,
};

const statementTimeoutMs = 700;

let gateway: Gateway;
let superuser: pg.Client;
beforeAll(async () => {
  const limits = { ...parseConfig({}, '/').config.limits, statementTimeoutMs };
  // With a single connection, any state that a mutation does not clean up would affect the next request.
  gateway = await startGateway({ schema, metadata, config: { poolSize: 1, limits } });
  superuser = await gateway.database.connectSuperuser();
});
afterAll(() => gateway.stop());
beforeEach(() =>
  superuser.query(`truncate note, log;
    insert into note values (1, 'ann', 'a'), (2, 'bob', 'b')`),
);

const as = (user: string): Ask => ({ role: 'writer', variables: { User: user } });
const update = 'update_note(where: {}, _set: {text: "new"}) { affected_rows returning { owner } }';
const logged = 'insert_log_one(object: {line: "x"}) { line }';
const shapes = [
  ['alone', `mutation { ${update} }`],
  ['after another', `mutation { ${logged} ${update} }`],
  ['before another', `mutation { ${update} ${logged} }`],
] as const;

const waiting = `select pid from pg_stat_activity where application_name = 'rowgate'
  and datname = current_database() and wait_event_type = 'Lock'`;

/** Runs `work` while another session locks the table `note`, so that writes to it wait. */
async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
  const other = await gateway.database.connectOwner();
  await other.query('begin; lock table note in share mode');
  try {
    return await work();
  } finally {
    await other.query('rollback');
    await other.end();
  }
}

const oneWaits = () =>
  expect.poll(async () => (await superuser.query(waiting)).rows).toHaveLength(1);

/**
 * Checks that the next requests succeed, each as its own caller, and that nothing of the failed mutation was written.
 */
async function expectNothingLeft(): Promise<void> {
  expect(await gateway.ask('{ note { id text } log { line } }', as('bob'))).toEqual({
    data: { note: [{ id: 2, text: 'b' }], log: [] },
  });
  for (const user of ['bob', 'ann', 'bob']) {
    const expected = { affected_rows: 1, returning: [{ owner: user }] };
    expect(await gateway.ask(`mutation { ${update} }`, as(user))).toEqual({
      data: { update_note: expected },
    });
    expect(await gateway.ask(`mutation { a: ${update} b: ${update} }`, as(user))).toEqual({
      data: { a: expected, b: expected },
    });
  }
  const { rows } = await superuser.query(`select state from pg_stat_activity
    where application_name = 'rowgate' and datname = current_database()`);
  expect(rows).toEqual([{ state: 'idle' }]);
}

describe.each(shapes)(
  'a mutation that waits for a lock, with the waiting field %s,',
  (_name, query) => {
    test('is stopped and rolled back at the time limit', async () => {
      await whileHeld(async () => {
        expect(errorOf(await gateway.ask(query, as('ann')))).toBe(
          `time-limit-exceeded $ the operation took longer than ${statementTimeoutMs} ms and was stopped`,
        );
      });
      await expectNothingLeft();
    });

    test('is rolled back when its connection breaks, and a new connection serves the next request', async () => {
      await whileHeld(async () => {
        const slow = gateway.ask(query, as('ann'));
        await oneWaits();
        await superuser.query(`select pg_terminate_backend(pid, 1000) from (${waiting}) w`);
        expect(errorOf(await slow)).toBe(
          'unavailable $ the database cannot be reached or is too busy; nothing was done, try again',
        );
      });
      await expectNothingLeft();
    });

    test('is rolled back when an administrator cancels its statement', async () => {
      await whileHeld(async () => {
        const slow = gateway.ask(query, as('ann'));
        await oneWaits();
        await superuser.query(`select pg_cancel_backend(pid) from (${waiting}) w`);
        expect(errorOf(await slow)).toContain('time-limit-exceeded');
      });
      await expectNothingLeft();
    });

    test('is rolled back when its client disconnects', async () => {
      await whileHeld(async () => {
        const cancel = new AbortController();
        const body = JSON.stringify({ query });
        const lost = gateway.send({ headers: headersOf(as('ann')), body, signal: cancel.signal });
        await oneWaits();
        cancel.abort();
        await expect(lost).rejects.toThrow();
        await superuser.query(`select pg_terminate_backend(pid, 1000) from (${waiting}) w`);
      });
      await expectNothingLeft();
    });
  },
);

describe('a mutation that fails', () => {
  test.each([
    ['a constraint', 'insert_note_one(object: {id: 1, owner: "ann"}) { id }'],
    ['a rule', 'insert_note_one(object: {id: 5, owner: "bob"}) { id }'],
    ['a type', 'insert_note_one(object: {id: 5, owner: "ann", text: "\\u0000"}) { id }'],
    ['a missing value', 'insert_note_one(object: {id: 5, owner: null}) { id }'],
  ])(
    'leaves the connection usable for the next request, whether it violates %s',
    async (_name, field) => {
      for (const fields of [field, `${logged} ${field}`, `${field} ${logged}`]) {
        const answer = await gateway.ask(`mutation { ${fields} }`, as('ann'));
        expect(answer.data).toBeUndefined();
        expect(answer.errors).toHaveLength(1);
      }
      await expectNothingLeft();
    },
  );
});

test('a mutation of many short statements is stopped at the time limit for their sum, and rolled back as a whole', async () => {
  await superuser.query(`create function slow() returns trigger language plpgsql as
    'begin perform pg_sleep(0.2); return new; end';
    create trigger slow before insert on log for each row execute function slow()`);
  const steps = Array.from({ length: 8 }, (_, index) => `l${index}: ${logged}`).join(' ');
  expect(errorOf(await gateway.ask(`mutation { ${steps} }`, as('ann')))).toBe(
    `time-limit-exceeded $ the operation took longer than ${statementTimeoutMs} ms and was stopped`,
  );
  await superuser.query('drop function slow cascade');
  expect((await superuser.query('select from log')).rows).toEqual([]);
});
