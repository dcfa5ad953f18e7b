import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { people, useNotes } from './notes.ts';

const notes = useNotes();
beforeAll(async () => {
  await notes.installation.owner.query(`
    create function slow() returns trigger language plpgsql as
      'begin if new.body = ''slow'' then perform pg_sleep(60); end if; return new; end';
    create trigger slow before insert or update on note for each row execute function slow();
    create function busy() returns trigger language plpgsql as
      'begin if new.body = ''busy'' then raise exception ''no'' using errcode = ''55P03''; end if; return new; end';
    create trigger busy before update on note for each row execute function busy();
    create table held (); insert into held default values;
    create function hold() returns trigger language plpgsql security definer set search_path = public as
      'begin if new.body = ''held'' and current_query() not like ''update%'' then perform from held for update; end if; return new; end';
    create trigger hold before update on note for each row execute function hold();`);
});

const update = (body: string) =>
  `${people}  - { test: a draft is changed, as: ann, update: draft, set: { body: ${body} } }\n`;

describe('a statement that exceeds its time limit', () => {
  beforeEach(async () => {
    const { owner } = notes.installation;
    const { rows } = await owner.query('select current_database() as name');
    await owner.query(`alter database "${rows[0]?.name}" set statement_timeout = '1500ms'`);
  });

  test('fails its test in SQL and over GraphQL, and says what to do', async () => {
    const limit = { ROWGATE_STATEMENT_TIMEOUT_MS: '1500' };
    const { stdout, stderr, code } = await notes.run(
      { note: update('slow') },
      ['--graphql'],
      {},
      limit,
    );
    expect([code, stderr]).toEqual([1, '']);
    const stopped =
      'Postgres stopped a statement (canceling statement due to statement timeout), so the test shows nothing';
    expect(stdout).toContain(
      `${stopped}; raise statement_timeout of the login in DATABASE_URL, or make the rule faster`,
    );
    expect(stdout).toContain(`${stopped}; over GraphQL, raise ROWGATE_STATEMENT_TIMEOUT_MS or the`);
    expect(stdout).toContain('0 of 1 expectation');
  });

  test('is reported at the row of the file that it should insert', async () => {
    const slow = update('x').replace('size: 2 }', 'size: 2, body: slow }');
    const { stderr, code } = await notes.run({ note: slow });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /note\.yaml:\d+:\d+ RG_TEST the row "draft": Postgres stopped a statement/,
    );
  });
});

test('a lock of another session is waited for over GraphQL as in SQL', async () => {
  const { owner, database } = notes.installation;
  const holder = await database.connectOwner();
  await holder.query('begin; select from held for update');
  const waiting = notes.run({ note: update('held') }, ['--graphql']);
  let isOver = false;
  const watched = waiting.finally(() => {
    isOver = true;
  });
  const attempts = new Set<string>();
  const waitsAgain = async () => {
    const { rows } = await owner.query(
      "select xact_start::text as begun from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    for (const { begun } of rows) attempts.add(begun);
    return isOver || attempts.size > 1;
  };
  await until(waitsAgain);
  await holder.query('rollback');
  expect(await watched).toMatchObject({ code: 0, stdout: '1 of 1 expectation in 1 file hold\n' });
});

test('a trigger that raises the code of a lock failure refuses a row', async () => {
  const refused =
    '  - { test: it is refused, as: ann, update: draft, set: { body: busy }, refused: trigger }\n';
  expect(await notes.run({ note: `${update('x')}${refused}` })).toMatchObject({
    ...{ code: 0, stderr: '' },
  });
});
