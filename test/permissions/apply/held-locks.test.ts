import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { limitHeldLocks } from '../../../permissions/apply/limit-held-locks.ts';

test.each([
  [50_000, '50'],
  [0, '60'],
])(
  'a statement of apply that holds locks for at most 60 s has, with a statement_timeout of %i ms of its login, at most %s s',
  async (own, limit) => {
    const connectionString = inject('ownerUrl');
    const options = `-c statement_timeout=${own}`;
    const client = new pg.Client({ connectionString, options });
    await client.connect();
    await client.query('begin');
    const { rows } = await limitHeldLocks(client, 60).query(
      `select pg_catalog.ceil(s.setting::numeric / 1000) as seconds from pg_catalog.pg_settings s where s.name = 'statement_timeout'`,
    );
    await client.end();
    expect(rows).toEqual([{ seconds: limit }]);
  },
);
